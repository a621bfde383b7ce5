package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Streams of which a verdict would take too long follow the route's {@code onUnjudged}. */
class StreamJudgingLimitTest extends StreamFixture {
  private static final String ONE_MS = "limits:\n  judgingMs: 1\n";
  private static final String DEAR = FACT + " \uFDFA".repeat(4000) + " [Chunk c1].";

  @Test
  void aHeldStreamIsRefusedByDefault() throws Exception {
    script = reply -> task(reply, DEAR, 4000);
    start("profile: overlap\n    stream: hold", ONE_MS);
    String seen = ask(QUESTION).whole();
    assertThat(seen).contains("judging_limit").doesNotContain("radial play");
    assertThat(scrape())
        .contains("parlance_unjudged_total{policy=\"block\",what=\"judging_limit\"} 1.0")
        .contains("parlance_stream_cut_total{reason=\"unjudged\"} 1.0")
        .contains("parlance_stream_open 0")
        .contains("parlance_stream_held_bytes 0");
  }

  @Test
  void aHeldStreamPassesWithAWarningWhereTheRouteSaysSo() throws Exception {
    script = reply -> task(reply, DEAR, 4000);
    start("profile: overlap\n    stream: hold\n    onUnjudged: warn", ONE_MS);
    String seen = ask(QUESTION).whole();
    assertThat(seen)
        .contains("radial play")
        .contains("\r\nParlance-Route: warn")
        .contains("TASK_STATE_COMPLETED");
    assertThat(scrape())
        .contains("parlance_unjudged_total{policy=\"warn\",what=\"judging_limit\"} 1.0");
  }

  @Test
  void aWindowThatHasBecomeTooDearEndsTheStream() throws Exception {
    script = reply -> task(reply, GROUNDED + DEAR, 500);
    start("profile: overlap\n    stream: window", ONE_MS);
    String seen = ask(QUESTION).whole();
    assertThat(seen).contains("radial play").contains("judging_limit");
    assertThat(scrape()).contains("parlance_stream_cut_total{reason=\"unjudged\"} 1.0");
  }

  @Test
  void whereNothingIsHeldBackItIsOnlyCounted() throws Exception {
    script = reply -> task(reply, DEAR, 4000);
    start("profile: overlap\n    stream: observe", ONE_MS);
    String seen = ask(QUESTION).whole();
    assertThat(seen).contains("radial play").contains("TASK_STATE_COMPLETED");
    assertThat(scrape())
        .contains("parlance_unjudged_total{policy=\"allow\",what=\"judging_limit\"} 1.0");
  }

  @Test
  void belowTheBoundTheSameStreamIsJudged() throws Exception {
    script = reply -> task(reply, DEAR, 4000);
    start("profile: overlap\n    stream: hold", "");
    assertThat(ask(QUESTION).whole()).contains("radial play").contains("\r\nASP-Signal: [@C:");
  }
}
