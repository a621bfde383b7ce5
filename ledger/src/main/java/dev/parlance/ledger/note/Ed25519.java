package dev.parlance.ledger.note;

import java.io.Serial;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Raw Ed25519 (RFC 8032) keys and signatures over the JDK's provider. */
final class Ed25519 {
  static final int KEY_BYTES = 32;
  static final int SIGNATURE_BYTES = 64;

  /** DER before the 32 bytes of a public key, RFC 8410 section 4. */
  private static final byte[] X509 = HexFormat.of().parseHex("302a300506032b6570032100");

  /** DER before the 32 bytes of a seed, RFC 8410 section 7. */
  private static final byte[] PKCS8 = HexFormat.of().parseHex("302e020100300506032b657004220420");

  private Ed25519() {}

  static byte[] newSeed() {
    byte[] seed = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(seed);
    return seed;
  }

  /**
   * The public key of a seed. The JDK derives it only while it makes a pair, so the pair is made
   * with the seed for its randomness; that the private key came out as the seed is checked, so that
   * a provider that draws differently is noticed.
   */
  static byte[] publicKey(byte[] seed) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
      generator.initialize(255, new FixedRandom(seed));
      KeyPair pair = generator.generateKeyPair();
      byte[] expected = concat(PKCS8, seed);
      if (!Arrays.equals(pair.getPrivate().getEncoded(), expected)) {
        throw new IllegalStateException("the Ed25519 provider does not use the seed as it is");
      }
      byte[] encoded = pair.getPublic().getEncoded();
      return Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK since 15 has Ed25519", e);
    }
  }

  static byte[] sign(byte[] seed, byte[] message) {
    try {
      PrivateKey key =
          KeyFactory.getInstance("Ed25519")
              .generatePrivate(new PKCS8EncodedKeySpec(concat(PKCS8, seed)));
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(key);
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a seed of 32 bytes signs anything", e);
    }
  }

  /** False too where the key is no point of the curve or the signature no signature. */
  static boolean verify(byte[] publicKey, byte[] message, byte[] signature) {
    if (publicKey.length != KEY_BYTES || signature.length != SIGNATURE_BYTES) {
      return false;
    }
    try {
      PublicKey key =
          KeyFactory.getInstance("Ed25519")
              .generatePublic(new X509EncodedKeySpec(concat(X509, publicKey)));
      Signature verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(key);
      verifier.update(message);
      return verifier.verify(signature);
    } catch (InvalidKeyException | InvalidKeySpecException | SignatureException refused) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK since 15 has Ed25519", e);
    }
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** Hands out the given bytes and nothing else. */
  private static final class FixedRandom extends SecureRandom {
    @Serial private static final long serialVersionUID = 1L;
    private final byte[] bytes;

    FixedRandom(byte[] bytes) {
      this.bytes = bytes.clone();
    }

    @Override
    public void nextBytes(byte[] target) {
      if (target.length != bytes.length) {
        throw new IllegalStateException("asked for " + target.length + " bytes");
      }
      System.arraycopy(bytes, 0, target, 0, bytes.length);
    }
  }
}
