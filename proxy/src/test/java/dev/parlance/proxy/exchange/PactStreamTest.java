package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.gate.Pacts;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a pact does to answers that arrive as streams of events. */
class PactStreamTest extends PactScene {
  private static final String ASKS_ONCE = REQUIRED + "\n    repair: off";
  private static final String GIVES_ONCE = "pact: required\n    repair: off";
  private static final String GIVES = "pact: required\n    idempotent: true";

  @BeforeEach
  void streams() {
    method = "SendStreamingMessage";
  }

  @Test
  void eventsThatKeepToThePact_flow_andCountAsOneMessage() throws Exception {
    events.add(List.of(begins(), data("{\"name\":\"a\"}"), says("hello back"), ends()));
    for (Direction direction : Direction.values()) {
      pacts.held.messages = 0;
      pacts.held.bytes = 0;
      pacts.held.observed.clear();
      Reply reply =
          direction == Direction.INBOUND
              ? ask(direction, GIVES_ONCE, NAMED)
              : ask(direction, ASKS_ONCE);
      assertThat(reply.body).contains("hello back").contains("\"name\":\"a\"");
      assertThat(reply.ended).isTrue();
      assertThat(begunAfter).isLessThan(4);
      assertThat(pacts.held.messages).isEqualTo(2);
      assertThat(pacts.held.bytes)
          .isEqualTo(message().length() + String.join("", events.getFirst()).length());
      assertThat(pacts.held.observed).hasSize(2);
      assertThat(reply.pact).isEqualTo(NAMED);
      assertThat(decisions()).contains("\"pact\":{\"id\":\"p-1\",\"result\":\"kept\"");
    }
  }

  @Test
  void aStreamThatIsNotUnderThePact_isRefusedAtItsHead() throws Exception {
    events.add(List.of(says("hello back"), ends()));
    for (String[] one :
        new String[][] {
          {"", "pact_hash_differs"},
          {"p-1;" + "cd".repeat(32), "pact_hash_differs"},
          {"p-1;refused=pact_scope", "pact_required"},
        }) {
      answerFields = one[0];
      Reply reply = ask(Direction.OUTBOUND, ASKS_ONCE);
      assertThat(reply.reason).as(one[0]).isEqualTo(one[1]);
      assertThat(reply.body).doesNotContain("hello back");
    }
  }

  @Test
  void aRefusalThatArrivesAsAStream_bringsASecondRequest() throws Exception {
    firstFields.add("p-1;refused=pact_unknown");
    answerFields = "p-2;" + HASH;
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-1")));
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-2")));
    events.add(List.of(says("refused"), ends()));
    events.add(List.of(says("hello back"), ends()));
    Reply reply = ask(Direction.OUTBOUND, ASKS_ONCE);
    assertThat(reply.body).contains("hello back").doesNotContain("refused");
    assertThat(asked).hasSize(2);
  }

  @Test
  void anEventWithAForbiddenField_endsTheStream_andThePactIfItIsTheOtherSides() throws Exception {
    events.add(List.of(says("hello back"), data("{\"name\":\"a\",\"salary\":70000}"), ends()));
    Reply others = ask(Direction.OUTBOUND, ASKS_ONCE);
    assertThat(others.body).contains("hello back").contains("pact_scope").doesNotContain("70000");
    assertThat(others.reason).isEqualTo("pact_scope");
    assertThat(pacts.ended).containsExactly("violated by bob");
    pacts.ended.clear();
    Reply own = ask(Direction.INBOUND, GIVES_ONCE, NAMED);
    assertThat(own.body).contains("pact_scope").doesNotContain("70000");
    assertThat(pacts.ended).isEmpty();
    assertThat(decisions()).contains("\"result\":\"pact_scope\"");
  }

  @Test
  void aFieldBehindTheBody_isSeenToo_andBlamesNobody() throws Exception {
    events.add(List.of(says("hello back"), ends()));
    trailers.set("salary", "70000");
    assertThat(ask(Direction.OUTBOUND, ASKS_ONCE).reason).isEqualTo("pact_scope");
    assertThat(ask(Direction.INBOUND, GIVES_ONCE, NAMED).reason).isEqualTo("pact_scope");
    assertThat(pacts.ended).isEmpty();
  }

  @Test
  void aFieldInAnEventThatMayOvertake_orHasNoWords_isSeenToo() throws Exception {
    events.add(List.of(data("{\"salary\":70000}"), says("hello back"), ends()));
    Reply reply = ask(Direction.OUTBOUND, ASKS_ONCE);
    assertThat(reply.body + reply.reason).contains("pact_scope").doesNotContain("70000");
  }

  /** Some readers of events look at what the protocol does not. */
  @Test
  void P2_wordsBesideTheDataOfAnEvent_doNotGoOnUnderAPact_whateverTheRoute() throws Exception {
    for (String route : List.of("onUnjudged: allow", "onUnjudged: allow\n    stream: observe")) {
      for (String beside : List.of(": {\"salary\":70000}\n", "salary: 70000\n")) {
        events.clear();
        events.add(List.of(beside + says("hello back"), ends()));
        pacts.holding = true;
        Reply reply =
            ask(Direction.OUTBOUND, ASKS_ONCE.replace("required", "optional") + "\n    " + route);
        assertThat(reply.body + reply.reason).as(beside).doesNotContain("70000");
      }
    }
  }

  @Test
  void anOversizedStream_isAskedForAgain_beforeAnyOfItIsSeen() throws Exception {
    events.add(List.of(begins(), says("x".repeat(1_500)), says("y".repeat(1_500)), ends()));
    events.add(List.of(begins(), says("short"), ends()));
    Reply reply = ask(Direction.INBOUND, GIVES, NAMED);
    assertThat(reply.body).contains("short").doesNotContain("xxx");
    assertThat(asked).hasSize(2);
    assertThat(bodies.getLast()).contains("clause size max_kb=2");
    assertThat(pacts.ended).isEmpty();
    assertThat(begunAfter).isEqualTo(3);
  }

  @Test
  void anOversizedStreamThatFlows_isADispute() throws Exception {
    events.add(List.of(says("x".repeat(1_000)), says("y".repeat(1_500)), ends()));
    Reply reply = ask(Direction.INBOUND, GIVES_ONCE, NAMED);
    assertThat(reply.body).doesNotContain("yyy");
    assertThat(reply.reason).isEqualTo("pact_output");
    assertThat(pacts.ended).containsExactly("dispute_escalated");
  }

  @Test
  void streamsThatNeverKeepToIt_endInADispute_andAPersonSeesTheLast() throws Exception {
    pacts.held.predicates = List.of(new Predicate("cites", "output", "citations>=3"));
    events.add(List.of(says("hello back"), ends()));
    Reply reply = ask(Direction.INBOUND, GIVES, NAMED);
    assertThat(asked.size()).isGreaterThan(1);
    assertThat(pacts.ended).containsExactly("dispute_escalated");
    assertThat(reply.route + reply.body).contains("yield");
    assertThat(reply.body).doesNotContain("hello back");
  }

  @Test
  void whatOnlyTheWholeShows_holdsTheStreamToItsEnd() throws Exception {
    pacts.held.predicates = List.of(new Predicate("full", "success", "fill_rate>=0.75"));
    events.add(
        List.of(
            begins(),
            data("{\"name\":\"a\",\"city\":\"\"}"),
            says("hello back"),
            data("{\"name\":\"b\",\"city\":\"c\"}"),
            ends()));
    Reply kept = ask(Direction.OUTBOUND, ASKS_ONCE);
    assertThat(kept.body).contains("hello back");
    assertThat(begunAfter).isEqualTo(5);
    pacts.held.predicates = List.of(new Predicate("full", "success", "fill_rate>=0.8"));
    Reply broken = ask(Direction.OUTBOUND, ASKS_ONCE);
    assertThat(broken.body).doesNotContain("hello back").doesNotContain("city");
    assertThat(broken.reason).isEqualTo("pact_success");
  }

  @Test
  void whatCannotBeMeasured_followsTheConfiguration() throws Exception {
    pacts.held.predicates =
        List.of(new Predicate("form", "output", "schema=sha256:" + "ab".repeat(32)));
    events.add(List.of(says("hello back"), ends()));
    Reply blocked = ask(Direction.OUTBOUND, ASKS_ONCE);
    assertThat(blocked.reason).isEqualTo("pact_unmeasured");
    assertThat(blocked.body).doesNotContain("hello back");
    Reply allowed = ask(Direction.OUTBOUND, ASKS_ONCE, "", "{ onUnmeasured: warn }");
    assertThat(allowed.body).contains("hello back");
  }

  @Test
  void aPactThatEndsBetweenTwoEvents_coversNoneBehind() throws Exception {
    events.add(List.of(says("first"), says("second"), ends()));
    betweenEvents =
        () -> pacts.held.standing = come > 1 ? Pacts.Standing.ENDED : Pacts.Standing.ACTIVE;
    Reply reply = ask(Direction.OUTBOUND, ASKS_ONCE);
    assertThat(reply.body).doesNotContain("second");
    assertThat(reply.reason).isEqualTo("pact_ended");
  }

  @Test
  void aStreamUnderADisputedPact_waitsForAPerson() throws Exception {
    whileAsked = () -> pacts.held.standing = Pacts.Standing.DISPUTED;
    events.add(List.of(begins(), says("hello back"), ends()));
    for (Direction direction : Direction.values()) {
      pacts.held.standing = Pacts.Standing.ACTIVE;
      Reply reply =
          direction == Direction.INBOUND
              ? ask(direction, GIVES_ONCE, NAMED)
              : ask(direction, ASKS_ONCE);
      assertThat(reply.body).doesNotContain("hello back");
      assertThat(reply.route + reply.body).contains("yield");
      assertThat(reply.reason + reply.body).contains("pact_disputed");
    }
  }

  @Test
  void aStreamThatNobodyCanRead_doesNotGoOnUnderAPact() throws Exception {
    streamType = "application/x-ndjson";
    events.add(List.of("{\"salary\":70000}\n"));
    pacts.holding = true;
    Reply reply = ask(Direction.OUTBOUND, "pact: optional\n    peer: bob\n    onUnjudged: allow");
    assertThat(asked.getFirst().headers().get("Parlance-Pact")).isEqualTo(NAMED);
    assertThat(reply.body).doesNotContain("70000");
    assertThat(reply.reason).isNotEmpty();
  }

  @Test
  void aRequestThatNobodyCanRead_isNotDelivered_ifItNamesAPact_orIsAnActionUnderOne()
      throws Exception {
    pacts.working = true;
    for (Direction direction : Direction.values()) {
      for (String body : List.of("no json", "{\"what\":1}", "[1]")) {
        Reply reply = new Reply();
        String named = direction == Direction.INBOUND ? NAMED : "";
        run(
            direction,
            "pact: optional\n    onUnjudged: allow",
            reply,
            request(body, named, "application/json"));
        // A2A answers broken JSON-RPC with HTTP 200 and an error.
        assertThat(reply.status >= 400 || reply.body.contains("\"error\":{\"code\":-32"))
            .as("%s: %d %s", body, reply.status, reply.body)
            .isTrue();
        assertThat(asked).as(body).isEmpty();
      }
    }
  }

  @Test
  void everyCutOfAStream_isHeldToThePactAlike() throws Exception {
    List<String> whole = List.of(begins(), says("hello back"), data("{\"salary\":70000}"), ends());
    String joined = String.join("", whole);
    for (int at = 1; at < joined.length(); at += 7) {
      events.clear();
      events.add(List.of(joined.substring(0, at), joined.substring(at)));
      pacts.ended.clear();
      Reply reply = ask(Direction.OUTBOUND, ASKS_ONCE);
      assertThat(reply.body).as("cut at %d", at).doesNotContain("70000");
      assertThat(reply.reason).as("cut at %d", at).isEqualTo("pact_scope");
      assertThat(pacts.ended).as("cut at %d", at).containsExactly("violated by bob");
    }
  }

  // ---- events ----

  private static String event(String result) {
    return "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}\n\n";
  }

  private static String begins() {
    return event(
        "{\"task\":{\"id\":\"t-1\",\"contextId\":\"c-1\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}}");
  }

  private static String ends() {
    return event(
        "{\"statusUpdate\":{\"taskId\":\"t-1\",\"contextId\":\"c-1\","
            + "\"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}}");
  }

  private static String says(String text) {
    return artifact("{\"text\":\"" + text + "\"}", text.hashCode());
  }

  private static String data(String json) {
    return artifact("{\"data\":" + json + "}", json.hashCode());
  }

  private static String artifact(String part, int id) {
    return event(
        "{\"artifactUpdate\":{\"taskId\":\"t-1\",\"contextId\":\"c-1\",\"lastChunk\":true,"
            + "\"artifact\":{\"artifactId\":\"a"
            + Integer.toHexString(id)
            + "\",\"parts\":["
            + part
            + "]}}}");
  }
}
