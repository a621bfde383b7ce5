package dev.parlance.relay.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DestinationTest {
  /**
   * The pool of connections looks its origins up by it: two of them must never be taken for one.
   */
  @Test
  void differsByHostPortAndProtocol_andByNothingElse() {
    Set<Destination> seen = new HashSet<>();
    int count = 0;
    for (String host : List.of("a", "b", "127.0.0.1")) {
      for (int port : new int[] {1, 80, 65_535}) {
        for (HttpProtocol protocol : HttpProtocol.values()) {
          assertThat(seen.add(new Destination(host, port, protocol))).isTrue();
          Destination again = new Destination(String.valueOf(host.toCharArray()), port, protocol);
          assertThat(seen).contains(again);
          assertThat(new Destination(host, port, protocol)).hasSameHashCodeAs(again);
          count++;
        }
      }
    }
    assertThat(seen).hasSize(count).doesNotContain(new Destination("c", 1));
    assertThat(new Destination("a", 1)).isNotEqualTo("a:1");
  }
}
