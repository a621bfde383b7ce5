package dev.parlance.cli.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class MarkedTextTest {
  private static String marked(boolean colour, String answer, String judgement) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    Terminal terminal =
        new Terminal(InputStream.nullInputStream(), nowhere, nowhere, Map.of(), colour);
    ObjectNode draft = Json.MAPPER.createObjectNode().put("answer", answer);
    draft.set("judgement", Json.MAPPER.readTree(judgement));
    return MarkedText.of(terminal, draft);
  }

  @Test
  void unsupportedWords_standInBrackets_countedInBytes() {
    assertThat(
            marked(
                false,
                "für 12 Euro",
                "{\"words\":[{\"from\":0,\"to\":4,\"question\":{}},{\"from\":5,\"to\":7},{\"from\":8,\"to\":12}]}"))
        .isEqualTo("für [[12]] [[Euro]]");
  }

  @Test
  void onATerminal_theyAreColoured() {
    assertThat(marked(true, "a b", "{\"words\":[{\"from\":2,\"to\":3}]}"))
        .isEqualTo("a \u001b[31mb\u001b[0m");
  }

  @Test
  void aChangeOfSeveralWords_isOneMark() {
    assertThat(
            marked(
                false,
                "not in May",
                "{\"words\":[{\"from\":0,\"to\":3},{\"from\":7,\"to\":10}],\"claims\":[{\"changes\":[{\"from\":0,\"to\":6}]}]}"))
        .isEqualTo("[[not in]] [[May]]");
  }

  @Test
  void hostileTextAndRangesOutsideIt_doNothing() {
    String text = "a\u001b[2J\u202eb";
    assertThat(
            marked(
                true,
                text,
                "{\"words\":[{\"from\":-1,\"to\":3},{\"from\":3,\"to\":99},{\"to\":2}]}"))
        .isEqualTo("a\\u{1B}[2J\\u{202E}b");
  }
}
