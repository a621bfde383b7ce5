package dev.parlance.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LifecycleTest {
  private final List<String> seen = new ArrayList<>();
  private final Lifecycle parts = new Lifecycle(() -> seen.add("drain"));

  private AutoCloseable part(String name) {
    return () -> seen.add(name);
  }

  @Test
  void close_drains_thenClosesBackwards_once() {
    parts.keep(part("store"));
    parts.keep(part("server"));
    assertThat(parts.isClosing()).isFalse();
    parts.close();
    parts.close();
    assertThat(seen).containsExactly("drain", "server", "store");
    assertThat(parts.isClosing()).isTrue();
    assertThat(parts.stopped()).isCompleted();
  }

  @Test
  void aPartThatCannotBeClosed_keepsNoneOfTheOthersOpen() {
    parts.keep(part("store"));
    parts.keep(() -> {
      throw new IOException("broken");
    });
    parts.close();
    assertThat(seen).containsExactly("drain", "store");
  }

  @Test
  void openingThatFails_closesWhatIsOpen_withoutADrain() {
    assertThatThrownBy(() ->
            parts.open(() -> {
              parts.keep(part("store"));
              throw new IOException("address taken");
            }))
        .hasMessage("address taken");
    assertThat(seen).containsExactly("store");
    assertThat(parts.stopped()).isCompleted();
  }
}
