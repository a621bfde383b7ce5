package dev.parlance.proxy.lexicon;

import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.policy.text.Tokens;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.gate.CompiledCore;
import dev.parlance.proxy.gate.Gate.GovernedKeys;
import dev.parlance.proxy.gate.Lexicons.Coining;
import dev.parlance.proxy.gate.Lexicons.Conversation;
import dev.parlance.proxy.gate.Lexicons.Digest;
import dev.parlance.proxy.gate.Lexicons.Events;
import dev.parlance.proxy.gate.Lexicons.Group;
import dev.parlance.proxy.gate.Lexicons.HeldBoard;
import dev.parlance.proxy.gate.Lexicons.Known;
import dev.parlance.proxy.gate.Lexicons.Spoken;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import dev.parlance.proxy.gate.Lexicons.Used;
import dev.parlance.service.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A conversation and the newest board of it that was seen. */
final class HeldConversation implements Conversation {
  /** So long is waited before it is looked again whether a leak is on the ledger. */
  private static final int LEAK_PAUSE_MS = 50;

  /** Most turns with lines that are known when they are said again. */
  private static final int MAX_PASSED = 32;

  /** Most speakers for whom the terms that they see are made ready. */
  private static final int MAX_SPEAKERS = 16;

  /** So long nobody is asked again for a board as new as there was none, or nobody answered. */
  private static final long ASK_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);

  /**
   * What all conversations of a sidecar share.
   *
   * @param agent id of the local agent
   * @param timeoutMs longest that a message waits for the ledger
   * @param early the turns that there were before a board
   * @param journal of the turns that are on their way to the ledger
   * @param matchers of boards' terms and those of cores
   * @param promoted is told of each board's terms that are in plans
   * @param groups empty until the control plane has named them
   */
  record Shared(
      String agent,
      int timeoutMs,
      LexiconControl control,
      TurnReports reports,
      EarlyTurns early,
      Retractions retractions,
      TurnJournal journal,
      TermReviews reviews,
      Events events,
      JointMatchers matchers,
      BiConsumer<String, List<PromotedTerms.InPlan>> promoted,
      Supplier<Optional<List<Group>>> groups) {}

  /** What the words of each speaker are looked through for. */
  private record Words(long revision, Set<TermRef> leaked, Map<String, CoinedWords> bySpeaker) {
    Words(HeldBoard held) {
      this(held.revision(), held.leaked(), new ConcurrentHashMap<>());
    }

    boolean isOf(HeldBoard now) {
      return revision == now.revision() && leaked.equals(now.leaked());
    }
  }

  /** What the local agent is shown of a board. */
  private record Shown(long revision, GovernedKeys governed, Known known) {
    boolean isOf(HeldBoard now, GovernedKeys others) {
      return revision == now.revision() && governed.equals(others);
    }
  }

  private final Shared shared;
  private final String id;
  private final AtomicLong number = new AtomicLong();
  private final String board;
  private volatile Optional<HeldBoard> document = Optional.empty();
  private volatile boolean wasAsked;

  /** So many changes nobody has on the board, by what was said last; none are asked for soon. */
  private long unmet = Long.MAX_VALUE;

  private long unmetNs;
  private Optional<CompletableFuture<HeldBoard>> asking = Optional.empty();

  /** Those of who has spoken since the board changed. */
  private volatile Words words;

  private volatile Shown shown = new Shown(0, new GovernedKeys(List.of()), new Known("", 0));

  /** What became of the lines of turns that have passed, the last one last. */
  private final Map<Digest, Set<Integer>> passed =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Digest, Set<Integer>> eldest) {
          return size() > MAX_PASSED;
        }
      };

  HeldConversation(Shared shared, String id, String board) {
    this.shared = shared;
    this.id = id;
    this.board = board;
    saw(shared.early().highest(board));
    this.words = new Words(HeldBoard.none(board, List.of()));
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String board() {
    return board;
  }

  @Override
  public HeldBoard held() {
    return document.orElseGet(() -> HeldBoard.none(board, shared.groups().get().orElse(List.of())));
  }

  @Override
  public Used used(String speaker, Utf8Span text, Optional<CompiledCore> core) {
    Optional<HeldBoard> now = document;
    if (now.isEmpty()) {
      return Used.NOTHING;
    }
    Words last = words;
    CoinedWords coined = last.isOf(now.get()) ? last.bySpeaker().get(speaker) : null;
    return (coined == null ? prepared(now.get(), speaker, last) : coined)
        .in(text, core, shared.matchers());
  }

  /** Mostly all see the same terms, and as a rule a new board has those of the one before. */
  private CoinedWords prepared(HeldBoard now, String speaker, Words last) {
    CoinedWords coined =
        CoinedWords.of(now.readableBy(speaker), speaker, last.bySpeaker().values());
    Words next = last.isOf(now) && last.bySpeaker().size() < MAX_SPEAKERS ? last : new Words(now);
    next.bySpeaker().put(speaker, coined);
    words = next;
    return coined;
  }

  @Override
  public synchronized void leaked(Set<TermRef> terms) {
    document = document.map(now -> now.with(terms));
  }

  @Override
  public Known known(GovernedKeys governed) {
    HeldBoard now = held();
    Shown last = shown;
    if (!last.isOf(now, governed)) {
      String block =
          KnownTerms.forPrompt(
                  now.shownTo(shared.agent()),
                  key ->
                      governed.has(
                          key, now.document().flatMap(board -> PromotedTerms.domain(board, key))))
              .text();
      last = new Shown(now.revision(), governed, new Known(block, Tokens.of(block).size()));
      shown = last;
    }
    return last.known();
  }

  @Override
  public boolean wasAsked() {
    return wasAsked;
  }

  @Override
  public long next() {
    return number.incrementAndGet();
  }

  @Override
  public void saw(long heard) {
    long _ = number.accumulateAndGet(heard, Math::max);
  }

  @Override
  public synchronized Optional<Set<Integer>> passed(Digest turn) {
    return Optional.ofNullable(passed.get(turn));
  }

  @Override
  public synchronized void pass(Digest turn, Set<Integer> lines) {
    passed.putIfAbsent(turn, Set.copyOf(lines));
  }

  /** True unless the one in force is as new. */
  synchronized boolean take(HeldBoard newer) {
    if (newer.revision() <= held().revision()) {
      return false;
    }
    document = Optional.of(newer.with(held().leaked()));
    shared.early().handOver(board).forEach(shared.reports()::add);
    saw(newer.number());
    newer
        .document()
        .ifPresent(board -> shared.promoted().accept(this.board, PromotedTerms.of(board)));
    shared.reviews().settle(newer);
    return true;
  }

  @Override
  public CompletableFuture<HeldBoard> atLeast(long changes) {
    if (wasAsked && held().changes() >= changes) {
      return CompletableFuture.completedFuture(held());
    }
    CompletableFuture<Result<HeldBoard>> reply;
    CompletableFuture<HeldBoard> result = new CompletableFuture<>();
    synchronized (this) {
      if (asking.isPresent()) {
        // What is under way may have been answered before the change.
        return asking
            .get()
            .thenCompose(now ->
                now.changes() >= changes
                    ? CompletableFuture.completedFuture(now)
                    : atLeast(changes));
      }
      if (held().changes() >= changes && held().revision() > 0) {
        return CompletableFuture.completedFuture(held());
      }
      if (changes >= unmet && System.nanoTime() - unmetNs < ASK_AGAIN_NS) {
        return CompletableFuture.completedFuture(held());
      }
      asking = Optional.of(result);
      reply = shared.control().board(board);
    }
    var _ =
        reply.thenAccept(answer -> {
          answered(answer, changes);
          result.complete(held());
        });
    return result;
  }

  private synchronized void answered(Result<HeldBoard> answer, long wanted) {
    asking = Optional.empty();
    boolean silent = false;
    switch (answer) {
      case Result.Done<HeldBoard>(HeldBoard newer) -> {
        wasAsked = true;
        boolean _ = take(newer);
      }
      case Result.Refused<HeldBoard>(Result.Kind kind, String _, String _) -> {
        silent = kind != Result.Kind.NOT_FOUND;
        wasAsked |= !silent;
      }
    }
    if (silent || held().changes() < wanted) {
      unmet = wanted;
      unmetNs = System.nanoTime();
    }
  }

  @Override
  public CompletableFuture<Coining> coin(TurnReport turn, boolean whole) {
    // Nobody has heard it yet, and who is killed before the reply comes takes it back.
    return coin(
        turn,
        () ->
            shared
                .journal()
                .begin(turn)
                .thenCompose(_ -> shared.control().coin(turn, whole))
                .thenCompose(result -> shared.journal().end(turn.digest()).thenApply(_ -> result)));
  }

  @Override
  public CompletableFuture<Coining> bring(TurnReport turn) {
    return coin(turn, () -> shared.control().coin(turn, /* whole= */ false));
  }

  private CompletableFuture<Coining> coin(
      TurnReport turn, Supplier<CompletableFuture<Result<LexiconControl.Receipt>>> ledger) {
    if (shared.groups().get().isEmpty() && document.isEmpty()) {
      // Nobody knows who hears it: a faction's term must not be everybody's.
      return CompletableFuture.completedFuture(
          new Coining.Lost("control_unavailable", "the factions are not known yet"));
    }
    HeldBoard now = held();
    // A member's own turn may be the one that leaks the term: it waits for no other.
    Set<TermRef> contested =
        turn.facts().directives().stream()
            .flatMap(line -> line.term().stream())
            .filter(term -> !now.isSeen(turn.facts().speaker(), term))
            .collect(Collectors.toSet());
    long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(shared.timeoutMs());
    return shared
        .retractions()
        .stop(turn.digest())
        .thenCompose(_ -> onceLeaked(contested, untilNs))
        .thenCompose(_ -> ledger.get())
        .thenCompose(result -> held(turn, result))
        .thenApply(result ->
            switch (result) {
              case Result.Done<LexiconControl.Receipt>(LexiconControl.Receipt receipt) -> {
                receipt.board().ifPresent(this::take);
                receipt.refused().values().forEach(shared.events()::rejected);
                int uses = turn.facts().uses().size();
                if (uses > 0 && !receipt.accepted().isEmpty()) {
                  shared.events().reused(turn.facts().channel().isPublic(), uses);
                }
                yield new Coining.Entered(receipt.accepted(), receipt.refused());
              }
              case Result.Refused<LexiconControl.Receipt>(
                      Result.Kind _,
                      String reason,
                      String detail) -> {
                shared.events().rejected(reason);
                yield new Coining.Lost(reason, detail);
              }
            });
  }

  /** The reply, once those of the turn's terms that wait for a person do so in the queue. */
  private CompletableFuture<Result<LexiconControl.Receipt>> held(
      TurnReport turn, Result<LexiconControl.Receipt> result) {
    return result instanceof Result.Done<LexiconControl.Receipt>(LexiconControl.Receipt receipt)
            && receipt.board().isPresent()
        ? shared
            .reviews()
            .hold(turn, receipt.accepted(), receipt.board().get())
            .thenApply(_ -> result)
        : CompletableFuture.completedFuture(result);
  }

  @Override
  public void retract(TurnReport turn, CompletableFuture<Coining> coining) {
    synchronized (this) {
      passed.remove(turn.digest());
    }
    shared.retractions().add(turn, coining.whenComplete((_, _) -> shared.reviews().withdraw(turn)));
  }

  /**
   * Who is of no faction can contest a term of one only once the ledger has the turn that leaked
   * it, which is under way: it is waited for, for a while.
   */
  private CompletableFuture<HeldBoard> onceLeaked(Set<TermRef> terms, long untilNs) {
    HeldBoard now = held();
    if (System.nanoTime() - untilNs >= 0 || terms.stream().noneMatch(now.leaked()::contains)) {
      return CompletableFuture.completedFuture(now);
    }
    return shared
        .control()
        .board(board)
        .thenComposeAsync(
            answer -> {
              answered(answer, 0);
              return onceLeaked(terms, untilNs);
            },
            CompletableFuture.delayedExecutor(LEAK_PAUSE_MS, TimeUnit.MILLISECONDS));
  }

  /** Of a conversation without a board there are no turns; they are kept in case it gets one. */
  @Override
  public void count(Spoken turn) {
    if (turn.held().revision() > 0) {
      shared.reports().add(turn);
      return;
    }
    if (turn.isOfHeld()) {
      shared.reports().read(turn, this::keep);
      return;
    }
    var _ =
        atLeast(0)
            .thenAccept(now -> {
              if (now.revision() == 0) {
                shared.reports().read(turn, this::keep);
                return;
              }
              shared
                  .reports()
                  .add(
                      new Spoken(
                          now,
                          turn.digest(),
                          turn.number(),
                          turn.speaker(),
                          turn.channel(),
                          turn.text(),
                          true));
            });
  }

  private void keep(TurnReport turn) {
    synchronized (this) {
      if (document.isPresent()) {
        shared.reports().add(turn);
        return;
      }
      if (!shared.early().keep(id, turn)) {
        return;
      }
    }
    shared.early().write(id, turn);
  }
}
