package dev.parlance.ledger.record;

import static dev.parlance.ledger.record.PactWriter.BOARD_KEY;
import static dev.parlance.ledger.record.PactWriter.BUYER;
import static dev.parlance.ledger.record.PactWriter.BUYER_KEY;
import static dev.parlance.ledger.record.PactWriter.SELLER;
import static dev.parlance.ledger.record.PactWriter.SELLER_KEY;
import static dev.parlance.ledger.record.PactWriter.attested;
import static dev.parlance.ledger.record.PactWriter.decision;
import static dev.parlance.ledger.record.PactWriter.dissolved;
import static dev.parlance.ledger.record.PactWriter.document;
import static dev.parlance.ledger.record.PactWriter.escalated;
import static dev.parlance.ledger.record.PactWriter.handed;
import static dev.parlance.ledger.record.PactWriter.key;
import static dev.parlance.ledger.record.PactWriter.observed;
import static dev.parlance.ledger.record.PactWriter.ofControl;
import static dev.parlance.ledger.record.PactWriter.settled;
import static dev.parlance.ledger.record.PactWriter.signer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.pact.PactStatement.Progress;
import dev.parlance.policy.pact.PactCase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ledgers whose operator has signed what is not so, as exports among the test resources: both
 * verifiers refuse them for the same entry and the same reason, which is the name of the file up to
 * its first dot. {@code -Dbad.write=FOLDER} writes the files anew.
 */
@Tag("differential")
class BadLedgersTest {
  private static final SignerKey STRANGER = signer("mallory", 1);
  private static final long END_MS = 100_000;
  private static final long FAR_MS = 4_000_000_000_000L;

  @TempDir private static Path directory = Path.of("");

  @BeforeAll
  static void python() throws Exception {
    PythonVerifier.assumePresent();
  }

  /**
   * A bad ledger.
   *
   * @param name of its file, up to the ending
   * @param at the entry that is refused
   */
  private record Bad(String name, int at, List<Entry> entries) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Three keys, a pact, and then these; the first of them is bad, or the one {@code late}r. */
  private static Bad bad(String name, int late, Entry... entries) {
    List<Entry> all = new ArrayList<>();
    for (SignerKey key : List.of(BUYER_KEY, SELLER_KEY, BOARD_KEY, STRANGER)) {
      all.add(key(key, 0, 1));
    }
    all.add(attested("p-1", 2000));
    int at = all.size() + late;
    all.addAll(List.of(entries));
    return new Bad(name, at, all);
  }

  static List<Bad> ledgers() {
    Entry counted = observed("p-1", BUYER_KEY, 1, 4, 0, Progress.FINAL);
    Entry going = observed("p-1", BUYER_KEY, 1, 4, 0, Progress.GOING_ON);
    Entry disputed = dissolved("p-1", BUYER_KEY, "dispute_escalated", 3000);
    Optional<String> seller = Optional.of(SELLER);
    PactEntry.Dissolved decided = decision("p-1", "violated", seller, 4000);
    return List.of(
        bad(
            "time_in_future",
            0,
            ofControl("p-1", "validity_expired", Optional.empty(), 500_000),
            key(signer("later", 1), 0, 479_999)),
        bad(
            "time_in_future.timeout",
            1,
            counted,
            ofControl("p-1", "timeout", seller, 500_000),
            key(signer("later", 1), 0, END_MS)),
        bad(
            "time_in_future.clock",
            1,
            attested(document("p-2", 1000, FAR_MS), BUYER_KEY, SELLER_KEY, 2000),
            ofControl("p-2", "validity_expired", Optional.empty(), FAR_MS)),
        bad("not_over", 0, ofControl("p-1", "validity_expired", Optional.empty(), END_MS - 1)),
        bad("not_shown", 0, ofControl("p-1", "timeout", seller, 200_000)),
        bad("not_shown.going_on", 1, going, ofControl("p-1", "timeout", seller, 200_000)),
        bad(
            "not_shown.other",
            1,
            counted,
            ofControl("p-1", "timeout", Optional.of(BUYER), 200_000)),
        bad("not_shown.early", 1, counted, ofControl("p-1", "timeout", seller, END_MS + 19_999)),
        bad("not_shown.expired", 1, counted, ofControl("p-1", "validity_expired", seller, 200_000)),
        bad(
            "not_shown.nobody",
            1,
            counted,
            ofControl("p-1", "timeout", Optional.of("org3/x"), 200_000)),
        bad("not_the_arbiter", 1, disputed, decision("p-1", STRANGER, "violated", seller, 4000)),
        bad(
            "not_the_arbiter.party",
            1,
            disputed,
            decision("p-1", BUYER_KEY, "violated", seller, 9)),
        bad("not_signed", 1, disputed, noted(decided, Optional.empty())),
        bad(
            "not_signed.stranger",
            1,
            disputed,
            noted(decided, decision("p-1", signer("board-1", 2), "violated", seller, 4000).note())),
        bad(
            "not_signed.other",
            1,
            disputed,
            noted(decided, decision("p-1", "violated", Optional.of(BUYER), 4000).note())),
        bad("not_signed.dissolution", 1, disputed, noted(decided, disputedNote())),
        bad("not_disputed", 0, decided),
        bad("case_unknown", 0, settled(handed("board-1"), BOARD_KEY, List.of("max_kb=9"), 2000)),
        bad(
            "case_unknown.other",
            1,
            escalated(handed("board-1")),
            settled(
                new PactCase("n-7", BUYER, SELLER, "board-1", "p-8", 5000),
                BOARD_KEY,
                List.of(),
                2000)),
        bad("not_signed.case", 0, escalated(handed("board-1"), Optional.empty())),
        bad(
            "not_signed.case_forged",
            0,
            escalated(handed("board-1"), Optional.of(signer(SELLER, 2)))),
        bad(
            "not_the_arbiter.negotiation",
            1,
            escalated(handed("board-1")),
            settled(handed("mallory"), STRANGER, List.of("max_kb=9"), 2000)),
        bad(
            "case_over",
            1,
            escalated(handed("board-1")),
            settled(handed("board-1"), BOARD_KEY, List.of("max_kb=9"), 5000)));
  }

  private static Optional<String> disputedNote() {
    return dissolved("p-1", BUYER_KEY, "dispute_escalated", 3000).note();
  }

  private static Entry noted(PactEntry.Dissolved entry, Optional<String> note) {
    return new PactEntry.Dissolved(
        entry.pact(), entry.by(), entry.reason(), entry.responsible(), note, entry.atMs());
  }

  @ParameterizedTest
  @MethodSource("ledgers")
  void bothVerifiersRefuseIt_forTheSameReason(Bad bad) throws Exception {
    String export = export(bad);
    String code = bad.name().replaceFirst("\\..*", "");
    assertThat(read(export).findings()).isEmpty();
    assertThat(read(export).recomputation().disagreements())
        .singleElement()
        .satisfies(one -> assertThat(one.index()).isEqualTo(bad.at()))
        .satisfies(one -> assertThat(one.code()).isEqualTo(code));
    PythonVerifier.Run run =
        new PythonVerifier(directory).verify(export.lines().toList(), Optional.empty());
    assertThat(run.output())
        .containsPattern(
            "entry %d: pact_(dissolved|template|reported): %s: ".formatted(bad.at(), code));
    assertThat(run.output().lines().filter(line -> line.startsWith("entry "))).hasSize(1);
    assertThat(run.status()).isEqualTo(1);
  }

  private static ExportReader.Report read(String export) throws IOException {
    return ExportReader.read(
        new ByteArrayInputStream(export.getBytes(StandardCharsets.UTF_8)),
        Optional.of(ExportTest.KEY.verifier()),
        System.currentTimeMillis());
  }

  private static String export(Bad bad) throws Exception {
    Optional<String> folder = Optional.ofNullable(System.getProperty("bad.write"));
    if (folder.isPresent()) {
      List<byte[]> entries = bad.entries().stream().map(EntryCodec::encode).toList();
      Files.write(
          Path.of(folder.get(), bad.name() + ".jsonl"),
          ExportTest.export(Files.createTempDirectory(directory, "log"), entries));
    }
    try (InputStream in =
        BadLedgersTest.class.getResourceAsStream("bad/" + bad.name() + ".jsonl")) {
      assertThat(in).as("-Dbad.write").isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
