package dev.parlance.it;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A name server that knows a few names; every other one does not exist (RFC 1035). */
final class TinyDns implements AutoCloseable {
  private static final int TYPE_A = 1;
  private static final int TYPE_AAAA = 28;
  private static final int HEADER_BYTES = 12;

  private final DatagramSocket socket;
  private final Map<String, List<InetAddress>> names;
  private final Thread thread;

  TinyDns(DatagramSocket socket, Map<String, List<InetAddress>> names) {
    this.socket = socket;
    this.names = names;
    this.thread = Thread.ofVirtual().start(this::serve);
  }

  private void serve() {
    byte[] buffer = new byte[512];
    while (!socket.isClosed()) {
      try {
        DatagramPacket asked = new DatagramPacket(buffer, buffer.length);
        socket.receive(asked);
        byte[] answer = answer(ByteBuffer.wrap(buffer, 0, asked.getLength()));
        socket.send(new DatagramPacket(answer, answer.length, asked.getSocketAddress()));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new IllegalStateException("the name server fails", e);
        }
      }
    }
  }

  private byte[] answer(ByteBuffer query) {
    StringBuilder name = new StringBuilder();
    int at = HEADER_BYTES;
    while (query.get(at) != 0) {
      int length = query.get(at);
      byte[] label = new byte[length];
      query.get(at + 1, label);
      name.append(name.isEmpty() ? "" : ".").append(new String(label, StandardCharsets.US_ASCII));
      at += length + 1;
    }
    int type = query.getShort(at + 1);
    byte[] question = new byte[at + 5 - HEADER_BYTES];
    query.get(HEADER_BYTES, question);
    List<InetAddress> known = names.get(name.toString().toLowerCase(Locale.ROOT));
    List<InetAddress> found =
        known == null ? List.of() : known.stream().filter(one -> typeOf(one) == type).toList();
    ByteBuffer out = ByteBuffer.allocate(512);
    out.putShort(query.getShort(0));
    out.putShort((short) (known == null ? 0x8183 : 0x8180));
    out.putShort((short) 1).putShort((short) found.size()).putShort((short) 0).putShort((short) 0);
    out.put(question);
    for (InetAddress one : found) {
      out.putShort((short) 0xc00c).putShort((short) type).putShort((short) 1).putInt(30);
      out.putShort((short) one.getAddress().length).put(one.getAddress());
    }
    byte[] bytes = new byte[out.position()];
    out.get(0, bytes);
    return bytes;
  }

  private static int typeOf(InetAddress address) {
    return address.getAddress().length == 4 ? TYPE_A : TYPE_AAAA;
  }

  @Override
  public void close() {
    socket.close();
    thread.interrupt();
  }
}
