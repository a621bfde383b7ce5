package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.FakeEncoder;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Moderator;
import dev.parlance.demo.agent.RunningAgent;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import dev.parlance.ledger.round.OutcomeCertificate;
import dev.parlance.proto.v1.GetPartyRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.service.file.SafeFile;
import dev.parlance.service.testing.LeakCheck;
import dev.parlance.wire.api.RoundMark;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A control plane, four agents on the public A2A SDK, each behind its own sidecar, and one agent
 * that acts only on what they decided: from the proposals to the message with consequences, and
 * what the ledger says of it afterwards.
 */
@ExtendWith(LeakCheck.class)
@Timeout(120)
class FinalityIT {
  private static final List<String> MEMBERS = List.of("alice", "bob", "carol", "dave");
  private static final List<SignerKey> KEYS =
      MEMBERS.stream().map(name -> SignerKey.generate(name, KeyType.ED25519)).toList();
  private static final String COMMAND = "Delete the build of last week.";

  @TempDir Path folder = Path.of("");
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, LocalSidecar> sidecars = new LinkedHashMap<>();
  private final Map<String, AgentCaller> callers = new LinkedHashMap<>();
  private Kit kit = unstarted();
  private Council council = unstarted();
  private final Moderator moderator = new Moderator();
  private RunningAgent moderating = unstarted();
  private StubAgent executor = unstarted();
  private HttpClient asAlice = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    kit = Kit.start(Kit.config(folder.resolve("control")), new FakeEncoder());
    council = Council.at(kit.plane);
    moderating = RunningAgent.bind("license-moderator");
    moderating.start(moderating.ownUrl(), moderator);
    executor =
        new StubAgent(request ->
            StubAgent.Reply.json(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"message\",\"messageId\":"
                    + "\"done\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":"
                    + "\"Deleted.\"}]}}"));
    for (SignerKey key : KEYS) {
      SafeFile.create(folder.resolve(key.name() + ".party"), key.toFile());
    }
    Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
    for (String member : MEMBERS) {
      LocalSidecar sidecar = sidecar(member);
      sidecars.put(member, sidecar);
      callers.put(
          member,
          AgentCaller.find(
              AgentCaller.Way.to(moderating.ownUrl()).through(sidecar.outboundPort())));
    }
    // A key that comes after the opening of a round counts for nothing in it.
    try (Signatory keys = Signatory.at(kit.plane)) {
      for (String member : MEMBERS) {
        GetPartyRequest asked = GetPartyRequest.newBuilder().setParty(member).build();
        await()
            .atMost(Kit.PATIENCE)
            .ignoreExceptions()
            .until(() -> keys.operator().getParty(asked).getVkeysCount() > 0);
      }
    }
    asAlice =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(
                ProxySelector.of(
                    new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), beside("alice").outboundPort())))
            .build();
  }

  @AfterEach
  void end() throws Exception {
    threads.shutdownNow();
    callers.values().forEach(AgentCaller::close);
    asAlice.close();
    sidecars.values().forEach(LocalSidecar::close);
    moderating.close();
    executor.close();
    council.close();
    kit.close();
  }

  private static String keyTexts() {
    return KEYS.stream().map(key -> key.verifier().format()).collect(Collectors.joining("\n"));
  }

  private String pins() {
    return KEYS.stream()
        .map(key -> "{agent: %s, keys: [\"%s\"]}".formatted(key.name(), key.verifier().format()))
        .collect(Collectors.joining(", "));
  }

  /** In front of dave acts the executor, and only on what was decided in the same words. */
  private LocalSidecar sidecar(String member) throws IOException {
    Path token = folder.resolve(member + ".token");
    Files.writeString(token, kit.plane.attachToken(member) + "\n");
    String control =
        """
        control:
          target: 127.0.0.1:%d
          agent: %s
          keysFile: "%s"
          tokenFile: "%s"
          rounds: { timeoutMs: 2000, signatures: %s }
        pacts:
          keyFile: "%s"
          peers: [%s]
        """
            .formatted(
                kit.port(),
                member,
                folder.resolve("keys"),
                token,
                member.equals("dave") ? "required" : "offered",
                folder.resolve(member + ".party"),
                member.equals("dave") ? pins() : "");
    String routes =
        """
        routes:
          - name: acts
            match: { direction: inbound }
            finality: semantic
        """;
    return LocalSidecar.start(
        folder,
        member,
        LocalSidecar.inboundTo(executor.port()),
        LocalSidecar.outbound(),
        routes,
        control);
  }

  private Round open(String round, String subject) {
    return council
        .operator()
        .openRound(
            OpenRoundRequest.newBuilder()
                .setAgreement("vectors") // numbers in the texts say where vectors lie
                .setRound(round)
                .addAllMembers(MEMBERS)
                .setFaults(1)
                .setDeadlineMs(60_000)
                .setSubject(subject)
                .build());
  }

  private CompletableFuture<AgentReply> propose(
      String member, String round, long epoch, String verdict, String rationale, boolean wait) {
    Map<String, Object> mark =
        Map.of(
            "round",
            round,
            "epoch",
            epoch,
            "verdict",
            verdict,
            "rationale",
            rationale,
            "wait",
            wait);
    return CompletableFuture.supplyAsync(
        () ->
            Objects.requireNonNull(callers.get(member))
                .send("I say " + verdict, "ctx-" + member, Map.of(RoundMark.URI, mark)),
        threads);
  }

  private LocalSidecar beside(String member) {
    return Objects.requireNonNull(sidecars.get(member));
  }

  /** What the sidecar wrote into an answer about the round. */
  private static JsonNode told(AgentReply reply) {
    assertThat(reply).isInstanceOf(AgentReply.Answered.class);
    Object status = ((AgentReply.Answered) reply).metadata().get(RoundMark.URI);
    assertThat(status).as("%s", reply).isNotNull();
    return A2a.JSON.valueToTree(status);
  }

  /** Alice sends something with consequences to dave. */
  private HttpResponse<String> act(String text, Optional<JsonNode> claim) throws Exception {
    String metadata =
        claim.map(mark -> ",\"metadata\":{\"" + RoundMark.URI + "\":" + mark + "}").orElse("");
    return asAlice.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + beside("dave").inbound() + "/"))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{"
                        + "\"message\":{\"kind\":\"message\",\"messageId\":\"m-1\",\"role\":"
                        + "\"user\",\"parts\":[{\"kind\":\"text\",\"text\":\""
                        + text
                        + "\"}]"
                        + metadata
                        + "}}}"))
            .build(),
        HttpResponse.BodyHandlers.ofString(UTF_8));
  }

  private void assertRefused(HttpResponse<String> answer, String code) {
    JsonNode error = A2a.JSON.readTree(answer.body()).path("error");
    assertThat(error.at("/data/0/metadata/code").asString("")).as(answer.body()).isEqualTo(code);
    assertThat(executor.asked()).isEmpty();
  }

  @Test
  void fourAgentsDecide_andOnlyWhatTheyDecidedIsActedOn_alsoWhenTheControlPlaneIsGone()
      throws Exception {
    open("delete-build", COMMAND);
    List<CompletableFuture<AgentReply>> waiting = new ArrayList<>();
    for (int i = 0; i < MEMBERS.size(); i++) {
      waiting.add(
          propose(MEMBERS.get(i), "delete-build", 1, "delete", i + " it is obsolete", true));
    }
    List<JsonNode> outcomes = new ArrayList<>();
    for (CompletableFuture<AgentReply> reply : waiting) {
      outcomes.add(told(reply.get(60, TimeUnit.SECONDS)));
    }
    JsonNode outcome = outcomes.getFirst();
    assertThat(outcome.at("/outcome/kind").asString()).isEqualTo("semantic_commit");
    assertThat(outcome.at("/outcome/verdict").asString()).isEqualTo("delete");
    assertThat(outcomes).allMatch(one -> one.at("/outcome").equals(outcome.at("/outcome")));
    assertThat(moderator.awaitHeard("delete-build", 1, 4, 10_000)).hasSize(4);

    // The certificate is that of three members, and holds without the control plane's word.
    byte[] note = outcome.at("/outcome/note").asString().getBytes(UTF_8);
    assertThat(OutcomeCertificate.read(note, MemberKeys.parse(keyTexts(), 1)))
        .isInstanceOf(OutcomeCertificate.Reading.Final.class);
    Note alone =
        Note.sign(
            OutcomeNote.unverified(note) instanceof OutcomeReading.Good good
                ? OutcomeNote.text(good.outcome())
                : "",
            KEYS.getFirst());
    assertThat(OutcomeCertificate.read(alone.bytes(), MemberKeys.parse(keyTexts(), 1)))
        .isInstanceOf(OutcomeCertificate.Reading.TooFew.class);

    assertRefused(act(COMMAND, Optional.empty()), "finality_required");
    assertRefused(act("Delete all builds.", Optional.of(outcome)), "outcome_other_subject");
    JsonNode bare =
        A2a.JSON.readTree(
            "{\"round\":\"delete-build\",\"outcome\":{\"kind\":\"semantic_commit\",\"digest\":\""
                + "0".repeat(64)
                + "\"}}");
    assertRefused(act(COMMAND, Optional.of(bare)), "outcome_mismatch");

    HttpResponse<String> done = act(COMMAND, Optional.of(outcome));
    assertThat(done.body()).contains("Deleted.");
    assertThat(executor.asked()).hasSize(1);

    AgentReply late =
        propose("alice", "delete-build", 1, "keep", "0 on second thoughts", false).get();
    assertThat(late).isInstanceOf(AgentReply.Withheld.class);
    assertThat(((AgentReply.Withheld) late).verdict().reasons()).containsExactly("late");
    assertThat(moderator.heard("delete-build", 1)).hasSize(4);
    kit.client.assertLedgerAgrees();

    // Everybody has the signed outcome; a new proposal needs the control plane.
    kit.plane.close();
    assertThat(act(COMMAND, Optional.of(outcome)).body()).contains("Deleted.");
    AgentReply away = propose("alice", "delete-build", 2, "keep", "0 again", false).get();
    assertThat(away).isInstanceOf(AgentReply.Withheld.class);
    assertThat(((AgentReply.Withheld) away).verdict().reasons())
        .containsExactly("round_unavailable");
    assertThat(beside("dave").admin().scrape())
        .contains("parlance_rounds_total{result=\"holds\",what=\"claim\"} 2.0")
        .contains("parlance_rounds_total{result=\"finality_required\",what=\"finality\"} 1.0");
  }

  @Test
  void anAbortIsNoCommit_andTheNextEpochIsAnother() throws Exception {
    open("delete-build", COMMAND);
    propose("alice", "delete-build", 1, "delete", "0 obsolete", false).get();
    propose("bob", "delete-build", 1, "delete", "1 obsolete", false).get();
    propose("carol", "delete-build", 1, "keep", "90 needed", false).get();
    AgentReply last = propose("dave", "delete-build", 1, "keep", "91 needed", true).get();
    JsonNode abort = told(last);
    assertThat(abort.at("/outcome/kind").asString()).isEqualTo("abort");
    assertRefused(act(COMMAND, Optional.of(abort)), "finality_insufficient");
    JsonNode lie =
        A2a.JSON.readTree(
            abort.toString().replace("\"kind\":\"abort\"", "\"kind\":\"semantic_commit\""));
    assertRefused(act(COMMAND, Optional.of(lie)), "outcome_mismatch");

    Round second = open("delete-build", COMMAND);
    assertThat(second.getEpoch()).isEqualTo(2);
    List<CompletableFuture<AgentReply>> waiting = new ArrayList<>();
    for (String member : MEMBERS) {
      waiting.add(propose(member, "delete-build", 2, "delete", "3 agreed", true));
    }
    JsonNode commit = told(waiting.getLast().get(60, TimeUnit.SECONDS));
    assertThat(commit.at("/epoch").asInt()).isEqualTo(2);
    // The commit of epoch 2 in the name of epoch 1, whose note it brings.
    JsonNode replayed = A2a.JSON.readTree(commit.toString().replace("\"epoch\":2", "\"epoch\":1"));
    assertRefused(act(COMMAND, Optional.of(replayed)), "outcome_mismatch");
    assertThat(act(COMMAND, Optional.of(commit)).body()).contains("Deleted.");
    kit.client.assertLedgerAgrees();
  }
}
