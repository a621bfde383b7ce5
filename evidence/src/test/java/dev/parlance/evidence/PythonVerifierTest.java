package dev.parlance.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.KeyType;
import dev.parlance.ledger.note.SignerKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The verifier of a stranger: Python, its standard library, and {@code docs/evidence.md}. It must
 * reproduce what our recomputation finds, on sound ledgers and on others.
 */
class PythonVerifierTest {
  private static final int TIMEOUT_S = 120;

  @TempDir private static Path directory = Path.of("");
  private static LedgerWriter sample = new LedgerWriter(0);

  @BeforeAll
  static void python() throws Exception {
    boolean present;
    try {
      present = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException absent) {
      present = false;
    }
    if (!present) {
      System.err.println("SKIPPED: no python3 here, so no stranger has checked the ledger");
    }
    Assumptions.assumeTrue(present, "no python3 on this machine");
    sample = SampleLedger.write(11);
  }

  /** Exit status and output. */
  private record Run(int status, String output) {}

  private static Run verify(List<String> export, Optional<String> key) throws Exception {
    Path file = Files.createTempFile(directory, "export", ".jsonl");
    Files.write(file, export, StandardCharsets.UTF_8);
    List<String> command =
        new ArrayList<>(List.of("python3", script().toString(), file.toString()));
    key.ifPresent(command::add);
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), Files.readString(output));
  }

  /** The script lies beside the modules; tests run in a module's directory. */
  private static Path script() {
    Path here = Path.of("").toAbsolutePath();
    Path inModule = here.resolve("../tools/verify_ledger.py").normalize();
    return Files.exists(inModule) ? inModule : here.resolve("tools/verify_ledger.py");
  }

  private static List<String> export(List<byte[]> entries) throws Exception {
    return ExportTest.export(Files.createTempDirectory(directory, "log"), entries);
  }

  /** A ledger whose operator has signed what he changed: only recomputing finds it. */
  private static Run verifyChanged(int index, UnaryOperator<String> change) throws Exception {
    List<byte[]> entries = new ArrayList<>(sample.bytes());
    String text = new String(entries.get(index), StandardCharsets.UTF_8);
    String changed = change.apply(text);
    assertThat(changed).isNotEqualTo(text);
    entries.set(index, changed.getBytes(StandardCharsets.UTF_8));
    RecomputationReport ours = RecomputationTest.recompute(entries);
    assertThat(ours.agrees()).isFalse();
    Run run = verify(export(entries), Optional.of(ExportTest.KEY.verifier().format()));
    assertThat(run.output()).doesNotContain("Traceback");
    // It names the first of the entries that we name.
    long first = ours.disagreements().stream().mapToLong(Disagreement::index).min().orElseThrow();
    assertThat(run.output()).contains("entry " + first + ":");
    return run;
  }

  private static int find(Class<? extends Entry> type, String part) {
    for (int i = 0; i < sample.entries().size(); i++) {
      Entry entry = sample.entries().get(i);
      if (type.isInstance(entry) && EntryWriter.line(entry).contains(part)) {
        return i;
      }
    }
    throw new IllegalStateException("the sample has no " + type + " with " + part);
  }

  @Test
  void itReproducesEveryDecisionAndCore() throws Exception {
    RecomputationReport ours = RecomputationTest.recompute(sample.bytes());
    Run run = verify(export(sample.bytes()), Optional.of(ExportTest.KEY.verifier().format()));
    assertThat(run.output())
        .startsWith("sound: ")
        .contains(ours.entries() + " entries")
        .contains(ours.tests() + " verdicts")
        .contains(ours.decisions() + " decisions")
        .contains(ours.cores() + " cores")
        .contains(ours.fenced() + " fenced")
        .contains(ours.duplicates() + " repeated");
    assertThat(run.status()).isZero();
  }

  @Test
  void itTakesTheKeyOfTheExport_ifNoneIsGiven() throws Exception {
    assertThat(verify(export(sample.bytes()), Optional.empty()).status()).isZero();
  }

  @Test
  void itFindsSignedLies() throws Exception {
    assertThat(
            verifyChanged(
                    find(Entry.Test.class, "\"assent\""),
                    text -> text.replace("\"assent\"", "\"dissent\""))
                .status())
        .isEqualTo(1);
    assertThat(
            verifyChanged(
                    find(Entry.Decided.class, "\"cusum\""),
                    text -> text.replaceAll("\"upper\":0\\.", "\"upper\":0.1"))
                .status())
        .isEqualTo(1);
    assertThat(
            verifyChanged(
                    find(Entry.Plan.class, "\"wilson\""),
                    text -> text.replace("\"tau\":0.2", "\"tau\":0.02"))
                .status())
        .isEqualTo(1);
    assertThat(
            verifyChanged(
                    find(Entry.Closed.class, ""),
                    text -> text.replaceAll("\"seed\":\"..", "\"seed\":\"00"))
                .status())
        .isEqualTo(1);
    assertThat(
            verifyChanged(
                    find(Entry.CoreIssued.class, "\"version\":2"),
                    text -> text.replace("\"version\":2", "\"version\":3"))
                .status())
        .isEqualTo(1);
    assertThat(
            verifyChanged(
                    find(Entry.Renegotiated.class, "\"adopt\""),
                    text -> text.replaceAll("\"decidedOther\":\\d+", "\"decidedOther\":0"))
                .status())
        .isEqualTo(1);
    assertThat(
            verifyChanged(
                    find(Entry.TakenOver.class, ""),
                    text -> text.replace("\"audit\"", "\"unknown\":1,\"audit\""))
                .status())
        .isEqualTo(1);
  }

  @Test
  void itFindsWhatWasChangedAfterSigning() throws Exception {
    List<String> export = export(sample.bytes());
    List<String> changed = new ArrayList<>(export);
    changed.set(9, changed.get(9).replaceAll("\"atMs\":\\d+", "\"atMs\":1"));
    assertThat(verify(changed, Optional.empty()).status()).isEqualTo(1);
    assertThat(verify(changed, Optional.empty()).output()).contains("entry 8:");
    List<String> dropped = new ArrayList<>(export);
    dropped.remove(export.size() - 1);
    Run run = verify(dropped, Optional.empty());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.output()).contains("checkpoint:");
    List<String> forged = new ArrayList<>(export);
    forged.set(0, forged.get(0).replaceAll("(\u2014 [^ ]+ ......)..", "$1AA"));
    assertThat(forged).isNotEqualTo(export);
    assertThat(verify(forged, Optional.empty()).output()).contains("signature does not hold");
    String foreign = SignerKey.generate(ExportTest.KEY.name(), KeyType.ED25519).verifier().format();
    assertThat(verify(export, Optional.of(foreign)).output()).contains("has not signed");
  }

  @Test
  void itSaysWhatIsNoExport() throws Exception {
    assertThat(verify(List.of("no export"), Optional.empty()).status()).isEqualTo(2);
  }
}
