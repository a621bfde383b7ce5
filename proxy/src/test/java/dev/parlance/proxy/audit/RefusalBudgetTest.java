package dev.parlance.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.audit.AuditEvent.RejectionEvent;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Lines about refusals: so many at once, so many a second, and the rest is counted. */
class RefusalBudgetTest {
  private static final long START_NS = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(100);
  private static final RejectionEvent BAD =
      new RejectionEvent(1, "n", "inbound", "json", "bad_json", "peer");
  private static final RejectionEvent DEAD =
      new RejectionEvent(1, "n", "inbound", RejectionEvent.ORIGIN, "connect_refused", "peer");

  private final RefusalBudget budget = new RefusalBudget();

  private int admitted(RejectionEvent event, int count, long nowNs) {
    int admitted = 0;
    for (int i = 0; i < count; i++) {
      admitted += budget.admit(event, nowNs).isPresent() ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void aFlood_hasSoManyLines_andTheNextOneSaysHowManyWereLeftOut() {
    assertThat(admitted(BAD, 5000, START_NS)).isEqualTo(RefusalBudget.LINES_AT_ONCE);
    long laterNs = START_NS + TimeUnit.SECONDS.toNanos(1);

    Optional<RejectionEvent> next = budget.admit(BAD, laterNs);

    assertThat(next.map(RejectionEvent::leftOut)).contains(5000L - RefusalBudget.LINES_AT_ONCE);
    assertThat(admitted(BAD, 5000, laterNs)).isEqualTo(RefusalBudget.LINES_PER_SECOND - 1);
    assertThat(admitted(BAD, 5000, START_NS + TimeUnit.SECONDS.toNanos(90)))
        .isEqualTo(RefusalBudget.LINES_AT_ONCE);
  }

  @Test
  void agentsThatFail_haveLinesOfTheirOwn() {
    assertThat(admitted(BAD, 5000, START_NS)).isEqualTo(RefusalBudget.LINES_AT_ONCE);
    assertThat(budget.admit(DEAD, START_NS).map(RejectionEvent::leftOut)).contains(0L);
  }

  @Test
  void fewRefusals_allHaveALine() {
    for (int i = 0; i < 5000; i++) {
      assertThat(budget.admit(BAD, START_NS + i * TimeUnit.MILLISECONDS.toNanos(20))).isPresent();
    }
  }
}
