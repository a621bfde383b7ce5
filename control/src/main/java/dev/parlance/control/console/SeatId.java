package dev.parlance.control.console;

import dev.parlance.control.publish.SidecarDirectory.Seat;
import dev.parlance.policy.text.Sha256;

/**
 * How the console calls a sidecar in addresses: {@code [A-Za-z0-9_.-]{1,128}}, the same for the
 * same sidecar always, and different for two, whatever they call themselves.
 *
 * <p>{@code AGENT} if its name is that of its agent, else {@code AGENT_.NODE}; in both {@code _ :
 * / @} are {@code _u _c _s _a}. What is longer is {@code _h} and a digest.
 */
final class SeatId {
  private static final int MAX_LENGTH = 128;

  private SeatId() {}

  static String of(Seat seat) {
    String agent = escaped(seat.agent());
    String id = seat.agent().equals(seat.node()) ? agent : agent + "_." + escaped(seat.node());
    return id.length() <= MAX_LENGTH ? id : "_h" + Sha256.hex(id);
  }

  private static String escaped(String name) {
    return name.replace("_", "_u").replace(":", "_c").replace("/", "_s").replace("@", "_a");
  }
}
