package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.relay.api.WholeRequest;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What the stage of pacts lets pass, refuses, ends and asks again; with scripted pacts. */
class PactStageTest extends PactScene {
  @Test
  void outbound_negotiatesFirst_thenNamesThePact() throws Exception {
    Reply reply = ask(Direction.OUTBOUND, REQUIRED);
    assertThat(reply.status).isEqualTo(200);
    assertThat(pacts.obtained).containsExactly("bob");
    assertThat(asked).hasSize(1);
    assertThat(asked.getFirst().headers().get("Parlance-Pact")).isEqualTo(NAMED);
    assertThat(asked.getFirst().headers().get("Parlance-Pact-Signature")).isEqualTo("c2ln");
    assertThat(pacts.held.confirmed).isTrue();
    assertThat(pacts.held.messages).isEqualTo(2);
    assertThat(reply.pact).isEqualTo(NAMED);
  }

  @Test
  void P7_aLimitThatIsReached_isNegotiatedAnew_whereThatIsAllowed() throws Exception {
    pacts.holding = true;
    pacts.held.predicates = List.of(new Predicate("all", "termination", "max_bytes=9"));
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-2")));
    answerFields = "p-2;" + HASH;
    Reply reply = ask(Direction.OUTBOUND, REQUIRED);
    assertThat(reply.status).isEqualTo(200);
    assertThat(reply.pact).isEqualTo("p-2;" + HASH);
    assertThat(pacts.forgotten).isOne();
    // Nobody negotiates where a pact is optional; where the policy has none, that is said.
    assertThat(ask(Direction.OUTBOUND, "pact: optional\n    peer: bob").reason)
        .isEqualTo("pact_termination");
    pacts.outcome = new Pacts.Outcome.Refused("declined", "the policy offers nothing");
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_required");
    assertThat(pacts.ended).isEmpty();
  }

  @Test
  void P14_aRefusal_namesField_pact_andWhetherToComeAgain() throws Exception {
    data = "{\"name\":\"x\",\"salary\":1}";
    assertThat(ask(Direction.OUTBOUND, REQUIRED).body)
        .contains("pact p-1, clause scope fields=name: field salary; sent again as it is");
    data = "{\"name\":\"x\"}";
    for (String code : List.of("pact_unavailable", "control_unavailable", "too_many_pacts")) {
      pacts.outcome = new Pacts.Outcome.Refused(code, "later");
      Reply reply = ask(Direction.OUTBOUND, REQUIRED);
      assertThat(reply.reason).isEqualTo("pact_unavailable");
      assertThat(reply.body).contains("try again later");
    }
  }

  @Test
  void P10_whereTheOtherPartyWasNotSeen_nothingGoesBeforeItHasShownItsKey() throws Exception {
    pacts.holding = true;
    pacts.held.seen = false;
    pacts.outcome = new Pacts.Outcome.Refused("pact_unproven", "whoever listens there");
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_unproven");
    assertThat(ask(Direction.OUTBOUND, "pact: optional\n    peer: bob").reason)
        .isEqualTo("pact_unproven");
    assertThat(asked).isEmpty();
    pacts.outcome = new Pacts.Outcome.Agreed(pacts.held);
    assertThat(ask(Direction.OUTBOUND, REQUIRED).status).isEqualTo(200);
  }

  @Test
  void P10_anAnswerThatIsNotProven_makesTheAddressShowItsKeyAgain() throws Exception {
    pacts.holding = true;
    answerFields = "";
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_hash_differs");
    assertThat(pacts.held.seen).isFalse();
  }

  @Test
  void outbound_withoutAPactOrASidecarOpposite_isNotDelivered() throws Exception {
    pacts.outcome = new Pacts.Outcome.NoPeer("nobody negotiates");
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_no_peer");
    pacts.outcome = new Pacts.Outcome.Refused("TEMPLATE_UNKNOWN", "t@1");
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_required");
    pacts.outcome = new Pacts.Outcome.Unavailable("late");
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_unavailable");
    assertThat(asked).isEmpty();
  }

  @Test
  void aPactWithSomebodyElse_isNoneWhereTheRouteNamesThePeer() throws Exception {
    for (String demand : List.of("required", "optional")) {
      Reply reply = ask(Direction.INBOUND, "pact: " + demand + "\n    peer: carol", NAMED);
      assertThat(reply.reason).isEqualTo("pact_required");
      assertThat(reply.body).contains("pact p-1 is with bob, expected one with carol");
    }
    assertThat(asked).isEmpty();
    assertThat(pacts.held.observed).isEmpty();
    assertThat(ask(Direction.INBOUND, "pact: required\n    peer: bob", NAMED).status)
        .isEqualTo(200);
  }

  @Test
  void fieldOutsideTheScope_ofTheOtherSide_stops_andEndsThePact() throws Exception {
    data = "{\"name\":\"x\",\"salary\":1}";
    Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.reason).isEqualTo("pact_scope");
    assertThat(reply.body).contains("pact p-1, clause scope fields");
    assertThat(asked).isEmpty();
    assertThat(pacts.ended).containsExactly("violated by bob");
    assertThat(decisions())
        .contains(
            "\"pact\":{\"id\":\"p-1\",\"result\":\"pact_scope\","
                + "\"detail\":\"pact p-1, clause scope fields");
  }

  @Test
  void fieldOutsideTheScope_ofTheLocalAgent_stops_beforeAnythingIsBroken() throws Exception {
    data = "{\"name\":\"x\",\"salary\":1}";
    Reply reply = ask(Direction.OUTBOUND, REQUIRED);
    assertThat(reply.reason).isEqualTo("pact_scope");
    assertThat(reply.body).contains("pact p-1, clause scope fields");
    assertThat(asked).isEmpty();
    assertThat(pacts.ended).isEmpty();
  }

  @Test
  void answerUnderNoOrAnotherPact_isNotDelivered() throws Exception {
    answerFields = "";
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_hash_differs");
    answerFields = "p-1;" + "cd".repeat(32);
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_hash_differs");
    answerFields = "p-1;refused=pact_unknown";
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_unknown");
    assertThat(pacts.forgotten).isEqualTo(1);
  }

  @Test
  void ofSeveralClausesThatAreBroken_theOneThatDecidesIsNamed() throws Exception {
    pacts.held.predicates =
        List.of(
            new Predicate("a-size", "output", "max_kb=0.01;schema=sha256:" + "ab".repeat(32)),
            new Predicate("b-all", "termination", "max_bytes=9"),
            new Predicate("c-scope", "scope", "fields=name"));
    data = "{\"salary\":1}";
    Reply scope = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(scope.reason).isEqualTo("pact_scope");
    assertThat(scope.body).contains("clause c-scope fields=name");
    data = "{\"name\":1}";
    Reply all = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(all.reason).isEqualTo("pact_termination");
    assertThat(all.body).contains("clause b-all max_bytes=9");
    pacts.held.predicates =
        List.of(new Predicate("a-size", "output", "max_kb=0.01;schema=sha256:" + "ab".repeat(32)));
    Reply size = ask(Direction.OUTBOUND, REQUIRED);
    assertThat(size.reason).isEqualTo("pact_output");
    assertThat(size.body).contains("clause a-size max_kb=0.01");
    pacts.held.predicates =
        List.of(
            new Predicate("a-vague", "success", "useful=very"),
            new Predicate("form", "output", "schema=sha256:" + "ab".repeat(32)));
    Reply unmeasured = ask(Direction.OUTBOUND, REQUIRED);
    assertThat(unmeasured.reason).isEqualTo("pact_unmeasured");
    assertThat(unmeasured.body).contains("clause form schema=");
  }

  @Test
  void answerWithoutABody_isUnderThePactToo() throws Exception {
    status = 204;
    assertThat(ask(Direction.OUTBOUND, REQUIRED).status).isEqualTo(204);
    assertThat(pacts.held.messages).isEqualTo(2);
    answerFields = "";
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_hash_differs");
    answerFields = NAMED;
    whileAsked = () -> pacts.held.standing = Pacts.Standing.ENDED;
    Reply ended = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(ended.reason).isEqualTo("pact_ended");
  }

  @Test
  void aRequestRefusedForItsPact_goesOnceMore_underAnother() throws Exception {
    for (String code : List.of("pact_unknown", "pact_ended")) {
      asked.clear();
      bodies.clear();
      firstFields.add("p-1;refused=" + code);
      answerFields = "p-2;" + HASH;
      pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-1")));
      pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-2")));
      Reply reply = ask(Direction.OUTBOUND, REQUIRED);
      assertThat(reply.status).isEqualTo(200);
      assertThat(reply.body).contains("hello back");
      assertThat(asked)
          .extracting(one -> one.headers().get("Parlance-Pact"))
          .containsExactly(NAMED, "p-2;" + HASH);
      assertThat(bodies.getFirst()).contains("hello there").isEqualTo(bodies.getLast());
      assertThat(decisions())
          .contains("\"reasons\":[\"" + code + "\"]")
          .contains("\"action\":\"send_again\"")
          .contains("\"pact\":{\"id\":\"p-2\",\"result\":\"kept\"");
    }
    assertThat(pacts.forgotten).isEqualTo(2);
    assertThat(pacts.obtained).hasSize(4);
  }

  @Test
  void aRequestThatIsSentAgain_isWithoutItsCoding_andSaysTheSame() throws Exception {
    firstFields.add("p-1;refused=pact_unknown");
    answerFields = "p-2;" + HASH;
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-1")));
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-2")));
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(coded)) {
      out.write(message().getBytes(StandardCharsets.UTF_8));
    }
    WholeRequest request = request("", "", "application/json");
    request.headers().set("Content-Encoding", "gzip").set("Content-MD5", "of the coded bytes");
    request.body().release();
    Reply reply = new Reply();
    run(
        Direction.OUTBOUND,
        REQUIRED + "\n    metadata: false",
        reply,
        new WholeRequest(
            request.method(),
            request.target(),
            request.authority(),
            false,
            request.headers(),
            Unpooled.wrappedBuffer(coded.toByteArray())));
    assertThat(reply.status).isEqualTo(200);
    assertThat(bodies.getLast()).isEqualTo(message());
    assertThat(asked.getFirst().headers().contains("Content-Encoding")).isTrue();
    assertThat(asked.getLast().headers().contains("Content-Encoding")).isFalse();
    assertThat(asked.getLast().headers().contains("Content-MD5")).isFalse();
  }

  @Test
  void aRequestGoesOnceMore_andNeverTwice() throws Exception {
    firstFields.add("p-1;refused=pact_unknown");
    answerFields = "p-2;refused=pact_unknown";
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-1")));
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-2")));
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_unknown");
    assertThat(asked).hasSize(2);
    assertThat(pacts.forgotten).isEqualTo(2);
  }

  /** Whoever has begun again since may have delivered it before. */
  @Test
  void aRefusalOfASidecarThatWasNotThereBefore_bringsNoSecondRequest() throws Exception {
    for (String since : List.of("0;" + CODE, "3600000;another", CODE, "-9;" + CODE, "")) {
      asked.clear();
      up = since;
      firstFields.add("p-1;refused=pact_unknown");
      pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-1")));
      assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).as(since).isEqualTo("pact_unknown");
      assertThat(asked).as(since).hasSize(1);
    }
  }

  @Test
  void aRefusalThatIsNotOfThisPact_orAfterTheAgentHadTheRequest_bringsNoSecondOne()
      throws Exception {
    for (String fields :
        List.of(
            "p-9;refused=pact_unknown",
            "p-1;refused=pact_ended;delivered",
            "p-1;refused=pact_scope",
            "p-1;refused=pact_unknown;",
            "p-1;refused=")) {
      asked.clear();
      answerFields = fields;
      Reply reply = ask(Direction.OUTBOUND, REQUIRED);
      assertThat(reply.reason).as(fields).startsWith("pact_");
      assertThat(asked).as(fields).hasSize(1);
    }
  }

  @Test
  void aRefusalThatTheOtherPartyHasNotSigned_bringsNoSecondRequest() throws Exception {
    for (String code : List.of("pact_unknown", "pact_ended")) {
      asked.clear();
      answerFields = "p-1;refused=" + code;
      FakeHeld pact = new FakeHeld("p-1");
      pact.code = "f".repeat(32); // not what stands beside the answer
      pacts.next.add(new Pacts.Outcome.Agreed(pact));
      Reply reply = ask(Direction.OUTBOUND, REQUIRED);
      assertThat(reply.reason).isEqualTo(code);
      assertThat(asked).hasSize(1);
    }
  }

  @Test
  void thatARequestWasNotDelivered_isSigned_andOfNoneThatWas() throws Exception {
    pacts.outcome = new Pacts.Outcome.Refused("pact_unknown", "");
    assertThat(ask(Direction.INBOUND, "pact: required", "p-9;" + HASH).proof)
        .isEqualTo("signed p-9 pact_unknown 0;1;" + CODE);
    pacts.held.confirmed = true;
    pacts.held.standing = Pacts.Standing.ENDED;
    assertThat(ask(Direction.INBOUND, "pact: required", NAMED).proof)
        .isEqualTo("signed p-1 pact_ended 0;1;" + CODE);
    pacts.held.arrival = Pacts.Arrival.SEEN;
    assertThat(ask(Direction.INBOUND, "pact: required", NAMED).proof).isEmpty();
    pacts.held.arrival = Pacts.Arrival.FRESH;
    pacts.held.code = "f".repeat(32); // somebody else's
    assertThat(ask(Direction.INBOUND, "pact: required", NAMED).proof).isEmpty();
  }

  @Test
  void whereNoOtherPactIsMade_aRefusedRequestStaysRefused() throws Exception {
    firstFields.add("p-1;refused=pact_unknown");
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-1")));
    pacts.next.add(new Pacts.Outcome.NoPeer("nobody negotiates"));
    assertThat(ask(Direction.OUTBOUND, REQUIRED, "", "{ onNoPeer: pass }").reason)
        .isEqualTo("pact_no_peer");
    assertThat(asked).hasSize(1);
  }

  @Test
  void aBodyThatDoesNotFitAmongThoseHeld_isNotHeld() throws Exception {
    pacts.holding = true;
    answerFields = "p-1;refused=pact_unknown";
    assertThat(ask(Direction.OUTBOUND, REQUIRED, "", "{ heldBytes: 1024 }").reason)
        .isEqualTo("pact_unknown");
    data = "{\"name\":\"" + "x".repeat(2_000) + "\"}";
    assertThat(ask(Direction.OUTBOUND, REQUIRED, "", "{ heldBytes: 1024 }").reason)
        .isEqualTo("pact_unavailable");
    assertThat(asked).hasSize(2);
  }

  @Test
  void aPactThatEndsWhileTheAgentWorks_refusesTheAnswer_andSaysThatItWasDelivered()
      throws Exception {
    whileAsked = () -> pacts.held.standing = Pacts.Standing.ENDED;
    Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.reason).isEqualTo("pact_ended");
    assertThat(reply.pact).isEqualTo("p-1;refused=pact_ended;delivered");
  }

  @Test
  void inbound_withoutAPact_neverReachesTheAgent() throws Exception {
    assertThat(ask(Direction.INBOUND, "pact: required").reason).isEqualTo("pact_required");
    pacts.outcome = new Pacts.Outcome.Refused("pact_unknown", "");
    Reply reply = ask(Direction.INBOUND, "pact: required", "p-9;" + HASH);
    assertThat(reply.reason).isEqualTo("pact_unknown");
    assertThat(reply.pact).isEqualTo("p-9;refused=pact_unknown");
    assertThat(asked).isEmpty();
  }

  @Test
  void inbound_underAPact_reachesTheAgentWithoutItsFields_andTheAnswerNamesIt() throws Exception {
    Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.status).isEqualTo(200);
    assertThat(reply.pact).isEqualTo(NAMED);
    assertThat(asked.getFirst().headers().contains("Parlance-Pact")).isFalse();
    assertThat(decisions()).contains("\"pact\":{\"id\":\"p-1\",\"result\":\"kept\"");
    assertThat(pacts.works).isEqualTo(1);
    assertThat(pacts.done).isEqualTo(1);
  }

  @Test
  void anotherHash_isRefused() throws Exception {
    assertThat(ask(Direction.INBOUND, "pact: required", "p-1;" + "cd".repeat(32)).reason)
        .isEqualTo("pact_hash_differs");
    assertThat(asked).isEmpty();
  }

  @Test
  void endedPact_coversNothing_andADisputedOneWaitsForAPerson() throws Exception {
    pacts.held.standing = Pacts.Standing.ENDED;
    assertThat(ask(Direction.INBOUND, "pact: required", NAMED).reason).isEqualTo("pact_ended");
    pacts.held.standing = Pacts.Standing.DISPUTED;
    Reply held = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(held.route).isEqualTo("yield");
    assertThat(held.reason).isEqualTo("pact_disputed");
    assertThat(held.pact).isEqualTo(NAMED);
    assertThat(asked).isEmpty();
  }

  @Test
  void oversizedAnswer_isAskedForAgain() throws Exception {
    answers = new ArrayList<>(List.of("x".repeat(3000), "short"));
    Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.status).isEqualTo(200);
    assertThat(reply.body).contains("short");
    assertThat(asked).hasSize(2);
    assertThat(bodies.getLast()).contains("clause size max_kb=2");
    assertThat(pacts.ended).isEmpty();
  }

  @Test
  void answersThatNeverKeepToIt_endInADispute() throws Exception {
    answers = new ArrayList<>(List.of("x".repeat(3000)));
    Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.route).isEqualTo("yield");
    assertThat(reply.reason).isEqualTo("pact_output");
    assertThat(pacts.ended).containsExactly("dispute_escalated");
  }

  @Test
  void whatTheAgentCallsUnderAPact_isItsAction_onAnyRoute() throws Exception {
    pacts.working = true;
    Reply reply = ask(Direction.OUTBOUND, "pact: off");
    assertThat(reply.reason).isEqualTo("pact_action");
    assertThat(reply.body).contains("clause hosts hosts");
    assertThat(asked).isEmpty();
  }

  @Test
  void P13_aPush_isHeldToThePactOfItsTask() throws Exception {
    pacts.task = "t-1";
    pacts.pushes = true;
    pacts.held.predicates =
        List.of(
            new Predicate("hosts", "action", "hosts=agent.example"),
            new Predicate("scope", "scope", "fields=name"));
    for (String field : List.of("name", "salary")) {
      assertThat(push(Direction.OUTBOUND, "pact: off", field, "").reason)
          .isEqualTo(field.equals("name") ? "" : "pact_scope");
    }
    pacts.held.predicates = List.of(new Predicate("hosts", "action", "hosts=kb.example"));
    assertThat(push(Direction.OUTBOUND, "pact: off", "name", "").reason).isEqualTo("pact_action");
    assertThat(asked).hasSize(1);
    assertThat(asked.getFirst().headers().contains("Parlance-Pact")).isFalse();
  }

  @Test
  void P13_aPushToTheOtherParty_goesUnderThePact_andItsAnswerIsProven() throws Exception {
    pacts.task = "t-1";
    pacts.pushes = true;
    String toBob = "pact: optional\n    peer: bob";
    pacts.held.seen = false;
    pacts.outcome = new Pacts.Outcome.Refused("pact_unproven", "whoever listens there");
    assertThat(push(Direction.OUTBOUND, toBob, "name", "").reason).isEqualTo("pact_unproven");
    assertThat(asked).isEmpty();
    pacts.held.seen = true;
    assertThat(push(Direction.OUTBOUND, toBob, "name", "").pact).isEqualTo(NAMED);
    assertThat(asked.getFirst().headers().get("Parlance-Pact")).isEqualTo(NAMED);
    assertThat(asked.getFirst().headers().get("Parlance-Pact-Proof")).endsWith(CODE);
    assertThat(pacts.held.messages).isOne();
    answerFields = "";
    assertThat(push(Direction.OUTBOUND, toBob, "name", "").reason).isEqualTo("pact_hash_differs");
    assertThat(pacts.works).isZero();
  }

  @Test
  void P13_aPushThatNobodyHasProven_countsForNothing_whateverTheRoute() throws Exception {
    pacts.task = "t-1";
    pacts.pushes = true;
    for (String route : List.of("pact: off", "pact: optional", "pact: required")) {
      asked.clear();
      assertThat(push(Direction.INBOUND, route, "name", "").reason).isEqualTo("pact_required");
      assertThat(push(Direction.INBOUND, route, "name", NAMED + ";").reason)
          .isEqualTo("pact_required");
      pacts.held.code = "0".repeat(32);
      assertThat(push(Direction.INBOUND, route, "name", NAMED).reason).isEqualTo("pact_unproven");
      pacts.held.code = CODE;
      assertThat(asked).isEmpty();
      assertThat(pacts.held.observed).isEmpty();
      assertThat(push(Direction.INBOUND, route, "name", NAMED).pact).isEqualTo(NAMED);
      assertThat(asked).hasSize(1);
      assertThat(asked.getFirst().headers().contains("Parlance-Pact")).isFalse();
      pacts.held.observed.clear();
      pacts.held.standing = Pacts.Standing.ENDED; // and is like anybody else's then
      assertThat(push(Direction.INBOUND, route, "name", "").reason)
          .isEqualTo(route.endsWith("required") ? "pact_required" : "");
      pacts.held.standing = Pacts.Standing.ACTIVE;
    }
    assertThat(pacts.works).isZero(); // who hears of a task does not work for it
    assertThat(push(Direction.INBOUND, "pact: off", "salary", NAMED).reason)
        .isEqualTo("pact_scope");
    assertThat(pacts.ended).containsExactly("violated by bob");
  }

  /** Who is told of a task reads it under the pact, too; so does whoever asks for it here. */
  @Test
  void P13_aLaterReadOfATask_goesUnderAPactWithItsParty_whateverTheRoute() throws Exception {
    pacts.task = "t-1";
    String read =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{\"id\":\"t-1\"}}";
    for (String route : List.of("pact: off", "pact: optional")) {
      asked.clear();
      Reply refused = new Reply();
      run(Direction.INBOUND, route, refused, request(read, "", "application/json"));
      assertThat(refused.reason).isEqualTo("pact_required");
      assertThat(asked).isEmpty();
      Reply reply = new Reply();
      run(Direction.INBOUND, route, reply, request(read, NAMED, "application/json"));
      assertThat(reply.pact).isEqualTo(NAMED);
      pacts.holding = true;
      Reply ours = new Reply();
      String toBob = "pact: optional\n    peer: bob";
      run(Direction.OUTBOUND, toBob, ours, request(read, "", "application/json"));
      assertThat(ours.pact).isEqualTo(NAMED);
      assertThat(asked).hasSize(2);
    }
    Reply other = new Reply();
    run(
        Direction.INBOUND,
        "pact: optional\n    peer: carol",
        other,
        request(read, NAMED, "application/json"));
    assertThat(other.reason).isEqualTo("pact_required");
  }

  /** A route for bob lets bob's pact in, though not to what was begun under carol's. */
  @Test
  void P13_aTaskOfAnother_isNotReadUnderAPactOfOnesOwn_whateverPeerTheRouteNames()
      throws Exception {
    pacts.task = "t-1";
    pacts.taskOf = new FakeHeld("p-2", "carol");
    pacts.taskOf.initiator = false;
    String read =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{\"id\":\"t-1\"}}";
    for (String route : List.of("pact: required", "pact: optional\n    peer: bob", REQUIRED)) {
      Reply reply = new Reply();
      run(Direction.INBOUND, route, reply, request(read, NAMED, "application/json"));
      assertThat(reply.reason).as(route).isEqualTo("pact_required");
      assertThat(reply.body).contains("expected one with carol");
    }
    assertThat(asked).isEmpty();
    assertThat(pacts.held.observed).isEmpty();
  }

  /** Who was asked under a pact tells of its tasks; what it asks for itself needs another one. */
  @Test
  void P13_whatTheAskedPartyAsks_isNoPush_andNeedsAPactOfItsOwn() throws Exception {
    pacts.task = "t-1";
    pacts.pushes = true;
    for (String route : List.of("pact: optional", "pact: required", REQUIRED)) {
      for (String about : List.of("", "\"taskId\":\"t-1\",")) {
        Reply reply = new Reply();
        String body = message().replace("\"role\"", about + "\"role\"");
        run(Direction.INBOUND, route, reply, request(body, NAMED, "application/json"));
        assertThat(reply.reason).as(route).isEqualTo("pact_required");
        assertThat(reply.body).contains("needs one of its own");
      }
    }
    assertThat(asked).isEmpty();
    assertThat(pacts.held.observed).isEmpty();
    assertThat(pacts.ended).isEmpty();
    // Nor does the local agent's sidecar send it under that one.
    pacts.outcome = new Pacts.Outcome.Agreed(new FakeHeld("p-2"));
    answerFields = "p-2;" + HASH;
    Reply reply = new Reply();
    String body = message().replace("\"role\"", "\"taskId\":\"t-1\",\"role\"");
    run(Direction.OUTBOUND, REQUIRED, reply, request(body, "", "application/json"));
    assertThat(pacts.obtained).containsExactly("bob");
    assertThat(reply.pact).isEqualTo("p-2;" + HASH);
  }

  /** Path and fields say what protocol a body is of, and whoever passes it on may change them. */
  @Test
  void whatIsReadByAnotherProtocol_isRefused_andNobodysViolation() throws Exception {
    String current = message();
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"lookup\","
            + "\"arguments\":{\"name\":\"x\"}}}";
    String rest = current.substring(current.indexOf("{\"message\":"), current.length() - 1);
    String chat =
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hello there\"}],\"tools\":"
            + "[{\"type\":\"function\",\"function\":{\"name\":\"lookup\",\"parameters\":{\"type\":"
            + "\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}}}]}";
    int refused = 0;
    for (String body : List.of(current, call, rest, chat)) {
      for (String path : List.of("/a2a", "/message:send", "/tasks/t", "/v1/responses", "/mcp")) {
        for (String field : List.of("Accept", "A2A-Version", "MCP-Session-Id")) {
          pacts.held.observed.clear();
          refused += changed(body, path, field).reason.equals("pact_scope") ? 1 : 0;
          assertThat(pacts.ended).as("%s %s %s", path, field, body).isEmpty();
          assertThat(pacts.held.observed.stream().filter(PactCheck.Result::isBlamed)).isEmpty();
        }
      }
    }
    assertThat(refused).isPositive();
    // What is against the pact by every protocol is its author's, however it is read.
    data = "{\"salary\":1}";
    assertThat(changed(message(), "/a2a", "MCP-Session-Id").reason).isEqualTo("pact_scope");
    assertThat(pacts.ended).containsExactly("violated by bob");
  }

  private Reply changed(String body, String path, String field) throws Exception {
    answerFields = "";
    answers = List.of("");
    status = 204;
    Reply reply = new Reply();
    WholeRequest sent = request(body, NAMED, "application/json");
    sent.headers().set(field, field.equals("A2A-Version") ? "0.3" : "x");
    run(
        Direction.INBOUND,
        "pact: required",
        reply,
        new WholeRequest(
            HttpMethod.POST, path, "agent.example:8080", false, sent.headers(), sent.body()));
    return reply;
  }

  private Reply push(Direction direction, String route, String field, String pact)
      throws Exception {
    Reply reply = new Reply();
    run(direction, route, reply, request(push(field), pact, "application/json"));
    return reply;
  }

  private static String push(String field) {
    return """
    {"task":{"id":"t-1","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},\
    "artifacts":[{"artifactId":"a","parts":[{"data":{"%s":1}}]}]}}\
    """
        .formatted(field);
  }

  @Test
  void strictActions_letNothingGoOnUnread_butToAHostOfThePact() throws Exception {
    String strict = "{ actions: strict }";
    assertThat(connect(strict)).isEqualTo("open");
    pacts.working = true;
    assertThat(connect(strict)).isEqualTo("tunnel_outside_pact");
    assertThat(connect("{ actions: working }")).isEqualTo("open");
    pacts.held.predicates = List.of(new Predicate("tools", "action", "tools=lookup"));
    assertThat(connect(strict)).isEqualTo("tunnel_outside_pact");
    pacts.held.predicates =
        List.of(
            new Predicate("hosts", "action", "hosts=kb.example,api.example"),
            new Predicate("fewer", "action", "hosts=kb.example"));
    assertThat(connect(strict)).isEqualTo("tunnel_outside_pact");
    pacts.held.predicates =
        List.of(new Predicate("hosts", "action", "hosts=kb.example,api.example"));
    assertThat(connect(strict)).isEqualTo("open");
  }

  @Test
  void strictActions_coverWhatIsCalledOutsideOfOpenRequests() throws Exception {
    String strict = "{ actions: strict, onNoPeer: pass }";
    Reply refused = ask(Direction.OUTBOUND, "pact: off", "", strict);
    assertThat(refused.reason).isEqualTo("pact_action");
    assertThat(refused.body).contains("without a pact of its own");
    pacts.outcome = new Pacts.Outcome.NoPeer("nobody negotiates");
    String optional = "pact: optional\n    peer: bob";
    assertThat(ask(Direction.OUTBOUND, optional, "", strict).reason).isEqualTo("pact_no_peer");
    assertThat(ask(Direction.OUTBOUND, REQUIRED, "", strict).reason).isEqualTo("pact_no_peer");
    assertThat(asked).isEmpty();
    pacts.outcome = new Pacts.Outcome.Agreed(pacts.held);
    assertThat(ask(Direction.OUTBOUND, optional, "", strict).pact).isEqualTo(NAMED);
    pacts.working = true;
    assertThat(ask(Direction.OUTBOUND, "pact: off", "", strict).reason).isEqualTo("pact_action");
    pacts.held.predicates = List.of(new Predicate("hosts", "action", "hosts=agent.example"));
    assertThat(ask(Direction.OUTBOUND, "pact: off", "", strict).status).isEqualTo(200);
    assertThat(asked).hasSize(2);
  }

  @Test
  void P13_theCardOfAnAgent_passesByItsName() throws Exception {
    Reply reply = new Reply();
    WholeRequest card =
        new WholeRequest(
            HttpMethod.GET,
            "/.well-known/agent-card.json",
            "agent.example:8080",
            false,
            new DefaultHttpHeaders(),
            Unpooled.EMPTY_BUFFER);
    run(Direction.INBOUND, "pact: required", reply, card);
    assertThat(asked).hasSize(1);
    assertThat(reply.reason).isNotEqualTo("pact_required");
  }

  @Test
  void observing_nothingIsNegotiated_namedOrHeldBack() throws Exception {
    data = "{\"salary\":1}";
    pacts.holding = true;
    answerFields = "";
    Reply reply = ask(Direction.OUTBOUND, REQUIRED + "\n    mode: observe");
    assertThat(reply.status).isEqualTo(200);
    assertThat(asked.getFirst().headers().contains("Parlance-Pact")).isFalse();
    assertThat(pacts.obtained).isEmpty();
    assertThat(pacts.ended).isEmpty();
  }

  @Test
  void negotiation_neverReachesTheAgent() throws Exception {
    Reply reply = new Reply();
    WholeRequest request = request("{}", "", Pacts.BATCH_TYPE);
    run(Direction.INBOUND, "pact: required", reply, request);
    assertThat(reply.status).isEqualTo(200);
    assertThat(reply.body).isEqualTo("{\"messages\":[]}");
    assertThat(asked).isEmpty();
  }
}
