package dev.parlance.control.round;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.FakeEncoder;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.RoundEntry.ProposalStatement;
import dev.parlance.ledger.round.OutcomeCertificate;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.SignOutcomeRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Rounds whose members sign, over real gRPC. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SignedRoundsTest {
  private static final Map<String, SignerKey> KEYS = new LinkedHashMap<>();

  private Path data = Path.of("");
  private Kit kit;
  private Council council;

  @BeforeAll
  void start(@TempDir Path data) throws IOException {
    this.data = data;
    Council.SEVEN.forEach(agent -> KEYS.put(agent, SignerKey.generate(agent, KeyType.ED25519)));
    begin();
    try (Signatory signatory = Signatory.at(kit.plane)) {
      KEYS.forEach(signatory::register);
    }
  }

  private void begin() throws IOException {
    kit = Kit.start(Kit.config(data), new FakeEncoder());
    council = kit.keep(Council.at(kit.plane));
  }

  @AfterAll
  void stop() {
    kit.assertLedgerAgrees();
    kit.close();
  }

  private static SignerKey key(String agent) {
    return KEYS.getOrDefault(agent, SignerKey.generate(agent, KeyType.ED25519));
  }

  private void open(String round, String signatures) {
    assertThat(council.open(Council.seven(round).setSignatures(signatures)).getSignatures())
        .isEqualTo(signatures);
  }

  private static ByteString bytes(String base64) {
    return ByteString.copyFrom(Base64.getDecoder().decode(base64));
  }

  private static ProposeRequest.Builder proposal(String round, String agent) {
    return Council.proposal(round, agent, "approve", "1 " + agent);
  }

  private ProposeRequest.Builder signed(String round, String agent, SignerKey key) {
    ProposeRequest.Builder request = proposal(round, agent);
    ProposeResponse prepared = council.propose(request.clone().setPrepare(true));
    assertThat(prepared.getResult()).isEqualTo("prepared");
    Meaning meaning =
        new Meaning.Vector(QuantVector.ofBytes(prepared.getVector().toByteArray()).orElseThrow());
    ProposalStatement statement =
        ProposalStatement.of(
            new RoundId(round, 1), agent, "approve", Digest.of("1 " + agent), meaning);
    return request.setSignature(bytes(statement.sign(key)));
  }

  private Round decided(String round) {
    for (String agent : Council.SEVEN) {
      assertThat(council.propose(signed(round, agent, key(agent))).getResult())
          .isEqualTo("accepted");
    }
    Round decided = council.get(round);
    assertThat(decided.getState()).isEqualTo("decided");
    assertThat(decided.getResult().getSignatures()).isEqualTo("members");
    return decided;
  }

  private static String text(Round round) {
    return Note.parse(round.getResult().getNote().toByteArray())
            instanceof Parsed.Ok<Note>(Note note)
        ? note.text()
        : "not decided\n";
  }

  private static SignOutcomeRequest.Builder signature(Round round, String agent, SignerKey key) {
    String text = text(round);
    return SignOutcomeRequest.newBuilder()
        .setRound(round.getRound())
        .setEpoch(round.getEpoch())
        .setAgent(agent)
        .setDocumentSha256(ByteString.copyFrom(HexFormat.of().parseHex(Digest.of(text))))
        .setSignature(bytes(Note.sign(text, key).signatures().getFirst().base64()));
  }

  private Round sign(Round round, String agent) {
    return sign(agent, signature(round, agent, key(agent)));
  }

  private Round sign(String caller, SignOutcomeRequest.Builder request) {
    return council.sidecar(caller).signOutcome(request.build());
  }

  private static MemberKeys pins() {
    return MemberKeys.parse(
        KEYS.values().stream()
            .map(key -> key.verifier().format())
            .collect(Collectors.joining("\n")),
        2);
  }

  private static OutcomeCertificate.Reading certificate(Round round) {
    return OutcomeCertificate.read(round.getResult().getNote().toByteArray(), pins());
  }

  @Test
  void aCommit_isFinalOnceFiveOfSevenHaveSigned_andItsNoteIsTheCertificate() {
    open("s/final", "required");
    Round decided = decided("s/final");
    assertThat(decided.getMemberKeysCount()).isEqualTo(7);
    assertThat(decided.getResult().getFinal()).isFalse();
    assertThat(decided.getResult().getWithheldList()).containsExactlyElementsOf(Council.SEVEN);
    for (String agent : List.of("a7", "a1", "a3", "a5")) {
      assertThat(sign(decided, agent).getResult().getFinal()).isFalse();
    }
    assertThat(sign(decided, "a1").getResult().getSignersCount()).isEqualTo(4);
    assertThat(certificate(council.get("s/final")))
        .isInstanceOf(OutcomeCertificate.Reading.TooFew.class);
    Round last = sign(decided, "a2");
    assertThat(last.getResult().getFinal()).isTrue();
    assertThat(last.getResult().getWithheldList()).containsExactly("a4", "a6");
    assertThat(certificate(council.get("s/final")))
        .isInstanceOf(OutcomeCertificate.Reading.Final.class);
    assertThat(text(last)).isEqualTo(text(decided));
    // Behind the fifth it is one more.
    assertThat(sign(decided, "a4").getResult().getWithheldList()).containsExactly("a6");
  }

  @Test
  void whoWatches_isTold_untilItIsFinal() throws Exception {
    open("s/watch", "required");
    List<Boolean> seen = new ArrayList<>();
    Thread watcher =
        Thread.startVirtualThread(() ->
            council
                .watch("s/watch", kit.plane.attachToken("a1"))
                .forEach(round -> seen.add(round.getResult().getFinal())));
    Round decided = decided("s/watch");
    for (String agent : Council.SEVEN.subList(0, 5)) {
      var _ = sign(decided, agent);
    }
    watcher.join(Kit.PATIENCE);
    assertThat(watcher.isAlive()).isFalse();
    assertThat(seen).last().isEqualTo(true);
    assertThat(seen).containsOnlyOnce(true);
  }

  @Test
  void proposals_thatAreNotSignedAsAsked_areRefused() {
    open("s/refused", "required");
    assertThat(Council.reason(() -> council.propose(proposal("s/refused", "a1"))))
        .isEqualTo("FAILED_PRECONDITION signature_missing");
    SignerKey other = SignerKey.generate("a1", KeyType.ED25519);
    assertThat(Council.reason(() -> council.propose(signed("s/refused", "a1", other))))
        .isEqualTo("FAILED_PRECONDITION key_unknown");
    ProposeRequest.Builder good = signed("s/refused", "a1", key("a1"));
    assertThat(Council.reason(() -> council.propose(good.clone().setVerdict("reject"))))
        .isEqualTo("INVALID_ARGUMENT signature_wrong");
    assertThat(
            Council.reason(
                () -> council.propose(good.clone().setSignature(ByteString.copyFromUtf8("short")))))
        .isEqualTo("INVALID_ARGUMENT bad_signature");
    assertThat(Council.reason(() -> council.open(Council.seven("s/x").setSignatures("no"))))
        .isEqualTo("INVALID_ARGUMENT bad_signatures");
    assertThat(council.propose(good).getResult()).isEqualTo("accepted");
    assertThat(council.propose(good).getResult()).isEqualTo("repeated");
  }

  @Test
  void signatures_thatAreNotOfThisOutcome_areRefused() {
    open("s/outcome", "required");
    assertThat(
            Council.reason(() -> sign("a1", signature(council.get("s/outcome"), "a1", key("a1")))))
        .isEqualTo("FAILED_PRECONDITION outcome_unknown");
    Round decided = decided("s/outcome");
    SignOutcomeRequest.Builder good = signature(decided, "a1", key("a1"));
    assertThat(
            Council.reason(() ->
                sign("a1", good.clone().setDocumentSha256(ByteString.copyFrom(new byte[32])))))
        .isEqualTo("FAILED_PRECONDITION outcome_differs");
    assertThat(Council.reason(() -> sign("a1", signature(decided, "a1", key("a2")))))
        .isEqualTo("FAILED_PRECONDITION key_unknown");
    byte[] broken = good.getSignature().toByteArray();
    broken[67] ^= 1;
    assertThat(
            Council.reason(
                () -> sign("a1", good.clone().setSignature(ByteString.copyFrom(broken)))))
        .isEqualTo("INVALID_ARGUMENT signature_wrong");
    assertThat(Council.reason(() -> sign("b9", signature(decided, "b9", key("b9")))))
        .isEqualTo("PERMISSION_DENIED not_a_member");
    assertThat(Council.reason(() -> sign("a2", good.clone())))
        .isEqualTo("PERMISSION_DENIED token_of_another_agent");
    assertThat(sign("a1", good).getResult().getSignersList()).containsExactly("a1");
  }

  @Test
  void membersThatDoNotSign_endInAnOutcomeMarkedUnsigned_whichIsFinal() {
    open("s/unsigned", "offered");
    Round last = Round.getDefaultInstance();
    for (String agent : Council.SEVEN) {
      last = council.propose(proposal("s/unsigned", agent)).getRound();
    }
    assertThat(last.getResult().getSignatures()).isEqualTo("unsigned");
    assertThat(last.getResult().getFinal()).isTrue();
    assertThat(last.getResult().getNote().toStringUtf8()).contains("\"signatures\":\"unsigned\"");
  }

  @Test
  void aRestartBetweenDecisionAndSignature_losesNothing() throws IOException {
    open("s/restart", "required");
    Round decided = decided("s/restart");
    var _ = sign(decided, "a1");
    kit.close();
    begin();
    Round after = council.get("s/restart");
    assertThat(after.getResult().getSignersList()).containsExactly("a1");
    assertThat(new String(after.getResult().getNote().toByteArray(), StandardCharsets.UTF_8))
        .startsWith(text(decided));
    for (String agent : Council.SEVEN.subList(1, 5)) {
      var _ = sign(after, agent);
    }
    assertThat(certificate(council.get("s/restart")))
        .isInstanceOf(OutcomeCertificate.Reading.Final.class);
  }
}
