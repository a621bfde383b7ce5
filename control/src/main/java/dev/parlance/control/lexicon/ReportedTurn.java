package dev.parlance.control.lexicon;

import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.lexicon.TurnFacts;
import java.util.HashSet;
import java.util.Set;

/**
 * A turn as a sidecar reports it: what it is to its board, without its text.
 *
 * @param id board, digest, speaker and channel
 * @param number that the message carried
 * @param after how many turns that changed the board were on the one that it was read with
 * @param facts what was read
 */
public record ReportedTurn(LexiconEntry.TurnId id, long number, long after, TurnFacts facts) {
  /** Whoever speaks next says a larger number: the largest must leave room. */
  private static final long MAX_NUMBER = 1L << 53;

  /** Refuses impossible numbers, two lines with one number, and a term that is used twice. */
  public ReportedTurn {
    if (number < 0 || number > MAX_NUMBER || after < 0) {
      throw new IllegalArgumentException("expected numbers up to 2^53, got " + number);
    }
    if (facts.uses().stream().map(TurnFacts.Use::term).distinct().count() != facts.uses().size()) {
      throw new IllegalArgumentException("expected each used term once");
    }
    Set<Integer> lines = new HashSet<>();
    facts.directives().forEach(line -> once(lines, line.line()));
    facts.coinages().forEach(line -> once(lines, line.line()));
  }

  private static void once(Set<Integer> lines, int line) {
    if (line < 0 || !lines.add(line)) {
      throw new IllegalArgumentException("expected lines with numbers of their own, got " + line);
    }
  }

  /** Its entry; of more uses than one can have, the first ones. */
  public LexiconEntry.Used used(long atMs) {
    return new LexiconEntry.Used(
        id,
        number,
        after,
        facts.tokens(),
        facts.checkpoint(),
        facts.uses().stream()
            .limit(LexiconEntry.USES_MAX)
            .map(use ->
                new LexiconEntry.Use(
                    use.term().visibility().toString(), use.term().key(), use.times()))
            .toList(),
        atMs);
  }
}
