package dev.parlance.policy.claim.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.text.Utf8Span;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each case of value-cases.txt: whether the evidence carries every value of the answer. */
class ValueCasesTest {
  private static final ValueLexicon LEXICON = ValueLexicon.load(7);
  private static final Units UNITS = new Units(7);

  record Case(String id, boolean passes, String evidence, String answer) {
    static Case of(String line) {
      String[] parts = line.replace("\\n", "\n").split(" \\| ");
      return new Case(parts[0], parts[1].equals("passes"), parts[2], parts[3]);
    }

    @Override
    public String toString() {
      return id;
    }
  }

  static Stream<Case> cases() throws IOException {
    try (InputStream in = ValueCasesTest.class.getResourceAsStream("value-cases.txt")) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      return lines.stream().filter(l -> !l.isBlank() && l.charAt(0) != '#').map(Case::of);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void valuesAreCarriedOrNot(Case example) {
    String missing = missing(example.evidence, example.answer);
    if (example.passes) {
      assertThat(missing).isEmpty();
    } else {
      assertThat(missing).isNotEmpty();
    }
  }

  /** The first value of an answer that its evidence does not carry, or nothing. */
  private static String missing(String evidence, String answer) {
    Values known = new Values(LEXICON);
    UNITS.read(Utf8Span.of(evidence));
    known.read(Utf8Span.of(evidence), UNITS);
    ValueIndex index = new ValueIndex(LEXICON);
    index.build(known);
    Utf8Span text = Utf8Span.of(answer);
    Values claim = new Values(LEXICON);
    UNITS.read(text);
    claim.read(text, UNITS);
    ValueArithmetic arithmetic = new ValueArithmetic(LEXICON);
    for (int i = 0; i < claim.count(); i++) {
      ValueMatch match = index.best(claim, i);
      ValueMatch neighbour = index.ofNeighbour(claim, i, 0, known.count());
      boolean exchanged = !neighbour.isCarried() && neighbour != ValueMatch.OTHER;
      boolean skipped = claim.isLabel(i) || (claim.isWeak(i) && !match.isCarried());
      if (skipped || (match.isCarried() && !exchanged)) {
        continue;
      }
      if (!match.isCarried()
          && arithmetic.isDerived(
              claim, i, 0, claim.count(), j -> index.best(claim, j).isCarried())) {
        continue;
      }
      return text.slice(claim.start(i), claim.end(i) - claim.start(i)) + " " + match + exchanged;
    }
    return "";
  }
}
