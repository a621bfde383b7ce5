package dev.parlance.proxy.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** W3C Trace Context, level 1 and 2. */
class TraceContextTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  @Test
  void wellFormedOne_isRead_andWrittenAsItWas() {
    TraceContext read = TraceContext.parse("00-" + TRACE + "-" + SPAN + "-01").orElseThrow();
    assertThat(read).isEqualTo(new TraceContext(TRACE, SPAN, 1));
    assertThat(read.isSampled()).isTrue();
    assertThat(TraceContext.traceIdOf(read.value())).contains(TRACE);
    assertThat(read.value()).isEqualTo("00-" + TRACE + "-" + SPAN + "-01");
    assertThat(TraceContext.parse("00-" + TRACE + "-" + SPAN + "-00").orElseThrow().isSampled())
        .isFalse();
  }

  @Test
  void laterVersion_isReadLikeThisOne_andHandedOnAsThisOne() {
    TraceContext read =
        TraceContext.parse("cc-" + TRACE + "-" + SPAN + "-ff-what-is-new").orElseThrow();
    assertThat(read.from("1111111111111111").value())
        .isEqualTo("00-" + TRACE + "-1111111111111111-03");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
        "0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
        " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
      })
  void malformedOne_isNone(String value) {
    assertThat(TraceContext.parse(value)).isEmpty();
    assertThat(TraceContext.traceIdOf(value)).isEmpty();
  }
}
