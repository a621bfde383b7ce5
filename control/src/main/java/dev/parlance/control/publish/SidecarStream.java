package dev.parlance.control.publish;

import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.control.publish.SidecarLink.PublishedCore;
import dev.parlance.control.publish.SidecarLink.StreamEnd;
import dev.parlance.control.publish.api.SidecarDocument;
import dev.parlance.control.publish.api.SidecarDocument.CoreAt;
import dev.parlance.control.publish.api.SidecarHello;
import dev.parlance.control.publish.api.SidecarHello.AnnouncedKey;
import dev.parlance.control.publish.api.SidecarHello.HeldVersion;
import dev.parlance.control.publish.api.SidecarHello.PodName;
import dev.parlance.control.publish.api.SidecarReport;
import dev.parlance.control.publish.api.SidecarReport.ConfigState;
import dev.parlance.control.publish.api.SidecarReport.CoreInForce;
import dev.parlance.control.publish.api.StoredQuestion;
import dev.parlance.control.store.Store.CoreKey;
import dev.parlance.control.store.Store.ReviewRow;
import dev.parlance.policy.core.CoreId;
import dev.parlance.service.event.SidecarEvents;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One attached sidecar, from its Hello to the end of its stream. What waits for it is bounded: one
 * version of each core of its agent, the questions under way, and names of boards.
 *
 * <p>Of each core one version at a time is on its way; the next is sent when that one is accepted
 * or refused. A refused version is not sent again on this stream.
 */
final class SidecarStream {
  private static final int MAX_CORES = 10_000;

  private final SidecarLink link;
  private final ControlMetrics metrics;
  private final SidecarHello hello;
  private final long openedNs;

  /** Cores to send, by key; the order of insertion is the order of publication. */
  private final Map<String, PublishedCore> waiting = new LinkedHashMap<>();

  private final Map<String, InFlight> unanswered = new HashMap<>();
  private final Map<String, CoreStanding> standings = new LinkedHashMap<>();
  private final Deque<StoredQuestion> questions = new ArrayDeque<>();
  private final BoardPushes boards = new BoardPushes();
  private final ReviewPushes reviews;
  private final OpenCalls calls;
  private final Function<String, Optional<PublishedBoard>> boardSource;
  private final ConfigEvents config;
  private SidecarReport report = SidecarReport.NONE;
  private boolean lacksTrust = true;

  /** The directory of keys that it is to be sent. */
  private Optional<List<AnnouncedKey>> keysToSend = Optional.empty();

  private long refusedHere;
  private boolean ended;
  private volatile long notedNs;

  /** A version on its way. */
  private record InFlight(PublishedCore core, long sentNs) {}

  /** What is known of a core at the sidecar. */
  private record CoreStanding(CoreId id, long version, long refusedVersion, String refusal) {
    static final String NONE = "";
  }

  SidecarStream(
      SidecarLink link,
      ControlMetrics metrics,
      SidecarHello hello,
      SidecarEvents news,
      Function<String, Optional<PublishedBoard>> boardSource,
      OpenCalls calls,
      long nowNs) {
    this.link = link;
    this.boardSource = boardSource;
    this.calls = calls;
    this.metrics = metrics;
    this.hello = hello;
    this.reviews = new ReviewPushes(hello.takesReviews());
    this.openedNs = nowNs;
    this.notedNs = nowNs;
    this.config = new ConfigEvents(news, hello.pod());
    config.said(hello.config());
    for (HeldVersion held : hello.held()) {
      standings.put(
          CoreKey.of(held.id()), new CoreStanding(held.id(), held.version(), 0, CoreStanding.NONE));
    }
  }

  String agent() {
    return hello.agent();
  }

  String node() {
    return hello.node();
  }

  /** The keys of its verdicts. */
  List<AnnouncedKey> verdictKeys() {
    return hello.verdictKeys();
  }

  /** The keys of all sidecars, which are of use to one that has a key. */
  synchronized void offer(List<AnnouncedKey> keys) {
    if (!hello.verdictKeys().isEmpty()) {
      keysToSend = Optional.of(keys);
    }
  }

  boolean answersQuestions() {
    return hello.answersQuestions();
  }

  /** When the store was last told that it is here. */
  long notedNs() {
    return notedNs;
  }

  void note(long nowNs) {
    notedNs = nowNs;
  }

  long openedNs() {
    return openedNs;
  }

  synchronized void welcome(String replica, int reportIntervalMs) {
    if (!ended) {
      link.welcome(replica, reportIntervalMs);
    }
  }

  /** A core that the sidecar may not have yet. */
  synchronized void offer(PublishedCore core) {
    CoreStanding standing = standings.get(core.key());
    long known = standing == null ? 0 : Math.max(standing.version(), standing.refusedVersion());
    InFlight onItsWay = unanswered.get(core.key());
    if (onItsWay != null) {
      known = Math.max(known, onItsWay.core().version());
    }
    PublishedCore before = waiting.get(core.key());
    if (core.version() > known && (before == null || before.version() < core.version())) {
      waiting.remove(core.key()); // so that it goes to the end: pushes are in order
      waiting.put(core.key(), core);
    }
  }

  /** A question to the local agent. */
  synchronized void ask(StoredQuestion question) {
    questions.add(question);
  }

  /** Whom the mesh believes has changed. */
  synchronized void trustChanged() {
    lacksTrust = true;
  }

  /** Sends what can be sent without waiting. */
  synchronized void pump(long nowNs) {
    boolean sent = true;
    while (sent && !ended && link.isReady()) {
      sent =
          sendTrust()
              || sendKeys()
              || sendCall()
              || sendCore(nowNs)
              || sendQuestion()
              || sendReview(nowNs)
              || sendBoard(nowNs);
    }
  }

  /** What people at the console ask of it. */
  OpenCalls calls() {
    return calls;
  }

  private boolean sendCall() {
    Optional<OpenCalls.Named> call = calls.next();
    call.ifPresent(one -> link.call(one.id(), one.call()));
    return call.isPresent();
  }

  private boolean sendKeys() {
    keysToSend.ifPresent(link::push);
    boolean sent = keysToSend.isPresent();
    keysToSend = Optional.empty();
    return sent;
  }

  private boolean sendTrust() {
    if (!lacksTrust) {
      return false;
    }
    lacksTrust = false;
    link.pushTrust();
    return true;
  }

  private boolean sendCore(long nowNs) {
    for (Iterator<PublishedCore> all = waiting.values().iterator(); all.hasNext(); ) {
      PublishedCore core = all.next();
      if (!unanswered.containsKey(core.key())) {
        all.remove();
        unanswered.put(core.key(), new InFlight(core, nowNs));
        link.push(core);
        return true;
      }
    }
    return false;
  }

  private boolean sendQuestion() {
    StoredQuestion question = questions.poll();
    if (question == null) {
      return false;
    }
    link.ask(question);
    return true;
  }

  private boolean sendBoard(long nowNs) {
    Optional<PublishedBoard> board = boards.next(boardSource, nowNs);
    board.ifPresent(link::push);
    return board.isPresent();
  }

  private boolean sendReview(long nowNs) {
    Optional<ReviewRow> decision = reviews.next(nowNs);
    decision.ifPresent(link::push);
    return decision.isPresent();
  }

  /** True if it is to be given all decisions that hold. */
  synchronized boolean lacksReviews() {
    return !ended && reviews.lacksAll();
  }

  /** All decisions that hold. */
  synchronized void allReviews(List<ReviewRow> decisions) {
    reviews.all(decisions);
  }

  /** A decision that is new. */
  synchronized void offer(ReviewRow decision) {
    reviews.offer(decision);
  }

  /** A decision is known there. */
  synchronized void reviewAcked(long sequence) {
    if (reviews.acked(sequence)) {
      metrics.count(ControlMeter.REVIEWS, "acked");
    }
  }

  /** A decision that it has said is in the store, or never will be. */
  synchronized void reviewTaken(String item, String refused) {
    if (!ended) {
      link.taken(item, refused);
    }
  }

  /** A board that the sidecar wants; the boards that it is pushed no longer because of it. */
  synchronized List<String> want(String board, long revision) {
    return boards.want(board, revision);
  }

  /** A board that it does not want any more. */
  synchronized void dropBoard(String board) {
    boards.drop(board);
  }

  /** There is a newer revision of a board. */
  synchronized void boardChanged(String board) {
    boards.changed(board);
  }

  /** Every board that it wants. */
  synchronized Collection<String> wantedBoards() {
    return boards.all();
  }

  /** The board is in force. */
  synchronized void boardAcked(String board, long revision) {
    if (boards.acked(board, revision)) {
      metrics.count(ControlMeter.BOARD_PUSHES, "acked");
    }
  }

  /** The board was refused. */
  synchronized void boardRefused(String board, long revision, String reason) {
    if (boards.refused(board, revision)) {
      metrics.count(ControlMeter.BOARD_PUSHES, reason);
    }
  }

  /** The core is in force; false if it was not under way. */
  synchronized boolean acked(CoreId id, long version, long nowNs) {
    String key = CoreKey.of(id);
    InFlight answered = unanswered.get(key);
    if (answered == null || answered.core().version() != version) {
      return false; // says nothing about what was sent here
    }
    unanswered.remove(key);
    standings.put(key, new CoreStanding(id, version, 0, CoreStanding.NONE));
    metrics.count(ControlMeter.CORE_PUSHES, "acked");
    metrics.took(ControlMeter.ACK_SECONDS, nowNs - Math.max(answered.core().seenNs(), openedNs));
    return true;
  }

  /** The core was refused. */
  synchronized void refused(CoreId id, long version, String reason) {
    String key = CoreKey.of(id);
    InFlight answered = unanswered.get(key);
    if (answered == null || answered.core().version() != version) {
      return;
    }
    unanswered.remove(key);
    CoreStanding before = standings.get(key);
    standings.put(
        key,
        new CoreStanding(
            id,
            before == null ? 0 : before.version(),
            version,
            reason.isEmpty() ? "unspecified" : reason));
    refusedHere++;
    metrics.count(ControlMeter.CORE_PUSHES, reason);
  }

  synchronized void reported(SidecarReport said) {
    report = said;
    config.said(said.config());
    int left = MAX_CORES;
    for (CoreInForce core : said.cores()) {
      if (left-- == 0) {
        break;
      }
      standings.computeIfAbsent(
          CoreKey.of(core.id()),
          _ -> new CoreStanding(core.id(), core.version(), 0, CoreStanding.NONE));
    }
  }

  /** True if a push has had no answer for this long. */
  synchronized boolean hasUnansweredPush(long olderThanNs, long nowNs) {
    boolean stuck =
        unanswered.values().stream().anyMatch(push -> nowNs - push.sentNs() > olderThanNs);
    if (stuck) {
      metrics.count(ControlMeter.CORE_PUSHES, "unanswered");
    }
    boolean isBoardStuck = boards.hasUnanswered(olderThanNs, nowNs);
    if (isBoardStuck) {
      metrics.count(ControlMeter.BOARD_PUSHES, "unanswered");
    }
    boolean isReviewStuck = reviews.hasUnanswered(olderThanNs, nowNs);
    if (isReviewStuck) {
      metrics.count(ControlMeter.REVIEWS, "unanswered");
    }
    return stuck || isBoardStuck || isReviewStuck;
  }

  /** True if this version or a newer one is in force there. */
  synchronized boolean holds(String coreKey, long version) {
    CoreStanding standing = standings.get(coreKey);
    return standing != null && standing.version() >= version;
  }

  /** What the store keeps of it. */
  synchronized SidecarDocument document(String replica) {
    Map<String, Long> agesMs = new HashMap<>();
    Map<String, String> states = new HashMap<>();
    for (CoreInForce core : report.cores()) {
      agesMs.put(CoreKey.of(core.id()), core.ageMs());
      states.put(CoreKey.of(core.id()), core.state());
    }
    List<CoreAt> cores = new ArrayList<>();
    standings.forEach((key, standing) ->
        cores.add(
            new CoreAt(
                standing.id(),
                standing.version(),
                agesMs.getOrDefault(key, 0L),
                states.getOrDefault(key, ""),
                standing.refusal())));
    return SidecarDocument.of(
        hello,
        report,
        replica,
        Math.max(refusedHere, report.refusedPushes()),
        config.last(),
        config.pod(),
        cores);
  }

  /** Ends the stream; the first reason counts. */
  synchronized void end(StreamEnd why, String detail) {
    if (!ended) {
      ended = true;
      link.end(why, detail);
    }
  }

  /** True if nothing is sent any more. */
  synchronized boolean isOver() {
    return ended;
  }

  /** The stream has ended from the other side: nothing is sent any more. */
  synchronized void gone() {
    ended = true;
  }

  /** What one sidecar says of its configuration, and when somebody is to hear of it. */
  static final class ConfigEvents {
    private static final int MAX_REVISION = 64;
    private static final int MAX_REASON = 40;
    private static final int MAX_DETAIL = 512;

    private final SidecarEvents news;
    private final Optional<SidecarEvents.Place> place;
    private ConfigState last = ConfigState.UNSAID;

    ConfigEvents(SidecarEvents news, PodName pod) {
      this.news = news;
      this.place = SidecarEvents.Place.of(pod.namespace(), pod.name(), pod.uid());
    }

    /** As last said, every text bounded and fit to be shown. */
    ConfigState last() {
      return last;
    }

    /** {@code NAMESPACE/NAME}; empty outside of Kubernetes. */
    String pod() {
      return place.map(at -> at.namespace() + "/" + at.pod()).orElse("");
    }

    /** The sidecar has said how it stands; tells whoever listens if that is news. */
    void said(ConfigState status) {
      ConfigState before = last;
      last =
          new ConfigState(
              shown(status.revision(), MAX_REVISION),
              shown(status.refusedReason(), MAX_REASON),
              shown(status.refusedDetail(), MAX_DETAIL));
      if (place.isEmpty()) {
        return;
      }
      if (last.isRefused()) {
        if (!last.refusedDetail().equals(before.refusedDetail()) || !before.isRefused()) {
          news.configRefused(place.get(), last.refusedReason(), last.refusedDetail());
        }
      } else if (before.isRefused()) {
        news.configInForce(place.get(), last.revision());
      }
    }

    private static String shown(String text, int most) {
      String cut = text.length() > most ? text.substring(0, most) : text;
      return cut.replaceAll("\\p{C}", "?");
    }
  }
}
