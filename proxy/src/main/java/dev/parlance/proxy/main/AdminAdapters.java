package dev.parlance.proxy.main;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.proxy.admin.AdminPorts;
import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.audit.Replay;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.lexicon.TermReviews;
import dev.parlance.proxy.metrics.MetricLabel.ReviewDecision;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.review.SharedDecisions;
import dev.parlance.proxy.review.StepResult;
import dev.parlance.service.Result;
import dev.parlance.wire.api.RoundStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The stores of a sidecar as its admin server sees them. */
final class AdminAdapters {
  private AdminAdapters() {}

  /** The decision log as the admin server sees it. */
  record Decisions(DecisionLog log) implements AdminPorts.DecisionPort {
    /** Lines looked through, of all types. */
    private static final int DEPTH = 10_000;

    @Override
    public List<JsonNode> recent(int limit, Optional<String> route) {
      return log.recent(DEPTH).stream()
          .map(Decisions::tree)
          .filter(line -> line.path("type").asString("").equals("decision"))
          .filter(line ->
              route.isEmpty()
                  || line.path("route").asString("").equals(route.get())
                  || line.path("routeRule").asString("").equals(route.get()))
          .limit(limit)
          .toList();
    }

    @Override
    public Optional<JsonNode> find(String id) {
      return log.find(id).map(Decisions::tree);
    }

    @Override
    public Optional<Explanation> explain(String id) {
      return log.find(id)
          .map(Replay::of)
          .map(result ->
              switch (result) {
                case Replay.Result.Explained(var explanation) ->
                    new Explanation(tree(explanation.json()), explanation.text());
                case Replay.Result.Unreadable(String code, String detail) ->
                    new Explanation(
                        JsonMapper.shared()
                            .createObjectNode()
                            .put("error", code)
                            .put("detail", detail),
                        "this line cannot be explained: " + code + ", " + detail + "\n");
              });
    }

    /** The mapper is made when first asked for: most sidecars never are. */
    private static JsonNode tree(String line) {
      return JsonMapper.shared().readTree(line);
    }
  }

  /** What becomes of decisions that two sidecars share, as metrics and in the decision log. */
  record SharedReviews(DecisionLog log, SidecarMetrics metrics, String node)
      implements SharedDecisions.Events {
    @Override
    public void counted(String event) {
      metrics.sharedDecision(event);
    }

    @Override
    public void settled(ReviewItem item, String who) {
      boolean released = item.state() == ReviewItem.ReviewState.RELEASED;
      metrics.sharedDecision("settled");
      metrics.reviewDecision(released ? ReviewDecision.RELEASED : ReviewDecision.REJECTED);
      log.append(
          new AuditEvent.ReviewActionEvent(
              System.currentTimeMillis(),
              node,
              item.id(),
              item.message().decisionId(),
              released ? "release" : "reject",
              who,
              item.decision().map(ReviewItem.Decision::note).orElse("")));
    }
  }

  /**
   * The review queue as the admin server sees it; every human action goes into the decision log.
   */
  static final class Reviews implements AdminPorts.ReviewPort {
    private static final long DISK_TIMEOUT_S = 30;
    private static final int PREVIEW_BYTES = 512;
    private static final String OPEN = "open.";
    private static final String SETTLED = "settled.";

    private final ReviewQueue queue;
    private final Optional<TermReviews> terms;
    private final DecisionLog log;
    private final SidecarMetrics metrics;
    private final String node;
    private final LongSupplier clockMs;

    Reviews(
        ReviewQueue queue,
        Optional<TermReviews> terms,
        DecisionLog log,
        SidecarMetrics metrics,
        String node,
        LongSupplier clockMs) {
      this.queue = queue;
      this.terms = terms;
      this.log = log;
      this.metrics = metrics;
      this.node = node;
      this.clockMs = clockMs;
    }

    @Override
    public List<String> states() {
      return Arrays.stream(ReviewItem.ReviewState.values())
          .map(ReviewItem.ReviewState::code)
          .toList();
    }

    @Override
    public Page list(Filter filter, Optional<String> after, int limit) {
      Set<ReviewItem.ReviewState> wanted = EnumSet.allOf(ReviewItem.ReviewState.class);
      filter.state().ifPresent(code -> wanted.removeIf(other -> !other.code().equals(code)));
      List<ReviewItem> found =
          queue.list(wanted, Integer.MAX_VALUE).stream()
              .filter(item -> fits(filter, item))
              .sorted(Comparator.comparing(Reviews::cursor, Reviews::compareCursors))
              .toList();
      List<ReviewItem> behind =
          found.stream()
              .filter(item -> after.isEmpty() || compareCursors(cursor(item), after.get()) > 0)
              .limit(limit + 1L)
              .toList();
      List<ReviewItem> page = behind.subList(0, Math.min(limit, behind.size()));
      return new Page(
          page.stream().map(Reviews::preview).toList(),
          found.size(),
          behind.size() > limit ? Optional.of(cursor(page.getLast())) : Optional.empty());
    }

    /** Where an item stands in the list; what was decided since does not move the others. */
    private static String cursor(ReviewItem item) {
      return (item.state().isSettled() ? SETTLED : OPEN) + item.id();
    }

    private static int compareCursors(String one, String other) {
      boolean settled = one.startsWith(SETTLED);
      return settled != other.startsWith(SETTLED)
          ? Boolean.compare(settled, !settled)
          : settled ? other.compareTo(one) : one.compareTo(other);
    }

    private static boolean fits(Filter filter, ReviewItem item) {
      HeldMessage held = item.message();
      return filter.route().map(held.origin().routeRule()::equals).orElse(true)
          && filter
              .peer()
              .map(peer ->
                  held.origin().caller().contains(peer)
                      || held.origin().destination().contains(peer))
              .orElse(true)
          && filter.reason().map(held.cause().reasons()::contains).orElse(true)
          && held.heldAtMs() >= filter.sinceMs().orElse(0)
          && filter
              .text()
              .map(text ->
                  holds(held.content().question(), text) || holds(held.content().answer(), text))
              .orElse(true);
    }

    private static boolean holds(byte[] utf8, String part) {
      String text = new String(utf8, StandardCharsets.UTF_8);
      return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }

    @Override
    public Optional<JsonNode> find(String id) {
      return queue.find(id).map(Reviews::view);
    }

    @Override
    public Optional<byte[]> message(String id) {
      return queue
          .find(id)
          .filter(item ->
              switch (item.state()) {
                case PENDING, RELEASED -> true;
                case REJECTED, DELIVERED, EXPIRED -> false;
              })
          .map(item -> item.message().content().body());
    }

    @Override
    public Outcome release(String id, String who, String note) {
      return onLedger(
          id,
          true,
          term ->
              decide(
                  id,
                  who,
                  note,
                  "release",
                  ReviewDecision.RELEASED,
                  term
                      ? queue.release(id, who, note).thenCompose(this::delivered)
                      : queue.release(id, who, note)));
    }

    /** A term that is shared reaches everybody by its board. */
    private CompletableFuture<StepResult> delivered(StepResult released) {
      return released instanceof StepResult.Done(ReviewItem item)
          ? queue.delivered(item.id())
          : CompletableFuture.completedFuture(released);
    }

    @Override
    public Outcome reject(String id, String who, String note) {
      return onLedger(
          id,
          false,
          _ ->
              decide(
                  id, who, note, "reject", ReviewDecision.REJECTED, queue.reject(id, who, note)));
    }

    /**
     * Decides about a term on the ledger first.
     *
     * @param decide decides in the queue; told whether it is about a term
     */
    private Outcome onLedger(String id, boolean share, Function<Boolean, Outcome> decide) {
      Optional<ReviewItem> term =
          queue
              .find(id)
              .filter(item -> item.state() == ReviewItem.ReviewState.PENDING)
              .filter(TermReviews::isTerm);
      if (term.isEmpty()) {
        return decide.apply(false);
      }
      try {
        return instead(term.get(), share).orElseGet(() -> decide.apply(true));
      } finally {
        terms.ifPresent(all -> all.decided(term.get()));
      }
    }

    /** What became of a term instead; empty if the ledger says so, too. */
    private Optional<Outcome> instead(ReviewItem item, boolean share) {
      Result<Boolean> shared =
          terms
              .map(boards -> boards.decide(item, share).join())
              .orElseGet(() ->
                  Result.refused(
                      Result.Kind.UNAVAILABLE, "control_unavailable", "no control plane is set"));
      return switch (shared) {
        case Result.Refused<Boolean>(Result.Kind _, String code, String message) ->
            Optional.of(new Outcome.Failed(code, message + "; nothing was decided"));
        case Result.Done<Boolean>(Boolean now) when now == share -> Optional.empty();
        case Result.Done<Boolean>(Boolean now) -> {
          TermReviews.settle(queue, item, now);
          yield Optional.of(
              new Outcome.AlreadyDecided(queue.find(item.id()).map(Reviews::view).orElseThrow()));
        }
      };
    }

    private Outcome decide(
        String id,
        String who,
        String note,
        String what,
        ReviewDecision decision,
        CompletableFuture<StepResult> pending) {
      StepResult result;
      try {
        result = pending.orTimeout(DISK_TIMEOUT_S, TimeUnit.SECONDS).join();
      } catch (CompletionException e) {
        return new Outcome.Failed(
            "queue_failed",
            "the decision was not written in time; look at it again before you act");
      }
      return switch (result) {
        case StepResult.Done(ReviewItem item) -> {
          metrics.reviewDecision(decision);
          record(item, what, who, note);
          yield new Outcome.Done(view(item));
        }
        case StepResult.Unfit(ReviewItem item) -> {
          record(item, what + "_refused", who, note);
          yield new Outcome.AlreadyDecided(view(item));
        }
        case StepResult.NotFound() -> new Outcome.NotFound();
        case StepResult.Failed(String code) ->
            new Outcome.Failed(
                code, "the decision on " + id + " could not be written and does not hold");
      };
    }

    private void record(ReviewItem item, String what, String who, String note) {
      log.append(
          new AuditEvent.ReviewActionEvent(
              clockMs.getAsLong(), node, item.id(), item.message().decisionId(), what, who, note));
    }

    /** As {@link #view}, with long texts cut: a list of a full queue must not fill the memory. */
    private static JsonNode preview(ReviewItem item) {
      return view(item, PREVIEW_BYTES);
    }

    private static JsonNode view(ReviewItem item) {
      return view(item, Integer.MAX_VALUE);
    }

    private static String text(byte[] utf8, int mostBytes) {
      return utf8.length <= mostBytes
          ? new String(utf8, StandardCharsets.UTF_8)
          : new String(utf8, 0, mostBytes, StandardCharsets.UTF_8) + "...";
    }

    private static JsonNode view(ReviewItem item, int mostTextBytes) {
      HeldMessage held = item.message();
      ObjectNode view = JsonNodeFactory.instance.objectNode();
      view.put("id", item.id());
      view.put("state", item.state().code());
      view.put("heldAtMs", held.heldAtMs());
      view.put("direction", held.origin().direction());
      view.put("kind", held.origin().kind().code());
      view.put("protocol", held.origin().protocol());
      view.put("routeRule", held.origin().routeRule());
      view.put("flow", held.origin().flow());
      view.put("caller", held.origin().caller());
      view.put("destination", held.origin().destination());
      view.put("status", held.content().status());
      view.put("contentType", held.content().contentType());
      view.put("asp", held.cause().asp());
      view.put("attempts", held.cause().attempts());
      view.put("decisionId", held.decisionId());
      view.put("question", text(held.content().question(), mostTextBytes));
      view.put("answer", text(held.content().answer(), mostTextBytes));
      if (mostTextBytes == Integer.MAX_VALUE) {
        HeldMessage.Material material = held.content().material();
        material.drafts().forEach(view.withArray("/drafts")::add);
        material
            .evidence()
            .forEach(chunk ->
                view.withArray("/evidence")
                    .addObject()
                    .put("id", chunk.name())
                    .put("text", chunk.value()));
      }
      view.put("bodyBytes", held.content().body().length);
      held.cause().reasons().forEach(view.withArray("/reasons")::add);
      if (!held.cause().verdictJson().isEmpty()) {
        view.set("verdict", JsonMapper.shared().readTree(held.cause().verdictJson()));
      }
      item.decision()
          .ifPresent(decision ->
              view.putObject("decision")
                  .put("who", decision.who())
                  .put("note", decision.note())
                  .put("atMs", decision.atMs()));
      item.settledAtMs().ifPresent(atMs -> view.put("settledAtMs", atMs));
      return view;
    }
  }

  /** Rounds for the admin server, in the form in which answers tell of them. */
  record RoundsAsked(Rounds rounds) implements AdminPorts.RoundsPort {
    @Override
    public Answer find(String round, long epoch) {
      return switch (rounds.status(new RoundId(round, epoch)).join()) {
        case Rounds.Known(RoundStatus status, Optional<String> subject) ->
            new Answer.Found(json(status, subject));
        case Rounds.Refused(String code, String detail) -> new Answer.Refused(code, detail);
        case Rounds.Unavailable(String detail) -> new Answer.Unavailable(detail);
      };
    }

    private static JsonNode json(RoundStatus status, Optional<String> subject) {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("round", status.id().round()).put("epoch", status.id().epoch());
      json.put("state", status.state()).put("leftMs", status.leftMs());
      subject.ifPresent(hex -> json.put("subjectSha256", hex));
      status
          .ended()
          .ifPresent(ended -> {
            ObjectNode outcome = json.putObject("outcome").put("kind", ended.kind());
            ended.reason().ifPresent(reason -> outcome.put("reason", reason));
            ended.verdict().ifPresent(verdict -> outcome.put("verdict", verdict));
            ended.digest().ifPresent(digest -> outcome.put("digest", digest));
            outcome.put("note", ended.note());
          });
      return json;
    }
  }
}
