package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.mcp.McpMethod;
import dev.parlance.wire.openai.OpenAiCall;
import dev.parlance.wire.openai.OpenAiCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The calls in the table of docs/coverage.md are those that the codecs know. */
class CoverageTest {
  private static final Path PAGE = Path.of("..", "docs", "coverage.md");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  /** One call of the table, as it is made over one binding. */
  private record Call(int row, String protocol, String binding, String name) {}

  private static List<Call> calls() throws IOException {
    String page = Files.readString(PAGE);
    List<String> rows =
        page.substring(page.indexOf("| --- |"), page.indexOf("\n\n## ")).lines().skip(1).toList();
    List<Call> calls = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      String[] cells = rows.get(row).split(" ?\\| ?", -1);
      for (String of : cells[2].split("<br>", -1)) {
        int colon = of.indexOf(": ");
        Matcher names = NAME.matcher(of);
        while (names.find()) {
          String binding = colon < 0 ? "" : of.substring(0, colon);
          calls.add(new Call(row, cells[1], binding, names.group(1)));
        }
      }
    }
    return calls;
  }

  private static List<Call> calls(String protocol, String binding) throws IOException {
    return calls().stream()
        .filter(call -> call.protocol().startsWith(protocol) && call.binding().equals(binding))
        .toList();
  }

  private static RequestHead head(String call) {
    int space = call.indexOf(' ');
    return new RequestHead(
        call.substring(0, space),
        call.substring(space + 1).replace("..", "/v1"),
        HeaderLookup.NONE);
  }

  @Test
  void everyMethodThatIsKnown_standsInTheTableOnce() throws IOException {
    assertThat(calls("A2A", "JSON-RPC"))
        .extracting(Call::name)
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Arrays.stream(A2aMethod.values())
                        .filter(method -> method != A2aMethod.UNKNOWN)
                        .map(A2aMethod::wireName),
                    Stream.of("GET /.well-known/agent-card.json"))
                .toList());
    assertThat(calls("A2A", "push to a webhook"))
        .extracting(Call::name)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(A2aPayload.Kind.values()).map(kind -> kind.member().text()).toList());
    assertThat(calls("MCP", "streamable HTTP"))
        .extracting(Call::name)
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Arrays.stream(McpMethod.values()).map(McpMethod::wireName), Stream.of("DELETE"))
                .toList());
    assertThat(calls("A2A", "gRPC"))
        .extracting(Call::name)
        .containsExactlyInAnyOrderElementsOf(A2aMethod.OverGrpc.BY_NAME.keySet());
  }

  @Test
  void callsOfA2aInOneRow_areReadAlike() throws IOException {
    for (Call call : calls("A2A", "gRPC")) {
      A2aBinding.Shape shape =
          A2aMethod.OverGrpc.of("/lf.a2a.v1.A2AService/" + call.name()).orElseThrow().shape();
      assertThat(calls("A2A", "JSON-RPC"))
          .filteredOn(other -> other.row() == call.row() && !other.name().startsWith("GET "))
          .isNotEmpty()
          .allSatisfy(other ->
              assertThat(A2aMethod.values())
                  .filteredOn(method -> method.wireName().equals(other.name()))
                  .extracting(A2aMethod::shape)
                  .containsExactly(shape));
    }
  }

  @Test
  void everyPathOfTheTable_isClaimed() throws IOException {
    Codec rest = new A2aRestCodec(JsonScanner.Limits.DEFAULT);
    Codec openAi = new OpenAiCodec(JsonScanner.Limits.DEFAULT);
    assertThat(calls("A2A", "HTTP+JSON"))
        .hasSizeGreaterThan(10)
        .allMatch(call -> rest.claims(head(call.name())));
    assertThat(calls("OpenAI", ""))
        .hasSize(OpenAiCall.values().length)
        .allMatch(call -> openAi.claims(head(call.name())));
    assertThat(rest.claims(head("POST /message:other"))).isFalse();
    assertThat(openAi.claims(head("POST ../messages"))).isFalse();
  }
}
