package dev.parlance.proxy.config;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;

/** Public keys for configurations in tests. */
public final class Keys {
  public static final String ONE = key("control.example", KeyType.ED25519, 1);
  public static final String OTHER = key("other.example", KeyType.ED25519, 2);
  public static final String AGAIN = key("control.example", KeyType.ED25519, 4);
  static final String WITNESS = key("witness.example", KeyType.COSIGNATURE, 3);

  private Keys() {}

  private static String key(String name, KeyType type, int seed) {
    byte[] bytes = new byte[32];
    bytes[0] = (byte) seed;
    return SignerKey.fromSeed(name, type, bytes).verifier().format();
  }
}
