package dev.parlance.policy.claim;

import dev.parlance.policy.claim.Phrases.Phrase;
import dev.parlance.policy.claim.Phrases.Place;
import dev.parlance.policy.claim.Phrases.Role;
import dev.parlance.policy.claim.Phrases.Source;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import java.util.List;

/**
 * The pieces of an answer that claim something, and those that do not.
 *
 * <p>A piece is a sentence, a list item, a row or long cell of a table, or the part of one of these
 * that is left when an introduction is cut off its front. The number of a list item, a citation
 * marker and the sign of a footnote stand in a piece without being part of it.
 *
 * <p>A heading is a title, the head of a table, the line before a list or the name of a file;
 * framing is "According to the manual," and "I hope this helps."; greetings are thanks and
 * good-byes too.
 *
 * <p>What passes for none is bounded, or it were a way past the judge: few words beside those of
 * its phrase and of the question, no number and no name that the question does not have, {@value
 * #MAX_UNCLAIMED} units in an answer. Reusable, for one thread; linear in the text.
 */
public final class Claims {
  /** What a piece of an answer does. */
  public enum Kind {
    CLAIM,
    HEADING,
    FRAMING,
    GREETING,
    QUESTION,
    HANDOVER,
    ABSTAINS,
    YES_NO
  }

  private static final int NO = -1;
  private static final int MAX_UNCLAIMED = 200;
  private static final int MAX_HEADING = 10;
  private static final int MAX_SENTENCE = 60;
  private static final int MAX_PREFIXES = 4;
  private static final int LONG_CELL = 4;

  /** So many units behind a word that denies stands what it denies. */
  private static final int MAX_DENIED = 5;

  /** Weight of a word that is not known, and of a pair of characters. */
  private static final int WORD_WEIGHT = 4;

  private final Phrases phrases;
  private final KeySet asked = new KeySet();
  private final Pieces pieces = new Pieces();
  private Source source = new Source(new Units(0), new byte[0], 0, 0);
  private Units units = source.units();
  private LineLook look = new LineLook(source);

  private boolean[] skipped = new boolean[256];
  private int unclaimed;

  /**
   * Claims of units of this seed.
   *
   * @param seed of the {@link Units} that will be given
   */
  public Claims(long seed) {
    this(Phrases.load(seed));
  }

  private Claims(Phrases phrases) {
    this.phrases = phrases;
  }

  /** Others, for another thread, that share the phrases with these. */
  public Claims another() {
    return new Claims(phrases);
  }

  /**
   * Takes up an answer.
   *
   * @param text the answer
   * @param answer its units
   * @param question the units of what was asked
   * @param markers byte ranges of the answer that are no part of it, in order: begin, end, ...
   * @param ranges how many of them there are
   */
  public void read(Utf8Span text, Units answer, Units question, int[] markers, int ranges) {
    units = answer;
    source = new Source(answer, text.array(), text.arrayOffset(), text.length());
    look = new LineLook(source);
    pieces.clear();
    unclaimed = 0;
    asked.clear();
    for (int i = 0; i < question.count(); i++) {
      asked.add(question.key(i));
      asked.add(question.stem(i));
    }
    skip(markers, ranges);
    for (int i = 0; i < answer.sentences(); i++) {
      sentence(answer.first(i), answer.after(i));
    }
  }

  /** Number of pieces, in the order of the text. */
  public int count() {
    return pieces.count();
  }

  /** The first unit of a piece. */
  public int first(int piece) {
    return pieces.first(piece);
  }

  /** The unit after the last one of a piece. */
  public int after(int piece) {
    return pieces.after(piece);
  }

  /** What a piece does. */
  public Kind kind(int piece) {
    return pieces.kind(piece);
  }

  /** False if a unit within a piece is no part of it: a marker, the number of a list item. */
  public boolean isPart(int unit) {
    return !skipped[unit];
  }

  /** True if a comma, a colon, a dash or a bracket stands before a unit. */
  public boolean isParted(int unit) {
    return unit > 0 && look.isParted(unit);
  }

  /** True if a unit is a word that stands in any answer or title and says nothing of the matter. */
  public boolean isUsual(int unit) {
    return phrases.end(Role.WORDS, source, unit, units.count()) != NO
        || phrases.end(Role.HEADING, source, unit, units.count()) != NO;
  }

  /** Lets go of the text. */
  public void release() {
    source = new Source(units, Utf8Span.EMPTY.array(), 0, 0);
    look = new LineLook(source);
    skipped = skipped.length > 1 << 14 ? new boolean[256] : skipped;
    pieces.release();
  }

  private void skip(int[] markers, int ranges) {
    int all = units.count();
    if (skipped.length < all) {
      skipped = new boolean[all + (all >> 1)];
    } else {
      Arrays.fill(skipped, 0, all, false);
    }
    int range = 0;
    for (int unit = 0; unit < all; unit++) {
      while (range < ranges && markers[2 * range + 1] <= units.start(unit)) {
        range++;
      }
      skipped[unit] =
          (range < ranges && markers[2 * range] < units.end(unit))
              || look.isFence(unit)
              || look.isFootnote(unit);
    }
  }

  private void sentence(int from, int to) {
    int first = unskipped(numbered(from, to), to);
    int after = to;
    while (after > first && skipped[after - 1]) {
      after--;
    }
    if (first == after) {
      return;
    }
    if (after - first > MAX_SENTENCE) {
      add(Kind.CLAIM, first, after);
    } else if (look.isRow(first)) {
      row(first, after, to);
    } else if (isHeading(first, after, to)) {
      add(Kind.HEADING, first, after);
    } else {
      piece(first, after, 0);
    }
  }

  private int unskipped(int from, int to) {
    int at = from;
    while (at < to && skipped[at]) {
      at++;
    }
    return at;
  }

  /** Skips the number or letter of a list item or step; the unit behind it. */
  private int numbered(int from, int to) {
    int at = unskipped(from, to);
    int label = at < to ? phrases.end(Role.LABEL, source, at, to) : NO;
    int number = label == NO ? at : label;
    if (number < to && look.isNumber(number, label != NO)) {
      int behind = number + 1;
      if (behind < to && look.isLabelTail(behind)) {
        behind++;
      }
      Arrays.fill(skipped, from, behind, true);
      return behind;
    }
    return at;
  }

  private boolean isHeading(int first, int after, int to) {
    if (after - first > MAX_HEADING || to == units.count()) {
      return false;
    }
    boolean fileName = look.isFileName(first, after);
    boolean titled =
        look.isTitle(first, after)
            || (look.isLine(first, after)
                && phrases.end(Role.HEADING, source, first, after) == after);
    if (!fileName && !titled) {
      return false;
    }
    if (look.isAsked(after)) {
      return true;
    }
    boolean number = true;
    for (int i = first; i < after; i++) {
      boolean digits = (units.flags(i) & Units.DIGITS) != 0;
      number &= digits && units.end(i) - units.start(i) <= 2;
      if (!skipped[i]
          && !fileName
          && ((digits && !number && !asked.has(units.key(i)))
              || (after - first > 2 && phrases.end(Role.CLAIMS, source, i, after) != NO))) {
        return false;
      }
    }
    return true;
  }

  /** A row of a table: its head is a heading, cells that are sentences are pieces. */
  private void row(int first, int after, int to) {
    if (look.isTableHead(to)) {
      add(after - first <= 2 * MAX_HEADING ? Kind.HEADING : Kind.CLAIM, first, after);
      return;
    }
    int from = first;
    for (int i = first + 1; i <= after; i++) {
      // Cells of a word or two say something only together with their neighbours.
      if (i == after || (look.isCellEnd(i) && i - from >= LONG_CELL)) {
        piece(from, i, 0);
        from = i;
      }
    }
  }

  private void piece(int from, int to, int depth) {
    int at = unskipped(from, to);
    for (int i = 0; i < MAX_PREFIXES && at < to; i++) {
      int end = prefix(at, to);
      if (end == NO) {
        break;
      }
      at = unskipped(behind(end, to), to);
    }
    if (at == to) {
      return;
    }
    if (depth < MAX_PREFIXES && (abstains(at, to, depth) || isOther(at, to))) {
      return;
    }
    int question = look.isAsked(to) ? question(at, to) : NO;
    if (question > at) {
      piece(at, question, depth + 1);
      at = question;
    }
    boolean back = question != NO && within(at, to, at, at, 4, false, Phrases.USUAL);
    add(back ? Kind.QUESTION : Kind.CLAIM, at, to);
  }

  /** Where a question back begins that ends a piece, behind a comma perhaps; or -1. */
  private int question(int from, int to) {
    if (phrases.end(Role.TELLS, source, from, to) != NO) {
      return NO;
    }
    for (int i = from; i < to; i++) {
      boolean pair = (units.flags(i) & Units.GRAM) != 0;
      if ((i == from || pair || look.isParted(i)) && phrases.end(Role.ASKS, source, i, to) != NO) {
        return pair ? from : i;
      }
    }
    return NO;
  }

  /** Cuts off a greeting, an introduction or a yes; the unit behind it, or -1. */
  private int prefix(int at, int to) {
    int best = NO;
    Role role = Role.FRAMING;
    List<Phrase> starting = phrases.startingWith(Place.PREFIX, units.key(at));
    for (int i = 0; i < starting.size(); i++) {
      Phrase phrase = starting.get(i);
      int end = Phrases.end(phrase, source, at, to);
      if (end > best) {
        best = end;
        role = phrase.role();
      }
    }
    // "The manual says nothing about it" is no introduction.
    boolean opens =
        best == to
            || (best != NO
                && (look.isParted(best) || !phrases.mayBegin(Role.LACKING, units.key(best))));
    if (opens && within(at, best, at, best, 0, true, Phrases.USUAL)) {
      add(Kind.valueOf(role.name()), at, best);
      return best;
    }
    return NO;
  }

  /** Behind a phrase within a run of characters the pair that has its last one is cut too. */
  private int behind(int unit, int to) {
    boolean pair =
        unit < to
            && (units.flags(unit) & units.flags(unit - 1) & Units.GRAM) != 0
            && units.start(unit) == units.end(unit - 1);
    if (pair) {
      skipped[unit] = true;
    }
    return pair ? unit + 1 : unit;
  }

  /** Adds an abstention, with what is claimed before and behind it; false if there is none. */
  private boolean abstains(int from, int to, int depth) {
    boolean lacks = false;
    for (int i = from; i < to; i++) {
      int slot = phrases.slot(units.key(i));
      List<Phrase> starting = phrases.within(units, i, to, slot);
      for (int p = 0; p < starting.size(); p++) {
        Phrase phrase = starting.get(p);
        int end = Phrases.end(phrase, source, i, to);
        if (end == NO) {
          continue;
        }
        int start = clauseBefore(from, i);
        int stop = clauseEnd(end, to);
        int others = phrase.role() == Role.ABSTAINS ? 2 : 3;
        if (within(start, stop, i, end, others, phrase.capitals(), Phrases.USUAL)) {
          addWithin(Kind.valueOf(phrase.role().name()), from, start, stop, to, depth);
          return true;
        }
      }
      lacks |= phrases.hasAt(Phrases.LACK, slot);
    }
    return lacks && lacksSomething(from, to, depth);
  }

  /**
   * Adds a clause that says in whatever words that the sources do not say something: one of its
   * words denies a word of saying or a source, or says itself that something is missing, and a
   * source that the question does not speak of is named.
   */
  private boolean lacksSomething(int from, int to, int depth) {
    for (int i = from; i < to; i++) {
      int end = phrases.has(Phrases.LACK, units.key(i)) ? deniedAfter(from, i, to) : NO;
      if (end == NO) {
        continue;
      }
      int start = clauseBefore(from, i);
      int stop = clauseEnd(end, to);
      boolean named = false;
      for (int unit = start; unit < stop; unit++) {
        named |=
            unit != end - 1 && phrases.mayBegin(Role.SOURCE, units.key(unit)) && !isAsked(unit);
      }
      boolean capitals = phrases.capitals(units.key(i));
      if (named && within(start, stop, start, start, 2, capitals, Phrases.LACKED)) {
        addWithin(Kind.ABSTAINS, from, start, stop, to, depth);
        return true;
      }
    }
    return false;
  }

  /** The unit behind what a word of lack denies; or -1 if that is nothing that sources do. */
  private int deniedAfter(int from, int lack, int to) {
    if (phrases.mayBegin(Role.LACKING, units.key(lack))) {
      return lack + 1;
    }
    for (int i = lack + 1; i < to && i <= lack + MAX_DENIED; i++) {
      if (phrases.mayBegin(Role.SAYS, units.key(i))) {
        return i + 1;
      }
      if (!phrases.has(Phrases.BETWEEN, units.key(i))) {
        break;
      }
    }
    int before = lack - 1;
    while (before > from
        && before >= lack - MAX_DENIED
        && !phrases.mayBegin(Role.SAYS, units.key(before))
        && phrases.has(Phrases.BETWEEN, units.key(before))) {
      before--;
    }
    boolean behind =
        before >= from
            && phrases.mayBegin(Role.DENIES, units.key(lack))
            && phrases.mayBegin(Role.SAYS, units.key(before));
    return behind ? lack + 1 : NO;
  }

  /** Where the clause begins that has a unit. */
  private int clauseBefore(int from, int unit) {
    int start = from;
    for (int i = from + 1; i < unit; i++) {
      start = phrases.end(Role.BUT, source, i, unit) != NO ? i : start;
    }
    return start;
  }

  private int clauseEnd(int from, int to) {
    int stop = from;
    while (stop < to && !splits(stop, to)) {
      stop++;
    }
    return stop;
  }

  /** Adds a part of a piece, and what is claimed before and behind it. */
  private void addWithin(Kind kind, int from, int start, int stop, int to, int depth) {
    if (start > from) {
      piece(from, start, depth + 1);
    }
    add(kind, start, stop);
    if (stop < to) {
      int but = Math.max(stop, phrases.end(Role.BUT, source, stop, to));
      Arrays.fill(skipped, stop, but, true);
      piece(but, to, depth + 1);
    }
  }

  private boolean isAsked(int unit) {
    return asked.has(units.key(unit)) || asked.has(units.stem(unit));
  }

  /** True if another clause begins here that may claim something. */
  private boolean splits(int unit, int to) {
    if (phrases.end(Role.BUT, source, unit, to) != NO) {
      return true;
    }
    return look.isParted(unit)
        && phrases.end(Role.SUB, source, unit, to) == NO
        && phrases.any(Role.CLAIMS, source, unit, to);
  }

  /** Adds a sentence that is all framing or greeting. */
  private boolean isOther(int from, int to) {
    List<Phrase> starting = phrases.startingWith(Place.WHOLE, units.key(from));
    for (int i = 0; i < starting.size(); i++) {
      Phrase phrase = starting.get(i);
      int end = Phrases.end(phrase, source, from, to);
      if (end != NO && within(from, to, from, end, 3, phrase.capitals(), Phrases.USUAL)) {
        add(Kind.valueOf(phrase.role().name()), from, to);
        return true;
      }
    }
    return false;
  }

  /**
   * True if what stands beside a phrase claims nothing: no number or name that the question does
   * not have, and not more than {@code others} words that are neither the question's nor of these
   * roles.
   */
  private boolean within(
      int from, int to, int phraseFrom, int phraseTo, int others, boolean capitals, int usual) {
    int weight = 0;
    for (int i = from; i < to; i++) {
      int flags = units.flags(i);
      if (skipped[i] || isAsked(i)) {
        continue;
      }
      if ((flags & Units.DIGITS) != 0) {
        return false;
      }
      if ((i >= phraseFrom && i < phraseTo) || phrases.has(usual, units.key(i))) {
        continue;
      }
      if ((flags & Units.UPPER) != 0 && i > from && !capitals) {
        return false;
      }
      weight += (flags & Units.GRAM) != 0 ? 1 : WORD_WEIGHT;
    }
    return weight <= others * WORD_WEIGHT;
  }

  private void add(Kind kind, int from, int to) {
    int first = unskipped(from, to);
    int after = to;
    while (first < after && skipped[after - 1]) {
      after--;
    }
    if (first < after) {
      unclaimed += kind == Kind.CLAIM ? 0 : after - first;
      pieces.add(unclaimed <= MAX_UNCLAIMED ? kind : Kind.CLAIM, first, after);
    }
  }
}
