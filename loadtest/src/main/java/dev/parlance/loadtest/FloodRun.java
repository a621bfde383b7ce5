package dev.parlance.loadtest;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Sends one flood to a port, connection after connection, and looks at what it costs. */
final class FloodRun {
  private static final int GOAWAY = 7;
  private static final int BATCH_BYTES = 32 * 1024;
  private static final int SETTLE_MS = 100;

  /**
   * What came of one flood.
   *
   * @param flood which
   * @param framesSent pieces sent on all connections, those in flight at the end included
   * @param cut connections that the server ended
   * @param error of its last GOAWAY, as RFC 9113 numbers them; -1 if there was none
   * @param meanMs mean time until a connection was cut, or the whole time if it was not
   * @param cpuMs processor time of the server for each connection
   */
  record Result(Flood flood, long framesSent, int cut, int error, double meanMs, double cpuMs) {
    /** One row of the table. */
    List<String> row(int connections) {
      return List.of(
          flood.what(),
          cut + "/" + connections,
          error < 0 ? "-" : Integer.toString(error),
          String.format(Locale.ROOT, "%,d", framesSent / connections),
          String.format(Locale.ROOT, "%.0f", meanMs),
          String.format(Locale.ROOT, "%.1f", cpuMs));
    }
  }

  private final int port;
  private final long pid;
  private final Duration most;

  /**
   * @param port of the server
   * @param pid of its process
   * @param most how long a connection is flooded if it is not cut
   */
  FloodRun(int port, long pid, Duration most) {
    this.port = port;
    this.pid = pid;
    this.most = most;
  }

  Result run(Flood flood, int connections) throws IOException, InterruptedException {
    long cpuUs = ProcFs.cpuUs(pid).orElse(0);
    long frames = 0;
    long ns = 0;
    int cut = 0;
    int error = -1;
    for (int i = 0; i < connections; i++) {
      long began = System.nanoTime();
      try (One one = new One(flood)) {
        frames += one.send();
        ns += System.nanoTime() - began;
        OptionalInt said = one.saidGoAway();
        if (said.isPresent()) {
          cut++;
          error = said.getAsInt();
        }
      }
    }
    Thread.sleep(SETTLE_MS);
    double usedMs = (ProcFs.cpuUs(pid).orElse(0) - cpuUs) / 1000.0;
    return new Result(flood, frames, cut, error, ns / 1e6 / connections, usedMs / connections);
  }

  /** One attacking connection: this thread writes, another reads everything. */
  private final class One implements AutoCloseable {
    private final Flood flood;
    private final Socket socket;
    private final Thread reader;
    private volatile int goAway = -1;
    private volatile boolean ended;

    One(Flood flood) throws IOException {
      this.flood = flood;
      this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout((int) most.plusSeconds(5).toMillis());
      this.reader = Thread.ofPlatform().daemon().start(this::read);
    }

    /** The pieces sent before the server had enough, or before the time was over. */
    long send() throws InterruptedException {
      long end = System.nanoTime() + most.toNanos();
      int pieces = 0;
      try {
        socket.getOutputStream().write(Flood.greeting());
        socket.getOutputStream().write(flood.first());
        while (!ended && goAway < 0 && System.nanoTime() < end) {
          ByteArrayOutputStream batch = new ByteArrayOutputStream(BATCH_BYTES);
          while (batch.size() < BATCH_BYTES) {
            batch.writeBytes(flood.piece(pieces));
            pieces++;
          }
          socket.getOutputStream().write(batch.toByteArray());
        }
      } catch (IOException e) {
        ended = true; // the server has closed its side, which is what a flood is for
      }
      if (goAway < 0 && ended) {
        reader.join(most.toMillis());
      }
      return pieces;
    }

    private void read() {
      try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
        while (true) {
          int head = in.readInt();
          in.readUnsignedByte();
          in.readInt();
          byte[] payload = in.readNBytes(head >>> 8);
          if ((head & 0xff) == GOAWAY && payload.length >= 8) {
            goAway = payload[7];
          }
        }
      } catch (IOException e) {
        ended = true; // the end of the connection, however it came
      }
    }

    OptionalInt saidGoAway() {
      return goAway < 0 ? OptionalInt.empty() : OptionalInt.of(goAway);
    }

    @Override
    public void close() throws IOException {
      socket.close(); // which ends the reader too
    }
  }
}
