package dev.parlance.policy.pact;

import dev.parlance.policy.pact.PactTerms.Item;
import dev.parlance.policy.pact.PactTerms.Leg;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/** Holds messages against the predicates of a pact (convention {@code pact-terms-1}). */
public final class PactCheck {
  private static final double BYTES_PER_KB = 1024.0;

  private final List<Clause> clauses = new ArrayList<>();
  private final Set<String> approvable = new TreeSet<>();

  private record Clause(Predicate predicate, Optional<PactTerms> terms) {}

  /** What a key, or a body, says of a message. */
  public enum Outcome {
    /** The message keeps to it. */
    HELD,
    /** It does not. */
    VIOLATED,
    /** Nobody could tell. */
    UNMEASURED;

    /** Stable code. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What is to be done, worst first. */
  public enum Action {
    /** The message stops, the pact ends. */
    BLOCK_AND_DISSOLVE,
    /** The message stops. */
    BLOCK,
    /** Another draft is asked for; after the last one it is a dispute. */
    REGENERATE_THEN_DISPUTE,
    /** A person decides. */
    YIELD,
    /** Something enforceable could not be measured: the configuration decides. */
    UNMEASURED,
    /** The message goes on. */
    PASS;

    /** Stable code. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A finding.
   *
   * @param predicate its id
   * @param key empty if the body could not be read
   */
  public record Finding(String predicate, Optional<String> key, Outcome outcome) {}

  /**
   * What comes of a message.
   *
   * @param findings by predicate, then in the order of the body
   */
  public record Result(List<Finding> findings, Action action) {
    /** Copies the list. */
    public Result {
      findings = List.copyOf(findings);
    }
  }

  /**
   * What was measured of a message; what is empty was not.
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
   * @param released whether a person has released it
   */
  public record Observation(
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
      boolean released) {}

  /** Reads the predicates of a pact. */
  public PactCheck(List<Predicate> predicates) {
    predicates.stream()
        .sorted(Comparator.comparing(Predicate::id, Predicate.BYTE_ORDER))
        .forEach(one -> clauses.add(new Clause(one, read(one))));
    for (Clause clause : clauses) {
      clause.terms().map(PactTerms::items).orElse(List.of()).stream()
          .filter(item -> item.enforced().equals(Optional.of(PactTerms.Key.APPROVE)))
          .forEach(item -> approvable.addAll(list(item)));
    }
  }

  private static Optional<PactTerms> read(Predicate predicate) {
    return PactTerms.read(predicate.category(), predicate.body())
            instanceof PactTerms.Reading.Good(PactTerms terms)
        ? Optional.of(terms)
        : Optional.empty();
  }

  /** Holds a message against all of it. */
  public Result check(Observation message) {
    List<Finding> findings = new ArrayList<>();
    Set<PactCategory> violated = new TreeSet<>();
    boolean onlyApproval = true;
    boolean unmeasured = false;
    for (Clause clause : clauses) {
      String id = clause.predicate().id();
      if (clause.terms().isEmpty()) {
        findings.add(new Finding(id, Optional.empty(), Outcome.UNMEASURED));
        unmeasured = true;
        continue;
      }
      for (Item item : clause.terms().get().items()) {
        if (item.enforced().isEmpty()) {
          findings.add(new Finding(id, Optional.of(item.key()), Outcome.UNMEASURED));
        } else if (item.enforced().get().isOf(message.leg())) {
          Outcome outcome = outcome(item, item.enforced().get(), message);
          findings.add(new Finding(id, Optional.of(item.key()), outcome));
          if (outcome == Outcome.VIOLATED) {
            violated.add(clause.predicate().kind().orElseThrow());
            onlyApproval &= item.enforced().get() == PactTerms.Key.APPROVE;
          }
          unmeasured |= outcome == Outcome.UNMEASURED;
        }
      }
    }
    return new Result(findings, action(violated, onlyApproval, unmeasured));
  }

  private static Action action(
      Set<PactCategory> violated, boolean onlyApproval, boolean unmeasured) {
    if (violated.isEmpty()) {
      return unmeasured ? Action.UNMEASURED : Action.PASS;
    }
    if (onlyApproval) {
      return Action.YIELD;
    }
    if (violated.contains(PactCategory.SCOPE)) {
      return Action.BLOCK_AND_DISSOLVE;
    }
    if (violated.contains(PactCategory.ACTION)) {
      return Action.BLOCK;
    }
    return violated.contains(PactCategory.TERMINATION)
        ? Action.BLOCK_AND_DISSOLVE
        : Action.REGENERATE_THEN_DISPUTE;
  }

  private Outcome outcome(Item item, PactTerms.Key key, Observation message) {
    return switch (key) {
      case FIELDS -> all(message.fields(), list(item), Set.of());
      case DENY_FIELDS -> none(message.fields(), list(item));
      case TOOLS -> all(message.tools(), list(item), approvable);
      case HOSTS -> all(message.hosts(), list(item), Set.of());
      case APPROVE ->
          message.released() && message.tools().isPresent()
              ? Outcome.HELD
              : none(message.tools(), list(item));
      case MAX_REQUEST_KB, MAX_KB -> most(message.bytes(), number(item) * BYTES_PER_KB);
      case RATE_PER_MIN -> most(message.inLastMinute(), number(item));
      case DEADLINE_MS -> most(message.tookMs(), number(item));
      case DRIFT -> most(message.drift(), number(item));
      case MAX_MESSAGES -> most(message.messages(), number(item));
      case MAX_BYTES -> most(message.totalBytes(), number(item));
      case CITATIONS -> least(message.citations(), number(item));
      case G -> least(message.g(), number(item));
      case FILL_RATE -> least(message.filled(), number(item));
      case FORMAT -> format(message.media(), value(item));
      case SCHEMA -> held(message.schemaOk());
      case CERTIFIED ->
          held(message.terms().map(terms -> terms.values().stream().allMatch("certified"::equals)));
      case FINALITY -> held(message.finality().map(reached -> rank(reached) >= rank(value(item))));
      case REPORT, ARBITER, LEDGER, RETAIN_DAYS, NOTICE_MS -> Outcome.UNMEASURED;
    };
  }

  private static int rank(String finality) {
    return switch (finality) {
      case "semantic" -> 2;
      case "verdict" -> 1;
      default -> 0;
    };
  }

  private static Outcome format(Optional<String> media, String word) {
    return switch (word) {
      case "json" -> held(media.map("application/json"::equals));
      case "text" -> held(media.map("text/plain"::equals));
      default -> Outcome.UNMEASURED;
    };
  }

  private static Outcome held(Optional<Boolean> holds) {
    return holds.map(is -> is ? Outcome.HELD : Outcome.VIOLATED).orElse(Outcome.UNMEASURED);
  }

  private static Outcome all(
      Optional<List<String>> found, List<String> listed, Set<String> besides) {
    return held(
        found.map(
            names -> names.stream().allMatch(n -> listed.contains(n) || besides.contains(n))));
  }

  private static Outcome none(Optional<List<String>> found, List<String> listed) {
    return held(found.map(names -> names.stream().noneMatch(listed::contains)));
  }

  private static Outcome most(OptionalDouble measured, double bound) {
    return measured.isEmpty()
        ? Outcome.UNMEASURED
        : measured.getAsDouble() <= bound ? Outcome.HELD : Outcome.VIOLATED;
  }

  private static Outcome least(OptionalDouble measured, double bound) {
    return measured.isEmpty()
        ? Outcome.UNMEASURED
        : measured.getAsDouble() >= bound ? Outcome.HELD : Outcome.VIOLATED;
  }

  private static String value(Item item) {
    return item.value().orElseThrow();
  }

  private static List<String> list(Item item) {
    return List.of(value(item).split(",", -1));
  }

  private static double number(Item item) {
    return Double.parseDouble(value(item));
  }
}
