package dev.parlance.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.control.store.Store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreConfigTest {
  @Test
  void whatCannotWork_isRefused() {
    assertThatThrownBy(() -> new StoreConfig.Embedded(Path.of("store.db?cache=shared")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StoreConfig.Postgres("jdbc:mysql://db/x", "u", "p", 10))
        .isInstanceOf(IllegalArgumentException.class);
    for (int size : new int[] {-1, 1, 101}) {
      assertThatThrownBy(() -> new StoreConfig.Postgres("jdbc:postgresql://db/x", "u", "p", size))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void S17_textForm_hasNoPassword() {
    StoreConfig config =
        new StoreConfig.Postgres("jdbc:postgresql://db/x?password=hunter2", "ops", "hunter2", 10);
    assertThat(config).hasToString("Postgres[jdbc:postgresql://db/x, user=ops]");
  }

  @Test
  void serverThatIsNotThere_isSaidSoSoon() {
    StoreConfig nowhere =
        new StoreConfig.Postgres("jdbc:postgresql://127.0.0.1:1/x", "ops", "hunter2", 2);
    long begun = System.nanoTime();
    assertThatThrownBy(() -> Stores.open(nowhere))
        .isInstanceOf(StoreException.class)
        .hasMessageNotContaining("hunter2");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
  }
}
