package dev.parlance.demo.debate;

import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.policy.text.Tokens;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A distinction that keeps coming back when claims are decided: the phrase in which the agents say
 * it at length, and the term that one of them makes for it. The terms of FOLIO in the paper are of
 * this kind (COGENT, section 6.4).
 */
public enum ProofPoint {
  /** Underdetermination, which must not become plausibility. */
  OPEN(
      "a point on which a reading that grants it and a reading that denies it are both consistent"
          + " with the text",
      LicenseTerms.SCHOLAR,
      "open gap",
      "a point that the clause neither grants nor denies",
      "uncertain = a point of which nobody can tell",
      "point grants denies"),
  /** Necessity. */
  FOLLOWS(
      "a point that holds in each and every reading that is consistent with the text",
      ClauseMind.COUNSEL,
      "must-follow path",
      "a point that holds in every reading of the text",
      "silent clause = a clause that does not speak of the point",
      "point every reading"),
  /** Conflict, with the polarity of the claim. */
  CONTRADICTED(
      "a point that holds in not a single reading that is consistent with the text",
      LicenseTerms.OFFICER,
      "contradiction path",
      "a point that holds in no reading of the text",
      "",
      "point no reading"),
  /** Missing support between two clauses. */
  UNLINKED(
      "a claim that joins points of two different clauses although no clause of the text joins the"
          + " one with the other",
      ClauseMind.COUNSEL,
      "linkvoid",
      "a claim that joins points of two clauses without support in the text",
      "",
      "joins clauses");

  /** The meaning of {@link #OPEN} that a challenge leads to. */
  static final String WIDE = "a point that no clause of the text grants or denies";

  private static final List<String> WIDE_CUE = List.of("no", "clause");

  private final String phrase;
  private final String coiner;
  private final String term;
  private final String definition;
  private final String rashly;
  private final String cues;

  ProofPoint(
      String phrase, String coiner, String term, String definition, String rashly, String cues) {
    this.phrase = phrase;
    this.coiner = coiner;
    this.term = term;
    this.definition = definition;
    this.rashly = rashly;
    this.cues = cues;
  }

  /** What a claim is an instance of. */
  static ProofPoint of(ClauseClaim claim, ProofStatus status) {
    return switch (status) {
      case FOLLOWS -> FOLLOWS;
      case CONTRADICTED -> CONTRADICTED;
      case OPEN -> claim.quoted().size() > 1 ? UNLINKED : OPEN;
    };
  }

  /** The point that a definition is about; empty if it is about none that is known. */
  static Optional<ProofPoint> definedAs(String definition) {
    List<String> words = Tokens.of(definition);
    return Arrays.stream(values())
        .filter(point -> words.containsAll(Tokens.of(point.cues)))
        .findFirst();
  }

  /** True if a definition of {@link #OPEN} is about the whole text, not about one clause. */
  static boolean isWide(String definition) {
    return Collections.indexOfSubList(Tokens.of(definition), WIDE_CUE) >= 0;
  }

  /** At length. */
  public String phrase() {
    return phrase;
  }

  /** Who makes a term for it. */
  String coiner() {
    return coiner;
  }

  /** The term. */
  public String term() {
    return term;
  }

  /** The line that coins the term. */
  String coinage() {
    return term + " = " + definition;
  }

  /** A line that stands beside it and coins nothing; empty if there is none. */
  String rashly() {
    return rashly;
  }
}
