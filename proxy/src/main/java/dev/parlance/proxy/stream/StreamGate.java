package dev.parlance.proxy.stream;

import dev.parlance.proxy.config.StreamMode;
import dev.parlance.proxy.config.StreamSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The state machine of a streamed answer, without buffers, clock or I/O: which event goes on, which
 * waits, when to judge, when to end the stream.
 *
 * <pre>
 * state    | silent                  | said, more follows            | said, complete
 * ---------+-------------------------+-------------------------------+----------------------------
 * FLOWING  | pass                    | hold:    wait -> HOLDING      | wait, judge -> JUDGING
 *          |                         | window:  as hold, and judge   |
 *          |                         |          if enough is new     |
 *          |                         | observe: pass, and judge if a |
 *          |                         |          segment is full      |
 * HOLDING  | wait; pass if it may    | wait; window: judge if enough | wait, judge -> JUDGING
 *          | overtake; judge if it   | is new                        |
 *          | closes what was open    |                               |
 * JUDGING  | wait; pass if it may    | wait                          | wait
 *          | overtake                |                               |
 * ENDED    | drop                    | drop                          | drop
 *
 * state    | good            | not good yet             | bad    | tick            | body ends
 * ---------+-----------------+--------------------------+--------+-----------------+-----------
 * FLOWING  | -               | -                        | -      | -               | finish; first
 *          |                 |                          |        |                 | judge what no
 *          |                 |                          |        |                 | verdict covers
 * HOLDING  | -               | -                        | -      | past holdMs:    | judge
 *          |                 |                          |        | cut; quiet for  |
 *          |                 |                          |        | heartbeatMs:    |
 *          |                 |                          |        | beat            |
 * JUDGING  | release, forget | HOLDING; window: cut if  | refuse | as HOLDING      | remember it
 *          | a full segment  | more was said than its   | ENDED  |                 |
 *          | -> FLOWING;     | patience; refuse at the  |        |                 |
 *          |                 | end                      |        |                 |
 *          | finish if the   |                          |        |                 |
 *          | body has ended  |                          |        |                 |
 * </pre>
 *
 * Whatever waits is bounded: past {@code holdBytes} the stream is cut. Mode window judges a
 * beginning when at least {@code windowBytes}, or an eighth of the text so far, is new; that keeps
 * the cost of judging linear. A beginning that is not good may become so (its citation often stands
 * at the end of the sentence), so it waits for {@value #PATIENCE_WINDOWS} windows or half as much
 * text again before the stream is cut. A segment that is full and judged is forgotten, so that a
 * stream without end needs no more memory than one segment. Many small messages one after the other
 * are each judged with all that came before, so where one adds little to much the verdict waits
 * {@value #PAUSE_MS} ms for more, else such a stream would cost a day of judging.
 *
 * @param mode when bytes go on
 * @param bounds how much may wait, and for how long
 * @param state where it is
 * @param waiting what waits
 * @param text what was said
 * @param bodyEnded whether the origin has nothing more to say
 */
public record StreamGate(
    StreamMode mode,
    StreamSettings bounds,
    State state,
    Waiting waiting,
    Text text,
    boolean bodyEnded) {
  /** Windows for which a beginning may stay not good enough. */
  static final int PATIENCE_WINDOWS = 8;

  /** How long a small addition to much text waits for more. */
  static final int PAUSE_MS = 20;

  private static final int NEW_SHARE = 8;
  private static final int MUCH_BYTES = 16 * 1024;
  private static final int SMALL_SHARE = 64;
  private static final long NEVER = Long.MAX_VALUE;

  /**
   * What waits for a verdict.
   *
   * @param bytes how much
   * @param sinceMs since when something waits; only in HOLDING and JUDGING
   * @param quietSinceMs when something went to the caller last
   * @param dueMs when it is judged although nothing more comes
   */
  public record Waiting(long bytes, long sinceMs, long quietSinceMs, long dueMs) {}

  /**
   * The text of the segment, in bytes.
   *
   * @param said all of it
   * @param covered what a good verdict covers
   * @param tried what the last verdict was about, good or not
   */
  public record Text(int said, int covered, int tried) {
    int fresh() {
      return said - tried;
    }

    Text now(int said) {
      return new Text(said, covered, tried);
    }
  }

  /** Where a stream is. */
  public enum State {
    /** Nothing waits. */
    FLOWING,
    /** Something waits for more of the message. */
    HOLDING,
    /** Something waits for a verdict. */
    JUDGING,
    /** Nothing more is read. */
    ENDED
  }

  /** How much of what was begun has been said. */
  public enum Extent {
    /** More follows. */
    PARTIAL,
    /** Nothing that was begun is open. */
    COMPLETE
  }

  /** Whether an event may go before what waits. */
  public enum Order {
    /** It may not. */
    IN_TURN,
    /** It may. */
    OVERTAKES
  }

  /** What a verdict means for the stream. */
  public enum Outcome {
    /** What it covers goes on. */
    GOOD,
    /** It may not go on as it is; more text may mend it. */
    NOT_YET,
    /** It may not go on, whatever follows. */
    BAD
  }

  /** What comes. */
  public sealed interface Event {
    /** An event that holds no words of the answer. */
    record Silent(int bytes, Order order, Extent extent) implements Event {}

    /** A piece of the answer; the segment now holds this much text. */
    record Said(int bytes, int saidBytes, Extent extent) implements Event {}

    /** Everything said so far was judged. */
    record Judged(Outcome outcome) implements Event {}

    /** Time has passed. */
    record Tick() implements Event {}

    /** The body is whole. */
    record BodyEnded() implements Event {}
  }

  /** What to do. */
  public sealed interface Effect {
    /** The event at hand goes on. */
    record Pass() implements Effect {}

    /** The event at hand waits. */
    record Wait() implements Effect {}

    /** Everything said is to be judged; always the last effect of a step. */
    record Judge(Extent extent) implements Effect {}

    /** Everything that waits goes on. */
    record Release() implements Effect {}

    /** The text so far is covered for good. */
    record Forget() implements Effect {}

    /** The caller hears that the connection lives. */
    record Beat() implements Effect {}

    /** What waits does not go on, as the verdict says; the stream is over. */
    record Refuse() implements Effect {}

    /** What waits does not go on for this reason; the stream is over. */
    record Cut(String code) implements Effect {}

    /** The stream ends in order. */
    record Finish() implements Effect {}
  }

  /**
   * What an event leads to.
   *
   * @param next the gate afterwards
   * @param effects what to do, in order
   */
  public record Step(StreamGate next, List<Effect> effects) {
    /** Takes a copy. */
    public Step {
      effects = List.copyOf(effects);
    }
  }

  /** Past {@code holdBytes}, or past what all streams may hold together. */
  public static final String LIMIT = "stream_limit";

  /** Past {@code holdMs}. */
  public static final String TIMEOUT = "stream_timeout";

  /** In mode window a good beginning went on and does not continue so. */
  public static final String TURNED_BAD = "stream_turned_bad";

  /** A stream of which nothing has arrived. */
  public static StreamGate open(StreamMode mode, StreamSettings bounds, long nowMs) {
    return new StreamGate(
        mode, bounds, State.FLOWING, new Waiting(0, nowMs, nowMs, NEVER), new Text(0, 0, 0), false);
  }

  /** What {@code event} at {@code nowMs} leads to, see the table. */
  public Step step(Event event, long nowMs) {
    if (state == State.ENDED) {
      return new Step(this, List.of());
    }
    return switch (event) {
      case Event.Silent silent -> silent(silent, nowMs);
      case Event.Said said -> said(said, text.now(said.saidBytes()), nowMs);
      case Event.Judged judged -> judged(judged.outcome(), nowMs);
      case Event.Tick _ -> tick(nowMs);
      case Event.BodyEnded _ -> bodyEnds();
    };
  }

  /** When the next {@link Event.Tick} is due; empty if nothing waits. */
  public OptionalLong wakeAtMs() {
    if (!waits()) {
      return OptionalLong.empty();
    }
    long heartbeat = waiting.quietSinceMs() + bounds.heartbeatMs();
    return OptionalLong.of(
        Math.min(waiting.dueMs(), Math.min(waiting.sinceMs() + bounds.holdMs(), heartbeat)));
  }

  private boolean waits() {
    return state == State.HOLDING || state == State.JUDGING;
  }

  private Step silent(Event.Silent silent, long nowMs) {
    if (!waits() || silent.order() == Order.OVERTAKES) {
      return new Step(quiet(nowMs), List.of(new Effect.Pass()));
    }
    return state == State.HOLDING && silent.extent() == Extent.COMPLETE
        ? whole(silent.bytes(), text, nowMs)
        : waits(silent.bytes(), text, nowMs, NEVER);
  }

  private Step said(Event.Said said, Text now, long nowMs) {
    boolean complete = said.extent() == Extent.COMPLETE;
    if (mode == StreamMode.OBSERVE && !waits() && (!complete || addsLittle(now))) {
      return now.said() >= bounds.segmentBytes()
          ? new Step(
              with(State.JUDGING, now).quiet(nowMs),
              List.of(new Effect.Pass(), new Effect.Judge(Extent.PARTIAL)))
          : new Step(with(state, now).quiet(nowMs), List.of(new Effect.Pass()));
    }
    if (state != State.JUDGING && complete) {
      return whole(said.bytes(), now, nowMs);
    }
    return state != State.JUDGING && mode == StreamMode.WINDOW && enoughIsNew(now)
        ? judges(said.bytes(), now, Extent.PARTIAL, nowMs)
        : waits(said.bytes(), now, nowMs, NEVER);
  }

  private boolean enoughIsNew(Text now) {
    return now.fresh() >= Math.max(bounds.windowBytes(), now.said() / NEW_SHARE);
  }

  private static boolean addsLittle(Text now) {
    return now.said() > MUCH_BYTES && now.fresh() < now.said() / SMALL_SHARE;
  }

  /** With the event at hand what was begun is whole. */
  private Step whole(int bytes, Text now, long nowMs) {
    return addsLittle(now)
        ? waits(bytes, now, nowMs, nowMs + PAUSE_MS)
        : judges(bytes, now, Extent.COMPLETE, nowMs);
  }

  private Step judges(int bytes, Text now, Extent extent, long nowMs) {
    Step waits = waits(bytes, now, nowMs, NEVER);
    return waits.next().state == State.ENDED
        ? waits
        : new Step(
            waits.next().with(State.JUDGING, now),
            List.of(new Effect.Wait(), new Effect.Judge(extent)));
  }

  private Step waits(int bytes, Text now, long nowMs, long dueMs) {
    if (waiting.bytes() + bytes > bounds.holdBytes()) {
      return cut(LIMIT);
    }
    Waiting more =
        waits()
            ? new Waiting(
                waiting.bytes() + bytes,
                waiting.sinceMs(),
                waiting.quietSinceMs(),
                Math.min(waiting.dueMs(), dueMs))
            : new Waiting(bytes, nowMs, nowMs, dueMs);
    State to = state == State.FLOWING ? State.HOLDING : state;
    return new Step(
        new StreamGate(mode, bounds, to, more, now, bodyEnded), List.of(new Effect.Wait()));
  }

  private Step judged(Outcome outcome, long nowMs) {
    if (state != State.JUDGING) {
      throw new IllegalStateException("a verdict that nobody asked for, in " + state);
    }
    return switch (outcome) {
      case GOOD -> good(nowMs);
      case BAD -> refuse();
      case NOT_YET -> bodyEnded ? refuse() : notYet();
    };
  }

  private Step notYet() {
    int patience = Math.max(PATIENCE_WINDOWS * bounds.windowBytes(), text.said() / 2);
    return mode == StreamMode.WINDOW && text.said() - text.covered() > patience
        ? cut(TURNED_BAD)
        : new Step(
            new StreamGate(
                mode,
                bounds,
                State.HOLDING,
                new Waiting(waiting.bytes(), waiting.sinceMs(), waiting.quietSinceMs(), NEVER),
                new Text(text.said(), text.covered(), text.said()),
                false),
            List.of());
  }

  private Step good(long nowMs) {
    List<Effect> effects = new ArrayList<>(3);
    if (waiting.bytes() > 0) {
      effects.add(new Effect.Release());
    }
    Text covered = new Text(text.said(), text.said(), text.said());
    if (text.said() >= bounds.segmentBytes()) {
      effects.add(new Effect.Forget());
      covered = new Text(0, 0, 0);
    }
    if (bodyEnded) {
      effects.add(new Effect.Finish());
    }
    return new Step(
        new StreamGate(
            mode,
            bounds,
            bodyEnded ? State.ENDED : State.FLOWING,
            new Waiting(0, nowMs, nowMs, NEVER),
            covered,
            bodyEnded),
        effects);
  }

  private Step tick(long nowMs) {
    if (!waits()) {
      return new Step(this, List.of());
    }
    if (state == State.HOLDING && nowMs >= waiting.dueMs()) {
      return new Step(with(State.JUDGING, text), List.of(new Effect.Judge(Extent.COMPLETE)));
    }
    if (nowMs - waiting.sinceMs() >= bounds.holdMs()) {
      return cut(TIMEOUT);
    }
    return nowMs - waiting.quietSinceMs() >= bounds.heartbeatMs()
        ? new Step(quiet(nowMs), List.of(new Effect.Beat()))
        : new Step(this, List.of());
  }

  private Step bodyEnds() {
    boolean judge = state == State.HOLDING || (state == State.FLOWING && text.fresh() > 0);
    boolean over = state == State.FLOWING && !judge;
    State to = judge ? State.JUDGING : over ? State.ENDED : state;
    return new Step(
        new StreamGate(mode, bounds, to, waiting, text, true),
        judge
            ? List.of(new Effect.Judge(Extent.COMPLETE))
            : over ? List.of(new Effect.Finish()) : List.of());
  }

  private Step refuse() {
    return new Step(with(State.ENDED, text), List.of(new Effect.Refuse()));
  }

  private Step cut(String code) {
    return new Step(with(State.ENDED, text), List.of(new Effect.Cut(code)));
  }

  private StreamGate with(State to, Text now) {
    return new StreamGate(mode, bounds, to, waiting, now, bodyEnded);
  }

  /** Something goes to the caller. */
  private StreamGate quiet(long nowMs) {
    Waiting heard = new Waiting(waiting.bytes(), waiting.sinceMs(), nowMs, waiting.dueMs());
    return new StreamGate(mode, bounds, state, heard, text, bodyEnded);
  }
}
