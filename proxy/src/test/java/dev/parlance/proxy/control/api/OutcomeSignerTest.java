package dev.parlance.proxy.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.RoundEntry.ProposalStatement;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.ledger.round.RecomputedOutcome;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.TextComparison;
import dev.parlance.policy.route.Reason;
import dev.parlance.proto.v1.MemberKey;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import dev.parlance.proto.v1.RoundResult;
import dev.parlance.proxy.control.ControlChannels;
import dev.parlance.proxy.control.ControlCredentials;
import dev.parlance.proxy.control.FakeRounds;
import dev.parlance.proxy.control.Signed;
import dev.parlance.proxy.gate.ClaimCheck;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.service.config.HostPort;
import dev.parlance.wire.api.RoundMark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A member's sidecar beside a control plane that is honest, or that forges: what it signs, and what
 * it believes.
 */
class OutcomeSignerTest {
  private static final RoundId ID = new RoundId("r", 1);
  private static final List<String> MEMBERS = List.of("alice", "bob", "carol", "dave");
  private static final Map<String, SignerKey> KEYS = new LinkedHashMap<>();

  static {
    MEMBERS.forEach(name -> KEYS.put(name, SignerKey.generate(name, KeyType.ED25519)));
  }

  @TempDir Path dir = Path.of("");
  private final FakeRounds rounds = newRounds();
  private volatile RoundReading.RoundTrust trust = RoundReading.RoundTrust.OFFERED;
  private RoundClient client = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  private static FakeRounds newRounds() {
    try {
      return new FakeRounds();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(dir.resolve("token"), "t");
    rounds.show(ID, collecting().build());
    rounds.onPropose((request, out) -> {
      if (request.getPrepare()) {
        out.onNext(
            ProposeResponse.newBuilder()
                .setResult("prepared")
                .setMeaning("unencoded")
                .setRound(collecting().setRound("r").setEpoch(1))
                .build());
        out.onCompleted();
      } else {
        rounds.accept(request, out);
      }
    });
    client =
        new RoundClient(
            "alice",
            () -> 20_000,
            new RoundCalls(
                new ControlCalls.Settings(
                    new ControlChannels.Settings(
                        new HostPort("127.0.0.1", rounds.port()),
                        Optional.empty(),
                        "test",
                        1 << 20),
                    ControlCredentials.token(dir.resolve("token"))),
                RandomGeneratorFactory.of("L64X128MixRandom").create(7)),
            new RoundReading(List.of(Signed.KEY.verifier()), () -> trust));
    client.signs(
        new MemberSigning(
            () -> List.of(key("alice")), Map.of("dave", List.of(key("dave").verifier()))));
  }

  @AfterEach
  void end() {
    client.close();
    rounds.close();
  }

  private static SignerKey key(String member) {
    return KEYS.getOrDefault(member, Signed.FOREIGN);
  }

  // ---- the control plane's side ----

  private static Round.Builder collecting() {
    Round.Builder round =
        Round.newBuilder()
            .setState("collecting")
            .addAllMembers(MEMBERS)
            .setFaults(1)
            .setEncoder("none")
            .setCosMin(1)
            .setAgreement("vectors")
            .setSignatures("required")
            .setOpenedAtMs(1)
            .setDeadlineAtMs(60_000)
            .setLeftMs(60_000);
    KEYS.forEach((name, key) ->
        round.addMemberKeys(
            MemberKey.newBuilder().setAgent(name).setVkey(key.verifier().format())));
    return round;
  }

  private static RoundProposal.Builder proposal(String member, String verdict, SignerKey signer) {
    String text = Digest.of("because");
    ProposalStatement statement =
        ProposalStatement.of(ID, member, verdict, text, Meaning.UNENCODED);
    return RoundProposal.newBuilder()
        .setAgent(member)
        .setVerdict(verdict)
        .setTextSha256(RoundReading.bytes(text))
        .setMeaning("unencoded")
        .setSignature(ByteString.copyFrom(Base64.getDecoder().decode(statement.sign(signer))));
  }

  private static List<RoundProposal.Builder> honest() {
    return MEMBERS.stream().map(name -> proposal(name, "keep", key(name))).toList();
  }

  private static RoundOutcome outcome(List<RoundProposal.Builder> proposals) {
    Round round = with(proposals).build();
    return RecomputedOutcome.of(
                RoundReading.opened(ID, round),
                RoundReading.shown(round),
                TextComparison.NONE,
                member -> List.of(key(member).verifier()),
                _ -> false,
                77)
            instanceof RecomputedOutcome.Result.Worked(RoundOutcome worked)
        ? worked
        : FakeRounds.commit(ID, "verdict_commit", Optional.empty());
  }

  private static Round.Builder with(List<RoundProposal.Builder> proposals) {
    Round.Builder round = collecting().setState("decided");
    proposals.forEach(round::addProposals);
    return round;
  }

  /** What the control plane shows and signs. */
  private void decides(List<RoundProposal.Builder> proposals, Note note) {
    rounds.show(
        ID,
        with(proposals)
            .setResult(RoundResult.newBuilder().setNote(ByteString.copyFrom(note.bytes())))
            .build());
  }

  private static Note note(RoundOutcome outcome, String... signers) {
    String text = OutcomeNote.text(outcome);
    Note note = Note.sign(text, Signed.KEY);
    for (String signer : signers) {
      note =
          note.with(
              NoteSignature.of(
                      signer, Note.sign(text, key(signer)).signatures().getFirst().base64())
                  .orElseThrow());
    }
    return note;
  }

  // ---- the sidecar's ----

  private Rounds.Receipt propose() throws Exception {
    return client
        .propose(
            new Rounds.Proposing(
                new RoundMark.Proposal(ID, "keep", Optional.empty(), Optional.empty(), false),
                "because",
                new byte[32],
                "execute",
                "d-1"))
        .get(60, TimeUnit.SECONDS);
  }

  private void proposed() throws Exception {
    assertThat(propose()).isInstanceOf(Rounds.Taken.class);
    awaiting().until(() -> rounds.watching() == 1);
  }

  private static ConditionFactory awaiting() {
    return await().atMost(Duration.ofSeconds(60));
  }

  private void signsNothing() {
    awaiting().until(() -> rounds.watching() == 0);
    assertThat(rounds.signatures()).isEmpty();
  }

  @Test
  void aProposal_isSignedAsItWasPrepared_andTheOutcomeOnceItWasWorkedOut() throws Exception {
    proposed();
    ProposeRequest sent = rounds.lastProposal();
    assertThat(sent.getPrepare()).isFalse();
    assertThat(
            ProposalStatement.of(ID, "alice", "keep", Digest.of("because"), Meaning.UNENCODED)
                .isSignedBy(
                    Base64.getEncoder().encodeToString(sent.getSignature().toByteArray()),
                    List.of(key("alice").verifier())))
        .isTrue();
    RoundOutcome outcome = outcome(honest());
    assertThat(outcome.isOfMembers()).isTrue();
    decides(honest(), note(outcome));
    awaiting().until(() -> rounds.signatures().size() == 1);
    String text = OutcomeNote.text(outcome);
    NoteSignature line =
        NoteSignature.of(
                "alice",
                Base64.getEncoder()
                    .encodeToString(rounds.signatures().getFirst().getSignature().toByteArray()))
            .orElseThrow();
    assertThat(key("alice").verifier().verifies(text, line)).isTrue();
  }

  @Test
  void anOutcomeThatDoesNotFollow_isNotSigned_althoughTheControlPlaneHasSignedIt()
      throws Exception {
    proposed();
    List<RoundProposal.Builder> others = new ArrayList<>();
    MEMBERS.forEach(name -> others.add(proposal(name, "drop", key(name))));
    decides(honest(), note(outcome(others)));
    signsNothing();
  }

  @Test
  void whereItsOwnProposalIsAnother_nothingIsSigned() throws Exception {
    proposed();
    List<RoundProposal.Builder> changed = new ArrayList<>(honest());
    changed.set(0, proposal("alice", "drop", key("alice")));
    decides(changed, note(outcome(changed)));
    signsNothing();
  }

  @Test
  void whereAnothersSignatureDoesNotHold_nothingIsSigned() throws Exception {
    proposed();
    List<RoundProposal.Builder> changed = new ArrayList<>(honest());
    changed.set(3, changed.get(3).clone().setVerdict("drop"));
    decides(changed, note(outcome(honest())));
    signsNothing();
  }

  @Test
  void aKeyThatTheControlPlaneNames_doesNotStandForOneThatIsPinned() throws Exception {
    proposed();
    SignerKey forged = SignerKey.generate("dave", KeyType.ED25519);
    List<RoundProposal.Builder> changed = new ArrayList<>(honest());
    changed.set(3, proposal("dave", "keep", forged));
    Round.Builder round = with(changed);
    round.setMemberKeys(
        3, MemberKey.newBuilder().setAgent("dave").setVkey(forged.verifier().format()));
    rounds.show(
        ID,
        round
            .setResult(
                RoundResult.newBuilder()
                    .setNote(ByteString.copyFrom(note(outcome(honest())).bytes())))
            .build());
    signsNothing();
  }

  @Test
  void ofTwoOutcomesOfOneEpoch_onlyTheFirstIsSigned() throws Exception {
    proposed();
    decides(honest(), note(outcome(honest())));
    awaiting().until(() -> rounds.signatures().size() == 1);
    List<RoundProposal.Builder> fewer = honest().subList(0, 3);
    decides(fewer, note(outcome(fewer)));
    var _ = propose();
    assertThat(rounds.watching()).isZero();
    assertThat(rounds.signatures()).hasSize(1);
  }

  // ---- what is believed ----

  private static RoundMark.Claim claim(Note note) {
    return new RoundMark.Claim(
        ID,
        "verdict_commit",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(note.format()));
  }

  private static MemberKeys pins(int faults) {
    return MemberKeys.parse(
        KEYS.values().stream()
            .map(SignerKey::verifier)
            .map(VerifierKey::format)
            .collect(Collectors.joining("\n")),
        faults);
  }

  private ClaimCheck.Result checked(Note note) throws Exception {
    RoundMark.Claim claim = claim(note);
    Optional<Rounds.Known> noted = client.noted(claim);
    if (noted.isPresent()) {
      return ClaimCheck.claim(claim, noted.get());
    }
    decides(honest(), note);
    return client.status(ID).get(60, TimeUnit.SECONDS) instanceof Rounds.Known known
        ? ClaimCheck.claim(claim, known)
        : ClaimCheck.unknown("nobody knows");
  }

  private void unsigned(Note note) throws Exception {
    assertThat(checked(note))
        .isInstanceOfSatisfying(
            ClaimCheck.Result.Fails.class,
            fails -> assertThat(fails.reason()).isEqualTo(Reason.OUTCOME_UNSIGNED));
  }

  @Test
  void aClaimWithTheCertificate_holds_andOneWithFewerSignaturesIsRefused() throws Exception {
    RoundOutcome outcome = outcome(honest());
    unsigned(note(outcome));
    unsigned(note(outcome, "alice", "bob"));
    assertThat(checked(note(outcome, "alice", "bob", "dave")))
        .isInstanceOf(ClaimCheck.Result.Holds.class);
  }

  @Test
  void whereSignaturesAreRequired_onlyPinnedMembersAreBelieved() throws Exception {
    trust = new RoundReading.RoundTrust(SignatureRule.REQUIRED, pins(1));
    RoundOutcome outcome = outcome(honest());
    assertThat(checked(note(outcome, "alice", "bob", "carol")))
        .isInstanceOf(ClaimCheck.Result.Holds.class);
    unsigned(note(FakeRounds.commit(ID, "verdict_commit", Optional.empty())));
    unsigned(note(outcome, "alice", "bob", "stranger"));
    trust = new RoundReading.RoundTrust(SignatureRule.REQUIRED, pins(2));
    unsigned(note(outcome, "alice", "bob", "carol", "dave"));
    trust = new RoundReading.RoundTrust(SignatureRule.REQUIRED, MemberKeys.OF_LEDGER);
    unsigned(note(outcome, "alice", "bob", "carol", "dave"));
  }

  @Test
  void anOlderOutcomeWithoutSignatures_isBelievedByTheControlPlanesWord_whereThatIsEnough()
      throws Exception {
    Note note = note(FakeRounds.commit(ID, "verdict_commit", Optional.empty()));
    assertThat(new String(note.bytes(), StandardCharsets.UTF_8)).doesNotContain("signatures");
    assertThat(checked(note)).isInstanceOf(ClaimCheck.Result.Holds.class);
  }
}
