package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.PythonVerifier.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The verifier of a stranger must reproduce what our recomputation finds, on sound ledgers and on
 * others.
 */
@Tag("differential")
class PythonVerifierTest {
  @TempDir private static Path directory = Path.of("");
  private static LedgerWriter sample = new LedgerWriter(0);

  @BeforeAll
  static void python() throws Exception {
    PythonVerifier.assumePresent();
    sample = SampleLedger.write(11);
  }

  private static Run verify(List<String> export, Optional<String> key) throws Exception {
    return new PythonVerifier(directory).verify(export, key);
  }

  private static List<String> export(List<byte[]> entries) throws Exception {
    return new PythonVerifier(directory).export(entries);
  }

  private static Run verifyChanged(int index, UnaryOperator<String> change) throws Exception {
    return new PythonVerifier(directory).verifyChanged(sample.bytes(), index, change);
  }

  private static int find(Class<? extends Entry> type, String part) {
    for (int i = 0; i < sample.entries().size(); i++) {
      Entry entry = sample.entries().get(i);
      if (type.isInstance(entry) && EntryCodec.line(entry).contains(part)) {
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
    List<String> export = export(sample.bytes());
    Run run = verify(export, Optional.empty());
    assertThat(run.status()).isZero();
    assertThat(new PythonVerifier(directory).verifyAlone(export, Optional.empty())).isEqualTo(run);
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
    List<String> none = List.of("no export");
    assertThat(verify(none, Optional.empty()).status()).isEqualTo(2);
    assertThat(new PythonVerifier(directory).verifyAlone(none, Optional.empty()).status())
        .isEqualTo(2);
  }
}
