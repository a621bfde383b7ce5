package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.CoreNote.CoreFault;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.RoundId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutcomeNoteTest {
  private static final String HEX = "ab".repeat(32);
  private static final SignerKey KEY =
      SignerKey.fromSeed("control.example", KeyType.ED25519, new byte[32]);
  private static final SignerKey OTHER = SignerKey.generate("control.example", KeyType.ED25519);

  private static final RoundOutcome COMMIT =
      new RoundOutcome(
          new RoundId("claim/7", 2),
          List.of("carol", "bob", "alice", "dave"),
          1,
          new Encoding("enc", 384, 0.94),
          "semantic_commit",
          Optional.empty(),
          Optional.of("supports"),
          4,
          3,
          1,
          List.of("alice", "bob", "carol"),
          Optional.of(HEX),
          Optional.of(HEX),
          Optional.empty(),
          1_750_000_000_000L);
  private static final RoundOutcome ABORT =
      new RoundOutcome(
          new RoundId("claim/7", 1),
          List.of("alice"),
          1,
          Encoding.none(),
          "abort",
          Optional.of("BFT_INFEASIBLE"),
          Optional.empty(),
          0,
          0,
          0,
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          7);

  private static final String DOCUMENT =
      ("{'round':'claim/7','epoch':2,'members':['carol','bob','alice','dave'],'faults':1,"
              + "'encoder':'enc','dim':384,'cosMin':0.94,'kind':'semantic_commit',"
              + "'verdict':'supports','delivered':4,'support':3,'runnerUp':1,"
              + "'core':['alice','bob','carol'],'subjectSha256':'HEX','digest':'HEX',"
              + "'decidedAtMs':1750000000000}")
          .replace("HEX", HEX);
  private static final String ABORT_DOCUMENT =
      "{'round':'claim/7','epoch':1,'members':['alice'],'faults':1,'encoder':'none','dim':0,"
          + "'cosMin':1.0,'kind':'abort','reason':'BFT_INFEASIBLE','delivered':0,'support':0,"
          + "'runnerUp':0,'core':[],'decidedAtMs':7}";

  private static String text(String document) {
    return "parlance-outcome-1\n" + document.replace('\'', '"') + "\n";
  }

  private static byte[] signed(String document) {
    return Note.sign(text(document), KEY).bytes();
  }

  private static OutcomeReading read(byte[] note) {
    return OutcomeNote.read(note, List.of(KEY.verifier()));
  }

  private static String fault(byte[] note) {
    return switch (read(note)) {
      case OutcomeReading.Good good -> "read as " + good.outcome();
      case OutcomeReading.Refused refused -> refused.fault().code();
    };
  }

  @Test
  void anOutcomeHasOneText_andIsReadBackWithItsDigest() {
    assertThat(OutcomeNote.text(COMMIT)).isEqualTo(text(DOCUMENT));
    assertThat(OutcomeNote.text(ABORT)).isEqualTo(text(ABORT_DOCUMENT));
    for (RoundOutcome outcome : List.of(COMMIT, ABORT)) {
      byte[] note = OutcomeNote.sign(outcome, KEY);
      OutcomeReading.Good good =
          new OutcomeReading.Good(outcome, Digest.of(OutcomeNote.text(outcome)));
      assertThat(read(note)).isEqualTo(good);
      assertThat(OutcomeNote.unverified(note)).isEqualTo(good);
      assertThat(OutcomeNote.documentSha256(outcome)).isEqualTo(good.documentSha256());
      // Every replica makes the same bytes.
      assertThat(OutcomeNote.sign(outcome, KEY)).isEqualTo(note);
    }
  }

  @Test
  void withoutSignature_orOfAForeignKey_isRefused() {
    byte[] unsigned = OutcomeNote.text(COMMIT).getBytes(StandardCharsets.UTF_8);
    assertThat(fault(unsigned)).isEqualTo("unsigned");
    assertThat(fault(OutcomeNote.sign(COMMIT, OTHER))).isEqualTo("foreign_signature");
    assertThat(OutcomeNote.read(OutcomeNote.sign(COMMIT, KEY), List.of()))
        .isInstanceOfSatisfying(
            OutcomeReading.Refused.class,
            refused -> assertThat(refused.fault()).isEqualTo(CoreFault.FOREIGN_SIGNATURE));
    assertThat(fault(new byte[0])).isEqualTo("unsigned");
    assertThat(fault(new byte[] {-1, 2, 10, 10})).isEqualTo("malformed");
    assertThat(fault(new byte[OutcomeNote.MAX_BYTES + 1])).isEqualTo("too_large");
  }

  @Test
  void aWitnessSignature_isNoneOfTheControlPlane() {
    SignerKey witness = SignerKey.generate("witness.example", KeyType.COSIGNATURE);
    assertThat(OutcomeNote.read(OutcomeNote.sign(COMMIT, KEY), List.of(witness.verifier())))
        .isInstanceOf(OutcomeReading.Refused.class);
  }

  @Test
  void aChangedTextUnderAGoodSignature_isRefused() {
    String note = new String(OutcomeNote.sign(COMMIT, KEY), StandardCharsets.UTF_8);
    for (String[] change :
        new String[][] {
          {"\"supports\"", "\"refutes\""}, {"claim/7", "claim/8"}, {"\"epoch\":2", "\"epoch\":3"},
        }) {
      assertThat(note).contains(change[0]);
      assertThat(fault(note.replace(change[0], change[1]).getBytes(StandardCharsets.UTF_8)))
          .isEqualTo("foreign_signature");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "core of strangers     |'core':['alice'|'core':['aaron'|impossible",
        "core unsorted         |['alice','bob','carol']|['bob','alice','carol']|impossible",
        "core empty            |['alice','bob','carol']|[]|impossible",
        "no verdict            |'verdict':'supports',||impossible",
        "no digest             |'digest'|'digset'|impossible",
        "reason of a commit    |'verdict':|'reason':'VERDICT_TIE','verdict':|impossible",
        "abort with a verdict  |'semantic_commit'|'abort'|impossible",
        "kind unknown          |'semantic_commit'|'commit'|impossible",
        "no encoder            |'enc','dim':384|'none','dim':0|impossible",
        "epoch 0               |'epoch':2|'epoch':0|impossible",
        "more than members     |'delivered':4|'delivered':5|impossible",
        "counts                |'runnerUp':1|'runnerUp':2|impossible",
        "member twice          |'dave'|'carol'|impossible",
        "cosMin NaN            |0.94|NaN|malformed",
        "cosMin 2              |0.94|2.0|impossible",
        "cosMin in other form  |0.94|0.940|malformed",
        "unknown member        |'delivered'|'x':1,'delivered'|malformed",
        "duplicate member      |'delivered':4|'delivered':4,'delivered':4|malformed",
        "member missing        |'support':3,||malformed",
        "other order           |'support':3,'runnerUp':1|'runnerUp':1,'support':3|malformed",
        "number as text        |'support':3|'support':'3'|malformed",
        "blank                 |{'round'|{ 'round'|malformed",
        "garbage behind        |000}|000}{}|malformed",
        "time below 0          |1750000000000|-1|impossible",
        "time too large        |1750000000000|9223372036854775808|malformed",
        "cut                   |000}|000|malformed",
      })
  void aSignedLie_isRefusedWithItsReason(
      String what, String part, String changed, String expected) {
    String lie = DOCUMENT.replace(part, changed == null ? "" : changed);
    assertThat(lie).as(what).isNotEqualTo(DOCUMENT);
    assertThat(fault(signed(lie))).as(what).isEqualTo(expected);
  }

  @Test
  void anotherDocumentUnderTheKey_isRefused() {
    assertThat(fault(Note.sign("log.example\n3\nAAAA\n", KEY).bytes())).isEqualTo("malformed");
    assertThat(
            fault(
                Note.sign(text(DOCUMENT).replace("parlance-outcome-1", "parlance-core-1"), KEY)
                    .bytes()))
        .isEqualTo("malformed");
    assertThat(fault(Note.sign(text(DOCUMENT) + "more\n", KEY).bytes())).isEqualTo("malformed");
  }

  @Test
  void anySignedChangeOfAByte_isRefused_orAnotherOutcomeWithThatText() {
    Random random = new Random(9);
    for (int i = 0; i < 3000; i++) {
      char[] document = DOCUMENT.replace('\'', '"').toCharArray();
      document[random.nextInt(document.length)] = (char) (' ' + random.nextInt(95));
      String changed = new String(document);
      if (read(signed(changed)) instanceof OutcomeReading.Good good) {
        assertThat(OutcomeNote.text(good.outcome())).isEqualTo(text(changed));
      }
    }
  }

  @Test
  void theLargestOutcomeFits() {
    List<String> members =
        java.util.stream.IntStream.range(10, 26).mapToObj(i -> "m".repeat(126) + i).toList();
    RoundOutcome large =
        new RoundOutcome(
            new RoundId("r".repeat(100), Long.MAX_VALUE),
            members,
            5,
            new Encoding("e".repeat(128), 8192, 0.12345678901234568),
            "verdict_commit",
            Optional.empty(),
            Optional.of("v".repeat(128)),
            16,
            16,
            0,
            members,
            Optional.of(HEX),
            Optional.of(HEX),
            Optional.empty(),
            Long.MAX_VALUE);
    assertThat(read(OutcomeNote.sign(large, KEY)))
        .isInstanceOfSatisfying(
            OutcomeReading.Good.class, good -> assertThat(good.outcome()).isEqualTo(large));
  }

  @Test
  void theNoteOfARoundIsThatOfItsOutcome() {
    LedgerWriter ledger = SampleRounds.write(1);
    for (Entry entry : ledger.entries()) {
      if (entry instanceof RoundEntry.Decided decided) {
        RoundOutcome outcome =
            OutcomeNote.outcome(ledger.state().round(decided.id()).orElseThrow()).orElseThrow();
        assertThat(outcome.kind()).isEqualTo(decided.outcome());
        assertThat(outcome.digest()).isEqualTo(decided.digest());
        assertThat(outcome.core()).isEqualTo(decided.core());
      }
    }
    assertThat(OutcomeNote.outcome(ledger.state().round("under-way").orElseThrow())).isEmpty();
    assertThat(OutcomeNote.outcome(ledger.state().round("sealed-only").orElseThrow())).isEmpty();
  }

  @Test
  void anOutcomeThatCannotBe_cannotBeMade() {
    assertThatThrownBy(() ->
            new RoundOutcome(
                ABORT.id(),
                ABORT.members(),
                1,
                Encoding.none(),
                "abort",
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                0,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                7))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
