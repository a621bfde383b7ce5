package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundId.RoundNames;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Values that cannot be are refused where they would come to be. */
class RoundValuesTest {
  private static final Encoding ENCODING = new Encoding("enc", 2, 0.9);

  @Test
  void vector_isQuantisedByItsDirectionOnly() {
    assertThat(entries(3, 4)).containsExactly(19_660, 26_214);
    assertThat(entries(3e100, 4e100)).containsExactly(19_660, 26_214);
    assertThat(entries(-3e-8, 4e-8)).containsExactly(-19_660, 26_214);
    assertThat(entries(-0.0, -2)).containsExactly(0, -32_767);
    assertThat(entries(1, 0)).containsExactly(32_767, 0);
  }

  @Test
  void vectorWithoutDirection_isNone() {
    assertThat(QuantVector.of(new double[] {}, 0)).isEmpty();
    assertThat(QuantVector.of(new double[] {1}, 2)).isEmpty();
    assertThat(QuantVector.of(new double[] {0, -0.0}, 2)).isEmpty();
    assertThat(QuantVector.of(new double[] {9.9e-10, 0}, 2)).isEmpty();
    assertThat(QuantVector.of(new double[] {1e-9, 0}, 2)).isPresent();
    assertThat(QuantVector.of(new double[] {Double.NaN, 1}, 2)).isEmpty();
    assertThat(QuantVector.of(new double[] {Double.NEGATIVE_INFINITY, 1}, 2)).isEmpty();
    assertThat(QuantVector.of(new double[] {1e200, 1}, 2)).isEmpty();
  }

  @Test
  void vectorOfBytes_isWhatWasWritten_andNothingThatNoVectorWrites() {
    Random random = new Random(7);
    for (int i = 0; i < 1_000; i++) {
      double[] vector = random.doubles(1 + random.nextInt(9), -1, 1).toArray();
      QuantVector quantised = QuantVector.of(vector, vector.length).orElseThrow();
      assertThat(QuantVector.ofBytes(quantised.toBytes())).contains(quantised);
      assertThat(quantised.hashCode())
          .isEqualTo(QuantVector.ofBytes(quantised.toBytes()).orElseThrow().hashCode());
    }
    assertThat(QuantVector.ofBytes(new byte[0])).isEmpty();
    assertThat(QuantVector.ofBytes(new byte[3])).isEmpty();
    assertThat(QuantVector.ofBytes(new byte[4])).isEmpty();
    assertThat(QuantVector.ofBytes(new byte[] {(byte) 0x80, 0})).isEmpty();
    assertThat(QuantVector.ofBytes(new byte[] {(byte) 0x80, 1})).isPresent();
  }

  @Test
  void constantsThatCannotBe_areRefused() {
    List<String> one = List.of("ada");
    assertRefused(() -> new RoundSpec("two words", 0, one, ENCODING, 0, true));
    assertRefused(() -> new RoundSpec("r", -1, one, ENCODING, 0, true));
    assertRefused(() -> new RoundSpec("r", 0, one, ENCODING, -1, true));
    assertRefused(() -> new RoundSpec("r", 0, List.of(), ENCODING, 0, true));
    assertRefused(() -> new RoundSpec("r", 0, Rounds.members(17), ENCODING, 0, true));
    assertRefused(() -> new RoundSpec("r", 0, List.of("ada", "ada"), ENCODING, 0, true));
    assertRefused(() -> new RoundSpec("r", 0, List.of("-ada"), ENCODING, 0, true));
    assertRefused(() -> new Encoding("", 2, 0.9));
    assertRefused(() -> new Encoding("enc", 0, 0.9));
    assertRefused(() -> new Encoding("enc", Encoding.MAX_DIM + 1, 0.9));
    assertRefused(() -> new Encoding(Encoding.NONE, 2, 0.9));
    assertRefused(() -> new Encoding("enc", 2, -1.0));
    assertRefused(() -> new Encoding("enc", 2, Math.nextUp(1.0)));
    assertRefused(() -> new Encoding("enc", 2, Double.NaN));
    assertRefused(() -> new RoundId("r", 0));
    assertRefused(() -> new RoundId("x".repeat(101), 1));
    assertRefused(() -> new Proposal("ada", "yes", "A".repeat(64), Meaning.UNENCODED));
    assertRefused(() -> new Proposal("ada", "yes", "a".repeat(63), Meaning.UNENCODED));
  }

  @Test
  void longestNames_areStillNames() {
    RoundId id = new RoundId("x".repeat(RoundId.MAX_ROUND_LENGTH), Long.MAX_VALUE);
    assertThat(RoundNames.isName(id.bound())).isTrue();
    assertThat(RoundNames.isName("x".repeat(128))).isTrue();
    assertThat(RoundNames.isName("x".repeat(129))).isFalse();
  }

  @Test
  void faultsBeyondAnyTable_areInfeasible_andDoNotOverflow() {
    RoundSpec spec = new RoundSpec("r", Integer.MAX_VALUE, Rounds.members(16), ENCODING, 0, true);
    assertThat(Hcsc.decide(spec, List.of()))
        .isEqualTo(new Outcome.Abort(AbortReason.BFT_INFEASIBLE, Outcome.Count.NONE, List.of()));
    RoundSpec greedy =
        new RoundSpec("r", 0, List.of("a00"), Encoding.none(), Integer.MAX_VALUE, true);
    assertThat(Hcsc.decide(greedy, List.of(Rounds.unencoded("a00", "yes", "t"))).kind())
        .isEqualTo("abort");
  }

  @Test
  void codes_leadBackToWhatTheyStandFor() {
    for (AbortReason reason : AbortReason.values()) {
      assertThat(AbortReason.ofCode(reason.code())).contains(reason);
    }
    assertThat(AbortReason.ofCode("else")).isEmpty();
  }

  @Test
  void finality_isMetByItsOwnKind_andByThoseAbove() {
    assertThat(Finality.SEMANTIC.isMetBy("semantic_commit")).isTrue();
    assertThat(Finality.SEMANTIC.isMetBy("verdict_commit")).isFalse();
    assertThat(Finality.SEMANTIC.isMetBy("abort")).isFalse();
    assertThat(Finality.VERDICT.isMetBy("semantic_commit")).isTrue();
    assertThat(Finality.VERDICT.isMetBy("verdict_commit")).isTrue();
    assertThat(Finality.VERDICT.isMetBy("abort")).isFalse();
    assertThat(Finality.VERDICT.isMetBy("anything else")).isFalse();
    assertThat(Finality.NONE.isMetBy("abort")).isTrue();
  }

  private static void assertRefused(ThrowingCallable value) {
    assertThatThrownBy(value).isInstanceOf(IllegalArgumentException.class);
  }

  private static List<Integer> entries(double... vector) {
    QuantVector quantised = QuantVector.of(vector, vector.length).orElseThrow();
    return java.util.stream.IntStream.range(0, vector.length).mapToObj(quantised::at).toList();
  }
}
