package dev.parlance.proxy.lexicon;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.lexicon.PromotedTerms.InPlan;
import dev.parlance.proxy.review.ReviewQueue;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The boards that a sidecar holds, one for each conversation that it has seen lately, and how it
 * asks for newer ones. Bounded: those heard of longest ago are forgotten, and asked for when their
 * conversation goes on.
 */
public final class SidecarLexicon implements Lexicons, AutoCloseable {
  /** Most destinations of which is remembered who counts there. */
  private static final int MAX_DESTINATIONS = 1_024;

  /** Most pairs of a core and a board whose terms are found in one pass. */
  private static final int MAX_MATCHERS = 64;

  /** A small part of a small heap; two thousand terms take some 200 KB. */
  private static final long MAX_MATCHER_BYTES =
      Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 32);

  /** Longest id of a conversation; what is longer was made to fill memory, and has no board. */
  private static final int MAX_ID_CHARS = 1_024;

  /**
   * Bounds.
   *
   * @param agent id of the local agent
   * @param boards most boards held
   * @param queue most turns that wait to be reported
   * @param reportMs longest that one waits for others
   * @param timeoutMs longest that a message waits for the ledger
   * @param folder of the turns that are on their way to the ledger, or wait for a board
   */
  public record Settings(
      String agent, int boards, int queue, int reportMs, int timeoutMs, Path folder) {}

  private final String agent;
  private final LexiconControl control;
  private final Function<String, Optional<String>> agents;
  private final Events events;
  private final TurnReports reports;
  private final RecentConversations talks;
  private final HeldConversation.Shared shared;
  private final TermReviews reviews;
  private final JointMatchers matchers =
      new JointMatchers(MAX_MATCHERS, MAX_MATCHER_BYTES, new SecureRandom().nextLong());
  private final Cache<String, Opposite> destinations =
      Caffeine.newBuilder().maximumSize(MAX_DESTINATIONS).executor(Runnable::run).build();

  /** By board; those that have some. */
  private final Map<String, List<InPlan>> inPlans = new HashMap<>();

  /** Of all boards held. */
  private volatile PromotedTerms promoted = new PromotedTerms(List.of());

  /** Empty until the control plane has named them. */
  private volatile Optional<List<Group>> groups = Optional.empty();

  /**
   * Without a board.
   *
   * @param review where terms wait for a person
   * @param agents which agent listens where
   * @param events is told what is to be counted
   */
  public SidecarLexicon(
      Settings settings,
      LexiconControl control,
      ReviewQueue review,
      Function<String, Optional<String>> agents,
      Events events) {
    this.agent = settings.agent();
    this.control = control;
    this.agents = agents;
    this.events = events;
    EarlyTurns early = new EarlyTurns(settings.folder().resolve("early"), settings.boards());
    this.reports =
        new TurnReports(control, settings.queue(), settings.reportMs(), events, early::told);
    this.reviews = new TermReviews(review, control, System::currentTimeMillis);
    TurnJournal journal = new TurnJournal(settings.folder());
    Retractions retractions = new Retractions(control, events, journal);
    this.shared =
        new HeldConversation.Shared(
            agent,
            settings.timeoutMs(),
            control,
            reports,
            early,
            retractions,
            journal,
            reviews,
            events,
            matchers,
            this::promoted,
            () -> groups);
    this.talks = new RecentConversations(settings.boards(), this::forgotten);
    control.onPush(this::pushed);
    control.onGroups(named -> groups = Optional.of(named));
    retractions.resume();
    for (String id : early.load()) {
      // Who hears of its board hands them over.
      Optional<Conversation> _ = conversation(id);
    }
  }

  @Override
  public Optional<Conversation> conversation(String id) {
    if (id.length() > MAX_ID_CHARS) {
      return Optional.empty();
    }
    String board = Lexicons.boardOf(id);
    return Optional.of(
        talks.hear(
            board, () -> new HeldConversation(shared, id, board), _ -> control.want(board, 0)));
  }

  private void forgotten(HeldConversation talk) {
    control.drop(talk.board());
    promoted(talk.board(), List.of());
  }

  /** What a board has put into plans is governed wherever it is said. */
  private synchronized void promoted(String board, List<InPlan> terms) {
    List<InPlan> before = inPlans.getOrDefault(board, List.of());
    if (terms.equals(before)) {
      return;
    }
    inPlans.put(board, terms);
    inPlans.values().removeIf(List::isEmpty);
    promoted = new PromotedTerms(inPlans.values().stream().flatMap(List::stream).toList());
  }

  @Override
  public Set<String> untested(
      String domain, Predicate<String> governed, Utf8Span said, Utf8Span beside) {
    return promoted.untested(domain, governed, said, beside);
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
    return talks
        .find(board.id())
        .map(talk -> talk.take(board) ? LexiconControl.Taken.IN_FORCE : LexiconControl.Taken.OLDER)
        .orElse(LexiconControl.Taken.UNWANTED);
  }

  /** The terms that wait for a person. */
  public TermReviews reviews() {
    return reviews;
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
