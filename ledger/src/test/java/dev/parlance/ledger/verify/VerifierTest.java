package dev.parlance.ledger.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.Vectors;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.note.Checkpoint;
import dev.parlance.ledger.note.Cosignature;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.tile.EntryBundles;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.ledger.tree.Hashing;
import dev.parlance.ledger.verify.VerifyReport.Finding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

final class VerifierTest {
  private static final SignerKey KEY = key(7, KeyType.ED25519);
  private static final SignerKey WITNESS = key(8, KeyType.COSIGNATURE);

  /** 700 entries: two full tiles, a partial one, older partial files, and a level above. */
  @TempDir static Path sound;

  private static byte[] early = {};

  @TempDir Path scratch;

  private static SignerKey key(int fill, KeyType type) {
    byte[] seed = new byte[32];
    Arrays.fill(seed, (byte) fill);
    return SignerKey.fromSeed("log.example/" + fill, type, seed);
  }

  @BeforeAll
  static void fill() throws Exception {
    Random random = new Random(700);
    for (int batch : new int[] {1, 90, 300, 200, 50, 40, 19}) {
      // Each in a life of its own: commits that are near one another share their files.
      try (FileStorage storage = FileStorage.open(sound, KEY.verifier());
          Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
        List<byte[]> entries = new ArrayList<>();
        for (int i = 0; i < batch; i++) {
          byte[] entry = new byte[1 + random.nextInt(50)];
          random.nextBytes(entry);
          entries.add(entry);
        }
        assertThat(log.append(entries).toCompletableFuture().get(30, TimeUnit.SECONDS))
            .isInstanceOf(AppendResult.Appended.class);
        if (log.head().size() == 391) {
          early = log.head().bytes();
        }
      }
    }
  }

  private static VerifyReport verify(Path directory) throws IOException {
    return LedgerVerifier.verify(directory, KEY.verifier(), List.of(), Optional.of(early));
  }

  private Path copy(String name) throws IOException {
    Path copy = scratch.resolve(name);
    try (var files = Files.walk(sound)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(sound.relativize(file).toString()));
      }
    }
    return copy;
  }

  private static List<String> files() throws IOException {
    return new LogDirectory(sound)
        .list().stream().filter(path -> !path.equals("log.lock")).toList();
  }

  private static List<String> named(VerifyReport report) {
    return report.findings().stream().map(Finding::path).distinct().toList();
  }

  @Test
  void soundLog_hasNoFinding() throws Exception {
    VerifyReport report = verify(sound);
    assertThat(report.findings()).isEmpty();
    assertThat(report.beyondCheckpoint()).isEmpty();
    assertThat(report.size()).contains(700L);
    assertThat(files())
        .contains(
            "tile/0/000",
            "tile/0/001",
            "tile/0/002.p/188",
            "tile/0/002.p/169",
            "tile/0/002.p/129",
            "tile/1/000.p/2",
            "tile/1/000.p/1",
            "tile/entries/002.p/188");
  }

  @Test
  void L2_anyFlippedBit_isFoundInItsFile_andInNoOther() throws Exception {
    Random random = new Random(2);
    Path copy = copy("flip");
    for (String path : files()) {
      byte[] bytes = Files.readAllBytes(sound.resolve(path));
      for (int round = 0; round < 12; round++) {
        byte[] flipped = bytes.clone();
        int bit = random.nextInt(bytes.length * 8);
        flipped[bit / 8] ^= (byte) (1 << (bit % 8));
        Files.write(copy.resolve(path), flipped);
        assertThat(named(verify(copy))).as("%s bit %d", path, bit).containsExactly(path);
      }
      Files.write(copy.resolve(path), bytes);
    }
    assertThat(verify(copy).findings()).isEmpty();
  }

  @Test
  void L2_flippedBitOfAnEntryOrHash_isFoundAtItsIndex() throws Exception {
    Path copy = copy("index");
    Path bundle = copy.resolve("tile/entries/001");
    byte[] bytes = Files.readAllBytes(bundle);
    bytes[bytes.length - 1] ^= 1;
    Files.write(bundle, bytes);
    Path tile = copy.resolve("tile/0/002.p/188");
    byte[] hashes = Files.readAllBytes(tile);
    hashes[32 * 100] ^= 1;
    Files.write(tile, hashes);
    Path top = copy.resolve("tile/1/000.p/2");
    byte[] tops = Files.readAllBytes(top);
    tops[40] ^= 1;
    Files.write(top, tops);
    assertThat(verify(copy).findings())
        .extracting(finding -> finding.kind() + " " + finding.path() + " " + finding.index())
        .contains(
            "ENTRY tile/entries/001 511", "TILE tile/0/002.p/188 612", "TILE tile/1/000.p/2 1");
  }

  @Test
  void L2_truncatedFile_isFound() throws Exception {
    Random random = new Random(3);
    Path copy = copy("cut");
    for (String path : files()) {
      byte[] bytes = Files.readAllBytes(sound.resolve(path));
      for (int length : new int[] {0, bytes.length - 1, random.nextInt(bytes.length)}) {
        Files.write(copy.resolve(path), Arrays.copyOf(bytes, length));
        assertThat(named(verify(copy))).as("%s to %d", path, length).containsExactly(path);
      }
      Files.write(copy.resolve(path), Arrays.copyOf(bytes, bytes.length + 1));
      assertThat(named(verify(copy))).as("%s longer", path).containsExactly(path);
      Files.write(copy.resolve(path), bytes);
    }
  }

  @Test
  void L2_removedFile_isFound() throws Exception {
    Path copy = copy("removed");
    for (String path : files()) {
      Optional<TlogPath> parsed = TlogPath.parse(path);
      boolean needed =
          parsed.isPresent()
              && !List.of(
                      "tile/0/002.p/169", "tile/0/002.p/129", "tile/0/002.p/79", "tile/1/000.p/1")
                  .contains(path)
              && (!path.startsWith("tile/entries/002") || path.endsWith("188"));
      if (needed) {
        Files.delete(copy.resolve(path));
        assertThat(named(verify(copy))).as(path).containsExactly(path);
        Files.copy(sound.resolve(path), copy.resolve(path));
      }
    }
    assertThat(verify(copy).findings()).isEmpty();
  }

  @Test
  void L2_swappedAndDuplicatedFiles_areFound() throws Exception {
    Path copy = copy("swapped");
    for (String kind : List.of("tile/entries/", "tile/0/")) {
      byte[] first = Files.readAllBytes(sound.resolve(kind + "000"));
      byte[] second = Files.readAllBytes(sound.resolve(kind + "001"));
      Files.write(copy.resolve(kind + "000"), second);
      assertThat(named(verify(copy))).containsExactly(kind + "000");
      Files.write(copy.resolve(kind + "001"), first);
      assertThat(named(verify(copy))).containsExactly(kind + "000", kind + "001");
      Files.write(copy.resolve(kind + "000"), first);
      Files.write(copy.resolve(kind + "001"), second);
    }
  }

  @Test
  void L2_removedSwappedOrDoubledEntry_isFoundInItsBundle() throws Exception {
    Path copy = copy("entries");
    for (String path : List.of("tile/entries/001", "tile/entries/002.p/188")) {
      byte[] bytes = Files.readAllBytes(sound.resolve(path));
      List<byte[]> entries = ((EntryBundles.Decoded.Entries) EntryBundles.decode(bytes)).entries();
      List<byte[]> removed = new ArrayList<>(entries);
      removed.remove(100);
      List<byte[]> doubled = new ArrayList<>(removed);
      doubled.add(50, doubled.get(50));
      List<byte[]> swapped = new ArrayList<>(entries);
      swapped.set(3, entries.get(4));
      swapped.set(4, entries.get(3));
      for (List<byte[]> changed : List.of(removed, doubled, swapped)) {
        Files.write(copy.resolve(path), EntryBundles.encode(changed));
        assertThat(named(verify(copy))).containsExactly(path);
      }
      Files.write(copy.resolve(path), bytes);
    }
  }

  @Test
  void entryRewrittenTogetherWithItsTile_isStillFound() throws Exception {
    Path copy = copy("both");
    for (int bundle = 0; bundle < 3; bundle++) {
      String place = bundle < 2 ? "00" + bundle : "002.p/188";
      Path entriesFile = copy.resolve("tile/entries/" + place);
      Path tileFile = copy.resolve("tile/0/" + place);
      byte[] bytes = Files.readAllBytes(entriesFile);
      byte[] hashes = Files.readAllBytes(tileFile);
      List<byte[]> entries =
          new ArrayList<>(((EntryBundles.Decoded.Entries) EntryBundles.decode(bytes)).entries());
      entries.set(9, new byte[] {1, 2, 3});
      byte[] rewritten = hashes.clone();
      Hashing.leaf(entries.get(9)).writeTo(rewritten, 9 * 32);
      Files.write(entriesFile, EntryBundles.encode(entries));
      Files.write(tileFile, rewritten);
      List<String> named = named(verify(copy));
      if (bundle < 2) {
        assertThat(named).contains("tile/0/" + place, "tile/entries/" + place);
      } else {
        assertThat(named).contains("checkpoint");
      }
      Files.write(entriesFile, bytes);
      Files.write(tileFile, hashes);
    }
  }

  @Test
  void L5_historyAfterARollback_orRewrittenAndSignedAnew_isFoundWithACheckpointHeldElsewhere()
      throws Exception {
    Path other = scratch.resolve("other");
    try (FileStorage storage = FileStorage.open(other, KEY.verifier());
        Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      for (int i = 0; i < 3; i++) {
        List<byte[]> entries = new ArrayList<>();
        for (int j = 0; j < 130; j++) {
          entries.add(new byte[] {(byte) i, (byte) j});
        }
        log.append(entries).toCompletableFuture().get(30, TimeUnit.SECONDS);
        VerifyReport alone =
            LedgerVerifier.verify(other, KEY.verifier(), List.of(), Optional.empty());
        assertThat(alone.findings()).isEmpty();
        assertThat(verify(other).findings())
            .extracting(Finding::kind)
            .containsExactly(Finding.Kind.HISTORY);
      }
    }
    byte[] foreign = Files.readAllBytes(other.resolve("checkpoint"));
    foreign[30] ^= 1;
    assertThat(
            LedgerVerifier.verify(sound, KEY.verifier(), List.of(), Optional.of(foreign))
                .findings())
        .extracting(Finding::kind)
        .containsExactly(Finding.Kind.HISTORY);
  }

  @Test
  void signedSizeFarBeyondTheFiles_isOneFinding() throws Exception {
    Path copy = copy("far");
    Checkpoint far = new Checkpoint(KEY.name(), Long.MAX_VALUE, Hashing.EMPTY_ROOT);
    Files.write(copy.resolve("checkpoint"), SignedCheckpoint.sign(far, KEY).bytes());
    assertThat(verify(copy).findings())
        .extracting(Finding::kind)
        .containsExactly(Finding.Kind.MISSING);
  }

  @Test
  void cosignaturesOfKnownWitnesses_areCheckedAndListed() throws Exception {
    Path copy = copy("cosigned");
    Path file = copy.resolve("checkpoint");
    SignedCheckpoint head =
        SignedCheckpoint.open(Files.readAllBytes(file), KEY.verifier()).orThrow();
    Files.write(
        file, head.with(Cosignature.sign(WITNESS, head.checkpoint(), 1_700_000_000)).bytes());
    List<VerifierKey> known = List.of(WITNESS.verifier());
    VerifyReport report = LedgerVerifier.verify(copy, KEY.verifier(), known, Optional.empty());
    assertThat(report.findings()).isEmpty();
    assertThat(report.witnesses()).containsExactly(WITNESS.name());
    Checkpoint other = new Checkpoint(KEY.name(), 1, Hashing.EMPTY_ROOT);
    Files.write(file, head.with(Cosignature.sign(WITNESS, other, 1_700_000_000)).bytes());
    assertThat(LedgerVerifier.verify(copy, KEY.verifier(), known, Optional.empty()).findings())
        .extracting(Finding::kind)
        .containsExactly(Finding.Kind.COSIGNATURE);
  }

  @Test
  void logOfAnotherImplementation_isSoundAtEachOfItsCheckpoints() throws Exception {
    Path log = Vectors.directory("tlog-tiles-sample/testdata/log");
    String text =
        new JsonMapper()
            .readTree(Vectors.directory("notes.json"))
            .get("tlogTilesSample")
            .get("vkey")
            .asString();
    VerifierKey key = VerifierKey.parse(text).orThrow();
    byte[] previous = Files.readAllBytes(log.resolve("checkpoint.0"));
    for (int size = 0; size <= 15; size++) {
      Path at = scratch.resolve("size" + size);
      byte[] checkpoint = Files.readAllBytes(log.resolve("checkpoint." + size));
      try (var files = Files.walk(log)) {
        for (Path file : files.toList()) {
          if (!String.valueOf(file.getFileName()).startsWith("checkpoint")) {
            Files.copy(file, at.resolve(log.relativize(file).toString()));
          }
        }
      }
      Files.write(at.resolve("checkpoint"), checkpoint);
      VerifyReport report = LedgerVerifier.verify(at, key, List.of(), Optional.of(previous));
      assertThat(report.findings()).isEmpty();
      assertThat(report.size()).contains((long) size);
      previous = checkpoint;
    }
  }

  @Test
  void commandLine_saysWhatItFound_andExitsWithItsCode() throws Exception {
    Path copy = copy("main");
    Path held = Files.write(scratch.resolve("held"), early);
    String key = KEY.verifier().format();
    assertThat(main("0", copy.toString())).contains("from the log's own directory", "700 entries");
    assertThat(main("0", copy.toString(), "--vkey", key, "--checkpoint", held.toString()))
        .contains("(given)", "sound");
    Path bundle = copy.resolve("tile/entries/000");
    byte[] bytes = Files.readAllBytes(bundle);
    bytes[3] ^= 1;
    Files.write(bundle, bytes);
    assertThat(main("1", copy.toString(), "--vkey", key)).contains("tile/entries/000 #0");
    assertThat(main("2")).contains("usage");
    assertThat(main("2", copy.toString(), "--vkey")).contains("needs a value");
    assertThat(main("2", copy.toString(), "--vkey", "x")).contains("not a verifier key");
    assertThat(main("2", copy.toString(), "--other", "x")).contains("not understood");
    assertThat(main("2", scratch.resolve("nowhere").toString())).contains("cannot read");
  }

  private static String main(String code, String... args) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertThat(VerifyMain.run(args, out, out)).isEqualTo(Integer.parseInt(code));
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
