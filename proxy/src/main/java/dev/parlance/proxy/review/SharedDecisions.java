package dev.parlance.proxy.review;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What persons decide, where the sidecars of both agents of a message are to know it: what was
 * decided here, until the control plane has it, and what was decided elsewhere, for as long as it
 * holds. A decision is believed of messages between its two agents alone. Memory is bounded: of
 * more than {@value #MAX_HEARD} texts some are forgotten, and judged anew. For any thread.
 */
public final class SharedDecisions {
  /** Most texts that were decided about elsewhere. */
  static final int MAX_HEARD = 10_000;

  /** Most decisions that are said on one stream: as many as the control plane keeps. */
  private static final int MAX_SAID = 1_000;

  private static final int MAX_TAKEN = 20_000;

  /** How long a message waits for the decision that is said to have been made on it. */
  private static final int AWAIT_MS = 2_000;

  private static final int MAX_AWAITED = 256;

  private final String agent;
  private final Function<String, Optional<String>> agents;
  private final ReviewQueue queue;
  private final LongSupplier clockMs;
  private final Events events;
  private final Cache<Text, Heard> heard =
      Caffeine.newBuilder().maximumSize(MAX_HEARD).executor(Runnable::run).build();
  private final Cache<String, Boolean> taken =
      Caffeine.newBuilder().maximumSize(MAX_TAKEN).executor(Runnable::run).build();
  private final Map<Text, CompletableFuture<Boolean>> awaited = new ConcurrentHashMap<>();
  private volatile Consumer<Decided> say = _ -> {};

  /**
   * A decision on its way.
   *
   * @param item id of the message where it was made
   * @param agent the agent opposite to where this is known: of what is said, whom it concerns; of
   *     what was heard, beside whose sidecar it was made
   * @param texts keys of the text in its conversations
   * @param forMs how long it holds from now
   * @param note what the person wrote to it
   */
  public record Decided(
      String item, String agent, List<String> texts, boolean approved, long forMs, String note) {}

  /** A text, or a message by its id, that was decided about beside an agent. */
  private record Text(String by, String key) {}

  private record Heard(TextDecision decision, long untilMs) {}

  /** What is counted and logged. */
  public interface Events {
    /** Something became of a decision: said, taken, refused, heard, followed. */
    void counted(String event);

    /**
     * A message that waited here is decided as it was elsewhere.
     *
     * @param who in whose name
     */
    void settled(ReviewItem item, String who);
  }

  /**
   * Nothing has been heard.
   *
   * @param agent id of the local agent
   * @param agents which agent listens where
   */
  public SharedDecisions(
      String agent,
      Function<String, Optional<String>> agents,
      ReviewQueue queue,
      LongSupplier clockMs,
      Events events) {
    this.agent = agent;
    this.agents = agents;
    this.queue = queue;
    this.clockMs = clockMs;
    this.events = events;
    queue.listen((_, now) -> {
      if (now.settledAtMs().isEmpty() && now.decision().isPresent()) {
        decided(now).ifPresent(this::say);
      }
    });
  }

  /** Id of the local agent. */
  public String agent() {
    return agent;
  }

  /** The agent that listens there, if that is known. */
  public Optional<String> agentAt(String authority) {
    return agents.apply(authority);
  }

  // ---- what was decided here ----

  /** Says where decisions go; may not wait. */
  public void saysTo(Consumer<Decided> out) {
    say = out;
  }

  /** What was decided here and holds, and nobody has said to have taken. */
  public List<Decided> untaken() {
    return queue
        .list(EnumSet.complementOf(EnumSet.of(ReviewState.PENDING)), Integer.MAX_VALUE)
        .stream()
        .flatMap(item -> decided(item).stream())
        .limit(MAX_SAID)
        .toList();
  }

  /** The control plane has it, or will not have it: it is not said again. */
  public void taken(String item, boolean refused) {
    taken.put(item, true);
    events.counted(refused ? "refused" : "taken");
  }

  private void say(Decided decided) {
    events.counted("said");
    say.accept(decided);
  }

  /** The decision on an item, if the sidecar opposite is to know it. */
  private Optional<Decided> decided(ReviewItem item) {
    Optional<HeldMessage.Shared> shared = item.message().origin().keys().shared();
    if (shared.isEmpty() || item.isWithdrawn() || taken.getIfPresent(item.id()) != null) {
      return Optional.empty();
    }
    ReviewItem.Decision made = item.decision().orElseThrow();
    long forMs = queue.limits().approvedForMs() - (clockMs.getAsLong() - made.atMs());
    return forMs < 1 || made.who().equals(who(shared.get().peer()))
        ? Optional.empty()
        : Optional.of(
            new Decided(
                item.id(),
                shared.get().peer(),
                shared.get().texts(),
                made.verdict() == Verdict.RELEASE,
                forMs,
                made.note()));
  }

  // ---- what was decided elsewhere ----

  /** A decision was made at another sidecar; what waits here for the same is decided by it. */
  public void hear(Decided decided) {
    events.counted("heard");
    long nowMs = clockMs.getAsLong();
    var decision =
        new TextDecision(
            decided.item(),
            decided.approved() ? Verdict.RELEASE : Verdict.REJECT,
            decided.note(),
            nowMs);
    Heard holds = new Heard(decision, nowMs + decided.forMs());
    decided.texts().forEach(text -> heard.put(new Text(decided.agent(), text), holds));
    Text item = new Text(decided.agent(), decided.item());
    heard.put(item, holds);
    Optional.ofNullable(awaited.get(item)).ifPresent(waits -> waits.complete(true));
    queue.waiting().forEach(this::settle);
  }

  /** True if anything was heard. */
  public boolean hasHeard() {
    return heard.estimatedSize() > 0;
  }

  /**
   * The decision that holds for a text: that of the agent opposite's sidecar, else one of another
   * sidecar of the local agent.
   *
   * @param peer the agent opposite
   */
  public Optional<TextDecision> decided(String peer, String text) {
    return heard(peer, text).or(() -> heard(agent, text));
  }

  /**
   * The decision on a message that is held at the sidecar of the agent opposite.
   *
   * @param item its id there
   */
  public Optional<TextDecision> decidedItem(String peer, String item) {
    return heard(peer, item);
  }

  /**
   * Waits for the decision on such a message, which may be on its way.
   *
   * @return completes when it is there, and within {@value #AWAIT_MS} ms
   */
  public CompletableFuture<Boolean> await(String peer, String item) {
    if (awaited.size() >= MAX_AWAITED) {
      return CompletableFuture.completedFuture(false);
    }
    Text key = new Text(peer, item);
    CompletableFuture<Boolean> waits =
        awaited.computeIfAbsent(
            key,
            _ ->
                new CompletableFuture<Boolean>()
                    .completeOnTimeout(false, AWAIT_MS, TimeUnit.MILLISECONDS));
    if (decidedItem(peer, item).isPresent()) {
      waits.complete(true); // it came in between
    }
    return waits.whenComplete((_, _) -> awaited.remove(key, waits));
  }

  private Optional<TextDecision> heard(String by, String text) {
    return Optional.ofNullable(heard.getIfPresent(new Text(by, text)))
        .filter(found -> clockMs.getAsLong() < found.untilMs())
        .map(Heard::decision);
  }

  /** Decides about a message that was held while its decision was on its way, if there is one. */
  public void settle(String id) {
    queue.find(id).filter(item -> item.state() == ReviewState.PENDING).ifPresent(this::settle);
  }

  private void settle(ReviewItem item) {
    Optional<HeldMessage.Shared> shared = item.message().origin().keys().shared();
    Optional<TextDecision> found =
        shared.flatMap(keys ->
            keys.texts().stream()
                .map(text -> decided(keys.peer(), text))
                .flatMap(Optional::stream)
                .findFirst());
    if (found.isEmpty()) {
      return;
    }
    String who = who(shared.get().peer());
    String note = "as " + found.get().id() + " there";
    CompletableFuture<?> _ =
        (found.get().approved()
                ? queue.release(item.id(), who, note)
                : queue.reject(item.id(), who, note))
            .thenAccept(result -> {
              if (result instanceof StepResult.Done(ReviewItem now)) {
                events.settled(now, who);
              }
            });
  }

  /** In whose name a message is decided as it was elsewhere. */
  private static String who(String peer) {
    return "(a reviewer beside " + peer + ")";
  }
}
