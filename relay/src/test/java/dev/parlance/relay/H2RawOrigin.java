package dev.parlance.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;

/** One connection to an HTTP/2 origin that writes its frames by hand. */
final class H2RawOrigin {
  private final DataInputStream in;
  private final OutputStream out;

  /** Reads the preface and says SETTINGS. */
  H2RawOrigin(Socket socket, byte[] settings) throws IOException {
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
    byte[] preface = in.readNBytes(H2RawClient.PREFACE.length());
    if (!new String(preface, US_ASCII).equals(H2RawClient.PREFACE)) {
      throw new IOException("not the preface");
    }
    frame(H2RawClient.SETTINGS, 0, 0, settings);
  }

  void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    out.write(H2RawClient.bytes(type, flags, stream, payload));
    out.flush();
  }

  void headers(int stream, boolean end, String... fields) throws IOException {
    frame(
        H2RawClient.HEADERS,
        H2RawClient.END_HEADERS | (end ? H2RawClient.END_STREAM : 0),
        stream,
        H2RawClient.block(fields));
  }

  void data(int stream, boolean end, String body) throws IOException {
    frame(H2RawClient.DATA, end ? H2RawClient.END_STREAM : 0, stream, body.getBytes(US_ASCII));
  }

  /** The next frame; empty at the end. */
  Optional<H2RawClient.Frame> next() throws IOException {
    try {
      int head = in.readInt();
      int flags = in.readUnsignedByte();
      int stream = in.readInt() & Integer.MAX_VALUE;
      return Optional.of(
          new H2RawClient.Frame(head & 0xff, flags, stream, in.readNBytes(head >>> 8)));
    } catch (EOFException | SocketException e) {
      return Optional.empty();
    }
  }

  /** Reads to the end of the next request; its stream, or 0 at the end of the connection. */
  int request() throws IOException {
    while (true) {
      Optional<H2RawClient.Frame> frame = next();
      if (frame.isEmpty()) {
        return 0;
      }
      if (frame.get().ends()) {
        return frame.get().stream();
      }
    }
  }

  /** Reads to the reset of a stream. */
  H2RawClient.Frame reset() throws IOException {
    while (true) {
      H2RawClient.Frame frame = next().orElseThrow(() -> new IOException("no reset"));
      if (frame.type() == H2RawClient.RST_STREAM) {
        return frame;
      }
    }
  }
}
