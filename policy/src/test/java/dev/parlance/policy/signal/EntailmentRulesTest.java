package dev.parlance.policy.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.signal.ClaimFindings.ClaimNote;
import dev.parlance.policy.signal.ClaimFindings.Departure;
import dev.parlance.policy.signal.ClaimFindings.Excerpt;
import dev.parlance.policy.signal.ClaimFindings.WeakClaim;
import dev.parlance.policy.signal.EntailmentRules.Cause;
import dev.parlance.policy.signal.EntailmentRules.Question;
import dev.parlance.policy.signal.EntailmentRules.Reply;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EntailmentRulesTest {
  private static final String ANSWER = "It is oiled. It is blue. It is loud. It is new.";
  private static final String PAGE = "Intro. The motor is oiled often. It hums. \u00DCbrigens.";
  private static final EntailmentScores YES = new EntailmentScores(0.9, 0.1, 0.0);
  private static final EntailmentScores NO = new EntailmentScores(0.0, 0.1, 0.9);
  private static final EntailmentScores PERHAPS = new EntailmentScores(0.79, 0.1, 0.11);

  private final EntailmentRules rules = new EntailmentRules(0.2, 0.5, 0.55, 0.1, 0.8, 2);

  private static AgentMessage message() {
    return new AgentMessage(
        Utf8Span.of(ANSWER),
        Utf8Span.EMPTY,
        new Evidence(
            EvidenceSource.DECLARED,
            List.of(
                new Chunk("", Utf8Span.of("Nothing of the kind.")),
                new Chunk("", Utf8Span.of(PAGE))),
            List.of(),
            OptionalDouble.empty(),
            List.of()));
  }

  /** Claims of the answer, the weakest first, all nearest to the same sentence. */
  private static ClaimFindings found(int claims, double... supports) {
    List<WeakClaim> weak = new ArrayList<>();
    int at = 0;
    for (double support : supports) {
      int end = Math.min(ANSWER.indexOf('.', at) + 1, ANSWER.length());
      weak.add(
          new WeakClaim(
              Excerpt.of("", Utf8Span.of(ANSWER), at, end),
              support,
              Optional.of(Excerpt.of("", Utf8Span.of(PAGE), 7, 33)),
              List.of()));
      at = Math.min(end + 1, ANSWER.length() - 2);
    }
    return new ClaimFindings(claims, supports[0], Set.of(), Set.of(ClaimNote.UNCITED), weak);
  }

  private static Measurement measured(ClaimFindings found) {
    return new Measurement(
        new Counts(8, 4, 4, 0, 0, 0, 0, List.of(), List.of()),
        new Features(found.support(), 0.0, 0.5, 0.0),
        Optional.of(found));
  }

  private ClaimFindings revised(ClaimFindings found, EntailmentScores... words) {
    List<Question> questions = rules.questions(message(), found);
    List<Optional<EntailmentScores>> scores = new ArrayList<>();
    for (EntailmentScores word : words) {
      scores.add(Optional.of(word));
    }
    Measurement revised = rules.revised(measured(found), questions, new Reply.Answered(scores));
    assertThat(revised.features().contextOverlap())
        .isEqualTo(revised.claims().orElseThrow().support());
    return revised.claims().orElseThrow();
  }

  @Test
  void openClaims_areAskedAbout_theWeakestFirst_withTheirEvidence() {
    List<Question> questions = rules.questions(message(), found(4, 0.2, 0.3, 0.4));
    assertThat(questions).extracting(Question::text).containsExactly("It is oiled.", "It is blue.");
    assertThat(questions.getFirst().evidence())
        .isEqualTo("The motor is oiled often. It hums. \u00DCbrigens.");
    assertThat(rules.questions(message(), found(4, 0.2, 0.5))).hasSize(1);
  }

  @Test
  void whatTheFirstStageHasDecided_isNotAskedAbout() {
    assertThat(rules.questions(message(), found(1, 0.19))).isEmpty();
    assertThat(rules.questions(message(), found(2, 0.19, 0.4))).isEmpty();
    assertThat(rules.questions(message(), found(1, 0.5))).isEmpty();
    ClaimFindings open = found(1, 0.3);
    assertThat(
            rules.questions(
                message(),
                new ClaimFindings(1, 0.3, Set.of(Departure.DATE_CHANGED), Set.of(), open.weak())))
        .isEmpty();
    assertThat(rules.questions(message(), new ClaimFindings(0, 0.5, Set.of(), Set.of(), List.of())))
        .isEmpty();
  }

  @Test
  void hugeClaimsAndEvidence_areBounded() {
    String text = "word ".repeat(2_000);
    Excerpt all = Excerpt.of("c", Utf8Span.of(text), 0, text.length());
    Excerpt some = Excerpt.of("", Utf8Span.of(text), 0, 2_000);
    AgentMessage message =
        new AgentMessage(
            Utf8Span.of(text),
            Utf8Span.EMPTY,
            new Evidence(
                EvidenceSource.DECLARED,
                List.of(new Chunk("c", Utf8Span.of(text))),
                List.of(),
                OptionalDouble.empty(),
                List.of()));
    WeakClaim fits = new WeakClaim(some, 0.3, Optional.of(all), List.of());
    WeakClaim huge = new WeakClaim(all, 0.3, Optional.of(all), List.of());
    List<Question> questions =
        rules.questions(
            message, new ClaimFindings(2, 0.3, Set.of(), Set.of(), List.of(huge, fits)));
    assertThat(questions).hasSize(1);
    assertThat(questions.getFirst().evidence()).hasSize(EntailmentRules.MAX_EVIDENCE_BYTES);
  }

  @Test
  void word_movesSupport_withinItsBounds() {
    assertThat(revised(found(1, 0.3), YES).support()).isEqualTo(0.55);
    assertThat(revised(found(1, 0.3), YES).notes())
        .containsExactlyInAnyOrder(ClaimNote.UNCITED, ClaimNote.ENTAILED);
    assertThat(revised(found(1, 0.3), NO).support()).isEqualTo(0.1);
    assertThat(revised(found(1, 0.3), NO).notes()).contains(ClaimNote.CONTRADICTED);
    assertThat(revised(found(1, 0.3), PERHAPS)).isEqualTo(found(1, 0.3));
    // the weakest decides, whoever it is now
    assertThat(revised(found(2, 0.3, 0.4), YES, PERHAPS).support()).isEqualTo(0.4);
    assertThat(revised(found(2, 0.3, 0.4), YES, NO).support()).isEqualTo(0.1);
    assertThat(revised(found(2, 0.3, 0.4), YES, NO).weak())
        .extracting(WeakClaim::support)
        .containsExactly(0.1, 0.55);
    // nor is a third one forgotten that was not asked about
    assertThat(revised(found(3, 0.3, 0.4, 0.45), YES, YES).support()).isEqualTo(0.45);
  }

  @Test
  void claimsThatAreNotNamed_keepTheAnswerBelowWhatMakesThemWeak() {
    EntailmentRules high = new EntailmentRules(0.2, 0.6, 1.0, 0.0, 0.8, 8);
    ClaimFindings one = found(5, 0.3);
    Measurement raised =
        high.revised(
            measured(one),
            high.questions(message(), one),
            new Reply.Answered(List.of(Optional.of(YES))));
    assertThat(raised.claims().orElseThrow().support()).isEqualTo(ClaimFindings.WEAK);
    ClaimFindings many = found(9, 0.3, 0.31, 0.32, 0.33, 0.34, 0.35, 0.36, 0.37);
    List<Question> questions = high.questions(message(), many);
    Measurement all =
        high.revised(
            measured(many),
            questions,
            new Reply.Answered(questions.stream().map(_ -> Optional.of(YES)).toList()));
    assertThat(all.claims().orElseThrow().support()).isEqualTo(0.37);
  }

  @ParameterizedTest
  @EnumSource(Cause.class)
  void withoutAWord_theFirstStagesHolds(Cause cause) {
    ClaimFindings found = found(2, 0.3, 0.4);
    Measurement revised =
        rules.revised(measured(found), rules.questions(message(), found), new Reply.Missing(cause));
    ClaimFindings now = revised.claims().orElseThrow();
    assertThat(revised.features()).isEqualTo(measured(found).features());
    assertThat(now.weak()).isEqualTo(found.weak());
    assertThat(now.notes()).hasSize(2);
    assertThat(now.notes()).anyMatch(note -> note.code().equals("entailment_" + cause.code()));
    Measurement silent =
        rules.revised(
            measured(found),
            rules.questions(message(), found),
            new Reply.Answered(List.of(Optional.empty(), Optional.empty())));
    assertThat(silent).isEqualTo(measured(found));
  }

  @Test
  void impossibleValues_areRefused() {
    assertThatThrownBy(() -> new EntailmentRules(0.5, 0.4, 1, 0, 0.8, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EntailmentRules(Double.NaN, 0.4, 1, 0, 0.8, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EntailmentRules(0, 0.4, 1, 0, 0.4, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EntailmentRules(0, 0.4, 1, 0, 0.8, 9))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EntailmentScores(Double.NaN, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
