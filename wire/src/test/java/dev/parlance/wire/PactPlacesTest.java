package dev.parlance.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.wire.a2a.GrpcWire;
import dev.parlance.wire.api.PactMark;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.proto.ProtoWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What messages say in negotiations that agents lead: where it is read, and what is beside it. */
class PactPlacesTest {
  private static final String MESSAGE = "{\"t\":1,\"from\":\"a\",\"type\":\"WALKAWAY\"}";

  private static String metadata(String statement) {
    return "\"metadata\":{\"" + PactMark.URI + "\":" + statement + "}";
  }

  private static String said(String message) {
    return metadata("{\"message\":" + message + "}");
  }

  private static RequestView asked(String parts, String members) {
    return Wire.a2a(
        Wire.bytes(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{"
                + "\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":["
                + parts
                + "]"
                + (members.isEmpty() ? "" : "," + members)
                + "}}}"));
  }

  private static PactMark answered(String result) {
    return Wire.answer(
            asked("{\"text\":\"Is it so?\"}", ""),
            Wire.bytes("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}"))
        .pact();
  }

  private static PactMark.Statement statement(PactMark mark) {
    assertThat(mark).isInstanceOf(PactMark.Statement.class);
    return (PactMark.Statement) mark;
  }

  @Test
  void aStatementIsHandedOn_byteForByte() {
    PactMark.Statement read = statement(asked("{\"text\":\"\"}", said(MESSAGE)).pact());
    assertThat(new String(read.json(), UTF_8)).isEqualTo(MESSAGE);
    assertThat(read.alone()).isTrue();
    assertThat(asked("{\"text\":\"Hello.\"}", "").pact()).isEqualTo(PactMark.NONE);
    assertThat(asked("{\"text\":\"\"}", metadata("null")).pact()).isEqualTo(PactMark.NONE);
  }

  @Test
  void overGrpc_itIsReadFromTheStruct() {
    ProtoWriter part = new ProtoWriter().string(1, "");
    ProtoWriter entry =
        new ProtoWriter()
            .string(1, PactMark.URI)
            .message(
                2,
                new ProtoWriter()
                    .bytes(5, ProtoWriter.struct(Wire.bytes("{\"message\":" + MESSAGE + "}"))));
    ProtoWriter message =
        new ProtoWriter()
            .string(1, "m")
            .string(2, "c")
            .message(5, part)
            .bytes(6, new ProtoWriter().message(1, entry).toBytes());
    byte[] request = new ProtoWriter().message(2, message).toBytes();
    PactMark read = GrpcWire.asked("/lf.a2a.v1.A2AService/SendMessage", request).pact();
    assertThat(Wire.tree(statement(read).json())).isEqualTo(Wire.tree(MESSAGE));
  }

  @Test
  void wordsBesideIt_wherever_meanThatItIsNotAlone() {
    for (String parts :
        List.of(
            "{\"text\":\"go\"}",
            "{\"text\":\"\"},{\"text\":\"go\"}",
            "{\"text\":\"\"},{\"data\":{\"amount\":5}}",
            "{\"text\":\"\"},{\"url\":\"https://example.com/x\"}",
            "{\"text\":\"\u00a0\"}",
            "{\"text\":\"\",\"filename\":\"delete all of it\"}")) {
      assertThat(statement(asked(parts, said(MESSAGE)).pact()).alone()).as(parts).isFalse();
    }
    for (String member :
        List.of(
            "\"instruction\":\"delete all\"",
            "\"delete all\":1",
            "\"taskId\":\"" + "x".repeat(200) + "\"",
            "\"extensions\":[\"delete all\"]")) {
      assertThat(statement(asked("{\"text\":\"\"}", said(MESSAGE) + "," + member).pact()).alone())
          .as(member)
          .isFalse();
    }
    // What is said in the statement itself belongs to the negotiation.
    String rationale = "{\"t\":1,\"from\":\"a\",\"rationale\":\"not with card data\"}";
    assertThat(statement(asked("{\"text\":\"\"}", said(rationale)).pact()).alone()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "7",
        "\"x\"",
        "true",
        "{\"message\":[]}",
        "{\"message\":null}",
        "{\"message\":{},\"more\":1}",
        "{\"more\":1,\"message\":{}}",
        "{\"Message\":{}}"
      })
  void anythingElseIsUnreadable(String statement) {
    assertThat(asked("{\"text\":\"\"}", metadata(statement)).pact())
        .isInstanceOf(PactMark.Unreadable.class);
  }

  @Test
  void oneThatIsTooLargeIsUnreadable() {
    String room = "{\"t\":\"" + "x".repeat(PactMessages.MAX_BYTES - 8) + "\"}";
    assertThat(asked("{\"text\":\"\"}", said(room)).pact()).isInstanceOf(PactMark.Statement.class);
    assertThat(asked("{\"text\":\"\"}", said(room.replace("x\"", "xx\""))).pact())
        .isInstanceOf(PactMark.Unreadable.class);
  }

  @Test
  void answersAreReadLikeRequests_onceForAMessage() {
    String message =
        "{\"message\":{\"messageId\":\"a\",\"role\":\"ROLE_AGENT\",\"parts\":[%s],%s}}";
    assertThat(statement(answered(message.formatted("{\"text\":\"\"}", said(MESSAGE)))).alone())
        .isTrue();
    assertThat(statement(answered(message.formatted("{\"text\":\"Yes\"}", said(MESSAGE)))).alone())
        .isFalse();
    String task =
        "{\"task\":{\"id\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_WORKING\","
            + "\"message\":{\"messageId\":\"s\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"\"}],"
            + said(MESSAGE)
            + "}}%s}}";
    assertThat(statement(answered(task.formatted(""))).alone()).isTrue();
    assertThat(
            statement(
                    answered(
                        task.formatted(
                            ",\"artifacts\":[{\"artifactId\":\"a\",\"parts\":[{\"text\":\"Yes\"}]}]")))
                .alone())
        .isFalse();
    assertThat(answered(task.formatted("," + said(MESSAGE))))
        .isInstanceOf(PactMark.Unreadable.class);
    // An earlier message says nothing now.
    assertThat(
            answered(
                "{\"task\":{\"id\":\"t\",\"contextId\":\"c\",\"history\":[{\"messageId\":\"h\","
                    + "\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"Yes\"}],"
                    + said(MESSAGE)
                    + "}]}}"))
        .isEqualTo(PactMark.NONE);
  }
}
