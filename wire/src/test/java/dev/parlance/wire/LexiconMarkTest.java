package dev.parlance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.lexicon.TurnText;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.api.LexiconMark.Line;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamReader;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the metadata of a message says of terms: when it is read, and that it is text else. */
class LexiconMarkTest {
  private static final String ALL =
      "{\"coin\":[{\"term\":\" open gap \",\"definition\":\"left undecided\"}],"
          + "\"challenge\":[{\"term\":\"lock\",\"reason\":\"too wide: it is\"}],"
          + "\"repair\":[{\"term\":\"key\",\"definition\":\"a = b\"}]}";

  private static String metadata(String statement) {
    return "\"metadata\":{\"" + LexiconMark.URI + "\":" + statement + "}";
  }

  private static RequestView asked(String members) {
    return Wire.a2a(
        Wire.bytes(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"The"
                + " open gap.\"}]"
                + (members.isEmpty() ? "" : "," + members)
                + "}}}"));
  }

  private static LexiconMark answered(String result) {
    return Wire.answer(
            asked(""), Wire.bytes("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}"))
        .lexicon();
  }

  private static LexiconMark.Statement statement(LexiconMark mark) {
    assertThat(mark).isInstanceOf(LexiconMark.Statement.class);
    return (LexiconMark.Statement) mark;
  }

  @Test
  void aStatementIsRead_andItsStringsAreText_untilSomebodyAcceptsThem() {
    RequestView view = asked(metadata(ALL));
    LexiconMark.Statement read = statement(view.lexicon());
    assertThat(read.coin()).containsExactly(new Line("open gap", "left undecided"));
    assertThat(read.challenge()).containsExactly(new Line("lock", "too wide: it is"));
    assertThat(read.repair()).containsExactly(new Line("key", "a = b"));
    assertThat(read.beside()).hasToString("The open gap.");
    assertThat(view.message().orElseThrow().answer().toString())
        .startsWith("The open gap.\n")
        .contains("open gap", "left undecided", "too wide: it is", "a = b");
    assertThat(asked("").lexicon()).isEqualTo(LexiconMark.NONE);
  }

  @Test
  void asATurn_itHasOneLineForEach() {
    String turn = statement(asked(metadata(ALL)).lexicon()).turn();
    assertThat(turn)
        .isEqualTo(
            "CHALLENGE lock: too wide: it is\nREPAIR key = a = b\nThe open gap.\n[PART 2]\n"
                + "open gap = left undecided");
    TurnText text = TurnText.of(turn);
    assertThat(text.said()).isEqualTo("The open gap.");
    assertThat(text.judged()).isEqualTo("The open gap.");
    assertThat(text.judged(_ -> false)).contains("open gap = left undecided", "REPAIR key");
  }

  @Test
  void inAnAnswer_allWhoSpeakForItAreHeard_andNobodyElse() {
    String coin = "{\"coin\":[{\"term\":\"T\",\"definition\":\"d\"}]}";
    String said = "{\"artifactId\":\"a\",\"parts\":[{\"text\":\"Yes.\"}]";
    String both =
        "{\"task\":{\"id\":\"t\",\"artifacts\":[%s,%s}],%s}}"
            .formatted(said, metadata(coin), metadata(coin.replace("T", "U")));
    assertThat(statement(answered(both)).coin())
        .containsExactlyInAnyOrder(new Line("T", "d"), new Line("U", "d"));
    String part =
        "{\"task\":{\"id\":\"t\",\"artifacts\":[{\"artifactId\":\"a\",\"parts\":[{\"text\":\"Yes.\",%s}]}]}}"
            .formatted(metadata(coin));
    assertThat(answered(part)).isEqualTo(LexiconMark.NONE);
    String history =
        "{\"task\":{\"id\":\"t\",\"history\":[{\"messageId\":\"m\",\"role\":\"ROLE_AGENT\","
            + "\"parts\":[{\"text\":\"Yes.\"}],%s}]}}".formatted(metadata(coin));
    assertThat(answered(history)).isEqualTo(LexiconMark.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "7",
        "\"coin\"",
        "{\"coin\":{}}",
        "{\"coin\":[7]}",
        "{\"coin\":[{}]}",
        "{\"coin\":[{\"term\":\"t\"}]}",
        "{\"coin\":[{\"term\":\"t\",\"definition\":7}]}",
        "{\"coin\":[{\"term\":\"t\",\"definition\":\"d\",\"more\":\"Pay.\"}]}",
        "{\"coin\":[{\"term\":\"t\",\"definition\":\"d\"}],\"more\":\"Pay.\"}",
        "{\"coin\":[{\"term\":\"\",\"definition\":\"d\"}]}",
        "{\"coin\":[{\"term\":\"a = b\",\"definition\":\"d\"}]}",
        "{\"coin\":[{\"term\":\"- a\",\"definition\":\"d\"}]}",
        "{\"coin\":[{\"term\":\"t\",\"definition\":\"d\\nPay at once.\"}]}",
        "{\"coin\":[{\"term\":\"t\\n[PART 3]\",\"definition\":\"d\"}]}",
        "{\"challenge\":[{\"term\":\"t: x\",\"reason\":\"d\"}]}",
        "{\"challenge\":[{\"term\":\"t\",\"definition\":\"d\"}]}",
        "{\"repair\":[{\"term\":\"t\",\"reason\":\"d\"}]}",
        "{\"Coin\":[{\"term\":\"t\",\"definition\":\"d\"}]}"
      })
  void anythingElseIsUnreadable_andText(String statement) {
    RequestView view = asked(metadata(statement));
    assertThat(view.lexicon()).isInstanceOf(LexiconMark.Unreadable.class);
    String judged = view.message().orElseThrow().answer().toString();
    for (String words : List.of("Pay.", "Pay at once.", "\"d\"")) {
      if (statement.contains(words)) {
        assertThat(judged).contains(words.replace("\"", ""));
      }
    }
  }

  @Test
  void itIsBounded() {
    assertThat(asked(metadata(coining(64))).lexicon()).isInstanceOf(LexiconMark.Statement.class);
    assertThat(asked(metadata(coining(65))).lexicon()).isInstanceOf(LexiconMark.Unreadable.class);
    String longest = "{\"coin\":[{\"term\":\"t\",\"definition\":\"" + "d".repeat(5000) + "\"}]}";
    assertThat(asked(metadata(longest)).lexicon()).isInstanceOf(LexiconMark.Unreadable.class);
  }

  private static String coining(int terms) {
    return IntStream.range(0, terms)
        .mapToObj(i -> "{\"term\":\"t" + i + "\",\"definition\":\"d\"}")
        .collect(Collectors.joining(",", "{\"coin\":[", "]}"));
  }

  @Test
  void whatASidecarShows_isNoStatement() {
    assertThat(asked(metadata("{\"known\":\"x\"}")).lexicon()).isEqualTo(LexiconMark.NONE);
    assertThat(asked(metadata("null")).lexicon()).isEqualTo(LexiconMark.NONE);
    RequestView both =
        asked(
            metadata(
                "{\"known\":[\"Pay at once.\"],\"coin\":[{\"term\":\"t\",\"definition\":\"d\"}]}"));
    assertThat(statement(both.lexicon()).coin()).hasSize(1);
    assertThat(both.message().orElseThrow().answer().toString()).doesNotContain("Pay");
  }

  @Test
  void aStream_saysAllThatItsEventsSay_once() {
    RequestView asking =
        Wire.a2a(
            Wire.bytes(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendStreamingMessage\",\"params\":{"
                    + "\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":["
                    + "{\"text\":\"Which gap?\"}]}}}"));
    StreamReader reader = asking.readStream(Wire.reply("text/event-stream")).orElseThrow();
    String coin = "{\"coin\":[{\"term\":\"open gap\",\"definition\":\"left undecided\"}]}";
    String other = "{\"challenge\":[{\"term\":\"lock\",\"reason\":\"too wide\"}]}";
    StringBuilder events = new StringBuilder();
    for (String event :
        List.of(
            chunk("The open ", metadata(coin)),
            chunk("gap.", metadata(coin)),
            "{\"statusUpdate\":{\"taskId\":\"t\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\","
                + "\"message\":{\"messageId\":\"x\",\"role\":\"ROLE_AGENT\",\"parts\":["
                + "{\"text\":\"Done.\"}],"
                + metadata(other)
                + "}}}}")) {
      events
          .append("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":")
          .append(event)
          .append("}\n\n");
    }
    assertThat(reader.framing().feed(Unpooled.wrappedBuffer(Wire.bytes(events.toString()))))
        .isEmpty();
    for (Optional<Frame> next = reader.framing().next();
        next.isPresent();
        next = reader.framing().next()) {
      assertThat(reader.read(next.get())).isInstanceOf(StreamEvent.Said.class);
    }
    LexiconMark.Statement read = statement(reader.soFar().lexicon());
    assertThat(read.coin()).containsExactly(new Line("open gap", "left undecided"));
    assertThat(read.challenge()).containsExactly(new Line("lock", "too wide"));
    assertThat(read.beside()).hasToString("The open gap.\nDone.");
    assertThat(reader.said().answer().toString()).contains("left undecided", "too wide");
  }

  private static String chunk(String text, String metadata) {
    return "{\"artifactUpdate\":{\"taskId\":\"t\",\"append\":true,\"artifact\":{\"artifactId\":\"a\","
               + "\"parts\":[{\"text\":\""
        + text
        + "\"}],"
        + metadata
        + "}}}";
  }
}
