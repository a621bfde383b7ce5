package dev.parlance.policy.header;

import dev.parlance.policy.message.Assumption;
import java.util.ArrayList;
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
    assumptions =
        assumptions.size() < 2
            ? List.copyOf(assumptions)
            : assumptions.stream().sorted(Comparator.comparing(Assumption::basis)).toList();
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

  /** One pass over a header's text; every step says whether the text still can be a header. */
  static final class HeaderReader {
    private final CharSequence text;
    private int at;

    HeaderReader(CharSequence text) {
      this.text = text;
    }

    Optional<AspHeader> read() {
      blanks();
      int certainty = field("[@C:");
      int grounding = certainty < 0 ? -1 : field("@G:");
      int stochasticity = grounding < 0 ? -1 : field("@S:");
      if (stochasticity < 0 || !literal("A:[")) {
        return Optional.empty();
      }
      List<Assumption> assumptions = new ArrayList<>();
      if (!literal("]]") && !index(assumptions)) {
        return Optional.empty();
      }
      blanks();
      return at == text.length()
          ? Optional.of(new AspHeader(certainty, grounding, stochasticity, assumptions))
          : Optional.empty();
    }

    /** A name, a digit, a semicolon and blanks; the digit, or -1. */
    private int field(String name) {
      if (!literal(name) || at == text.length()) {
        return -1;
      }
      int digit = HexDigit.parse(text.charAt(at++));
      if (!literal(";")) {
        return -1;
      }
      blanks();
      return digit;
    }

    /** At least one assumption, and the closing brackets. */
    private boolean index(List<Assumption> assumptions) {
      do {
        Optional<Assumption.Basis> basis = basis();
        if (basis.isEmpty() || !literal(":")) {
          return false;
        }
        int from = at;
        while (at < text.length() && isIdCharacter(text.charAt(at))) {
          at++;
        }
        String id = text.subSequence(from, at).toString();
        if (!Assumption.isId(id)) {
          return false;
        }
        assumptions.add(new Assumption(basis.get(), id));
      } while (comma());
      return literal("]]");
    }

    private Optional<Assumption.Basis> basis() {
      if (at == text.length()) {
        return Optional.empty();
      }
      return switch (text.charAt(at++)) {
        case 'K', 'k' -> Optional.of(Assumption.Basis.K);
        case 'L', 'l' -> Optional.of(Assumption.Basis.L);
        case 'P', 'p' -> Optional.of(Assumption.Basis.P);
        case 'H', 'h' -> Optional.of(Assumption.Basis.H);
        default -> Optional.empty();
      };
    }

    /** Blanks are allowed around a comma, and nowhere else in the index. */
    private boolean comma() {
      int before = at;
      blanks();
      if (literal(",")) {
        blanks();
        return true;
      }
      at = before;
      return false;
    }

    private boolean literal(String expected) {
      int end = at + expected.length();
      if (end > text.length()) {
        return false;
      }
      for (int i = 0; i < expected.length(); i++) {
        if (text.charAt(at + i) != expected.charAt(i)) {
          return false;
        }
      }
      at = end;
      return true;
    }

    private void blanks() {
      while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
        at++;
      }
    }

    private static boolean isIdCharacter(char c) {
      return c != ',' && c != ']' && c != ' ' && c != '\t';
    }
  }
}
