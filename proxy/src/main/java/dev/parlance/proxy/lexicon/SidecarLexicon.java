package dev.parlance.proxy.lexicon;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.policy.text.Tokens;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.service.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The boards that a sidecar holds, one for each conversation that it has seen lately, and how it
 * asks for newer ones. Bounded: the one used longest ago is forgotten, and asked for when its
 * conversation goes on.
 */
public final class SidecarLexicon implements Lexicons, AutoCloseable {
  /** Most destinations of which is remembered who counts there. */
  private static final int MAX_DESTINATIONS = 1_024;

  /** How often it is looked whether a leak is on the ledger, and how long is waited between. */
  private static final int LEAK_ATTEMPTS = 20;

  private static final int LEAK_PAUSE_MS = 50;

  /** Most turns of a conversation that are kept before it has a board. */
  private static final int MAX_EARLY = 64;

  /** Longest id of a conversation; what is longer was made to fill memory, and has no board. */
  private static final int MAX_ID_CHARS = 1_024;

  /** So long nobody is asked again for a board as new as there was none, or nobody answered. */
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
  private final Events events;
  private final TurnReports reports;
  private final Cache<String, Talk> talks;
  private final Cache<String, Opposite> destinations =
      Caffeine.newBuilder().maximumSize(MAX_DESTINATIONS).executor(Runnable::run).build();

  /** Empty until the control plane has named them. */
  private volatile Optional<List<Group>> groups = Optional.empty();

  /**
   * Without a board.
   *
   * @param agents which agent listens where
   * @param events is told what is to be counted
   */
  public SidecarLexicon(
      Settings settings,
      LexiconControl control,
      Function<String, Optional<String>> agents,
      Events events) {
    this.agent = settings.agent();
    this.control = control;
    this.agents = agents;
    this.events = events;
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
    control.onGroups(named -> groups = Optional.of(named));
  }

  @Override
  public Optional<Conversation> conversation(String id) {
    if (id.length() > MAX_ID_CHARS) {
      return Optional.empty();
    }
    String board = Lexicons.boardOf(id);
    Talk known = talks.getIfPresent(board);
    if (known != null) {
      return Optional.of(known);
    }
    Talk fresh = new Talk(id, board);
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

  @Override
  public Events events() {
    return events;
  }

  private LexiconControl.Taken pushed(HeldBoard board) {
    return Optional.ofNullable(talks.getIfPresent(board.id()))
        .map(talk -> talk.take(board) ? LexiconControl.Taken.IN_FORCE : LexiconControl.Taken.OLDER)
        .orElse(LexiconControl.Taken.UNWANTED);
  }

  /** What a speaker's words are looked through for. */
  private record Words(HeldBoard held, String speaker, CoinedWords coined) {
    boolean isOf(HeldBoard now, String who) {
      return held.revision() == now.revision()
          && held.leaked().equals(now.leaked())
          && speaker.equals(who);
    }
  }

  /** What the local agent is shown of a revision. */
  private record Shown(long revision, Known known) {}

  /** A conversation and the newest board of it that was seen. */
  private final class Talk implements Conversation {
    private final String id;
    private final AtomicLong number = new AtomicLong();
    private final String board;
    private volatile Optional<HeldBoard> document = Optional.empty();
    private volatile boolean wasAsked;

    /** So many changes nobody has on the board, by what was said last; none are asked for soon. */
    private long unmet = Long.MAX_VALUE;

    private long unmetNs;
    private Optional<CompletableFuture<HeldBoard>> asking = Optional.empty();

    /** Those of the one who spoke last. */
    private volatile Words words;

    /** Turns that there were before the board, in their order. */
    private final List<TurnReport> early = new ArrayList<>(0);

    /** Made of the revision beside it. */
    private volatile Shown shown = new Shown(0, new Known("", 0));

    Talk(String id, String board) {
      this.id = id;
      this.board = board;
      HeldBoard none = HeldBoard.none(board, List.of());
      this.words = new Words(none, "", CoinedWords.of(none.readableBy(""), ""));
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
      return document.orElseGet(() -> HeldBoard.none(board, groups.orElse(List.of())));
    }

    @Override
    public Utf8Span used(String speaker, Utf8Span text) {
      Optional<HeldBoard> now = document;
      if (now.isEmpty()) {
        return Utf8Span.EMPTY;
      }
      Words last = words;
      if (!last.isOf(now.get(), speaker)) {
        last =
            new Words(now.get(), speaker, CoinedWords.of(now.get().readableBy(speaker), speaker));
        words = last;
      }
      return last.coined().in(text);
    }

    @Override
    public synchronized void leaked(Set<TermRef> terms) {
      document = document.map(now -> now.with(terms));
    }

    @Override
    public Known known() {
      HeldBoard now = held();
      Shown last = shown;
      if (last.revision() != now.revision()) {
        String block = KnownTerms.forPrompt(now.shownTo(agent), _ -> false).text();
        last = new Shown(now.revision(), new Known(block, Tokens.of(block).size()));
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

    /** True unless the one in force is as new. */
    synchronized boolean take(HeldBoard newer) {
      if (newer.revision() <= held().revision()) {
        return false;
      }
      document = Optional.of(newer.with(held().leaked()));
      early.forEach(reports::add);
      early.clear();
      saw(newer.number());
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
          return asking.get();
        }
        if (held().changes() >= changes && held().revision() > 0) {
          return CompletableFuture.completedFuture(held());
        }
        if (changes >= unmet && System.nanoTime() - unmetNs < ASK_AGAIN_NS) {
          return CompletableFuture.completedFuture(held());
        }
        asking = Optional.of(result);
        reply = control.board(board);
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
    public CompletableFuture<Coining> coin(TurnReport turn) {
      if (groups.isEmpty() && document.isEmpty()) {
        // Nobody knows who hears it: a faction's term must not be everybody's.
        return CompletableFuture.completedFuture(
            new Coining.Lost("control_unavailable", "the factions are not known yet"));
      }
      Set<TermRef> contested =
          turn.facts().directives().stream()
              .flatMap(line -> line.term().stream())
              .collect(Collectors.toSet());
      return onceLeaked(contested, LEAK_ATTEMPTS)
          .thenCompose(_ -> control.coin(turn))
          .thenApply(result ->
              switch (result) {
                case Result.Done<LexiconControl.Receipt>(LexiconControl.Receipt receipt) -> {
                  receipt.board().ifPresent(this::take);
                  receipt.refused().values().forEach(events::rejected);
                  int uses = turn.facts().uses().size();
                  if (uses > 0 && !receipt.accepted().isEmpty()) {
                    events.reused(turn.facts().channel().isPublic(), uses);
                  }
                  yield new Coining.Entered(receipt.accepted(), receipt.refused());
                }
                case Result.Refused<LexiconControl.Receipt>(
                        Result.Kind _,
                        String reason,
                        String detail) -> {
                  events.rejected(reason);
                  yield new Coining.Lost(reason, detail);
                }
              });
    }

    /**
     * Who is of no faction can contest a term of one only once the ledger has the turn that leaked
     * it, which is under way: it is waited for, for a while.
     */
    private CompletableFuture<HeldBoard> onceLeaked(Set<TermRef> terms, int attempts) {
      HeldBoard now = held();
      if (attempts == 0 || terms.stream().noneMatch(now.leaked()::contains)) {
        return CompletableFuture.completedFuture(now);
      }
      return control
          .board(board)
          .thenComposeAsync(
              answer -> {
                answered(answer, 0);
                return onceLeaked(terms, attempts - 1);
              },
              CompletableFuture.delayedExecutor(LEAK_PAUSE_MS, TimeUnit.MILLISECONDS));
    }

    /** Of a conversation without a board there are no turns; they are kept in case it gets one. */
    @Override
    public void count(Spoken turn) {
      if (turn.held().revision() > 0) {
        reports.add(turn);
        return;
      }
      var _ =
          atLeast(0)
              .thenAccept(now -> {
                if (now.revision() == 0) {
                  reports.read(turn, this::keep);
                  return;
                }
                reports.add(
                    new Spoken(
                        now,
                        turn.digest(),
                        turn.number(),
                        turn.speaker(),
                        turn.channel(),
                        turn.text()));
              });
    }

    private synchronized void keep(TurnReport turn) {
      if (document.isPresent()) {
        reports.add(turn);
      } else if (early.size() < MAX_EARLY) {
        early.add(turn);
      }
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
