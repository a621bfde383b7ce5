package dev.parlance.demo.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.demo.Licence;
import dev.parlance.demo.agent.AgentCaller.Heard;
import dev.parlance.demo.agent.Talk.Delivery;
import dev.parlance.demo.license.DemoJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each binding and delivery over real sockets, with no sidecar between the agents. */
class BindingsDirectTest {
  /** Of shape message: streamed, it begins with its first words. */
  private static final String MESSAGE_QUESTION = "What does \"Contributor\" mean?";

  /** Of shape task: streamed, it begins with the task. */
  private static final String TASK_QUESTION = "What counts as \"Derivative Works\"?";

  private final List<AutoCloseable> opened = new ArrayList<>();

  static Stream<Talk> everyTalk() {
    return Arrays.stream(Talk.Binding.values())
        .flatMap(binding ->
            Arrays.stream(Delivery.values()).map(delivery -> new Talk(binding, delivery)));
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
  }

  @ParameterizedTest
  @MethodSource("everyTalk")
  void question_isAnsweredInTheSameWords_withItsEvidence_howeverItIsAsked(Talk talk)
      throws IOException {
    AgentCaller caller = find(scholar(talk), talk);
    for (String question : List.of(MESSAGE_QUESTION, TASK_QUESTION)) {
      AgentReply.Answered answered = (AgentReply.Answered) caller.send(question, "conversation-1");
      assertThat(answered.text())
          .isEqualTo(new Scholar(Licence.text()).answer(question, 0, Set.of()).text());
      assertThat(answered.verdict()).isEqualTo(AgentReply.ReceivedVerdict.NONE);
      Map<?, ?> evidence = member(answered, Extensions.EVIDENCE);
      assertThat(evidence.get("question")).isEqualTo(question);
      assertThat((List<?>) evidence.get("context"))
          .hasSize(3)
          .allMatch(chunk -> chunk instanceof Map<?, ?> map && map.containsKey("text"));
      assertThat((List<?>) evidence.get("citations")).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Talk.Binding.class)
  void stream_bringsTaskChunksAndEnd_andSaysWhenTheyCame(Talk.Binding binding) throws IOException {
    Talk talk = new Talk(binding, Delivery.STREAMED);
    AgentCaller caller = find(scholar(talk), talk);
    Heard heard = caller.ask(TASK_QUESTION, "conversation-1");
    String text = ((AgentReply.Answered) heard.reply()).text();
    assertThat(((AgentReply.Answered) heard.reply()).taskState()).isEqualTo("completed");
    Receipt.StreamTiming stream = heard.stream().orElseThrow();
    assertThat(stream.events()).isEqualTo(ScholarExecutor.chunks(text).size() + 2);
    assertThat(stream.wordsMs().orElseThrow()).isBetween(stream.firstMs(), stream.lastMs());
    Heard words = caller.ask(MESSAGE_QUESTION, "conversation-1");
    Receipt.StreamTiming begunWithWords = words.stream().orElseThrow();
    assertThat(begunWithWords.wordsMs()).hasValue(begunWithWords.firstMs());
    assertThat(begunWithWords.events())
        .isEqualTo(ScholarExecutor.chunks(((AgentReply.Answered) words.reply()).text()).size() + 1);
  }

  @ParameterizedTest
  @EnumSource(Talk.Binding.class)
  void whole_isNoStream(Talk.Binding binding) throws IOException {
    Talk talk = new Talk(binding, Delivery.WHOLE);
    assertThat(find(scholar(talk), talk).ask(TASK_QUESTION, "conversation-1").stream()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("everyTalk")
  void officer_asksInThatWay_andIsItselfAskedOverJsonRpc(Talk talk) throws IOException {
    AgentCaller toScholar = find(scholar(talk), talk);
    RunningAgent officer = RunningAgent.bind("license-officer");
    opened.add(officer);
    officer.startOfficer(toScholar, officer.ownUrl(), receipt -> {});
    AgentReply reply = find(officer, Talk.PLAIN).send("ask: " + TASK_QUESTION, "conversation-2");
    Receipt receipt =
        DemoJson.read(member((AgentReply.Answered) reply, Extensions.RECEIPT), Receipt.class)
            .orElseThrow();
    assertThat(receipt.reached()).isTrue();
    assertThat(receipt.streams()).hasSize(talk.delivery() == Delivery.STREAMED ? 1 : 0);
  }

  @Test
  void jsonRpc_isUnderstoodWhateverTheBinding() throws IOException {
    RunningAgent scholar = scholar(new Talk(Talk.Binding.GRPC, Delivery.STREAMED));
    assertThat(find(scholar, Talk.PLAIN).send(TASK_QUESTION, "conversation-4"))
        .isInstanceOfSatisfying(
            AgentReply.Answered.class,
            answered -> assertThat(answered.text()).contains("[Chunk c"));
  }

  @Test
  void bindingThatIsNotSpoken_isNotFound() throws IOException {
    RunningAgent scholar = scholar(Talk.PLAIN);
    assertThatThrownBy(() -> find(scholar, new Talk(Talk.Binding.GRPC, Delivery.WHOLE)))
        .isInstanceOf(IOException.class);
  }

  private static Map<?, ?> member(AgentReply.Answered answered, String uri) {
    return answered.metadata().get(uri) instanceof Map<?, ?> members ? members : Map.of();
  }

  private RunningAgent scholar(Talk talk) throws IOException {
    RunningAgent scholar = RunningAgent.bind("license-scholar", talk, 0);
    opened.add(scholar);
    scholar.startScholar(new Scholar(Licence.text()), scholar.ownUrl());
    return scholar;
  }

  private AgentCaller find(RunningAgent agent, Talk talk) throws IOException {
    AgentCaller caller = AgentCaller.find(AgentCaller.Way.to(agent.ownUrl()).over(talk));
    opened.add(caller);
    return caller;
  }
}
