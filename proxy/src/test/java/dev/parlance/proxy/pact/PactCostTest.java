package dev.parlance.proxy.pact;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.PactMeasure;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.json.JsonScanner;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What holding a later message to its pact leaves behind as garbage. */
class PactCostTest {
  private static final int MESSAGES = 50_000;

  /** An observation, the message that it is of, and the numbers in them. */
  private static final long BYTES_OF_NUMBERS = 600;

  /** The same with the places of a document's values; its text has 4,000 bytes. */
  private static final long BYTES_OF_FIELDS = 2_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final PlainBody body =
      PlainBody.of(
          ("{\"jsonrpc\":\"2.0\",\"params\":{\"message\":{\"parts\":[{\"data\":{\"name\":\"Ann\"}},"
                  + "{\"text\":\""
                  + "x".repeat(4_000)
                  + "\"}]}}}")
              .getBytes(StandardCharsets.UTF_8));

  private static ActivePact pact(Predicate... predicates) {
    List<Predicate> all = List.of(predicates);
    return new ActivePact(
        new ActivePact.Terms(
            "p-1", "ab".repeat(32), "n-1", "alice", "bob", all, 0, 1L << 50, "note"),
        PactState.attested("p-1", "n-1", "alice", "bob", all, 0, 1L << 50, "cd".repeat(32)),
        "bob",
        Optional.empty(),
        System::currentTimeMillis,
        1_000);
  }

  private PactCheck.Action message(ActivePact pact) {
    PactMeasure.Message message =
        new PactMeasure.Message(
            PactTerms.Leg.REQUEST,
            body,
            "a2a-1.0",
            "application/json",
            pact.count(false, body.length()),
            OptionalDouble.empty(),
            Optional.empty(),
            false);
    PactCheck.Result result =
        pact.check().check(PactMeasure.of(pact.check(), message, JsonScanner.Limits.DEFAULT));
    pact.observed(false, result);
    return result.action();
  }

  /** The least of some tries: what other threads make the compiler do is not the message's. */
  private long bytesEach(ActivePact pact) {
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 4; attempt++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < MESSAGES; i++) {
        if (message(pact) != PactCheck.Action.PASS) {
          throw new AssertionError("stopped");
        }
      }
      least = Math.min(least, (THREADS.getCurrentThreadAllocatedBytes() - before) / MESSAGES);
    }
    return least;
  }

  @Test
  void aMessageWhoseBodyNobodyAsksAbout_leavesNumbersOnly() {
    ActivePact pact =
        pact(
            new Predicate("size", "output", "max_kb=64"),
            new Predicate("asked", "scope", "max_request_kb=64"),
            new Predicate("all", "termination", "max_messages=9999999999;notice_ms=0"),
            new Predicate("vague", "success", "useful=very"));
    assertThat(bytesEach(pact)).isLessThan(BYTES_OF_NUMBERS);
    assertThat(pact.peerTally().messages()).isEqualTo(4L * MESSAGES);
    assertThat(pact.peerTally().of("asked", PactCheck.Outcome.HELD)).isEqualTo(4L * MESSAGES);
    assertThat(pact.peerTally().of("vague", PactCheck.Outcome.UNMEASURED)).isEqualTo(4L * MESSAGES);
  }

  @Test
  void aMessageWhoseFieldsAreAskedAbout_leavesTheirNames_howeverLongItsTextIs() {
    ActivePact pact = pact(new Predicate("fields", "scope", "fields=name"));
    assertThat(bytesEach(pact)).isLessThan(BYTES_OF_FIELDS);
  }
}
