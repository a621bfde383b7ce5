package dev.parlance.ledger.pact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Fault;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Offer;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.ledger.pact.PactMessages.Refusal;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactMachine;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactTemplate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Messages as bytes, against the golden traces and against hostile ones. */
class PactMessagesTest {
  private static final String ESCALATES =
      "{\"t\":1,\"from\":\"A\",\"type\":\"COUNTER\",\"negotiation\":\"n\",\"escalate\":true}";

  private static <T> T good(Reading<T> reading) {
    return switch (reading) {
      case Reading.Good<T>(T read) -> read;
      case Reading.Refused<T>(Fault fault, String detail) ->
          throw new AssertionError(fault + " " + detail);
    };
  }

  private static Optional<Fault> fault(Reading<?> reading) {
    return reading instanceof Reading.Refused<?>(Fault fault, _)
        ? Optional.of(fault)
        : Optional.empty();
  }

  private static Reading<Incoming> message(String json) {
    return PactMessages.message(json.getBytes(UTF_8));
  }

  static Stream<GoldenPacts.Vector> traces() {
    return GoldenPacts.vectors("pact-traces");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("traces")
  void trace_isReplayed_andItsMessagesSurviveTheWire(GoldenPacts.Vector vector) {
    Map<String, PactTemplate> templates = new HashMap<>();
    for (Map.Entry<String, JsonNode> one : vector.in().path("templates").properties()) {
      templates.put(one.getKey(), good(PactMessages.template(one.getValue())));
    }
    PactState state = PactState.start(templates);
    List<String> violations = new ArrayList<>();
    int index = 0;
    for (JsonNode node : vector.in().path("trace")) {
      PactEvent event = good(PactMessages.trace(node));
      PactMachine.Step step = PactMachine.step(state, event);
      int at = index++;
      step.fault().ifPresent(fault -> violations.add(at + " " + fault));
      state = step.next();
      if (event instanceof PactEvent.Message message
          && !(message.body() instanceof PactEvent.Unknown)) {
        survives(message);
      }
    }
    assertThat(state.history()).isEqualTo(vector.out().path("history").stringValue());
    assertThat(state.phase().name()).isEqualTo(vector.out().path("state").stringValue());
    assertThat(violations)
        .isEqualTo(
            vector
                .out()
                .path("violations")
                .valueStream()
                .map(one -> one.path("step").asInt() + " " + one.path("code").asString())
                .toList());
  }

  private static void survives(PactEvent.Message message) {
    PactEvent.Message written = PactMessages.write(message.atMs(), message.from(), message.body());
    assertThat(good(PactMessages.trace(GoldenPacts.json(written.canonical())))).isEqualTo(written);
    Incoming came = good(message(message.canonical()));
    assertThat(came.message().canonical()).isEqualTo(message.canonical());
    if (message.body() instanceof PactEvent.Ratification said) {
      assertThat(((PactEvent.Ratification) came.message().body()).signatures())
          .hasSameSizeAs(said.signatures())
          .doesNotContainValue(true);
      assertThat(came.checked(said.signatures().keySet()).body())
          .isInstanceOfSatisfying(
              PactEvent.Ratification.class,
              ratification -> assertThat(ratification.signatures()).doesNotContainValue(false));
    } else {
      assertThat(came.message().body()).isEqualTo(message.body());
    }
  }

  @Test
  void memberOfAnotherType_isRefused_neverThrown() {
    Map<String, JsonNode> byShape = new TreeMap<>();
    traces()
        .flatMap(one -> one.in().path("trace").valueStream())
        .forEach(node ->
            byShape.putIfAbsent(
                node.path("type").stringValue() + String.join(" ", node.propertyNames()), node));
    assertThat(byShape).hasSizeGreaterThan(12);
    int refused = 0;
    for (JsonNode node : byShape.values()) {
      for (JsonNode change : GoldenPacts.changed(node, GoldenPacts.values())) {
        Reading<PactEvent> read = PactMessages.trace(change);
        refused += fault(read).isPresent() ? 1 : 0;
        fault(message(change.toString())).ifPresent(found -> assertThat(found).isNotNull());
        if (read instanceof Reading.Good<PactEvent>(PactEvent.Message taken)) {
          // what is taken has one canonical form, which reads as itself
          assertThat(good(PactMessages.trace(GoldenPacts.json(taken.canonical()))))
              .isEqualTo(taken);
        }
      }
    }
    assertThat(refused).isGreaterThan(1000);
  }

  @Test
  void canonicalForm_keepsUnknownMembers_sortedByCodePoint_inAscii() {
    Incoming came =
        good(
            message(
                "{\"type\":\"COUNTER\", \"t\": 1 ,\"from\":\"A\",\"negotiation\":\"n\","
                    + "\"escalate\":true,\"😀\":[1,{\"b\":null,\"a\":-0}],"
                    + "\"\uffff\":\"é\\u007f\\/\"}"));
    assertThat(came.message().canonical())
        .isEqualTo(
            "{\"escalate\":true,\"from\":\"A\",\"negotiation\":\"n\",\"t\":1,\"type\":\"COUNTER\","
                + "\"\\uffff\":\"\\u00e9\\u007f/\",\"\\ud83d\\ude00\":[1,{\"a\":0,\"b\":null}]}");
  }

  @Test
  void hostileBytes_haveTypedFaults() {
    assertThat(fault(message(ESCALATES))).isEmpty();
    assertThat(fault(message(""))).contains(Fault.BAD_MEMBER);
    assertThat(fault(message("\ufeff" + ESCALATES))).contains(Fault.NOT_JSON);
    assertThat(fault(message(ESCALATES + "{}"))).contains(Fault.NOT_JSON);
    assertThat(fault(message("[]"))).contains(Fault.BAD_MEMBER);
    assertThat(fault(message(ESCALATES.replace("1,", "NaN,")))).contains(Fault.NOT_JSON);
    assertThat(fault(PactMessages.message(new byte[] {'"', (byte) 0xc0, '"'})))
        .contains(Fault.NOT_JSON);
    assertThat(fault(message(ESCALATES.replace("\"t\":1", "\"t\":1,\"t\":1"))))
        .contains(Fault.DUPLICATE_NAME);
    assertThat(fault(message(ESCALATES.replace("true", "true,\"\\udc00\":1"))))
        .contains(Fault.NOT_JSON);
    assertThat(fault(message("{\"a\":" + "[".repeat(9) + "]".repeat(9) + "}")))
        .contains(Fault.TOO_DEEP);
    assertThat(fault(message(ESCALATES.replace("\"t\":1", "\"t\":" + "9".repeat(40)))))
        .contains(Fault.TOO_DEEP);
    assertThat(fault(message("[".repeat(60_000)))).contains(Fault.TOO_DEEP);
    String large = ESCALATES.replace("true", "true,\"x\":\"" + "x".repeat(1 << 16) + "\"");
    assertThat(fault(message(large))).contains(Fault.TOO_LARGE);
    assertThat(fault(PactMessages.batch(("{\"messages\":[" + large + "]}").getBytes(UTF_8))))
        .contains(Fault.BAD_MEMBER);
    for (String bad :
        List.of(
            ESCALATES.replace("\"t\":1", "\"t\":1.0"),
            ESCALATES.replace("\"t\":1", "\"t\":-1"),
            ESCALATES.replace("\"t\":1", "\"t\":9007199254740992"),
            ESCALATES.replace("\"t\":1,", ""),
            ESCALATES.replace("\"A\"", "\"A B\""),
            ESCALATES.replace("\"A\"", "\"A\\ud800\""),
            ESCALATES.replace("\"n\"", "\"\""),
            ESCALATES.replace("true", "1"),
            ESCALATES.replace("true", "true,\"x\":0.5"),
            ESCALATES.replace("true", "true,\"accept_all\":false,\"responses\":[]"),
            ESCALATES.replace("COUNTER", "CLOCK"))) {
      assertThat(fault(message(bad))).as(bad).contains(Fault.BAD_MEMBER);
    }
  }

  private static String proposal(int predicates) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < predicates; i++) {
      list.append(i == 0 ? "" : ",")
          .append("{\"id\":\"p%d\",\"category\":\"scope\",\"body\":\"x=1\"}".formatted(i));
    }
    return "{\"t\":1,\"from\":\"A\",\"type\":\"PROPOSAL\",\"negotiation\":\"n\",\"predicates\":["
        + list
        + "]}";
  }

  @Test
  void tooManyPredicates_areRefused() {
    assertThat(fault(message(proposal(200)))).isEmpty();
    assertThat(fault(message(proposal(201)))).contains(Fault.BAD_MEMBER);
    assertThat(fault(message(proposal(10_000)))).contains(Fault.TOO_LARGE);
  }

  @Test
  void whatASidecarAdds_isReadBack() {
    PactEvent.Invocation invites =
        new PactEvent.Invocation("n", "A", "B", 5000, 60_000, List.of("t@1"));
    Offer offer =
        new Offer(
            "p-1",
            30_000,
            new TreeMap<>(Map.of("t@1", "ab".repeat(32))),
            Optional.of("p-0"),
            new TreeMap<>(Map.of("scope", "cd".repeat(32))));
    PactEvent.Message written = PactMessages.write(7, "A", invites, offer);
    Incoming came = good(message(written.canonical()));
    assertThat(came.message()).isEqualTo(written);
    assertThat(came.offer()).contains(offer);

    PactEvent.Ratification signs = new PactEvent.Ratification("n", "p-1", "h", "k", 7, 8, Map.of());
    PactEvent.Message signed = PactMessages.write(7, "B", signs, Map.of("B", "AAAA"));
    Incoming ratifies = good(message(signed.canonical()));
    assertThat(ratifies.signatures()).containsExactly(Map.entry("B", "AAAA"));
    assertThat(ratifies.checked(Set.of("B"))).isEqualTo(signed);
    assertThat(ratifies.checked(Set.of())).isEqualTo(ratifies.message());
    // a text that a trace takes for a good signature is none here
    assertThat(
            ((PactEvent.Ratification)
                    good(message(signed.canonical().replace("AAAA", "ok"))).message().body())
                .signatures())
        .containsExactly(Map.entry("B", false));

    PactEvent.Dissolution ends =
        new PactEvent.Dissolution(
            "p-1", "work_completed", Optional.empty(), java.util.OptionalLong.empty());
    PactEvent.Message ended = PactMessages.write(9, "A", ends, new byte[] {1, 2, 3});
    assertThat(good(message(ended.canonical())).noteBytes())
        .hasValueSatisfying(bytes -> assertThat(bytes).containsExactly(1, 2, 3));
    assertThat(fault(message(ended.canonical().replace("AQID", "AQI")))).contains(Fault.BAD_MEMBER);

    byte[] batch =
        PactMessages.write(List.of(written, signed), Optional.of(new Refusal(1, "X_Y", "é")));
    Batch read = good(PactMessages.batch(batch));
    assertThat(read.messages()).containsExactly(came, ratifies);
    assertThat(read.refused()).contains(new Refusal(1, "X_Y", "é"));
    assertThat(good(PactMessages.batch(PactMessages.write(List.of(), Optional.empty()))).messages())
        .isEmpty();
  }

  @Test
  void floodOfMessages_isRefusedAsAWhole() {
    String all = String.join(",", java.util.Collections.nCopies(17, ESCALATES));
    assertThat(fault(PactMessages.batch(("{\"messages\":[" + all + "]}").getBytes(UTF_8))))
        .contains(Fault.BAD_MEMBER);
    assertThat(fault(PactMessages.batch("{}".getBytes(UTF_8)))).contains(Fault.BAD_MEMBER);
    assertThat(fault(PactMessages.batch(new byte[(256 << 10) + 1]))).contains(Fault.TOO_LARGE);
  }
}
