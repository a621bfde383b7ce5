package dev.parlance.control.publish;

import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.store.CoreKey;
import dev.parlance.proto.v1.AttachResponse;
import dev.parlance.proto.v1.CoreAck;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.CoreInForce;
import dev.parlance.proto.v1.CoreNack;
import dev.parlance.proto.v1.HeldCore;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.Report;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.SidecarCore;
import dev.parlance.proto.v1.Welcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * One attached sidecar, from its Hello to the end of its stream. What waits for it is bounded: one
 * version of each core of its agent, and the questions under way.
 *
 * <p>Of each core one version at a time is on its way; the next is sent when that one is accepted
 * or refused. A refused version is not sent again on this stream.
 */
final class SidecarStream {
  private static final int MAX_CORES = 10_000;

  private final SidecarLink link;
  private final ControlMetrics metrics;
  private final Hello hello;
  private final long openedNs;

  /** Cores to send, by key; the order of insertion is the order of publication. */
  private final Map<String, PublishedCore> waiting = new LinkedHashMap<>();

  private final Map<String, InFlight> unanswered = new HashMap<>();
  private final Map<String, CoreStanding> standings = new LinkedHashMap<>();
  private final Deque<Question> questions = new ArrayDeque<>();
  private final ConfigEvents config;
  private Report report = Report.getDefaultInstance();
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
      SidecarLink link, ControlMetrics metrics, Hello hello, SidecarEvents news, long nowNs) {
    this.link = link;
    this.metrics = metrics;
    this.hello = hello;
    this.openedNs = nowNs;
    this.notedNs = nowNs;
    this.config = new ConfigEvents(news, hello);
    config.said(hello.getConfig());
    for (HeldCore held : hello.getHeldList()) {
      standings.put(
          key(held.getId()),
          new CoreStanding(held.getId(), held.getVersion(), 0, CoreStanding.NONE));
    }
  }

  String agent() {
    return hello.getAgent();
  }

  String node() {
    return hello.getNode();
  }

  boolean answersQuestions() {
    return hello.getAnswersQuestions();
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
      link.send(
          AttachResponse.newBuilder()
              .setWelcome(
                  Welcome.newBuilder().setReplica(replica).setReportIntervalMs(reportIntervalMs))
              .build());
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
  synchronized void ask(Question question) {
    questions.add(question);
  }

  /** Sends what can be sent without waiting. */
  synchronized void pump(long nowNs) {
    boolean sent = true;
    while (sent && !ended && link.isReady()) {
      sent = sendCore(nowNs) || sendQuestion();
    }
  }

  private boolean sendCore(long nowNs) {
    for (Iterator<PublishedCore> all = waiting.values().iterator(); all.hasNext(); ) {
      PublishedCore core = all.next();
      if (!unanswered.containsKey(core.key())) {
        all.remove();
        unanswered.put(core.key(), new InFlight(core, nowNs));
        link.send(core.message());
        return true;
      }
    }
    return false;
  }

  private boolean sendQuestion() {
    Question question = questions.poll();
    if (question == null) {
      return false;
    }
    link.send(AttachResponse.newBuilder().setQuestion(question).build());
    return true;
  }

  /** The core is in force; how long that took since this replica saw it, if it was under way. */
  synchronized OptionalLong acked(CoreAck ack, long nowNs) {
    String key = key(ack.getId());
    InFlight answered = unanswered.get(key);
    if (answered == null || answered.core().version() != ack.getVersion()) {
      return OptionalLong.empty(); // says nothing about what was sent here
    }
    unanswered.remove(key);
    standings.put(key, new CoreStanding(ack.getId(), ack.getVersion(), 0, CoreStanding.NONE));
    metrics.push("acked");
    long sinceNs = nowNs - Math.max(answered.core().seenNs(), openedNs);
    metrics.acknowledged(sinceNs);
    return OptionalLong.of(sinceNs);
  }

  /** The core was refused. */
  synchronized void refused(CoreNack nack) {
    String key = key(nack.getId());
    InFlight answered = unanswered.get(key);
    if (answered == null || answered.core().version() != nack.getVersion()) {
      return;
    }
    unanswered.remove(key);
    CoreStanding before = standings.get(key);
    standings.put(
        key,
        new CoreStanding(
            nack.getId(),
            before == null ? 0 : before.version(),
            nack.getVersion(),
            nack.getReason().isEmpty() ? "unspecified" : nack.getReason()));
    refusedHere++;
    metrics.push(nack.getReason());
  }

  synchronized void reported(Report said) {
    report = said;
    config.said(said.getConfig());
    int left = MAX_CORES;
    for (CoreInForce core : said.getCoresList()) {
      if (left-- == 0) {
        break;
      }
      standings.computeIfAbsent(
          key(core.getId()),
          _ -> new CoreStanding(core.getId(), core.getVersion(), 0, CoreStanding.NONE));
    }
  }

  /** True if a push has had no answer for this long. */
  synchronized boolean hasUnansweredPush(long olderThanNs, long nowNs) {
    boolean stuck =
        unanswered.values().stream().anyMatch(push -> nowNs - push.sentNs() > olderThanNs);
    if (stuck) {
      metrics.push("unanswered");
    }
    return stuck;
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
    for (CoreInForce core : report.getCoresList()) {
      agesMs.put(key(core.getId()), core.getAgeMs());
      states.put(key(core.getId()), core.getState());
    }
    Sidecar.Builder sidecar =
        Sidecar.newBuilder()
            .setAgent(agent())
            .setNode(node())
            .setVersion(hello.getVersion())
            .setReplica(replica)
            .setRefusedPushes(
                Math.max(
                    refusedHere,
                    report.getRefusedPushesMap().values().stream()
                        .mapToLong(Long::longValue)
                        .sum()))
            .setGuardedMessages(report.getGuardedMessages())
            .setEnforcing(report.getEnforcing())
            .setConfigRevision(config.last().getRevision())
            .setConfigRefusedReason(config.last().getRefusedReason())
            .setConfigRefusedDetail(config.last().getRefusedDetail())
            .setPod(config.pod());
    standings.forEach((key, standing) ->
        sidecar.addCores(
            SidecarCore.newBuilder()
                .setId(standing.id())
                .setVersion(standing.version())
                .setAgeMs(agesMs.getOrDefault(key, 0L))
                .setState(states.getOrDefault(key, ""))
                .setNackReason(standing.refusal())));
    return new SidecarDocument(sidecar.build(), answersQuestions());
  }

  /** Ends the stream; the first reason counts. */
  synchronized void end(StreamEnd why, String detail) {
    if (!ended) {
      ended = true;
      link.end(why, detail);
    }
  }

  /** The stream has ended from the other side: nothing is sent any more. */
  synchronized void gone() {
    ended = true;
  }

  static String key(CoreId id) {
    return CoreKey.of(new dev.parlance.policy.core.CoreId(id.getAgentsList(), id.getDomain()));
  }
}
