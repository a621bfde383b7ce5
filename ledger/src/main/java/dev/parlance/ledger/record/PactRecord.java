package dev.parlance.ledger.record;

import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactScore;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactTerms;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the ledger says of one pact. Immutable.
 *
 * @param attested the entry that counts
 * @param attestedAt its index
 * @param document what both have signed
 * @param state where it stands
 * @param observed the newest count of each observer
 * @param ended its end, or the dispute that suspends it; empty while it holds
 * @param decided what the arbiter made of a dispute
 */
public record PactRecord(
    PactEntry.Attested attested,
    long attestedAt,
    PactDocument document,
    PactState state,
    SortedMap<String, PactStatement.Observed> observed,
    Optional<PactEnd> ended,
    Optional<PactEnd> decided) {
  /** How far the clocks are apart that entries have their times from, in milliseconds. */
  public static final long MAX_SKEW_MS = 20_000;

  private static final Pattern ITEMS = Pattern.compile(";");
  private static final String ARBITER = PactTerms.Key.ARBITER.code() + "=";

  /** Copies the map. */
  public PactRecord {
    observed = Collections.unmodifiableSortedMap(new TreeMap<>(observed));
  }

  /**
   * An end.
   *
   * @param by who has said it
   * @param reason code
   * @param responsible the party that answers for it
   * @param index of the entry
   */
  public record PactEnd(
      String by, String reason, Optional<String> responsible, long index, long atMs) {}

  /** Its id. */
  public String id() {
    return document.pact();
  }

  /** Initiator and responder. */
  public List<String> parties() {
    return List.of(document.initiator(), document.responder());
  }

  /** True if that is one of the two. */
  public boolean isParty(String name) {
    return parties().contains(name);
  }

  /** Whom its public clauses name to decide disputes. */
  public Set<String> arbiters() {
    return state.agreed().stream()
        .filter(one -> one.category().equals(PactCategory.DISPUTE.code()))
        .flatMap(one -> ITEMS.splitAsStream(one.body()))
        .filter(item -> item.startsWith(ARBITER))
        .map(item -> item.substring(ARBITER.length()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The other party. */
  public String other(String party) {
    return party.equals(document.initiator()) ? document.responder() : document.initiator();
  }

  /** {@code active}, {@code in_dispute}, {@code dissolved}. */
  public String status() {
    return switch (state.phase()) {
      case ACTIVE -> "active";
      case IN_DISPUTE -> "in_dispute";
      default -> "dissolved";
    };
  }

  /** True if it holds or is disputed. */
  public boolean isOpen() {
    return state.phase() == Phase.ACTIVE || state.phase() == Phase.IN_DISPUTE;
  }

  /**
   * The party that has vanished, by what both have signed: the other one has given its last counts,
   * and it has not.
   *
   * @param byMs until when it could; nobody has vanished before the pact's end
   */
  public Optional<String> vanished(long byMs) {
    List<String> silent = silent();
    return silent.size() == 1 && byMs >= document.endMs()
        ? Optional.of(silent.getFirst())
        : Optional.empty();
  }

  /** True if both have given their last counts. */
  public boolean isCounted() {
    return silent().isEmpty();
  }

  private List<String> silent() {
    return parties().stream()
        .filter(party ->
            Optional.ofNullable(observed.get(party))
                .filter(one -> one.progress() == PactStatement.Progress.FINAL)
                .isEmpty())
        .toList();
  }

  /** The end as scores have it; empty while the pact holds. */
  Optional<PactScore.Ended> scored() {
    return ended.map(end ->
        new PactScore.Ended(id(), parties(), end.reason(), end.responsible(), observations()));
  }

  private Map<String, PactScore.Observed> observations() {
    Map<String, PactScore.Observed> byParty = new HashMap<>();
    observed
        .values()
        .forEach(one -> {
          Map<String, Long> violations = new HashMap<>();
          for (Map.Entry<PactCategory, Long> each : one.violations().entrySet()) {
            violations.put(each.getKey().code(), each.getValue());
          }
          byParty.put(one.party(), new PactScore.Observed(one.messages(), violations));
        });
    return byParty;
  }

  PactRecord with(PactState next) {
    return new PactRecord(attested, attestedAt, document, next, observed, ended, decided);
  }

  PactRecord with(PactStatement.Observed newest) {
    SortedMap<String, PactStatement.Observed> more = new TreeMap<>(observed);
    more.put(newest.observer(), newest);
    return new PactRecord(attested, attestedAt, document, state, more, ended, decided);
  }

  PactRecord ended(PactState next, PactEnd end) {
    return new PactRecord(
        attested, attestedAt, document, next, observed, Optional.of(end), decided);
  }

  PactRecord decided(PactState next, PactEnd decision) {
    return new PactRecord(
        attested, attestedAt, document, next, observed, ended, Optional.of(decision));
  }

  /**
   * A negotiation that its initiator has handed to an arbiter.
   *
   * @param handed whose it is, who decides and until when
   * @param note the initiator's signed report, base64
   * @param atMs when it was recorded
   */
  public record Escalated(PactCase handed, String note, long atMs) {}
}
