package dev.parlance.cli.offline;

import dev.parlance.cli.LineFault;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermKey;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.policy.core.WitnessedTest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * From the four texts of a row to a witnessed test. Terms are compared by their tokens, so
 * "Derivative-Work" and "derivative work" are one.
 */
final class TestFields {
  /** The columns of a table, and the members of its JSON form. */
  static final List<String> NAMES = List.of("agent", "event", "term", "verdict");

  private static final int CACHED_TERMS_MAX = 200_000;
  private static final int SHOWN_CHARACTERS = 60;

  /** Tokenising is the costly part, and a vocabulary is small beside its tests. */
  private final Map<String, Optional<String>> keys = new HashMap<>();

  TestRow read(long line, String agent, String event, String term, String verdict) {
    for (String id : List.of(agent, event)) {
      if (!Names.isName(id)) {
        return bad(
            line,
            (id.equals(agent) ? "agent" : "event")
                + ": expected an id like [A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}, got "
                + shown(id));
      }
    }
    Optional<String> key = key(term);
    if (key.isEmpty()) {
      return bad(line, "term: expected 1 to " + TermKey.MAX_TOKENS + " words, got " + shown(term));
    }
    Optional<TermVerdict> said = verdict(verdict);
    if (said.isEmpty()) {
      return bad(line, "verdict: expected assent, neutral or dissent, got " + shown(verdict));
    }
    return new TestRow.Test(line, new WitnessedTest(agent, event, key.get(), said.get()));
  }

  private Optional<String> key(String term) {
    Optional<String> known = keys.get(term);
    if (known == null) {
      known = TermKey.of(term);
      if (keys.size() < CACHED_TERMS_MAX) {
        keys.put(term, known);
      }
    }
    return known;
  }

  /** A code or its letter, in either case. */
  private static Optional<TermVerdict> verdict(String text) {
    return text.length() == 1
        ? TermVerdict.ofLetter(text.toUpperCase(Locale.ROOT).charAt(0))
        : TermVerdict.ofCode(text.toLowerCase(Locale.ROOT));
  }

  private static TestRow bad(long line, String message) {
    return new TestRow.Fault(line, LineFault.BAD_VALUE, message);
  }

  private static String shown(String text) {
    return text.isEmpty()
        ? "nothing"
        : '"' + TerminalEscaper.shortened(text, SHOWN_CHARACTERS) + '"';
  }
}
