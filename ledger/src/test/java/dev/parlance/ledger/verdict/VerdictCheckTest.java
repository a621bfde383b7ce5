package dev.parlance.ledger.verdict;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.verdict.MessageVerdict.Binding;
import dev.parlance.ledger.verdict.MessageVerdict.Finding;
import dev.parlance.ledger.verdict.MessageVerdict.Signals;
import dev.parlance.ledger.verdict.MessageVerdict.Stamp;
import dev.parlance.policy.route.Route;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictCheckTest {
  private static final long NOW_MS = 1_800_000_000_000L;
  private static final String HEADER = "[@C:D; @G:F; @S:2; A:[K:42, L:09]]";
  private static final SignerKey BUYER = key("spiffe://mesh.example/ns/shop/sa/buyer", 1);
  private static final SignerKey SELLER = key("spiffe://mesh.example/ns/shop/sa/seller", 2);
  private static final SignerKey BANK = key("spiffe://mesh.example/ns/bank/sa/teller", 3);
  private static final Hash MESSAGE = hash("message");
  private static final String PROFILE = "0123456789abcdef".repeat(2);

  private final Sidecar seller = new Sidecar(SELLER, BUYER);
  private final VerdictPeer toSeller = peer(SELLER, BUYER);

  private static SignerKey key(String name, int seed) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) seed);
    return SignerKey.fromSeed(name, KeyType.ED25519, bytes);
  }

  private static Hash hash(String text) {
    try {
      return Hash.of(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static VerdictPeer peer(SignerKey peer, SignerKey own) {
    VerdictPeer known = new VerdictPeer(peer.verifier(), NOW_MS - 600_000);
    known.shareWith(List.of(own));
    return known;
  }

  /** A receiver that believes one sender. */
  private static final class Sidecar implements VerdictCheck.Receiver {
    private final SignerKey own;
    private final VerdictPeer sender;
    private boolean trusts = true;

    Sidecar(SignerKey own, SignerKey sender) {
      this.own = own;
      this.sender = peer(sender, own);
    }

    @Override
    public boolean isOwn(String name) {
      return name.equals(own.name());
    }

    @Override
    public Optional<VerdictPeer> sender(String name, String keyId) {
      return Optional.of(sender)
          .filter(known -> known.key().name().equals(name) && known.key().idHex().equals(keyId));
    }

    @Override
    public boolean isTrusted(VerdictPeer known) {
      return trusts;
    }

    VerdictCheck.Result check(String field, String header, Hash message, long nowMs) {
      return VerdictCheck.check(field, header, message, this, nowMs);
    }

    VerdictCheck.Result check(String field) {
      return check(field, HEADER, MESSAGE, NOW_MS);
    }
  }

  private static MessageVerdict verdict(long number, Hash message) {
    return verdict(
        new Stamp(
            BUYER.name(), BUYER.verifier().idHex(), SELLER.name(), number, NOW_MS, NOW_MS + 30_000),
        Route.EXECUTE,
        message);
  }

  private static MessageVerdict verdict(Stamp stamp, Route route, Hash message) {
    return new MessageVerdict(
        stamp,
        new Finding(
            "d-abc-1",
            route,
            List.of("ok"),
            Optional.of(new Signals(9000, 10_000, 0, 312)),
            PROFILE,
            Optional.of("billing@7")),
        new Binding(message, hash("text"), hash("evidence")));
  }

  private String coded(MessageVerdict verdict) {
    return VerdictSeal.coded(
        verdict,
        HEADER,
        List.of(
            new VerdictSeal.Receiver(
                SELLER.verifier().idHex(), toSeller.secret(BUYER).orElseThrow())));
  }

  private static VerdictCheck.Result refused(VerdictFault fault) {
    return new VerdictCheck.Result.Refused(fault);
  }

  @Test
  void verdict_withCode_isBelievedOnce() {
    MessageVerdict verdict = verdict(1, MESSAGE);
    assertThat(seller.check(coded(verdict))).isEqualTo(new VerdictCheck.Result.Genuine(verdict));
    assertThat(seller.check(coded(verdict))).isEqualTo(refused(VerdictFault.REPLAYED));
  }

  @Test
  void verdict_withSignature_isBelievedOnce() {
    MessageVerdict verdict = verdict(1, MESSAGE);
    String field = VerdictSeal.signed(verdict, HEADER, BUYER);
    assertThat(seller.check(field)).isEqualTo(new VerdictCheck.Result.Genuine(verdict));
    assertThat(seller.check(field)).isEqualTo(refused(VerdictFault.REPLAYED));
  }

  @Test
  void verdict_forSeveralKeysOfItsReceiver_isBelievedByEach() {
    MessageVerdict verdict = verdict(1, MESSAGE);
    SignerKey replica = key(SELLER.name(), 9);
    VerdictPeer toReplica = peer(replica, BUYER);
    String field =
        VerdictSeal.coded(
            verdict,
            HEADER,
            List.of(
                new VerdictSeal.Receiver(
                    SELLER.verifier().idHex(), toSeller.secret(BUYER).orElseThrow()),
                new VerdictSeal.Receiver(
                    replica.verifier().idHex(), toReplica.secret(BUYER).orElseThrow())));
    assertThat(new Sidecar(replica, BUYER).check(field))
        .isInstanceOf(VerdictCheck.Result.Genuine.class);
    assertThat(seller.check(field)).isInstanceOf(VerdictCheck.Result.Genuine.class);
  }

  @Test
  void verdict_ofAnotherKeyOrNobody_isNotBelieved() {
    String field = coded(verdict(1, MESSAGE));
    assertThat(new Sidecar(SELLER, BANK).check(field)).isEqualTo(refused(VerdictFault.UNKNOWN_KEY));
    seller.trusts = false;
    assertThat(seller.check(field)).isEqualTo(refused(VerdictFault.UNTRUSTED));
    seller.trusts = true;
    String signedByOther = VerdictSeal.signed(verdict(1, MESSAGE), HEADER, BANK);
    assertThat(seller.check(signedByOther)).isEqualTo(refused(VerdictFault.WRONG_CODE));
    assertThat(seller.check(field)).isInstanceOf(VerdictCheck.Result.Genuine.class);
  }

  /** The secret is one for both directions: its receiver must not take its own word for theirs. */
  @Test
  void verdict_thatIsReflected_isNotBelieved() {
    Sidecar buyer = new Sidecar(BUYER, SELLER);
    assertThat(buyer.check(coded(verdict(1, MESSAGE))))
        .isEqualTo(refused(VerdictFault.UNKNOWN_KEY));
  }

  @ParameterizedTest
  @ValueSource(longs = {-5_001, 35_001, 60_000, 86_400_000})
  void verdict_beforeOrAfterItsTime_isNotBelieved(long laterMs) {
    assertThat(seller.check(coded(verdict(1, MESSAGE)), HEADER, MESSAGE, NOW_MS + laterMs))
        .isEqualTo(refused(VerdictFault.NOT_NOW));
  }

  @Test
  void verdict_thatIsToHoldForLong_isNotBelieved() {
    Stamp stamp =
        new Stamp(
            BUYER.name(), BUYER.verifier().idHex(), SELLER.name(), 1, NOW_MS, NOW_MS + 60_001);
    assertThat(seller.check(coded(verdict(stamp, Route.EXECUTE, MESSAGE))))
        .isEqualTo(refused(VerdictFault.NOT_NOW));
  }

  @Test
  void verdict_fromBeforeItsKeyWasKnown_isNotBelieved() {
    Stamp stamp =
        new Stamp(
            BUYER.name(),
            BUYER.verifier().idHex(),
            SELLER.name(),
            1,
            NOW_MS - 600_001,
            NOW_MS - 599_999);
    assertThat(
            seller.check(
                coded(verdict(stamp, Route.EXECUTE, MESSAGE)), HEADER, MESSAGE, NOW_MS - 599_000))
        .isEqualTo(refused(VerdictFault.TOO_EARLY));
  }

  @ParameterizedTest
  @EnumSource(names = {"REGENERATE", "YIELD"})
  void verdict_thatTheMessageDoesNotPass_isNoPass(Route route) {
    assertThat(seller.check(coded(verdict(verdict(1, MESSAGE).stamp(), route, MESSAGE))))
        .isEqualTo(refused(VerdictFault.NOT_PASSED));
  }

  /** Every field that is one character away is refused, and takes no number. */
  @Test
  void verdict_withAnyCharacterChanged_isNotBelieved() {
    String field = coded(verdict(1, MESSAGE));
    Random random = new Random(38);
    for (int i = 0; i < field.length(); i++) {
      char other = (char) ('!' + random.nextInt('~' - '!'));
      if (other != field.charAt(i)) {
        String changed = field.substring(0, i) + other + field.substring(i + 1);
        assertThat(seller.check(changed)).isInstanceOf(VerdictCheck.Result.Refused.class);
        assertThat(seller.check(field.substring(0, i))).isEqualTo(refused(cut(field, i)));
      }
    }
    assertThat(seller.check(field, "[@C:F; @G:F; @S:0; A:[]]", MESSAGE, NOW_MS))
        .isEqualTo(refused(VerdictFault.WRONG_CODE));
    assertThat(seller.check(field)).isInstanceOf(VerdictCheck.Result.Genuine.class);
  }

  private static VerdictFault cut(String field, int length) {
    return length > field.lastIndexOf(';') ? VerdictFault.WRONG_CODE : VerdictFault.MALFORMED;
  }

  /** A capture of 10,000 verdicts, each sent on to where it does not belong: none is believed. */
  @Test
  void tenThousandCapturedVerdicts_sentElsewhere_noneIsBelieved() {
    Random random = new Random(1_000);
    List<String> captured = new ArrayList<>();
    for (int i = 1; i <= 10_000; i++) {
      MessageVerdict verdict = verdict(i, hash("message " + i));
      captured.add(i % 10 == 0 ? VerdictSeal.signed(verdict, HEADER, BUYER) : coded(verdict));
      assertThat(seller.check(captured.getLast(), HEADER, hash("message " + i), NOW_MS + i))
          .isInstanceOf(VerdictCheck.Result.Genuine.class);
    }
    Sidecar bank = new Sidecar(BANK, BUYER);
    Sidecar fresh = new Sidecar(SELLER, BUYER);
    Set<VerdictFault> why = EnumSet.noneOf(VerdictFault.class);
    int believed = 0;
    for (int i = 0; i < captured.size(); i++) {
      Hash own = hash("message " + (i + 1));
      Hash others = hash("message " + (1 + (i + 1 + random.nextInt(9_998)) % 10_000));
      for (VerdictCheck.Result result :
          List.of(
              bank.check(captured.get(i), HEADER, own, NOW_MS),
              fresh.check(captured.get(i), HEADER, others, NOW_MS),
              fresh.check(captured.get(i), HEADER, own, NOW_MS + 35_001 + random.nextInt(1 << 20)),
              fresh.check(captured.get(i), HEADER, own, NOW_MS - 5_001 - random.nextInt(1 << 20)),
              fresh.check(captured.get(i), "", own, NOW_MS),
              seller.check(captured.get(i), HEADER, own, NOW_MS + random.nextInt(30_000)))) {
        if (result instanceof VerdictCheck.Result.Refused(VerdictFault fault)) {
          why.add(fault);
        } else {
          believed++;
        }
      }
    }
    assertThat(believed).isZero();
    assertThat(why)
        .containsExactlyInAnyOrder(
            VerdictFault.WRONG_AUDIENCE,
            VerdictFault.WRONG_MESSAGE,
            VerdictFault.NOT_NOW,
            VerdictFault.WRONG_CODE,
            VerdictFault.REPLAYED);
  }

  /** Numbers may overtake each other, and each counts once. */
  @Test
  void numbers_outOfOrder_areTakenOnce() {
    Random random = new Random(7);
    NumberWindow window = new NumberWindow();
    Set<Long> taken = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      long number = Math.max(1, i - random.nextInt(NumberWindow.SIZE / 2));
      if (window.take(number) != taken.add(number)) {
        throw new AssertionError("number " + number + " at " + i);
      }
    }
    assertThat(window.take(1)).isFalse();
  }

  @Test
  void text_ofAnyVerdict_readsBackTheSame() {
    Random random = new Random(3);
    for (int i = 0; i < 2_000; i++) {
      MessageVerdict verdict =
          new MessageVerdict(
              new Stamp(
                  "agent-" + random.nextInt(),
                  "%08x".formatted(random.nextInt()),
                  BANK.name(),
                  1 + random.nextLong(Long.MAX_VALUE - 1),
                  random.nextInt(1 << 30),
                  (1L << 30) + random.nextInt(1 << 30)),
              new Finding(
                  "d-x-" + i,
                  Route.values()[random.nextInt(4)],
                  List.of("d_warn", "uncited"),
                  random.nextBoolean()
                      ? Optional.empty()
                      : Optional.of(
                          new Signals(random.nextInt(10_001), 0, random.nextInt(10_001), 10_000)),
                  PROFILE,
                  random.nextBoolean() ? Optional.empty() : Optional.of("core:" + i)),
              new Binding(hash("a" + i), hash("b" + i), hash("c" + i)));
      assertThat(MessageVerdict.parse(verdict.text(), verdict.text().length())).contains(verdict);
    }
  }

  @Test
  void parse_hostileText_isNone() {
    String good = verdict(1, MESSAGE).text();
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(good);
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.setCharAt(at, (char) random.nextInt(0x100));
          case 1 -> text.deleteCharAt(at);
          default -> text.insert(at, ";+,-:\u0000\u00e9".charAt(random.nextInt(7)));
        }
      }
      MessageVerdict.parse(text.toString(), text.length())
          .ifPresent(read -> assertThat(read.text()).isEqualTo(text.toString()));
    }
    assertThat(seller.check("x".repeat(1 << 20))).isEqualTo(refused(VerdictFault.MALFORMED));
    assertThat(seller.check("")).isEqualTo(refused(VerdictFault.MALFORMED));
  }

  @Test
  void names_thatHaveNoPlaceInAField_areRefused() {
    for (String name : List.of("", "a b", "a;b", "a+b", "a\nb", "\u00e9", "x".repeat(257))) {
      assertThat(MessageVerdict.isName(name)).as(name).isFalse();
    }
    assertThat(MessageVerdict.isName(BUYER.name())).isTrue();
    assertThatThrownBy(() -> new Stamp("a;b", "01234567", "c", 1, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
