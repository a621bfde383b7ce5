package dev.parlance.ledger.note;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parlance.ledger.Vectors;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.tree.Hashing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class NoteTest {
  private static final SignerKey ALICE = key("alice.example/log", KeyType.ED25519, 1);
  private static final SignerKey BOB = key("bob.example", KeyType.ED25519, 2);
  private static final SignerKey WITNESS = key("witness.example/w", KeyType.COSIGNATURE, 3);

  private static SignerKey key(String name, KeyType type, int fill) {
    byte[] seed = new byte[32];
    Arrays.fill(seed, (byte) fill);
    return SignerKey.fromSeed(name, type, seed);
  }

  @Test
  void exampleOfTheSpecification_isVerifiedByItsKeyAndByNoOther() throws Exception {
    JsonNode vectors = new JsonMapper().readTree(Vectors.directory("notes.json")).get("vectors");
    assertThat(vectors.size()).isPositive();
    for (JsonNode vector : vectors) {
      VerifierKey key = VerifierKey.parse(vector.get("vkey").asString()).orThrow();
      assertThat(key.format()).isEqualTo(vector.get("vkey").asString());
      byte[] bytes = vector.get("note").asString().getBytes(StandardCharsets.UTF_8);
      Note note = Note.parse(bytes).orThrow();
      assertThat(note.bytes()).isEqualTo(bytes);
      assertThat(note.verify(List.of(key))).isInstanceOf(Note.Verification.Verified.class);
      assertThat(note.verify(List.of(ALICE.verifier())))
          .isEqualTo(new Note.Verification.Unverified(NoteFault.NO_KNOWN_KEY, "none of 1 keys"));
    }
  }

  @Test
  void publicKeyAndSignature_areThoseOfRfc8032() {
    byte[] seed =
        HexFormat.of().parseHex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    assertThat(HexFormat.of().formatHex(Ed25519.publicKey(seed)))
        .isEqualTo("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    assertThat(HexFormat.of().formatHex(Ed25519.sign(seed, new byte[0])))
        .isEqualTo(
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
                + "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b");
  }

  @Test
  void keysInText_areReadBack_andAnotherIdIsRefused() {
    assertThat(SignerKey.parse(ALICE.format()).orThrow().verifier()).isEqualTo(ALICE.verifier());
    assertThat(VerifierKey.parse(WITNESS.verifier().format()).orThrow())
        .isEqualTo(WITNESS.verifier());
    assertThat(ALICE.toString()).doesNotContain("PRIVATE");
    String text = ALICE.verifier().format();
    String otherName = text.replace("alice", "alicf");
    assertThat(fault(VerifierKey.parse(otherName))).isEqualTo(NoteFault.KEY_ID_MISMATCH);
    assertThat(fault(VerifierKey.parse(text.substring(0, text.length() - 4))))
        .isEqualTo(NoteFault.BAD_KEY);
    assertThat(fault(VerifierKey.parse("no key"))).isEqualTo(NoteFault.BAD_KEY);
    assertThat(fault(VerifierKey.parse("a b+" + text.split("\\+", 2)[1])))
        .isEqualTo(NoteFault.BAD_KEY);
    assertThat(fault(VerifierKey.parse("a+00000000+Ag=="))).isEqualTo(NoteFault.KEY_ALGORITHM);
    assertThat(fault(SignerKey.parse(text))).isEqualTo(NoteFault.BAD_KEY);
  }

  @Test
  void savedKey_isRead_andAnOpenFileIsRefused(@TempDir Path directory) throws Exception {
    Path file = saved(directory);
    assertThat(SignerKey.load(file).orThrow().format()).isEqualTo(ALICE.format());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThat(fault(SignerKey.load(file))).isEqualTo(NoteFault.KEY_FILE_READABLE);
  }

  private static Path saved(Path directory) throws IOException {
    Path file = Files.write(directory.resolve("key"), ALICE.toFile());
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void keyOfAMountedSecret_belongsToSomebodyElseAndIsReadByOurGroup(@TempDir Path directory)
      throws Exception {
    Path file = saved(directory);
    UserPrincipal somebodyElse =
        file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("daemon");
    try {
      Files.setOwner(file, somebodyElse);
    } catch (IOException e) {
      System.err.println("SKIPPED: only root can give a file away: " + e);
      assumeTrue(false, "not root");
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
    assertThat(SignerKey.load(file).orThrow().format()).isEqualTo(ALICE.format());
    for (String open : List.of("r--rw----", "r--r--r--", "r--r-x---")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(open));
      assertThat(fault(SignerKey.load(file))).as(open).isEqualTo(NoteFault.KEY_FILE_READABLE);
    }
  }

  @Test
  void noteOfSeveralKeys_isVerifiedByThoseKnown_andSpoiledByOneThatDoesNotHold() {
    String text = "one\n\ntwo, with a blank line before\n";
    Note note = Note.sign(text, ALICE).with(BOB.sign(text));
    Note read = Note.parse(note.bytes()).orThrow();
    assertThat(read).isEqualTo(note);
    assertThat(read.text()).isEqualTo(text);
    assertThat(read.verify(List.of(BOB.verifier())))
        .isEqualTo(new Note.Verification.Verified(note, List.of(BOB.verifier())));
    Note spoiled = Note.sign(text, ALICE).with(BOB.sign("another text\n"));
    assertThat(spoiled.verify(List.of(ALICE.verifier(), BOB.verifier())))
        .isInstanceOfSatisfying(
            Note.Verification.Unverified.class,
            refused -> assertThat(refused.fault()).isEqualTo(NoteFault.BAD_SIGNATURE));
    assertThat(spoiled.verify(List.of(ALICE.verifier())))
        .isInstanceOf(Note.Verification.Verified.class);
  }

  @Test
  void everyFlippedBitOfANote_isRefused() {
    byte[] bytes = Note.sign("text\n", ALICE).bytes();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      boolean verified =
          Note.parse(flipped)
              .value()
              .filter(note ->
                  note.verify(List.of(ALICE.verifier())) instanceof Note.Verification.Verified)
              .isPresent();
      assertThat(verified).as("bit %d", bit).isFalse();
    }
  }

  @Test
  void malformedNotes_areRefusedWithTheirCode() {
    String good = Note.sign("text\n", ALICE).format();
    String line = good.substring(good.indexOf('\u2014'));
    assertThat(fault(note("text\n"))).isEqualTo(NoteFault.NO_SIGNATURES);
    assertThat(fault(note("text\n\n"))).isEqualTo(NoteFault.NO_SIGNATURES);
    assertThat(fault(note(good.stripTrailing()))).isEqualTo(NoteFault.NO_SIGNATURES);
    assertThat(fault(note("text\n" + line))).isEqualTo(NoteFault.NO_SIGNATURES);
    assertThat(fault(note(good.replace("text", "te\rt")))).isEqualTo(NoteFault.BAD_CHARACTER);
    assertThat(fault(Note.parse(new byte[] {(byte) 0xff, '\n'})))
        .isEqualTo(NoteFault.BAD_CHARACTER);
    assertThat(fault(Note.parse(new byte[Note.MAX_BYTES + 1]))).isEqualTo(NoteFault.TOO_LARGE);
    assertThat(fault(note("text\n\n" + line.repeat(101)))).isEqualTo(NoteFault.TOO_LARGE);
    assertThat(note("text\n\n" + line.repeat(100)).value()).isPresent();
    for (String bad :
        List.of(
            "- x AAAAAAA=\n",
            "\u2014 x\n",
            "\u2014  AAAAAAA=\n",
            "\u2014 x AAAA\n",
            "\u2014 x AAAAAAA\n",
            "\u2014 x+y AAAAAAA=\n",
            "\u2014 x\u00a0y AAAAAAA=\n",
            "\u2014 x AAAAAAA= \n")) {
      assertThat(fault(note("text\n\n" + bad))).as(bad).isEqualTo(NoteFault.BAD_SIGNATURE_LINE);
    }
  }

  @Test
  void checkpointSamples_areTakenOrRefusedAsTheirNamesSay() throws Exception {
    List<Path> samples = Vectors.files(Vectors.directory("checkpoints"), ".txt", 9).toList();
    for (Path sample : samples) {
      boolean taken =
          Note.parse(Files.readAllBytes(sample))
              .value()
              .flatMap(note -> Checkpoint.parse(note.text()).value())
              .isPresent();
      String name = String.valueOf(sample.getFileName());
      assertThat(taken).as(name).isEqualTo(name.startsWith("valid"));
    }
  }

  @Test
  void checkpointTexts_haveOneForm() {
    String root = Hashing.EMPTY_ROOT.base64();
    Checkpoint checkpoint =
        new Checkpoint("o", 12, Hashing.EMPTY_ROOT, List.of("one", "two words"));
    assertThat(Checkpoint.parse(checkpoint.format()).orThrow()).isEqualTo(checkpoint);
    for (String bad :
        List.of(
            "o\n012\n" + root + "\n",
            "o\n-1\n" + root + "\n",
            "o\n+1\n" + root + "\n",
            "o\n9223372036854775808\n" + root + "\n",
            "o\n1\n" + root,
            "o\n1\n" + root.substring(0, 43) + "\n",
            "o\n1\n\n" + root + "\n",
            "\n1\n" + root + "\n",
            "o\n1\n" + root + "\n\n")) {
      assertThat(fault(Checkpoint.parse(bad))).as(bad).isEqualTo(NoteFault.BAD_CHECKPOINT);
    }
  }

  @Test
  void cosignature_holdsForItsTextAndTimeOnly() {
    Checkpoint checkpoint = new Checkpoint(ALICE.name(), 0, Hashing.EMPTY_ROOT);
    NoteSignature cosignature = Cosignature.sign(WITNESS, checkpoint, 1_679_315_147L);
    SignedCheckpoint signed = SignedCheckpoint.sign(checkpoint, ALICE).with(cosignature);
    SignedCheckpoint read = SignedCheckpoint.open(signed.bytes(), ALICE.verifier()).orThrow();
    NoteSignature line = read.note().signatures().getLast();
    assertThat(Cosignature.timeSeconds(line)).hasValue(1_679_315_147L);
    assertThat(WITNESS.verifier().verifies(checkpoint.format(), line)).isTrue();
    assertThat(WITNESS.verifier().verifies("other\n", line)).isFalse();
    byte[] later = line.signature();
    later[7]++;
    NoteSignature redated = new NoteSignature(WITNESS.name(), WITNESS.verifier().keyId(), later);
    assertThat(WITNESS.verifier().verifies(checkpoint.format(), redated)).isFalse();
  }

  @Test
  void checkpointOfAnotherLog_isRefused() {
    String text = new Checkpoint("other.example", 0, Hashing.EMPTY_ROOT).format();
    assertThat(fault(SignedCheckpoint.open(Note.sign(text, ALICE).bytes(), ALICE.verifier())))
        .isEqualTo(NoteFault.ORIGIN_MISMATCH);
  }

  private static Parsed<Note> note(String text) {
    return Note.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  private static NoteFault fault(Parsed<?> parsed) {
    return switch (parsed) {
      case Parsed.Bad<?> bad -> bad.fault();
      case Parsed.Ok<?> ok -> throw new AssertionError("was taken: " + ok.get());
    };
  }
}
