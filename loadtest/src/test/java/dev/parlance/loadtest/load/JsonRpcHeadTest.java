package dev.parlance.loadtest.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonRpcHeadTest {
  private static JsonRpcHead read(String json) {
    ByteBuf bytes = Unpooled.copiedBuffer(json, StandardCharsets.UTF_8);
    return JsonRpcHead.read(bytes, 0, bytes.readableBytes());
  }

  @Test
  void idAndKind_areFoundWhereverTheyStandAtTheTopLevel() {
    JsonRpcHead expected = new JsonRpcHead(17, "17", JsonRpcHead.Kind.RESULT);
    assertThat(read("{\"jsonrpc\":\"2.0\",\"id\":17,\"result\":{}}")).isEqualTo(expected);
    assertThat(read("{ \"result\" : {\"id\":3,\"error\":1}, \"id\" : 17 }")).isEqualTo(expected);
    assertThat(read("{\"result\":[{\"id\":1},{\"id\":2}],\"jsonrpc\":\"2.0\",\"id\":17}"))
        .isEqualTo(expected);
  }

  @Test
  void wordsInsideStrings_areNoMembers() {
    assertThat(read("{\"x\":\"\\\"id\\\":5,\\\"error\\\":\",\"id\":6,\"method\":\"error\"}"))
        .isEqualTo(new JsonRpcHead(6, "6", JsonRpcHead.Kind.CALL));
  }

  @Test
  void stringIds_areKeptAsTheyCame_andAreNoNumber() {
    assertThat(read("{\"id\":\"a\\\"b\",\"error\":{}}"))
        .isEqualTo(new JsonRpcHead(-1, "\"a\\\"b\"", JsonRpcHead.Kind.ERROR));
  }

  @Test
  void brokenInput_saysNothing() {
    assertThat(read("").kind()).isEqualTo(JsonRpcHead.Kind.NEITHER);
    assertThat(read("{\"id").kind()).isEqualTo(JsonRpcHead.Kind.NEITHER);
    assertThat(read("[1,2]").id()).isEqualTo(-1);
    assertThat(read("{\"id\":").id()).isEqualTo(-1);
    assertThat(read("{\"id\":12345678901234567890,\"result\":1}").id()).isEqualTo(-1);
  }
}
