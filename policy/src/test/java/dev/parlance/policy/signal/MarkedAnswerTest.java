package dev.parlance.policy.signal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.signal.ClaimFindings.Departure;
import dev.parlance.policy.signal.MarkedAnswer.ClaimMark;
import dev.parlance.policy.signal.MarkedAnswer.Mark;
import dev.parlance.policy.signal.MarkedAnswer.Range;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MarkedAnswerTest {
  private static final Vocabulary VOCABULARY = new Vocabulary(3);

  private final TokenOverlapEstimator overlap = new TokenOverlapEstimator(7);
  private final ClaimsEstimator claims = new ClaimsEstimator(VOCABULARY);

  private static AgentMessage message(String answer, String question, String... chunks) {
    List<Chunk> all = new ArrayList<>();
    for (String chunk : chunks) {
      all.add(new Chunk("c" + (all.size() + 1), Utf8Span.of(chunk)));
    }
    return new AgentMessage(
        Utf8Span.of(answer),
        Utf8Span.of(question),
        new Evidence(EvidenceSource.DECLARED, all, List.of(), OptionalDouble.empty(), List.of()));
  }

  @Test
  void mixedTexts_addUpToTheirCounts_underBothEstimators() {
    MixedText texts = new MixedText(new SplittableRandom(20261126));
    for (int i = 0; i < 500; i++) {
      AgentMessage message = texts.message(300);
      MarkedAnswer counted = overlap.mark(message);
      assertThat(counted.measurement()).isEqualTo(overlap.measure(message));
      Marks.assertAddUp(counted, message);
      MarkedAnswer judged = claims.mark(message);
      assertThat(judged.measurement()).isEqualTo(claims.measure(message));
      Marks.assertAddUp(judged, message);
    }
  }

  @Test
  void hostileTexts_addUpToTheirCounts_underBothEstimators() {
    HostileText texts = new HostileText(new SplittableRandom(41));
    for (int i = 0; i < 500; i++) {
      AgentMessage message = texts.message();
      Marks.assertAddUp(overlap.mark(message), message);
      Marks.assertAddUp(claims.mark(message), message);
    }
  }

  @Test
  void aWordThatChangesWhenNormalised_keepsItsBytesAsGiven() {
    String answer =
        "Der ﬁne Plan kostet １２ Euro\u00adcent, e\u0301galité \uD55C\uAD6D \u1112\u1161\u11AB.";
    MarkedAnswer marked =
        overlap.mark(message(answer, "", "a fine plan: 12 eurocent \u00e9galit\u00e9"));

    List<Range> ranges = marked.words().stream().map(Mark::range).toList();

    assertThat(Marks.texts(ranges, answer))
        .containsExactly(
            "Der",
            "ﬁne",
            "Plan",
            "kostet",
            "１２",
            "Euro\u00adcent",
            "e\u0301galité",
            "\uD55C\uAD6D",
            "\u1112\u1161\u11AB");
    assertThat(marked.words().stream().map(mark -> mark.evidence().isPresent()).toList())
        .containsExactly(false, true, true, false, true, true, true, false, false);
  }

  @Test
  void aChangedNumber_isMarkedWhereItStands_besideWhatStandsInTheEvidence() {
    String answer = "The warranty lasts 36 months [c1].";
    String chunk = "Every pump is tested. The warranty lasts 24 months from delivery.";
    MarkedAnswer marked = claims.mark(message(answer, "How long is the warranty?", chunk));

    ClaimMark claim = marked.claims().getFirst();

    assertThat(Marks.texts(List.of(claim.range()), answer))
        .containsExactly("The warranty lasts 36 months");
    assertThat(claim.isWeak()).isTrue();
    assertThat(claim.cites()).containsExactly(0);
    assertThat(Marks.texts(List.of(claim.nearest().orElseThrow().range()), chunk))
        .containsExactly("The warranty lasts 24 months from delivery");
    assertThat(claim.changes().getFirst().departure()).isEqualTo(Departure.NUMBER_CHANGED);
    assertThat(Marks.texts(List.of(claim.changes().getFirst().said()), answer).getFirst())
        .contains("36");
    List<Range> unsupported =
        marked.words().stream().filter(Mark::isUnsupported).map(Mark::range).toList();
    assertThat(Marks.texts(unsupported, answer)).containsExactly("36");
    assertThat(Marks.texts(List.of(marked.citations().getFirst().range().orElseThrow()), answer))
        .containsExactly("[c1]");
  }

  @Test
  void evidenceInMarkup_isShownInItsOwnBytes() {
    String chunk = "<p>The <b>warranty</b> lasts&nbsp;24 months.</p>";
    String answer = "The warranty lasts 24 months.";
    MarkedAnswer marked = claims.mark(message(answer, "", chunk));

    assertThat(marked.words()).allMatch(mark -> mark.evidence().isPresent());
    List<Range> ranges =
        marked.words().stream().map(mark -> mark.evidence().orElseThrow().range()).toList();
    assertThat(Marks.texts(ranges, chunk))
        .containsExactly("The", "warranty", "lasts", "24", "months");
  }

  @Test
  void aWordOfTheSameMeaning_isNotUnsupported() {
    String answer = "The purchase of the vehicle is quick.";
    MarkedAnswer marked =
        claims.mark(message(answer, "", "The purchase of the car is fast. It is 1,000 km away."));

    assertThat(
            marked.words().stream()
                .filter(mark -> mark.evidence().isEmpty())
                .filter(Mark::isUnsupported)
                .map(Mark::range)
                .toList())
        .hasSizeLessThan(2);
    assertThat(marked.words()).anyMatch(Mark::otherwise);
  }

  @Test
  void moreThanTheBound_isCutAndSaid() {
    String answer = "Word and [chunk c1] more 12.\n".repeat(40_000);
    AgentMessage message = message(answer, "more", "word and nothing else. ".repeat(180_000));

    MarkedAnswer counted = overlap.mark(message);
    assertThat(counted.words()).hasSize(MarkedAnswer.MAX_WORDS);
    assertThat(counted.cut().words()).isEqualTo(160_000 - MarkedAnswer.MAX_WORDS);
    assertThat(counted.citations()).hasSize(MarkedAnswer.MAX_CITATIONS);
    assertThat(counted.cut().citations()).isEqualTo(40_000 - MarkedAnswer.MAX_CITATIONS);
    MarkedAnswer judged = claims.mark(message);
    assertThat(judged.words()).hasSize(MarkedAnswer.MAX_WORDS);
    assertThat(judged.claims()).hasSize(MarkedAnswer.MAX_CLAIMS);
    assertThat(judged.cut().claims()).isEqualTo(40_000 - MarkedAnswer.MAX_CLAIMS);
  }
}
