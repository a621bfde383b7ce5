package dev.parlance.control.metrics;

import dev.parlance.control.metrics.RoundMetrics.Counters;
import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.policy.lexicon.CoinRefusal;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Meters of boards of coined terms. Terms, agents and boards are never labels: whatever is coined,
 * the series stay the same.
 */
public final class LexiconMetrics {
  private static final Set<String> PUSH_RESULTS =
      Set.of(
          "acked",
          "unanswered",
          "older",
          "conflicting",
          "unsigned",
          "foreign_signature",
          "malformed",
          "impossible",
          "too_large",
          "wrong_agent",
          "storage");
  private static final Set<String> REJECTIONS =
      Stream.of(
              Stream.of(CoinRefusal.Reason.values()).map(CoinRefusal.Reason::code),
              Stream.of(
                      Cause.BOARD_FULL,
                      Cause.NOT_HEARD,
                      Cause.TERM_NOT_SEEN,
                      Cause.TERM_RETIRED,
                      Cause.TOO_MANY_LINES)
                  .map(Cause::code),
              Stream.of("challenge_invalid", "repair_invalid", "turn_known"))
          .flatMap(codes -> codes)
          .collect(Collectors.toSet());
  private static final Set<String> CALLS =
      Set.of(
          "done",
          "lexicon_off",
          "bad_turn",
          "board_unknown",
          "board_full",
          "board_changed",
          "term_taken",
          "term_unknown",
          "term_waits",
          "term_retired",
          "too_few_uses",
          "plan_unknown",
          "instead_unknown",
          "plan_invalid",
          "plan_conflict",
          "revision_conflict",
          "ledger_unavailable",
          "store_unavailable");
  private static final List<String> VISIBILITIES = List.of("public", "faction");
  private static final List<String> STATUSES = List.of("waiting", "active", "contested", "retired");

  private final MeterRegistry registry;
  private final Counters pushes;
  private final Counters reuse;
  private final Counters rejections;
  private final Counters turns;
  private final Map<String, Counters> calls = new HashMap<>();

  LexiconMetrics(MeterRegistry registry) {
    this.registry = registry;
    pushes =
        counters(
            "parlance.control.board.pushes", "Board pushes, by result", "result", PUSH_RESULTS);
    reuse =
        counters(
            "parlance.control.lexicon.reuse",
            "Uses of coined terms, one a turn and term, in turns that this replica put on the"
                + " ledger",
            "channel",
            Set.copyOf(VISIBILITIES));
    rejections =
        counters(
            "parlance.control.lexicon.rejected",
            "Lines of turns that coin, challenge or repair nothing",
            "reason",
            REJECTIONS);
    turns =
        counters(
            "parlance.control.lexicon.turns",
            "Turns that sidecars reported",
            "result",
            Set.of("coined", "counted", "repeated", "ignored", "retracted"));
    for (String call :
        Set.of("coin", "report", "retract", "review", "share", "promote", "retire")) {
      calls.put(
          call,
          counters(
              "parlance.control.lexicon." + call,
              "Calls about boards that write, by result",
              "result",
              CALLS));
    }
  }

  private Counters counters(String name, String description, String label, Set<String> values) {
    return new Counters(registry, name, description, label, values);
  }

  /**
   * Shows how many boards and terms there are.
   *
   * @param terms of a visibility ({@code public} or {@code faction}) and a status
   */
  public void bind(Supplier<Number> boards, BiFunction<String, String, Number> terms) {
    Gauge.builder("parlance.control.lexicon.boards", boards)
        .description("Boards of coined terms, over all replicas")
        .register(registry);
    for (String visibility : VISIBILITIES) {
      for (String status : STATUSES) {
        Gauge.builder("parlance.lexicon.terms", () -> terms.apply(visibility, status))
            .description("Coined terms of all boards")
            .tag("visibility", visibility)
            .tag("status", status)
            .register(registry);
      }
    }
  }

  /** A board push ended: {@code acked}, {@code unanswered}, or the sidecar's reason. */
  public void push(String result) {
    pushes.count(result);
  }

  /** Terms were used on a channel. */
  public void reused(boolean isPublic, int terms) {
    reuse.count(isPublic ? VISIBILITIES.getFirst() : VISIBILITIES.getLast(), terms);
  }

  /** A line does not count. */
  public void rejected(String reason) {
    rejections.count(reason);
  }

  /** Turns of sidecars: coined, counted, repeated, ignored. */
  public void turns(String result, int howMany) {
    turns.count(result, howMany);
  }

  /** A call that writes: done, or the reason it was refused for. */
  public void counted(String call, String result) {
    Counters counters = calls.get(call);
    if (counters == null) {
      throw new IllegalArgumentException("no meter of " + call);
    }
    counters.count(result);
  }
}
