package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Main;
import dev.parlance.cli.Terminal;
import dev.parlance.service.testing.LeakCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a newcomer copies out of the README works as it stands, but for addresses. */
@ExtendWith(LeakCheck.class)
class ReadmeIT {
  private static final String COMMAND = "bin/parlance ";
  private static final String SIGNAL = "ASP-Signal";

  @TempDir Path folder = Path.of("");

  private static Stream<CodeBlock> blocks(String language) throws IOException {
    return CodeBlock.of("README.md").stream().filter(one -> one.language().equals(language));
  }

  private static String block(String language) throws IOException {
    return blocks(language).findFirst().orElseThrow().text();
  }

  /** The words of every command of ours, without its comment and what it is piped into. */
  private static Stream<List<String>> commands() throws IOException {
    return CodeBlock.of("README.md").stream()
        .flatMap(one -> one.text().lines())
        .filter(line -> line.startsWith(COMMAND))
        .map(line -> line.substring(COMMAND.length()).split(" [#|]")[0])
        .map(line -> List.of(line.strip().split("\\s+")));
  }

  /** What it said, and how it ended. */
  private record Ended(int status, String out, String err) {}

  private static Ended run(String... words) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of(),
            false);
    int status = Main.run(terminal, words);
    return new Ended(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /**
   * Every word of a line is one that there is; whether it does what it says is tested elsewhere.
   */
  @TestFactory
  Stream<DynamicTest> everyCommand_isOneThatThereIs() throws IOException {
    assertThat(commands()).hasSizeGreaterThan(4);
    return commands()
        .map(words ->
            DynamicTest.dynamicTest(
                String.join(" ", words),
                () -> {
                  List<String> ours = words.stream().takeWhile(word -> !word.equals("--")).toList();
                  Ended ended =
                      run(Stream.concat(ours.stream(), Stream.of("--help")).toArray(String[]::new));
                  assertThat(ended.status()).as(ended.err()).isZero();
                  assertThat(ended.out()).contains("parlance " + ours.getFirst());
                }));
  }

  @Test
  void theSidecarsFile_isValid() throws IOException {
    Path file = folder.resolve("sidecar.yaml");
    Files.writeString(file, block("yaml"));
    Ended ended = run("config", "validate", file.toString());
    assertThat(ended.status()).as(ended.err()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"observe", "enforce"})
  void theAnswerOfThePage_getsTheVerdictOfThePage(String mode) throws Exception {
    String page = block("yaml");
    String answer = block("json");
    assertThat(page).contains("mode: observe", ":15006", ":8080");
    String signal =
        CodeBlock.of("README.md").stream()
            .flatMap(one -> one.text().lines())
            .filter(line -> line.startsWith(SIGNAL + ": "))
            .findFirst()
            .orElseThrow()
            .substring(SIGNAL.length() + 2);
    Path file = folder.resolve("sidecar.yaml");
    try (StubAgent agent =
            new StubAgent(_ ->
                StubAgent.Reply.json(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":%s}}"
                        .formatted(answer)));
        HttpClient client = HttpClient.newHttpClient()) {
      Files.writeString(
          file,
          page.replace("mode: observe", "mode: " + mode)
                  .replace(":15006", ":0")
                  .replace(":8080", ":" + agent.port())
              + "dataDir: data\nadmin: { listen: 127.0.0.1:0 }\n");
      LocalSidecar sidecar = LocalSidecar.start(file, folder.resolve("data"));
      HttpResponse<String> got;
      try (sidecar) {
        got =
            client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.inbound() + "/"))
                    .header("Content-Type", "application/json")
                    .header("A2A-Version", "1.0")
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            """
                            {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{\
                            "messageId":"q-1","role":"ROLE_USER",\
                            "parts":[{"text":"How often must the impeller be replaced?"}]}}}\
                            """))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
      }
      assertThat(got.body()).contains("every 2000 operating hours [Chunk c1].");
      assertThat(got.headers().firstValue(SIGNAL))
          .isEqualTo(mode.equals("observe") ? Optional.empty() : Optional.of(signal));
      assertThat(sidecar.log())
          .filteredOn(line -> line.path("kind").asString("").equals("response"))
          .singleElement()
          .satisfies(line -> {
            assertThat(line.path("route").asString("")).isEqualTo("execute");
            assertThat(line.path("header").asString("")).isEqualTo(signal);
          });
    }
  }

  /** What is piped into {@code kubectl apply}. */
  @Test
  void theInstallation_isRendered() throws IOException {
    String[] words =
        commands()
            .filter(line -> line.getFirst().equals("install"))
            .findFirst()
            .orElseThrow()
            .toArray(String[]::new);
    Ended ended = run(words);
    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.out()).contains("kind: Deployment", "registry.example/parlance");
  }
}
