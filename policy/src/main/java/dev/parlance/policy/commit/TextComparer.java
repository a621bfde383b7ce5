package dev.parlance.policy.commit;

import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.ClaimFindings.Departure;
import dev.parlance.policy.signal.ClaimFindings.Detail;
import dev.parlance.policy.signal.ClaimFindings.WeakClaim;
import dev.parlance.policy.text.Utf8Span;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds what is critical between two rationales: a negation, value, unit, date, name, opposite,
 * quantifier, bound or modality that one has otherwise than the other, another word, exchanged
 * roles. Two comparisons: one of the words and signs of both, whatever the order of their clauses
 * ({@link WordingComparer}), and the one by which claims are held against evidence ({@link
 * ClaimsEstimator}), made both ways; of texts in English that only adds what is said in values,
 * names and opposites. Texts in wholly other words cannot be compared, and that parts them as well:
 * {@link #OTHER_WORDING}. Deterministic, symmetric, for one thread at a time.
 */
public final class TextComparer {
  /** The kind where the texts have too few words in common to be compared. */
  public static final String OTHER_WORDING = "other_wording";

  private static final Set<Departure> SAID_OF_ENGLISH =
      EnumSet.of(
          Departure.DATE_CHANGED,
          Departure.NAME_CHANGED,
          Departure.WORD_REVERSED,
          Departure.QUANTIFIER_CHANGED,
          Departure.VALUE_UNSUPPORTED);

  private static final Pattern ENDS = Pattern.compile("[.!?;]+(?=\\s|$)|\\n\\s*\\n");

  private static final Pattern DENIALS =
      Pattern.compile(
          "(?i)\\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|cannot|without|prohibited"
              + "|forbidden|barred|false|untrue|incorrect|wrong)\\b|\\w+n['\u2019]t\\b");

  private static final Pattern PASSIVE =
      Pattern.compile("(?i)\\b(?:is|are|was|were|be|been|being)\\b[^.;]{1,60}?\\bby\\b");

  private final ClaimsEstimator estimator;
  private final WordingComparer wordings;

  /**
   * What differs.
   *
   * @param kind in what, as a stable code: {@code negation_changed}
   * @param here the words of the first text; empty if it has none there
   * @param there those of the second
   */
  public record Found(String kind, String here, String there) {
    private Found turned() {
      return new Found(kind, there, here);
    }
  }

  /** A comparer; its seed decides nothing but how words are spread in its tables. */
  public TextComparer(long seed) {
    this(new Vocabulary(seed));
  }

  TextComparer(Vocabulary vocabulary) {
    this.estimator = new ClaimsEstimator(vocabulary);
    this.wordings = new WordingComparer(vocabulary);
  }

  /** The first critical difference, the gravest of several; empty if the two say the same. */
  public Optional<Found> between(String one, String other) {
    if (one.equals(other)) {
      return Optional.empty();
    }
    WordingComparer.Compared compared = wordings.compare(one, other);
    return compared
        .finding()
        .map(found ->
            new Found(found.kind().name().toLowerCase(Locale.ROOT), found.here(), found.there()))
        .or(() -> departure(one, other, compared.isEnglish()));
  }

  private Optional<Found> departure(String one, String other, boolean isEnglish) {
    ClaimFindings forth = findings(one, other);
    ClaimFindings back = findings(other, one);
    for (Departure departure : Departure.values()) {
      boolean both =
          forth.departures().contains(departure) && back.departures().contains(departure);
      boolean any = forth.departures().contains(departure) || back.departures().contains(departure);
      // A value that only one of them names is more said, not said otherwise.
      if (isEnglish && !SAID_OF_ENGLISH.contains(departure)) {
        continue;
      }
      if ((departure == Departure.VALUE_UNSUPPORTED ? both : any)
          && !isOtherWording(departure, one, other)) {
        Found found =
            detail(forth, departure)
                .or(() -> detail(back, departure).map(Found::turned))
                .orElse(new Found(departure.code(), "", ""));
        if (departure != Departure.NAME_CHANGED || !isEnglish || isOfWords(found)) {
          return Optional.of(found);
        }
      }
    }
    return Optional.empty();
  }

  /** False where one side is closed words only: "Since" is no other name than "On Friday". */
  private static boolean isOfWords(Found found) {
    return isOfWords(found.here) && isOfWords(found.there);
  }

  private static boolean isOfWords(String words) {
    return words.isBlank() || !Wording.of(words).words().isEmpty();
  }

  /**
   * True if a departure of two single sentences is one of wording: as many denials in another place
   * ("does not pay", "it is not true that .. pays", "is prohibited"), or the parties in another
   * order because one is in the passive voice. Where there are more sentences the denials of one
   * may make up for those of another, so that nothing is taken back.
   */
  private static boolean isOtherWording(Departure departure, String one, String other) {
    if (ENDS.matcher(one).results().limit(2).count() > 1
        || ENDS.matcher(other).results().limit(2).count() > 1) {
      return false;
    }
    return switch (departure) {
      case NEGATION_CHANGED -> {
        long denials = DENIALS.matcher(one).results().count();
        yield denials > 0 && denials == DENIALS.matcher(other).results().count();
      }
      case ROLES_EXCHANGED -> PASSIVE.matcher(one).find() != PASSIVE.matcher(other).find();
      case NUMBER_CHANGED,
          UNIT_CHANGED,
          DATE_CHANGED,
          NAME_CHANGED,
          WORD_REVERSED,
          QUANTIFIER_CHANGED,
          MODALITY_CHANGED,
          VALUE_UNSUPPORTED ->
          false;
    };
  }

  private static Optional<Found> detail(ClaimFindings findings, Departure departure) {
    for (WeakClaim claim : findings.weak()) {
      for (Detail detail : claim.details()) {
        if (detail.departure() == departure) {
          return Optional.of(
              new Found(
                  departure.code(),
                  detail.said().text(),
                  detail.instead().map(ClaimFindings.Excerpt::text).orElse("")));
        }
      }
    }
    return Optional.empty();
  }

  private ClaimFindings findings(String said, String held) {
    AgentMessage message =
        new AgentMessage(
            Utf8Span.of(said),
            Utf8Span.EMPTY,
            new Evidence(
                EvidenceSource.DECLARED,
                List.of(new Chunk("", Utf8Span.of(held))),
                List.of(),
                OptionalDouble.empty(),
                List.of()));
    return estimator.measure(message).claims().orElseThrow();
  }
}
