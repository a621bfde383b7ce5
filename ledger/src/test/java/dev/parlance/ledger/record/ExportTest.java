package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportTest {
  static final SignerKey KEY =
      SignerKey.fromSeed("ledger.example/test", KeyType.ED25519, new byte[32]);
  private static final int BATCH = 1000;
  private static final long NOW_MS = System.currentTimeMillis();

  @TempDir private static Path directory = Path.of("");
  private static LedgerWriter sample = new LedgerWriter(0);
  private static List<String> lines = List.of();

  @BeforeAll
  static void writeLog() throws Exception {
    sample = SampleLedger.write(7);
    lines = export(directory, sample.bytes());
  }

  /** Writes a log into the directory; its export, line by line. */
  static List<String> export(Path directory, List<byte[]> entries) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (FileStorage storage = FileStorage.open(directory, KEY.verifier());
        Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      for (int from = 0; from < entries.size(); from += BATCH) {
        int to = Math.min(entries.size(), from + BATCH);
        log.append(entries.subList(from, to)).toCompletableFuture().get();
      }
      Export.write(log.reader().head().orElseThrow(), KEY.verifier(), out);
    }
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static ExportReader.Report read(List<String> export) throws IOException {
    byte[] bytes = (String.join("\n", export) + "\n").getBytes(StandardCharsets.UTF_8);
    return ExportReader.read(new ByteArrayInputStream(bytes), Optional.of(KEY.verifier()), NOW_MS);
  }

  private static List<String> changed(int line, UnaryOperator<String> change) {
    List<String> other = new ArrayList<>(lines);
    other.set(line, change.apply(other.get(line)));
    assertThat(other).isNotEqualTo(lines);
    return other;
  }

  @Test
  void anExportIsSound_andOneLineForEachEntry() throws Exception {
    assertThat(lines).hasSize(sample.entries().size() + 1);
    assertThat(lines.get(1)).startsWith("{\"index\":0,\"leaf\":\"").contains("\",\"entry\":{");
    ExportReader.Report report = read(lines);
    assertThat(report.findings()).isEmpty();
    assertThat(report.sound()).isTrue();
    assertThat(report.recomputation().entries()).isEqualTo(sample.entries().size());
  }

  @Test
  void aChangedEntry_aDroppedLine_aSwap_anotherKey_anotherCheckpoint_areFound() throws Exception {
    assertThat(read(changed(40, text -> text.replace("\"atMs\":17", "\"atMs\":18"))).sound())
        .isFalse();
    List<String> dropped = new ArrayList<>(lines);
    dropped.remove(40);
    assertThat(read(dropped).findings()).isNotEmpty();
    List<String> cut = lines.subList(0, lines.size() - 3);
    assertThat(read(cut).findings()).isNotEmpty();
    assertThat(
            read(changed(0, text -> text.replace("ledger.example", "ledger.exampel"))).findings())
        .isNotEmpty();
    assertThat(read(changed(0, text -> "{}")).findings()).isNotEmpty();
    assertThat(read(changed(0, text -> "no json")).findings()).isNotEmpty();
    assertThat(read(List.of()).findings()).isNotEmpty();
  }

  private static List<String> besideOlder(byte[] older) throws IOException {
    byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    return ExportReader.read(
            new ByteArrayInputStream(bytes),
            Optional.of(KEY.verifier()),
            MemberKeys.OF_LEDGER,
            Optional.of(older),
            NOW_MS)
        .findings();
  }

  private static byte[] checkpoint(Path folder, List<byte[]> entries) throws Exception {
    export(folder, entries);
    return Files.readAllBytes(folder.resolve("checkpoint"));
  }

  @Test
  void anExportThatBeginsOtherwiseThanAnOlderCheckpoint_isFound(@TempDir Path other)
      throws Exception {
    List<byte[]> all = sample.bytes();
    List<byte[]> swapped = new ArrayList<>(all.subList(0, 20));
    Collections.swap(swapped, 3, 4);
    List<byte[]> more = new ArrayList<>(all);
    more.add(all.getLast());

    assertThat(besideOlder(checkpoint(other.resolve("same"), all.subList(0, 20)))).isEmpty();
    assertThat(besideOlder(checkpoint(other.resolve("whole"), all))).isEmpty();
    assertThat(besideOlder(checkpoint(other.resolve("swapped"), swapped)))
        .singleElement()
        .asString()
        .contains("the first 20 entries are not those of the older checkpoint");
    assertThat(besideOlder(checkpoint(other.resolve("more"), more)))
        .containsExactly(
            "the older checkpoint has %s entries, the export only %s"
                .formatted(more.size(), all.size()));
    assertThat(besideOlder("no note".getBytes(StandardCharsets.UTF_8)))
        .singleElement()
        .asString()
        .startsWith("the older checkpoint is refused: ");
  }

  @Test
  void bytesThatAreNoEntry_areExportedAsTheyAre(@TempDir Path other) throws Exception {
    List<byte[]> entries = new ArrayList<>(sample.bytes());
    entries.add(new byte[] {(byte) 0xff, 0, '"'});
    List<String> export = export(other, entries);
    assertThat(export.getLast()).contains("\"bytes\":\"/wAi\"");
    ExportReader.Report report = read(export);
    assertThat(report.findings()).isEmpty();
    assertThat(report.recomputation().disagreements())
        .singleElement()
        .satisfies(one -> assertThat(one.index()).isEqualTo(entries.size() - 1));
  }

  @Test
  void theDirectoryIsSound_andSaysWhatItHolds() throws IOException {
    LedgerAudit.Report report =
        LedgerAudit.check(directory, KEY.verifier(), List.of(), Optional.empty(), NOW_MS);
    assertThat(report.format()).as(report.format()).contains("sound: ledger.example/test");
    assertThat(report.sound()).isTrue();
    assertThat(report.recomputation().orElseThrow().entries()).isEqualTo(sample.entries().size());
  }

  @Test
  void L2_aFlippedBitInTheDirectory_isFound(@TempDir Path copy) throws Exception {
    export(copy, sample.bytes());
    try (Stream<Path> files = Files.walk(copy)) {
      Path bundle =
          files
              .filter(file -> file.toString().contains("entries"))
              .filter(Files::isRegularFile)
              .sorted()
              .findFirst()
              .orElseThrow();
      byte[] bytes = Files.readAllBytes(bundle);
      bytes[bytes.length / 2] ^= 1;
      bundle.toFile().setWritable(true);
      Files.write(bundle, bytes);
    }
    LedgerAudit.Report report =
        LedgerAudit.check(copy, KEY.verifier(), List.of(), Optional.empty(), NOW_MS);
    assertThat(report.sound()).isFalse();
    assertThat(report.structure().findings()).isNotEmpty();
    assertThat(report.format()).contains("not sound");
  }

  @Test
  void anEmptyDirectoryIsNotSound(@TempDir Path empty) throws IOException {
    LedgerAudit.Report report =
        LedgerAudit.check(empty, KEY.verifier(), List.of(), Optional.empty(), NOW_MS);
    assertThat(report.sound()).isFalse();
    assertThat(report.unread()).contains("there is no checkpoint");
  }
}
