package dev.parlance.policy.claim.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.ClaimFindings.ClaimNote;
import dev.parlance.policy.text.Utf8Span;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Short claims and what the evidence says of them: {@code -} for one that it carries, else in what
 * the claim departs from it, or what is noted.
 */
class ShortClaimsTest {
  private static final double CARRIED = 0.35;
  private static final Set<ClaimNote> NOTES =
      EnumSet.of(ClaimNote.CONDITION_LEFT_OUT, ClaimNote.DERIVED);

  private static final Vocabulary VOCABULARY = new Vocabulary(5);

  private final ClaimsEstimator estimator = new ClaimsEstimator(VOCABULARY);

  @ParameterizedTest(name = "{2} <- {1}")
  @CsvFileSource(resources = "short-claims.txt", delimiter = '|', quoteCharacter = '\u00ac')
  void eachClaim_departsWhereTheEvidenceSaysOtherwise(String expected, String text, String claim) {
    Chunk chunk = new Chunk("c1", Utf8Span.of(text.replace("\\n", "\n")));
    Evidence evidence =
        new Evidence(
            EvidenceSource.DECLARED, List.of(chunk), List.of(), OptionalDouble.empty(), List.of());
    AgentMessage message = new AgentMessage(Utf8Span.of(claim), Utf8Span.EMPTY, evidence);
    ClaimFindings found = estimator.measure(message).claims().orElseThrow();
    Stream<? extends Enum<?>> all =
        found.departures().isEmpty()
            ? found.notes().stream().filter(NOTES::contains)
            : found.departures().stream();
    String said = all.map(Enum::name).sorted().collect(Collectors.joining(" "));
    assertThat(said.isEmpty() ? "-" : said).isEqualTo(expected);
    assertThat(found.support() >= CARRIED || !found.departures().isEmpty()).isTrue();
  }
}
