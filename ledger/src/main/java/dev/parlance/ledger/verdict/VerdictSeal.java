package dev.parlance.ledger.verdict;

import dev.parlance.ledger.note.Hmac;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.tree.StrictBase64;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * What proves a verdict: codes that only its receivers can check, one for each key that it may
 * have, or a signature for who has none that is known, and for what is kept.
 *
 * <pre>
 * code       m=KEY:CODE,KEY:CODE,..   first half of an HMAC-SHA-256 under the key of both sidecars
 * signature  s=BASE64                 Ed25519
 * over       "parlance-verdict-1\n", the text of the verdict, line feed, the ASP header beside it
 * </pre>
 */
public final class VerdictSeal {
  /** Most keys of one receiver that get codes; of more it gets a signature. */
  public static final int MAX_CODES = 8;

  private static final byte[] PREFIX = "parlance-verdict-1\n".getBytes(StandardCharsets.US_ASCII);
  private static final String CODES = "m=";
  private static final String SIGNATURE = "s=";

  private VerdictSeal() {}

  /**
   * A key of the receiver.
   *
   * @param secret what it shares with the key of the sender
   */
  public record Receiver(String keyId, Hmac secret) {}

  /**
   * The verdict for a receiver whose keys are known.
   *
   * @param header the ASP header that goes beside it; may be empty
   * @param receivers 1 to {@value #MAX_CODES}
   */
  public static String coded(MessageVerdict verdict, String header, List<Receiver> receivers) {
    String text = verdict.text();
    byte[] proven = proven(text, header);
    StringBuilder field = new StringBuilder(text).append(';').append(CODES);
    String separator = "";
    for (Receiver receiver : receivers) {
      field.append(separator).append(receiver.keyId).append(':');
      field.append(receiver.secret.tag(PREFIX, proven));
      separator = ",";
    }
    return field.toString();
  }

  /** The verdict for anybody. */
  public static String signed(MessageVerdict verdict, String header, SignerKey key) {
    String text = verdict.text();
    return text
        + ';'
        + SIGNATURE
        + StrictBase64.encode(key.signBytes(prefixed(proven(text, header))));
  }

  private static byte[] proven(String text, String header) {
    return (text + '\n' + header).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] prefixed(byte[] proven) {
    byte[] all = new byte[PREFIX.length + proven.length];
    System.arraycopy(PREFIX, 0, all, 0, PREFIX.length);
    System.arraycopy(proven, 0, all, PREFIX.length, proven.length);
    return all;
  }

  /**
   * A field as it has come.
   *
   * @param text the part that is proven
   * @param seal what proves it
   */
  record Sealed(MessageVerdict verdict, String text, String seal) {
    /** Reads a field; empty if it is none. */
    static Optional<Sealed> parse(String field) {
      int seal = field.lastIndexOf(';');
      if (seal < 0 || field.length() > MessageVerdict.MAX_CHARS) {
        return Optional.empty();
      }
      String text = field.substring(0, seal);
      return MessageVerdict.parse(text)
          .map(verdict -> new Sealed(verdict, text, field.substring(seal + 1)));
    }

    /** True if it is of its sender, whole, and with this ASP header. */
    boolean isProven(VerdictPeer sender, String header) {
      byte[] proven = proven(text, header);
      if (seal.startsWith(SIGNATURE)) {
        return StrictBase64.decode(seal.substring(SIGNATURE.length()))
            .filter(signature -> sender.key().verifiesBytes(prefixed(proven), signature))
            .isPresent();
      }
      if (!seal.startsWith(CODES)) {
        return false;
      }
      for (String code : MessageVerdict.split(seal.substring(CODES.length()), ',')) {
        int colon = code.indexOf(':');
        Optional<Hmac> secret =
            colon < 0 ? Optional.empty() : sender.secret(code.substring(0, colon));
        if (secret.isPresent()) {
          // that of ours decides
          return Hmac.same(code.substring(colon + 1), secret.get().tag(PREFIX, proven));
        }
      }
      return false;
    }
  }
}
