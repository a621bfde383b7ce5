package dev.parlance.proxy.pact;

import dev.parlance.ledger.pact.PactMac.Stamp;
import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.gate.Pacts;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The header fields in which two sidecars name the pact of a message. */
final class PactFields {
  /**
   * {@code ID;HASH}, or {@code ID;refused=CODE}; {@code ID;refused=CODE;delivered} if the agent has
   * had the request and it is its answer that does not go on.
   */
  static final String PACT = "Parlance-Pact";

  /** Base64 of the initiator's signature, until the other side has answered. */
  static final String SIGNATURE = "Parlance-Pact-Signature";

  /** Base64 of the signature beside a ratification that an agent has written. */
  static final String RATIFICATION = "Parlance-Pact-Ratification";

  /** Stands for the pact where a message of a negotiation between agents is refused. */
  static final String NEGOTIATION = "negotiation";

  /**
   * What proves a message: of a request {@code EPOCH;NUMBER;CODE}, of an answer, and behind the
   * body of a stream, {@code CODE}; beside the refusal of a stamp the stamp that is expected, as a
   * request has it, and beside that of a pact a signature, as base64.
   */
  static final String PROOF = "Parlance-Pact-Proof";

  /**
   * {@code MILLISECONDS;CODE} beside the refusal of a stamp, and with a signature in place of the
   * code beside that of a pact: for how long the run of the sidecar that refuses has been there.
   */
  static final String UP = "Parlance-Pact-Up";

  private static final String REFUSED = "refused=";
  private static final String DELIVERED = ";delivered";
  private static final int LONGEST = 512;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_]{1,64}");
  private static final int MAX_PROOF = 96;
  private static final int MAX_DIGITS = 18;
  private static final int HEX = 16;

  private PactFields() {}

  /**
   * The pact that a message refers to.
   *
   * @param id of the pact; empty if it says nothing that can be read
   * @param refused code of the refusal, if it is one
   * @param delivered true if the agent had the request before that
   */
  record Reference(String id, String sha256, Optional<String> refused, boolean delivered) {
    /** Nothing. */
    static final Reference NOTHING = new Reference("", "", Optional.empty(), false);

    /**
     * True if the request under this pact was refused, for this reason, before any agent had it.
     */
    boolean refusedUnread(Pacts.Held pact, Reason reason) {
      return !delivered
          && id.equals(pact.id())
          && refused.filter(reason.code()::equals).isPresent();
    }

    boolean names(Pacts.Held pact) {
      return id.equals(pact.id()) && sha256.equals(pact.sha256());
    }
  }

  /** Takes the fields off a request; empty if they name no pact. */
  static Optional<Pacts.Named> take(HttpHeaders headers) {
    Optional<String> signature =
        Optional.ofNullable(headers.get(SIGNATURE)).filter(text -> text.length() <= LONGEST);
    headers.remove(SIGNATURE);
    Reference reference = reference(headers);
    return reference.id().isEmpty() || reference.refused().isPresent()
        ? Optional.empty()
        : Optional.of(new Pacts.Named(reference.id(), reference.sha256(), signature));
  }

  /** Takes the signature of a ratification off a message of the other side. */
  static Optional<String> ratification(HttpHeaders headers) {
    if (!headers.contains(RATIFICATION)) {
      return Optional.empty();
    }
    Optional<String> signature =
        headers.getAll(RATIFICATION).size() == 1
            ? Optional.ofNullable(headers.get(RATIFICATION))
                .filter(text -> text.length() <= LONGEST)
            : Optional.empty();
    headers.remove(RATIFICATION);
    return signature;
  }

  /** Takes the field off an answer. */
  static Reference reference(HttpHeaders headers) {
    if (headers.getAll(PACT).size() != 1) {
      headers.remove(PACT);
      return Reference.NOTHING;
    }
    String value = headers.get(PACT, "");
    headers.remove(PACT);
    int semicolon = value.indexOf(';');
    if (semicolon < 0 || value.length() > LONGEST) {
      return Reference.NOTHING;
    }
    String id = value.substring(0, semicolon);
    String rest = value.substring(semicolon + 1);
    if (!ID.matcher(id).matches()) {
      return Reference.NOTHING;
    }
    if (rest.startsWith(REFUSED)) {
      boolean delivered = rest.endsWith(DELIVERED);
      String code =
          rest.substring(
              REFUSED.length(), delivered ? rest.length() - DELIVERED.length() : rest.length());
      return CODE.matcher(code).matches()
          ? new Reference(id, "", Optional.of(code), delivered)
          : Reference.NOTHING;
    }
    return HASH.matcher(rest).matches()
        ? new Reference(id, rest, Optional.empty(), false)
        : Reference.NOTHING;
  }

  /**
   * What proves a message.
   *
   * @param text as it stands beside it; empty if nothing does
   * @param code where its code begins
   */
  record Proof(Stamp stamp, String text, int code) {
    /** There is none. */
    static final Proof NONE = new Proof(Stamp.NONE, "", 0);

    /** The text of one. */
    static String text(Stamp stamp, String code) {
      return Long.toUnsignedString(stamp.epoch(), HEX) + ";" + stamp.number() + ";" + code;
    }
  }

  /** Takes the proof off a message. */
  static Proof proof(HttpHeaders headers) {
    List<String> values = headers.getAll(PROOF);
    headers.remove(PROOF);
    String value = values.isEmpty() ? "" : values.getFirst();
    boolean isOne = values.size() == 1 && value.length() <= MAX_PROOF;
    int epochEnd = value.indexOf(';');
    int numberEnd = value.indexOf(';', epochEnd + 1);
    if (!isOne || (epochEnd >= 0 && numberEnd < 0)) {
      return Proof.NONE;
    }
    if (epochEnd < 0) {
      return new Proof(Stamp.NONE, value, 0);
    }
    try {
      long epoch = Long.parseUnsignedLong(value, 0, epochEnd, HEX);
      long number = Long.parseLong(value, epochEnd + 1, numberEnd, 10);
      return number < 1 || numberEnd - epochEnd > MAX_DIGITS
          ? Proof.NONE
          : new Proof(new Stamp(epoch, number), value, numberEnd + 1);
    } catch (NumberFormatException e) {
      return Proof.NONE;
    }
  }

  /**
   * For how long somebody says to have been there.
   *
   * @param ms 0 or more
   * @param text as it stands beside the message; empty if nobody says so
   * @param code where its code begins
   */
  record Up(long ms, String text, int code) {
    static final Up UNKNOWN = new Up(0, "", 0);
  }

  /** Takes the field off an answer. */
  static Up up(HttpHeaders headers) {
    List<String> values = headers.getAll(UP);
    headers.remove(UP);
    String value = values.isEmpty() ? "" : values.getFirst();
    int end = value.indexOf(';');
    if (values.size() != 1 || value.length() > 2 * MAX_PROOF || end < 1 || end > MAX_DIGITS) {
      return Up.UNKNOWN;
    }
    try {
      return new Up(Long.parseUnsignedLong(value, 0, end, 10), value, end + 1);
    } catch (NumberFormatException e) {
      return Up.UNKNOWN;
    }
  }

  /** Names the pact beside a message. */
  static void write(HttpHeaders headers, Pacts.Held pact) {
    headers.set(PACT, pact.named());
  }

  /**
   * What stands beside the refusal of a message that named this pact.
   *
   * @param delivered true if it is the answer that is refused
   */
  static String refused(String id, String code, boolean delivered) {
    return id + ";" + REFUSED + code + (delivered ? DELIVERED : "");
  }
}
