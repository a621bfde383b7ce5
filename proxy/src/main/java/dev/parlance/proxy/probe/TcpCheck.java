package dev.parlance.proxy.probe;

import dev.parlance.proxy.admin.ProbePort.Outcome;
import dev.parlance.proxy.config.Probe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Connects, and that is all. */
final class TcpCheck {
  private TcpCheck() {}

  static Outcome make(Probe probe) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(probe.host(), probe.port()), probe.timeoutMs());
      return new Outcome(true, "connected");
    } catch (IOException e) {
      return new Outcome(false, "cannot connect: " + e.getMessage());
    }
  }
}
