package dev.parlance.policy.pact;

import dev.parlance.policy.pact.PactTerms.Item;
import dev.parlance.policy.pact.PactTerms.Leg;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Holds messages against the predicates of a pact (convention {@code pact-terms-1}). */
public final class PactCheck {
  private static final double BYTES_PER_KB = 1024.0;

  private final Term[] terms;
  private final Set<String> approvable = new HashSet<>();
  private final Result keptByRequest;
  private final Result keptByAnswer;

  /**
   * An item as it is held against messages: everything that can be known of it beforehand.
   *
   * @param key empty for one that is declared, and for a body that cannot be read
   * @param isFault whether it stands for a body that cannot be read
   * @param category bit of the category
   * @param findings that it is held, violated, unmeasured
   */
  private record Term(
      Optional<PactTerms.Key> key,
      boolean isFault,
      int category,
      String value,
      double number,
      Set<String> list,
      List<Finding> findings) {
    boolean isOf(Leg leg) {
      return key.isPresent() && key.get().isOf(leg);
    }

    Finding finding(Outcome outcome) {
      return switch (outcome) {
        case HELD -> findings.get(0);
        case VIOLATED -> findings.get(1);
        case UNMEASURED -> findings.get(2);
      };
    }
  }

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
    List<Term> all = new ArrayList<>();
    predicates.stream()
        .sorted(Comparator.comparing(Predicate::id, Predicate.BYTE_ORDER))
        .forEach(one -> compile(one, all));
    terms = all.toArray(Term[]::new);
    keptByRequest = kept(Leg.REQUEST, terms);
    keptByAnswer = kept(Leg.ANSWER, terms);
    for (Term term : terms) {
      if (term.key().equals(Optional.of(PactTerms.Key.APPROVE))) {
        approvable.addAll(term.list());
      }
    }
  }

  private static void compile(Predicate predicate, List<Term> into) {
    switch (PactTerms.read(predicate.category(), predicate.body())) {
      case PactTerms.Reading.Good(PactTerms body) ->
          body.items().forEach(item -> into.add(term(predicate, item)));
      case PactTerms.Reading.Bad _ ->
          into.add(
              new Term(
                  Optional.empty(),
                  true,
                  0,
                  "",
                  0,
                  Set.of(),
                  findings(predicate, Optional.empty())));
    }
  }

  private static Term term(Predicate predicate, Item item) {
    String value = item.value().orElse("");
    boolean isEnforced = item.enforced().isPresent();
    return new Term(
        item.enforced(),
        false,
        predicate.kind().map(PactCheck::bit).orElse(0),
        value,
        isEnforced && PactTerms.isNumber(value) ? Double.parseDouble(value) : Double.NaN,
        isEnforced ? Set.copyOf(List.of(value.split(",", -1))) : Set.of(),
        findings(predicate, Optional.of(item.key())));
  }

  private static List<Finding> findings(Predicate predicate, Optional<String> key) {
    return List.of(
        new Finding(predicate.id(), key, Outcome.HELD),
        new Finding(predicate.id(), key, Outcome.VIOLATED),
        new Finding(predicate.id(), key, Outcome.UNMEASURED));
  }

  private static int bit(PactCategory category) {
    return switch (category) {
      case SCOPE -> 1;
      case ACTION -> 2;
      case TERMINATION -> 4;
      case OUTPUT, SUCCESS, FAILURE, DISPUTE, AUDIT -> 8;
    };
  }

  /**
   * The item that a finding is about, as its body has it: {@code max_kb=8}. Its key alone if it is
   * none of this check; empty if the body could not be read.
   */
  public String item(Finding finding) {
    for (Term term : terms) {
      if (term.key().isPresent() && term.findings().contains(finding)) {
        return term.key().get().code() + term.key().get().op() + term.value();
      }
    }
    return finding.key().orElse("");
  }

  /** Whether one of these keys is held against messages of the leg: then it has to be measured. */
  public boolean asks(Leg leg, Set<PactTerms.Key> keys) {
    for (Term term : terms) {
      if (term.isOf(leg) && keys.contains(term.key().get())) {
        return true;
      }
    }
    return false;
  }

  /** The first finding that a message violates one of these keys; the others are not looked at. */
  public Optional<Finding> violated(Observation message, Set<PactTerms.Key> keys) {
    for (Term term : terms) {
      if (term.isOf(message.leg())
          && keys.contains(term.key().get())
          && outcome(term, message) == Outcome.VIOLATED) {
        return Optional.of(term.finding(Outcome.VIOLATED));
      }
    }
    return Optional.empty();
  }

  /**
   * Holds a message against all of it. What comes of a message that keeps to everything is made
   * once.
   */
  public Result check(Observation message) {
    Result kept = message.leg() == Leg.REQUEST ? keptByRequest : keptByAnswer;
    boolean keeps = true;
    for (int i = 0; keeps && i < terms.length; i++) {
      keeps = !terms[i].isOf(message.leg()) || outcome(terms[i], message) == Outcome.HELD;
    }
    if (keeps) {
      return kept;
    }
    List<Finding> findings = new ArrayList<>(terms.length);
    for (Term term : terms) {
      if (term.isOf(message.leg())) {
        findings.add(term.finding(outcome(term, message)));
      } else if (term.key().isEmpty()) {
        findings.add(term.finding(Outcome.UNMEASURED));
      }
    }
    return new Result(findings, act(message));
  }

  /** What comes of a message of the leg that keeps to all that is measured. */
  private static Result kept(Leg leg, Term[] terms) {
    List<Finding> findings = new ArrayList<>();
    boolean unmeasured = false;
    for (Term term : terms) {
      if (term.isOf(leg)) {
        findings.add(term.finding(Outcome.HELD));
      } else if (term.key().isEmpty()) {
        findings.add(term.finding(Outcome.UNMEASURED));
        unmeasured |= term.isFault();
      }
    }
    return new Result(findings, action(0, true, unmeasured));
  }

  /** The action of {@link #check}, without findings; it makes no objects. */
  public Action act(Observation message) {
    int violated = 0;
    boolean onlyApproval = true;
    boolean unmeasured = false;
    for (Term term : terms) {
      if (term.isOf(message.leg())) {
        Outcome outcome = outcome(term, message);
        if (outcome == Outcome.VIOLATED) {
          violated |= term.category();
          onlyApproval &= term.key().get() == PactTerms.Key.APPROVE;
        }
        unmeasured |= outcome == Outcome.UNMEASURED;
      } else {
        unmeasured |= term.isFault();
      }
    }
    return action(violated, onlyApproval, unmeasured);
  }

  private static Action action(int violated, boolean onlyApproval, boolean unmeasured) {
    if (violated == 0) {
      return unmeasured ? Action.UNMEASURED : Action.PASS;
    }
    if (onlyApproval) {
      return Action.YIELD;
    }
    if ((violated & bit(PactCategory.SCOPE)) != 0) {
      return Action.BLOCK_AND_DISSOLVE;
    }
    if ((violated & bit(PactCategory.ACTION)) != 0) {
      return Action.BLOCK;
    }
    return (violated & bit(PactCategory.TERMINATION)) != 0
        ? Action.BLOCK_AND_DISSOLVE
        : Action.REGENERATE_THEN_DISPUTE;
  }

  private Outcome outcome(Term term, Observation message) {
    return switch (term.key().orElseThrow()) {
      case FIELDS -> all(message.fields(), term.list(), Set.of());
      case DENY_FIELDS -> none(message.fields(), term.list());
      case TOOLS -> all(message.tools(), term.list(), approvable);
      case HOSTS -> all(message.hosts(), term.list(), Set.of());
      case APPROVE ->
          message.released() && message.tools().isPresent()
              ? Outcome.HELD
              : none(message.tools(), term.list());
      case MAX_REQUEST_KB, MAX_KB -> most(message.bytes(), term.number() * BYTES_PER_KB);
      case RATE_PER_MIN -> most(message.inLastMinute(), term.number());
      case DEADLINE_MS -> most(message.tookMs(), term.number());
      case DRIFT -> most(message.drift(), term.number());
      case MAX_MESSAGES -> most(message.messages(), term.number());
      case MAX_BYTES -> most(message.totalBytes(), term.number());
      case CITATIONS -> least(message.citations(), term.number());
      case G -> least(message.g(), term.number());
      case FILL_RATE -> least(message.filled(), term.number());
      case FORMAT -> format(message.media(), term.value());
      case SCHEMA ->
          message.schemaOk().isEmpty() ? Outcome.UNMEASURED : held(message.schemaOk().get());
      case CERTIFIED ->
          message.terms().isEmpty() ? Outcome.UNMEASURED : certified(message.terms().get());
      case FINALITY ->
          message.finality().isEmpty()
              ? Outcome.UNMEASURED
              : held(rank(message.finality().get()) >= rank(term.value()));
      case REPORT, ARBITER, LEDGER, RETAIN_DAYS, NOTICE_MS -> Outcome.UNMEASURED;
    };
  }

  private static Outcome certified(Map<String, String> terms) {
    if (!terms.isEmpty()) {
      for (String status : terms.values()) {
        if (!status.equals("certified")) {
          return Outcome.VIOLATED;
        }
      }
    }
    return Outcome.HELD;
  }

  private static int rank(String finality) {
    return switch (finality) {
      case "semantic" -> 2;
      case "verdict" -> 1;
      default -> 0;
    };
  }

  private static Outcome format(Optional<String> media, String word) {
    if (media.isEmpty()) {
      return Outcome.UNMEASURED;
    }
    return switch (word) {
      case "json" -> held(media.get().equals("application/json"));
      case "text" -> held(media.get().equals("text/plain"));
      default -> Outcome.UNMEASURED;
    };
  }

  private static Outcome held(boolean holds) {
    return holds ? Outcome.HELD : Outcome.VIOLATED;
  }

  private static Outcome all(
      Optional<List<String>> found, Set<String> listed, Set<String> besides) {
    if (found.isEmpty()) {
      return Outcome.UNMEASURED;
    }
    List<String> names = found.get();
    for (int i = 0; i < names.size(); i++) {
      if (!listed.contains(names.get(i)) && !besides.contains(names.get(i))) {
        return Outcome.VIOLATED;
      }
    }
    return Outcome.HELD;
  }

  private static Outcome none(Optional<List<String>> found, Set<String> listed) {
    if (found.isEmpty()) {
      return Outcome.UNMEASURED;
    }
    List<String> names = found.get();
    for (int i = 0; i < names.size(); i++) {
      if (listed.contains(names.get(i))) {
        return Outcome.VIOLATED;
      }
    }
    return Outcome.HELD;
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
}
