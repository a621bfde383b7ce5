package dev.parlance.proxy.control;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.ledger.record.BoardNote;
import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.proto.v1.SignedBoard;
import dev.parlance.proto.v1.SignedCore;
import dev.parlance.proxy.gate.Lexicons;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Signed cores and boards for tests, good ones and others. */
public final class Signed {
  /** Of alice's and bob's talk in the context "ctx-1". */
  static final String BOARD = Lexicons.boardOf("ctx-1");

  public static final SignerKey KEY = key("control.example", 1);
  public static final SignerKey FOREIGN = key("mallory.example", 2);
  public static final CoreId ALICE_BOB = new CoreId(List.of("alice", "bob"), "license");

  private Signed() {}

  private static SignerKey key(String name, int seed) {
    byte[] bytes = new byte[32];
    bytes[0] = (byte) seed;
    return SignerKey.fromSeed(name, KeyType.ED25519, bytes);
  }

  /** A core of alice and bob in which these terms are certified, and "liability" is refused. */
  public static CertifiedCore core(long version, String... certified) {
    return core(ALICE_BOB, version, certified);
  }

  public static CertifiedCore core(CoreId id, long version, String... certified) {
    return core(id, version, TermStatus.CERTIFIED, certified);
  }

  /** A core in which these terms have this status. */
  public static CertifiedCore core(CoreId id, long version, TermStatus status, String... keys) {
    List<GovernedTerm> terms =
        Stream.concat(
                Arrays.stream(keys).map(key -> new GovernedTerm(key, status, Optional.empty())),
                Stream.of(new GovernedTerm("liability", TermStatus.REFUSED, Optional.empty())))
            .sorted(Comparator.comparing(GovernedTerm::key))
            .toList();
    return new CertifiedCore(
        id.agents(),
        id.domain(),
        version,
        1_700_000_000_000L,
        CertificationParams.DEFAULT,
        terms,
        42);
  }

  public static byte[] note(CertifiedCore core) {
    return CoreNote.sign(core, KEY);
  }

  /** The signed text of a core with something replaced. */
  public static byte[] altered(CertifiedCore core, String from, String to) {
    String text = CoreNote.text(core);
    String changed = text.replace(from, to);
    if (changed.equals(text)) {
      throw new IllegalArgumentException(from + " is not in " + text);
    }
    return Note.sign(changed, KEY).bytes();
  }

  public static SignedCore push(CertifiedCore core) {
    return push(core.id(), core.version(), note(core));
  }

  public static SignedCore push(CoreId id, long version, byte[] note) {
    return SignedCore.newBuilder()
        .setId(
            dev.parlance.proto.v1.CoreId.newBuilder()
                .addAllAgents(id.agents())
                .setDomain(id.domain()))
        .setVersion(version)
        .setNote(ByteString.copyFrom(note))
        .build();
  }

  /** A board whose terms are active; its changes and number as a ledger would have them. */
  static SignedBoard board(long revision, long changes, long number, String... terms) {
    return board(revision, changes, number, Optional.empty(), false, terms);
  }

  /** A board whose terms are in a plan of this domain. */
  static SignedBoard board(
      long revision,
      long changes,
      long number,
      Optional<String> domain,
      boolean repaired,
      String... terms) {
    return board(
        revision,
        changes,
        number,
        LexiconEntry.Share.AUTO,
        Arrays.stream(terms)
            .map(term -> term(term, CoinedStatus.ACTIVE, domain, repaired))
            .toList());
  }

  /** A term that bob has coined. */
  static BoardDocument.Term term(
      String term, CoinedStatus status, Optional<String> domain, boolean repaired) {
    return new BoardDocument.Term(
        "public",
        term,
        BoardRules.key(term),
        "how far it moves",
        1,
        status,
        false,
        "bob",
        0,
        false,
        0,
        0,
        0,
        0,
        0,
        0,
        domain.map(_ -> "plan"),
        domain,
        repaired);
  }

  /** A board of alice's and bob's talk. */
  static SignedBoard board(
      long revision,
      long changes,
      long number,
      LexiconEntry.Share share,
      List<BoardDocument.Term> terms) {
    BoardDocument document =
        new BoardDocument(
            BOARD,
            revision,
            changes,
            number,
            4,
            Optional.empty(),
            100,
            share,
            List.of(new LexiconEntry.Group("crew", List.of("alice", "bob"))),
            terms);
    return SignedBoard.newBuilder()
        .setBoard(BOARD)
        .setRevision(revision)
        .setNote(ByteString.copyFrom(BoardNote.sign(document, Signed.KEY)))
        .build();
  }
}
