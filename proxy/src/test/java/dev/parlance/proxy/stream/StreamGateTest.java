package dev.parlance.proxy.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.proxy.config.StreamMode;
import dev.parlance.proxy.config.StreamSettings;
import dev.parlance.proxy.stream.StreamGate.Effect;
import dev.parlance.proxy.stream.StreamGate.Event;
import dev.parlance.proxy.stream.StreamGate.Extent;
import dev.parlance.proxy.stream.StreamGate.Order;
import dev.parlance.proxy.stream.StreamGate.Outcome;
import dev.parlance.proxy.stream.StreamGate.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One test per state and event, then long random walks. */
class StreamGateTest {
  /** 1,000 bytes held for 1,000 ms, a heartbeat each 100 ms, windows of 40 in segments of 4,000. */
  private static final StreamSettings BOUNDS = new StreamSettings(1000, 1000, 100, 40, 4000, 1000);

  private static final Effect PASS = new Effect.Pass();
  private static final Effect WAIT = new Effect.Wait();
  private static final Effect RELEASE = new Effect.Release();
  private static final Effect FINISH = new Effect.Finish();
  private static final Effect REFUSE = new Effect.Refuse();
  private static final Effect BEAT = new Effect.Beat();
  private static final Effect FORGET = new Effect.Forget();
  private static final Effect JUDGE_PART = new Effect.Judge(Extent.PARTIAL);
  private static final Effect JUDGE_ALL = new Effect.Judge(Extent.COMPLETE);

  private static Event silent() {
    return new Event.Silent(10, Order.IN_TURN, Extent.PARTIAL);
  }

  private static Event closing() {
    return new Event.Silent(10, Order.IN_TURN, Extent.COMPLETE);
  }

  private static Event overtaking() {
    return new Event.Silent(10, Order.OVERTAKES, Extent.PARTIAL);
  }

  private static Event part(int saidBytes) {
    return new Event.Said(10, saidBytes, Extent.PARTIAL);
  }

  private static Event whole(int saidBytes) {
    return new Event.Said(10, saidBytes, Extent.COMPLETE);
  }

  private static Event judged(Outcome outcome) {
    return new Event.Judged(outcome);
  }

  private static StreamGate open(StreamMode mode) {
    return StreamGate.open(mode, BOUNDS, 0);
  }

  private static StreamGate after(StreamMode mode, Event... events) {
    StreamGate gate = open(mode);
    for (Event event : events) {
      gate = gate.step(event, 0).next();
    }
    return gate;
  }

  private static void check(
      StreamGate gate, Event event, long nowMs, State next, Effect... effects) {
    StreamGate.Step step = gate.step(event, nowMs);
    assertThat(step.effects()).containsExactly(effects);
    assertThat(step.next().state()).isEqualTo(next);
  }

  // ---- FLOWING ----

  @ParameterizedTest
  @EnumSource
  void flowing_silent_passes(StreamMode mode) {
    check(open(mode), silent(), 0, State.FLOWING, PASS);
    check(open(mode), closing(), 0, State.FLOWING, PASS);
    check(open(mode), overtaking(), 0, State.FLOWING, PASS);
  }

  @Test
  void flowing_part_waits_unlessTheRouteOnlyObserves() {
    check(open(StreamMode.HOLD), part(10), 0, State.HOLDING, WAIT);
    check(open(StreamMode.WINDOW), part(10), 0, State.HOLDING, WAIT);
    check(open(StreamMode.OBSERVE), part(10), 0, State.FLOWING, PASS);
  }

  @Test
  void flowing_partThatFillsAWindow_isJudgedInModeWindowOnly() {
    check(open(StreamMode.HOLD), part(40), 0, State.HOLDING, WAIT);
    check(open(StreamMode.WINDOW), part(39), 0, State.HOLDING, WAIT);
    check(open(StreamMode.WINDOW), part(40), 0, State.JUDGING, WAIT, JUDGE_PART);
    check(open(StreamMode.OBSERVE), part(40), 0, State.FLOWING, PASS);
  }

  @Test
  void flowing_partThatFillsASegment_isJudgedAfterwardsWhereNothingIsHeldBack() {
    check(open(StreamMode.OBSERVE), part(4000), 0, State.JUDGING, PASS, JUDGE_PART);
    StreamGate judging = after(StreamMode.OBSERVE, part(4000));
    check(judging, judged(Outcome.GOOD), 0, State.FLOWING, FORGET);
    assertThat(judging.step(judged(Outcome.GOOD), 0).next().text().said()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void flowing_whole_isJudgedBeforeItGoesOn(StreamMode mode) {
    check(open(mode), whole(10), 0, State.JUDGING, WAIT, JUDGE_ALL);
  }

  @ParameterizedTest
  @EnumSource
  void flowing_end_finishes(StreamMode mode) {
    check(open(mode), new Event.BodyEnded(), 0, State.ENDED, FINISH);
    check(after(mode, silent()), new Event.BodyEnded(), 0, State.ENDED, FINISH);
  }

  @Test
  void flowing_end_judgesFirstWhatNoVerdictCovers() {
    StreamGate observed = after(StreamMode.OBSERVE, part(10));
    check(observed, new Event.BodyEnded(), 0, State.JUDGING, JUDGE_ALL);
    StreamGate judging = observed.step(new Event.BodyEnded(), 0).next();
    check(judging, judged(Outcome.GOOD), 0, State.ENDED, FINISH);
  }

  @ParameterizedTest
  @EnumSource
  void flowing_tick_doesNothingAndIsNotDue(StreamMode mode) {
    check(open(mode), new Event.Tick(), 1_000_000, State.FLOWING);
    assertThat(open(mode).wakeAtMs()).isEmpty();
  }

  // ---- HOLDING ----

  @Test
  void holding_silent_waitsInTurn_orOvertakes() {
    StreamGate holding = after(StreamMode.HOLD, part(10));
    check(holding, silent(), 0, State.HOLDING, WAIT);
    check(holding, overtaking(), 0, State.HOLDING, PASS);
  }

  @Test
  void holding_silentThatClosesWhatWasOpen_isJudged() {
    check(after(StreamMode.HOLD, part(10)), closing(), 0, State.JUDGING, WAIT, JUDGE_ALL);
  }

  @Test
  void holding_part_waits_andIsJudgedOnceAWindowIsNew() {
    check(after(StreamMode.HOLD, part(10)), part(900), 0, State.HOLDING, WAIT);
    check(after(StreamMode.WINDOW, part(10)), part(20), 0, State.HOLDING, WAIT);
    check(after(StreamMode.WINDOW, part(10)), part(50), 0, State.JUDGING, WAIT, JUDGE_PART);
  }

  @Test
  void holding_whole_isJudged() {
    check(after(StreamMode.HOLD, part(10)), whole(20), 0, State.JUDGING, WAIT, JUDGE_ALL);
    check(after(StreamMode.WINDOW, part(10)), whole(20), 0, State.JUDGING, WAIT, JUDGE_ALL);
  }

  @Test
  void holding_end_isJudged() {
    check(after(StreamMode.HOLD, part(10)), new Event.BodyEnded(), 0, State.JUDGING, JUDGE_ALL);
  }

  @Test
  void holding_tick_beatsInSilence_andCutsWhenItsTimeIsOver() {
    StreamGate holding = after(StreamMode.HOLD, part(10));
    assertThat(holding.wakeAtMs()).hasValue(100);
    check(holding, new Event.Tick(), 99, State.HOLDING);
    check(holding, new Event.Tick(), 100, State.HOLDING, BEAT);
    StreamGate heard = holding.step(new Event.Tick(), 100).next();
    assertThat(heard.wakeAtMs()).hasValue(200);
    check(heard, new Event.Tick(), 150, State.HOLDING);
    check(heard, new Event.Tick(), 1000, State.ENDED, new Effect.Cut(StreamGate.TIMEOUT));
  }

  @Test
  void holding_tick_aMessageThatOvertook_isNoSilence() {
    StreamGate holding = after(StreamMode.HOLD, part(10)).step(overtaking(), 90).next();
    check(holding, new Event.Tick(), 120, State.HOLDING);
  }

  @Test
  void G15_whatWaitsIsBounded() {
    StreamGate full = after(StreamMode.HOLD, new Event.Said(1000, 900, Extent.PARTIAL));
    check(full, silent(), 0, State.ENDED, new Effect.Cut(StreamGate.LIMIT));
    check(full, part(910), 0, State.ENDED, new Effect.Cut(StreamGate.LIMIT));
    check(full, whole(910), 0, State.ENDED, new Effect.Cut(StreamGate.LIMIT));
    check(full, overtaking(), 0, State.HOLDING, PASS);
  }

  // ---- JUDGING ----

  @Test
  void judging_good_releases() {
    check(
        after(StreamMode.HOLD, part(10), whole(20)),
        judged(Outcome.GOOD),
        0,
        State.FLOWING,
        RELEASE);
  }

  @Test
  void judging_goodAtTheEnd_releasesAndFinishes() {
    check(
        after(StreamMode.HOLD, part(10), new Event.BodyEnded()),
        judged(Outcome.GOOD),
        0,
        State.ENDED,
        RELEASE,
        FINISH);
  }

  @Test
  void judging_goodSegment_isForgotten() {
    check(
        after(StreamMode.HOLD, whole(4000)),
        judged(Outcome.GOOD),
        0,
        State.FLOWING,
        RELEASE,
        FORGET);
  }

  @ParameterizedTest
  @EnumSource
  void judging_bad_refuses(StreamMode mode) {
    check(after(mode, whole(10)), judged(Outcome.BAD), 0, State.ENDED, REFUSE);
  }

  @Test
  void judging_notYet_waitsForMore_andIsJudgedAgainWithAnotherWindow() {
    StreamGate judging = after(StreamMode.WINDOW, part(40));
    check(judging, judged(Outcome.NOT_YET), 0, State.HOLDING);
    StreamGate holding = judging.step(judged(Outcome.NOT_YET), 0).next();
    check(holding, part(79), 0, State.HOLDING, WAIT);
    check(holding, part(80), 0, State.JUDGING, WAIT, JUDGE_PART);
  }

  @Test
  void judging_notYetForTooLong_isCut() {
    int patience = StreamGate.PATIENCE_WINDOWS * BOUNDS.windowBytes();
    check(after(StreamMode.WINDOW, part(patience)), judged(Outcome.NOT_YET), 0, State.HOLDING);
    check(
        after(StreamMode.WINDOW, part(patience + 1)),
        judged(Outcome.NOT_YET),
        0,
        State.ENDED,
        new Effect.Cut(StreamGate.TURNED_BAD));
  }

  @Test
  void judging_notYetInModeHold_waitsForTheEndOfTheStream() {
    StreamGate judging = after(StreamMode.HOLD, whole(3000));
    check(judging, judged(Outcome.NOT_YET), 0, State.HOLDING);
  }

  @Test
  void judging_notYetAtTheEnd_refuses() {
    check(
        after(StreamMode.WINDOW, part(10), new Event.BodyEnded()),
        judged(Outcome.NOT_YET),
        0,
        State.ENDED,
        REFUSE);
  }

  @Test
  void judging_whatComesMeanwhile_waits() {
    StreamGate judging = after(StreamMode.HOLD, whole(10));
    check(judging, silent(), 0, State.JUDGING, WAIT);
    check(judging, overtaking(), 0, State.JUDGING, PASS);
    check(judging, part(20), 0, State.JUDGING, WAIT);
    check(judging, whole(20), 0, State.JUDGING, WAIT);
    check(judging, new Event.BodyEnded(), 0, State.JUDGING);
    check(judging, new Event.Tick(), 100, State.JUDGING, BEAT);
    check(judging, new Event.Tick(), 1000, State.ENDED, new Effect.Cut(StreamGate.TIMEOUT));
  }

  // ---- ENDED ----

  @Test
  void ended_nothingFollows() {
    StreamGate ended = after(StreamMode.HOLD, whole(10), judged(Outcome.BAD));
    for (Event event :
        List.of(silent(), part(1), whole(1), new Event.Tick(), new Event.BodyEnded())) {
      check(ended, event, 0, State.ENDED);
    }
    assertThat(ended.wakeAtMs()).isEmpty();
  }

  @Test
  void verdictThatNobodyAskedFor_isAFault() {
    StreamGate flowing = open(StreamMode.HOLD);
    assertThatThrownBy(() -> flowing.step(judged(Outcome.GOOD), 0))
        .isInstanceOf(IllegalStateException.class);
  }

  // ---- small additions to much text ----

  @Test
  void S7_smallAdditionToMuchText_waitsForMoreBeforeAllIsJudgedAgain() {
    StreamSettings wide = new StreamSettings(1 << 20, 1000, 100, 400, 1 << 20, 1 << 20);
    StreamGate much = StreamGate.open(StreamMode.HOLD, wide, 0);
    much = much.step(whole(100_000), 0).next().step(judged(Outcome.GOOD), 0).next();
    check(much, whole(100_010), 0, State.HOLDING, WAIT);
    StreamGate paused = much.step(whole(100_010), 0).next();
    assertThat(paused.wakeAtMs()).hasValue(StreamGate.PAUSE_MS);
    check(paused, new Event.Tick(), StreamGate.PAUSE_MS, State.JUDGING, JUDGE_ALL);
    check(much, whole(110_000), 0, State.JUDGING, WAIT, JUDGE_ALL);
  }

  @Test
  void S7_notYetDoesNotLeaveAnOldPauseBehind() {
    StreamSettings wide = new StreamSettings(1 << 20, 1000, 100, 400, 1 << 20, 1 << 20);
    StreamGate gate = StreamGate.open(StreamMode.WINDOW, wide, 0);
    gate = gate.step(whole(100_000), 0).next().step(judged(Outcome.GOOD), 0).next();
    gate = gate.step(whole(100_010), 0).next().step(new Event.Tick(), 20).next();
    gate = gate.step(judged(Outcome.NOT_YET), 20).next();
    assertThat(gate.wakeAtMs()).hasValue(100);
  }

  // ---- long walks ----

  @ParameterizedTest
  @EnumSource
  void randomWalks_nothingGoesOnBeforeAVerdictThatCoversIt_andAllStaysBounded(StreamMode mode) {
    Random random = new Random(41);
    for (int walk = 0; walk < 500; walk++) {
      StreamGate gate = open(mode);
      List<String> waiting = new ArrayList<>();
      int said = 0;
      long nowMs = 0;
      for (int i = 0; i < 200 && gate.state() != State.ENDED; i++) {
        nowMs += random.nextInt(40);
        Event event = randomEvent(random, gate, said);
        if (event instanceof Event.Said words) {
          said = words.saidBytes();
        }
        boolean judged = event instanceof Event.Judged(Outcome outcome) && outcome == Outcome.GOOD;
        StreamGate.Step step = gate.step(event, nowMs);
        for (Effect effect : step.effects()) {
          switch (effect) {
            case Effect.Pass _ ->
                assertThat(event instanceof Event.Said && mode != StreamMode.OBSERVE).isFalse();
            case Effect.Wait _ -> waiting.add(event.toString());
            case Effect.Release _ -> {
              assertThat(judged).isTrue();
              waiting.clear();
            }
            case Effect.Forget _ -> said = 0;
            default -> {}
          }
        }
        gate = step.next();
        assertThat(gate.waiting().bytes()).isBetween(0L, (long) BOUNDS.holdBytes());
        assertThat(gate.waiting().bytes() == 0).isEqualTo(waiting.isEmpty());
        if (gate.state() == State.FLOWING) {
          assertThat(waiting).isEmpty();
        }
      }
    }
  }

  private static Event randomEvent(Random random, StreamGate gate, int said) {
    if (gate.state() == State.JUDGING) {
      return judged(
          random.nextInt(10) > 0
              ? Outcome.GOOD
              : random.nextBoolean() ? Outcome.NOT_YET : Outcome.BAD);
    }
    return switch (random.nextInt(8)) {
      case 0 -> silent();
      case 1 -> overtaking();
      case 2 -> new Event.Tick();
      case 3 -> whole(said + random.nextInt(60));
      case 4 -> random.nextInt(30) == 0 ? new Event.BodyEnded() : silent();
      default -> part(said + random.nextInt(60));
    };
  }
}
