package dev.parlance.policy.header;

import dev.parlance.policy.message.Assumption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One pass over a header's text; every step says whether the text still can be a header. */
final class HeaderReader {
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
