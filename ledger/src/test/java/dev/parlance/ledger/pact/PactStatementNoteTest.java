package dev.parlance.ledger.pact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement.Charge;
import dev.parlance.ledger.pact.PactStatement.Counts;
import dev.parlance.ledger.pact.PactStatement.Detail;
import dev.parlance.ledger.pact.PactStatement.Dissolution;
import dev.parlance.ledger.pact.PactStatement.Observed;
import dev.parlance.ledger.pact.PactStatement.Progress;
import dev.parlance.ledger.pact.PactStatement.Report;
import dev.parlance.ledger.pact.PactStatement.Template;
import dev.parlance.ledger.pact.PactStatementNote.Fault;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.Predicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Statements in their one form, signed by whom they name. */
class PactStatementNoteTest {
  private static final SignerKey A = key("A", 1);

  private static SignerKey key(String name, int seed) {
    byte[] bytes = new byte[32];
    java.util.Arrays.fill(bytes, (byte) seed);
    return SignerKey.fromSeed(name, KeyType.ED25519, bytes);
  }

  static Stream<PactStatement> statements() {
    return Stream.of(
        new Template(
            "A",
            "support-enrich",
            2,
            OptionalInt.of(4),
            List.of(new Predicate("z", "scope", "fields=name"), new Predicate("a", "audit", "é"))),
        new Template(
            "A", "b", 1, OptionalInt.empty(), List.of(new Predicate("z", "scope", "fields=name"))),
        new Observed(
            "p-1",
            "A",
            "B",
            3,
            Progress.FINAL,
            10,
            new TreeMap<>(Map.of("p-scope", new Counts(9, 1, 0))),
            new TreeMap<>(Map.of(PactCategory.SCOPE, 1L, PactCategory.ACTION, 2L))),
        new Observed("p", "A", "B", 1, Progress.GOING_ON, 0, new TreeMap<>(), new TreeMap<>()),
        new Dissolution(
            "p-1",
            "A",
            Ending.WORK_COMPLETED,
            5,
            Optional.empty(),
            OptionalLong.empty(),
            Optional.empty()),
        new Dissolution(
            "p-1",
            "A",
            Ending.WORK_FAILED,
            5,
            Optional.of("f"),
            OptionalLong.empty(),
            Optional.empty()),
        new Dissolution(
            "p-1",
            "A",
            Ending.PARTY_WITHDREW,
            5,
            Optional.empty(),
            OptionalLong.of(1005),
            Optional.empty()),
        new Dissolution(
            "p-1",
            "A",
            Ending.VIOLATED,
            5,
            Optional.empty(),
            OptionalLong.empty(),
            Optional.of("B")),
        new Report(
            Charge.INCOMPATIBLE,
            "n-1",
            "A",
            "B",
            List.of(new Detail("p-out", "max_kb", "64", "128\n")),
            5),
        Report.escalating(
            new PactCase("n-1", "A", "B", "board", "p-1", 9),
            List.of(new Predicate("z", "output", "max_kb=9")),
            List.of(new Detail("z", "", "max_kb=9", "")),
            5),
        Template.deciding(
            new PactCase("n-1", "B", "C", "A", "p-1", 9),
            List.of(new Predicate("z", "output", "max_kb=9"))),
        Template.deciding(new PactCase("n-1", "B", "C", "A", "p-1", 9), List.of()),
        new Report(Charge.BAD_FAITH, "n-1", "A", "B", List.of(), 5));
  }

  @ParameterizedTest
  @MethodSource("statements")
  void statement_isReadBack_ifItsSignerSignedIt(PactStatement statement) {
    byte[] note = PactStatementNote.sign(statement, A);
    assertThat(PactStatementNote.verify(note, List.of(key("B", 2).verifier(), A.verifier())))
        .isEqualTo(
            new PactStatementNote.Reading.Good(statement, PactStatementNote.textSha256(statement)));
    assertThat(PactStatementNote.unverified(note))
        .isInstanceOf(PactStatementNote.Reading.Good.class);
    assertThat(fault(note, key("A", 2))).contains(Fault.BAD_SIGNATURE);
    assertThat(fault(note, key("B", 1))).contains(Fault.BAD_SIGNATURE);
    assertThatThrownBy(() -> PactStatementNote.sign(statement, key("B", 1)))
        .hasMessageContaining("expected the key of A");
  }

  @Test
  void text_isTheHeaderAndCanonicalJson() {
    assertThat(statements().map(PactStatementNote::text).toList())
        .contains(
            text(
                "template",
                "{'author':'A','max_counters':4,'name':'support-enrich','predicates':["
                    + "{'body':'fields=name','category':'scope','id':'z'},"
                    + "{'body':'é','category':'audit','id':'a'}],'version':2}"),
            text(
                "observed",
                "{'final':true,'messages':10,'observer':'A','pact':'p-1','party':'B',"
                    + "'predicates':{'p-scope':{'held':9,'unmeasured':0,'violated':1}},"
                    + "'seq':3,'violations':{'action':2,'scope':1}}"),
            text(
                "dissolution",
                "{'from':'A','pact':'p-1','reason':'violated','responsible':'B','t':5}"),
            text(
                "report",
                "{'details':[{'key':'max_kb','ours':'64','predicate':'p-out',"
                    + "'theirs':'128\\n'}],'kind':'incompatible','negotiation':'n-1',"
                    + "'party':'B','reporter':'A','t':5}"));
  }

  private static String text(String kind, String json) {
    return "parlance-pact-%s-1\n%s\n".formatted(kind, json.replace('\'', '"'));
  }

  private static Optional<Fault> fault(byte[] note, SignerKey key) {
    return PactStatementNote.verify(note, List.of(key.verifier()))
            instanceof PactStatementNote.Reading.Refused refused
        ? Optional.of(refused.fault())
        : Optional.empty();
  }

  private static Optional<Fault> fault(String text) {
    return fault(Note.sign(text, A).bytes(), A);
  }

  @ParameterizedTest
  @MethodSource("statements")
  void otherMembersOrTypes_areRefused_orAnotherStatementInItsOneForm(PactStatement statement) {
    String[] lines = PactStatementNote.text(statement).split("\n", -1);
    JsonNode document = GoldenPacts.json(lines[1]);
    List<JsonNode> changes = new ArrayList<>(GoldenPacts.changed(document, GoldenPacts.values()));
    ObjectNode more = (ObjectNode) document.deepCopy();
    changes.add(more.put("zusatz", 1));
    for (JsonNode change : changes) {
      String text = lines[0] + "\n" + GoldenPacts.text(change) + "\n";
      byte[] note = Note.sign(text, A).bytes();
      switch (PactStatementNote.verify(note, List.of(A.verifier()))) {
        case PactStatementNote.Reading.Good(PactStatement other, _) ->
            assertThat(PactStatementNote.text(other)).isEqualTo(text);
        case PactStatementNote.Reading.Refused refused ->
            assertThat(refused.fault()).isIn(Fault.MALFORMED, Fault.BAD_SIGNATURE);
      }
    }
    assertThat(fault(lines[0] + "\n" + PactJson.rfc8785(more) + "\n")).contains(Fault.MALFORMED);
  }

  @Test
  void otherFormsAndKinds_areMalformed() {
    String text = text("dissolution", "{'from':'A','pact':'p','reason':'work_completed','t':5}");
    assertThat(fault(text)).isEmpty();
    for (String other :
        List.of(
            text.replace("dissolution-1", "dissolution-2"),
            text.replace("dissolution-1", "note-1"),
            text.replace("dissolution-1", "observed-1"),
            text.replace("dissolution-1", "-1"),
            text.replace("parlance-", "other-"),
            text.replace(",\"t\":5", ", \"t\":5"),
            text.replace("\"t\":5", "\"t\":5.0"),
            text.replace("work_completed", "validity_expired"),
            text.replace("work_completed", "violated"),
            text.replace("work_completed\"", "work_completed\",\"responsible\":\"B\""),
            text + "\n",
            text + text)) {
      assertThat(fault(other)).as(other).contains(Fault.MALFORMED);
    }
    assertThat(fault("no note".getBytes(UTF_8), A)).contains(Fault.MALFORMED);
    assertThat(fault(new byte[45_001], A)).contains(Fault.TOO_LARGE);
  }
}
