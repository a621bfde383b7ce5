package dev.parlance.cli.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.client.ControlClient;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.ledger.record.Digest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The commands against a real control plane. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoundCommandTest {

  private Path data = Path.of("");
  private Optional<ControlReplica> plane = Optional.empty();

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    data = folder;
    plane =
        Optional.of(
            ControlReplica.start(
                ControlConfig.defaults(folder)
                    .listening(new Listen("127.0.0.1", 0), new Listen("127.0.0.1", 0)),
                _ -> new Angles(),
                Optional.empty()));
  }

  @AfterAll
  void stop() {
    plane.ifPresent(ControlReplica::close);
  }

  private Run run(String... args) {
    String[] all = new String[args.length + 3];
    all[0] = "round";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--data-dir";
    all[args.length + 2] = data.toString();
    return Run.of(all);
  }

  private void open(String round, String... more) {
    String[] args = new String[5 + more.length];
    System.arraycopy(new String[] {"open", round, "--member=a1,a2", "-m", "a3,a4"}, 0, args, 0, 5);
    System.arraycopy(more, 0, args, 5, more.length);
    Run run = run(args);
    assertThat(run.status()).as(run.err()).isZero();
  }

  private void propose(String round, String agent, String verdict, String text) {
    ControlReplica running = plane.orElseThrow();
    ProposeRequest request =
        ProposeRequest.newBuilder()
            .setRound(round)
            .setEpoch(1)
            .setAgent(agent)
            .setVerdict(verdict)
            .setRationale(text)
            .setMessageSha256(ByteString.copyFrom(new byte[32]))
            .setRoute("execute")
            .setDecision("d1")
            .build();
    String address = "127.0.0.1:" + running.grpcAddress().port();
    try (var client =
        new ControlClient(ControlClient.Address.plain(address, running.attachToken(agent)))) {
      var _ = client.rounds().ask(stub -> stub.propose(request));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void ended(String round) {
    // Numbers in these texts say where vectors lie.
    open(round, "--faults", "1", "--deadline", "60000", "--agreement", "vectors");
    propose(round, "a1", "approve", "0 \u001b[31mred");
    propose(round, "a2", "approve", "2 two");
    propose(round, "a3", "approve", "4 three");
    propose(round, "a4", "reject", "90 four");
  }

  @Test
  void anOpenRound_isShownWithWhoHasProposed_andListed() throws IOException {
    Path subject = Files.writeString(data.resolve("subject.txt"), "what it is about");
    open("open/1", "--faults", "1", "--subject-file", subject.toString());
    propose("open/1", "a2", "approve", "1 x");
    Run show = run("show", "open/1");
    assertThat(show.status()).as(show.err()).isZero();
    assertThat(show.out())
        .contains("round      open/1, epoch 1")
        .contains("state      collecting, ")
        .contains("proposed   1 of 4")
        .contains("encoder    angles-1, 2 dimensions, a core within 5.00\u00b0")
        .contains("SHA-256 " + Digest.of("what it is about"))
        .doesNotContain("approve");
    Run list = run("list", "--unfinished");
    assertThat(list.out()).contains("open/1").contains("1 of 4").contains("collecting");
    JsonNode json = Json.MAPPER.readTree(run("list", "-o", "json").out());
    assertThat(json.size()).isPositive();
    Run again = run("open", "open/1", "-m", "a1", "-f", "0");
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err()).contains("round_exists");
  }

  @Test
  void aRoundThatRequiresSignatures_takesNoProposalWithoutOne() {
    open("signed/1", "--faults", "1", "--signatures", "required");
    assertThatThrownBy(() -> propose("signed/1", "a1", "approve", "0 one"))
        .hasMessageContaining("signature_missing");
    assertThat(run("show", "signed/1").out()).contains("proposed   0 of 4");
  }

  @Test
  void anEndedRound_isShownWithAnglesDigestAndSignature_andItsWordsAreHarmless() {
    ended("ended/1");
    Run show = run("show", "ended/1", "--texts");
    assertThat(show.status()).as(show.err() + show.out()).isZero();
    assertThat(show.out())
        .contains("outcome    semantic_commit")
        .contains("verdict    approve")
        .contains("counted    4 of 4, support 3, runner-up 1")
        .contains("core       a1 a2 a3")
        .contains("diameter   4.00\u00b0")
        .contains("signature  good")
        .contains("members    unsigned: the control plane's word alone")
        .contains("here from the proposals: the same")
        .contains("88.00\u00b0")
        .contains("\\u{1B}[31mred")
        .doesNotContain("\u001b");
    JsonNode json = Json.MAPPER.readTree(run("show", "ended/1", "-o", "json").out());
    assertThat(json.path("result").path("digest").stringValue()).hasSize(64);
    assertThat(json.path("signature").stringValue()).isEqualTo("good");
    assertThat(json.path("proposals").get(3).path("standing").stringValue()).isEqualTo("counted");
    assertThat(json.path("proposals").get(1).path("degrees").doubleValue()).isBetween(0.0, 0.01);
    Run foreign = run("show", "ended/1", "--verify-key", plane.orElseThrow().ledgerKey().format());
    assertThat(foreign.status()).isEqualTo(1);
    assertThat(foreign.out()).contains("signature  bad").contains("foreign_signature");
    Run watch = run("watch", "ended/1");
    assertThat(watch.status()).as(watch.err()).isZero();
    assertThat(watch.out()).contains("semantic_commit");
    assertThat(watch.err()).contains("decided, 4 of 4 proposed");
  }

  @Test
  void whoIsPartedFromTheOthers_isShownWithTheWords_andExported() throws IOException {
    open("parted/1", "--faults", "1", "--deadline", "60000");
    String said = "0 The operator closed the valve of the second tank before noon.";
    propose("parted/1", "a1", "approve", said.replace("closed", "never closed"));
    for (String agent : List.of("a2", "a3", "a4")) {
      propose("parted/1", agent, "approve", said);
    }
    Run show = run("show", "parted/1", "--texts");
    assertThat(show.out())
        .contains("core       a2 a3 a4")
        .contains("apart      a1, a2: negation_changed: \"")
        .contains("never");
    Run export = run("export", "parted/1");
    assertThat(export.out())
        .contains("\"agreement\":\"critical\"")
        .contains("\"differs\":\"a1 a2 negation_changed;a1 a3 negation_changed;a1 a4");
    assertThat(Run.withInput(export.out().getBytes(StandardCharsets.UTF_8), "commit").out())
        .contains("\"core\":[\"a2\",\"a3\",\"a4\"]");
    String silent = export.out().replaceAll("\"differs\":\"[^\"]*\"", "\"differs\":\"\"");
    assertThat(Run.withInput(silent.getBytes(StandardCharsets.UTF_8), "commit").status())
        .isEqualTo(1);
  }

  @Test
  void export_isWhatCommitReads_andComesToTheSame() {
    ended("export/1");
    Run export = run("export", "export/1");
    assertThat(export.status()).as(export.err()).isZero();
    JsonNode line = Json.MAPPER.readTree(export.out());
    assertThat(line.path("proposals").get(1).path("text").stringValue()).isEqualTo("2 two");
    Run commit = Run.withInput(export.out().getBytes(StandardCharsets.UTF_8), "commit");
    assertThat(commit.status()).as(commit.err()).isZero();
    JsonNode decided = Json.MAPPER.readTree(commit.out());
    assertThat(decided.path("outcome").stringValue()).isEqualTo("semantic_commit");
    assertThat(decided.path("digest")).isEqualTo(line.path("decided").path("digest"));
    assertThat(decided.path("id").stringValue()).isEqualTo("export/1:1");
    open("export/2", "--faults", "1");
    Run open = run("export", "export/1", "export/2");
    assertThat(open.status()).isEqualTo(1);
    assertThat(open.err()).contains("round export/2 has not ended");
    assertThat(open.out().lines()).hasSize(1);
    assertThat(run("export").out()).contains("\"id\":\"export/1:1\"").doesNotContain("export/2");
  }

  @Test
  void whatIsNoRound_orNoMember_isRefusedBeforeAnythingIsSent() {
    assertThat(run("show", "no name").status()).isEqualTo(2);
    assertThat(run("show", "unknown/1").err()).contains("round_unknown");
    assertThat(run("open", "x", "-m", "a b", "-f", "0").status()).isEqualTo(2);
    assertThat(run("open", "x", "-m", "a", "-f", "-1").status()).isEqualTo(2);
    assertThat(run("list", "--limit", "0").status()).isEqualTo(2);
    assertThat(run("export", "no name").status()).isEqualTo(2);
    assertThat(Run.of("round").status()).isEqualTo(2);
  }

  /** Vectors in a plane, by the number of degrees that a text begins with. */
  private static final class Angles implements Embedder {
    @Override
    public EncoderStatus status() {
      return new EncoderStatus.Ready(
          new EncoderInfo(
              "angles-1",
              Digest.of("angles"),
              2,
              512,
              Optional.of(Math.cos(Math.toRadians(5))),
              Optional.empty()));
    }

    @Override
    public CompletionStage<Embedding> embed(String text) {
      double angle = Math.toRadians(Double.parseDouble(text.split(" ", 2)[0]));
      return CompletableFuture.completedFuture(
          new Embedding.Encoded(new float[] {(float) Math.cos(angle), (float) Math.sin(angle)}));
    }

    @Override
    public CompletionStage<List<Embedding>> embed(List<String> texts) {
      return CompletableFuture.completedFuture(
          texts.stream().map(text -> embed(text).toCompletableFuture().join()).toList());
    }

    @Override
    public void close() {}
  }
}
