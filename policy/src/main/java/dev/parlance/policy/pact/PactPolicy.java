package dev.parlance.policy.pact;

import dev.parlance.policy.pact.PactTerms.Item;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a party may sign, by peer (paper, "Templates": which are accepted, negotiated from and
 * refused is enumerated).
 *
 * <p>Nothing is accepted by default: a peer without a rule, a template that no rule names, and a
 * body that cannot be read are refused.
 *
 * @param rules the first that names a peer counts
 */
public record PactPolicy(List<Rule> rules) {
  private static final Pattern NUMBER = Pattern.compile("(0|[1-9][0-9]{0,14})(\\.[0-9]{1,9})?");

  /** Copies the list. */
  public PactPolicy {
    rules = List.copyOf(rules);
  }

  /** The rule for a peer; without one there is no pact with it. */
  public Optional<Rule> rule(String peer) {
    return rules.stream().filter(rule -> rule.names(peer)).findFirst();
  }

  /**
   * What the value of a key may be. A pact without the key is no matter but of {@link Required}.
   */
  public sealed interface Bound {
    /**
     * A number that is at most this.
     *
     * @param most as a body can write it: not negative, at most 15 digits and 9 decimals
     */
    record AtMost(double most) implements Bound {
      /** Refuses what a body cannot write. */
      public AtMost {
        number(most);
      }
    }

    /**
     * A number that is at least this.
     *
     * @param least as a body can write it: not negative, at most 15 digits and 9 decimals
     */
    record AtLeast(double least) implements Bound {
      /** Refuses what a body cannot write. */
      public AtLeast {
        number(least);
      }
    }

    /**
     * One of some values.
     *
     * @param words at least one; the first is what we would rather have
     */
    record OneOf(List<String> words) implements Bound {
      /** Refuses an empty list. */
      public OneOf {
        words = someOf(words);
      }
    }

    /**
     * A list with no other elements than these.
     *
     * @param elements at least one
     */
    record SubsetOf(List<String> elements) implements Bound {
      /** Refuses an empty list. */
      public SubsetOf {
        elements = someOf(elements);
      }
    }

    /**
     * A list with all of these elements.
     *
     * @param elements at least one
     */
    record SupersetOf(List<String> elements) implements Bound {
      /** Refuses an empty list. */
      public SupersetOf {
        elements = someOf(elements);
      }
    }

    /** The key may not occur. */
    record Forbidden() implements Bound {}

    /** The key must occur; one that can be enforced, in a category where it is. */
    record Required() implements Bound {}

    private static List<String> someOf(List<String> words) {
      if (words.isEmpty()) {
        throw new IllegalArgumentException("a bound without values");
      }
      return List.copyOf(words);
    }
  }

  /**
   * Who decides where two policies find nothing that both allow.
   *
   * @param name the arbiter; one that is a party of a negotiation decides nothing in it
   * @param withinMs how long it may take, in milliseconds
   * @param bounds by key, in the place of the rule's for what the arbiter decides
   */
  public record Arbiter(String name, long withinMs, Map<String, List<Bound>> bounds) {
    /** Copies the map. */
    public Arbiter {
      Map<String, List<Bound>> copy = new TreeMap<>();
      bounds.forEach((key, all) -> copy.put(key, List.copyOf(all)));
      bounds = Collections.unmodifiableMap(copy);
    }
  }

  /**
   * What is signed with some peers.
   *
   * @param peers names, or beginnings of names followed by {@code *}
   * @param accept references of templates that are taken as they are, if the bounds allow them
   * @param negotiate references of templates that are a place to start from
   * @param refuse references of templates that are not taken, or {@code *} for all others
   * @param offer references of templates that we offer, the best first
   * @param propose our own first position; without one, nothing is negotiated without a template
   * @param bounds by key
   * @param hidden ids of predicates whose bodies are for the parties alone, in pacts that we ask
   *     for
   * @param arbiter who decides where nothing is found that both allow; empty if nobody does
   */
  public record Rule(
      List<String> peers,
      Set<String> accept,
      Set<String> negotiate,
      Set<String> refuse,
      List<String> offer,
      List<Predicate> propose,
      Map<String, List<Bound>> bounds,
      Set<String> hidden,
      Optional<Arbiter> arbiter) {
    /** With nothing private, and nobody who decides. */
    public Rule(
        List<String> peers,
        Set<String> accept,
        Set<String> negotiate,
        Set<String> refuse,
        List<String> offer,
        List<Predicate> propose,
        Map<String, List<Bound>> bounds) {
      this(peers, accept, negotiate, refuse, offer, propose, bounds, Set.of(), Optional.empty());
    }

    /** Copies the collections; refuses a predicate of our own in a category that there is not. */
    public Rule {
      peers = List.copyOf(peers);
      accept = Set.copyOf(accept);
      negotiate = Set.copyOf(negotiate);
      refuse = Set.copyOf(refuse);
      offer = List.copyOf(offer);
      propose = List.copyOf(propose);
      hidden = Set.copyOf(hidden);
      Map<String, List<Bound>> copy = new TreeMap<>();
      bounds.forEach((key, all) -> copy.put(key, List.copyOf(all)));
      bounds = Collections.unmodifiableMap(copy);
      for (Predicate one : propose) {
        if (one.kind().isEmpty()) {
          throw new IllegalArgumentException("no category: " + one.category());
        }
      }
    }

    /**
     * This rule for the decision of a case: what the arbiter has decided is accepted whole, within
     * the bounds for it, and nothing else is; empty if it is the decision of somebody else, or of a
     * case of others.
     */
    Optional<Rule> settling(String reference, PactCase decided, String self, String peer) {
      boolean isOurs =
          Set.of(self, peer).equals(Set.of(decided.initiator(), decided.responder()))
              && decided.reference().equals(reference);
      return arbiter
          .filter(one -> isOurs && one.name().equals(decided.arbiter()))
          .map(one -> {
            Map<String, List<Bound>> wider = new TreeMap<>(bounds);
            wider.putAll(one.bounds());
            return new Rule(
                peers, Set.of(reference), Set.of(), Set.of(), List.of(), List.of(), wider);
          });
    }

    /** This rule with nothing that it agrees to. */
    Rule refusing() {
      return new Rule(peers, Set.of(), Set.of(), Set.of(), List.of(), List.of(), bounds);
    }

    boolean names(String peer) {
      return peers.stream()
          .anyMatch(name ->
              name.endsWith("*")
                  ? peer.startsWith(name.substring(0, name.length() - 1))
                  : peer.equals(name));
    }

    /** True if a template may be taken as it is. */
    public boolean accepts(String reference) {
      return accept.contains(reference) && !refuse.contains(reference);
    }

    /** True if a template may be started from. */
    public boolean startsFrom(String reference) {
      return (accept.contains(reference) || negotiate.contains(reference))
          && !refuse.contains(reference);
    }

    /**
     * What the bounds have against a whole set of predicates, in their order; missing keys last.
     *
     * @return empty if it may be signed, as far as the bounds go
     */
    public List<Finding> allows(List<Predicate> predicates) {
      List<Finding> findings = new ArrayList<>();
      predicates.forEach(one -> findings.addAll(against(one)));
      for (String key : missing(predicates)) {
        findings.add(
            new Finding(
                Code.MISSING,
                key,
                Optional.empty(),
                ours(key),
                "",
                supply(key).map(Predicate::body)));
      }
      return findings;
    }

    /** What the bounds have against one predicate. */
    List<Finding> against(Predicate predicate) {
      String id = predicate.id();
      if (!(PactTerms.read(predicate.category(), predicate.body())
          instanceof PactTerms.Reading.Good(PactTerms terms))) {
        return List.of(
            new Finding(
                Code.UNREADABLE, "", Optional.of(id), "", predicate.body(), Optional.empty()));
      }
      List<Finding> findings = new ArrayList<>();
      for (Item item : terms.items()) {
        broken(item)
            .ifPresent(code ->
                findings.add(
                    new Finding(
                        code,
                        item.key(),
                        Optional.of(id),
                        ours(item.key()),
                        item.value().orElse(""),
                        Optional.empty())));
      }
      if (findings.isEmpty()) {
        return findings;
      }
      Optional<String> body = nearest(predicate.category(), terms);
      return findings.stream().map(one -> one.allowing(body)).toList();
    }

    private Optional<Code> broken(Item item) {
      for (Bound bound : bounds.getOrDefault(item.key(), List.of())) {
        Optional<Code> code = broken(item, bound);
        if (code.isPresent()) {
          return code;
        }
      }
      return Optional.empty();
    }

    private static Optional<Code> broken(Item item, Bound bound) {
      String value = item.value().orElse("");
      OptionalDouble number = read(value);
      return switch (bound) {
        case Bound.AtMost(double most) ->
            number.isEmpty()
                ? Optional.of(Code.NO_NUMBER)
                : when(number.getAsDouble() > most, Code.ABOVE);
        case Bound.AtLeast(double least) ->
            number.isEmpty()
                ? Optional.of(Code.NO_NUMBER)
                : when(number.getAsDouble() < least, Code.BELOW);
        case Bound.OneOf(List<String> words) -> when(!words.contains(value), Code.NOT_ONE_OF);
        case Bound.SubsetOf(List<String> all) ->
            when(!all.containsAll(elements(value)), Code.NOT_A_SUBSET);
        case Bound.SupersetOf(List<String> all) ->
            when(!elements(value).containsAll(all), Code.NOT_A_SUPERSET);
        case Bound.Forbidden() -> Optional.of(Code.FORBIDDEN);
        case Bound.Required() -> Optional.empty();
      };
    }

    private static Optional<Code> when(boolean isBroken, Code code) {
      return isBroken ? Optional.of(code) : Optional.empty();
    }

    /** The body with every broken item put right; empty if there is none. */
    private Optional<String> nearest(String category, PactTerms terms) {
      List<String> items = new ArrayList<>();
      for (Item item : terms.items()) {
        if (broken(item).isEmpty()) {
          items.add(item.text());
        } else if (!bounds.getOrDefault(item.key(), List.of()).contains(new Bound.Forbidden())) {
          items.add(
              item.key() + item.op().orElse("=") + nearest(item.key(), item.value().orElse("")));
        }
      }
      return Optional.of(String.join(";", items)).filter(body -> isAllowed(category, body));
    }

    private boolean isAllowed(String category, String body) {
      return PactTerms.read(category, body) instanceof PactTerms.Reading.Good(PactTerms terms)
          && terms.items().stream().allMatch(item -> broken(item).isEmpty());
    }

    private String nearest(String key, String value) {
      String nearest = value;
      for (Bound bound : bounds.getOrDefault(key, List.of())) {
        OptionalDouble number = read(nearest);
        switch (bound) {
          case Bound.AtMost(double most) ->
              nearest = number.isPresent() && number.getAsDouble() <= most ? nearest : number(most);
          case Bound.AtLeast(double least) ->
              nearest =
                  number.isPresent() && number.getAsDouble() >= least ? nearest : number(least);
          case Bound.OneOf(List<String> words) ->
              nearest = words.contains(nearest) ? nearest : words.getFirst();
          case Bound.SubsetOf(List<String> all) -> {
            Set<String> kept = new LinkedHashSet<>(elements(nearest));
            kept.retainAll(all);
            nearest = String.join(",", kept.isEmpty() ? all : kept);
          }
          case Bound.SupersetOf(List<String> all) -> {
            Set<String> more = new LinkedHashSet<>(elements(nearest));
            more.addAll(all);
            nearest = String.join(",", more);
          }
          case Bound.Forbidden() -> {}
          case Bound.Required() -> {}
        }
      }
      return nearest;
    }

    /** Keys that must occur and do not. */
    List<String> missing(List<Predicate> predicates) {
      List<String> missing = new ArrayList<>();
      bounds.forEach((key, all) -> {
        if (all.contains(new Bound.Required())
            && predicates.stream().noneMatch(one -> has(one, key))) {
          missing.add(key);
        }
      });
      return missing;
    }

    private static boolean has(Predicate predicate, String key) {
      return PactTerms.read(predicate.category(), predicate.body())
              instanceof PactTerms.Reading.Good(PactTerms terms)
          && terms.items().stream()
              .anyMatch(item ->
                  item.key().equals(key)
                      && (item.enforced().isPresent() || PactTerms.Key.named(key).isEmpty()));
    }

    /** Our own first position, as far as the bounds allow it. */
    List<Predicate> position() {
      List<Predicate> position = new ArrayList<>();
      for (Predicate one : propose) {
        List<Finding> findings = against(one);
        if (findings.isEmpty()) {
          position.add(one);
        } else {
          findings
              .getFirst()
              .body()
              .ifPresent(body -> position.add(new Predicate(one.id(), one.category(), body)));
        }
      }
      return position;
    }

    /** A predicate with a key that must occur: our own one, or what its bounds say. */
    Optional<Predicate> supply(String key) {
      Optional<Predicate> own = position().stream().filter(one -> has(one, key)).findFirst();
      if (own.isPresent()) {
        return own;
      }
      return PactTerms.Key.named(key)
          .map(one -> new Predicate(key, one.category().code(), key + one.op() + nearest(key, "")))
          .filter(one -> isAllowed(one.category(), one.body()));
    }

    private String ours(String key) {
      List<String> words = new ArrayList<>();
      for (Bound bound : bounds.getOrDefault(key, List.of())) {
        words.add(
            switch (bound) {
              case Bound.AtMost(double most) -> "atMost " + number(most);
              case Bound.AtLeast(double least) -> "atLeast " + number(least);
              case Bound.OneOf(List<String> all) -> "oneOf " + String.join(",", all);
              case Bound.SubsetOf(List<String> all) -> "subsetOf " + String.join(",", all);
              case Bound.SupersetOf(List<String> all) -> "supersetOf " + String.join(",", all);
              case Bound.Forbidden() -> "forbidden";
              case Bound.Required() -> "required";
            });
      }
      return String.join(" ", words);
    }
  }

  /** How a predicate breaks a bound. The name is the code. */
  public enum Code {
    /** The body cannot be read. */
    UNREADABLE,
    /** More than the most. */
    ABOVE,
    /** Less than the least. */
    BELOW,
    /** There is a bound in numbers, and the value is none. */
    NO_NUMBER,
    /** Another value than those that are allowed. */
    NOT_ONE_OF,
    /** The list has an element too many. */
    NOT_A_SUBSET,
    /** The list lacks an element. */
    NOT_A_SUPERSET,
    /** The key may not occur. */
    FORBIDDEN,
    /** The key must occur and does not. */
    MISSING
  }

  /**
   * A bound that is broken.
   *
   * @param key empty if the body cannot be read
   * @param predicate id of the predicate; empty for a key that is missing
   * @param ours the bounds of the key in words
   * @param theirs the value that was found; the whole body if it cannot be read
   * @param body the nearest body of this predicate (of a new one for a missing key) that would be
   *     allowed; empty if there is none
   */
  public record Finding(
      Code code,
      String key,
      Optional<String> predicate,
      String ours,
      String theirs,
      Optional<String> body) {
    private Finding allowing(Optional<String> nearest) {
      return new Finding(code, key, predicate, ours, theirs, nearest);
    }
  }

  private static OptionalDouble read(String value) {
    return NUMBER.matcher(value).matches()
        ? OptionalDouble.of(Double.parseDouble(value))
        : OptionalDouble.empty();
  }

  private static String number(double value) {
    String text =
        Double.isFinite(value)
            ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
            : Double.toString(value);
    if (!NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException("a body cannot write this number: " + text);
    }
    return text;
  }

  private static List<String> elements(String value) {
    return value.isEmpty() ? List.of() : List.of(value.split(",", -1));
  }
}
