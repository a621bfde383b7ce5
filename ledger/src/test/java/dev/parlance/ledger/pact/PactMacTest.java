package dev.parlance.ledger.pact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactMac.Part;
import dev.parlance.ledger.pact.PactMac.Stamp;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class PactMacTest {
  private static final String NOTE = "ab".repeat(32);
  private static final byte[] BODY = new byte[32];
  private static final Stamp STAMP = new Stamp(-3, 7);
  private static final SignerKey ALICE = key("alice", 1);
  private static final SignerKey BOB = key("bob", 2);
  private static final PactMac ALICES = PactMac.of(ALICE, BOB.verifier(), NOTE, true).orElseThrow();
  private static final PactMac BOBS = PactMac.of(BOB, ALICE.verifier(), NOTE, false).orElseThrow();

  private static SignerKey key(String name, int seed) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) seed);
    return SignerKey.fromSeed(name, KeyType.ED25519, bytes);
  }

  private static byte[] hmac(byte[] key, byte[] bytes) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(bytes);
  }

  /** By the platform's own HMAC, from the table in the doc. */
  @Test
  void code_isTheHmacOfTheTable() throws GeneralSecurityException {
    byte[] head = "POST?q=\u00e9\napplication/json".getBytes(UTF_8);
    ByteBuffer said =
        ByteBuffer.allocate(54 + head.length)
            .put((byte) 'q')
            .put((byte) 'i')
            .putLong(-3)
            .putLong(7)
            .putInt(0)
            .put(BODY)
            .put(head);
    byte[] key =
        hmac(
            ALICE.agree(BOB.verifier()).orElseThrow(),
            ("parlance-pact-mac-1\n" + NOTE).getBytes(UTF_8));
    String code = ALICES.tag(Part.REQUEST, STAMP, 0, BODY, "POST?q=\u00e9", "application/json");
    assertThat(code).isEqualTo(HexFormat.of().formatHex(hmac(key, said.array()), 0, 16));
    assertThat(isPeers(code, "application/json")).isTrue();
    assertThat(isPeers(code, "text/plain")).isFalse();
    assertThat(isPeers(code.substring(1), "application/json")).isFalse();
    assertThat(isPeers(code + "0", "application/json")).isFalse();
    assertThat(isPeers("", "application/json")).isFalse();
  }

  private static boolean isPeers(String code, String type) {
    return BOBS.isPeers("1;2;" + code, 4, Part.REQUEST, STAMP, 0, BODY, "POST?q=\u00e9", type);
  }

  @Test
  void checkingACode_makesNoGarbage() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    String code = ALICES.tag(Part.ANSWER, STAMP, 200, BODY, "", "application/json");
    long before = 0;
    for (int i = 0; i < 20_000; i++) {
      if (i == 10_000) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      if (!BOBS.isPeers(code, 0, Part.ANSWER, STAMP, 200, BODY, "", "application/json")) {
        throw new AssertionError("the code of the other party was not taken");
      }
    }
    // Not a byte a code: what the compiler or the loader of classes took is less than that.
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
  }
}
