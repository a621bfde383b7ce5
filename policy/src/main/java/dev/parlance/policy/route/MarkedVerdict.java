package dev.parlance.policy.route;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.signal.MarkedAnswer;
import dev.parlance.policy.signal.Marker;

/**
 * A verdict with its places, for people who ask why: the same measurement, the same order of
 * checks, made on demand. A second stage of judging is not asked, and no certified core.
 *
 * @param profile the constants it was judged with
 * @param marked what was measured, and where
 * @param verdict what follows from it
 */
public record MarkedVerdict(Profile profile, MarkedAnswer marked, Verdict verdict) {
  /**
   * Judges one draft.
   *
   * @param marker of the kind that the profile asks for: of claims, or of words
   * @param errors the flow's regenerations so far (E)
   * @param grounding what is asked of it where it has no evidence
   */
  public static MarkedVerdict of(
      Marker marker, AgentMessage message, Profile profile, int errors, Grounding grounding) {
    MarkedAnswer marked = marker.mark(message);
    Judge judge = new Judge(_ -> marked.measurement());
    return new MarkedVerdict(
        profile, marked, judge.judge(message, profile, errors, grounding, false));
  }
}
