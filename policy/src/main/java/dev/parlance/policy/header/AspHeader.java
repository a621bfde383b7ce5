package dev.parlance.policy.header;

import dev.parlance.policy.message.Assumption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The report card that travels with a message (ASP paper, section 3.1), for instance {@code
 * [@C:D; @G:F; @S:2; A:[K:42, L:09]]}.
 *
 * @param certaintyDigit certainty on the 16-point scale, 0..15
 * @param groundingDigit grounding, 0..15
 * @param stochasticityDigit stochasticity, 0..15
 * @param assumptions the assumption index, ordered K, L, P, H and otherwise as given
 */
public record AspHeader(
    int certaintyDigit, int groundingDigit, int stochasticityDigit, List<Assumption> assumptions) {

  /** Refuses digits outside 0..15 and puts the assumptions in order. */
  public AspHeader {
    HexDigit.check(certaintyDigit);
    HexDigit.check(groundingDigit);
    HexDigit.check(stochasticityDigit);
    assumptions = assumptions.stream().sorted(Comparator.comparing(Assumption::basis)).toList();
  }

  /** The header of signals in [0,1]. */
  public static AspHeader of(
      double certainty, double grounding, double stochasticity, List<Assumption> assumptions) {
    return new AspHeader(
        HexDigit.digit(certainty),
        HexDigit.digit(grounding),
        HexDigit.digit(stochasticity),
        assumptions);
  }

  /**
   * Reads a header strictly. Apart from the canonical form only this is accepted: lower-case digits
   * and tags, any order of assumptions, and blanks (space, tab) around the whole, after a semicolon
   * and around a comma.
   */
  public static Optional<AspHeader> parse(CharSequence text) {
    return new HeaderReader(text).read();
  }

  /** The canonical form. */
  public String text() {
    StringBuilder text =
        new StringBuilder(32)
            .append("[@C:")
            .append(HexDigit.character(certaintyDigit))
            .append("; @G:")
            .append(HexDigit.character(groundingDigit))
            .append("; @S:")
            .append(HexDigit.character(stochasticityDigit))
            .append("; A:[");
    String separator = "";
    for (Assumption assumption : assumptions) {
      text.append(separator).append(assumption.basis()).append(':').append(assumption.id());
      separator = ", ";
    }
    return text.append("]]").toString();
  }

  @Override
  public String toString() {
    return text();
  }
}
