package dev.parlance.proxy.lexicon;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The boards that a sidecar holds, one for each conversation that it has seen lately, and how it
 * asks for newer ones. Bounded: the one used longest ago is forgotten, and asked for when its
 * conversation goes on.
 */
public final class SidecarLexicon implements Lexicons, AutoCloseable {
  /** Most destinations of which is remembered who counts there. */
  private static final int MAX_DESTINATIONS = 1_024;

  /** So long nobody is asked again for a board that there was not. */
  private static final long ASK_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Bounds.
   *
   * @param agent id of the local agent
   * @param boards most boards held
   * @param queue most turns that wait to be reported
   * @param reportMs longest that one waits for others
   */
  public record Settings(String agent, int boards, int queue, int reportMs) {}

  private final String agent;
  private final LexiconControl control;
  private final Function<String, Optional<String>> agents;
  private final TurnReports reports;
  private final Cache<String, Talk> talks;
  private final Cache<String, Opposite> destinations =
      Caffeine.newBuilder().maximumSize(MAX_DESTINATIONS).executor(Runnable::run).build();
  private volatile List<Group> groups = List.of();

  /**
   * Without a board.
   *
   * @param agents which agent listens where
   */
  public SidecarLexicon(
      Settings settings, LexiconControl control, Function<String, Optional<String>> agents) {
    this(settings, control, agents, new NoEvents());
  }

  SidecarLexicon(
      Settings settings,
      LexiconControl control,
      Function<String, Optional<String>> agents,
      TurnReports.Events events) {
    this.agent = settings.agent();
    this.control = control;
    this.agents = agents;
    this.reports = new TurnReports(control, settings.queue(), settings.reportMs(), events);
    this.talks =
        Caffeine.newBuilder()
            .maximumSize(settings.boards())
            .executor(Runnable::run)
            .evictionListener((@Nullable String board, @Nullable Talk _, RemovalCause _) -> {
              if (board != null) {
                control.drop(board);
              }
            })
            .build();
    control.onPush(this::pushed);
  }

  /** Nobody listens. */
  private static final class NoEvents implements TurnReports.Events {
    @Override
    public void counted(List<TurnReport> turns) {}

    @Override
    public void dropped(String reason, int turns) {}
  }

  @Override
  public Optional<Conversation> conversation(String id) {
    String board = Lexicons.boardOf(id);
    Talk known = talks.getIfPresent(board);
    if (known != null) {
      return Optional.of(known);
    }
    Talk fresh = new Talk(id, new HeldBoard(board, groups, Optional.empty()));
    Talk raced = talks.asMap().putIfAbsent(board, fresh);
    if (raced != null) {
      return Optional.of(raced);
    }
    control.want(board, 0);
    return Optional.of(fresh);
  }

  @Override
  public String agent() {
    return agent;
  }

  @Override
  public Optional<String> agentAt(String authority) {
    return agents.apply(authority);
  }

  @Override
  public Opposite opposite(String authority) {
    return Optional.ofNullable(destinations.getIfPresent(authority)).orElse(Opposite.UNKNOWN);
  }

  @Override
  public void met(String authority, Opposite how) {
    if (opposite(authority) != how) {
      destinations.put(authority, how);
    }
  }

  private LexiconControl.Taken pushed(HeldBoard board) {
    groups = board.groups();
    return Optional.ofNullable(talks.getIfPresent(board.id()))
        .map(talk -> talk.take(board) ? LexiconControl.Taken.IN_FORCE : LexiconControl.Taken.OLDER)
        .orElse(LexiconControl.Taken.UNWANTED);
  }

  /** A conversation and the newest board of it that was seen. */
  private final class Talk implements Conversation {
    private final String id;
    private final AtomicLong number = new AtomicLong();
    private volatile HeldBoard held;
    private volatile boolean wasAsked;
    private long askedNs;
    private Optional<CompletableFuture<HeldBoard>> asking = Optional.empty();

    Talk(String id, HeldBoard held) {
      this.id = id;
      this.held = held;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public String board() {
      return held.id();
    }

    @Override
    public HeldBoard held() {
      return held;
    }

    @Override
    public long next() {
      return number.incrementAndGet();
    }

    @Override
    public void saw(long heard) {
      long _ = number.accumulateAndGet(heard, Math::max);
    }

    /** True unless the one in force is as new. */
    synchronized boolean take(HeldBoard newer) {
      if (newer.revision() <= held.revision()) {
        return false;
      }
      held = newer;
      saw(newer.number());
      return true;
    }

    @Override
    public CompletableFuture<HeldBoard> atLeast(long changes) {
      if (wasAsked && held.changes() >= changes) {
        return CompletableFuture.completedFuture(held);
      }
      CompletableFuture<Result<HeldBoard>> reply;
      CompletableFuture<HeldBoard> result = new CompletableFuture<>();
      synchronized (this) {
        if (asking.isPresent()) {
          return asking.get();
        }
        if (held.changes() >= changes && held.revision() > 0) {
          return CompletableFuture.completedFuture(held);
        }
        if (wasAsked && System.nanoTime() - askedNs < ASK_AGAIN_NS && held.changes() > 0) {
          return CompletableFuture.completedFuture(held);
        }
        asking = Optional.of(result);
        askedNs = System.nanoTime();
        reply = control.board(held.id());
      }
      var _ =
          reply.thenAccept(answer -> {
            answered(answer);
            result.complete(held);
          });
      return result;
    }

    private synchronized void answered(Result<HeldBoard> answer) {
      asking = Optional.empty();
      switch (answer) {
        case Result.Done<HeldBoard>(HeldBoard board) -> {
          wasAsked = true;
          groups = board.groups();
          boolean _ = take(board);
        }
        case Result.Refused<HeldBoard>(Result.Kind kind, String _, String _) ->
            wasAsked |= kind == Result.Kind.NOT_FOUND;
      }
    }

    @Override
    public CompletableFuture<Coining> coin(TurnReport turn) {
      return control
          .coin(turn)
          .thenApply(result ->
              switch (result) {
                case Result.Done<LexiconControl.Receipt>(LexiconControl.Receipt receipt) -> {
                  receipt.board().ifPresent(this::take);
                  yield new Coining.Entered(receipt.accepted(), receipt.refused());
                }
                case Result.Refused<LexiconControl.Receipt>(
                        Result.Kind _,
                        String reason,
                        String detail) ->
                    new Coining.Lost(reason, detail);
              });
    }

    /** Of a conversation without a board there are no turns. */
    @Override
    public void count(Spoken turn) {
      if (turn.held().revision() > 0) {
        reports.add(turn);
        return;
      }
      var _ =
          atLeast(0)
              .thenAccept(now -> {
                if (now.revision() > 0) {
                  reports.add(
                      new Spoken(
                          now,
                          turn.digest(),
                          turn.number(),
                          turn.speaker(),
                          turn.channel(),
                          turn.text()));
                }
              });
    }
  }

  /** How many turns wait to be reported. */
  public int waiting() {
    return reports.waiting();
  }

  @Override
  public void close() {
    reports.close();
  }
}
