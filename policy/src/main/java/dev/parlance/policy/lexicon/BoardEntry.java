package dev.parlance.policy.lexicon;

import dev.parlance.policy.text.Tokens;
import java.util.ArrayList;
import java.util.List;

/**
 * A coined term on a board, and what has become of it.
 *
 * @param term as its coiner wrote it
 * @param key in what it is compared, see {@link BoardRules}
 * @param definition its meaning now
 * @param version 1, and one more for each repair
 * @param contested true from a challenge to the next repair
 * @param by who coined it
 * @param turn the number of the turn that coined it, from 0
 * @param visibility who sees it
 * @param leaked true once a member of its faction has used it in public
 * @param reuse turns in which somebody used it, leaks and echoes included
 * @param occurrences how often it stands in those turns
 * @param speakers who used it in public, in order; of a public term its coiner first
 * @param checkpoints the intervals between checkpoints since it was coined, public terms only
 * @param persisted those of them in which it was used
 * @param lastUse the number of the last turn that used it; that of its coinage before the first
 */
public record BoardEntry(
    String term,
    String key,
    String definition,
    int version,
    boolean contested,
    String by,
    int turn,
    Channel visibility,
    boolean leaked,
    int reuse,
    long occurrences,
    List<String> speakers,
    int checkpoints,
    int persisted,
    int lastUse) {
  /** Refuses what no sequence of turns leads to. */
  public BoardEntry {
    speakers = List.copyOf(speakers);
    if (key.isEmpty()
        || version < 1
        || turn < 0
        || reuse < 0
        || occurrences < reuse
        || checkpoints < 0
        || persisted < 0
        || persisted > checkpoints
        || lastUse < turn
        || (leaked && visibility.isPublic())) {
      throw new IllegalArgumentException("no such entry: " + term);
    }
  }

  static BoardEntry coined(TurnFacts.Coined line, TurnFacts facts, int number) {
    return new BoardEntry(
        line.term(),
        line.key(),
        line.definition(),
        1,
        false,
        facts.speaker(),
        number,
        facts.channel(),
        false,
        0,
        0,
        facts.channel().isPublic() ? List.of(facts.speaker()) : List.of(),
        0,
        0,
        number);
  }

  /** How others speak of it. */
  public TurnFacts.TermRef ref() {
    return new TurnFacts.TermRef(visibility, key);
  }

  BoardEntry used(TurnFacts facts, int number, int times, boolean leaks) {
    List<String> heard = speakers;
    if (facts.channel().isPublic() && !speakers.contains(facts.speaker())) {
      heard = new ArrayList<>(speakers);
      heard.add(facts.speaker());
    }
    return with(
        leaked || leaks, reuse + 1, occurrences + times, heard, checkpoints, persisted, number);
  }

  /** The same once a member of its faction has used it in public. */
  public BoardEntry asLeaked() {
    return with(true, reuse, occurrences, speakers, checkpoints, persisted, lastUse);
  }

  BoardEntry challenged() {
    return meaning(definition, version, true);
  }

  BoardEntry repaired(String meaning) {
    return meaning(meaning, version + 1, false);
  }

  private BoardEntry meaning(String newDefinition, int newVersion, boolean isContested) {
    return new BoardEntry(
        term,
        key,
        newDefinition,
        newVersion,
        isContested,
        by,
        turn,
        visibility,
        leaked,
        reuse,
        occurrences,
        speakers,
        checkpoints,
        persisted,
        lastUse);
  }

  /** Ends the interval that began behind the turn {@code last}, the checkpoint before. */
  BoardEntry checkpoint(int number, int last) {
    if (!visibility.isPublic() || turn >= number) {
      return this;
    }
    int further = lastUse > Math.max(turn, last) ? 1 : 0;
    return with(
        leaked, reuse, occurrences, speakers, checkpoints + 1, persisted + further, lastUse);
  }

  /** The same meaning, with another use. */
  private BoardEntry with(
      boolean nowLeaked,
      int nowReuse,
      long nowOccurrences,
      List<String> nowSpeakers,
      int nowCheckpoints,
      int nowPersisted,
      int nowLastUse) {
    return new BoardEntry(
        term,
        key,
        definition,
        version,
        contested,
        by,
        turn,
        visibility,
        nowLeaked,
        nowReuse,
        nowOccurrences,
        nowSpeakers,
        nowCheckpoints,
        nowPersisted,
        nowLastUse);
  }

  /** Tokens of the term and of its definition. */
  int lexiconTokens() {
    return Tokens.of(term).size() + Tokens.of(definition).size();
  }
}
