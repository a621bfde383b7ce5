package dev.parlance.cli.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An agent that is to be started.
 *
 * @param name what it is called: the node of its sidecar, and the prefix of what it prints
 * @param port where it listens, on 127.0.0.1
 * @param command its program and what that is given, at least the program
 * @param folder where it is started
 * @param environment what it is given beside the environment of this process
 * @param a2a path of its A2A endpoint (JSON-RPC), where the questions of audits go
 * @param callers where others reach it, at its sidecar; empty: at a port that is free
 */
record AgentSpec(
    String name,
    int port,
    List<String> command,
    Path folder,
    Map<String, String> environment,
    String a2a,
    Optional<Integer> callers) {
  static final int MAX_PORT = 65_535;

  /** Copies command and environment; refuses one without a program or a port. */
  AgentSpec {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    if (command.isEmpty()) {
      throw new IllegalArgumentException("an agent has a program, got no command of " + name);
    }
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("a port is 1 to 65535, got " + port);
    }
  }

  /** Where it listens itself. */
  String address() {
    return "127.0.0.1:" + port;
  }
}
