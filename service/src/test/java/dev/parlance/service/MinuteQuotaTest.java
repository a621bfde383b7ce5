package dev.parlance.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MinuteQuotaTest {
  @Test
  void whoDoesItTooOften_doesItNoMoreForTheRestOfTheMinute_andKeepsNobodyElseFromIt() {
    MinuteQuota quota = new MinuteQuota(600);
    for (int i = 0; i < 600; i++) {
      assertThat(quota.take("mallory", 60_000 + i)).isTrue();
    }
    assertThat(quota.take("mallory", 119_999)).isFalse();
    assertThat(quota.take("alice", 119_999)).isTrue();
    assertThat(quota.take("mallory", 120_000)).isTrue();
  }
}
