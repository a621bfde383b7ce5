package dev.parlance.wire.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which chunks are the same, and what the others are called. */
class EvidenceReaderTest {
  @Test
  void aTextUnderAnIdThatIsTaken_getsAnIdOfItsOwn_andTheSameTextOnlyOne() {
    EvidenceReader reader = new EvidenceReader();
    for (String text : List.of("A.", "B.", "A.", "C.", "B.")) {
      reader.addCarriedChunk("t", Utf8Span.of(text));
    }
    reader.addCarriedChunk("t#2", Utf8Span.of("B."));
    assertThat(told(reader)).containsExactly("t=A.", "t#2=B.", "t#3=C.", "t#2#2=B.");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anyTextsUnderAnyIds_areToldApartAsASetOfThemDoes(boolean detached) {
    Random random = new Random(43);
    List<String> ids = List.of("", "a", "a#2", "a#3", "b", "b#2", "a#2#2");
    for (int round = 0; round < 500; round++) {
      EvidenceReader reader = new EvidenceReader(detached);
      Model model = new Model(detached);
      int chunks = random.nextInt(40);
      for (int i = 0; i < chunks; i++) {
        String id = ids.get(random.nextInt(ids.size()));
        String text = "text " + random.nextInt(6);
        reader.addCarriedChunk(id, Utf8Span.of(text));
        model.add(id, text);
      }
      assertThat(told(reader)).isEqualTo(model.told);
    }
  }

  private static List<String> told(EvidenceReader reader) {
    List<String> told = new ArrayList<>();
    for (Chunk chunk : reader.evidence().chunks()) {
      told.add(chunk.id() + "=" + chunk.text());
    }
    return told;
  }

  /** The rule, written down without care for its cost. */
  private static final class Model {
    private final boolean detached;
    private final Set<String> given = new HashSet<>();
    private final Map<String, Integer> taken = new HashMap<>();
    private final List<String> told = new ArrayList<>();

    Model(boolean detached) {
      this.detached = detached;
    }

    void add(String id, String text) {
      boolean places = id.isEmpty() && !detached;
      if (!places && !given.add(id + "=" + text)) {
        return;
      }
      String free = id;
      while (!id.isEmpty() && taken.putIfAbsent(free, 1) != null) {
        free = id + "#" + taken.merge(id, 1, Integer::sum);
      }
      told.add(free + "=" + text);
    }
  }
}
