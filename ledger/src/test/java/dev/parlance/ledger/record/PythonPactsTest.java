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
import static dev.parlance.ledger.record.PactWriter.put;
import static dev.parlance.ledger.record.PactWriter.replacing;
import static dev.parlance.ledger.record.PactWriter.settled;
import static dev.parlance.ledger.record.PactWriter.signed;
import static dev.parlance.ledger.record.PactWriter.signer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactDocument.Term;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatement.Progress;
import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactScore;
import dev.parlance.policy.pact.Predicate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verifier of a stranger comes to the same ends and scores of pacts as we do. */
@Tag("differential")
class PythonPactsTest {
  private static final int LEDGERS = 60;
  private static final long END_MS = 10_000_000;
  private static final SignerKey NEXT_KEY = signer(SELLER, 2);
  private static final Pattern NOTE = Pattern.compile("\"note\":\"([^\"]*)\"");

  @TempDir private static Path directory = Path.of("");
  private static final LedgerWriter SAMPLE = sample();

  @BeforeAll
  static void python() throws Exception {
    PythonVerifier.assumePresent();
  }

  // ---- a ledger with every ending ----

  private static PactEntry.Attested lasting(String pact, SignerKey seller, long atMs) {
    return attested(document(pact, 1000, END_MS), BUYER_KEY, seller, atMs);
  }

  private static PactEntry.TemplatePut template(int version) {
    List<Predicate> predicates =
        List.of(new Predicate("a", "scope", "fields=x,\u00e9"), new Predicate("b", "audit", ""));
    return put(
        new PactStatement.Template(BUYER, "enrich", version, OptionalInt.of(4), predicates),
        BUYER_KEY);
  }

  /** Of another author, under the same name. */
  private static PactEntry.TemplatePut namesake() {
    return put(
        new PactStatement.Template(
            SELLER, "enrich", 1, OptionalInt.empty(), List.of(new Predicate("a", "scope", "z"))),
        SELLER_KEY);
  }

  private static PactEntry.Attested withPrivatePredicates(String pact, long atMs) {
    PactDocument open = document(pact, 1000, END_MS);
    List<Term> terms = new ArrayList<>();
    for (Term term : open.terms()) {
      terms.add(
          term instanceof Term.Open(Predicate one)
                  && !one.category().equals(PactCategory.SCOPE.code())
              ? PactDocument.hidden(pact, one, Digest.of(one.id()))
              : term);
    }
    PactDocument document =
        new PactDocument(
            pact, open.negotiation(), BUYER, SELLER, open.history(), 1000, END_MS, terms);
    return attested(document, BUYER_KEY, NEXT_KEY, atMs);
  }

  private static PactEntry.Reported badFaith(String negotiation, SignerKey by) {
    PactStatement.Report said =
        new PactStatement.Report(
            PactStatement.Charge.BAD_FAITH, negotiation, by.name(), SELLER, List.of(), 2000);
    return new PactEntry.Reported(negotiation, by.name(), signed(said, by).orElseThrow(), 2000);
  }

  private static PactEntry.Reported report() {
    PactStatement.Report said =
        new PactStatement.Report(
            PactStatement.Charge.INCOMPATIBLE,
            "n-9",
            BUYER,
            SELLER,
            List.of(new PactStatement.Detail("scope", "fields", "a \"b\"", "c\n\u2028\\")),
            2000);
    return new PactEntry.Reported("n-9", BUYER, signed(said, BUYER_KEY).orElseThrow(), 2000);
  }

  private static LedgerWriter sample() {
    LedgerWriter ledger = new LedgerWriter(1);
    ledger.counts(key(BUYER_KEY, 0, 1));
    ledger.counts(key(SELLER_KEY, 0, 2));
    ledger.counts(key(BOARD_KEY, 0, 2));
    ledger.ignored(Cause.DUPLICATE, key(SELLER_KEY, 9, 3));
    ledger.counts(template(1));
    ledger.counts(template(2));
    ledger.ignored(Cause.DUPLICATE, template(2));
    ledger.counts(namesake());
    for (String pact : List.of("completed", "failed", "withdrawn", "disputed", "violated")) {
      ledger.counts(attested(pact, 2000));
      ledger.ignored(Cause.DUPLICATE, attested(pact, 2001));
    }
    ledger.counts(replacing("completed", document("renewed", 1000, END_MS), 2001));
    for (String pact : List.of("expired", "vanished", "suspended", "open")) {
      ledger.counts(attested(pact, 2002));
    }
    ledger.counts(observed("completed", BUYER_KEY, 1, 7, 0, Progress.GOING_ON));
    ledger.ignored(Cause.DUPLICATE, observed("completed", BUYER_KEY, 1, 7, 0, Progress.GOING_ON));
    ledger.ignored(Cause.COUNTS_FALL, observed("completed", BUYER_KEY, 2, 6, 0, Progress.GOING_ON));
    ledger.counts(observed("completed", SELLER_KEY, 3, 5, 1, Progress.GOING_ON));
    ledger.counts(dissolved("completed", BUYER_KEY, "work_completed", 3000));
    ledger.ignored(Cause.DUPLICATE, dissolved("completed", BUYER_KEY, "work_completed", 3001));
    ledger.counts(dissolved("completed", SELLER_KEY, "work_completed", 3002));
    ledger.ignored(Cause.PACT_ENDED, dissolved("completed", SELLER_KEY, "party_withdrew", 3003));
    ledger.counts(observed("completed", BUYER_KEY, 2, 9, 2, Progress.FINAL));
    ledger.ignored(Cause.COUNTS_FALL, observed("completed", BUYER_KEY, 3, 9, 2, Progress.FINAL));
    ledger.counts(dissolved("failed", SELLER_KEY, "work_failed", 3000));
    ledger.counts(dissolved("withdrawn", SELLER_KEY, "party_withdrew", 3000));
    ledger.counts(dissolved("disputed", BUYER_KEY, "dispute_escalated", 3000));
    ledger.ignored(Cause.PACT_ENDED, dissolved("disputed", BUYER_KEY, "work_failed", 3001));
    ledger.counts(decision("disputed", "timeout", Optional.of(SELLER), 4000));
    ledger.counts(dissolved("suspended", SELLER_KEY, "dispute_escalated", 3000));
    ledger.counts(observed("violated", BUYER_KEY, 1, 4, 1, Progress.GOING_ON));
    ledger.counts(dissolved("violated", BUYER_KEY, "violated", 3000));
    ledger.counts(report());
    ledger.ignored(Cause.DUPLICATE, report());
    ledger.counts(escalated(handed("board-1")));
    ledger.counts(settled(handed("board-1"), BOARD_KEY, List.of("max_kb=9"), 2000));
    ledger.ignored(
        Cause.DUPLICATE, settled(handed("board-1"), BOARD_KEY, List.of("max_kb=9"), 2001));
    ledger.counts(observed("vanished", SELLER_KEY, 1, 2, 0, Progress.FINAL));
    ledger.counts(ofControl("expired", "validity_expired", Optional.empty(), 100_000));
    ledger.counts(ofControl("vanished", "timeout", Optional.of(BUYER), 120_000));
    ledger.counts(key(NEXT_KEY, 500, 200_000));
    ledger.counts(lasting("old-key", SELLER_KEY, 200_500));
    ledger.counts(lasting("new-key", NEXT_KEY, 200_501));
    ledger.counts(withPrivatePredicates("private", 200_502));
    ledger.counts(dissolved("private", NEXT_KEY, "work_failed", 200_503));
    // Said ten minutes before it is on the ledger: the notice counts from the word.
    ledger.counts(
        dissolved(
            "old-key",
            NEXT_KEY,
            "party_withdrew",
            300_000,
            OptionalLong.of(301_000),
            300_000 + PactLedger.MOST_DELAY_MS));
    return ledger;
  }

  // ---- the same counts and scores ----

  private static Optional<String> vkey() {
    return Optional.of(ExportTest.KEY.verifier().format());
  }

  private static String shown(OptionalDouble share) {
    return share.isPresent() ? String.valueOf(share.getAsDouble()) : "None";
  }

  @Test
  void itReproducesEveryEndAndScore() throws Exception {
    RecomputationReport ours = RecomputationTest.recompute(SAMPLE.bytes());
    assertThat(ours.disagreements()).isEmpty();
    PythonVerifier python = new PythonVerifier(directory);
    PythonVerifier.Run run = python.verify(python.export(SAMPLE.bytes()), vkey());
    assertThat(run.output())
        .contains("sound: ")
        .contains(", " + ours.pacts().entries() + " pact entries,")
        .contains(", " + ours.pacts().attested() + " pacts,")
        .contains(", " + ours.duplicates() + " repeated,")
        .contains(", " + ours.fenced() + " fenced,")
        .contains("note: pact suspended is in dispute\n")
        .contains("note: pact open has not ended\n");
    assertThat(run.output().lines().filter(line -> line.startsWith("note: pact ")))
        .hasSize((int) ours.pacts().open());
    assertThat(SAMPLE.state().pactScores()).hasSize(2);
    SAMPLE
        .state()
        .pactScores()
        .forEach((party, score) ->
            assertThat(run.output())
                .contains(
                    "note: score of %s: %d pacts, scope honesty %s, reliability %s\n"
                        .formatted(
                            party,
                            score.counted(),
                            shown(score.scopeHonesty()),
                            shown(score.reliability()))));
    assertThat(run.status()).isZero();
  }

  // ---- lies that the operator has signed ----

  private static void changed(String part, UnaryOperator<String> change) throws Exception {
    List<Entry> entries = SAMPLE.entries();
    for (int i = 0; i < entries.size(); i++) {
      if (EntryCodec.line(entries.get(i)).contains(part)) {
        PythonVerifier.Run run =
            new PythonVerifier(directory).verifyChanged(SAMPLE.bytes(), i, change);
        assertThat(run.status()).isEqualTo(1);
        return;
      }
    }
    throw new IllegalStateException("the sample has no such entry: " + part);
  }

  private static void changed(String part, String from, String to) throws Exception {
    changed(part, text -> text.replace(from, to));
  }

  /** Changes what a note says, or who has signed it. */
  private static void inNote(String part, UnaryOperator<String> change) throws Exception {
    changed(
        part,
        text ->
            NOTE.matcher(text)
                .replaceFirst((MatchResult found) -> {
                  byte[] note = Base64.getDecoder().decode(found.group(1));
                  String other = change.apply(new String(note, StandardCharsets.UTF_8));
                  byte[] bytes = other.getBytes(StandardCharsets.UTF_8);
                  return "\"note\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"";
                }));
  }

  private static void inNote(String part, String from, String to) throws Exception {
    inNote(part, text -> text.replace(from, to));
  }

  private static String of(String type, String pact) {
    return "{\"type\":\"" + type + "\",\"pact\":\"" + pact + "\"";
  }

  @Test
  void itFindsKeysThatAreNotThePartys() throws Exception {
    changed("\"party_key\",\"party\":\"" + BUYER, BUYER, SELLER);
    changed("\"party_key\",\"party\":\"" + BUYER, "\"vkey\":\"org1/", "\"vkey\":\"org3/");
    changed("\"overlapMs\":500", "\"overlapMs\":500", "\"overlapMs\":499");
    changed("\"overlapMs\":500", "\"overlapMs\":500", "\"overlapMs\":86400001");
    changed("\"overlapMs\":500", "\"atMs\":200000", "\"atMs\":199999");
    changed(
        "\"overlapMs\":500",
        text -> text.replace(NEXT_KEY.verifier().format(), SELLER_KEY.verifier().format()));
  }

  @Test
  void itFindsFalseTemplates() throws Exception {
    changed("\"version\":1,", "\"version\":1,", "\"version\":3,");
    changed("\"version\":1,", "\"author\":\"" + BUYER, "\"author\":\"" + SELLER);
    changed("\"version\":1,", text -> text.replaceAll("\"sha256\":\"..", "\"sha256\":\"00"));
    inNote("\"version\":1,", "\"max_counters\":4", "\"max_counters\":5");
  }

  @Test
  void itFindsFalseAttestations() throws Exception {
    String attested = of("pact_attested", "open");
    changed(attested, "\"pact\":\"open\"", "\"pact\":\"closed\"");
    changed(attested, text -> text.replaceAll("\"sha256\":\"..", "\"sha256\":\"zz"));
    changed(attested, text -> text.replaceAll("\"sha256\":\"..", "\"sha256\":\"00"));
    changed(attested, "\"attester\":\"org1/", "\"attester\":\"org3/");
    changed(attested, "\"atMs\":2002", "\"atMs\":100000");
    PactDocument renewed = document("renewed", 1000, END_MS);
    changed(
        of("pact_attested", "renewed"), _ -> EntryCodec.line(replacing("nowhere", renewed, 2001)));
    inNote(attested, "notice_ms=1000", "notice_ms=1001");
    inNote(attested, "\"validity\"", " \"validity\"");
    inNote(attested, "[1000,100000]", "[1000,1000]");
    inNote(attested, "\u2014 " + SELLER, "\u2014 org3/x");
    inNote(attested, text -> text.substring(0, text.lastIndexOf('\u2014')));
    inNote(attested, text -> text + "\u2014 " + SELLER + " AAAA\n");
    inNote(attested, text -> text.substring(0, text.length() - 1));
    changed(of("pact_attested", "old-key"), "\"atMs\":200500", "\"atMs\":200501");
  }

  @Test
  void itFindsFalseCountsAndReports() throws Exception {
    String observed = of("pact_observed", "violated");
    changed(observed, "\"pact\":\"violated\"", "\"pact\":\"open\"");
    changed(observed, "\"pact\":\"violated\"", "\"pact\":\"nowhere\"");
    changed(observed, "\"observer\":\"" + BUYER, "\"observer\":\"" + SELLER);
    inNote(observed, "\"messages\":4", "\"messages\":5");
    inNote(observed, "\"scope\":1", "\"scope\":0");
    String report = "\"type\":\"pact_reported\"";
    changed(report, "\"n-9\"", "\"n-8\"");
    changed(report, "\"reporter\":\"" + BUYER, "\"reporter\":\"" + SELLER);
    inNote(report, "incompatible", "bad_faith");
  }

  @Test
  void itFindsFalseEnds() throws Exception {
    String withdrawn = of("pact_dissolved", "withdrawn");
    changed(withdrawn, "\"party_withdrew\"", "\"work_failed\"");
    changed(withdrawn, "\"responsible\":\"" + SELLER, "\"responsible\":\"" + BUYER);
    changed(withdrawn, "\"by\":\"" + SELLER, "\"by\":\"" + BUYER);
    changed(withdrawn, "\"by\":\"" + SELLER, "\"by\":\"org3/x");
    changed(withdrawn, "\"atMs\":3000", "\"atMs\":100000");
    changed(withdrawn, text -> text.replaceAll("\"note\":\"[^\"]*\",", ""));
    inNote(withdrawn, "\"effective_ms\":4000", "\"effective_ms\":9000");
    changed(of("pact_dissolved", "old-key"), "\"atMs\":900000", "\"atMs\":900001");
    changed(of("pact_dissolved", "completed"), "\"completed\"", "\"open\"");
    changed(of("pact_dissolved", "failed"), "\"work_failed\"", "\"work_completed\"");
    changed(of("pact_dissolved", "failed"), "\"note\"", "\"responsible\":\"org1/buyer\",\"note\"");
    changed(
        of("pact_dissolved", "violated"),
        "\"responsible\":\"" + SELLER,
        "\"responsible\":\"" + BUYER);
    changed(of("pact_dissolved", "expired"), "\"atMs\":100000", "\"atMs\":99999");
    changed(of("pact_dissolved", "expired"), "validity_expired", "timeout");
    changed(of("pact_dissolved", "expired"), "\"control\"", "\"somebody\"");
    changed(of("pact_dissolved", "vanished"), "\"responsible\":\"org1/buyer\",", "");
    changed(
        of("pact_dissolved", "vanished"),
        "\"responsible\":\"org1/buyer\"",
        "\"responsible\":\"org3/x\"");
    changed("\"arbiter:board-1\"", "\"timeout\"", "\"dispute_escalated\"");
    changed("\"arbiter:board-1\"", "\"responsible\":\"org2/seller\",", "");
    changed("\"arbiter:board-1\"", "\"disputed\"", "\"open\"");
  }

  // ---- entries in any order ----

  /** For each ledger, a line with the indices objected to, the counts and the scores. */
  private static final List<String> STRANGER =
      """
      import sys
      sys.path.insert(0, sys.argv[1])
      import verify_ledger as verifier

      verifier.SHOWN = sys.maxsize
      for text in open(sys.argv[2], "rb").read().split(b"\\n\\n")[:-1]:
          ledger = verifier.Ledger()
          for index, line in enumerate(text.split(b"\\n")):
              ledger.take(index, verifier.read_entry(line))
          problems = [int(one.split(":")[0].split()[1]) for one in ledger.problems]
          counts = [ledger.counts[name] for name in ("repeated", "fenced", "pact entries", "pacts")]
          scores = [[name, *map(str, score)] for name, score in ledger.scores().items()]
          print(problems, counts, ", ".join(sum(scores, [])))
      """
          .lines()
          .toList();

  private static List<Entry> pool() {
    List<Entry> entries = new ArrayList<>();
    for (String pact : List.of("p-1", "p-2", "p-3")) {
      entries.add(attested(pact, 2000));
      entries.add(attested(pact, 2100));
      entries.add(attested(document(pact, 1000, 99_999), BUYER_KEY, SELLER_KEY, 2000));
      entries.add(attested(document(pact, 1000, 100_000), BUYER_KEY, NEXT_KEY, 2000));
      for (SignerKey by : List.of(BUYER_KEY, SELLER_KEY)) {
        for (String reason :
            List.of(
                "work_completed",
                "party_withdrew",
                "work_failed",
                "dispute_escalated",
                "violated")) {
          entries.add(dissolved(pact, by, reason, 3000));
        }
        entries.add(dissolved(pact, by, "party_withdrew", 3000, OptionalLong.of(3999)));
        entries.add(observed(pact, by, 1, 5, 1, Progress.GOING_ON));
        entries.add(observed(pact, by, 2, 6, 3, Progress.GOING_ON));
        entries.add(observed(pact, by, 3, 7, 3, Progress.FINAL));
      }
      entries.add(dissolved(pact, NEXT_KEY, "work_completed", 3000));
      entries.add(ofControl(pact, "validity_expired", Optional.empty(), 99_999));
      entries.add(ofControl(pact, "validity_expired", Optional.empty(), 100_000));
      entries.add(ofControl(pact, "timeout", Optional.of(BUYER), 120_000));
      entries.add(decision(pact, "violated", Optional.of(BUYER), 101_000));
      entries.add(decision(pact, SELLER_KEY, "violated", Optional.of(BUYER), 101_000));
      entries.add(decision(pact, "work_completed", Optional.empty(), 101_000));
    }
    entries.add(replacing("p-1", document("p-4", 1000, 100_000), 2000));
    entries.add(replacing("p-9", document("p-5", 1000, 100_000), 2000));
    entries.add(key(BOARD_KEY, 0, 2));
    entries.add(key(NEXT_KEY, 1000, 2000));
    entries.add(key(SELLER_KEY, 0, 2001));
    entries.add(report());
    entries.add(badFaith("n-1", BUYER_KEY));
    entries.add(badFaith("n-2", BUYER_KEY));
    entries.add(badFaith("n-1", BOARD_KEY));
    entries.add(template(1));
    entries.add(escalated(handed("board-1")));
    entries.add(escalated(handed("board-2")));
    entries.add(escalated(handed("board-2"), Optional.empty()));
    entries.add(settled(handed("board-1"), BOARD_KEY, List.of("max_kb=9"), 2000));
    entries.add(settled(handed("board-1"), BOARD_KEY, List.of(), 2000));
    entries.add(settled(handed("board-1"), BOARD_KEY, List.of("max_kb=1"), 5000));
    return entries;
  }

  @Test
  void aStrangerObjectsToTheSameEntries_andScoresTheSame() throws Exception {
    List<Entry> pool = pool();
    StringBuilder ledgers = new StringBuilder();
    List<String> ours = new ArrayList<>();
    long ended = 0;
    for (int seed = 0; seed < LEDGERS; seed++) {
      List<Entry> entries = new ArrayList<>(pool);
      Collections.shuffle(entries, new Random(seed));
      // Sometimes a party has no key at first.
      entries.add(seed % 5, key(BUYER_KEY, 0, 1));
      entries.add(seed % 7, key(SELLER_KEY, 0, 2));
      entries.forEach(entry -> ledgers.append(EntryCodec.line(entry)).append('\n'));
      ledgers.append('\n');
      RecomputationReport report =
          RecomputationTest.recompute(entries.stream().map(EntryCodec::encode).toList());
      ended += report.pacts().attested() - report.pacts().open();
      LedgerState state = new LedgerState();
      for (int i = 0; i < entries.size(); i++) {
        state.apply(i, entries.get(i));
      }
      ours.add(line(report, state));
    }
    assertThat(ended).isGreaterThan(LEDGERS);
    Path file = Files.createTempFile(directory, "ledgers", ".txt");
    Files.writeString(file, ledgers, StandardCharsets.UTF_8);
    PythonVerifier.Run run =
        new PythonVerifier(directory).program(STRANGER, List.of(file.toString()));
    assertThat(run.output().lines().toList()).isEqualTo(ours);
    assertThat(run.status()).isZero();
  }

  private static String line(RecomputationReport report, LedgerState state) {
    List<String> scores = new ArrayList<>();
    for (var each : state.pactScores().entrySet()) {
      PactScore score = each.getValue();
      scores.add(each.getKey());
      scores.add(shown(score.scopeHonesty()));
      scores.add(shown(score.reliability()));
      scores.add(String.valueOf(score.counted()));
      scores.add(
          score.reporters().stream()
              .map(one -> "'" + one + "'")
              .collect(Collectors.joining(", ", "[", "]")));
    }
    return report.disagreements().stream()
            .map(one -> String.valueOf(one.index()))
            .collect(Collectors.joining(", ", "[", "] "))
        + List.of(
            report.duplicates(),
            report.fenced(),
            report.pacts().entries(),
            report.pacts().attested())
        + " "
        + String.join(", ", scores);
  }
}
