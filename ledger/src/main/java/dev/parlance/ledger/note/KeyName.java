package dev.parlance.ledger.note;

import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.tree.Hashing;
import dev.parlance.ledger.tree.StrictBase64;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/** Names and ids of keys, and the text forms that verifier and signer keys share. */
final class KeyName {
  /** Longest name taken, in characters; the format itself sets no limit. */
  static final int MAX_CHARS = 256;

  private KeyName() {}

  /** Non-empty, without Unicode spaces, plus and control characters, and encodable. */
  static boolean valid(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_CHARS
        && name.codePoints()
            .noneMatch(c ->
                c == '+'
                    || Character.isSpaceChar(c)
                    || Character.isWhitespace(c)
                    || Character.isISOControl(c)
                    || Character.getType(c) == Character.SURROGATE);
  }

  /** First four bytes of {@code SHA-256(name || newline || type || public key)}, big-endian. */
  static int id(String name, KeyType type, byte[] publicKey) {
    MessageDigest digest = Hashing.sha256();
    digest.update(name.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) '\n');
    digest.update(type.code());
    digest.update(publicKey);
    return ByteBuffer.wrap(digest.digest()).getInt();
  }

  static String hex(int id) {
    return HexFormat.of().toHexDigits(id);
  }

  /** {@code name+id+base64(type || key)}. */
  static String format(String name, int id, KeyType type, byte[] key) {
    byte[] typed = ByteBuffer.allocate(1 + key.length).put(type.code()).put(key).array();
    return name + "+" + hex(id) + "+" + StrictBase64.encode(typed);
  }

  /** The parts of a key text, its id not yet compared. */
  record Parts(String name, int id, KeyType type, KeyBytes key) {}

  /** Bytes of a key; public or secret. */
  static final class KeyBytes {
    private final byte[] bytes;

    KeyBytes(byte[] bytes) {
      this.bytes = bytes.clone();
    }

    byte[] bytes() {
      return bytes.clone();
    }
  }

  static Parsed<Parts> parse(String text) {
    int first = text.indexOf('+');
    int second = first < 0 ? -1 : text.indexOf('+', first + 1);
    if (second < 0) {
      return Parsed.bad(NoteFault.BAD_KEY, "a key is name+id+base64");
    }
    String name = text.substring(0, first);
    String hex = text.substring(first + 1, second);
    if (!valid(name)) {
      return Parsed.bad(NoteFault.BAD_KEY, "the name is empty, too long, or holds a space");
    }
    if (hex.length() != 8 || hex.chars().anyMatch(c -> "0123456789abcdef".indexOf(c) < 0)) {
      return Parsed.bad(NoteFault.BAD_KEY, "the id is not 8 hex digits in lower case");
    }
    Optional<byte[]> typed = StrictBase64.decode(text.substring(second + 1));
    if (typed.isEmpty() || typed.get().length < 1) {
      return Parsed.bad(NoteFault.BAD_KEY, "the key is not base64");
    }
    ByteBuffer buffer = ByteBuffer.wrap(typed.get());
    Optional<KeyType> type = KeyType.of(buffer.get());
    if (type.isEmpty()) {
      return Parsed.bad(NoteFault.KEY_ALGORITHM, "type " + typed.get()[0]);
    }
    byte[] key = new byte[buffer.remaining()];
    buffer.get(key);
    if (key.length != Ed25519.KEY_BYTES) {
      return Parsed.bad(NoteFault.BAD_KEY, "the key has " + key.length + " bytes, not 32");
    }
    return Parsed.ok(new Parts(name, HexFormat.fromHexDigits(hex), type.get(), new KeyBytes(key)));
  }
}
