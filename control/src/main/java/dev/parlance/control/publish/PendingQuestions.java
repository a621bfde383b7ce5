package dev.parlance.control.publish;

import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.api.StoredQuestion;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.QuestionRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Brings questions from the store to the sidecars attached here, and their answers back. A question
 * is claimed in the store before it is sent; if no answer comes, be it that agent, sidecar or this
 * replica is gone, the claim runs out and any replica with a sidecar of that agent asks it again.
 *
 * <pre>
 * in the store --take--> claimed --send--> asked --answer--> answered here --store--> done
 *                           ^                |
 *                           +- stream ended -+        claim run out, in any state: forgotten here
 * </pre>
 */
final class PendingQuestions {
  private static final int TAKE_LIMIT = 256;
  private static final int MAX_GRACE_MS = 5_000;
  private static final int LEAST_GRACE_MS = 500;

  private final Store store;
  private final ControlMetrics metrics;
  private final String owner;
  private final int perAgent;
  private final Duration claimTtl;
  private final long graceMs;
  private final Runnable onAnswer;
  private final Map<String, Claim> claims = new HashMap<>();
  private final Deque<Answered> answers = new ArrayDeque<>();

  /** A question that this replica may ask until its claim runs out. */
  private record Claim(
      QuestionRow row, StoredQuestion question, long untilNs, Optional<SidecarStream> asked) {
    Claim askedBy(Optional<SidecarStream> stream) {
      return new Claim(row, question, untilNs, stream);
    }
  }

  /** An answer that is not in the store yet. */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  private record Answered(String questionId, byte[] answer) {}

  /**
   * A desk.
   *
   * @param perAgent most questions under way with one agent
   * @param onAnswer called when an answer is in the store
   */
  PendingQuestions(
      Store store,
      ControlMetrics metrics,
      String owner,
      int perAgent,
      int answerTimeoutMs,
      Runnable onAnswer) {
    this.store = store;
    this.metrics = metrics;
    this.owner = owner;
    this.perAgent = perAgent;
    this.claimTtl = Duration.ofMillis(claimMs(answerTimeoutMs));
    this.graceMs = claimMs(answerTimeoutMs) - answerTimeoutMs;
    this.onAnswer = onAnswer;
  }

  /** How long a question stays with the replica that took it: the answer's time and a bit. */
  static long claimMs(int answerTimeoutMs) {
    return answerTimeoutMs + (long) Math.clamp(answerTimeoutMs / 6, LEAST_GRACE_MS, MAX_GRACE_MS);
  }

  /** An answer came; one to a question that was not put to this very agent counts for nothing. */
  synchronized void answered(SidecarStream stream, String questionId, byte[] answer) {
    Claim claim = claims.get(questionId);
    if (claim == null || !claim.row().agent().equals(stream.agent())) {
      metrics.count(ControlMeter.QUESTIONS, "unmatched");
      return;
    }
    claims.remove(questionId);
    answers.add(new Answered(questionId, answer));
  }

  /** A stream has ended; what it was asked is put to another one of its agent, if there is one. */
  synchronized void ended(SidecarStream stream) {
    claims.replaceAll((_, claim) ->
        claim.asked().filter(asked -> asked == stream).isPresent()
            ? claim.askedBy(Optional.empty())
            : claim);
  }

  /**
   * One round: stores answers, takes questions, hands them to streams.
   *
   * @param streams the attached sidecars with a local agent, by agent
   */
  void round(Map<String, List<SidecarStream>> streams, long nowNs) {
    storeAnswers();
    Map<String, Integer> free = free(streams, nowNs);
    int limit = Math.min(TAKE_LIMIT, free.values().stream().mapToInt(Integer::intValue).sum());
    List<QuestionRow> rows =
        limit == 0 ? List.of() : store.take(free.keySet(), owner, limit, claimTtl);
    synchronized (this) {
      for (QuestionRow row : rows) {
        StoredQuestion.read(row.id(), row.document())
            .ifPresent(question ->
                claims.put(
                    row.id(),
                    new Claim(row, question, nowNs + claimTtl.toNanos(), Optional.empty())));
      }
      assign(streams, nowNs);
    }
  }

  private void storeAnswers() {
    boolean stored = false;
    for (Optional<Answered> next = first(); next.isPresent(); next = first()) {
      store.answer(next.get().questionId(), next.get().answer());
      synchronized (this) {
        answers.poll();
      }
      stored = true;
    }
    if (stored) {
      onAnswer.run();
    }
  }

  private synchronized Optional<Answered> first() {
    return Optional.ofNullable(answers.peek());
  }

  /** Agents that can be asked more, and how much. */
  private synchronized Map<String, Integer> free(
      Map<String, List<SidecarStream>> streams, long nowNs) {
    claims.values().removeIf(claim -> claim.untilNs() - nowNs < 0);
    Map<String, Integer> free = new HashMap<>();
    streams.keySet().forEach(agent -> free.put(agent, perAgent));
    for (Claim claim : claims.values()) {
      free.computeIfPresent(claim.row().agent(), (_, left) -> left - 1);
    }
    free.values().removeIf(left -> left < 1);
    return free;
  }

  private void assign(Map<String, List<SidecarStream>> streams, long nowNs) {
    Map<SidecarStream, Integer> load = new HashMap<>();
    for (Claim claim : claims.values()) {
      claim.asked().ifPresent(stream -> load.merge(stream, 1, Integer::sum));
    }
    for (Iterator<Map.Entry<String, Claim>> all = claims.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<String, Claim> entry = all.next();
      Claim claim = entry.getValue();
      if (claim.asked().isPresent()) {
        continue;
      }
      Collection<SidecarStream> able = streams.getOrDefault(claim.row().agent(), List.of());
      Optional<SidecarStream> least =
          able.stream().min(Comparator.comparingInt(stream -> load.getOrDefault(stream, 0)));
      least.ifPresent(stream -> {
        load.merge(stream, 1, Integer::sum);
        entry.setValue(claim.askedBy(least));
        stream.ask(withTimeLeft(claim, nowNs));
        stream.pump(nowNs);
      });
    }
  }

  /** What is asked a second time has less time. */
  private StoredQuestion withTimeLeft(Claim claim, long nowNs) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(claim.untilNs() - nowNs) - graceMs;
    int timeoutMs = Math.clamp(leftMs, 1, Math.max(1, claim.question().timeoutMs()));
    return claim.question().withTimeoutMs(timeoutMs);
  }
}
