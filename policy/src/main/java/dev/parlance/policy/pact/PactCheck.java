package dev.parlance.policy.pact;

import dev.parlance.policy.pact.PactTerms.Item;
import dev.parlance.policy.pact.PactTerms.Leg;
import dev.parlance.policy.text.Coded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Holds messages against the predicates of a pact (convention {@code pact-terms-1}). All that can
 * be known of the predicates beforehand is worked out when this is made; holding a message that
 * keeps to everything against them makes no objects.
 */
public final class PactCheck {
  private static final double BYTES_PER_KB = 1024.0;

  private final Term[] terms;
  private final Term[] ofRequest;
  private final Term[] ofAnswer;
  private final Term[] ofPart;
  private final Result keptByRequest;
  private final Result keptByAnswer;
  private final Result keptByPart;

  /**
   * An item as it is held against messages: everything that can be known of it beforehand.
   *
   * @param key empty for one that is declared, and for a body that cannot be read
   * @param isFault whether it stands for a body that cannot be read
   * @param category bit of the category
   * @param bound of a number, in the unit in which it is measured
   * @param names that may occur, or may not
   * @param findings that it is held, violated, unmeasured
   */
  private record Term(
      Optional<PactTerms.Key> key,
      boolean isFault,
      int category,
      String value,
      double bound,
      NameSet names,
      List<Finding> findings) {
    boolean isOf(Of of) {
      return key.isPresent()
          && key.get().isOf(of == Of.REQUEST ? Leg.REQUEST : Leg.ANSWER)
          && (of != Of.PART || key.get().isOfParts());
    }

    Finding finding(Outcome outcome) {
      return switch (outcome) {
        case HELD -> findings.get(0);
        case VIOLATED -> findings.get(1);
        case UNMEASURED -> findings.get(2);
      };
    }
  }

  /** What is held against the terms. */
  private enum Of {
    REQUEST,
    ANSWER,
    /** A part of an answer. */
    PART
  }

  /** What a key, or a body, says of a message. */
  public enum Outcome implements Coded {
    /** The message keeps to it. */
    HELD,
    /** It does not. */
    VIOLATED,
    /** Nobody could tell. */
    UNMEASURED;

    /** Of what was measured. */
    public static Outcome of(boolean holds) {
      return holds ? HELD : VIOLATED;
    }
  }

  /** What is to be done, worst first. */
  public enum Action implements Coded {
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
    PASS
  }

  /**
   * A finding.
   *
   * @param predicate the clause
   * @param item empty if the body could not be read
   */
  public record Finding(Predicate predicate, Optional<Item> item, Outcome outcome) {
    /** True if the item is this key, where it is held against messages. */
    public boolean isOf(PactTerms.Key key) {
      return item.flatMap(Item::enforced).filter(key::equals).isPresent();
    }

    /**
     * True if the author of the message answers for it. How much has arrived by when looks
     * different to both sides while messages cross, so that going beyond it is refused and is
     * nobody's fault.
     */
    public boolean isBlamed() {
      return outcome == Outcome.VIOLATED
          && !isOf(PactTerms.Key.RATE_PER_MIN)
          && !isOf(PactTerms.Key.MAX_BYTES);
    }
  }

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

    /** The same where nobody knows whose the names in the message are: unmeasured, and no fault. */
    public Result withNamesOfNobody() {
      return new Result(findings.stream().map(Result::ofNobody).toList(), action);
    }

    private static Finding ofNobody(Finding one) {
      return one.isOf(PactTerms.Key.FIELDS) || one.isOf(PactTerms.Key.DENY_FIELDS)
          ? new Finding(one.predicate(), one.item(), Outcome.UNMEASURED)
          : one;
    }

    /** True if the author of the message answers for something that stands against it. */
    public boolean isBlamed() {
      return findings.stream().anyMatch(Finding::isBlamed);
    }
  }

  /** Reads the predicates of a pact. */
  public PactCheck(List<Predicate> predicates) {
    List<Term> all = new ArrayList<>();
    Set<String> approvable = approvable(predicates);
    predicates.stream()
        .sorted(Comparator.comparing(Predicate::id, Predicate.BYTE_ORDER))
        .forEach(one -> compile(one, approvable, all));
    terms = all.toArray(Term[]::new);
    ofRequest = held(Of.REQUEST, terms);
    ofAnswer = held(Of.ANSWER, terms);
    ofPart = held(Of.PART, terms);
    keptByRequest = kept(Of.REQUEST, terms);
    keptByAnswer = kept(Of.ANSWER, terms);
    keptByPart = kept(Of.PART, terms);
  }

  private static Term[] held(Of of, Term[] terms) {
    return Arrays.stream(terms).filter(term -> term.isOf(of)).toArray(Term[]::new);
  }

  /** Tools that a person may release: they are allowed, whatever {@code tools} lists. */
  private static Set<String> approvable(List<Predicate> predicates) {
    Set<String> approvable = new HashSet<>();
    for (Predicate one : predicates) {
      if (PactTerms.read(one.category(), one.body())
          instanceof PactTerms.Reading.Good(PactTerms body)) {
        body.items().stream()
            .filter(item -> item.enforced().equals(Optional.of(PactTerms.Key.APPROVE)))
            .forEach(item -> approvable.addAll(list(item)));
      }
    }
    return approvable;
  }

  private static List<String> list(Item item) {
    return List.of(item.value().orElse("").split(",", -1));
  }

  private static void compile(Predicate predicate, Set<String> approvable, List<Term> into) {
    switch (PactTerms.read(predicate.category(), predicate.body())) {
      case PactTerms.Reading.Good(PactTerms body) ->
          body.items().forEach(item -> into.add(term(predicate, item, isExact(body), approvable)));
      case PactTerms.Reading.Bad _ ->
          into.add(
              new Term(
                  Optional.empty(),
                  true,
                  0,
                  "",
                  0,
                  NameSet.NONE,
                  findings(predicate, Optional.empty())));
    }
  }

  /** True if names count as they are written, because the clause says so. */
  private static boolean isExact(PactTerms body) {
    return body.items().stream().anyMatch(item -> item.text().equals("exact"));
  }

  private static Term term(Predicate predicate, Item item, boolean exact, Set<String> approvable) {
    return new Term(
        item.enforced(),
        false,
        predicate.kind().map(PactCheck::bit).orElse(0),
        item.value().orElse(""),
        item.enforced().map(key -> bound(key, item.value().orElse(""))).orElse(Double.NaN),
        item.enforced().map(key -> names(key, item, exact, approvable)).orElse(NameSet.NONE),
        findings(predicate, Optional.of(item)));
  }

  private static double bound(PactTerms.Key key, String value) {
    if (!PactTerms.isNumber(value)) {
      return Double.NaN;
    }
    boolean inKb = key == PactTerms.Key.MAX_REQUEST_KB || key == PactTerms.Key.MAX_KB;
    return Double.parseDouble(value) * (inKb ? BYTES_PER_KB : 1);
  }

  private static NameSet names(
      PactTerms.Key key, Item item, boolean exact, Set<String> approvable) {
    return switch (key) {
      case FIELDS -> exact ? NameSet.of(list(item)) : NameSet.folded(list(item));
      case DENY_FIELDS -> exact ? NameSet.of(list(item)) : NameSet.denied(list(item));
      case HOSTS, APPROVE -> NameSet.of(list(item));
      case TOOLS -> {
        Set<String> allowed = new HashSet<>(approvable);
        allowed.addAll(list(item));
        yield NameSet.of(allowed);
      }
      default -> NameSet.NONE;
    };
  }

  private static List<Finding> findings(Predicate predicate, Optional<Item> item) {
    return List.of(
        new Finding(predicate, item, Outcome.HELD),
        new Finding(predicate, item, Outcome.VIOLATED),
        new Finding(predicate, item, Outcome.UNMEASURED));
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
   * The finding that decides what is to be done: of those that call for it the first, by predicate.
   *
   * @param result of this check; not {@link Action#PASS}
   */
  public Finding deciding(Result result) {
    Set<Finding> found = new HashSet<>(result.findings());
    int category =
        switch (result.action()) {
          case BLOCK_AND_DISSOLVE ->
              Arrays.stream(terms).anyMatch(term -> isBroken(term, bit(PactCategory.SCOPE), found))
                  ? bit(PactCategory.SCOPE)
                  : bit(PactCategory.TERMINATION);
          case BLOCK, YIELD -> bit(PactCategory.ACTION);
          case REGENERATE_THEN_DISPUTE -> bit(PactCategory.OUTPUT);
          case UNMEASURED, PASS -> 0;
        };
    Outcome wanted = category == 0 ? Outcome.UNMEASURED : Outcome.VIOLATED;
    return Arrays.stream(terms)
        .filter(term ->
            category == 0
                ? term.key().isPresent() || term.isFault() // what is only declared decides nothing
                : isBroken(term, category, found))
        .map(term -> term.finding(wanted))
        .filter(found::contains)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isBroken(Term term, int category, Set<Finding> found) {
    return term.category() == category && found.contains(term.finding(Outcome.VIOLATED));
  }

  /** Holds a message against all of it. */
  public Result check(PactMeasured message) {
    return message.leg() == Leg.REQUEST
        ? check(message, Of.REQUEST, ofRequest, keptByRequest)
        : check(message, Of.ANSWER, ofAnswer, keptByAnswer);
  }

  /**
   * Holds a part of an answer that arrives in parts against what each part must keep to. What only
   * the whole answer shows ({@link #needsWholeAnswer}) is left to {@link #check}.
   *
   * @param part its numbers are those of the answer so far, this part included
   */
  public Result part(PactMeasured part) {
    return check(part, Of.PART, ofPart, keptByPart);
  }

  /** True if something is asked of an answer that only the whole of it shows. */
  public boolean needsWholeAnswer() {
    return ofPart.length < ofAnswer.length;
  }

  /** True if its author may send a better answer for something that is asked of it. */
  public boolean mayBeRepaired() {
    return Arrays.stream(ofAnswer).anyMatch(term -> term.category() == bit(PactCategory.OUTPUT));
  }

  /** True if a message is held against this key. */
  public boolean asks(PactTerms.Key key) {
    for (Term term : terms) {
      if (term.key().isPresent() && term.key().get() == key) {
        return true;
      }
    }
    return false;
  }

  /** True if it is named by every clause that lists hosts, and by one at least. */
  public boolean namesHost(String host) {
    boolean isNamed = false;
    for (Term term : terms) {
      if (term.key().isPresent() && term.key().get() == PactTerms.Key.HOSTS) {
        if (!term.names().has(host)) {
          return false;
        }
        isNamed = true;
      }
    }
    return isNamed;
  }

  private Result check(PactMeasured message, Of of, Term[] held, Result kept) {
    for (Term term : held) {
      if (outcome(term, message) != Outcome.HELD) {
        return result(message, of);
      }
    }
    return kept;
  }

  private Result result(PactMeasured message, Of of) {
    List<Finding> findings = new ArrayList<>(terms.length);
    for (Term term : terms) {
      if (term.isOf(of)) {
        findings.add(term.finding(outcome(term, message)));
      } else if (term.key().isEmpty()) {
        findings.add(term.finding(Outcome.UNMEASURED));
      }
    }
    return new Result(findings, act(message, of));
  }

  /** The first item, by predicate, that a message violates, as far as it was measured. */
  public Optional<Finding> violated(PactMeasured message) {
    for (Term term : message.leg() == Leg.REQUEST ? ofRequest : ofAnswer) {
      if (outcome(term, message) == Outcome.VIOLATED) {
        return Optional.of(term.finding(Outcome.VIOLATED));
      }
    }
    return Optional.empty();
  }

  /** What comes of what keeps to all that it is held against. */
  private static Result kept(Of of, Term[] terms) {
    List<Finding> findings = new ArrayList<>();
    boolean unmeasured = false;
    for (Term term : terms) {
      if (term.isOf(of)) {
        findings.add(term.finding(Outcome.HELD));
      } else if (term.key().isEmpty()) {
        findings.add(term.finding(Outcome.UNMEASURED));
        unmeasured |= term.isFault();
      }
    }
    return new Result(findings, action(0, true, unmeasured));
  }

  private Action act(PactMeasured message, Of of) {
    int violated = 0;
    boolean onlyApproval = true;
    boolean unmeasured = false;
    for (Term term : terms) {
      if (term.isOf(of)) {
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

  private static Outcome outcome(Term term, PactMeasured message) {
    PactTerms.Key key = term.key().orElseThrow();
    if (!message.isKnown(key)) {
      return Outcome.UNMEASURED;
    }
    return switch (key) {
      case FIELDS, TOOLS, HOSTS -> Outcome.of(message.areAllAmong(key, term.names()));
      case DENY_FIELDS -> Outcome.of(!message.isAnyAmong(key, term.names()));
      case APPROVE -> Outcome.of(message.isReleased() || !message.isAnyAmong(key, term.names()));
      case MAX_REQUEST_KB, MAX_KB, RATE_PER_MIN, DEADLINE_MS, DRIFT, MAX_MESSAGES, MAX_BYTES ->
          Outcome.of(message.number(key) <= term.bound());
      case CITATIONS, G, FILL_RATE -> Outcome.of(message.number(key) >= term.bound());
      case FORMAT -> format(message.text(key), term.value());
      case SCHEMA, CERTIFIED -> message.met(key, term.value());
      case FINALITY -> Outcome.of(rank(message.text(key)) >= rank(term.value()));
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

  private static Outcome format(String media, String word) {
    return switch (word) {
      case "json" -> Outcome.of(media.equals("application/json"));
      case "text" -> Outcome.of(media.equals("text/plain"));
      default -> Outcome.UNMEASURED;
    };
  }
}
