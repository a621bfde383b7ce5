package dev.parlance.policy.signal;

import dev.parlance.policy.signal.ClaimFindings.Departure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A judgement in places: what was counted in an answer, each word, number, citation and claim with
 * its bytes and where in the evidence or the question it was found. Made by the estimators
 * themselves ({@link Marker}), for people who ask why, never on the message path.
 *
 * <p>The {@link Counts} are of different words: of the marks that are not {@linkplain Mark#again
 * there again}, all are {@code tokens}, those with evidence {@code inContext}, those with question
 * {@code inQuestion}, those with neither {@code novel}, and the numbers among these {@code
 * novelNumbers}; unless marks were cut.
 *
 * @param measurement what the estimator measured, as on the message path
 * @param words the words and numbers that were counted, in the order of the answer; at most {@link
 *     #MAX_WORDS}
 * @param citations what is cited: markers in the order of the answer, then what was cited beside
 *     it; at most {@link #MAX_CITATIONS}
 * @param claims the claims in the order of the answer, where claims are judged; at most {@link
 *     #MAX_CLAIMS}
 * @param cut how many there were beyond those
 */
public record MarkedAnswer(
    Measurement measurement,
    List<Mark> words,
    List<CitationMark> citations,
    List<ClaimMark> claims,
    Cut cut) {
  /** Most words that are listed. */
  public static final int MAX_WORDS = 4_000;

  /** Most citations that are listed. */
  public static final int MAX_CITATIONS = 500;

  /** Most ids of a citation that are listed. */
  public static final int MAX_IDS = 64;

  /** Most claims that are listed. */
  public static final int MAX_CLAIMS = 500;

  /** Copies the lists. */
  public MarkedAnswer {
    words = List.copyOf(words);
    citations = List.copyOf(citations);
    claims = List.copyOf(claims);
  }

  /**
   * Some bytes of a text, in UTF-8.
   *
   * @param from index of the first one
   * @param to index after the last one
   */
  public record Range(int from, int to) {
    /** Refuses what is no range. */
    public Range {
      if (from < 0 || to < from) {
        throw new IllegalArgumentException("expected 0 <= from <= to, got " + from + ", " + to);
      }
    }
  }

  /**
   * Some bytes of a chunk of evidence.
   *
   * @param chunk which one, from 0 in the order of the message
   * @param range the bytes, in the chunk as it was given
   */
  public record Place(int chunk, Range range) {}

  /**
   * A word or number of the answer.
   *
   * @param range where it stands
   * @param number true if it has a decimal digit
   * @param again true if the same word stands before in the answer; it is counted there
   * @param evidence where it first stands in the evidence; empty if nowhere
   * @param question where it first stands in the question; empty if nowhere
   * @param otherwise true if the evidence has it in another form, which claims are allowed to use:
   *     a value in another notation, a synonym, a derived word
   */
  public record Mark(
      Range range,
      boolean number,
      boolean again,
      Optional<Place> evidence,
      Optional<Range> question,
      boolean otherwise) {
    /** True if it was found nowhere, in no form. */
    public boolean isUnsupported() {
      return evidence.isEmpty() && question.isEmpty() && !otherwise;
    }
  }

  /**
   * A citation.
   *
   * @param range where its marker stands; empty if it was given beside the text
   * @param ids what it names; at most {@link #MAX_IDS}
   */
  public record CitationMark(Optional<Range> range, List<CitedId> ids) {
    /** Copies the list. */
    public CitationMark {
      ids = List.copyOf(ids.subList(0, Math.min(ids.size(), MAX_IDS)));
    }
  }

  /**
   * An id that is cited.
   *
   * @param id in canonical form
   * @param chunk the chunk that has it; empty if none has
   */
  public record CitedId(String id, OptionalInt chunk) {}

  /**
   * A piece of the answer that claims something.
   *
   * @param range where it stands
   * @param support in [0,1]
   * @param nearest the sentence of the evidence that carries it best; empty if none has a word of
   *     it
   * @param cites the chunks that it cites
   * @param changes in what it departs from the evidence
   */
  public record ClaimMark(
      Range range,
      double support,
      Optional<Place> nearest,
      List<Integer> cites,
      List<ChangeMark> changes) {
    /** Copies the lists. */
    public ClaimMark {
      cites = List.copyOf(cites);
      changes = List.copyOf(changes);
    }

    /** True if it is carried weakly, or departs. */
    public boolean isWeak() {
      return support < ClaimFindings.WEAK || !changes.isEmpty();
    }
  }

  /**
   * One place where a claim departs.
   *
   * @param departure in what
   * @param said what the claim says
   * @param instead what stands in the evidence; empty if nothing resembles it
   */
  public record ChangeMark(Departure departure, Range said, Optional<Place> instead) {}

  /** How many marks there were beyond those that are listed. */
  public record Cut(int words, int citations, int claims) {}
}
