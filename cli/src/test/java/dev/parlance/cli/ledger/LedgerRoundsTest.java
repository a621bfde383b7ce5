package dev.parlance.cli.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.ledger.record.RoundDecision;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What {@code ledger verify} says of rounds. */
class LedgerRoundsTest {
  private static final List<String> MEMBERS = List.of("ann", "bob", "cem", "dee");
  private static final RoundId ID = new RoundId("claim", 1);
  private static final SignerKey SIGNER = SignerKey.generate("test/log", KeyType.ED25519);

  @TempDir private Path folder = Path.of("");

  /** A semantic commit of four, a proposal behind the seal, and a round under way. */
  private static List<byte[]> entries() {
    LedgerState state = new LedgerState();
    List<Entry> entries = new ArrayList<>();
    RoundSpec spec = new RoundSpec(ID.bound(), 1, MEMBERS, new Encoding("enc", 2, 0.9), 0, true);
    entries.add(opened(ID, spec));
    for (String member : MEMBERS) {
      entries.add(proposed(member, "reason of " + member));
    }
    entries.add(new RoundEntry.Sealed(ID, SealCause.COMPLETE, 3));
    for (int i = 0; i < entries.size(); i++) {
      state.apply(i, entries.get(i));
    }
    entries.add(RoundDecision.of(state.round(ID).orElseThrow(), 4).orElseThrow());
    entries.add(proposed("ann", "changed my mind"));
    RoundId open = new RoundId("open", 1);
    entries.add(opened(open, new RoundSpec(open.bound(), 1, MEMBERS, spec.encoding(), 0, true)));
    return entries.stream().map(EntryCodec::encode).toList();
  }

  private static RoundEntry.Opened opened(RoundId id, RoundSpec spec) {
    return new RoundEntry.Opened(
        id, spec, Optional.of(Digest.of("manifest")), Optional.empty(), 9, 1);
  }

  private static RoundEntry.Proposed proposed(String agent, String text) {
    QuantVector vector = QuantVector.of(new double[] {1, 0.1}, 2).orElseThrow();
    return new RoundEntry.Proposed(
        ID,
        agent,
        "supports",
        Digest.of(text),
        new Meaning.Vector(vector),
        Digest.of("message"),
        "execute",
        "d-1",
        2);
  }

  private Run verify(List<byte[]> entries, String... more) throws Exception {
    Path place = folder.resolve("ledger-" + entries.hashCode());
    try (var storage = FileStorage.open(place, SIGNER.verifier());
        var log = Log.open(storage, SIGNER, LogOptions.DEFAULTS)) {
      log.append(entries).toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
    List<String> args =
        new ArrayList<>(
            List.of("ledger", "verify", place.toString(), "--vkey", SIGNER.verifier().format()));
    args.addAll(List.of(more));
    return Run.of(args.toArray(String[]::new));
  }

  @Test
  void rounds_areRecomputed_andLateEntriesAndOpenRoundsAreNamed() throws Exception {
    Run run = verify(entries());
    assertThat(run.status()).as(run.out() + run.err()).isZero();
    assertThat(run.out())
        .contains("note: entry 7 came too late: late\n")
        .contains("note: round open:1 has not ended\n")
        .contains("2 rounds with 4 proposals (1 semantic commits, 0 verdict commits, 0 aborts)")
        .contains("sound: ");
    JsonNode rounds =
        Json.MAPPER
            .readTree(verify(entries(), "-o", "json").out())
            .path("recomputation")
            .path("rounds");
    assertThat(rounds.path("semanticCommits").intValue()).isEqualTo(1);
    assertThat(rounds.path("overtaken").path(0).path("code").asString()).isEqualTo("late");
    assertThat(rounds.path("unfinished").path(0).asString()).isEqualTo("open:1");
  }

  @Test
  void anOutcomeThatDoesNotFollow_isNamed_withWhatStandsAndWhatFollows() throws Exception {
    List<byte[]> entries = new ArrayList<>(entries());
    String decided = new String(entries.get(6), StandardCharsets.UTF_8);
    String forged = decided.replace("\"supports\"", "\"refutes\"");
    assertThat(forged).isNotEqualTo(decided);
    entries.set(6, forged.getBytes(StandardCharsets.UTF_8));
    Run run = verify(entries);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("entry 6 round_decision_differs: stands " + forged)
        .contains("; follows {\"type\":\"round_decided\"")
        .contains("not sound");
  }

  @Test
  void aFileOfMembers_thatHasNoKeys_isNamed_withWhatIsExpected() throws Exception {
    Path random = Files.write(folder.resolve("random"), new byte[] {(byte) 0x80, 0, 7});
    Path other = Files.writeString(folder.resolve("other"), "\nsecret words\n");
    Path none = Files.writeString(folder.resolve("none"), "\n\n");
    Path missing = folder.resolve("missing");
    List<Path> files = List.of(random, other, none, missing, folder);
    List<String> problems =
        List.of(
            " is no text (UTF-8); ",
            " has no Ed25519 key in line 2; ",
            " has no key; ",
            " cannot be read; ",
            " cannot be read; ");
    for (int i = 0; i < files.size(); i++) {
      for (Run run :
          List.of(
              verify(entries(), "--members", files.get(i).toString()),
              proofs(other, files.get(i)))) {
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
            .contains("--members: " + files.get(i) + problems.get(i) + "expected the public key")
            .contains("NAME+ID+KEY, one a line")
            .doesNotContain("secret");
      }
    }
  }

  @Test
  void aFileOfProofs_thatCannotBeRead_isNamed_withWhatIsExpected() throws Exception {
    Path keys =
        Files.writeString(
            folder.resolve("keys"),
            SignerKey.generate("ann", KeyType.ED25519).verifier().format() + "\n");
    Path random = Files.write(folder.resolve("random"), new byte[] {(byte) 0x80, 0, 7});
    Path large = Files.write(folder.resolve("large"), new byte[(16 << 20) + 1]);
    for (Path file : List.of(random, large, folder.resolve("missing"), folder)) {
      Run run = proofs(file, keys);
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).contains("--verify: " + file).contains("expected records of proof");
    }
  }

  @Test
  void whoHasSignedTwoProposals_isProvedByARecordThatTheKeysAloneConfirm() throws Exception {
    SignerKey ann = SignerKey.generate("ann", KeyType.ED25519);
    RoundSpec spec = new RoundSpec(ID.bound(), 1, MEMBERS, new Encoding("enc", 2, 0.9), 0, true);
    RoundEntry.Opened plain = opened(ID, spec);
    List<byte[]> entries =
        Stream.of(
                new PactEntry.PartyKey("ann", ann.verifier().format(), 0, 0),
                new RoundEntry.Opened(
                    ID,
                    spec,
                    plain.encoderSha256(),
                    Optional.empty(),
                    Optional.of(RoundEntry.SignatureRule.OFFERED),
                    9,
                    1),
                signed(proposed("ann", "one reason"), ann),
                signed(proposed("ann", "another reason"), ann),
                proposed("bob", "one reason"),
                proposed("bob", "another reason"))
            .map(EntryCodec::encode)
            .toList();
    assertThat(verify(entries).out())
        .contains("note: ann has signed two proposals in round claim:1");
    Path place = folder.resolve("ledger-" + entries.hashCode());
    Run found = Run.of("ledger", "proofs", place.toString(), "--vkey", SIGNER.verifier().format());
    assertThat(found.status()).as(found.err()).isZero();
    assertThat(found.out().lines()).hasSize(4).startsWith("parlance-equivocation-1", "ann");
    assertThat(found.err()).contains("ann has signed two proposals");
    List<byte[]> honest = entries();
    assertThat(verify(honest).status()).isZero();
    Run none = Run.of("ledger", "proofs", folder.resolve("ledger-" + honest.hashCode()).toString());
    assertThat(none.status()).as(none.err()).isZero();
    assertThat(none.out()).isEmpty();
    assertThat(none.err()).contains("no member has signed two proposals");
    Path proofs = Files.writeString(folder.resolve("proofs.txt"), found.out());
    Path keys = Files.writeString(folder.resolve("keys.txt"), ann.verifier().format() + "\n");
    assertThat(proofs(proofs, keys).out()).contains("the proof holds: ann has signed both");
    assertThat(proofs(proofs, keys).status()).isZero();
    String other = SignerKey.generate("ann", KeyType.ED25519).verifier().format();
    Path others = Files.writeString(folder.resolve("others.txt"), other + "\n");
    assertThat(proofs(proofs, others).status()).isEqualTo(1);
    Files.writeString(proofs, "parlance-equivocation-1\nann\n");
    assertThat(proofs(proofs, keys).status()).isEqualTo(1);
    assertThat(Run.of("ledger", "proofs", "--verify", proofs.toString()).status()).isEqualTo(2);
  }

  private static Run proofs(Path proofs, Path keys) {
    return Run.of("ledger", "proofs", "--verify", proofs.toString(), "--members", keys.toString());
  }

  private static RoundEntry.Proposed signed(RoundEntry.Proposed plain, SignerKey key) {
    return new RoundEntry.Proposed(
        plain.id(),
        plain.agent(),
        plain.verdict(),
        plain.textSha256(),
        plain.meaning(),
        plain.messageSha256(),
        plain.route(),
        plain.decision(),
        Optional.of(plain.statement().sign(key)),
        plain.atMs());
  }
}
