package dev.parlance.ledger.tree;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The hashes of RFC 6962 section 2.1 over SHA-256: a leaf is {@code H(0x00 || entry)}, a node
 * {@code H(0x01 || left || right)}, the root of the empty tree {@code H()}. The first byte keeps an
 * entry from being passed off as a node.
 */
public final class Hashing {
  private static final byte LEAF = 0;
  private static final byte NODE = 1;

  private static final ThreadLocal<MessageDigest> SHA256 = ThreadLocal.withInitial(Hashing::sha256);

  /** Root of the tree without entries. */
  public static final Hash EMPTY_ROOT = Hash.of(sha256().digest());

  private Hashing() {}

  /** Hash of an entry. */
  public static Hash leaf(byte[] entry) {
    MessageDigest digest = SHA256.get();
    digest.update(LEAF);
    return Hash.of(digest.digest(entry));
  }

  /** Hash of the node over two children. */
  public static Hash node(Hash left, Hash right) {
    byte[] input = new byte[1 + 2 * Hash.BYTES];
    input[0] = NODE;
    left.writeTo(input, 1);
    right.writeTo(input, 1 + Hash.BYTES);
    return Hash.of(SHA256.get().digest(input));
  }

  /** A new SHA-256. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
