package dev.parlance.control.certify;

import dev.parlance.control.certify.api.Ask;
import dev.parlance.control.certify.api.PlanTexts;
import dev.parlance.control.certify.api.Questions;
import dev.parlance.control.certify.api.Questions.Answered;
import dev.parlance.control.certify.api.Questions.Reading;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.store.Store.AnswerRow;
import dev.parlance.control.store.Store.QuestionRow;
import dev.parlance.ledger.record.Entry;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Asks agents and puts every answer on the ledger before it counts. Questions go out in random
 * order; between two to the same agent lies an exponentially distributed pause, so that the moment
 * of one says nothing about the next.
 *
 * <pre>
 * waiting --asked--> in flight --verdict or reply--> on the ledger, done
 *    ^                  |
 *    +--- retries left -+- failure or no answer in time --> on the ledger as unanswered, done
 * </pre>
 */
final class Interview {
  private static final int PAGE = 512;
  private static final int MAX_PAUSES = 10;
  private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(1);

  private final AuditContext context;
  private final AuditWriter writer;
  private final String audit;
  private final Phrasing phrasing;
  private final Progress progress;
  private final int meanPauseMs;
  private final SecureRandom random = new SecureRandom();

  private final Set<Ask> open = new HashSet<>();
  private final Map<String, Deque<Ask>> waiting = new HashMap<>();
  private final Map<String, Long> notBeforeNs = new HashMap<>();
  private final Map<Ask, Long> inFlight = new HashMap<>();
  private final Map<String, Integer> inFlightByAgent = new HashMap<>();
  private final Map<Ask, Integer> attempts = new HashMap<>();
  private long lastProgressNs = System.nanoTime();

  /** How asks become questions, and answers entries. */
  interface Phrasing {
    /** The question. */
    QuestionRow question(Ask ask, int attempt);

    /** What the ledger gets; a failure is final here. */
    Entry entry(Ask ask, Reading reading);
  }

  /** Hears once in a while that there is progress. */
  @FunctionalInterface
  interface Progress {
    void made() throws AuditStopped;
  }

  /** How it ended. */
  enum End {
    /** Every ask has its entry. */
    COMPLETE,
    /** An agent had no sidecar for too long. */
    NO_SIDECAR
  }

  Interview(
      AuditContext context,
      AuditWriter writer,
      String audit,
      int meanPauseMs,
      Phrasing phrasing,
      Progress progress) {
    this.context = context;
    this.writer = writer;
    this.audit = audit;
    this.meanPauseMs = meanPauseMs;
    this.phrasing = phrasing;
    this.progress = progress;
  }

  /** Asks all of these; returns when each has its entry on the ledger. */
  End conduct(Collection<Ask> asks) throws AuditStopped {
    List<Ask> shuffled = new ArrayList<>(asks);
    Collections.shuffle(shuffled, random);
    long begin = System.nanoTime();
    for (Ask ask : shuffled) {
      open.add(ask);
      waiting.computeIfAbsent(ask.agent(), _ -> new ArrayDeque<>()).add(ask);
      notBeforeNs.computeIfAbsent(ask.agent(), _ -> begin + pauseNs());
    }
    while (!open.isEmpty()) {
      writer.check();
      Attendance attendance = attendance();
      if (attendance.isSomebodyAwayFor(context.sidecarPatienceMs(), System.nanoTime())) {
        return End.NO_SIDECAR;
      }
      boolean more = collect();
      expire(attendance);
      send(attendance);
      tellProgress();
      if (!more && !open.isEmpty()) {
        writer.pause(untilNextMs());
      }
    }
    return End.COMPLETE;
  }

  private Attendance attendance = new Attendance(Set.of());

  /** Only agents that still have something to say are waited for. */
  private Attendance attendance() {
    Set<String> agents = new HashSet<>(inFlightByAgent.keySet());
    waiting.forEach((agent, asks) -> {
      if (!asks.isEmpty()) {
        agents.add(agent);
      }
    });
    attendance = attendance.among(agents);
    attendance.look(context.store(), context.aliveFor(), System.nanoTime());
    return attendance;
  }

  private void send(Attendance attendance) {
    long now = System.nanoTime();
    List<QuestionRow> batch = new ArrayList<>();
    for (Map.Entry<String, Deque<Ask>> queue : waiting.entrySet()) {
      String agent = queue.getKey();
      if (attendance.isAway(agent)) {
        continue;
      }
      while (!queue.getValue().isEmpty()
          && inFlightByAgent.getOrDefault(agent, 0) < context.settings().questionsInFlight()
          && now - notBeforeNs.getOrDefault(agent, now) >= 0) {
        Ask ask = queue.getValue().removeFirst();
        int attempt = attempts.getOrDefault(ask, 0);
        batch.add(phrasing.question(ask, attempt));
        inFlight.put(ask, now + TimeUnit.MILLISECONDS.toNanos(context.answerPatienceMs()));
        inFlightByAgent.merge(agent, 1, Integer::sum);
        notBeforeNs.put(agent, now + pauseNs());
      }
    }
    if (!batch.isEmpty()) {
      context.store().ask(batch);
      context.wakeups().questionsAsked().run();
    }
  }

  /** Takes answers in; true if there may be more. */
  private boolean collect() throws AuditStopped {
    List<AnswerRow> rows = context.store().answers(audit, PAGE);
    List<Entry> entries = new ArrayList<>();
    Set<Ask> done = new LinkedHashSet<>();
    List<String> read = new ArrayList<>();
    for (AnswerRow row : rows) {
      Answered answered = Questions.read(row);
      read.add(answered.questionId());
      // What is not open any more is on the ledger: from before a takeover, or a late attempt.
      if (open.contains(answered.ask()) && !done.contains(answered.ask())) {
        int attempt = Ask.attempt(answered.questionId()).orElse(0);
        settle(answered.ask(), attempt, answered.reading(), entries, done);
      }
    }
    finish(entries, done, read);
    return rows.size() == PAGE;
  }

  private void expire(Attendance attendance) throws AuditStopped {
    long now = System.nanoTime();
    List<Entry> entries = new ArrayList<>();
    Set<Ask> done = new LinkedHashSet<>();
    List<String> late = new ArrayList<>();
    for (Ask ask : List.copyOf(inFlight.keySet())) {
      if (now - inFlight.getOrDefault(ask, now) <= 0) {
        continue;
      }
      if (attendance.isAway(ask.agent())) {
        // It is not the agent's silence if nobody could ask it.
        inFlight.put(ask, now + TimeUnit.MILLISECONDS.toNanos(context.answerPatienceMs()));
        continue;
      }
      int attempt = attempts.getOrDefault(ask, 0);
      late.add(ask.questionId(audit, attempt));
      settle(ask, attempt, new Reading.Failure(Questions.TIMEOUT), entries, done);
    }
    finish(entries, done, late);
  }

  private void settle(Ask ask, int attempt, Reading reading, List<Entry> entries, Set<Ask> done) {
    if (reading instanceof Reading.Failure(String reason)) {
      if (attempt < attempts.getOrDefault(ask, 0)) {
        return; // a later attempt is under way
      }
      if (attempt < context.settings().retries()) {
        attempts.put(ask, attempt + 1);
        if (landed(ask)) { // else it waits already
          waiting.computeIfAbsent(ask.agent(), _ -> new ArrayDeque<>()).addLast(ask);
        }
        return;
      }
      context.metrics().count(ControlMeter.QUESTIONS, reason);
    } else {
      context
          .metrics()
          .count(ControlMeter.QUESTIONS, reading instanceof Reading.Reply ? "reply" : "verdict");
    }
    entries.add(phrasing.entry(ask, reading));
    done.add(ask);
  }

  private void finish(List<Entry> entries, Set<Ask> done, List<String> questionIds)
      throws AuditStopped {
    if (!entries.isEmpty()) {
      writer.append(entries);
    }
    for (Ask ask : done) {
      open.remove(ask);
      attempts.remove(ask);
      if (!landed(ask)) {
        // Answered to a replica before this one, and not asked yet here.
        waiting.getOrDefault(ask.agent(), new ArrayDeque<>()).remove(ask);
      }
    }
    if (!questionIds.isEmpty()) {
      context.store().forget(questionIds);
    }
  }

  /** It is not under way any more; false if it was not. */
  private boolean landed(Ask ask) {
    boolean wasInFlight = inFlight.remove(ask) != null;
    if (wasInFlight) {
      inFlightByAgent.computeIfPresent(ask.agent(), (_, count) -> count == 1 ? null : count - 1);
    }
    return wasInFlight;
  }

  private void tellProgress() throws AuditStopped {
    long now = System.nanoTime();
    if (now - lastProgressNs >= PROGRESS_NS) {
      lastProgressNs = now;
      progress.made();
    }
  }

  private long untilNextMs() {
    long now = System.nanoTime();
    long next = now + TimeUnit.MILLISECONDS.toNanos(context.pollMs());
    for (Map.Entry<String, Deque<Ask>> queue : waiting.entrySet()) {
      if (!queue.getValue().isEmpty()
          && inFlightByAgent.getOrDefault(queue.getKey(), 0)
              < context.settings().questionsInFlight()) {
        next = Math.min(next, notBeforeNs.getOrDefault(queue.getKey(), next));
      }
    }
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(next - now) + 1);
  }

  /** Exponential with the plan's mean, cut at ten times of it. */
  private long pauseNs() {
    double factor = -Math.log(1.0 - random.nextDouble());
    return (long) (Math.min(factor, MAX_PAUSES) * TimeUnit.MILLISECONDS.toNanos(meanPauseMs));
  }

  /** Witnessed tests (Definition 2): does the term apply to the event? */
  record Witnessing(AuditContext context, String audit, long epoch, PlanTexts texts)
      implements Interview.Phrasing {

    @Override
    public QuestionRow question(Ask ask, int attempt) {
      return Questions.witness(ask, audit, attempt, context.settings().answerTimeoutMs(), texts);
    }

    @Override
    public Entry entry(Ask ask, Reading reading) {
      long now = AuditWriter.nowMs();
      return switch (reading) {
        case Reading.Verdict verdict ->
            new Entry.Test(
                audit,
                epoch,
                ask.agent(),
                ask.event(),
                ask.term(),
                verdict.verdict(),
                verdict.form(),
                Optional.of(verdict.answerSha256()),
                now);
        case Reading.Failure(String reason) -> unanswered(ask, reason, now);
        case Reading.Reply _ -> unanswered(ask, Questions.UNREADABLE, now);
      };
    }

    private Entry unanswered(Ask ask, String reason, long now) {
      return new Entry.Unanswered(audit, epoch, ask.agent(), ask.event(), ask.term(), reason, now);
    }
  }
}
