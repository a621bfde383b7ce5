package dev.parlance.proxy.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.proxy.config.LocalAgent;
import dev.parlance.proxy.config.LocalAgent.Protocol;
import dev.parlance.proxy.control.AgentAnswer.Failed;
import dev.parlance.proxy.control.AgentAnswer.Failure;
import dev.parlance.proxy.control.AgentAnswer.Form;
import dev.parlance.proxy.control.AgentAnswer.Said;
import dev.parlance.proxy.control.AgentQuestion.Event;
import dev.parlance.proxy.control.AgentQuestion.Example;
import dev.parlance.proxy.control.AgentQuestion.Offer;
import dev.parlance.proxy.control.AgentQuestion.Witness;
import dev.parlance.proxy.control.FakeAgent.Asked;
import dev.parlance.proxy.control.FakeAgent.Reply;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Both versions, both forms, every failure. */
class LocalAgentAskerTest {
  private static final int PATIENT_MS = 60_000;
  private static final String URI_V1 = A2aDialect.AUDIT_URI;
  private static final Witness WITNESS =
      new Witness(
          "license",
          "patent claim",
          Optional.of("a numbered sentence"),
          new Event("evt:1", "Bob filed something."));
  private static final Offer OFFER =
      new Offer(
          "license",
          "notice",
          Optional.empty(),
          "bob",
          List.of(new Example(new Event("evt:2", "A file was kept."), "assent")));

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private FakeAgent agent(Function<Asked, Reply> script) throws IOException {
    FakeAgent agent = new FakeAgent(script);
    open.add(agent);
    return agent;
  }

  private LocalAgentAsker asker(LocalAgent settings) {
    LocalAgentAsker asker = new LocalAgentAsker(settings);
    open.add(asker);
    return asker;
  }

  private AgentAnswer ask(Protocol protocol, String answer) throws Exception {
    return ask(protocol, answer, WITNESS);
  }

  private AgentAnswer ask(Protocol protocol, String answer, AgentQuestion question)
      throws Exception {
    FakeAgent agent = agent(FakeAgent.always(answer));
    return asker(agent.settings(protocol, PATIENT_MS))
        .ask("q-1", question, PATIENT_MS)
        .get(90, TimeUnit.SECONDS);
  }

  private static String v1(String message) {
    return "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"message\":" + message + "}}";
  }

  private static String text1(String text) {
    return v1(
        "{\"messageId\":\"m\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"" + text + "\"}]}");
  }

  private static String text03(String text) {
    return "{\"result\":{\"kind\":\"message\",\"messageId\":\"m\",\"role\":\"agent\",\"parts\":"
        + "[{\"kind\":\"text\",\"text\":\""
        + text
        + "\"}]},\"id\":\"$ID\",\"jsonrpc\":\"2.0\"}";
  }

  private static String metadata(String object) {
    return "\"metadata\":{\"" + URI_V1 + "\":" + object + "}";
  }

  private static String task1(String state, String more) {
    return "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"task\":{\"id\":\"t1\",\"status\":"
        + "{\"state\":\""
        + state
        + "\"}"
        + more
        + "}}}";
  }

  private static void said(AgentAnswer answer, String word, Form form) {
    assertThat(answer).isInstanceOf(Said.class);
    assertThat(((Said) answer).word()).isEqualTo(word);
    assertThat(((Said) answer).form()).isEqualTo(form);
  }

  private static void failed(AgentAnswer answer, Failure failure) {
    assertThat(answer).isInstanceOf(Failed.class);
    assertThat(((Failed) answer).failure()).as("%s", answer).isEqualTo(failure);
  }

  @Test
  void v1_0_questionIsAMessageWithTheExtension() throws Exception {
    FakeAgent agent = agent(FakeAgent.always(text1("assent")));
    said(
        asker(agent.settings(Protocol.V1_0, PATIENT_MS))
            .ask("q-1", WITNESS, PATIENT_MS)
            .get(90, TimeUnit.SECONDS),
        "assent",
        Form.PLAIN);
    Asked asked = agent.asked().getFirst();
    assertThat(asked.path()).isEqualTo("/a2a");
    assertThat(asked.fields().getFirst("A2A-Version")).isEqualTo("1.0");
    assertThat(asked.fields().getFirst("A2A-Extensions")).isEqualTo(URI_V1);
    assertThat(asked.body().path("method").stringValue()).isEqualTo("SendMessage");
    JsonNode message = asked.body().at("/params/message");
    assertThat(message.path("role").stringValue()).isEqualTo("ROLE_USER");
    assertThat(message.path("extensions").get(0).stringValue()).isEqualTo(URI_V1);
    assertThat(message.path("parts").size()).isEqualTo(1);
    assertThat(message.at("/parts/0/kind").isMissingNode()).isTrue();
    assertThat(message.at("/parts/0/text").stringValue())
        .contains("patent claim", "Bob filed something.", "assent", "neutral", "dissent");
    JsonNode question = message.path("metadata").path(URI_V1);
    assertThat(question.path("kind").stringValue()).isEqualTo("witness");
    assertThat(question.path("term").stringValue()).isEqualTo("patent claim");
    assertThat(question.path("gloss").stringValue()).isEqualTo("a numbered sentence");
    assertThat(question.at("/event/pei").stringValue()).isEqualTo("evt:1");
  }

  @Test
  void v0_3_questionIsAMessageWithTheExtension_inBothFields() throws Exception {
    FakeAgent agent = agent(FakeAgent.always(text03("Dissent.")));
    said(
        asker(agent.settings(Protocol.V0_3, PATIENT_MS))
            .ask("q-1", WITNESS, PATIENT_MS)
            .get(90, TimeUnit.SECONDS),
        "dissent",
        Form.PLAIN);
    Asked asked = agent.asked().getFirst();
    assertThat(asked.fields().getFirst("A2A-Version")).isNull();
    assertThat(asked.fields().getFirst("X-A2A-Extensions")).isEqualTo(URI_V1);
    assertThat(asked.body().path("method").stringValue()).isEqualTo("message/send");
    assertThat(asked.body().at("/params/message/parts/0/kind").stringValue()).isEqualTo("text");
    assertThat(asked.body().at("/params/message/kind").stringValue()).isEqualTo("message");
  }

  @Test
  void anOfferIsAnsweredByAdoptOrDecline() throws Exception {
    FakeAgent agent = agent(FakeAgent.always(text1("adopt")));
    LocalAgentAsker asker = asker(agent.settings(Protocol.V1_0, PATIENT_MS));
    said(asker.ask("q-1", OFFER, PATIENT_MS).get(90, TimeUnit.SECONDS), "adopt", Form.PLAIN);
    JsonNode offer = agent.asked().getFirst().body().at("/params/message/metadata").path(URI_V1);
    assertThat(offer.path("kind").stringValue()).isEqualTo("offer");
    assertThat(offer.path("from").stringValue()).isEqualTo("bob");
    assertThat(offer.at("/examples/0/verdict").stringValue()).isEqualTo("assent");
    failed(ask(Protocol.V1_0, text1("assent"), OFFER), Failure.UNREADABLE_ANSWER);
    String declared =
        v1("{\"role\":\"ROLE_AGENT\",\"parts\":[]," + metadata("{\"reply\":\"decline\"}") + "}");
    said(ask(Protocol.V1_0, declared, OFFER), "decline", Form.EXTENSION);
  }

  @Test
  void autoReadsTheCardOnce_andFollowsNoAddressInIt() throws Exception {
    FakeAgent agent = agent(FakeAgent.always(text03("neutral")));
    agent.card = FakeAgent.CARD_0_3;
    LocalAgentAsker asker = asker(agent.settings(Protocol.AUTO, PATIENT_MS));
    for (int i = 0; i < 3; i++) {
      said(
          asker.ask("q-" + i, WITNESS, PATIENT_MS).get(90, TimeUnit.SECONDS),
          "neutral",
          Form.PLAIN);
    }
    assertThat(agent.asked().getFirst().path()).isEqualTo("/.well-known/agent-card.json");
    assertThat(agent.asked()).hasSize(4);
  }

  @Test
  void autoTakesTheNewestOfAHybridCard_andReadsItAgainWhenTheMethodIsUnknown() throws Exception {
    FakeAgent agent =
        agent(asked ->
            new Reply(
                200,
                asked.body().path("method").stringValue().equals("SendMessage")
                    ? "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"error\":{\"code\":-32601}}"
                    : text03("assent")));
    agent.card =
        new String(
            java.util.Objects.requireNonNull(
                    getClass().getResourceAsStream("/cards/a2a-card-v0.3.res.json"))
                .readAllBytes(),
            StandardCharsets.UTF_8);
    LocalAgentAsker asker = asker(agent.settings(Protocol.AUTO, PATIENT_MS));
    failed(asker.ask("q-1", WITNESS, PATIENT_MS).get(90, TimeUnit.SECONDS), Failure.AGENT_REFUSED);
    agent.card = FakeAgent.CARD_0_3;
    said(asker.ask("q-2", WITNESS, PATIENT_MS).get(90, TimeUnit.SECONDS), "assent", Form.PLAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{\"protocolVersion\":\"0.2.5\"}", "[", "{\"a\":1,\"a\":2}"})
  void aCardThatOffersNothing_isAnAgentThatCannotBeReached(String card) throws Exception {
    FakeAgent agent = agent(FakeAgent.always(text1("assent")));
    agent.card = card;
    LocalAgentAsker asker = asker(agent.settings(Protocol.AUTO, PATIENT_MS));
    failed(
        asker.ask("q-1", WITNESS, PATIENT_MS).get(90, TimeUnit.SECONDS), Failure.AGENT_UNREACHABLE);
    assertThat(agent.questions()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "assent|assent",
        "ASSENT|assent",
        "'  Neutral. '|neutral",
        "dissent.|dissent",
        "'\\n\\tassent\\n'|assent",
      })
  void plainForm_isOneOfTheWords(String text, String word) throws Exception {
    said(ask(Protocol.V1_0, text1(text)), word, Form.PLAIN);
    said(ask(Protocol.V0_3, text03(text)), word, Form.PLAIN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yes",
        "assent!",
        "assent..",
        "I assent",
        "assent dissent",
        "assent, because",
        "adopt",
        "a\u017f\u017fent",
        "\\\"assent\\\"",
        "assent\\u200b",
        "\u0430ssent"
      })
  void S15_anythingElse_isUnreadable(String text) throws Exception {
    failed(ask(Protocol.V1_0, text1(text)), Failure.UNREADABLE_ANSWER);
  }

  @Test
  void extensionForm_countsOnMessageTaskArtifactAndStatus() throws Exception {
    String verdict = metadata("{\"verdict\":\"dissent\"}");
    said(
        ask(
            Protocol.V1_0,
            v1("{\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"Well, no.\"}]," + verdict + "}")),
        "dissent",
        Form.EXTENSION);
    said(
        ask(Protocol.V1_0, task1("TASK_STATE_COMPLETED", "," + verdict)),
        "dissent",
        Form.EXTENSION);
    said(
        ask(
            Protocol.V1_0,
            task1("TASK_STATE_COMPLETED", ",\"artifacts\":[{\"parts\":[]," + verdict + "}]")),
        "dissent",
        Form.EXTENSION);
    said(
        ask(
            Protocol.V0_3,
            "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"kind\":\"task\",\"id\":\"t\",\"status\":"
                + "{\"state\":\"completed\",\"message\":{\"role\":\"agent\","
                + verdict
                + "}}}}"),
        "dissent",
        Form.EXTENSION);
  }

  @Test
  void S15_extensionForm_thatIsNotExactlyAVerdict_isUnreadable_whateverTheTextSays()
      throws Exception {
    for (String object :
        List.of(
            "{}",
            "\"assent\"",
            "{\"verdict\":\"yes\"}",
            "{\"verdict\":\"Assent\"}",
            "{\"verdict\":\"assent\",\"sure\":true}",
            "{\"reply\":\"adopt\"}",
            "{\"kind\":\"witness\",\"domain\":\"license\"}",
            "null")) {
      failed(
          ask(
              Protocol.V1_0,
              v1(
                  "{\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"assent\"}],"
                      + metadata(object)
                      + "}")),
          Failure.UNREADABLE_ANSWER);
    }
    failed(
        ask(
            Protocol.V1_0,
            task1(
                "TASK_STATE_COMPLETED",
                ","
                    + metadata("{\"verdict\":\"assent\"}")
                    + ",\"artifacts\":[{\"parts\":[],"
                    + metadata("{\"verdict\":\"dissent\"}")
                    + "}]")),
        Failure.UNREADABLE_ANSWER);
  }

  @Test
  void plainForm_ofATask_isItsOneArtifact_orElseItsStatusMessage() throws Exception {
    String parts = "\"parts\":[{\"text\":\"assent\"}]";
    said(
        ask(Protocol.V1_0, task1("TASK_STATE_COMPLETED", ",\"artifacts\":[{" + parts + "}]")),
        "assent",
        Form.PLAIN);
    failed(
        ask(
            Protocol.V1_0,
            task1("TASK_STATE_COMPLETED", ",\"artifacts\":[{" + parts + "},{" + parts + "}]")),
        Failure.UNREADABLE_ANSWER);
    said(
        ask(
            Protocol.V1_0,
            "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"task\":{\"id\":\"t\",\"status\":{\"state\":"
                + "\"TASK_STATE_COMPLETED\",\"message\":{\"role\":\"ROLE_AGENT\","
                + parts
                + "}},\"history\":[{\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"dissent\"}]}]}}}"),
        "assent",
        Form.PLAIN);
  }

  @Test
  void anEchoOfTheQuestion_aPartThatIsNoText_andAForeignId_areUnreadable() throws Exception {
    failed(
        ask(Protocol.V1_0, v1("{\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"assent\"}]}")),
        Failure.UNREADABLE_ANSWER);
    failed(
        ask(
            Protocol.V1_0,
            v1("{\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"assent\"},{\"data\":{}}]}")),
        Failure.UNREADABLE_ANSWER);
    failed(ask(Protocol.V1_0, text1("assent").replace("$ID", "other")), Failure.UNREADABLE_ANSWER);
    failed(ask(Protocol.V1_0, "data: " + text1("assent")), Failure.UNREADABLE_ANSWER);
    failed(ask(Protocol.V0_3, text1("assent")), Failure.UNREADABLE_ANSWER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TASK_STATE_REJECTED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED"})
  void aTaskThatIsNotDone_isARefusal(String state) throws Exception {
    failed(ask(Protocol.V1_0, task1(state, "")), Failure.AGENT_REFUSED);
  }

  @Test
  void errors_areTyped() throws Exception {
    failed(
        ask(Protocol.V1_0, "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"error\":{\"code\":-32603}}"),
        Failure.AGENT_REFUSED);
    failed(ask(Protocol.V1_0, task1("TASK_STATE_INPUT_REQUIRED", "")), Failure.UNREADABLE_ANSWER);
    for (int status : List.of(302, 401, 404)) {
      FakeAgent agent = agent(_ -> new Reply(status, text1("assent")));
      failed(
          asker(agent.settings(Protocol.V1_0, PATIENT_MS))
              .ask("q", WITNESS, PATIENT_MS)
              .get(90, TimeUnit.SECONDS),
          Failure.AGENT_REFUSED);
      assertThat(agent.asked()).hasSize(1); // also a redirect is not followed
    }
    FakeAgent broken = agent(_ -> new Reply(503, ""));
    failed(
        asker(broken.settings(Protocol.V1_0, PATIENT_MS))
            .ask("q", WITNESS, PATIENT_MS)
            .get(90, TimeUnit.SECONDS),
        Failure.AGENT_UNREACHABLE);
  }

  @Test
  void B1_moreThanAMegabyte_isUnreadable() throws Exception {
    failed(ask(Protocol.V1_0, text1("assent" + " ".repeat(1 << 20))), Failure.UNREADABLE_ANSWER);
  }

  @Test
  void nobodyThere_isUnreachable_andSilenceATimeout() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    LocalAgent nobody =
        new LocalAgent(URI.create("http://127.0.0.1:" + free + "/"), Protocol.V1_0, PATIENT_MS);
    failed(
        asker(nobody).ask("q", WITNESS, PATIENT_MS).get(90, TimeUnit.SECONDS),
        Failure.AGENT_UNREACHABLE);
    try (ServerSocket silent = new ServerSocket(0)) {
      LocalAgent mute =
          new LocalAgent(
              URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"),
              Protocol.V1_0,
              PATIENT_MS);
      AgentAnswer answer = asker(mute).ask("q", WITNESS, 200).get(90, TimeUnit.SECONDS);
      failed(answer, Failure.TIMEOUT);
      assertThat(answer.tookMs()).isGreaterThanOrEqualTo(150L);
    }
  }

  @Test
  void aTaskThatWorks_isLookedAtUntilItIsDone() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    FakeAgent agent =
        agent(asked -> {
          if (asked.body().path("method").stringValue().equals("SendMessage")) {
            return new Reply(200, task1("TASK_STATE_WORKING", ""));
          }
          assertThat(asked.body().at("/params/id").stringValue()).isEqualTo("t1");
          String state =
              looks.incrementAndGet() < 3 ? "TASK_STATE_WORKING" : "TASK_STATE_COMPLETED";
          return new Reply(
              200,
              "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"id\":\"t1\",\"status\":{\"state\":\""
                  + state
                  + "\"},\"artifacts\":[{\"parts\":[{\"text\":\"neutral\"}]}]}}");
        });
    LocalAgentAsker asker = asker(agent.settings(Protocol.V1_0, PATIENT_MS));
    said(asker.ask("q", WITNESS, PATIENT_MS).get(90, TimeUnit.SECONDS), "neutral", Form.PLAIN);
    assertThat(looks).hasValue(3);
    failed(ask(Protocol.V1_0, task1("TASK_STATE_WORKING", ""), WITNESS), Failure.UNREADABLE_ANSWER);
  }

  @Test
  void aTaskThatNeverEnds_isATimeout() throws Exception {
    FakeAgent agent =
        agent(asked ->
            new Reply(
                200,
                asked.body().path("method").stringValue().equals("SendMessage")
                    ? task1("TASK_STATE_SUBMITTED", "")
                    : "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"id\":\"t1\",\"status\":"
                        + "{\"state\":\"TASK_STATE_WORKING\"}}}"));
    failed(
        asker(agent.settings(Protocol.V1_0, 600))
            .ask("q", WITNESS, 60_000)
            .get(90, TimeUnit.SECONDS),
        Failure.TIMEOUT);
  }

  @Test
  void atMostFourAreUnderWay() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    FakeAgent agent =
        agent(_ -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          await().until(() -> go.getCount() == 0);
          now.decrementAndGet();
          return new Reply(200, text1("assent"));
        });
    LocalAgentAsker asker = asker(agent.settings(Protocol.V1_0, 20_000));
    List<CompletableFuture<AgentAnswer>> answers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      answers.add(asker.ask("q-" + i, WITNESS, 20_000));
    }
    await().until(() -> now.get() == LocalAgentAsker.CONCURRENT);
    go.countDown();
    for (CompletableFuture<AgentAnswer> answer : answers) {
      said(answer.get(90, TimeUnit.SECONDS), "assent", Form.PLAIN);
    }
    assertThat(most).hasValue(LocalAgentAsker.CONCURRENT);
  }

  @Test
  void closing_endsWhatIsUnderWay() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    FakeAgent agent =
        agent(_ -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new Reply(200, "");
        });
    LocalAgentAsker asker = new LocalAgentAsker(agent.settings(Protocol.V1_0, 60_000));
    CompletableFuture<AgentAnswer> answer = asker.ask("q", WITNESS, 60_000);
    await().until(() -> agent.asked().size() == 1);
    long before = System.nanoTime();
    asker.close();
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before)).isLessThan(30_000);
    failed(answer.get(90, TimeUnit.SECONDS), Failure.TIMEOUT);
    failed(asker.ask("q2", WITNESS, 1_000).get(90, TimeUnit.SECONDS), Failure.TIMEOUT);
    never.countDown();
  }

  @Test
  void theDigestIsOfTheWholeAnswer() throws Exception {
    Said said = (Said) ask(Protocol.V1_0, text1("assent"));
    byte[] bytes = text1("assent").replace("$ID", "q-1").getBytes(StandardCharsets.UTF_8);
    assertThat(said.sha256())
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
  }

  @Test
  void withoutALocalAgent_thereIsNone() throws Exception {
    failed(
        AgentAnswer.AgentAsker.NONE.ask("q", WITNESS, 1).get(90, TimeUnit.SECONDS),
        Failure.NO_AGENT);
  }
}
