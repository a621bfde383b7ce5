package dev.parlance.control.lexicon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BoardQuotaTest {
  @Test
  void whoOpensTooManyBoards_opensNoneForTheRestOfTheMinute_andKeepsNobodyElseFromIt() {
    BoardQuota quota = new BoardQuota();
    for (int i = 0; i < BoardQuota.BOARDS_A_MINUTE; i++) {
      assertThat(quota.take("mallory", 60_000 + i)).isTrue();
    }
    assertThat(quota.take("mallory", 119_999)).isFalse();
    assertThat(quota.take("alice", 119_999)).isTrue();
    assertThat(quota.take("mallory", 120_000)).isTrue();
  }
}
