package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.text.Coded;
import dev.parlance.proxy.gate.ClaimCheck.Result;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Claims against what is known, and against what a route asks for. */
class ClaimCheckTest {
  private static final RoundId ID = new RoundId("r", 2);
  private static final String SUBJECT = "ab".repeat(32);

  private static Rounds.Known known(Optional<RoundStatus.Ended> ended) {
    return new Rounds.Known(new RoundStatus(ID, "any", 0, ended), Optional.of(SUBJECT));
  }

  private static Rounds.Known commit() {
    return known(
        Optional.of(
            new RoundStatus.Ended(
                "verdict_commit",
                Optional.empty(),
                Optional.of("keep"),
                Optional.of("d1"),
                "note")));
  }

  private static Rounds.Known abort() {
    return known(
        Optional.of(
            new RoundStatus.Ended(
                "abort", Optional.of("VERDICT_TIE"), Optional.empty(), Optional.empty(), "note")));
  }

  private static Optional<String> given(String text) {
    return text.equals("-") ? Optional.empty() : Optional.of(text);
  }

  private static RoundMark.Claim claim(
      RoundId id, String kind, String reason, String verdict, String digest, String note) {
    return new RoundMark.Claim(id, kind, given(reason), given(verdict), given(digest), given(note));
  }

  private static String word(Result result) {
    return switch (result) {
      case Result.Holds _ -> "holds";
      case Result.Fails(Reason reason, String _) -> reason.code();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "verdict_commit, -, -, -, -, holds",
    "verdict_commit, -, keep, d1, note, holds",
    "verdict_commit, -, keep, d1, other note, outcome_mismatch",
    "verdict_commit, -, drop, -, -, outcome_mismatch",
    "verdict_commit, -, -, d2, -, outcome_mismatch",
    "verdict_commit, VERDICT_TIE, -, -, -, outcome_mismatch",
    "semantic_commit, -, keep, d1, note, outcome_mismatch",
    "abort, -, -, -, -, outcome_mismatch",
    "ABORT, -, -, -, -, outcome_mismatch",
    "'', -, -, -, -, outcome_mismatch"
  })
  void aClaimOfACommit_holdsIfAllThatItSaysIsSo(
      String kind, String reason, String verdict, String digest, String note, String word) {
    assertThat(word(ClaimCheck.claim(claim(ID, kind, reason, verdict, digest, note), commit())))
        .isEqualTo(word);
  }

  @ParameterizedTest
  @CsvSource({
    "abort, VERDICT_TIE, -, -, holds",
    "abort, -, -, -, holds",
    "abort, NO_VERDICT_QUORUM, -, -, outcome_mismatch",
    "abort, -, keep, -, outcome_mismatch",
    "abort, -, -, d1, outcome_mismatch",
    "verdict_commit, -, -, -, outcome_mismatch"
  })
  void aClaimOfAnAbort_holdsIfAllThatItSaysIsSo(
      String kind, String reason, String verdict, String digest, String word) {
    assertThat(word(ClaimCheck.claim(claim(ID, kind, reason, verdict, digest, "-"), abort())))
        .isEqualTo(word);
  }

  @Test
  void anotherEpochOrRound_isAMismatch_andARoundThatGoesOnIsUnknown() {
    RoundMark.Claim old = claim(new RoundId("r", 1), "verdict_commit", "-", "-", "-", "-");
    RoundMark.Claim other = claim(new RoundId("q", 2), "verdict_commit", "-", "-", "-", "-");
    RoundMark.Claim early = claim(ID, "verdict_commit", "-", "-", "-", "-");
    assertThat(word(ClaimCheck.claim(old, commit()))).isEqualTo("outcome_mismatch");
    assertThat(word(ClaimCheck.claim(other, commit()))).isEqualTo("outcome_mismatch");
    assertThat(word(ClaimCheck.claim(early, known(Optional.empty())))).isEqualTo("outcome_unknown");
  }

  @ParameterizedTest
  @CsvSource({
    "none, -, -, -, passes",
    "none, abort, -, -, passes",
    "verdict, -, -, -, finality_required",
    "semantic, -, -, -, finality_required",
    "verdict, abort, same, same, finality_insufficient",
    "verdict, verdict_commit, same, same, passes",
    "verdict, semantic_commit, same, same, passes",
    "semantic, verdict_commit, same, same, finality_insufficient",
    "semantic, semantic_commit, same, same, passes",
    "semantic, semantic_commit, -, same, outcome_without_subject",
    "semantic, semantic_commit, -, -, outcome_without_subject",
    "semantic, semantic_commit, same, other, outcome_other_subject",
    "semantic, semantic_commit, same, -, outcome_other_subject"
  })
  void aRoute_takesOnlyAnOutcomeThatIsEnough_forThisMessage(
      String level, String kind, String subject, String text, String word) {
    Optional<Result.Holds> held =
        given(kind).map(reached -> new Result.Holds(reached, given(subject)));
    assertThat(
            ClaimCheck.finality(
                    Coded.find(Finality.values(), level).orElseThrow(), held, given(text))
                .map(ClaimCheckTest::word)
                .orElse("passes"))
        .isEqualTo(word);
  }
}
