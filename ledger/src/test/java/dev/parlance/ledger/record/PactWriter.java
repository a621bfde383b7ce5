package dev.parlance.ledger.record;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactDocument.Term;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatement.Progress;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.Predicate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Entries about pacts of two parties, signed as they must be. */
final class PactWriter {
  static final String BUYER = "org1/buyer";
  static final String SELLER = "org2/seller";
  static final SignerKey BUYER_KEY = signer(BUYER, 1);
  static final SignerKey SELLER_KEY = signer(SELLER, 1);
  static final SignerKey BOARD_KEY = signer("board-1", 1);

  private PactWriter() {}

  /** One of a party's keys, always the same. */
  static SignerKey signer(String party, int number) {
    String seed = Digest.of((party + " " + number).getBytes(StandardCharsets.UTF_8));
    return SignerKey.fromSeed(party, KeyType.ED25519, HexFormat.of().parseHex(seed));
  }

  static PactEntry.PartyKey key(SignerKey key, long overlapMs, long atMs) {
    return new PactEntry.PartyKey(key.name(), key.verifier().format(), overlapMs, atMs);
  }

  static PactDocument document(String pact, long startMs, long endMs) {
    List<Term> terms = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      String body =
          switch (category) {
            case TERMINATION -> "notice_ms=1000";
            case DISPUTE -> "arbiter=board-1";
            default -> "x";
          };
      terms.add(new Term.Open(new Predicate("q." + category.code(), category.code(), body)));
    }
    return new PactDocument(
        pact, "n-" + pact, BUYER, SELLER, "ab".repeat(32), startMs, endMs, terms);
  }

  static PactEntry.Attested attested(
      PactDocument document, SignerKey buyer, SignerKey seller, long atMs) {
    byte[] note =
        PactNote.bytes(document, PactNote.sign(document, buyer), PactNote.sign(document, seller));
    return new PactEntry.Attested(
        document.pact(), PactNote.textSha256(document), BUYER, PactEntry.encoded(note), atMs);
  }

  /** Made in the place of another pact. */
  static PactEntry.Attested replacing(String old, PactDocument document, long atMs) {
    return attested(
        new PactDocument(
            document.pact(),
            document.negotiation(),
            document.initiator(),
            document.responder(),
            document.history(),
            document.startMs(),
            document.endMs(),
            document.terms(),
            Optional.of(old)),
        BUYER_KEY,
        SELLER_KEY,
        atMs);
  }

  static PactEntry.Attested attested(String pact, long atMs) {
    return attested(document(pact, 1000, 100_000), BUYER_KEY, SELLER_KEY, atMs);
  }

  static PactEntry.Dissolved dissolved(
      String pact, SignerKey from, String reason, long atMs, OptionalLong effectiveMs) {
    return dissolved(pact, from, reason, atMs, effectiveMs, atMs);
  }

  /** What a party has said before the ledger has it. */
  static PactEntry.Dissolved dissolved(
      String pact,
      SignerKey from,
      String reason,
      long saidAtMs,
      OptionalLong effectiveMs,
      long atMs) {
    boolean failed = reason.equals("work_failed");
    Optional<String> violator =
        reason.equals("violated")
            ? Optional.of(from.name().equals(BUYER) ? SELLER : BUYER)
            : Optional.empty();
    PactStatement.Dissolution said =
        new PactStatement.Dissolution(
            pact,
            from.name(),
            Ending.ofCode(reason).orElseThrow(),
            saidAtMs,
            failed ? Optional.of("q.failure") : Optional.empty(),
            effectiveMs,
            violator);
    Optional<String> responsible =
        reason.equals("party_withdrew") ? Optional.of(from.name()) : violator;
    return new PactEntry.Dissolved(
        pact, from.name(), reason, responsible, signed(said, from), atMs);
  }

  static PactEntry.Dissolved dissolved(String pact, SignerKey from, String reason, long atMs) {
    return dissolved(
        pact,
        from,
        reason,
        atMs,
        reason.equals("party_withdrew") ? OptionalLong.of(atMs + 1000) : OptionalLong.empty());
  }

  static PactEntry.Dissolved ofControl(
      String pact, String reason, Optional<String> responsible, long atMs) {
    return new PactEntry.Dissolved(pact, "control", reason, responsible, Optional.empty(), atMs);
  }

  static PactEntry.Dissolved decision(
      String pact, String ending, Optional<String> responsible, long atMs) {
    return decision(pact, BOARD_KEY, ending, responsible, atMs);
  }

  static PactEntry.Dissolved decision(
      String pact, SignerKey by, String ending, Optional<String> responsible, long atMs) {
    PactStatement.Decision said =
        new PactStatement.Decision(
            pact, by.name(), Ending.ofCode(ending).orElseThrow(), responsible, atMs);
    return new PactEntry.Dissolved(
        pact, "arbiter:" + by.name(), ending, responsible, signed(said, by), atMs);
  }

  static Optional<String> signed(PactStatement said, SignerKey key) {
    return Optional.of(PactEntry.encoded(PactStatementNote.sign(said, key)));
  }

  static PactEntry.Observed observed(
      String pact, SignerKey by, long sequence, long messages, long scope, Progress progress) {
    PactStatement.Observed said =
        new PactStatement.Observed(
            pact,
            by.name(),
            by.name().equals(BUYER) ? SELLER : BUYER,
            sequence,
            progress,
            messages,
            new TreeMap<>(),
            scope == 0 ? new TreeMap<>() : new TreeMap<>(Map.of(PactCategory.SCOPE, scope)));
    return new PactEntry.Observed(pact, by.name(), signed(said, by).orElseThrow(), 5000);
  }

  /** The case of the buyer with the seller that the arbiter may decide before 5,000 ms. */
  static PactCase handed(String arbiter) {
    return new PactCase("n-7", BUYER, SELLER, arbiter, "p-7", 5000);
  }

  static PactEntry.Reported escalated(PactCase open) {
    return escalated(open, Optional.of(SELLER_KEY));
  }

  /**
   * The same with the signature of this key as the seller's.
   *
   * @param other empty if only the buyer has signed
   */
  static PactEntry.Reported escalated(PactCase open, Optional<SignerKey> other) {
    PactStatement.Report said =
        PactStatement.Report.escalating(
            open,
            List.of(new Predicate("size", "output", "max_kb=9")),
            List.of(new PactStatement.Detail("size", "", "max_kb=9", "max_kb=5")),
            1900);
    byte[] note = PactStatementNote.sign(said, BUYER_KEY);
    byte[] both =
        other
            .map(key -> PartyProof.sign(said, key))
            .flatMap(line -> PactStatementNote.cosigned(note, said.party(), line))
            .orElse(note);
    return new PactEntry.Reported(
        said.negotiation(), said.reporter(), PactEntry.encoded(both), 1900);
  }

  /** A case decided; with a body, or without one refused. */
  static PactEntry.TemplatePut settled(PactCase of, SignerKey by, List<String> bodies, long atMs) {
    PactStatement.Template said =
        PactStatement.Template.deciding(
            of, bodies.stream().map(body -> new Predicate("size", "output", body)).toList());
    return put(said, by, atMs);
  }

  static PactEntry.TemplatePut put(PactStatement.Template template, SignerKey key) {
    return put(template, key, 2000);
  }

  static PactEntry.TemplatePut put(PactStatement.Template template, SignerKey key, long atMs) {
    return new PactEntry.TemplatePut(
        template.name(),
        template.version(),
        template.author(),
        PactStatementNote.textSha256(template),
        signed(template, key).orElseThrow(),
        atMs);
  }
}
