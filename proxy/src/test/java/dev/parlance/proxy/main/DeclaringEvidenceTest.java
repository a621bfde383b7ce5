package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples of docs/declaring-evidence.md, each sent through a sidecar that asks for evidence.
 */
class DeclaringEvidenceTest extends SidecarFixture {
  private static final Path PAGE = Path.of("..", "docs", "declaring-evidence.md");
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "<!-- example: (\\S+); POST (\\S+); evidence=(\\w+) -->\n"
              + "```json\n(.*?)\n```\n```json\n(.*?)\n```",
          Pattern.DOTALL);

  /** As the page has them for its example of any JSON. */
  private static final String POINTERS =
      "grounding: required\n"
          + "    json: { request: { question: /q }, response: { text: /answer, context: /documents,"
          + " citations: /sources } }";

  /** One example of the page. */
  record Example(String name, String path, String evidence, String request, String answer) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Example> examples() throws IOException {
    String page = Files.readString(PAGE);
    List<Example> examples =
        EXAMPLE
            .matcher(page)
            .results()
            .map(one ->
                new Example(one.group(1), one.group(2), one.group(3), one.group(4), one.group(5)))
            .toList();
    assertThat(examples).hasSize(page.split("<!-- example:", -1).length - 1);
    assertThat(List.of("a2a", "mcp", "openai", "json"))
        .allMatch(protocol -> page.contains("<!-- example: " + protocol));
    return examples;
  }

  private HttpResponse<String> send(Example example, String answer) throws Exception {
    script = _ -> ScriptedAgent.Reply.json(answer);
    if (example.path().equals("/search")) {
      start("json", POINTERS);
    } else {
      start("grounding: required");
    }
    return post(example.path(), example.request());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void example_isExecuted_onTheEvidenceItNames(Example example) throws Exception {
    HttpResponse<String> answer = send(example, example.answer());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body())
        .contains("\"route\":\"execute\"", "\"evidence\":\"" + example.evidence() + "\"");
  }

  /** An example would prove nothing if anything passed. */
  @ParameterizedTest
  @MethodSource("examples")
  void example_withAnInventedAnswer_isNotDelivered(Example example) throws Exception {
    String invented = "Our friendly specialists recommend whatever feels right for everybody.";
    String lie =
        example
            .answer()
            .replaceFirst(
                "(\"(?:text|content|answer)\":\")The impeller must be replaced every 2000"
                    + " operating hours(?: \\[Chunk [^]]+])?\\.(?=\"[}\\],]*\\s*(?:[,}\\]]|$))",
                "$1" + invented);
    HttpResponse<String> answer = send(example, lie);
    assertThat(answer.body()).doesNotContain("\"route\":\"execute\"");
  }
}
