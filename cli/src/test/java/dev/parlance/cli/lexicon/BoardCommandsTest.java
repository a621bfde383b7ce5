package dev.parlance.cli.lexicon;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.client.ControlClient;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.LexiconSettings;
import dev.parlance.control.config.LexiconSettings.Sharing;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.proto.v1.CoinRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc.LexiconServiceBlockingStub;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.ReportTurnsRequest;
import dev.parlance.proto.v1.TermCoinage;
import dev.parlance.proto.v1.TermUse;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The commands about boards against a real control plane. */
class BoardCommandsTest {
  private static final String BOARD = "b-" + "a".repeat(32);

  private Path data = Path.of("");
  private Optional<ControlReplica> plane = Optional.empty();
  private int turns;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    data = folder;
    plane =
        Optional.of(
            ControlReplica.start(
                ControlConfig.defaults(folder)
                    .listening(new Listen("127.0.0.1", 0), new Listen("127.0.0.1", 0))
                    .withLexicon(LexiconSettings.DEFAULT.sharing(Sharing.REVIEWED))));
    coin("open gap", "a point that the text \u001b[31m leaves open");
    coin("core lock", "two clauses");
    use("alice", "open gap");
  }

  @AfterEach
  void stop() {
    plane.ifPresent(ControlReplica::close);
  }

  private LexiconTurn.Builder turn(String speaker) {
    turns++;
    byte[] digest = new byte[32];
    digest[0] = (byte) turns;
    digest[1] = (byte) (turns >> 8);
    return LexiconTurn.newBuilder()
        .setBoard(BOARD)
        .setDigest(ByteString.copyFrom(digest))
        .setSpeaker(speaker)
        .setChannel("public")
        .setNumber(turns)
        .setAfter(2)
        .setTokens(10);
  }

  private void coin(String term, String definition) {
    call(
        "alice",
        stub ->
            stub.coin(
                CoinRequest.newBuilder()
                    .setTurn(
                        turn("alice")
                            .addCoinages(
                                TermCoinage.newBuilder().setTerm(term).setDefinition(definition)))
                    .build()));
  }

  private void use(String speaker, String term) {
    call(
        speaker,
        stub ->
            stub.report(
                ReportTurnsRequest.newBuilder()
                    .addTurns(
                        turn(speaker)
                            .addUses(
                                TermUse.newBuilder()
                                    .setVisibility("public")
                                    .setKey(term)
                                    .setTimes(1)))
                    .build()));
  }

  private void call(String agent, Function<LexiconServiceBlockingStub, Object> call) {
    ControlReplica running = plane.orElseThrow();
    String address = "127.0.0.1:" + running.grpcAddress().port();
    try (var client =
        new ControlClient(ControlClient.Address.plain(address, running.attachToken(agent)))) {
      assertThat(client.lexicon().ask(call)).isNotNull();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Run run(String... args) {
    List<String> all = new ArrayList<>(List.of("lexicon"));
    all.addAll(Arrays.asList(args));
    all.addAll(List.of("--data-dir", data.toString()));
    return Run.of(all.toArray(String[]::new));
  }

  @Test
  void list_showsBoards_forPeopleAndPrograms() {
    Run people = run("list");
    assertThat(people.status()).as(people.err()).isZero();
    assertThat(people.out()).contains(BOARD).contains("waiting");
    JsonNode first = Json.MAPPER.readTree(run("list", "-o", "json").out()).get(0);
    assertThat(first.get("board").stringValue()).isEqualTo(BOARD);
    assertThat(first.get("waiting").intValue()).isEqualTo(2);
    assertThat(first.get("reuse").intValue()).isEqualTo(1);
    assertThat(run("list", "--limit", "0").status()).isEqualTo(2);
  }

  @Test
  void show_hasTermsAndMeasures_andWhatAgentsWroteActsOnNoTerminal() {
    Run run = run("show", BOARD);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("open gap", "2 wait to be shared", "uptake")
        .doesNotContain("\u001b");
    JsonNode json = Json.MAPPER.readTree(run("show", BOARD, "-o", "json").out());
    assertThat(json.at("/terms/0/status").stringValue()).isEqualTo("waiting");
    assertThat(json.at("/terms/1/turn").intValue()).isEqualTo(1);
    assertThat(json.at("/metrics/uptake").doubleValue()).isEqualTo(0.5);
    assertThat(run("show", "b-" + "0".repeat(32)).err()).contains("no such thing");
    assertThat(run("show", "board").status()).isEqualTo(2);
  }

  @Test
  void term_isSharedPromotedAndRetired() throws IOException {
    assertThat(run("promote", BOARD, "Open-Gap", "--plan", "license").err()).contains("term_waits");
    Run shared = run("share", BOARD, "Open-Gap");
    assertThat(shared.status()).as(shared.err()).isZero();
    assertThat(shared.out()).contains("active");
    use("alice", "open gap");
    use("bob", "open gap");
    assertThat(run("promote", BOARD, "open gap", "--plan", "license").err())
        .contains("plan_unknown");
    Path plan =
        Files.writeString(
            data.resolve("plan.json"),
            """
            {"name":"license","core":{"agents":["alice","bob"],"domain":"license"},
             "terms":[{"text":"notice"}],"eventsPerTerm":1,
             "events":[{"pei":"e/1","text":"Something happened"}]}
            """);
    Run put = Run.of("core", "plan", "put", plan.toString(), "--data-dir", data.toString());
    assertThat(put.status()).as(put.err()).isZero();
    Run promoted = run("promote", BOARD, "open gap", "--plan", "license");
    assertThat(promoted.status()).as(promoted.err()).isZero();
    assertThat(promoted.out()).contains("license, untested");
    assertThat(run("retire", BOARD, "open gap").out()).contains("retired");
    assertThat(run("retire", BOARD, "nothing").err()).contains("no such thing");
    assertThat(run("retire", BOARD, "open gap", "--visibility", "faction:x").err())
        .contains("no such thing");
  }

  @Test
  void export_isWhatWireReads_withoutWhatNobodyIsShown() {
    run("share", BOARD, "open gap");
    Run exported = run("export");
    assertThat(exported.status()).as(exported.err()).isZero();
    JsonNode line = Json.MAPPER.readTree(exported.out());
    assertThat(line.get("board")).hasSize(1);
    assertThat(line.at("/waiting/0").stringValue()).isEqualTo("core lock");
    assertThat(line.at("/metrics/persistence").isNull()).isTrue();
    assertThat(line.at("/metrics/uptake").doubleValue()).isEqualTo(0.5);
    Run wire = Run.withInput(exported.out().getBytes(StandardCharsets.UTF_8), "lexicon", "wire");
    assertThat(wire.status()).as(wire.err()).isZero();
    assertThat(Json.MAPPER.readTree(wire.out()).at("/left/0/why").stringValue())
        .isEqualTo("unsafe");
    Run unknown = run("export", "b-" + "0".repeat(32));
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.err()).contains("no such thing");
  }

  @Test
  void watch_tellsOfEachChange() throws Exception {
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<Run> watching =
          threads.submit(() -> run("watch", BOARD, "--limit", "1", "-o", "json"));
      while (!watching.isDone()) {
        use("alice", "open gap"); // nobody is told when the watch has begun
        TimeUnit.MILLISECONDS.sleep(20);
      }
      Run run = watching.get();
      assertThat(run.status()).as(run.err()).isZero();
      JsonNode change = Json.MAPPER.readTree(run.out());
      assertThat(change.get("type").stringValue()).isEqualTo("reuse");
      assertThat(change.get("term").stringValue()).isEqualTo("open gap");
      assertThat(change.get("by").stringValue()).isEqualTo("alice");
    }
  }
}
