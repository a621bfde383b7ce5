package dev.parlance.proxy.main;

import dev.parlance.policy.text.Coded;
import dev.parlance.proxy.admin.ReviewPort;
import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.ReviewSettings;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.lexicon.TermReviews;
import dev.parlance.proxy.metrics.MetricLabel.ReviewDecision;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewDesk;
import dev.parlance.proxy.review.ReviewEvent;
import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewFigures;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import dev.parlance.proxy.review.ReviewPolicy;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.review.StepResult;
import dev.parlance.service.Result;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** The review queue as the admin server sees it; every human action goes into the decision log. */
final class ReviewAdmin implements ReviewPort {
  private static final Logger LOG = LoggerFactory.getLogger(ReviewAdmin.class);
  private static final long DISK_TIMEOUT_S = 30;

  /** In whose name things happen that are a matter of time. */
  private static final String TIME = "(time)";

  /** In whose name another draft comes. */
  private static final String AUTHOR = "(its author)";

  private final ReviewQueue queue;
  private final ReviewDesk desk;
  private final Optional<TermReviews> terms;
  private final DecisionLog log;
  private final SidecarMetrics metrics;
  private final String node;
  private final LongSupplier clockMs;

  ReviewAdmin(
      ReviewQueue queue,
      ReviewDesk desk,
      Optional<TermReviews> terms,
      DecisionLog log,
      SidecarMetrics metrics,
      String node,
      LongSupplier clockMs) {
    this.queue = queue;
    this.desk = desk;
    this.terms = terms;
    this.log = log;
    this.metrics = metrics;
    this.node = node;
    this.clockMs = clockMs;
    queue.listen((event, now) -> event.ifPresent(moved -> moved(moved, now)));
  }

  /** Fleiss' kappa of what is remembered; 0 where it is not defined. */
  static double kappa(ReviewQueue queue) {
    return ReviewFigures.of(queue.all(), 0).agreement().fleiss().orElse(0);
  }

  /** How people decide; how many have to agree follows the routes in force. */
  static ReviewPolicy policy(ReviewSettings settings, Supplier<SidecarConfig> inForce) {
    return new ReviewPolicy(
        settings.undoMs(),
        settings.claimMs(),
        settings.second(),
        settings.escalate().stream()
            .map(step -> new ReviewPolicy.Escalation(step.afterMs(), step.to(), step.only()))
            .toList(),
        route ->
            inForce.get().routes().stream()
                .filter(rule -> rule.name().equals(route))
                .mapToInt(rule -> rule.review().people())
                .findFirst()
                .orElse(1));
  }

  /** What happens by time, and what comes of what people do. On the writer's thread. */
  private void moved(ReviewEvent event, ReviewItem now) {
    switch (event) {
      case ReviewEvent.Escalate(String to, _) -> {
        metrics.reviewEscalated();
        LOG.atWarn()
            .addKeyValue("review", now.id())
            .addKeyValue("route", now.message().origin().routeRule())
            .addKeyValue("to", to)
            .addKeyValue("escalations", now.deliberation().escalations())
            .log("nobody has decided a held message in time; it waits on");
        record(now, "escalate", TIME, to);
      }
      case ReviewEvent.Count _ ->
          now.decision().ifPresent(made -> record(now, "counts", made.who(), made.note()));
      case ReviewEvent.Redraft _ -> record(now, "redraft", AUTHOR, "");
      case ReviewEvent.Claim _,
          ReviewEvent.Unclaim _,
          ReviewEvent.Vote _,
          ReviewEvent.Undo _,
          ReviewEvent.Release _,
          ReviewEvent.Reject _,
          ReviewEvent.Deliver _,
          ReviewEvent.Expire _ -> {}
    }
    if (event instanceof ReviewEvent.Deliberating) {
      now.decision().ifPresent(made -> metrics.reviewDecision(metric(made.verdict())));
    }
  }

  private static ReviewDecision metric(Verdict verdict) {
    return switch (verdict) {
      case RELEASE -> ReviewDecision.RELEASED;
      case REJECT -> ReviewDecision.REJECTED;
      case SEND_BACK -> ReviewDecision.SENT_BACK;
    };
  }

  @Override
  public List<String> states() {
    return Arrays.stream(ReviewState.values()).map(Coded::code).toList();
  }

  private ReviewViews views(Optional<String> viewer) {
    return new ReviewViews(desk, viewer, clockMs.getAsLong());
  }

  @Override
  public Page list(Filter filter, Slice slice) {
    ReviewSearch search = new ReviewSearch(filter, clockMs.getAsLong());
    List<ReviewItem> found =
        search.of(queue.list(EnumSet.allOf(ReviewState.class), Integer.MAX_VALUE));
    List<ReviewItem> behind =
        found.stream()
            .filter(item ->
                slice.after().isEmpty()
                    || ReviewSearch.compareCursors(ReviewSearch.cursor(item), slice.after().get())
                        > 0)
            .limit(slice.limit() + 1L)
            .toList();
    List<ReviewItem> page = behind.subList(0, Math.min(slice.limit(), behind.size()));
    return new Page(
        views(slice.viewer()).previews(page),
        found.size(),
        behind.size() > slice.limit()
            ? Optional.of(ReviewSearch.cursor(page.getLast()))
            : Optional.empty(),
        slice.facets() ? Optional.of(search.facets(found)) : Optional.empty());
  }

  @Override
  public Optional<JsonNode> find(String id, Optional<String> viewer) {
    return queue.find(id).map(views(viewer)::whole);
  }

  @Override
  public Optional<byte[]> message(String id) {
    return queue
        .find(id)
        .filter(item ->
            switch (item.state()) {
              case PENDING, RELEASED -> true;
              case REJECTED, SENT_BACK, DELIVERED, EXPIRED -> false;
            })
        .map(item -> item.message().content().body());
  }

  @Override
  public List<String> identical(String id) {
    return queue.find(id).map(desk::identical).orElse(List.of()).stream()
        .map(ReviewItem::id)
        .toList();
  }

  @Override
  public JsonNode stats() {
    return ReviewViews.of(ReviewFigures.of(queue.all(), clockMs.getAsLong()));
  }

  @Override
  public Outcome act(String id, Act act) {
    return switch (act) {
      case Act.Claim(String who, Set<String> names, OptionalLong forMs) ->
          unasked(id, who, names, "claim")
              .orElseGet(() -> answer(id, who, "", "claim", desk.claim(id, who, forMs)));
      case Act.Unclaim(String who) -> answer(id, who, "", "unclaim", desk.unclaim(id, who));
      case Act.Undo(String who) -> answer(id, who, "", "undo", desk.undo(id, who));
      case Act.Decide decide ->
          unasked(id, decide.who(), decide.names(), decide.verdict())
              .orElseGet(() -> decide(id, decide));
    };
  }

  /** The refusal of a person who is not asked any more, since it went to others. */
  private Optional<Outcome> unasked(String id, String who, Set<String> names, String what) {
    return queue
        .find(id)
        .filter(item -> !desk.isAsked(item, names))
        .map(item -> {
          record(item, what + "_refused", who, "");
          return new Outcome.Unfit(views(Optional.of(who)).whole(item), "role_missing");
        });
  }

  private Outcome decide(String id, Act.Decide act) {
    Verdict verdict =
        Arrays.stream(Verdict.values())
            .filter(one -> one.code().equals(act.verdict()))
            .findFirst()
            .orElseThrow();
    Optional<ReviewItem> term =
        queue
            .find(id)
            .filter(item -> item.state() == ReviewState.PENDING)
            .filter(TermReviews::isTerm);
    return term.isPresent()
        ? decideTerm(term.get(), act, verdict)
        : answer(
            id,
            act.who(),
            act.note(),
            act.verdict(),
            desk.vote(id, act.who(), act.note(), verdict, act.undoMs()));
  }

  /** Decides about a term on the ledger first, which knows no undo. */
  private Outcome decideTerm(ReviewItem item, Act.Decide act, Verdict verdict) {
    if (verdict == Verdict.SEND_BACK) {
      return new Outcome.Failed(
          "not_for_terms", "a coined term is shared or retired; nothing was decided");
    }
    boolean share = verdict == Verdict.RELEASE;
    try {
      Optional<Outcome> instead = instead(item, share);
      if (instead.isPresent()) {
        return instead.get();
      }
      CompletableFuture<StepResult> voted =
          desk.vote(item.id(), act.who(), act.note(), verdict, OptionalLong.of(0));
      return answer(
          item.id(),
          act.who(),
          act.note(),
          act.verdict(),
          share ? voted.thenCompose(this::delivered) : voted);
    } finally {
      terms.ifPresent(all -> all.decided(item));
    }
  }

  /** A term that is shared reaches everybody by its board. */
  private CompletableFuture<StepResult> delivered(StepResult released) {
    return released instanceof StepResult.Done(ReviewItem item)
        ? queue.delivered(item.id())
        : CompletableFuture.completedFuture(released);
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
            new Outcome.Unfit(
                queue.find(item.id()).map(views(Optional.empty())::whole).orElseThrow(),
                "already_decided"));
      }
    };
  }

  private Outcome answer(
      String id, String who, String note, String what, CompletableFuture<StepResult> pending) {
    StepResult result;
    try {
      result = pending.orTimeout(DISK_TIMEOUT_S, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      return new Outcome.Failed(
          "queue_failed", "it was not written in time; look at it again before you act");
    }
    return switch (result) {
      case StepResult.Done(ReviewItem item) -> {
        record(item, what, who, note);
        yield new Outcome.Done(views(Optional.of(who)).whole(item));
      }
      case StepResult.Unfit(ReviewItem item, String code) -> {
        record(item, what + "_refused", who, note);
        yield new Outcome.Unfit(views(Optional.of(who)).whole(item), code);
      }
      case StepResult.NotFound() -> new Outcome.NotFound();
      case StepResult.Failed(String code) ->
          new Outcome.Failed(code, what + " of " + id + " could not be written and does not hold");
    };
  }

  private void record(ReviewItem item, String what, String who, String note) {
    log.append(
        new AuditEvent.ReviewActionEvent(
            clockMs.getAsLong(), node, item.id(), item.message().decisionId(), what, who, note));
  }
}
