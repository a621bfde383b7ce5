package dev.parlance.demo.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.Licence;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The agents as an audit asks them: A in the extension, B in plain words. */
class WitnessTest {
  private static final String AUDIT = "https://w3id.org/parlance/ext/audit/v1";
  private static final String SHIPPED = "A distributor puts the NOTICE file into its packages.";
  private static final String KEPT = "A developer keeps the copyright header in each file.";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private RunningAgent scholar;
  private RunningAgent officer;
  private AgentCaller toScholar;

  @BeforeEach
  void start() throws IOException {
    scholar = RunningAgent.bind("license-scholar");
    scholar.startScholar(new Scholar(Licence.text()), scholar.ownUrl());
    toScholar = AgentCaller.find(AgentCaller.Way.to(scholar.ownUrl()).below("orders"));
    officer = RunningAgent.bind("license-officer");
    officer.startOfficer(toScholar, officer.ownUrl(), receipt -> {});
  }

  @AfterEach
  void stop() {
    toScholar.close();
    officer.close();
    scholar.close();
    http.shutdownNow();
  }

  @Test
  void scholar_answersInTheExtension_whateverTheWordsSay() throws Exception {
    Map<String, Object> question =
        Map.of(
            "kind", "witness",
            "domain", "license",
            "term", "notice",
            "event", Map.of("pei", "e-1", "text", SHIPPED));
    JsonNode answer = ask(scholar, "Answer, please.", Map.of(AUDIT, question));
    assertThat(answer.path("metadata").path(AUDIT).path("verdict").asString()).isEqualTo("assent");
    assertThat(answer.path("extensions").valueStream().map(JsonNode::asString))
        .containsExactly(AUDIT);
  }

  @Test
  void scholar_readsNoQuestionInPlainWords() throws Exception {
    JsonNode answer = ask(scholar, witness("notice", SHIPPED), Map.of());
    assertThat(answer.path("metadata").has(AUDIT)).isFalse();
  }

  @Test
  void officer_answersInPlainWords_andKnowsNoExtension() throws Exception {
    Map<String, Object> contrary =
        Map.of(
            "kind", "witness",
            "domain", "license",
            "term", "notice",
            "event", Map.of("pei", "e-1", "text", SHIPPED));
    JsonNode answer = ask(officer, witness("object form", SHIPPED), Map.of(AUDIT, contrary));
    assertThat(text(answer)).isEqualTo("dissent");
    assertThat(answer.has("metadata")).isFalse();
    assertThat(text(ask(officer, witness("notice", SHIPPED), Map.of()))).isEqualTo("assent");
    assertThat(
            text(
                ask(
                    officer,
                    witness("patent claim", "A firm hints that it may hold a patent."),
                    Map.of())))
        .isEqualTo("neutral");
  }

  @Test
  void offerInWords_isAdopted_ifAReadingThatTheOfficerKnowsFits() throws Exception {
    officer.usage().drift("notice");
    assertThat(text(ask(officer, witness("notice", KEPT), Map.of()))).isEqualTo("dissent");
    assertThat(text(ask(officer, offer(true), Map.of()))).isEqualTo("adopt");
    assertThat(text(ask(officer, witness("notice", KEPT), Map.of()))).isEqualTo("assent");
  }

  @Test
  void offerInWords_thatFitsNoReading_isDeclined() throws Exception {
    assertThat(text(ask(officer, offer(false), Map.of()))).isEqualTo("decline");
  }

  @Test
  void offerInTheExtension_isAdoptedByTheScholar() throws Exception {
    scholar.usage().drift("notice");
    Map<String, Object> offer =
        Map.of(
            "kind", "offer",
            "domain", "license",
            "term", "notice",
            "from", "license-officer",
            "examples",
                List.of(
                    Map.of("event", Map.of("pei", "e-1", "text", KEPT), "verdict", "assent"),
                    Map.of(
                        "event",
                        Map.of("pei", "e-2", "text", "A mirror copies all."),
                        "verdict",
                        "dissent")));
    JsonNode answer = ask(scholar, "Please adopt.", Map.of(AUDIT, offer));
    assertThat(answer.path("metadata").path(AUDIT).path("reply").asString()).isEqualTo("adopt");
  }

  @Test
  void order_isConfirmed_onThePathForOrders() {
    assertThat(toScholar.send("order: Ship it.", "conversation"))
        .isInstanceOfSatisfying(
            AgentReply.Answered.class, answered -> assertThat(answered.text()).startsWith("Noted"));
  }

  @Test
  void whatIsNoAuditQuestion_isAnsweredAsEver() throws Exception {
    JsonNode answer = ask(scholar, "What does \"Contributor\" mean?", Map.of());
    assertThat(text(answer)).contains("\"Contributor\" shall mean");
  }

  private static String witness(String term, String event) {
    return """
    This is a question about the use of a word.

    Term: %s
    Domain: license
    Meaning: what it is about
    Event: %s

    Does the term apply to the event? Answer with exactly one word: assent, dissent, neutral.\
    """
        .formatted(term, event);
  }

  /** The usual use of "notice", or its opposite. */
  private static String offer(boolean usual) {
    String yes = usual ? "applies" : "does not apply";
    String no = usual ? "does not apply" : "applies";
    return """
    Term: notice
    Domain: license

    The agent license-scholar uses the term like this:
    - it %s to: %s
    - it %s to: %s
    - it %s to: A teacher explains in class how the program works.

    Will you use the term like this from now on? Answer with exactly one word: adopt or decline.\
    """
        .formatted(yes, SHIPPED, yes, KEPT, no);
  }

  private JsonNode ask(RunningAgent agent, String text, Map<String, Object> metadata)
      throws Exception {
    Map<String, Object> message =
        Map.of(
            "kind", "message",
            "role", "user",
            "messageId", "m-1",
            "parts", List.of(Map.of("kind", "text", "text", text)),
            "metadata", metadata);
    String body =
        JsonMapper.shared()
            .writeValueAsString(
                Map.of(
                    "jsonrpc", "2.0",
                    "id", "1",
                    "method", "message/send",
                    "params", Map.of("message", message)));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(agent.ownUrl()))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return JsonMapper.shared()
        .readTree(http.send(request, BodyHandlers.ofString()).body())
        .path("result");
  }

  private static String text(JsonNode message) {
    return message.path("parts").path(0).path("text").asString();
  }
}
