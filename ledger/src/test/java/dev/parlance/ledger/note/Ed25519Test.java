package dev.parlance.ledger.note;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.Vectors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HexFormat;
import java.util.Random;
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
}
