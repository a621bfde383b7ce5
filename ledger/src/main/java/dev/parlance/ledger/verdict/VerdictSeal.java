package dev.parlance.ledger.verdict;

import dev.parlance.ledger.note.Hmac;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.tree.StrictBase64;
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

  private static final String PREFIX = "parlance-verdict-1\n";
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
    StringBuilder field = verdict.write();
    int end = field.length();
    field.append(';').append(CODES);
    String separator = "";
    for (Receiver receiver : receivers) {
      field.append(separator).append(receiver.keyId).append(':');
      field.append(receiver.secret.tag(proven(field, end, header)));
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
        + StrictBase64.encode(key.signBytes(proven(text, text.length(), header).bytes()));
  }

  private static Hmac.Input proven(CharSequence field, int end, String header) {
    return Hmac.Input.begin().put(PREFIX).put(field, end).put('\n', 1).put(header);
  }

  /**
   * A field as it has come.
   *
   * @param field all of it
   * @param end of the part that is proven; behind it a semicolon and what proves it
   */
  record Sealed(MessageVerdict verdict, String field, int end) {
    /** Reads a field; empty if it is none. */
    static Optional<Sealed> parse(String field) {
      int end = field.lastIndexOf(';');
      return end < 0 || field.length() > MessageVerdict.MAX_CHARS
          ? Optional.empty()
          : MessageVerdict.parse(field, end).map(verdict -> new Sealed(verdict, field, end));
    }

    /** True if it is of its sender, whole, and with this ASP header. */
    boolean isProven(VerdictPeer sender, String header) {
      if (field.startsWith(SIGNATURE, end + 1)) {
        return StrictBase64.decode(field.substring(end + 1 + SIGNATURE.length()))
            .filter(signature ->
                sender.key().verifiesBytes(proven(field, end, header).bytes(), signature))
            .isPresent();
      }
      if (!field.startsWith(CODES, end + 1)) {
        return false;
      }
      int next = end + 1 + CODES.length();
      while (next < field.length()) {
        int comma = field.indexOf(',', next);
        int stop = comma < 0 ? field.length() : comma;
        Optional<Hmac> secret = sender.secret(field, next);
        if (secret.isPresent()) {
          // that of ours decides
          int code = next + VerdictPeer.KEY_ID_CHARS + 1;
          return secret.get().isTag(proven(field, end, header), field, code, stop);
        }
        next = stop + 1;
      }
      return false;
    }
  }
}
