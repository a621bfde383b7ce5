package dev.parlance.ledger.record;

import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermKey;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What every entry asks of its members. */
final class Checks {
  private static final int MAX_CODE_LENGTH = 64;

  /** Most agents that one core holds between. */
  static final int MAX_AGENTS = 64;

  private Checks() {}

  static void audit(String audit, long epoch, long atMs) {
    Names.checked(audit);
    atLeast(1, epoch, "epoch");
    atLeast(0, atMs, "atMs");
  }

  static void atLeast(long least, long value, String what) {
    if (value < least) {
      throw new IllegalArgumentException(
          "expected " + what + " of at least " + least + ", got " + value);
    }
  }

  /** The numbers of a decision; the tally has checked itself. */
  static void numbers(Tally tally, int unanswered, double upper, double coverage) {
    atLeast(0, unanswered, "unanswered");
    if (!(upper >= 0.0 && upper <= 1.0) || !(coverage >= 0.0 && coverage <= 1.0)) {
      throw new IllegalArgumentException(
          "expected upper and coverage in [0,1], got " + upper + ", " + coverage + " of " + tally);
    }
  }

  /** A copy that nobody can change. */
  static SortedMap<String, String> alternatives(SortedMap<String, String> alternatives) {
    SortedMap<String, String> copy = new TreeMap<>();
    alternatives.forEach((term, other) -> copy.put(TermKey.checked(term), TermKey.checked(other)));
    return Collections.unmodifiableSortedMap(copy);
  }

  /** Whether each alternative is another term of these, and of one of these. */
  static boolean known(SortedMap<String, String> alternatives, List<String> terms) {
    return alternatives.entrySet().stream()
        .allMatch(entry ->
            Collections.binarySearch(terms, entry.getKey()) >= 0
                && Collections.binarySearch(terms, entry.getValue()) >= 0
                && !entry.getKey().equals(entry.getValue()));
  }

  static void events(List<Entry.PlanEvent> events) {
    if (!isAscending(events.stream().map(Entry.PlanEvent::pei).toList())) {
      throw new IllegalArgumentException("expected events sorted by identifier, each once");
    }
  }

  /** Codes of reasons: {@code [a-z][a-z0-9_]{0,63}}. */
  static void code(String code) {
    boolean good = !code.isEmpty() && code.length() <= MAX_CODE_LENGTH;
    for (int i = 0; good && i < code.length(); i++) {
      char c = code.charAt(i);
      good = (c >= 'a' && c <= 'z') || (i > 0 && ((c >= '0' && c <= '9') || c == '_'));
    }
    if (!good) {
      throw new IllegalArgumentException(
          "expected a code like agent_refused, got \"" + code + "\"");
    }
  }

  static void agents(List<String> agents, int most) {
    agents.forEach(Names::checked);
    if (agents.size() < 2 || agents.size() > most || !isAscending(agents)) {
      throw new IllegalArgumentException("expected 2 to " + most + " sorted agents, got " + agents);
    }
  }

  /** Keys in ascending order of their UTF-16 code units, each once. */
  static void terms(List<String> terms) {
    terms.forEach(TermKey::checked);
    if (!isAscending(terms)) {
      throw new IllegalArgumentException("expected sorted terms, each once");
    }
  }

  static boolean isAscending(List<String> keys) {
    for (int i = 1; i < keys.size(); i++) {
      if (keys.get(i - 1).compareTo(keys.get(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** What every outcome of a round has, on the ledger and in a note. */
  static final class RoundChecks {
    static final String SEMANTIC_COMMIT = "semantic_commit";
    static final String VERDICT_COMMIT = "verdict_commit";
    static final String ABORT = "abort";

    private RoundChecks() {}

    /** Refuses what is no Ed25519 signature line of a key of this name. */
    static void signature(String name, String base64) {
      if (NoteSignature.of(name, base64).filter(NoteSignature::isOfEd25519).isEmpty()) {
        throw new IllegalArgumentException("expected a signature of " + name + ", got " + base64);
      }
    }

    /** Refuses commits without verdict, core or digest, and aborts with them or without reason. */
    static void outcome(
        String kind,
        Optional<String> reason,
        Optional<String> verdict,
        List<String> core,
        Optional<String> digest) {
      boolean commit =
          switch (kind) {
            case SEMANTIC_COMMIT, VERDICT_COMMIT -> true;
            case ABORT -> false;
            default -> throw new IllegalArgumentException("expected an outcome, got " + kind);
          };
      if (reason.isPresent() == commit
          || verdict.isPresent() != commit
          || digest.isPresent() != commit
          || core.isEmpty() == commit) {
        throw new IllegalArgumentException(
            "expected verdict, core and digest exactly for a commit, a reason exactly for an"
                + " abort");
      }
      if (reason.isPresent() && AbortReason.ofCode(reason.get()).isEmpty()) {
        throw new IllegalArgumentException("expected a reason of an abort, got " + reason.get());
      }
      if (verdict.isPresent() && !RoundNames.isName(verdict.get())) {
        throw new IllegalArgumentException("expected a verdict, got " + verdict.get());
      }
      digest.ifPresent(Digest::checked);
      if (core.size() > RoundSpec.MAX_MEMBERS
          || !core.stream().allMatch(RoundNames::isName)
          || !Checks.isAscending(core)) {
        throw new IllegalArgumentException("expected a core in byte order, got " + core);
      }
    }

    /** Refuses counts that no round of so many members has. */
    static void counts(int members, int delivered, int support, int runnerUp) {
      if (runnerUp < 0
          || support < runnerUp
          || delivered - support < runnerUp
          || members < delivered) {
        throw new IllegalArgumentException(
            "expected counts of "
                + members
                + " members, got "
                + delivered
                + ", "
                + support
                + ", "
                + runnerUp);
      }
    }
  }
}
