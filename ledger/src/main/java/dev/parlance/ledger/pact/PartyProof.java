package dev.parlance.ledger.pact;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactMembers.BadMember;
import dev.parlance.ledger.tree.StrictBase64;
import dev.parlance.policy.pact.PactEvent;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What shows that a party is who it says before anything is done for it.
 *
 * <pre>
 *   invitation  "proof" beside the batch: the inviting party's signature on the message
 *   challenge   "challenge" of who is about to send words under a pact, to an address where its
 *               other party has not been seen yet; "proof" in the answer: a code of that pact
 *   case        "case" of who hands a negotiation to an arbiter: its signed report, as base64;
 *               "proof" in the answer: the other party's signature under the same text. Beside an
 *               invitation that offers the decision it is the report with both signatures
 *   refusal     beside the refusal of a request whose pact is not known, or has ended: the
 *               signature of who has not delivered it
 * </pre>
 */
public final class PartyProof {
  private static final String INVITATION = "parlance pact invitation\n";
  private static final String REFUSAL = "parlance pact refusal\n";

  private PartyProof() {}

  /**
   * Asks for a code of a pact.
   *
   * @param nonce drawn at random by who asks
   * @param signature of the initiator, as long as the other side may not have it
   */
  public record Challenge(String pact, String sha256, String nonce, Optional<String> signature) {
    /** The bytes of a batch. */
    public byte[] bytes() {
      ObjectNode batch = JsonNodeFactory.instance.objectNode();
      batch.putArray("messages");
      ObjectNode node = batch.putObject("challenge");
      node.put("pact", pact).put("sha256", sha256).put("nonce", nonce);
      signature.ifPresent(text -> node.put("signature", text));
      return PactJson.ascii(batch).getBytes(StandardCharsets.US_ASCII);
    }

    static Challenge of(PactMembers in) throws BadMember {
      return new Challenge(
          in.text("pact"), in.text("sha256"), in.text("nonce"), in.optionalText("signature"));
    }
  }

  /** The answer to a challenge. */
  public static byte[] answer(String code) {
    ObjectNode batch = JsonNodeFactory.instance.objectNode();
    batch.putArray("messages");
    return PactJson.ascii(batch.put("proof", code)).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Asks the other party of a negotiation to sign that it goes to an arbiter.
   *
   * @param report signed by who asks
   */
  public static byte[] handingOver(byte[] report) {
    ObjectNode batch = JsonNodeFactory.instance.objectNode();
    batch.putArray("messages");
    return PactJson.ascii(batch.put("case", StrictBase64.encode(report)))
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Base64 of the signature under a case that the other party hands over; it is answered so. */
  public static String sign(PactStatement.Report handed, SignerKey key) {
    return Note.sign(PactStatementNote.text(handed), key).signatures().getFirst().base64();
  }

  /** Base64 of the signature on an invitation. */
  public static String sign(PactEvent.Message invitation, SignerKey key) {
    return Note.sign(text(invitation), key).signatures().getFirst().base64();
  }

  /** Whether one of these keys has signed an invitation. */
  public static boolean holds(
      PactEvent.Message invitation, String signature, Collection<VerifierKey> keys) {
    Optional<NoteSignature> line = NoteSignature.of(invitation.from(), signature);
    String text = text(invitation);
    return line.isPresent() && keys.stream().anyMatch(key -> key.verifies(text, line.get()));
  }

  /**
   * Base64 of the signature on the word that a request was not delivered.
   *
   * @param pact id of the one that it names
   * @param code why
   * @param proof that the request brings, as it stands beside it
   */
  public static String refuse(String pact, String code, String proof, SignerKey key) {
    return Note.sign(refusal(pact, code, proof), key).signatures().getFirst().base64();
  }

  /** Whether this key has signed that the request was not delivered. */
  public static boolean refuses(
      String pact, String code, String proof, String signature, VerifierKey key) {
    return NoteSignature.of(key.name(), signature)
        .filter(line -> key.verifies(refusal(pact, code, proof), line))
        .isPresent();
  }

  private static String refusal(String pact, String code, String proof) {
    return REFUSAL + pact + "\n" + code + "\n" + proof + "\n";
  }

  /** The bytes of a batch; one that begins with an invitation is proven. */
  public static byte[] batch(List<PactEvent.Message> messages, SignerKey key) {
    return batch(messages, key, Optional.empty());
  }

  /**
   * The same beside the case whose decision is offered.
   *
   * @param handedOver the report with the signatures of both
   */
  public static byte[] batch(
      List<PactEvent.Message> messages, SignerKey key, Optional<byte[]> handedOver) {
    boolean invites =
        !messages.isEmpty() && messages.getFirst().body() instanceof PactEvent.Invocation;
    return PactMessages.write(
        messages,
        Optional.empty(),
        invites ? Optional.of(sign(messages.getFirst(), key)) : Optional.empty(),
        handedOver.filter(_ -> invites).map(StrictBase64::encode));
  }

  private static String text(PactEvent.Message invitation) {
    return INVITATION + invitation.canonical() + "\n";
  }
}
