package dev.parlance.cli.local;

import dev.parlance.cli.CommandProblem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;

/** Ports of 127.0.0.1 that sidecars listen at; none is given twice. */
final class LocalPorts {
  private static final int CONNECT_MS = 1_000;

  private final Set<Integer> given = new HashSet<>();

  /** Keeps a port for an agent: no sidecar gets it. */
  void reserve(int port) {
    given.add(port);
  }

  /** The usual one, or where somebody has that already a free one. */
  int usually(int port) throws IOException {
    if (!given.contains(port) && isFree(port)) {
      given.add(port);
      return port;
    }
    return free();
  }

  /** The one that was asked for, which has to be free. */
  int exactly(int port, String option) {
    if (given.contains(port) || !isFree(port)) {
      throw CommandProblem.failed(
          "run: %s: port %d is taken already; end the program that has it, or name another port"
              .formatted(option, port));
    }
    given.add(port);
    return port;
  }

  private int free() throws IOException {
    while (true) {
      try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (given.add(any.getLocalPort())) {
          return any.getLocalPort();
        }
      }
    }
  }

  /** Whether nobody listens there. */
  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** Whether somebody takes connections there. */
  static boolean isListening(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), CONNECT_MS);
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
