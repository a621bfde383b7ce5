package dev.parlance.policy.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CitationIdTest {
  @Test
  void theShortWayForAscii_endsWhereTheLongOneDoes() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder raw = new StringBuilder();
      for (int length = random.nextInt(8); length > 0; length--) {
        raw.append((char) random.nextInt(0x80));
      }
      assertThat(CitationId.canonical(raw.toString()))
          .isEqualTo(CitationId.canonicalForm(raw.toString()));
    }
  }
}
