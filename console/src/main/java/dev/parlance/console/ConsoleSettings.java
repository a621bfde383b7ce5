package dev.parlance.console;

import dev.parlance.service.config.Listen;

/**
 * How a console is served.
 *
 * @param listen where; loopback
 * @param version what runs, for people
 * @param who in whose name holders of a one-time code act
 */
public record ConsoleSettings(Listen listen, String version, String who) {
  /** Refuses to be open to a network. */
  public ConsoleSettings {
    if (!listen.isLoopback()) {
      throw new IllegalArgumentException(
          "the console listens on loopback only, got " + listen.host());
    }
  }

  /** A console on loopback. */
  public static ConsoleSettings onLoopback(int port, String version, String who) {
    return new ConsoleSettings(new Listen("127.0.0.1", port), version, who);
  }
}
