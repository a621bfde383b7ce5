package dev.parlance.policy.pact;

import dev.parlance.policy.pact.PactTerms.Leg;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What was measured of a message, as values; what is empty was not.
 *
 * @param bytes of the message
 * @param fields names in its data parts
 * @param tools that it calls or reports
 * @param hosts that were called in its trace
 * @param inLastMinute requests in the last minute, with this one
 * @param media media type in lower case, without parameters
 * @param schemaOk whether it meets the schema
 * @param tookMs from the request to it
 * @param citations how many it has
 * @param terms governed terms and their status
 * @param g grounding
 * @param drift square root of the Jensen-Shannon divergence
 * @param finality none, verdict or semantic
 * @param filled share of fields that are filled
 * @param messages under the pact, with this one
 * @param totalBytes under the pact, with this one
 * @param isReleased whether a person has released it
 */
public record PactObservation(
    Leg leg,
    OptionalDouble bytes,
    Optional<List<String>> fields,
    Optional<List<String>> tools,
    Optional<List<String>> hosts,
    OptionalDouble inLastMinute,
    Optional<String> media,
    Optional<Boolean> schemaOk,
    OptionalDouble tookMs,
    OptionalDouble citations,
    Optional<Map<String, String>> terms,
    OptionalDouble g,
    OptionalDouble drift,
    Optional<String> finality,
    OptionalDouble filled,
    OptionalDouble messages,
    OptionalDouble totalBytes,
    boolean isReleased)
    implements PactMeasured {
  @Override
  public boolean isKnown(PactTerms.Key key) {
    return switch (key) {
      case FIELDS, DENY_FIELDS, TOOLS, APPROVE, HOSTS -> names(key).isPresent();
      case FORMAT -> media.isPresent();
      case FINALITY -> finality.isPresent();
      case SCHEMA -> schemaOk.isPresent();
      case CERTIFIED -> terms.isPresent();
      default -> measured(key).isPresent();
    };
  }

  private Optional<List<String>> names(PactTerms.Key key) {
    return switch (key) {
      case FIELDS, DENY_FIELDS -> fields;
      case TOOLS, APPROVE -> tools;
      case HOSTS -> hosts;
      default -> Optional.empty();
    };
  }

  private OptionalDouble measured(PactTerms.Key key) {
    return switch (key) {
      case MAX_REQUEST_KB, MAX_KB -> bytes;
      case RATE_PER_MIN -> inLastMinute;
      case DEADLINE_MS -> tookMs;
      case DRIFT -> drift;
      case MAX_MESSAGES -> messages;
      case MAX_BYTES -> totalBytes;
      case CITATIONS -> citations;
      case G -> g;
      case FILL_RATE -> filled;
      default -> OptionalDouble.empty();
    };
  }

  @Override
  public double number(PactTerms.Key key) {
    return measured(key).orElseThrow();
  }

  @Override
  public boolean areAllAmong(PactTerms.Key key, NameSet listed) {
    return names(key).orElseThrow().stream().allMatch(listed::has);
  }

  @Override
  public boolean isAnyAmong(PactTerms.Key key, NameSet listed) {
    return names(key).orElseThrow().stream().anyMatch(listed::has);
  }

  @Override
  public String text(PactTerms.Key key) {
    return (key == PactTerms.Key.FORMAT ? media : finality).orElseThrow();
  }

  @Override
  public PactCheck.Outcome met(PactTerms.Key key, String value) {
    return PactCheck.Outcome.of(
        key == PactTerms.Key.SCHEMA
            ? schemaOk.orElseThrow()
            : terms.orElseThrow().values().stream().allMatch("certified"::equals));
  }
}
