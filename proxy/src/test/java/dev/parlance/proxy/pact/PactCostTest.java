package dev.parlance.proxy.pact;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.PactMeasure;
import dev.parlance.proxy.gate.SpokenProtocols;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Holding a later message to its pact leaves no garbage, whatever the pact asks for. */
class PactCostTest {
  private static final int MESSAGES = 20_000;
  private static final int TRIES = 4;

  /** Less than the smallest object for each message: the thread's own books are not exact. */
  private static final double NOTHING = 1;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final String A2A =
      "{\"jsonrpc\":\"2.0\",\"params\":{\"message\":{\"parts\":[{\"data\":{\"name\":\"Ann\"}},"
          + "{\"text\":\""
          + "x".repeat(4_000)
          + "\"}]}}}";

  private static final String MCP =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"search\"}}";

  /** A document has a clause in each category, whatever is measured. */
  private static final List<PactDocument.Term> EVERYTHING =
      PactVillage.predicates("max_kb=64").stream()
          .<PactDocument.Term>map(PactDocument.Term.Open::new)
          .toList();

  private static ActivePact pact(Predicate... predicates) {
    List<Predicate> all = List.of(predicates);
    return new ActivePact(
        new ActivePact.Terms(
            new PactDocument(
                "p-1", "n-1", "alice", "bob", "cd".repeat(32), 0, 1L << 50, EVERYTHING),
            "ab".repeat(32),
            all,
            "note"),
        PactState.attested("p-1", "n-1", "alice", "bob", all, 0, 1L << 50, "cd".repeat(32)),
        "bob",
        Optional.empty(),
        System::currentTimeMillis,
        1_000);
  }

  /** A message as its codec leaves it: scanned once. */
  private record Sent(PactTerms.Leg leg, JsonDocument document, AgentProtocol protocol) {
    static Sent of(PactTerms.Leg leg, String body, String protocol) {
      return JsonScanner.scan(body.getBytes(StandardCharsets.UTF_8), JsonScanner.Limits.DEFAULT)
              instanceof JsonScanner.Scanned(JsonDocument document)
          ? new Sent(leg, document, SpokenProtocols.named(protocol))
          : fail(body);
    }

    private static Sent fail(String body) {
      throw new AssertionError(body);
    }

    /** As the stage of pacts does. */
    PactCheck.Action under(ActivePact pact) {
      PlainBody body = document.body();
      PactMeasure measure = PactMeasure.begin(leg, body, JsonScanner.Limits.DEFAULT);
      try {
        measure.message(document, protocol, "application/json");
        measure.took(OptionalDouble.empty());
        measure.judged(Optional.empty(), false);
        pact.count(PactTerms.Leg.REQUEST, 1, body.length(), measure.counts());
        PactCheck.Result result = pact.check().check(measure);
        pact.observed(false, result);
        return result.action();
      } finally {
        measure.end();
      }
    }
  }

  /** The least of some tries: what other threads make the compiler do is not the message's. */
  private static double bytesEach(ActivePact pact, Sent message) {
    double least = Double.MAX_VALUE;
    for (int attempt = 0; attempt < TRIES; attempt++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < MESSAGES; i++) {
        if (message.under(pact) != PactCheck.Action.PASS) {
          throw new AssertionError("stopped");
        }
      }
      long after = THREADS.getCurrentThreadAllocatedBytes();
      least = Math.min(least, (double) (after - before) / MESSAGES);
    }
    return least;
  }

  @Test
  void aMessageWhoseSizeAndNumberAreAskedAbout_leavesNothing_andIsCounted() {
    ActivePact pact =
        pact(
            new Predicate("size", "output", "max_kb=64"),
            new Predicate("asked", "scope", "max_request_kb=64"),
            new Predicate("often", "action", "rate_per_min=100000000"),
            new Predicate("all", "termination", "max_messages=9999999999;notice_ms=0"),
            new Predicate("vague", "success", "useful=very"));
    Sent request = Sent.of(PactTerms.Leg.REQUEST, A2A, "a2a-1.0");
    assertThat(bytesEach(pact, request)).isLessThan(NOTHING);
    long messages = (long) TRIES * MESSAGES;
    assertThat(pact.peerTally().messages()).isEqualTo(messages);
    assertThat(pact.peerTally().of("asked", PactCheck.Outcome.HELD)).isEqualTo(messages);
    assertThat(pact.peerTally().of("vague", PactCheck.Outcome.UNMEASURED)).isEqualTo(messages);
  }

  @Test
  void aMessageWhoseFieldsAreAskedAbout_leavesNothing_inBothDirections() {
    ActivePact pact =
        pact(
            new Predicate("fields", "scope", "fields=name,company,country"),
            new Predicate("never", "scope", "deny_fields=salary,birth_date"),
            new Predicate("filled", "success", "fill_rate>=0.5"),
            new Predicate("form", "output", "format=json"));
    assertThat(bytesEach(pact, Sent.of(PactTerms.Leg.REQUEST, A2A, "a2a-1.0"))).isLessThan(NOTHING);
    assertThat(bytesEach(pact, Sent.of(PactTerms.Leg.ANSWER, A2A, "a2a-1.0"))).isLessThan(NOTHING);
    assertThat(bytesEach(pact, Sent.of(PactTerms.Leg.ANSWER, "{\"name\":1}", "json")))
        .isLessThan(NOTHING);
  }

  @Test
  void aMessageWhoseToolsAreAskedAbout_leavesNothing() {
    ActivePact pact =
        pact(
            new Predicate("tools", "action", "tools=search,look_up;hosts=tools.example"),
            new Predicate("person", "action", "approve=send_mail"));
    assertThat(bytesEach(pact, Sent.of(PactTerms.Leg.REQUEST, MCP, "mcp"))).isLessThan(NOTHING);
  }
}
