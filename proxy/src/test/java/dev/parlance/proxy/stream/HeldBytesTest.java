package dev.parlance.proxy.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HeldBytesTest {
  private final HeldBytes held = new HeldBytes(100);

  @Test
  void G15_allStreamsTogetherKeepToTheBound() {
    HeldBytes.Share one = held.share();
    HeldBytes.Share other = held.share();
    assertThat(one.set(60)).isTrue();
    assertThat(other.set(41)).isFalse();
    assertThat(held.used()).isEqualTo(60);
    assertThat(other.set(40)).isTrue();
    assertThat(one.set(61)).isFalse();
    assertThat(one.set(0)).isTrue();
    assertThat(other.set(100)).isTrue();
    assertThat(other.set(0)).isTrue();
    assertThat(held.used()).isZero();
  }

  @Test
  void whatIsHandedOnInsideAStream_isCountedAndNeverRefused() {
    HeldBytes.Share queue = held.share();
    queue.take(150);
    assertThat(held.used()).isEqualTo(150);
    queue.take(0);
    assertThat(held.used()).isZero();
  }

  @Test
  void boundBelowOne_isRefused() {
    assertThatThrownBy(() -> new HeldBytes(0)).isInstanceOf(IllegalArgumentException.class);
    assertThat(HeldBytes.ofHeap().used()).isZero();
  }
}
