package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What clients on the public JavaScript SDK see of an answer that does not pass: a working task or
 * an error of the SDK's own, in good time, and nothing of the text.
 */
@Tag("client")
@ExtendWith(LeakCheck.class)
class A2aRefusalIT {
  private static final String HOLDING =
      """
      routes:
        - name: all
          stream: hold
      """;
  private static final String WINDOWED =
      """
      routes:
        - name: all
          stream: window
      """;

  /** Of the answers that must not pass; it is in each of their events or words close by. */
  private static final Set<String> WITHHELD =
      Set.of("friendly", "specialists", "recommend", "concerned");

  /** What the SDK throws when it was not told anything that it understands. */
  private static final Set<String> UNTYPED =
      Set.of("TimeoutError", "AbortError", "TypeError", "SyntaxError", "RangeError");

  private static final int STATE_FAILED = 4;
  private static final int STATE_WORKING = 2;

  @TempDir Path folder = Path.of("");

  @TestFactory
  Stream<DynamicTest> held_theClientSeesARejectionOrAnError_andNothingOfTheText()
      throws IOException, InterruptedException {
    return check(refusals(HOLDING));
  }

  @TestFactory
  Stream<DynamicTest> windowed_theClientSeesARejectionOrAnError_andNothingOfTheText()
      throws IOException, InterruptedException {
    return check(refusals(WINDOWED));
  }

  /** In observe they come as they are; enforced, none does. */
  @Test
  void answersThatNothingCarries_areCountedOnThePage() throws IOException, InterruptedException {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder);
    A2aSdk.Client clients = sdk.jsClients("refused");
    Map<String, JsonNode> direct = sdk.direct(clients);
    for (String routes : List.of(Transcripts.OBSERVING, Transcripts.ENFORCING)) {
      Transcripts.counted(
          "A2A, JavaScript SDK, answers that nothing carries",
          routes,
          direct,
          sdk.throughSidecars(clients, routes));
    }
  }

  private Map<String, JsonNode> refusals(String routes) throws IOException, InterruptedException {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder);
    Map<String, JsonNode> results = sdk.throughSidecars(sdk.jsClients("refused"), routes);
    assertThat(results).hasSize(A2aSdk.BINDINGS.size() * 6);
    return results;
  }

  private static Stream<DynamicTest> check(Map<String, JsonNode> results) {
    return results.entrySet().stream()
        .map(one -> DynamicTest.dynamicTest(one.getKey(), () -> refused(one.getValue())));
  }

  private static void refused(JsonNode result) {
    String shown = result.toString();
    WITHHELD.forEach(word -> assertThat(shown).doesNotContain(word));
    if (result.has("error")) {
      assertThat(UNTYPED).doesNotContain(result.path("error").asString(""));
    } else {
      assertThat(held(result)).as("a task of the sidecar or an error in %s", shown).isTrue();
    }
  }

  private static boolean held(JsonNode result) {
    return result.findValues("state").stream().anyMatch(s -> s.asInt(0) == STATE_WORKING)
        || isCut(result);
  }

  /** A stream whose good beginning is out already ends as failed, in words of the sidecar. */
  private static boolean isCut(JsonNode result) {
    if (!result.isArray()) {
      return false;
    }
    JsonNode status = result.get(result.size() - 1).at("/payload/value/status");
    return status.path("state").asInt(0) == STATE_FAILED
        && status.at("/message/messageId").asString("").startsWith("parlance-");
  }
}
