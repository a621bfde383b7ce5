package dev.parlance.wire.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a body is declared to be. */
class MediaTypeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=\"UTF-8\"",
        "application/json; CHARSET = utf8",
        "application/json; charset=utf-8; charset=UTF-8",
        "application/json; odata=minimal; charset=utf-8"
      })
  void utf8_isNoFault(String value) {
    assertThat(MediaType.parse(value).charsetFault()).isEmpty();
    assertThat(MediaType.parse(value).isJson()).isTrue();
  }

  /** A receiver that takes the last one, or knows quotes, would read other characters. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain; charset=utf-7",
        "text/plain; charset=utf-8; charset=utf-7",
        "text/plain; charset=utf-7; charset=utf-8",
        "text/plain; x=\"; charset=utf-8; \"; charset=utf-7",
        "text/plain; charset=utf-8; x=1; charset=\"utf-7\"",
        "text/plain; charset="
      })
  void anyOtherCharset_isAFault(String value) {
    assertThat(MediaType.parse(value).charsetFault()).isPresent();
  }
}
