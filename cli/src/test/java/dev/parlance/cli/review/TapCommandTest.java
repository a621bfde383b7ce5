package dev.parlance.cli.review;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.cli.Main;
import dev.parlance.cli.Run;
import dev.parlance.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TapCommandTest {
  @TempDir Path folder = Path.of("");
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path log = Path.of("");

  @BeforeEach
  void name() {
    log = folder.resolve("decisions.jsonl");
  }

  private static String decision(String id, String route, String peer, double grounding) {
    return """
    {"type":"decision","ts":"2026-11-22T10:00:00.125Z","id":"%s","direction":"inbound",\
    "kind":"response","peer":"%s","routeRule":"answers","route":"%s","reasons":["low_grounding"],\
    "action":"%s","signals":{"certainty":0.5,"grounding":%s,"stochasticity":0.25},"drift":0.1,\
    "tJudgeUs":1500}
    """
        .formatted(id, peer, route, route, grounding);
  }

  private static final String REJECTION =
      "{\"type\":\"rejection\",\"ts\":\"2026-11-22T10:00:00.126Z\",\"direction\":\"inbound\","
          + "\"layer\":\"json\",\"code\":\"bad_json\",\"peer\":\"p\"}\n";

  private Run tap(String... more) {
    return Run.of(arguments("tap", more));
  }

  private String[] arguments(String command, String... more) {
    return Stream.concat(Stream.of(command, "--data-dir", folder.toString()), Stream.of(more))
        .toArray(String[]::new);
  }

  @Test
  void aCardThatLeadsPastTheSidecar_isShownWithBothAddresses() throws IOException {
    String detail = "the agent card names http://a:8080/, its caller used b:15006";
    Files.writeString(
        log, "{\"type\":\"notice\",\"code\":\"card_elsewhere\",\"detail\":\"" + detail + "\"}\n");

    Run run = tap("--last", "1", "--count", "1");

    assertThat(run.out()).contains("notice", "card_elsewhere", detail);
  }

  @Test
  void lastLines_areShownInOrder_withSignalsReasonsAndIds() throws IOException {
    Files.writeString(
        log, decision("d-1", "execute", "a", 1) + REJECTION + decision("d-2", "yield", "b", 0.25));

    Run run = tap("--last", "2", "--count", "2");

    assertThat(run.status()).isZero();
    assertThat(run.out().lines()).hasSize(2);
    assertThat(run.out().lines().toList().getFirst()).contains("refused", "bad_json", "json");
    assertThat(run.out().lines().toList().getLast())
        .contains(
            "yield", "inbound", "b", "@G 0.25", "drift 0.10", "low_grounding", "1.5 ms", "d-2");
  }

  @Test
  void whatIsOnlyObserved_isSaidAsWhatWouldBe() throws IOException {
    Files.writeString(
        log,
        decision("d-1", "regenerate", "a", 0)
            .replace("\"route\":", "\"mode\":\"observe\",\"route\":"));
    assertThat(tap("--last", "1", "--count", "1").out()).contains(" would regenerate inbound");
  }

  @Test
  void filters_leaveOutEverythingElse() throws IOException {
    Files.writeString(
        log,
        decision("d-1", "execute", "a", 1)
            + REJECTION
            + decision("d-2", "yield", "b", 0)
            + decision("d-3", "warn", "b", 0));

    assertThat(tap("--last", "9", "--route", "yield", "--route", "warn", "--count", "2").out())
        .contains("d-2", "d-3")
        .doesNotContain("d-1", "refused");
    assertThat(tap("--last", "9", "--peer", "a", "--count", "1").out()).contains("d-1");
    assertThat(tap("--last", "9", "--direction", "outbound", "--seconds", "1").out()).isEmpty();
    assertThat(tap("--last", "9", "--reason", "low_grounding", "--count", "3").out())
        .contains("d-1", "d-2", "d-3");
  }

  @Test
  void json_isTheLineOfTheLog() throws IOException {
    Files.writeString(log, decision("d-1", "execute", "a", 1));

    assertThat(tap("--last", "1", "--count", "1", "-o", "json").out())
        .isEqualTo(decision("d-1", "execute", "a", 1));
  }

  @Test
  void linesThatCome_areShown_acrossTheLogBeingBegunAnew_andTornOnesOnce() throws Exception {
    Files.writeString(log, decision("old", "execute", "a", 1));
    CompletableFuture<Integer> tapping = start("tap", "--last", "1", "--count", "5");
    awaitText("old");

    String torn = decision("d-1", "execute", "a", 1);
    append(torn.substring(0, 40));
    append(torn.substring(40) + decision("d-2", "execute", "a", 1));
    awaitText("d-2");
    append(decision("d-3", "execute", "a", 1));
    Files.move(log, folder.resolve("decisions-1.jsonl"));
    Files.writeString(log, decision("d-4", "execute", "a", 1));

    assertThat(tapping.get(30, TimeUnit.SECONDS)).isZero();
    assertThat(out.toString(UTF_8).lines().map(line -> line.replaceAll(".* ", "")))
        .containsExactly("old", "d-1", "d-2", "d-3", "d-4");
    assertThat(err.toString(UTF_8)).isEmpty();
  }

  private void append(String text) throws IOException {
    Files.writeString(log, text, StandardOpenOption.APPEND);
  }

  private void awaitText(String text) {
    await().atMost(Duration.ofSeconds(30)).until(() -> out.toString(UTF_8).contains(text));
  }

  private CompletableFuture<Integer> start(String command, String... more) {
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            Map.of(),
            false);
    return CompletableFuture.supplyAsync(() -> Main.run(terminal, arguments(command, more)));
  }

  @Test
  void lineThatIsTooLong_isPassedOver_andTheNextOneIsWhole() throws IOException {
    Files.writeString(log, "x".repeat(3 << 20) + "\n" + decision("d-1", "execute", "a", 1));

    assertThat(tap("--last", "1", "--count", "1").out()).contains("d-1");
  }

  @Test
  void asManyLinesAsAreAskedFor_areShown_alsoOfALargeLog() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      lines.append(decision("d-" + i, "execute", "x".repeat(1500), 1));
    }
    Files.writeString(log, lines);

    assertThat(tap("--last", "5000", "--count", "5000", "--seconds", "20").out().lines())
        .hasSize(5000);
  }

  @Test
  void textThatAnAgentChose_doesNothingToATerminal() throws IOException {
    Files.writeString(log, decision("d-1", "execute", "a\\u001b[2J", 1));

    assertThat(tap("--last", "1", "--count", "1").out())
        .doesNotContain("\u001b")
        .contains("\\u{1B}");
  }

  @Test
  void noSuchFolder_isSaid_andWrongOptionsAreUsageErrors() {
    assertThat(Run.of("tap", "--data-dir", folder.resolve("nothing").toString()))
        .satisfies(run -> assertThat(run.status()).isEqualTo(1))
        .satisfies(run -> assertThat(run.err()).contains("--data-dir"));
    assertThat(tap("--route", "pass").status()).isEqualTo(2);
    assertThat(tap("--direction", "up").status()).isEqualTo(2);
    assertThat(tap("--last", "-1").status()).isEqualTo(2);
    assertThat(tap("--count", "0").status()).isEqualTo(2);
    assertThat(tap("--seconds", "0").status()).isEqualTo(2);
  }

  @Test
  void top_countsByPeerAndRoute_busiestFirst() throws Exception {
    Files.writeString(log, decision("old", "yield", "old", 0));
    CompletableFuture<Integer> top = start("top", "--seconds", "4", "--interval", "1");
    awaitText("nothing has been decided");
    append(
        decision("d-1", "execute", "a", 1)
            + decision("d-2", "yield", "b", 0)
            + decision("d-3", "execute", "b", 0.5)
            + REJECTION);

    assertThat(top.get(30, TimeUnit.SECONDS)).isZero();
    // the interval in which they came
    assertThat(
            out.toString(UTF_8)
                .lines()
                .map(line ->
                    line.trim().replaceAll(" +", " ").replaceFirst("answers [0-9.]+", "answers X")))
        .containsSubsequence(
            "inbound b answers X 1 0 0 1 0.25 0.10 1.5 ms",
            "inbound a answers X 1 0 0 0 1.00 0.10 1.5 ms");
  }

  @Test
  void top_withoutDecisions_saysSo() {
    assertThat(
            Run.of("top", "--data-dir", folder.toString(), "--seconds", "1", "--interval", "1")
                .out())
        .contains("nothing has been decided");
  }
}
