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
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * Finds what is critical between two rationales that are near in wording: a negation, value, unit,
 * date, name, opposite, quantifier or modality that one has otherwise than the other, or exchanged
 * roles. It is the comparison by which claims are held against evidence ({@link ClaimsEstimator}),
 * made both ways. Between texts in wholly other words it finds nothing: they are then for the
 * vectors alone. Deterministic, symmetric, for one thread at a time.
 */
public final class TextComparer {
  private static final Pattern ENDS = Pattern.compile("[.!?;]+(?=\\s|$)|\\n\\s*\\n");

  private static final Pattern DENIALS =
      Pattern.compile(
          "(?i)\\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|cannot|without|prohibited"
              + "|forbidden|barred|false|untrue|incorrect|wrong)\\b|\\w+n['\u2019]t\\b");

  private static final Pattern PASSIVE =
      Pattern.compile("(?i)\\b(?:is|are|was|were|be|been|being)\\b[^.;]{1,60}?\\bby\\b");

  private final ClaimsEstimator estimator;

  /**
   * What differs.
   *
   * @param here the words of the first text; empty if it has none there
   * @param there those of the second
   */
  public record Found(Departure departure, String here, String there) {
    private Found turned() {
      return new Found(departure, there, here);
    }
  }

  /** A comparer; its seed decides nothing but how words are spread in its tables. */
  public TextComparer(long seed) {
    this.estimator = new ClaimsEstimator(new Vocabulary(seed));
  }

  /** The first critical difference, of several the one that {@link Departure} names first. */
  public Optional<Found> between(String one, String other) {
    if (one.equals(other)) {
      return Optional.empty();
    }
    ClaimFindings forth = findings(one, other);
    ClaimFindings back = findings(other, one);
    for (Departure departure : Departure.values()) {
      boolean both =
          forth.departures().contains(departure) && back.departures().contains(departure);
      boolean any = forth.departures().contains(departure) || back.departures().contains(departure);
      // A value that only one of them names is more said, not said otherwise.
      if ((departure == Departure.VALUE_UNSUPPORTED ? both : any)
          && !isOtherWording(departure, one, other)) {
        return Optional.of(
            detail(forth, departure)
                .or(() -> detail(back, departure).map(Found::turned))
                .orElse(new Found(departure, "", "")));
      }
    }
    return Optional.empty();
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
      case NEGATION_CHANGED ->
          DENIALS.matcher(one).results().count() == DENIALS.matcher(other).results().count();
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
                  departure,
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
