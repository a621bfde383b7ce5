package dev.parlance.policy.signal;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.signal.ClaimFindings.ClaimNote;
import dev.parlance.policy.signal.ClaimFindings.Excerpt;
import dev.parlance.policy.signal.ClaimFindings.WeakClaim;
import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * The rules of the second stage: which claims a classifier of entailment is asked about, and what
 * its word changes. The first stage ({@link ClaimFindings}) has left a claim open if its support
 * lies between two bounds.
 *
 * <pre>
 * what was found                                         asked about
 * a claim departs from its evidence, or has a value      nothing: no word lifts a critical change
 *   that the evidence does not have
 * a claim has less support than openFrom                 nothing: it decides, whatever is said
 * openFrom &lt;= support &lt; openTo                         the weakest of them, at most maxClaims
 *
 * the word, from certainFrom on                          support of the claim
 * entailment                                             at least raiseTo
 * contradiction                                          at most lowerTo
 * neither, or none                                       as it was
 * </pre>
 *
 * <p>The answer's support is that of its weakest claim, as before. Where there are more claims than
 * are named, it stays below what makes a claim weak.
 *
 * @param openFrom least support of an open claim, in [0,1]
 * @param openTo support from which a claim is not open, in [openFrom,1]
 * @param raiseTo what an entailed claim has at least, in [0,1]
 * @param lowerTo what a contradicted claim has at most, in [0,1]
 * @param certainFrom likelihood from which a word counts, in [0.5,1]
 * @param maxClaims most claims of an answer that are asked about, 1 to {@value
 *     ClaimFindings#MAX_WEAK}
 */
public record EntailmentRules(
    double openFrom,
    double openTo,
    double raiseTo,
    double lowerTo,
    double certainFrom,
    int maxClaims) {
  /** Longest claim that is asked about, in bytes. */
  static final int MAX_CLAIM_BYTES = 2_048;

  /** Longest evidence that it is held against, in bytes, from its nearest sentence on. */
  static final int MAX_EVIDENCE_BYTES = 2_048;

  /** Refuses values outside their ranges, NaN before all. */
  public EntailmentRules {
    if (!(openFrom >= 0 && openFrom <= openTo && openTo <= 1)
        || !(raiseTo >= 0 && raiseTo <= 1)
        || !(lowerTo >= 0 && lowerTo <= 1)
        || !(certainFrom >= 0.5 && certainFrom <= 1)
        || maxClaims < 1
        || maxClaims > ClaimFindings.MAX_WEAK) {
      throw new IllegalArgumentException(
          "expected 0 <= openFrom <= openTo <= 1, raiseTo and lowerTo in [0,1], certainFrom in"
              + " [0.5,1], maxClaims in 1.."
              + ClaimFindings.MAX_WEAK);
    }
  }

  /**
   * A claim and what it is held against. Both texts are copies.
   *
   * @param claim as the first stage has it
   */
  public record Question(WeakClaim claim, String evidence, String text) {}

  /** What came of asking. */
  public sealed interface Reply {
    /**
     * The classifier has spoken.
     *
     * @param scores one for each question; empty if that claim is too long for it
     */
    record Answered(List<Optional<EntailmentScores>> scores) implements Reply {
      /** Copies the list. */
      public Answered {
        scores = List.copyOf(scores);
      }
    }

    /** It has not, so the first stage's word holds. */
    record Missing(Cause cause) implements Reply {}
  }

  /** Why there is no word of the second stage. */
  public enum Cause implements Coded {
    /** It took too long. */
    LATE(ClaimNote.ENTAILMENT_LATE),
    /** Too many others wait. */
    FULL(ClaimNote.ENTAILMENT_FULL),
    /** The classifier failed. */
    BROKEN(ClaimNote.ENTAILMENT_BROKEN);

    private final ClaimNote note;

    Cause(ClaimNote note) {
      this.note = note;
    }
  }

  /** What is asked about an answer; empty if the first stage has left nothing open. */
  public List<Question> questions(AgentMessage message, ClaimFindings found) {
    if (!found.departures().isEmpty()
        || found.weak().isEmpty()
        || !(found.support() >= openFrom && found.support() < openTo)) {
      return List.of();
    }
    List<Question> questions = new ArrayList<>(maxClaims);
    for (WeakClaim claim : found.weak()) {
      if (questions.size() < maxClaims && claim.support() < openTo) {
        claim
            .nearest()
            .flatMap(nearest -> question(message, claim, nearest))
            .ifPresent(questions::add);
      }
    }
    return questions;
  }

  private static Optional<Question> question(
      AgentMessage message, WeakClaim claim, Excerpt nearest) {
    int length = claim.text().to() - claim.text().from();
    if (length > MAX_CLAIM_BYTES || claim.text().to() > message.answer().length()) {
      return Optional.empty();
    }
    String text = message.answer().slice(claim.text().from(), length).toString();
    return Optional.of(new Question(claim, evidence(message, nearest), text));
  }

  /** The nearest sentence and what follows it in its chunk. */
  private static String evidence(AgentMessage message, Excerpt nearest) {
    for (Chunk chunk : message.evidence().chunks()) {
      Utf8Span all = chunk.text();
      // ids may be missing or stand twice, and text that is read as markup says it otherwise
      if (chunk.id().equals(nearest.where())
          && nearest.to() <= all.length()
          && Excerpt.of(chunk.id(), all, nearest.from(), nearest.to())
              .text()
              .equals(nearest.text())) {
        int length = Math.min(MAX_EVIDENCE_BYTES, all.length() - nearest.from());
        return all.slice(nearest.from(), length).toString();
      }
    }
    return nearest.text();
  }

  /** What was measured, with the word of the second stage. */
  public Measurement revised(Measurement first, List<Question> questions, Reply reply) {
    ClaimFindings found = first.claims().orElseThrow();
    EnumSet<ClaimNote> notes = EnumSet.noneOf(ClaimNote.class);
    notes.addAll(found.notes());
    List<WeakClaim> weak = new ArrayList<>(found.weak());
    switch (reply) {
      case Reply.Missing(Cause cause) -> notes.add(cause.note);
      case Reply.Answered(var scores) -> {
        for (int i = 0; i < Math.min(questions.size(), scores.size()); i++) {
          WeakClaim claim = questions.get(i).claim();
          Optional<WeakClaim> heard = scores.get(i).flatMap(word -> heard(claim, word, notes));
          heard.ifPresent(now -> weak.set(weak.indexOf(claim), now));
        }
      }
    }
    double support = unnamed(found);
    for (WeakClaim claim : weak) {
      support = Math.min(support, claim.support());
    }
    weak.sort(ClaimFindings.WEAKEST_FIRST);
    Features features = first.features();
    return new Measurement(
        first.counts(),
        new Features(
            support, features.citationScore(), features.novelRatio(), features.questionOverlap()),
        Optional.of(new ClaimFindings(found.claims(), support, found.departures(), notes, weak)));
  }

  /** The claim with another support; empty if the word changes nothing. */
  private Optional<WeakClaim> heard(
      WeakClaim claim, EntailmentScores word, EnumSet<ClaimNote> notes) {
    if (word.contradiction() >= certainFrom) {
      notes.add(ClaimNote.CONTRADICTED);
      return Optional.of(claim.supportedBy(Math.min(claim.support(), lowerTo)));
    }
    if (word.entailment() >= certainFrom) {
      notes.add(ClaimNote.ENTAILED);
      return Optional.of(claim.supportedBy(Math.max(claim.support(), raiseTo)));
    }
    return Optional.empty();
  }

  /** What is known of the support of claims that are not named. */
  private static double unnamed(ClaimFindings found) {
    if (found.claims() <= found.weak().size()) {
      return 1.0;
    }
    return found.weak().size() < ClaimFindings.MAX_WEAK
        ? ClaimFindings.WEAK
        : found.weak().getLast().support();
  }
}
