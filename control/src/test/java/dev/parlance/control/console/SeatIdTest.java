package dev.parlance.control.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.publish.SidecarDirectory.Seat;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SeatIdTest {
  @Test
  void everySidecar_hasAnIdOfItsOwn_whateverItCallsItself() {
    List<String> names =
        List.of(
            "a", "a.b", "b", "a_", "a_u", "a_.b", "a_.", "a:b", "a/b", "a@b", "a-b", "_h", "b.c");
    Set<String> ids = new HashSet<>();
    int seats = 0;
    for (String agent : names) {
      for (String node : names) {
        String id = SeatId.of(new Seat(agent, node));
        assertThat(id).matches("[A-Za-z0-9_.-]{1,128}");
        ids.add(id);
        seats++;
      }
    }
    assertThat(ids).hasSize(seats);
  }

  @Test
  void whatIsTooLong_isADigest() {
    String name = "n".repeat(128);
    assertThat(SeatId.of(new Seat("ann", "ann"))).isEqualTo("ann");
    assertThat(SeatId.of(new Seat("ann", "ann-1"))).isEqualTo("ann_.ann-1");
    assertThat(SeatId.of(new Seat(name, name))).isEqualTo(name);
    assertThat(SeatId.of(new Seat("ann", name))).matches("_h[0-9a-f]{64}");
  }
}
