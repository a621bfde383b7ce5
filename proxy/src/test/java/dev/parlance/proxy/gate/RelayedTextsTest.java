package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RelayedTextsTest {
  private final AtomicLong nowNs = new AtomicLong();
  private final RelayedTexts texts = new RelayedTexts(100, 1_000, nowNs::get);

  @Test
  void whatPassedBetweenTwo_isKnownBetweenThemAndNobodyElse() {
    texts.remember("ada bob", Utf8Span.of("the answer"));
    assertThat(texts.between("ada bob").knows(Utf8Span.of("the answer"))).isTrue();
    assertThat(texts.between("ada bob").knows(Utf8Span.of("the answer "))).isFalse();
    assertThat(texts.between("eve bob").knows(Utf8Span.of("the answer"))).isFalse();
    assertThat(texts.between("ada bobthe answer").knows(Utf8Span.EMPTY)).isFalse();
  }

  @Test
  void emptyText_isNeverKnown() {
    texts.remember("ada bob", Utf8Span.EMPTY);
    assertThat(texts.between("ada bob").knows(Utf8Span.EMPTY)).isFalse();
  }

  @Test
  void afterItsTime_aTextIsNewsAgain() {
    texts.remember("ada bob", Utf8Span.of("x"));
    nowNs.addAndGet(1_001_000_000L);
    assertThat(texts.between("ada bob").knows(Utf8Span.of("x"))).isFalse();
  }
}
