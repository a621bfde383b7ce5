package dev.parlance.cli.pact;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.client.ControlClient;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.AttestRequest;
import dev.parlance.proto.v1.DissolveRequest;
import dev.parlance.proto.v1.PactServiceGrpc.PactServiceBlockingStub;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.ReportRequest;
import dev.parlance.service.config.Listen;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands about pacts against a real control plane. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PactPlaneTest {
  private static final SignerKey ASKS = SignerKey.generate("support", KeyType.ED25519);
  private static final SignerKey GIVES = SignerKey.generate("enricher", KeyType.ED25519);

  private Path data = Path.of("");
  private Optional<ControlReplica> plane = Optional.empty();

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    data = folder;
    ControlReplica replica =
        ControlReplica.start(
            ControlConfig.defaults(folder)
                .listening(new Listen("127.0.0.1", 0), new Listen("127.0.0.1", 0)));
    plane = Optional.of(replica);
    for (SignerKey key : List.of(ASKS, GIVES)) {
      call(
          key.name(),
          stub ->
              stub.registerKey(
                  RegisterKeyRequest.newBuilder()
                      .setParty(key.name())
                      .setVkey(key.verifier().format())
                      .build()));
    }
    attest("p-1");
    attest("p-2");
    PactStatement.Dissolution said =
        new PactStatement.Dissolution(
            "p-2",
            "support",
            Ending.DISPUTE_ESCALATED,
            System.currentTimeMillis(),
            Optional.empty(),
            OptionalLong.empty(),
            Optional.empty());
    call(
        "support",
        stub ->
            stub.dissolve(
                DissolveRequest.newBuilder()
                    .setParty("support")
                    .setNote(ByteString.copyFrom(PactStatementNote.sign(said, ASKS)))
                    .build()));
  }

  @AfterAll
  void stop() {
    plane.ifPresent(ControlReplica::close);
  }

  private void call(String agent, Function<PactServiceBlockingStub, Object> call) {
    ControlReplica running = plane.orElseThrow();
    String address = "127.0.0.1:" + running.grpcAddress().port();
    try (var client =
        new ControlClient(ControlClient.Address.plain(address, running.attachToken(agent)))) {
      assertThat(client.pacts().ask(call)).isNotNull();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void attest(String id) {
    List<PactDocument.Term> terms = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      terms.add(
          new PactDocument.Term.Open(
              new Predicate(
                  "q." + category.code(),
                  category.code(),
                  category == PactCategory.DISPUTE ? "arbiter=board-1" : "retain_days=30")));
    }
    long now = System.currentTimeMillis();
    PactDocument pact =
        new PactDocument(
            id, "n-" + id, "support", "enricher", "ab".repeat(32), now, now + 600_000, terms);
    byte[] note = PactNote.bytes(pact, PactNote.sign(pact, ASKS), PactNote.sign(pact, GIVES));
    call(
        "support",
        stub ->
            stub.attest(
                AttestRequest.newBuilder()
                    .setParty("support")
                    .setNote(ByteString.copyFrom(note))
                    .build()));
  }

  private Run run(String... args) {
    List<String> all = new ArrayList<>(List.of("pact"));
    all.addAll(Arrays.asList(args));
    all.addAll(List.of("--data-dir", data.toString()));
    return Run.of(all.toArray(String[]::new));
  }

  @Test
  void list_showsTheNewestFirst_forPeopleAndPrograms() {
    Run people = run("list");
    assertThat(people.status()).as(people.err()).isZero();
    assertThat(people.out()).contains("p-1").contains("support -> enricher").contains("active");
    JsonNode all = Json.MAPPER.readTree(run("list", "-o", "json").out());
    assertThat(all.get(0).at("/pact").stringValue()).isEqualTo("p-2");
    assertThat(run("list", "--party", "nobody").out()).startsWith("no pacts");
    assertThat(run("list", "--limit", "0").status()).isEqualTo(2);
  }

  @Test
  void show_checksBothSignatures() {
    Run run = run("show", "p-1");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("q.audit").contains("retain_days=30").contains("both parties");
    assertThat(run.out()).containsPattern("q.audit +audit +retain_days=30 +retain_days\\R");
    assertThat(run.out()).containsPattern("q.dispute +dispute +arbiter=board-1 *\\R");
    SignerKey other = SignerKey.generate("support", KeyType.ED25519);
    Run foreign = run("show", "p-1", "--key", other.verifier().format());
    assertThat(foreign.status()).isEqualTo(1);
    assertThat(foreign.out()).contains("pact_not_signed");
    assertThat(run("show", "p-9").err()).contains("no such thing");
    assertThat(run("show", "p-1", "--key", "nonsense").status()).isEqualTo(2);
  }

  /**
   * Two keys, then p-1: what the organisation of the other party shows of its ledger, whose files
   * follow its commits.
   */
  private JsonNode proof(long index) {
    Supplier<Run> inclusion =
        () -> Run.of("ledger", "inclusion", data.toString(), String.valueOf(index), "-o", "json");
    Run run = inclusion.get();
    for (int i = 0; i < 200 && run.status() != 0; i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      run = inclusion.get();
    }
    assertThat(run.status()).as(run.err()).isZero();
    return Json.MAPPER.readTree(run.out());
  }

  private JsonNode verified(JsonNode proof, String log, Optional<byte[]> note) {
    ObjectNode line = Json.MAPPER.createObjectNode().put("log", log).put("at", 0);
    line.set("proof", proof);
    line.putArray("keys").add(ASKS.verifier().format()).add(GIVES.verifier().format());
    note.ifPresent(ours -> line.put("note", new String(ours, StandardCharsets.UTF_8)));
    Run run = Run.withInput(Json.text(line).getBytes(StandardCharsets.UTF_8), "pact", "verify");
    assertThat(run.status()).as(run.err()).isZero();
    return Json.MAPPER.readTree(run.out());
  }

  @Test
  void verify_checksTheAttestationOnTheLedgerOfAnotherOrganisation() throws IOException {
    String log = Files.readString(data.resolve("ledger").resolve("log.vkey")).strip();
    JsonNode proof = proof(2);
    byte[] entry = Base64.getDecoder().decode(proof.path("entry").stringValue());
    byte[] note = Base64.getDecoder().decode(Json.MAPPER.readTree(entry).at("/note").stringValue());

    JsonNode good = verified(proof, log, Optional.of(note));
    assertThat(good.path("valid").booleanValue()).isTrue();
    assertThat(good.path("pact").stringValue()).isEqualTo("p-1");
    assertThat(good.at("/ledger/index").intValue()).isEqualTo(2);
    assertThat(good.at("/ledger/attester").stringValue()).isEqualTo("support");
    assertThat(verified(proof, log, Optional.empty())).isEqualTo(good);

    assertThat(fault(verified(proof(3), log, Optional.of(note))))
        .isEqualTo("proof_of_another_pact");
    assertThat(fault(verified(proof(0), log, Optional.empty())))
        .isEqualTo("proof_of_another_entry");
    assertThat(fault(verified(proof, ASKS.verifier().format(), Optional.empty())))
        .isEqualTo("proof_refused");
    ObjectNode moved = ((ObjectNode) proof.deepCopy()).put("index", 3);
    assertThat(fault(verified(moved, log, Optional.empty()))).isEqualTo("proof_refused");
    ObjectNode other = ((ObjectNode) proof.deepCopy()).put("entry", "AAAA");
    assertThat(fault(verified(other, log, Optional.empty()))).isEqualTo("proof_refused");
    assertThat(fault(verified(Json.MAPPER.readTree("[1]"), log, Optional.empty())))
        .isEqualTo("proof_refused");
  }

  private static String fault(JsonNode answer) {
    assertThat(answer.path("valid").booleanValue()).isFalse();
    return answer.path("fault").stringValue();
  }

  @Test
  void decide_endsADispute_andTheStandingFollows() throws IOException {
    Path key = data.resolve("board.key");
    SafeFile.create(key, SignerKey.generate("board-1", KeyType.ED25519).toFile());
    Path token = data.resolve("board.token");
    Files.writeString(token, plane.orElseThrow().attachToken("board-1"));
    String[] by = {"--key", key.toString(), "--token-file", token.toString()};
    assertThat(decide(by, "p-2", "violated").status()).isEqualTo(2);
    assertThat(decide(by, "p-2", "boredom").status()).isEqualTo(2);
    assertThat(decide(by, "p-1", "work_completed").err()).contains("not_disputed");
    Run run = decide(by, "p-2", "violated", "--responsible", "enricher");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("violated, enricher answers for it");
    Run standing = run("standing", "enricher");
    assertThat(standing.out()).contains("enricher").contains("0.000");
  }

  @Test
  void aCase_isListedShown_andDecidedByItsArbiterAlone() throws IOException {
    List<Predicate> clauses = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      clauses.add(new Predicate("q." + category.code(), category.code(), "retain_days=30"));
    }
    PactCase open =
        new PactCase(
            "n-case",
            "support",
            "enricher",
            "court",
            "p-case",
            System.currentTimeMillis() + 3_600_000);
    PactStatement.Report said =
        PactStatement.Report.escalating(
            open,
            clauses,
            List.of(new PactStatement.Detail("q.output", "", "retain_days=30", "retain_days=7")),
            5);
    call(
        "support",
        stub ->
            stub.report(
                ReportRequest.newBuilder()
                    .setParty("support")
                    .setNote(
                        ByteString.copyFrom(
                            PactStatementNote.cosigned(
                                    PactStatementNote.sign(said, ASKS),
                                    "enricher",
                                    PartyProof.sign(said, GIVES))
                                .orElseThrow()))
                    .build()));
    assertThat(run("case", "list", "--waiting", "--arbiter", "court").out())
        .contains("n-case")
        .contains("support -> enricher");
    assertThat(run("case", "show", "n-case").out())
        .contains("q.output")
        .contains("waiting")
        .contains("support offered")
        .contains("retain_days=7");
    assertThat(run("case", "show", "n-none").err()).contains("no case");
    Path key = data.resolve("court.key");
    SafeFile.create(key, SignerKey.generate("court", KeyType.ED25519).toFile());
    Path other = data.resolve("other.key");
    SafeFile.create(other, SignerKey.generate("other", KeyType.ED25519).toFile());
    Path token = data.resolve("court.token");
    Files.writeString(token, plane.orElseThrow().attachToken("court"));
    String[] decide = {
      "case",
      "decide",
      "n-case",
      "--set",
      "q.output=max_kb=16;citations>=1",
      "--key",
      other.toString(),
      "--token-file",
      token.toString()
    };
    assertThat(run(decide).err()).contains("court decides it");
    decide[6] = key.toString();
    String change = decide[4];
    decide[4] = "q.none=max_kb=16";
    assertThat(run(decide).err()).contains("no clause q.none");
    decide[4] = "nothing";
    assertThat(run(decide).status()).isEqualTo(2);
    decide[4] = change;
    Run decided = run(decide);
    assertThat(decided.status()).as(decided.err()).isZero();
    assertThat(decided.out()).contains("n-case: decided");
    assertThat(run("template", "show", "court/n-case@1").out()).contains("max_kb=16;citations>=1");
    Run refused =
        run(
            "case",
            "decide",
            "n-case",
            "--refuse",
            "--key",
            key.toString(),
            "--token-file",
            token.toString());
    assertThat(refused.err()).contains("template_exists");
  }

  private Run decide(String[] by, String pact, String ending, String... more) {
    return run(
        Stream.of(new String[] {"decide", pact, "--ending", ending}, by, more)
            .flatMap(Arrays::stream)
            .toArray(String[]::new));
  }

  @Test
  void aTemplate_isSignedPublishedListedAndShown() throws IOException {
    Path key = data.resolve("platform.key");
    Run made = Run.of("pact", "template", "key", "platform", "--out", key.toString());
    assertThat(made.out()).startsWith("platform+");
    assertThat(Run.of("pact", "template", "key", "platform", "--out", key.toString()).err())
        .contains("never overwritten");
    Path token = data.resolve("platform.token");
    Files.writeString(token, plane.orElseThrow().attachToken("platform"));
    Path file = data.resolve("enrich.json");
    Files.writeString(
        file,
        """
        {"name":"enrich","version":1,"predicates":
          [{"id":"scope","category":"scope","body":"fields=name,company"}]}
        """);
    String[] publish = {
      "template",
      "publish",
      file.toString(),
      "--key",
      key.toString(),
      "--token-file",
      token.toString()
    };
    Run published = run(publish);
    assertThat(published.status()).as(published.err()).isZero();
    assertThat(run(publish).out()).isEqualTo(published.out());
    Files.writeString(file, Files.readString(file).replace("company", "city"));
    assertThat(run(publish).err()).contains("template_exists");
    Path another = data.resolve("another.key");
    Run.of("pact", "template", "key", "platform", "--out", another.toString());
    String[] replacing = publish.clone();
    replacing[4] = another.toString(); // P8
    assertThat(run(replacing).err()).contains("has another key");
    assertThat(run("template", "list").out()).contains("platform/enrich@1");
    assertThat(run("template", "show", "platform/enrich@1").out()).contains("fields=name,company");
    assertThat(run("template", "show", "platform/enrich@7").err()).contains("there is no template");
    assertThat(run("template", "show", "enrich").status()).isEqualTo(2);
    Files.writeString(file, Files.readString(file).replace("fields=name,city", "fields="));
    assertThat(run(publish).err()).contains("BAD_");
    Files.writeString(file, "{\"nane\":1}");
    assertThat(run(publish).err()).contains("nane");
  }
}
