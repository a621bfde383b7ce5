package dev.parlance.wire.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrpcTimeoutTest {
  @ParameterizedTest
  @CsvSource({
    "1n,1",
    "25u,25000",
    "100m,100000000",
    "5S,5000000000",
    "2M,120000000000",
    "1H,3600000000000",
    "00000005S,5000000000",
    "99999999S,99999999000000000"
  })
  void units_areRead(String value, long nanos) {
    assertThat(GrpcTimeout.parse(value)).isEqualTo(new GrpcTimeout.Left(nanos));
  }

  @Test
  void G16_deadlineThatOverflows_isTheLongestThereIs() {
    assertThat(GrpcTimeout.parse("99999999H")).isEqualTo(new GrpcTimeout.Left(Long.MAX_VALUE));
    assertThat(GrpcTimeout.parse("99999999M"))
        .isEqualTo(new GrpcTimeout.Left(5999999940000000000L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0n", "0S", "00000000H"})
  void G16_deadlineOfZero_isSpent(String value) {
    assertThat(GrpcTimeout.parse(value)).isEqualTo(new GrpcTimeout.Spent());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "S",
        "5",
        "-1S",
        "+1S",
        "1.5S",
        "123456789S",
        "1s",
        " 1S",
        "1S ",
        "0x1S",
        "٣S"
      })
  void G16_deadlineThatIsNone_isRefused(String value) {
    assertThat(GrpcTimeout.parse(value)).isInstanceOf(GrpcTimeout.Malformed.class);
  }

  @ParameterizedTest
  @CsvSource({
    "-5,0n",
    "0,0n",
    "1,1n",
    "99999999,99999999n",
    "100000000,100000u",
    "99999999999,99999999u",
    "5000000000000,5000000m",
    "9223372036854775807,2562047H"
  })
  void timeLeft_isWrittenInEightDigitsAtMost(long nanos, String expected) {
    String value = GrpcTimeout.format(nanos);
    assertThat(value).isEqualTo(expected);
  }

  @Test
  void whatIsWritten_isReadAsNoMoreThanItWas() {
    for (long nanos = 1; nanos > 0 && nanos < Long.MAX_VALUE / 7; nanos = nanos * 7 + 3) {
      GrpcTimeout read = GrpcTimeout.parse(GrpcTimeout.format(nanos));
      assertThat(read).isInstanceOf(GrpcTimeout.Left.class);
      long left = ((GrpcTimeout.Left) read).nanos();
      assertThat(left).isLessThanOrEqualTo(nanos).isGreaterThan(nanos - nanos / 1000 - 1);
    }
  }
}
