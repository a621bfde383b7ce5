package dev.parlance.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonPointersTest {
  private static final int POINTERS = 6;

  private static JsonPointers.Side side(List<Optional<String>> given) {
    return new JsonPointers.Side(
        given.get(0), given.get(1), given.get(2), given.get(3), given.get(4), given.get(5));
  }

  @Test
  void isNone_saysWhatEqualsSays_whicheverPointerThereIs() {
    assertThat(JsonPointers.NONE.isNone()).isTrue();
    for (int i = 0; i < POINTERS; i++) {
      List<Optional<String>> given =
          new ArrayList<>(Collections.nCopies(POINTERS, Optional.empty()));
      given.set(i, Optional.of("/a"));
      for (JsonPointers pointers :
          List.of(
              new JsonPointers(side(given), JsonPointers.Side.NONE),
              new JsonPointers(JsonPointers.Side.NONE, side(given)))) {
        assertThat(pointers.isNone()).isFalse();
        assertThat(pointers).isNotEqualTo(JsonPointers.NONE);
      }
    }
    List<Optional<String>> nothing = Collections.nCopies(POINTERS, Optional.empty());
    assertThat(new JsonPointers(side(nothing), side(nothing)).isNone()).isTrue();
  }
}
