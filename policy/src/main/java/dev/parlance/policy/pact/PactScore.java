package dev.parlance.policy.pact;

import dev.parlance.policy.text.Coded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How an agent has kept its pacts, from what the ledger says of their endings (convention {@code
 * pact-score-1}).
 *
 * @param scopeHonesty share of its observed messages without a violation of scope or action, in
 *     [0,1]; empty without messages
 * @param reliability weighted mean of what its endings are worth, in [0,1]; empty without any
 * @param counted pacts that count
 * @param reporters who have reported bad faith in a negotiation with it
 */
public record PactScore(
    OptionalDouble scopeHonesty,
    OptionalDouble reliability,
    int counted,
    SortedSet<String> reporters) {
  /** How many pacts count, the last ones. */
  public static final int MOST = 100;

  /** So many parties have to report bad faith before it counts: one alone may be of bad faith. */
  public static final int MIN_REPORTERS = 2;

  /** What a pact further back weighs of the one after it. */
  public static final double FADING = 0.97;

  private static final long MAX_COUNT = (1L << 53) - 1;

  /** How a pact can end, with what that is worth. */
  public enum Ending implements Coded {
    /** Both say that the work is done. */
    WORK_COMPLETED(Source.PARTY, 1.0, false),
    /** It failed as the pact provides. */
    WORK_FAILED(Source.PARTY, 0.8, false),
    /** Its time was over. */
    VALIDITY_EXPIRED(Source.TIME, 0.6, false),
    /** One party withdrew with notice. */
    PARTY_WITHDREW(Source.PARTY, 0.5, true),
    /** One party was gone. */
    TIMEOUT(Source.TIME, 0.0, true),
    /** Enforcement ended it. */
    VIOLATED(Source.ENFORCEMENT, 0.0, true),
    /** It waits for the arbiter, and is left out until then. */
    DISPUTE_ESCALATED(Source.PARTY, 0.0, false);

    private static final Ending[] ALL = values();

    private final Source source;
    private final double worth;
    private final boolean blames;

    Ending(Source source, double worth, boolean blames) {
      this.source = source;
      this.worth = worth;
      this.blames = blames;
    }

    /** Who says that a pact ends. */
    public enum Source {
      /** A party, in a message of {@code pact-1}. */
      PARTY,
      /** A party's sidecar, which has stopped a message. */
      ENFORCEMENT,
      /** The orchestrator, when the validity is over. */
      TIME
    }

    /** Who says so. */
    public Source source() {
      return source;
    }

    /** True if one party answers for it. */
    public boolean blames() {
      return blames;
    }

    /** The endings that this one says, in their order. */
    public static List<Ending> of(Source source) {
      return Arrays.stream(ALL).filter(one -> one.source == source).toList();
    }

    /** The ending with this code; empty if there is none. */
    public static Optional<Ending> ofCode(String code) {
      return Coded.find(ALL, code);
    }
  }

  /**
   * What the other side's sidecar observed of a party.
   *
   * @param observed its messages; -1 for what is no count
   * @param violations of them by code of the category
   */
  public record Observed(long observed, Map<String, Long> violations) {
    /** Copies the map. */
    public Observed {
      violations = Map.copyOf(violations);
    }

    private boolean isGood() {
      return isCount(observed)
          && violations.keySet().stream()
              .allMatch(code ->
                  PactCategory.ofCode(code).filter(PactCategory.VIOLABLE::contains).isPresent())
          && violations.values().stream().allMatch(Observed::isCount);
    }

    private static boolean isCount(long number) {
      return number >= 0 && number <= MAX_COUNT;
    }

    private double bad() {
      double bad = 0;
      for (PactCategory category : List.of(PactCategory.SCOPE, PactCategory.ACTION)) {
        bad += violations.getOrDefault(category.code(), 0L);
      }
      return Math.min((double) observed, bad);
    }
  }

  /**
   * A pact that ended.
   *
   * @param pact its id
   * @param parties two names
   * @param ending code
   * @param responsible the party that answers for it
   * @param observations by party
   */
  public record Ended(
      String pact,
      List<String> parties,
      String ending,
      Optional<String> responsible,
      Map<String, Observed> observations) {
    /** Copies the collections. */
    public Ended {
      parties = List.copyOf(parties);
      observations = Map.copyOf(observations);
    }

    private boolean isGood() {
      return parties.size() == 2
          && parties.stream().noneMatch(String::isEmpty)
          && !parties.getFirst().equals(parties.getLast())
          && isEnding(ending, responsible)
          && parties.containsAll(observations.keySet())
          && observations.values().stream().allMatch(Observed::isGood);
    }

    private boolean isEnding(String code, Optional<String> who) {
      return Ending.ofCode(code)
          .filter(known -> !known.blames || who.filter(parties::contains).isPresent())
          .isPresent();
    }
  }

  /**
   * What the arbiter made of a pact in dispute.
   *
   * @param ending code of the ending that it counts as
   * @param responsible the party that answers for it
   */
  public record Decided(String pact, String ending, Optional<String> responsible) {}

  /**
   * A report that a party negotiated in bad faith. Of each reporter the last one counts, as an
   * ending that is worth nothing.
   *
   * @param after how many pacts of all parties had ended before
   */
  public record BadFaith(String reporter, String party, int after) {}

  /** What the entries give. */
  public sealed interface Result {
    /** The scores by party. */
    record Scores(SortedMap<String, PactScore> byParty) implements Result {}

    /** An entry that cannot be; it spoils the whole. */
    record BadEntry(String pact) implements Result {}
  }

  private record Counted(Ending ending, Optional<String> responsible, Ended entry, int at) {}

  /** The scores of all parties that nobody has reported. */
  public static Result of(List<Ended> endings, List<Decided> decisions) {
    return of(endings, decisions, List.of());
  }

  /** The scores of all parties, from entries in the order of the ledger. */
  public static Result of(List<Ended> endings, List<Decided> decisions, List<BadFaith> reports) {
    for (Ended one : endings) {
      if (!one.isGood()) {
        return new Result.BadEntry(one.pact());
      }
    }
    Map<String, Ended> first = new HashMap<>();
    endings.forEach(one -> first.putIfAbsent(one.pact(), one));
    Map<String, Decided> decided = new HashMap<>();
    for (Decided one : decisions) {
      Optional<Ending> ending =
          Ending.ofCode(one.ending()).filter(known -> known != Ending.DISPUTE_ESCALATED);
      Ended known = first.get(one.pact());
      if (ending.isEmpty() || (known != null && !known.isEnding(one.ending(), one.responsible()))) {
        return new Result.BadEntry(one.pact());
      }
      decided.putIfAbsent(one.pact(), one);
    }
    SortedMap<String, List<Counted>> byParty = new TreeMap<>(Predicate.BYTE_ORDER);
    Set<String> seen = new HashSet<>();
    int at = 0;
    for (Ended one : endings) {
      one.parties().forEach(party -> listOf(byParty, party));
      if (seen.add(one.pact())) {
        counted(one, Optional.ofNullable(decided.get(one.pact())), at)
            .ifPresent(pact -> one.parties().forEach(party -> listOf(byParty, party).add(pact)));
      }
      at++;
    }
    Map<String, SortedMap<String, Integer>> reported = new HashMap<>();
    for (BadFaith one : reports) {
      listOf(byParty, one.party());
      reported.computeIfAbsent(one.party(), _ -> new TreeMap<>()).put(one.reporter(), one.after());
    }
    SortedMap<String, PactScore> scores = new TreeMap<>(Predicate.BYTE_ORDER);
    byParty.forEach((party, pacts) ->
        scores.put(party, of(party, pacts, reported.getOrDefault(party, new TreeMap<>()))));
    return new Result.Scores(scores);
  }

  private static List<Counted> listOf(Map<String, List<Counted>> byParty, String party) {
    return byParty.computeIfAbsent(party, _ -> new ArrayList<>());
  }

  private static Optional<Counted> counted(Ended entry, Optional<Decided> decided, int at) {
    Ending ending = Ending.ofCode(entry.ending()).orElseThrow();
    if (ending != Ending.DISPUTE_ESCALATED) {
      return Optional.of(new Counted(ending, entry.responsible(), entry, at));
    }
    return decided.map(one ->
        new Counted(Ending.ofCode(one.ending()).orElseThrow(), one.responsible(), entry, at));
  }

  private static PactScore of(
      String party, List<Counted> pacts, SortedMap<String, Integer> reported) {
    List<Counted> last = pacts.subList(Math.max(0, pacts.size() - MOST), pacts.size());
    double honest = 0;
    double observed = 0;
    double worth = 0;
    double weights = 0;
    double weight = 1;
    for (Counted one : last.reversed()) {
      Optional<Observed> seen = Optional.ofNullable(one.entry().observations().get(party));
      if (seen.isPresent()) {
        honest += weight * (seen.get().observed() - seen.get().bad());
        observed += weight * seen.get().observed();
      }
      if (!one.ending().blames || one.responsible().equals(Optional.of(party))) {
        worth += weight * one.ending().worth;
        weights += weight;
      }
      weight *= FADING;
    }
    for (int after : reported.values()) {
      long since = pacts.stream().filter(one -> one.at() >= after).count();
      if (reported.size() >= MIN_REPORTERS && since < MOST) {
        weights += faded(since);
      }
    }
    return new PactScore(
        share(honest, observed),
        share(worth, weights),
        last.size(),
        Collections.unmodifiableSortedSet(new TreeSet<>(reported.keySet())));
  }

  /** By one product after the other, as verifiers in other languages have it. */
  private static double faded(long times) {
    double weight = 1;
    for (long i = 0; i < times; i++) {
      weight *= FADING;
    }
    return weight;
  }

  private static OptionalDouble share(double part, double whole) {
    return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of(part / whole);
  }
}
