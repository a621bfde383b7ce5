package dev.parlance.demo.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.demo.Licence;
import dev.parlance.demo.license.DemoJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The SDK's client against the SDK's server over real sockets, with no sidecar between them. */
class AgentsDirectTest {
  private final List<Receipt> receipts = new CopyOnWriteArrayList<>();
  private RunningAgent scholar;
  private RunningAgent officer;
  private AgentCaller toScholar;
  private AgentCaller toOfficer;

  @BeforeEach
  void start() throws IOException {
    scholar = RunningAgent.bind("license-scholar");
    scholar.startScholar(new Scholar(Licence.text()), scholar.ownUrl());
    toScholar = find(scholar.ownUrl());
    officer = RunningAgent.bind("license-officer");
    officer.startOfficer(toScholar, officer.ownUrl(), receipts::add);
    toOfficer = find(officer.ownUrl());
  }

  @AfterEach
  void stop() {
    toOfficer.close();
    officer.close();
    toScholar.close();
    scholar.close();
  }

  @Test
  void faithfulQuestion_isAnsweredAsMessage_withEvidenceThatHoldsTheQuote() {
    AgentReply reply = toScholar.send("What does \"Contributor\" mean?", "conversation-1");
    assertThat(reply)
        .isInstanceOfSatisfying(
            AgentReply.Answered.class,
            answered -> {
              assertThat(answered.taskState()).isEqualTo("message");
              assertThat(answered.text())
                  .contains("\"Contributor\" shall mean")
                  .contains("[Chunk c");
              assertThat(answered.verdict()).isEqualTo(AgentReply.ReceivedVerdict.NONE);
              Map<?, ?> evidence = member(answered, Extensions.EVIDENCE);
              assertThat(evidence.get("question")).isEqualTo("What does \"Contributor\" mean?");
              assertThat((List<?>) evidence.get("context")).hasSize(3);
              assertThat((List<?>) evidence.get("citations")).hasSize(1);
            });
  }

  @Test
  void otherQuestion_isAnsweredAsCompletedTask_withEvidenceOnTheArtifact() {
    AgentReply reply = toScholar.send("What counts as \"Derivative Works\"?", "conversation-2");
    assertThat(reply)
        .isInstanceOfSatisfying(
            AgentReply.Answered.class,
            answered -> {
              assertThat(answered.taskState()).isEqualTo("completed");
              assertThat(answered.metadata()).containsKey(Extensions.EVIDENCE);
            });
  }

  @Test
  void requestToRepair_changesTheDraft_andTheScholarStandsByIt() {
    String question = "What does the License say the contents of the NOTICE file are for?";
    String repair = question + "\n\nUse only the given material and cite it: [Chunk c07]";
    assertThat(text(toScholar.send(question, "conversation-3"))).doesNotContain("[Chunk");
    assertThat(text(toScholar.send(repair, "conversation-3"))).endsWith("[Chunk c07]");
    assertThat(text(toScholar.send(question, "conversation-3"))).endsWith("[Chunk c07]");
    assertThat(text(toScholar.send(question, "conversation-4"))).doesNotContain("[Chunk");
  }

  @Test
  void officer_asksTheScholar_andReturnsWhatItReceivedAndDecided() {
    AgentReply reply = toOfficer.send("ask: What does \"Contributor\" mean?", "conversation-5");
    assertThat(reply)
        .isInstanceOfSatisfying(
            AgentReply.Answered.class,
            answered -> {
              assertThat(answered.text()).matches("(HIGH|MODERATE|LOW) RISK: .*");
              Map<?, ?> members = member(answered, Extensions.RECEIPT);
              assertThat(DemoJson.read(members, Receipt.class))
                  .hasValueSatisfying(receipt -> {
                    assertThat(receipt.reached()).isTrue();
                    assertThat(receipt.receivedText()).contains("\"Contributor\" shall mean");
                  });
            });
    assertThat(receipts).singleElement().matches(Receipt::reached);
  }

  @Test
  void orderThatIsNoQuestion_isAProtocolError() {
    assertThat(toOfficer.send("dance", "conversation-6")).isInstanceOf(AgentReply.Failed.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{bad|-32700",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"dance\",\"params\":{}}|-32601",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tasks/get\",\"params\":{\"id\":\"none\"}}|-32001",
      })
  void badRequest_getsTheProtocolsError_andTheNextOneIsAnswered(String body, int code)
      throws IOException, InterruptedException {
    assertThat(post(body).body()).contains("\"code\":" + code);
    assertThat(text(toScholar.send("Who is the Licensor?", "conversation-7"))).contains("Licensor");
  }

  @Test
  void nobodyThere_isSaidSo() {
    scholar.close();
    assertThatThrownBy(() -> find(scholar.ownUrl())).isInstanceOf(IOException.class);
  }

  private HttpResponse<String> post(String body) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(URI.create(scholar.ownUrl()))
              .POST(BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }
  }

  private static Map<?, ?> member(AgentReply.Answered answered, String uri) {
    return answered.metadata().get(uri) instanceof Map<?, ?> members ? members : Map.of();
  }

  private static String text(AgentReply reply) {
    return ((AgentReply.Answered) reply).text();
  }

  private static AgentCaller find(String url) throws IOException {
    return AgentCaller.find(AgentCaller.Way.to(url));
  }
}
