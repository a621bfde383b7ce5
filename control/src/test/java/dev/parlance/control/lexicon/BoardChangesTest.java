package dev.parlance.control.lexicon;

import static dev.parlance.control.lexicon.BoardChanges.COUNTS_EVERY_NS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BoardChangesTest {
  private final BoardChanges changes = new BoardChanges();

  @Test
  void changesOfTerms_areDueAtOnce_alsoBehindOneAnother() {
    changes.note("a", true);
    changes.note("b", true);
    changes.note("a", true);
    assertThat(changes.due(0)).containsExactly("a", "b");
    assertThat(changes.due(0)).isEmpty();
    changes.note("a", true);
    assertThat(changes.due(1)).containsExactly("a");
  }

  @Test
  void counts_areDueOnceASecond_andNoneIsForgotten() {
    changes.note("a", false);
    assertThat(changes.due(0)).containsExactly("a");
    changes.note("a", false);
    changes.note("a", false);
    assertThat(changes.due(COUNTS_EVERY_NS - 1)).isEmpty();
    assertThat(changes.due(COUNTS_EVERY_NS)).containsExactly("a");
    assertThat(changes.due(2 * COUNTS_EVERY_NS)).isEmpty();
  }

  @Test
  void changeOfTerms_takesWaitingCountsAlong() {
    changes.note("a", true);
    assertThat(changes.due(0)).containsExactly("a");
    changes.note("a", false);
    changes.note("a", true);
    assertThat(changes.due(1)).containsExactly("a");
    assertThat(changes.due(COUNTS_EVERY_NS + 1)).isEmpty();
  }
}
