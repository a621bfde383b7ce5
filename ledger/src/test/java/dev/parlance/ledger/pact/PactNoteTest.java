package dev.parlance.ledger.pact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactDocument.Opening;
import dev.parlance.ledger.pact.PactDocument.Term;
import dev.parlance.ledger.pact.PactNote.Fault;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.Predicate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Attestations against the golden vectors, and what the convention says beyond them. */
class PactNoteTest {
  private static final SignerKey A = key("A", 1);
  private static final SignerKey B = key("B", 2);
  private static final List<VerifierKey> BOTH = List.of(A.verifier(), B.verifier());
  private static final String SALT = "0123456789abcdef".repeat(4);

  private static SignerKey key(String name, int seed) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) seed);
    return SignerKey.fromSeed(name, KeyType.ED25519, bytes);
  }

  private static List<Term> terms() {
    List<Term> terms = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      terms.add(new Term.Open(new Predicate("p-" + category.code(), category.code(), "x=1")));
    }
    return terms;
  }

  private static PactDocument pact(List<Term> terms) {
    return new PactDocument("pact-1", "neg-1", "A", "B", "ab".repeat(32), 1000, 61_000, terms);
  }

  private static byte[] note(PactDocument document) {
    return PactNote.bytes(document, PactNote.sign(document, A), PactNote.sign(document, B));
  }

  private static Optional<Fault> fault(byte[] note, List<VerifierKey> keys) {
    return PactNote.verify(note, keys) instanceof PactNote.Reading.Refused refused
        ? Optional.of(refused.fault())
        : Optional.empty();
  }

  static Stream<GoldenPacts.Vector> made() {
    return GoldenPacts.vectors("pact-notes").filter(one -> one.in().has("seeds"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("made")
  void note_hasExactlyTheseBytes(GoldenPacts.Vector vector) {
    JsonNode in = vector.in();
    String pact = in.path("pact").stringValue();
    List<Term> terms = new ArrayList<>();
    for (JsonNode one : in.path("predicates")) {
      Predicate predicate =
          new Predicate(
              one.path("id").stringValue(),
              one.path("category").stringValue(),
              one.path("body").stringValue());
      terms.add(
          one.hasNonNull("salt")
              ? PactDocument.hidden(pact, predicate, one.path("salt").stringValue())
              : new Term.Open(predicate));
    }
    PactDocument document =
        new PactDocument(
            pact,
            in.path("negotiation").stringValue(),
            in.path("parties").path(0).stringValue(),
            in.path("parties").path(1).stringValue(),
            in.path("history").stringValue(),
            in.path("validity").path(0).longValue(),
            in.path("validity").path(1).longValue(),
            terms);
    byte[] note =
        PactNote.bytes(
            document,
            PactNote.sign(document, signer(in, document.initiator())),
            PactNote.sign(document, signer(in, document.responder())));
    assertThat(new String(note, UTF_8)).isEqualTo(vector.out().path("note").stringValue());
  }

  private static SignerKey signer(JsonNode in, String party) {
    byte[] seed = HexFormat.of().parseHex(in.path("seeds").path(party).stringValue());
    return SignerKey.fromSeed(party, KeyType.ED25519, seed);
  }

  static Stream<GoldenPacts.Vector> verified() {
    return GoldenPacts.vectors("pact-notes").filter(one -> one.in().has("note"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("verified")
  void note_isVerifiedAsItHasTo(GoldenPacts.Vector vector) {
    JsonNode in = vector.in();
    List<VerifierKey> keys =
        in.path("keys")
            .valueStream()
            .map(one -> VerifierKey.parse(one.stringValue()).orThrow())
            .toList();
    List<Opening> openings =
        in.path("openings")
            .valueStream()
            .map(one ->
                new Opening(
                    one.path("id").stringValue(),
                    one.path("salt").stringValueOpt(),
                    one.path("body").stringValueOpt()))
            .toList();
    JsonNode out = vector.out();
    switch (PactNote.verify(in.path("note").stringValue().getBytes(UTF_8), keys)) {
      case PactNote.Reading.Refused(Fault fault, _, Optional<String> party) -> {
        assertThat(out.path("valid").asBoolean()).isFalse();
        assertThat(fault.code()).isEqualTo(out.path("fault").stringValue());
        assertThat(party).isEqualTo(out.path("party").stringValueOpt());
      }
      case PactNote.Reading.Good(PactDocument document, String textSha256, _) -> {
        assertThat(out.path("valid").asBoolean()).isTrue();
        assertThat(document.pact()).isEqualTo(out.path("pact").stringValue());
        assertThat(document.statusAt(in.path("at").longValue()).code())
            .isEqualTo(out.path("status").stringValue());
        assertThat(textSha256).isEqualTo(out.path("textSha256").stringValue());
        PactDocument.Opened opened = document.open(openings);
        assertThat(opened.predicatesHash()).isEqualTo(out.path("predicatesHash").stringValueOpt());
        assertThat(opened.byId().keySet())
            .containsExactlyInAnyOrderElementsOf(out.path("opened").propertyNames());
        opened
            .byId()
            .forEach(
                (id, is) -> assertThat(is).isEqualTo(out.path("opened").path(id).booleanValue()));
      }
    }
  }

  @Test
  void oneChangedByte_anywhere_isRefused() {
    byte[] note = note(pact(terms()));
    assertThat(fault(note, BOTH)).isEmpty();
    for (int i = 0; i < note.length; i++) {
      byte[] changed = note.clone();
      changed[i] ^= 1;
      assertThat(fault(changed, BOTH)).as("byte %d", i).isPresent();
    }
  }

  @Test
  void documentWithAnotherMemberOrType_isMalformed_whoeverSignedIt() {
    JsonNode document = GoldenPacts.json(PactNote.text(pact(terms())).split("\n", -1)[1]);
    List<JsonNode> changes = GoldenPacts.changed(document, GoldenPacts.values());
    for (String name : document.propertyNames()) {
      JsonNode without = document.deepCopy();
      ((ObjectNode) without).remove(name);
      changes.add(without);
    }
    ObjectNode more = (ObjectNode) document.deepCopy();
    changes.add(more.put("zusatz", 1));
    ObjectNode inner = (ObjectNode) document.deepCopy();
    ((ObjectNode) inner.path("predicates").path(0)).put("rationale", "r");
    changes.add(inner);
    int stillGood = 0;
    for (JsonNode change : changes) {
      String text = "parlance-pact-note-1\n" + GoldenPacts.text(change) + "\n";
      byte[] note = Note.sign(text, A).with(Note.sign(text, B).signatures().getFirst()).bytes();
      Optional<Fault> fault = fault(note, BOTH);
      if (fault.isEmpty()) {
        stillGood++; // a body may be any text
      } else {
        assertThat(fault).as(text).contains(Fault.PACT_MALFORMED);
      }
    }
    assertThat(stillGood).isEqualTo(8 * 2); // "" and "no name" in each body
  }

  @Test
  void timesAndDigests_areWrittenInOneWayOnly() {
    String text = PactNote.text(pact(terms()));
    for (String other :
        List.of(
            text.replace("[1000,", "[1000.0,"),
            text.replace("[1000,", "[1e3,"),
            text.replace("[1000,", "[-0,"),
            text.replace("[1000,", "[01000,"),
            text.replace("61000]", "9007199254740992]"),
            text.replace("61000]", "61000,62000]"),
            text.replace("[1000,", "[\"1000\","),
            text.replace("\"x=1\"", "\"x\\u003d1\""),
            text.replace("\"x=1\"", "\"\\ud800\""),
            text.replace("\"x=1\"", "\"x\\/1\""),
            text.replace("parlance-pact-note-1\n", "parlance-pact-note-1 \n"),
            text.replace("parlance-pact-note-1\n", "parlance-pact-note-1\n\n"),
            text.replace("}\n", "} \n"),
            text.replace("\"pact\":\"pact-1\"", "\"pact\":\"pact-1\",\"pact\":\"pact-1\""),
            text.replace("\"category\":\"audit\"", "\"category\":\"Audit\""),
            text.replace("p-audit", "p audit"),
            text.replace("[\"A\",\"B\"]", "[\"A\",\"B\",\"C\"]"))) {
      assertThat(other).isNotEqualTo(text);
      byte[] note = Note.sign(other, A).with(Note.sign(other, B).signatures().getFirst()).bytes();
      assertThat(fault(note, BOTH)).as(other).contains(Fault.PACT_MALFORMED);
    }
  }

  @Test
  void bodyWithControlCharacters_isEscapedInTheOneWay() {
    List<Term> terms = terms();
    terms.set(
        0,
        new Term.Open(new Predicate("p-scope", "scope", "\b\t\n\f\r\u0001\u001f\u007f\"\\/é😀")));
    String text = PactNote.text(pact(terms));
    assertThat(text).contains("\"\\b\\t\\n\\f\\r\\u0001\\u001f\u007f\\\"\\\\/é😀\"");
    assertThat(fault(note(pact(terms)), BOTH)).isEmpty();
  }

  @Test
  void lineOfAKnownKeyThatDoesNotHold_spoilsTheNote_thoseOfStrangersDoNot() {
    PactDocument document = pact(terms());
    SignerKey carol = key("C", 3);
    NoteSignature elsewhere = PactNote.sign(pact(List.copyOf(terms().reversed())), carol);
    NoteSignature otherBytes = Note.sign("something else\n", carol).signatures().getFirst();
    Note good = new Note(PactNote.text(document), List.of(elsewhere, otherBytes));
    byte[] note = good.with(PactNote.sign(document, B)).with(PactNote.sign(document, A)).bytes();
    assertThat(fault(note, BOTH)).isEmpty();
    assertThat(fault(note, List.of(A.verifier(), B.verifier(), carol.verifier()))).isEmpty();
    NoteSignature bad = Note.sign("something else\n", A).signatures().getFirst();
    byte[] spoilt =
        good.with(PactNote.sign(document, B)).with(PactNote.sign(document, A)).with(bad).bytes();
    assertThat(fault(spoilt, BOTH)).contains(Fault.NOTE_BAD_SIGNATURE);
    // whatever the other lines say: also where a party is missing
    byte[] alone = new Note(PactNote.text(document), List.of(bad)).bytes();
    assertThat(fault(alone, BOTH)).contains(Fault.NOTE_BAD_SIGNATURE);
  }

  @Test
  void rotation_eitherKeyCounts_butNotOneThatTheOtherPartySignedWith() {
    PactDocument document = pact(terms());
    SignerKey older = key("B", 4);
    SignerKey shared = key("B", 1);
    byte[] note =
        PactNote.bytes(document, PactNote.sign(document, A), PactNote.sign(document, older));
    List<VerifierKey> keys =
        List.of(older.verifier(), A.verifier(), B.verifier(), shared.verifier());
    assertThat(fault(note, keys)).isEmpty();
    assertThat(fault(note, BOTH)).contains(Fault.PACT_NOT_SIGNED);
    byte[] same =
        PactNote.bytes(document, PactNote.sign(document, A), PactNote.sign(document, shared));
    assertThat(fault(same, keys)).contains(Fault.PACT_SAME_KEY);
    // a witness's key of the same bytes is another algorithm
    SignerKey witness = SignerKey.fromSeed("B", KeyType.COSIGNATURE, new byte[32]);
    assertThat(fault(note, List.of(A.verifier(), witness.verifier())))
        .contains(Fault.PACT_NOT_SIGNED);
  }

  @Test
  void missingSignature_namesTheInitiatorFirst() {
    PactDocument document = pact(terms());
    byte[] note =
        new Note(PactNote.text(document), List.of(PactNote.sign(document, key("C", 3)))).bytes();
    assertThat(PactNote.verify(note, BOTH))
        .isInstanceOfSatisfying(
            PactNote.Reading.Refused.class, refused -> assertThat(refused.party()).contains("A"));
    assertThat(PactNote.unverified(note)).isInstanceOf(PactNote.Reading.Good.class);
  }

  @Test
  void form_isCheckedBeforeTheDocument_andThatBeforeTheSignatures() {
    assertThat(fault(new byte[(1 << 20) + 1], BOTH)).contains(Fault.NOTE_TOO_LARGE);
    assertThat(fault("a\tb".getBytes(UTF_8), BOTH)).contains(Fault.NOTE_BAD_CHARACTER);
    assertThat(fault(new byte[] {(byte) 0xff, '\n'}, BOTH)).contains(Fault.NOTE_BAD_CHARACTER);
    assertThat(fault("a\n\n".getBytes(UTF_8), BOTH)).contains(Fault.NOTE_NO_SIGNATURES);
    assertThat(fault("a\n\nb\n".getBytes(UTF_8), BOTH)).contains(Fault.NOTE_BAD_SIGNATURE_LINE);
    assertThat(fault("a\n\n— A AAAAAAA=\n".getBytes(UTF_8), BOTH)).contains(Fault.PACT_MALFORMED);
    assertThat(fault("a\n\n— A AAAAAA==\n".getBytes(UTF_8), BOTH))
        .contains(Fault.NOTE_BAD_SIGNATURE_LINE);
  }

  @Test
  void privatePredicate_opensWithItsOwnSaltBodyAndPactOnly() {
    List<Term> terms = terms();
    Predicate hidden = new Predicate("p-scope", "scope", "");
    terms.set(0, PactDocument.hidden("pact-1", hidden, SALT));
    PactDocument document = pact(terms);
    assertThat(PactNote.text(document)).doesNotContain("\"body\":\"\"");
    assertThat(document.open(List.of()).predicatesHash()).isEmpty();
    Opening right = new Opening("p-scope", Optional.of(SALT), Optional.of(""));
    assertThat(document.open(List.of(right)).byId())
        .containsExactly(java.util.Map.entry("p-scope", true));
    List<Predicate> all =
        new ArrayList<>(
            terms.subList(1, 8).stream().map(one -> ((Term.Open) one).predicate()).toList());
    all.add(hidden);
    assertThat(document.open(List.of(right)).predicatesHash()).contains(Predicate.hash(all));
    for (Opening wrong :
        List.of(
            new Opening("p-scope", Optional.empty(), Optional.of("")),
            new Opening("p-scope", Optional.of(SALT), Optional.empty()),
            new Opening("p-scope", Optional.of(SALT + "\n"), Optional.of("")),
            new Opening("p-action", Optional.of(SALT), Optional.of("x=1")))) {
      PactDocument.Opened opened = document.open(List.of(wrong, right));
      assertThat(opened.byId().get(wrong.id())).isFalse();
      assertThat(opened.predicatesHash().isPresent()).isEqualTo(!wrong.id().equals("p-scope"));
    }
  }

  @Test
  void impossibleDocument_isNotMade() {
    assertThatThrownBy(() -> pact(terms().subList(0, 7))).hasMessageContaining("TERMINATION");
    List<Term> twice = terms();
    twice.add(twice.getFirst());
    assertThatThrownBy(() -> pact(twice)).hasMessageContaining("twice");
    assertThatThrownBy(() -> new PactDocument("p@1", "n", "A", "B", "ab".repeat(32), 0, 1, terms()))
        .hasMessageContaining("expected a name");
    assertThatThrownBy(() -> PactDocument.hidden("p", new Predicate("a", "scope", ""), "AB"))
        .hasMessageContaining("hex");
  }
}
