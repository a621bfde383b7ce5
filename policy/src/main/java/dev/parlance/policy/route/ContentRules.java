package dev.parlance.policy.route;

import dev.parlance.policy.signal.Counts;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Rules about what an answer holds, each of which sends it back by itself. The paper has none of
 * them; they close holes of its signals (see {@link Profiles}).
 *
 * @param minAnswerTokens least number of distinct tokens of an answer, 0..1000; 0 switches it off
 * @param regenerateOn the other rules in force, out of {@link #CHOICE}
 */
public record ContentRules(int minAnswerTokens, Set<Reason> regenerateOn) {
  /** The reasons that can be rules of their own. */
  public static final Set<Reason> CHOICE =
      Set.copyOf(
          EnumSet.of(
              Reason.EMPTY_ANSWER,
              Reason.CITATION_UNKNOWN,
              Reason.NUMBER_UNSUPPORTED,
              Reason.QUESTION_ECHO));

  /** No rule: only Eq. 6 decides. */
  public static final ContentRules OFF = new ContentRules(0, Set.of());

  static final int MIN_ANSWER_TOKENS_MAX = 1000;

  /** Refuses reasons that are no rule. */
  public ContentRules {
    Ranges.within("minAnswerTokens", minAnswerTokens, 0, MIN_ANSWER_TOKENS_MAX);
    regenerateOn = Set.copyOf(regenerateOn);
    if (!CHOICE.containsAll(regenerateOn)) {
      throw new IllegalArgumentException(
          "content rules must be out of " + CHOICE + ", got " + regenerateOn);
    }
  }

  /**
   * Which rules {@code counts} break, in this order: empty (then no other), short, echo, unknown
   * citation, unsupported number.
   */
  List<Reason> broken(Counts counts) {
    if (counts.tokens() == 0) {
      return isOn(Reason.EMPTY_ANSWER) ? List.of(Reason.EMPTY_ANSWER) : List.of();
    }
    List<Reason> broken = new ArrayList<>();
    if (counts.tokens() < minAnswerTokens) {
      broken.add(Reason.SHORT_ANSWER);
    }
    if (isOn(Reason.QUESTION_ECHO) && counts.inQuestion() == counts.tokens()) {
      broken.add(Reason.QUESTION_ECHO);
    }
    if (isOn(Reason.CITATION_UNKNOWN) && counts.citedUnknown() > 0) {
      broken.add(Reason.CITATION_UNKNOWN);
    }
    if (isOn(Reason.NUMBER_UNSUPPORTED) && counts.novelNumbers() > 0) {
      broken.add(Reason.NUMBER_UNSUPPORTED);
    }
    return broken;
  }

  private boolean isOn(Reason reason) {
    return regenerateOn.contains(reason);
  }
}
