package dev.parlance.ledger.note;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.Vectors;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whatever the JDK takes for a signature is one here, and nothing else. */
class Ed25519Test {
  private static final HexFormat HEX = HexFormat.of();

  /** Points of order 1, 2, 4 and 8, the first two also as they may not be written. */
  private static final String[] LOW_ORDER = {
    "0100000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  };

  private static boolean agreed(byte[] key, byte[] message, byte[] signature) {
    boolean taken = Ed25519.verify(key, message, signature);
    assertThat(taken)
        .as("key %s, signature %s", HEX.formatHex(key), HEX.formatHex(signature))
        .isEqualTo(Ed25519.verifyByJdk(key, message, signature));
    return taken;
  }

  @Test
  void theVectorsWithEveryOddity_areTakenOrRefusedAsTheJdkDoes() throws IOException {
    JsonNode vectors =
        JsonMapper.shared()
            .readTree(
                Files.readAllBytes(
                    Vectors.directory("ed25519").resolve("ed25519/ed25519vectors.json")));
    assertThat(vectors.size()).isGreaterThan(500);
    int taken = 0;
    for (JsonNode one : vectors) {
      taken +=
          agreed(
                  HEX.parseHex(one.get("key").asString()),
                  one.get("msg").asString().getBytes(StandardCharsets.UTF_8),
                  HEX.parseHex(one.get("sig").asString()))
              ? 1
              : 0;
    }
    assertThat(taken).isBetween(1, vectors.size() - 1);
  }

  @Test
  void aKeyThatHasCheckedOne_takesThatAgain_andNothingElse() {
    SignerKey signer = SignerKey.generate("log", VerifierKey.KeyType.ED25519);
    VerifierKey key = signer.verifier();
    byte[] message = "what was said".getBytes(StandardCharsets.UTF_8);
    byte[] signature = signer.signBytes(message);
    assertThat(key.verifiesBytes(new byte[0], new byte[0])).isFalse();
    for (int i = 0; i < 3; i++) {
      assertThat(key.verifiesBytes(message, signature)).isTrue();
      assertThat(key.verifiesBytes(new byte[0], new byte[0])).isFalse();
      assertThat(key.verifiesBytes(message, new byte[64])).isFalse();
      assertThat(key.verifiesBytes("what was sad".getBytes(StandardCharsets.UTF_8), signature))
          .isFalse();
    }
    signature[3] ^= 1;
    assertThat(key.verifiesBytes(message, signature)).isFalse();
    signature[3] ^= 1;
    message[0] ^= 1;
    assertThat(key.verifiesBytes(message, signature)).isFalse();
    message[0] ^= 1;
    assertThat(key.verifiesBytes(message, signature)).isTrue();
    assertThat(SignerKey.generate("log", VerifierKey.KeyType.ED25519).verifier())
        .satisfies(other -> assertThat(other.verifiesBytes(message, signature)).isFalse());
  }

  @Test
  void signaturesAndWhatIsAlmostOne_areTakenOrRefusedAsTheJdkDoes() {
    Random random = new Random(17);
    for (int i = 0; i < 60; i++) {
      byte[] seed = new byte[Ed25519.KEY_BYTES];
      random.nextBytes(seed);
      byte[] message = new byte[random.nextInt(200)];
      random.nextBytes(message);
      byte[] key = Ed25519.publicKey(seed);
      byte[] signature = Ed25519.sign(seed, message);
      assertThat(agreed(key, message, signature)).isTrue();
      byte[] flipped = signature.clone();
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
      assertThat(agreed(key, message, flipped)).isFalse();
      byte[] otherKey = key.clone();
      otherKey[random.nextInt(otherKey.length)] ^= (byte) (1 << random.nextInt(8));
      assertThat(agreed(otherKey, message, signature)).isFalse();
    }
  }

  @Test
  void pointsOfLowOrder_areTakenOrRefusedAsTheJdkDoes() {
    byte[] seed = new byte[Ed25519.KEY_BYTES];
    byte[] message = {1, 2, 3};
    byte[] honest = Ed25519.sign(seed, message);
    for (String point : LOW_ORDER) {
      byte[] low = HEX.parseHex(point);
      byte[] signature = honest.clone();
      System.arraycopy(low, 0, signature, 0, low.length);
      agreed(Ed25519.publicKey(seed), message, signature);
      agreed(low, message, honest);
      agreed(low, message, signature);
      byte[] empty = new byte[Ed25519.SIGNATURE_BYTES];
      System.arraycopy(low, 0, empty, 0, low.length);
      agreed(low, message, empty); // S = 0: valid for a key of order 1 under any equation
    }
  }

  /** By the JDK alone: the map of RFC 7748, section 4.1, in whole numbers. */
  private static byte[] agreedByJdk(byte[] seed, byte[] key) throws GeneralSecurityException {
    byte[] bigEndian = new byte[key.length];
    for (int i = 0; i < key.length; i++) {
      bigEndian[i] = key[key.length - 1 - i];
    }
    bigEndian[0] &= 0x7f;
    BigInteger prime = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
    BigInteger y = new BigInteger(1, bigEndian);
    BigInteger u =
        BigInteger.ONE.add(y).multiply(BigInteger.ONE.subtract(y).modInverse(prime)).mod(prime);
    byte[] scalar = Arrays.copyOf(MessageDigest.getInstance("SHA-512").digest(seed), key.length);
    KeyFactory factory = KeyFactory.getInstance("X25519");
    KeyAgreement agreement = KeyAgreement.getInstance("X25519");
    agreement.init(
        factory.generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, scalar)));
    agreement.doPhase(
        factory.generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, u)), true);
    return agreement.generateSecret();
  }

  @Test
  void twoFindOneSecret_theJdkTheSame_andNobodyAnother() throws GeneralSecurityException {
    Random random = new Random(7);
    for (int i = 0; i < 50; i++) {
      byte[] one = new byte[32];
      byte[] other = new byte[32];
      random.nextBytes(one);
      random.nextBytes(other);
      byte[] secret = Ed25519.agree(one, Ed25519.publicKey(other)).orElseThrow();
      assertThat(Ed25519.agree(other, Ed25519.publicKey(one))).contains(secret);
      assertThat(agreedByJdk(one, Ed25519.publicKey(other))).isEqualTo(secret);
      assertThat(Ed25519.agree(one, Ed25519.publicKey(one)).orElseThrow()).isNotEqualTo(secret);
    }
  }

  @Test
  void withAPointOfLowOrder_nothingIsAgreed() {
    for (String point : LOW_ORDER) {
      assertThat(Ed25519.agree(new byte[32], HEX.parseHex(point))).as(point).isEmpty();
    }
  }
}
