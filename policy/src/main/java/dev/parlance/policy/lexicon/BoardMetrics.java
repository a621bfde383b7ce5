package dev.parlance.policy.lexicon;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What is counted on a board (convention {@code board-1}; the measures are COGENT's, section 4). A
 * ratio whose denominator is zero is empty.
 *
 * @param terms entries
 * @param publicTerms those that everybody sees
 * @param reuse uses of all entries, one a turn and entry
 * @param occurrences how often terms stand in those turns
 * @param publicReuse uses of public entries
 * @param crossSpeaker entries with two public speakers or more, coining in public included
 * @param usedInPublic entries with at least one
 * @param publicSpeakers public speakers of all entries together
 * @param lexiconTokens tokens of all terms and definitions
 * @param publicLogTokens tokens of all public turns
 * @param checkpoints intervals in which a public entry could be used
 * @param persisted those in which it was
 */
public record BoardMetrics(
    long terms,
    long publicTerms,
    long reuse,
    long occurrences,
    long publicReuse,
    long crossSpeaker,
    long usedInPublic,
    long publicSpeakers,
    long lexiconTokens,
    long publicLogTokens,
    long checkpoints,
    long persisted) {
  /** Refuses a part that is larger than its whole. */
  public BoardMetrics {
    if (publicTerms > terms
        || publicReuse > reuse
        || crossSpeaker > terms
        || usedInPublic > terms
        || persisted > checkpoints
        || Math.min(Math.min(publicTerms, publicReuse), Math.min(lexiconTokens, persisted)) < 0) {
      throw new IllegalArgumentException("no such counts");
    }
  }

  static BoardMetrics of(Board board) {
    long publicTerms = 0;
    long reuse = 0;
    long occurrences = 0;
    long publicReuse = 0;
    long crossSpeaker = 0;
    long usedInPublic = 0;
    long publicSpeakers = 0;
    long lexiconTokens = 0;
    long checkpoints = 0;
    long persisted = 0;
    for (BoardEntry entry : board.entries()) {
      boolean isPublic = entry.visibility().isPublic();
      int speakers = entry.speakers().size();
      publicTerms += isPublic ? 1 : 0;
      reuse += entry.reuse();
      occurrences += entry.occurrences();
      publicReuse += isPublic ? entry.reuse() : 0;
      crossSpeaker += speakers >= 2 ? 1 : 0;
      usedInPublic += speakers >= 1 ? 1 : 0;
      publicSpeakers += speakers;
      lexiconTokens += entry.lexiconTokens();
      checkpoints += entry.checkpoints();
      persisted += entry.persisted();
    }
    return new BoardMetrics(
        board.entries().size(),
        publicTerms,
        reuse,
        occurrences,
        publicReuse,
        crossSpeaker,
        usedInPublic,
        publicSpeakers,
        lexiconTokens,
        board.publicLogTokens(),
        checkpoints,
        persisted);
  }

  /** Entries that only a faction sees. */
  public long privateTerms() {
    return terms - publicTerms;
  }

  /** Uses of entries that only a faction sees, in public included. */
  public long privateReuse() {
    return reuse - publicReuse;
  }

  /** Uses per entry. */
  public OptionalDouble uptake() {
    return ratio(reuse, terms);
  }

  /** Share of uses that are of public entries, 0 to 1. */
  public OptionalDouble publicReuseShare() {
    return ratio(publicReuse, reuse);
  }

  /** Share of entries that are public, 0 to 1. */
  public OptionalDouble publicEntryShare() {
    return ratio(publicTerms, terms);
  }

  /** Uses per public entry, divided by uses per private entry. */
  public OptionalDouble publicAdvantage() {
    OptionalDouble ofPublic = ratio(publicReuse, publicTerms);
    OptionalDouble ofPrivate = ratio(privateReuse(), privateTerms());
    return ofPublic.isEmpty() || ofPrivate.isEmpty() || ofPrivate.getAsDouble() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(ofPublic.getAsDouble() / ofPrivate.getAsDouble());
  }

  /** Share of entries with two public speakers or more, 0 to 1. */
  public OptionalDouble crossSpeakerShare() {
    return ratio(crossSpeaker, terms);
  }

  /** Public speakers per entry. */
  public OptionalDouble meanPublicSpeakers() {
    return ratio(publicSpeakers, terms);
  }

  /** Uses per hundred tokens of terms and definitions. */
  public OptionalDouble reusePer100LexiconTokens() {
    return ratio(100 * reuse, lexiconTokens);
  }

  /** Tokens of terms and definitions per token of the public turns. */
  public OptionalDouble footprint() {
    return ratio(lexiconTokens, publicLogTokens);
  }

  /** Share of the intervals between checkpoints in which a public entry was used, 0 to 1. */
  public OptionalDouble persistence() {
    return ratio(persisted, checkpoints);
  }

  /**
   * Tokens of messages behind the warm-up per token of the first ones: below 1, the same is said in
   * fewer words.
   *
   * @param initial tokens of each of the first messages
   * @param warm tokens of each later message
   */
  public static OptionalDouble compression(List<Long> initial, List<Long> warm) {
    return ratio(sum(warm), sum(initial));
  }

  /**
   * The same of the turns of a board: the warm-up ends with the last turn that coins. Of every
   * speaker with a turn on both sides of it the first one counts, and the last.
   */
  public static OptionalDouble compression(List<TurnFacts> turns) {
    int end = turns.size() - 1;
    while (end >= 0 && turns.get(end).coinages().isEmpty()) {
      end--;
    }
    Map<String, Long> initial = new HashMap<>();
    Map<String, Long> warm = new HashMap<>();
    for (int i = 0; i < turns.size(); i++) {
      TurnFacts turn = turns.get(i);
      if (i <= end) {
        initial.putIfAbsent(turn.speaker(), (long) turn.tokens());
      } else if (initial.containsKey(turn.speaker())) {
        warm.put(turn.speaker(), (long) turn.tokens());
      }
    }
    initial.keySet().retainAll(warm.keySet());
    return compression(List.copyOf(initial.values()), List.copyOf(warm.values()));
  }

  private static long sum(List<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  private static OptionalDouble ratio(long part, long whole) {
    return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / whole);
  }
}
