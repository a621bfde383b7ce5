package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.NormReader.Norm;
import dev.parlance.policy.claim.change.NormReader.Part;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;

/**
 * Finds claims that allow what the evidence forbids, and the other way round, in whatever words:
 * "you may use bleach" and "do not use bleach".
 *
 * <p>A clause of the evidence speaks against a claim if all that it is about is in the claim, and
 * one of its conditions, too, if it has any. Where another one speaks for the claim as much, it
 * stands. For one thread; nothing is allocated for a claim.
 */
final class NormCheck {
  private static final int READERS = 8;

  private final Units claim;
  private final PairIndex evidence;
  private final Thesaurus thesaurus;
  private final NormReader said;

  /** Readers of sentences of the evidence, each with the one that it read last. */
  private final NormReader[] readers = new NormReader[READERS];

  private final int[] readFrom = new int[READERS];
  private final int[] readTo = new int[READERS];

  /** The sentence that is compared. */
  private NormReader there;

  /** What a clause of the claim is about, and how many units that is. */
  private final boolean[] about = new boolean[NormReader.MAX_UNITS];

  private int abouts;

  // The sentence of the evidence that has most against one clause of the claim.
  private int contrary;
  private int contraryFrom;
  private int contraryAfter;

  NormCheck(
      Units claim, PairIndex evidence, CriticalWords words, NormWords norms, Thesaurus thesaurus) {
    this.claim = claim;
    this.evidence = evidence;
    this.thesaurus = thesaurus;
    said = new NormReader(words, norms, thesaurus, claim::keyOf);
    for (int i = 0; i < READERS; i++) {
      readers[i] = new NormReader(words, norms, thesaurus, claim::keyOf);
    }
    there = readers[0];
    clear();
  }

  /** Forgets the evidence. */
  void clear() {
    Arrays.fill(readFrom, -1);
  }

  /**
   * Looks for a clause of the claim that a sentence speaks against.
   *
   * @param sentences first and last position plus one of each that may, and 0 if it has no word
   *     that negates, forbids or frees
   * @param count how many of them there are
   */
  void find(Utf8Span text, int first, int after, int[] sentences, int count, FoundChanges changes) {
    if (!readClaim(text, first, after)) {
      return;
    }
    for (int clause = 0; clause < said.clauses(); clause++) {
      if (said.norm(clause) != Norm.NONE && isContradicted(clause, sentences, count)) {
        changes.add(ChangeKind.MODALITY, first, after, contraryFrom, contraryAfter);
        return;
      }
    }
  }

  /** False if the claim neither allows nor forbids anything, or is too long. */
  private boolean readClaim(Utf8Span text, int first, int after) {
    said.start();
    for (int unit = first; unit < after; unit++) {
      boolean parted = unit > first && isParted(text, claim.end(unit - 1), claim.start(unit));
      if (!said.add(claim.key(unit), claim.flags(unit), parted)) {
        return false;
      }
    }
    return said.read();
  }

  private boolean isContradicted(int clause, int[] sentences, int count) {
    abouts = said.mark(clause, about);
    contrary = 0;
    Norm norm = said.norm(clause);
    for (int i = 0; i < count; i++) {
      if (norm.isAffirmed() && sentences[3 * i + 2] == 0) {
        continue;
      }
      int from = sentences[3 * i];
      int to = Math.min(sentences[3 * i + 1], from + NormReader.MAX_UNITS);
      takeUp(from, to);
      boolean may = (!norm.isAffirmed() || there.mayDeny()) && there.read();
      int contradicts = may ? contradicting(norm) : 0;
      if (contradicts > contrary) {
        contrary = contradicts;
        contraryFrom = from;
        contraryAfter = to;
      }
    }
    // Nearly always nothing speaks against a claim, and what speaks for it need not be counted.
    for (int i = 0; i < count && contrary > 0; i++) {
      int from = sentences[3 * i];
      int to = Math.min(sentences[3 * i + 1], from + NormReader.MAX_UNITS);
      takeUp(from, to);
      if (there.read() && agreeing(norm) >= contrary) {
        return false;
      }
    }
    return contrary > 0;
  }

  /** Takes up a sentence of the evidence, unless its reader has it. */
  private void takeUp(int from, int to) {
    int reader = from & READERS - 1;
    there = readers[reader];
    if (readFrom[reader] == from && readTo[reader] == to) {
      return;
    }
    there.start();
    Utf8Span text = evidence.text(evidence.chunk(from));
    for (int p = from; p < to; p++) {
      boolean parted = p > from && isParted(text, evidence.endByte(p - 1), evidence.startByte(p));
      there.add(evidence.key(p), evidence.flags(p), parted);
    }
    readFrom[reader] = from;
    readTo[reader] = to;
  }

  /** How many words of the claim a clause of a sentence has that speaks against it. */
  private int contradicting(Norm norm) {
    int contradicts = 0;
    for (int clause = 0; clause < there.clauses(); clause++) {
      Norm other = there.norm(clause);
      if (norm.contradicts(other)) {
        boolean freed = norm == Norm.FREES || other == Norm.FREES;
        boolean covered = isCovered(clause) || (freed && hasAllOfClaim(clause));
        if (covered && meetsConditions() && !namesException()) {
          contradicts = Math.max(contradicts, shared(clause));
        }
      }
    }
    return contradicts;
  }

  /** How many words of the claim a clause of a sentence has that speaks for it. */
  private int agreeing(Norm norm) {
    int agrees = 0;
    boolean whole = false;
    for (int clause = 0; clause < there.clauses(); clause++) {
      Norm other = there.norm(clause);
      if (other != Norm.NONE && !norm.contradicts(other)) {
        int shared = shared(clause);
        agrees = 2 * shared >= abouts ? Math.max(agrees, shared) : agrees;
        whole |= isCovered(clause);
      }
    }
    // "optional for members and mandatory for admins" says nothing for "optional for admins"
    return whole || contradicting(norm) == 0 ? agrees : 0;
  }

  private static boolean isDenial(Norm norm) {
    return norm == Norm.FORBIDS || norm == Norm.FREES;
  }

  /**
   * True if a claim and a sentence both forbid one thing, or free from it, in other words: "is not
   * allowed" and "is prohibited".
   *
   * @param position one of the sentence
   */
  boolean agree(Utf8Span text, int first, int after, int position) {
    int chunk = evidence.chunk(position);
    int from = position;
    while (from > evidence.start(chunk)
        && position - from < NormReader.MAX_UNITS
        && !evidence.begins(from)) {
      from--;
    }
    int to = position + 1;
    while (to < evidence.end(chunk) && to - from < NormReader.MAX_UNITS && !evidence.begins(to)) {
      to++;
    }
    takeUp(from, to);
    if (!readClaim(text, first, after) || !there.read()) {
      return false;
    }
    int clause = said.onlyNorm();
    int other = there.onlyNorm();
    if (clause < 0
        || other < 0
        || said.norm(clause) != there.norm(other)
        || !isDenial(said.norm(clause))
        || said.deniesElsewhere(clause)
        || there.deniesElsewhere(other)) {
      return false;
    }
    abouts = said.mark(clause, about);
    return hasAllOfClaim(other) && !hasException(said) && !hasException(there);
  }

  /** True if a clause, or a condition of its sentence, has all words of the claim. */
  private boolean hasAllOfClaim(int clause) {
    boolean any = false;
    for (int i = 0; i < said.count(); i++) {
      if (about[i]) {
        any = true;
        if (!isThere(i, clause)) {
          return false;
        }
      }
    }
    return any;
  }

  private boolean isThere(int unit, int clause) {
    for (int i = 0; i < there.count(); i++) {
      boolean own = there.clause(i) == clause || there.part(i) == Part.CONDITION;
      if (own
          && (said.key(unit) == there.key(i)
              || (!said.hasDigits(unit) && thesaurus.isRelated(said.key(unit), there.key(i))))) {
        return true;
      }
    }
    return false;
  }

  /** How many words of a clause, and of the conditions of its sentence, the claim has. */
  private int shared(int clause) {
    int shared = 0;
    for (int i = 0; i < there.count(); i++) {
      boolean own = there.clause(i) == clause && there.part(i) == Part.MAIN;
      boolean condition = there.part(i) == Part.CONDITION && there.saysSomething(i);
      if ((own || condition) && isSaid(i)) {
        shared++;
      }
    }
    return shared;
  }

  /** True if the claim has all words of a clause, and that has some. */
  private boolean isCovered(int clause) {
    boolean any = false;
    for (int i = 0; i < there.count(); i++) {
      if (there.clause(i) == clause && there.part(i) == Part.MAIN) {
        if (!isSaid(i)) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  /** True if the claim has one of the conditions of the sentence, or that has none. */
  private boolean meetsConditions() {
    boolean any = false;
    boolean met = false;
    int unit = 0;
    while (unit < there.count()) {
      int words = 0;
      boolean all = true;
      int next = unit;
      while (next < there.count()
          && there.part(next) == Part.CONDITION
          && (next == unit || !there.beginsCondition(next))) {
        if (there.saysSomething(next)) {
          words++;
          all &= isSaid(next);
        }
        next++;
      }
      any |= words > 0;
      met |= words > 0 && all;
      unit = Math.max(next, unit + 1);
    }
    return met || !any;
  }

  /** True if the claim may be about what the sentence excepts. */
  private boolean namesException() {
    if (hasException(said)) {
      return true;
    }
    boolean any = false;
    for (int i = 0; i < there.count(); i++) {
      if (there.part(i) == Part.EXCEPTION && there.saysSomething(i)) {
        any = true;
        if (!isMain(there.key(i)) && isSaid(i)) {
          return true;
        }
      }
    }
    return !any && hasException(there);
  }

  private boolean isMain(long key) {
    for (int i = 0; i < there.count(); i++) {
      if (there.part(i) == Part.MAIN && there.key(i) == key) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasException(NormReader sentence) {
    for (int i = 0; i < sentence.count(); i++) {
      if (sentence.part(i) == Part.EXCEPTION) {
        return true;
      }
    }
    return false;
  }

  /** True if the claim has a form of a word of the evidence, or a word derived from it. */
  private boolean isSaid(int unit) {
    long key = there.key(unit);
    for (int i = 0; i < said.count(); i++) {
      if (about[i] && said.key(i) == key) {
        return true;
      }
    }
    for (int i = 0; i < said.count() && !there.hasDigits(unit); i++) {
      if (about[i] && thesaurus.isRelated(said.key(i), key)) {
        return true;
      }
    }
    return false;
  }

  /** True if a mark that parts clauses stands between two units. */
  private static boolean isParted(Utf8Span text, int from, int to) {
    for (int at = from; at < to; at++) {
      int b = text.byteAt(at);
      if (b == ',' || b == ';' || b == ':' || b == '(' || b == ')' || b == '|') {
        return true;
      }
    }
    return false;
  }
}
