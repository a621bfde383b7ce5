package dev.parlance.proxy.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.review.Deliberation.Phase;
import dev.parlance.proxy.review.ReviewEvent.Deliberating;
import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewEvent.Vote;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every event in every phase, and that whatever happened can be read from its shortest history. */
class DeliberationTest {
  private static final long NOW_MS = 1_000;
  private static final ReviewItem HELD = ReviewItem.pending("r-1", Messages.message("k"));

  private static Vote vote(String who, Verdict verdict, int people, long undoMs) {
    return new Vote(who, "by " + who, verdict, people, undoMs, NOW_MS);
  }

  private static Deliberation in(Phase phase) {
    return switch (phase) {
      case OPEN -> Deliberation.NONE;
      case CLAIMED -> waits(Deliberation.NONE, new ReviewEvent.Claim("ann", 2_000, NOW_MS));
      case DECIDED -> waits(Deliberation.NONE, vote("ann", Verdict.RELEASE, 1, 500));
    };
  }

  private static Deliberation waits(Deliberation from, Deliberating... events) {
    Deliberation now = from;
    for (Deliberating event : events) {
      assertThat(now.step(event)).as("%s", event).isInstanceOf(Deliberation.Outcome.Waits.class);
      now = ((Deliberation.Outcome.Waits) now.step(event)).next();
    }
    return now;
  }

  private static Deliberating event(String name) {
    String who = name.substring(name.indexOf(' ') + 1);
    return switch (name.substring(0, name.indexOf(' '))) {
      case "claim" -> new ReviewEvent.Claim(who, 3_000, NOW_MS);
      case "late-claim" -> new ReviewEvent.Claim(who, 3_000, 2_000);
      case "unclaim" -> new ReviewEvent.Unclaim(who, NOW_MS);
      case "vote" -> vote(who, Verdict.REJECT, 1, 500);
      case "late-vote" -> new Vote(who, "", Verdict.REJECT, 1, 500, 2_000);
      case "final-vote" -> vote(who, Verdict.REJECT, 1, 0);
      case "half-vote" -> vote(who, Verdict.REJECT, 2, 0);
      case "undo" -> new ReviewEvent.Undo(who, NOW_MS);
      case "count" -> new ReviewEvent.Count(Long.parseLong(who));
      default -> new ReviewEvent.Escalate(who, NOW_MS);
    };
  }

  @ParameterizedTest(name = "{0} + {1} -> {2}")
  @CsvSource({
    "OPEN,    claim ann,      CLAIMED",
    "OPEN,    unclaim ann,    not_yours",
    "OPEN,    vote ann,       DECIDED",
    "OPEN,    half-vote ann,  OPEN",
    "OPEN,    final-vote ann, counts",
    "OPEN,    undo ann,       nothing_to_undo",
    "OPEN,    count 9999,     not_due",
    "OPEN,    escalate leads, OPEN",
    "CLAIMED, claim ann,      CLAIMED",
    "CLAIMED, claim bob,      claimed",
    "CLAIMED, late-claim bob, CLAIMED",
    "CLAIMED, unclaim ann,    OPEN",
    "CLAIMED, unclaim bob,    not_yours",
    "CLAIMED, vote ann,       DECIDED",
    "CLAIMED, vote bob,       claimed",
    "CLAIMED, late-vote bob,  DECIDED",
    "CLAIMED, half-vote ann,  OPEN",
    "CLAIMED, final-vote ann, counts",
    "CLAIMED, undo ann,       nothing_to_undo",
    "CLAIMED, count 9999,     not_due",
    "CLAIMED, escalate leads, CLAIMED",
    "DECIDED, claim ann,      decided",
    "DECIDED, claim bob,      decided",
    "DECIDED, unclaim ann,    not_yours",
    "DECIDED, vote ann,       decided",
    "DECIDED, vote bob,       decided",
    "DECIDED, undo ann,       OPEN",
    "DECIDED, undo bob,       nothing_to_undo",
    "DECIDED, count 1499,     not_due",
    "DECIDED, count 1500,     counts",
    "DECIDED, escalate leads, decided"
  })
  void everyEventInEveryPhase_followsTheTable(Phase from, String event, String to) {
    Deliberation before = in(from);
    assertThat(before.phase(NOW_MS)).isEqualTo(from);
    assertThat(
            switch (before.step(event(event))) {
              case Deliberation.Outcome.Waits(Deliberation next) -> next.phase(NOW_MS).name();
              case Deliberation.Outcome.Counts _ -> "counts";
              case Deliberation.Outcome.Refused(String code) -> code;
            })
        .isEqualTo(to);
  }

  @Test
  void twoPeople_decideTogether_andOnePersonIsNotTwo() {
    Deliberation one = waits(Deliberation.NONE, vote("ann", Verdict.RELEASE, 2, 0));
    assertThat(one.step(vote("ann", Verdict.RELEASE, 2, 0)))
        .isEqualTo(new Deliberation.Outcome.Refused("already_voted"));
    assertThat(one.step(event("claim ann")))
        .isEqualTo(new Deliberation.Outcome.Refused("already_voted"));
    assertThat(one.step(vote("bob", Verdict.RELEASE, 2, 0)))
        .isInstanceOfSatisfying(
            Deliberation.Outcome.Counts.class,
            counts ->
                assertThat(counts.made())
                    .isEqualTo(
                        new ReviewItem.Decision("ann, bob", "by bob", NOW_MS, Verdict.RELEASE)));
  }

  @Test
  void peopleWhoDisagree_waitForAThird() {
    Deliberation split =
        waits(
            Deliberation.NONE,
            vote("ann", Verdict.RELEASE, 2, 0),
            vote("bob", Verdict.REJECT, 2, 0));
    assertThat(split.phase(NOW_MS)).isEqualTo(Phase.OPEN);
    assertThat(split.step(vote("eve", Verdict.REJECT, 2, 0)))
        .isInstanceOfSatisfying(
            Deliberation.Outcome.Counts.class,
            counts -> assertThat(counts.made().who()).isEqualTo("bob, eve"));
  }

  @Test
  void escalations_areCounted_andTheLastNamesTheQueue() {
    Deliberation twice =
        waits(
            Deliberation.NONE,
            new ReviewEvent.Escalate("leads", 1),
            new ReviewEvent.Escalate("legal", 2));
    assertThat(twice.queue()).isEqualTo("legal");
    assertThat(twice.escalations()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void whateverHappens_itsShortestHistoryLeadsToTheSame_alsoThroughBytes(long seed)
      throws IOException {
    Random random = new Random(seed);
    for (int run = 0; run < 200; run++) {
      ReviewItem item = HELD;
      for (int i = 0; i < 12; i++) {
        if (item.step(anyEvent(random, NOW_MS + 10L * i))
            instanceof ReviewItem.Step.Moved(ReviewItem next)) {
          item = next;
        }
        assertThat(replayed(item)).isEqualTo(item);
      }
    }
  }

  private static ReviewEvent anyEvent(Random random, long atMs) {
    String who = "p" + random.nextInt(4);
    return switch (random.nextInt(12)) {
      case 0, 1 -> new ReviewEvent.Claim(who, atMs + 1 + random.nextInt(30), atMs);
      case 2 -> new ReviewEvent.Unclaim(who, atMs);
      case 3, 4, 5, 6 ->
          new Vote(
              who,
              random.nextBoolean() ? "" : "because",
              Verdict.values()[random.nextInt(3)],
              1 + random.nextInt(3),
              random.nextInt(3) * 20L,
              atMs);
      case 7 -> new ReviewEvent.Undo(who, atMs);
      case 8 -> new ReviewEvent.Count(atMs);
      case 9 -> new ReviewEvent.Escalate("q" + random.nextInt(3), atMs);
      case 10 -> new ReviewEvent.Deliver(atMs);
      default -> new ReviewEvent.Reject("(its sender)", "", atMs);
    };
  }

  private static ReviewItem replayed(ReviewItem item) throws IOException {
    List<JournalRecord> read = new ArrayList<>();
    for (JournalRecord entry : JournalRecord.historyOf(item)) {
      read.add(JournalRecord.decode(JournalRecord.encode(entry)));
    }
    ReviewItem now = ReviewItem.pending(item.id(), item.message());
    for (JournalRecord entry : read.subList(1, read.size())) {
      now =
          ((ReviewItem.Step.Moved) now.step(((JournalRecord.Stepped) entry).event()))
              .next()
              .with(item.message());
    }
    return now;
  }
}
