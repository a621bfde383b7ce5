package dev.parlance.ledger.note;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.bouncycastle.math.ec.rfc7748.X25519;
import org.bouncycastle.math.ec.rfc7748.X25519Field;
import org.bouncycastle.math.ec.rfc8032.Ed25519.PublicPoint;

/**
 * Raw Ed25519 (RFC 8032) keys and signatures: Bouncy Castle's arithmetic, which takes a tenth of
 * the JDK's time, with the JDK's judgment (decision 0017).
 *
 * <p>The two check different equations. They agree wherever key and R are in the subgroup of prime
 * order, as they are in every honest signature. For all others the JDK decides, so what is valid
 * here is exactly what it takes: the equation without cofactor.
 */
final class Ed25519 {
  static final int KEY_BYTES = 32;
  static final int SIGNATURE_BYTES = 64;

  /** DER before the 32 bytes of a public key, RFC 8410 section 4. */
  private static final byte[] X509 = HexFormat.of().parseHex("302a300506032b6570032100");

  private Ed25519() {}

  static byte[] newSeed() {
    byte[] seed = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(seed);
    return seed;
  }

  /** The public key of a seed. */
  static byte[] publicKey(byte[] seed) {
    byte[] key = new byte[KEY_BYTES];
    org.bouncycastle.math.ec.rfc8032.Ed25519.generatePublicKey(seed, 0, key, 0);
    return key;
  }

  static byte[] sign(byte[] seed, byte[] message) {
    byte[] signature = new byte[SIGNATURE_BYTES];
    org.bouncycastle.math.ec.rfc8032.Ed25519.sign(
        seed, 0, message, 0, message.length, signature, 0);
    return signature;
  }

  /** False too where the key is no point of the curve or the signature no signature. */
  static boolean verify(byte[] publicKey, byte[] message, byte[] signature) {
    return publicKey.length == KEY_BYTES
        && verify(publicKey, pointOf(publicKey), message, signature);
  }

  /**
   * The same with the point of the key, which takes a third of the time.
   *
   * @param point what {@link #pointOf} says of the key
   */
  static boolean verify(
      byte[] publicKey, Optional<PublicPoint> point, byte[] message, byte[] signature) {
    if (signature.length != SIGNATURE_BYTES) {
      return false;
    }
    if (point.isEmpty() || !isOfPrimeOrder(signature)) {
      return verifyByJdk(publicKey, message, signature);
    }
    return org.bouncycastle.math.ec.rfc8032.Ed25519.verify(
        signature, 0, point.get(), message, 0, message.length);
  }

  /** The point of a key of 32 bytes, if it is in the subgroup of prime order. */
  static Optional<PublicPoint> pointOf(byte[] publicKey) {
    return Optional.ofNullable(
        org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyFullExport(publicKey, 0));
  }

  /** Of the point with which a signature begins. */
  private static boolean isOfPrimeOrder(byte[] signature) {
    return org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyFull(signature, 0);
  }

  /** As {@link #verify}, by the JDK alone. */
  static boolean verifyByJdk(byte[] publicKey, byte[] message, byte[] signature) {
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

  /**
   * X25519 between a seed's key and a public key. A point (x, y) of edwards25519 is the point u =
   * (1 + y) / (1 - y) of curve25519 (RFC 7748, section 4.1), and the scalar is that of RFC 8032.
   *
   * @return empty if the other key is not in the subgroup of prime order
   */
  static Optional<byte[]> agree(byte[] seed, byte[] publicKey) {
    if (!org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyFull(publicKey, 0)) {
      return Optional.empty();
    }
    int[] y = X25519Field.create();
    int[] one = X25519Field.create();
    int[] above = X25519Field.create();
    int[] below = X25519Field.create();
    X25519Field.decode255(publicKey, y); // without the bit that is the sign of x
    X25519Field.one(one);
    X25519Field.add(one, y, above);
    X25519Field.sub(one, y, below);
    X25519Field.carry(above);
    X25519Field.carry(below);
    X25519Field.inv(below, below);
    X25519Field.mul(above, below, above);
    X25519Field.normalize(above);
    byte[] point = new byte[KEY_BYTES];
    X25519Field.encode(above, point);
    byte[] secret = new byte[KEY_BYTES];
    return X25519.calculateAgreement(scalar(seed), 0, point, 0, secret, 0)
        ? Optional.of(secret)
        : Optional.empty();
  }

  /** X25519 clamps it as RFC 8032 does. */
  private static byte[] scalar(byte[] seed) {
    try {
      return MessageDigest.getInstance("SHA-512").digest(seed);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-512", e);
    }
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
