package dev.parlance.policy.signal;

import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.Utf8Span;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What was found in the claims of an answer.
 *
 * @param claims how many pieces of it claim something
 * @param support of the weakest of them, in [0,1]; {@link #UNDECIDED} where there is none
 * @param departures in what its claims depart from the evidence, each kind once
 * @param notes what else is to be said of it
 * @param weak the weakest claims, at most {@link #MAX_WEAK}, the weakest first
 */
public record ClaimFindings(
    int claims,
    double support,
    Set<Departure> departures,
    Set<ClaimNote> notes,
    List<WeakClaim> weak) {

  /** Most claims that are named. */
  public static final int MAX_WEAK = 8;

  /** A claim with less support is named. */
  public static final double WEAK = 0.6;

  /** The order of the claims that are named. */
  public static final Comparator<WeakClaim> WEAKEST_FIRST =
      Comparator.comparingDouble(WeakClaim::support).thenComparingInt(claim -> claim.text().from());

  /** Support of an answer that claims nothing. */
  public static final double UNDECIDED = 0.5;

  /** Copies the collections and refuses support outside [0,1]. */
  public ClaimFindings {
    departures = copy(departures, Departure.class);
    notes = copy(notes, ClaimNote.class);
    weak = List.copyOf(weak);
    if (!(support >= 0 && support <= 1)) {
      throw new IllegalArgumentException("support must lie in [0,1], got " + support);
    }
  }

  private static <E extends Enum<E>> Set<E> copy(Set<E> set, Class<E> type) {
    EnumSet<E> copy = EnumSet.noneOf(type);
    copy.addAll(set);
    return java.util.Collections.unmodifiableSet(copy);
  }

  /** True if it claims nothing: it greets, asks back, hands over or says that it does not know. */
  public boolean isWithoutClaim() {
    return claims == 0;
  }

  /** What is said of an answer beside its route. */
  public enum ClaimNote implements Coded {
    /** It claims nothing. */
    NO_CLAIM,
    /** It is a yes or a no, and no sentence beside it says what of. */
    YES_NO,
    /** It says that it does not know, or that the material does not say. */
    ABSTAINS,
    /** It says so, and a sentence of the evidence has the words of the question. */
    ABSTAINS_WRONGLY,
    /** Nearly nothing of its weakest claim is in the evidence. */
    UNFOUNDED,
    /** A sentence that has nearly all of a claim makes a condition, which the claim leaves out. */
    CONDITION_LEFT_OUT,
    /** It follows from values of the evidence that it names. */
    DERIVED,
    /** It cites nothing. */
    UNCITED,
    /** It cites a source that does not carry the sentence; another one does. */
    CITATION_MISPLACED,
    /** The second stage holds a claim to follow from the evidence. */
    ENTAILED,
    /** The second stage holds a claim to contradict the evidence. */
    CONTRADICTED,
    /** The second stage was asked and took too long; the first stage's word holds. */
    ENTAILMENT_LATE,
    /** The second stage had no room; the first stage's word holds. */
    ENTAILMENT_FULL,
    /** The second stage failed; the first stage's word holds. */
    ENTAILMENT_BROKEN
  }

  /** In what a claim departs from its evidence. */
  public enum Departure implements Coded {
    NEGATION_CHANGED,
    NUMBER_CHANGED,
    UNIT_CHANGED,
    DATE_CHANGED,
    NAME_CHANGED,
    WORD_REVERSED,
    QUANTIFIER_CHANGED,
    MODALITY_CHANGED,
    ROLES_EXCHANGED,
    /** A value that the evidence has nowhere. */
    VALUE_UNSUPPORTED
  }

  /**
   * A claim that is carried weakly, or departs. Texts are bounded excerpts in one line.
   *
   * @param text the claim
   * @param support in [0,1]
   * @param nearest the sentence of the evidence that carries it best; empty if none has a word of
   *     it
   * @param details in what it departs
   */
  public record WeakClaim(
      Excerpt text, double support, Optional<Excerpt> nearest, List<Detail> details) {
    /** Most details of a claim. */
    public static final int MAX_DETAILS = 8;

    /** Copies the list. */
    public WeakClaim {
      details = List.copyOf(details);
    }

    /** The same with another support. */
    WeakClaim supportedBy(double other) {
      return new WeakClaim(text, other, nearest, details);
    }
  }

  /**
   * One place where a claim departs.
   *
   * @param departure in what
   * @param said what the claim says
   * @param instead what stands in the evidence; empty if nothing resembles it
   */
  public record Detail(Departure departure, Excerpt said, Optional<Excerpt> instead) {}

  /**
   * A piece of a text, bounded and in one line, so that it can stand in a log or an instruction.
   *
   * @param where id of the chunk; empty for the answer
   * @param from index of its first byte there
   * @param to index after its last byte
   * @param text at most {@value #MAX_CHARS} characters of it, control characters as blanks
   */
  public record Excerpt(String where, int from, int to, String text) {
    /** Most characters of a text that are shown. */
    public static final int MAX_CHARS = 160;

    /** Those bytes of {@code source}. */
    public static Excerpt of(String where, Utf8Span source, int from, int to) {
      int shownTo = Math.min(to, from + MAX_CHARS);
      if (isPrintableAscii(source, from, shownTo)) {
        String line = source.slice(from, shownTo - from).toString();
        return new Excerpt(where, from, to, shownTo < to ? line + "..." : line);
      }
      int end = Math.min(to, from + 4 * MAX_CHARS);
      String text = source.slice(from, end - from).toString();
      StringBuilder line = new StringBuilder(Math.min(text.length(), 2 * MAX_CHARS) + 3);
      int at = 0;
      for (int shown = 0; at < text.length() && shown < MAX_CHARS; shown++) {
        int c = text.codePointAt(at);
        at += Character.charCount(c);
        boolean blank =
            Character.isISOControl(c)
                || Character.getType(c) == Character.FORMAT
                || Character.isWhitespace(c);
        line.appendCodePoint(blank ? ' ' : c);
      }
      boolean cut = end < to || at < text.length();
      return new Excerpt(where, from, to, cut ? line + "..." : line.toString());
    }

    private static boolean isPrintableAscii(Utf8Span source, int from, int to) {
      boolean printable = true;
      for (int i = from; i < to && printable; i++) {
        printable = source.byteAt(i) >= ' ' && source.byteAt(i) < 0x7F;
      }
      return printable;
    }
  }
}
