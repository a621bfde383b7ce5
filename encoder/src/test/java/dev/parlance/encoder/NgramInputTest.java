package dev.parlance.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.encoder.NgramInput.Family;
import dev.parlance.encoder.NgramInput.NgramFeatures;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NgramInputTest {
  private static final NgramInput INPUT = new NgramInput(NgramInput.FORM, 32_768, 512);

  /** Rounds on the ledger were encoded with these rows: another rule needs another form. */
  @Test
  void theRowsOfATextNeverChangeWithinAForm() {
    NgramFeatures features =
        INPUT.features("The licensee must not sell the \uFB01le within thirty (30) days.");

    assertThat(features.ids())
        .containsExactly(
            1135, 1212, 1982, 2768, 3652, 5263, 8069, 9327, 9404, 10174, 10960, 11844, 13455, 16261,
            19152, 21647, 25737, 30431, 30915, 30974, 31195, 31462, 31467, 31477, 31511, 31548,
            31599, 31662, 31792, 31956, 32021, 32306, 32310, 32699, 32731);
    assertThat(features.weights())
        .containsExactly(
            1.0f,
            1.0f,
            1.0f,
            1.0f,
            1.0f,
            1.0f,
            1.0f,
            -1.0f,
            -1.0f,
            -1.0f,
            -1.0f,
            -1.0f,
            -1.0f,
            -1.0f,
            -1.0f,
            1.0f,
            -1.0f,
            -1.0f,
            0.6147882f,
            0.75983566f,
            0.75983566f,
            0.70710677f,
            0.75983566f,
            0.75983566f,
            0.70710677f,
            0.70710677f,
            0.6147882f,
            0.6147882f,
            0.6147882f,
            0.6147882f,
            0.6147882f,
            0.75983566f,
            0.6147882f,
            0.70710677f,
            0.75983566f);
  }

  @Test
  void denyingTurnsTheStanceAndNothingElseThatIsNamed() {
    NgramFeatures yes = INPUT.features("The tenant does pay the landlord.");
    NgramFeatures no = INPUT.features("The tenant does not pay the landlord.");

    assertThat(no.ids()).isEqualTo(yes.ids());
    for (int i = 0; i < yes.ids().length; i++) {
      boolean signed = in(yes.ids()[i], Family.STANCE) || in(yes.ids()[i], Family.PAIR);
      assertThat(no.weights()[i]).isEqualTo(signed ? -yes.weights()[i] : yes.weights()[i]);
    }
  }

  @Test
  void everyRowIsInTheTableOnceInOrderWhateverTheText() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 300; round++) {
      NgramInput input = new NgramInput(NgramInput.FORM, 256, random.nextInt(1, 600));
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(0, 400);
      for (int i = 0; i < length; i++) {
        switch (random.nextInt(6)) {
          case 0 -> text.append((char) random.nextInt(0x10000));
          case 1 -> text.appendCodePoint(random.nextInt(0x110000));
          case 2 -> text.append(" not ");
          case 3 -> text.append(random.nextInt(2_000)).append(random.nextBoolean() ? "," : "'");
          default -> text.append((char) random.nextInt(' ', 127));
        }
      }
      NgramFeatures features = input.features(text.toString());
      long before = -1;
      for (int i = 0; i < features.ids().length; i++) {
        assertThat(features.ids()[i]).isGreaterThan(before).isLessThan(256);
        assertThat(Float.isFinite(features.weights()[i])).isTrue();
        before = features.ids()[i];
      }
    }
  }

  @Test
  void aLongTextIsCutAfterTheLastWordThatIsRead() {
    NgramInput input = new NgramInput(NgramInput.FORM, 32_768, 3);

    assertThat(input.features("alpha beta gamma delta").ids())
        .isEqualTo(input.features("alpha beta gamma").ids());
    assertThat(input.features("x ".repeat(5_000_000)).ids())
        .isEqualTo(input.features("x x x").ids());
  }

  @Test
  void oneEndlessWordIsCutToo() {
    assertThat(INPUT.features("a".repeat(1_000_000)).ids()).hasSizeLessThan(100);
  }

  @Test
  void aTextOfClosedWordsStandsForItself() {
    assertThat(INPUT.features("No.").weights()).contains(1.0f);
    assertThat(INPUT.features("No.").ids()).isNotEqualTo(INPUT.features("It is.").ids());
  }

  @Test
  void aTextWithoutWordsHasOneRowOfNoWeight() {
    NgramFeatures features = INPUT.features(" ... \uD800 !");

    assertThat(features.ids()).containsExactly(0L);
    assertThat(features.weights()).containsExactly(0.0f);
  }

  @Test
  void impossibleFormsAreRefused() {
    assertThatThrownBy(() -> new NgramInput("ngram-2", 256, 5)).hasMessageContaining("ngram-1");
    assertThatThrownBy(() -> new NgramInput(NgramInput.FORM, 255, 5)).hasMessageContaining("255");
    assertThatThrownBy(() -> new NgramInput(NgramInput.FORM, 256, 0)).hasMessageContaining("0");
    assertThatThrownBy(() -> new NgramFeatures(new long[0], new float[0]))
        .hasMessageContaining("expected");
  }

  private static boolean in(long row, Family family) {
    int first = family.firstRow(INPUT.rows());
    return row >= first && row < first + family.rowCount(INPUT.rows());
  }
}
