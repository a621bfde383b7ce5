package dev.parlance.ledger.record;

import dev.parlance.policy.core.TermVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An audit as the entries so far leave it.
 *
 * <p>Testing, then deciding (from the first decision on), then issued (a core), then closed; an
 * audit may be closed from everywhere.
 */
public final class AuditState {
  private static final int ASSENT = 1;
  private static final int NEUTRAL = 2;
  private static final int DISSENT = 3;
  private static final int UNANSWERED = 4;
  private static final int CODE_BITS = 3;

  private final Entry.Opened opened;
  private final PlanState plan;
  private final List<String> terms;
  private final long index;
  private long epoch;
  private boolean closed;
  private long answered;
  private long unanswered;
  private long lastDecision;

  /** Per term and event one cell for each agent: the entry's index, and what it says. */
  private Map<String, Map<String, long[]>> cells = new HashMap<>();

  private Optional<Map<String, List<String>>> draws = Optional.empty();
  private final Map<String, Map<List<String>, Entry.Renegotiated>> offers = new HashMap<>();
  private final Map<String, Map<List<String>, Settlement.Indexed<Entry.Decided>>> decisions =
      new LinkedHashMap<>();
  private Optional<Settlement.Indexed<Entry.CoreIssued>> issued = Optional.empty();

  AuditState(Entry.Opened opened, PlanState plan, List<String> terms, long index) {
    this.opened = opened;
    this.plan = plan;
    this.terms = terms;
    this.index = index;
    this.epoch = opened.epoch();
    this.lastDecision = index;
  }

  /**
   * A question of the audit.
   *
   * @param term key of the term
   * @param event PEI(e)
   * @param agent who is to be asked
   */
  public record Question(String term, String event, String agent) {}

  /** Id of the audit. */
  public String id() {
    return opened.audit();
  }

  /** The entry that opened it. */
  public Entry.Opened opened() {
    return opened;
  }

  /** Index of that entry. */
  public long index() {
    return index;
  }

  /** The plan's revision that it is of. */
  public PlanState plan() {
    return plan;
  }

  /** What it is for. */
  public Entry.Kind kind() {
    return opened.kind();
  }

  /** Keys of the terms that it is about, sorted. */
  public List<String> terms() {
    return terms;
  }

  /** The highest epoch so far, which rules. */
  public long epoch() {
    return epoch;
  }

  /** Whether it has ended. */
  public boolean isClosed() {
    return closed;
  }

  /** Questions that a verdict was given on, up to now. */
  public long answered() {
    return answered;
  }

  /** Questions that ended without one, up to now. */
  public long unanswered() {
    return unanswered;
  }

  /** The core that it has issued. */
  public Optional<Entry.CoreIssued> issued() {
    return issued.map(Settlement.Indexed::entry);
  }

  /** Index of its last decision, or of its opening; a core's ledger size is above it. */
  public long lastDecisionIndex() {
    return lastDecision;
  }

  /** Whether the decision on the term for the pair is on the ledger. */
  public boolean isDecided(List<String> pair, String term) {
    return decision(pair, term).isPresent();
  }

  /** The reply to the offer of the term between these two, if it is on the ledger. */
  public Optional<Entry.Renegotiated> offer(List<String> pair, String term) {
    Map<List<String>, Entry.Renegotiated> pairs = offers.get(term);
    return pairs == null ? Optional.empty() : Optional.ofNullable(pairs.get(pair));
  }

  /** Whether the term is tested: in a renegotiation only where an agent has adopted the use. */
  public boolean isTested(String term) {
    if (kind() != Entry.Kind.RENEGOTIATE) {
      return true;
    }
    Map<List<String>, Entry.Renegotiated> pairs = offers.get(term);
    return pairs != null && pairs.values().stream().anyMatch(AuditState::isAdopted);
  }

  /** Whether the seed is known here. */
  public boolean isDrawn() {
    return draws.isPresent();
  }

  /** The events drawn for a term of the audit, in the order of the draw; the seed must be known. */
  public List<String> drawn(String term) {
    return draws
        .map(all -> all.getOrDefault(term, List.of()))
        .orElseThrow(() -> new IllegalStateException("the seed of " + id() + " is not known here"));
  }

  /**
   * The questions that are still to be asked: drawn, of a term that is tested, and with neither a
   * verdict nor an absence on the ledger. The seed must be known. Empty once decisions are there.
   */
  public List<Question> openQuestions() {
    List<Question> open = new ArrayList<>();
    if (closed || !decisions.isEmpty()) {
      return open;
    }
    for (String term : terms) {
      if (!isTested(term)) {
        continue;
      }
      for (String event : drawn(term)) {
        long[] row = row(term, event);
        for (int agent = 0; agent < row.length; agent++) {
          if (row[agent] == 0) {
            open.add(new Question(term, event, plan.agents().get(agent)));
          }
        }
      }
    }
    return open;
  }

  // ---- for the fold ----

  static boolean isAdopted(Entry.Renegotiated offer) {
    return offer.reply().equals(Entry.Renegotiated.ADOPT);
  }

  void takeOver(long higher) {
    epoch = higher;
  }

  void draw(Map<String, List<String>> byTerm) {
    draws = Optional.of(byTerm);
  }

  boolean hasTests(String term) {
    return cells.containsKey(term);
  }

  boolean isDeciding() {
    return !decisions.isEmpty() || issued.isPresent();
  }

  /** Fills a cell; false if it is filled. */
  boolean put(long entry, int agent, String event, String term, Optional<TermVerdict> verdict) {
    long[] row =
        cells
            .computeIfAbsent(term, _ -> new LinkedHashMap<>())
            .computeIfAbsent(event, _ -> new long[plan.agents().size()]);
    if (row[agent] != 0) {
      return false;
    }
    row[agent] = entry << CODE_BITS | verdict.map(AuditState::code).orElse(UNANSWERED);
    if (verdict.isPresent()) {
      answered++;
    } else {
      unanswered++;
    }
    return true;
  }

  boolean offered(Entry.Renegotiated offer) {
    return offers
            .computeIfAbsent(offer.term(), _ -> new HashMap<>(2))
            .putIfAbsent(offer.pair(), offer)
        == null;
  }

  Map<List<String>, Entry.Renegotiated> offers(String term) {
    return offers.getOrDefault(term, Map.of());
  }

  Optional<Entry.Decided> decision(List<String> pair, String term) {
    Map<List<String>, Settlement.Indexed<Entry.Decided>> pairs = decisions.get(term);
    return Optional.ofNullable(pairs == null ? null : pairs.get(pair))
        .map(Settlement.Indexed::entry);
  }

  void decided(long entry, Entry.Decided decided) {
    decisions
        .computeIfAbsent(decided.term(), _ -> new HashMap<>(2))
        .put(decided.agents(), new Settlement.Indexed<>(entry, decided));
    lastDecision = entry;
  }

  void issued(long entry, Entry.CoreIssued core) {
    issued = Optional.of(new Settlement.Indexed<>(entry, core));
  }

  Optional<Settlement.Indexed<Entry.CoreIssued>> issuedAt() {
    return issued;
  }

  List<Settlement.Indexed<Entry.Decided>> found() {
    List<Settlement.Indexed<Entry.Decided>> all = new ArrayList<>();
    decisions.values().forEach(pairs -> all.addAll(pairs.values()));
    all.sort((first, second) -> Long.compare(first.index(), second.index()));
    return all;
  }

  /** Events that somebody was asked about with the term, each with its row of cells. */
  Map<String, long[]> rows(String term) {
    return cells.getOrDefault(term, Map.of());
  }

  Iterable<String> touchedTerms() {
    return Collections.unmodifiableSet(cells.keySet());
  }

  /** The row of an event; zeros where nobody was asked. */
  long[] row(String term, String event) {
    long[] row = rows(term).get(event);
    return row == null ? new long[plan.agents().size()] : row;
  }

  static Optional<TermVerdict> verdict(long cell) {
    return switch ((int) (cell & ((1 << CODE_BITS) - 1))) {
      case ASSENT -> Optional.of(TermVerdict.ASSENT);
      case NEUTRAL -> Optional.of(TermVerdict.NEUTRAL);
      case DISSENT -> Optional.of(TermVerdict.DISSENT);
      default -> Optional.empty();
    };
  }

  private static int code(TermVerdict verdict) {
    return switch (verdict) {
      case ASSENT -> ASSENT;
      case NEUTRAL -> NEUTRAL;
      case DISSENT -> DISSENT;
    };
  }

  static boolean isFilled(long cell) {
    return cell != 0;
  }

  static long entry(long cell) {
    return cell >>> CODE_BITS;
  }

  /** Ends it and lets go of its tests. */
  void close() {
    closed = true;
    cells = new HashMap<>();
    draws = Optional.empty();
    decisions.clear();
  }
}
