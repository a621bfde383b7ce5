package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CriticalDifferenceTest {
  @Test
  void manyAreOneText_inOrder() {
    List<CriticalDifference> two =
        List.of(
            CriticalDifference.between("carol", "bob", "number_changed"),
            CriticalDifference.between("alice", "bob", CriticalDifference.UNREAD));
    String text = CriticalDifference.text(two);
    assertThat(text).isEqualTo("alice bob unread;bob carol number_changed");
    assertThat(CriticalDifference.parse(text)).containsExactly(two.get(1), two.get(0));
    assertThat(CriticalDifference.parse("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        "b a unread",
        "a a unread",
        "a b unread;",
        "a b Unread",
        "a c unread;a b unread",
        "a b unread;a b number_changed",
        "a  b unread",
        "a@1 b unread"
      })
  void whatItDoesNotWrite_isRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> CriticalDifference.parse(text));
  }
}
