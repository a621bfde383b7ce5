package dev.parlance.policy.header;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;

@Tag("fuzz")
class HeaderFuzzTest {
  /** Whatever is accepted is written canonically and read back as itself; nothing throws. */
  @FuzzTest(maxDuration = "60s")
  void parse_acceptsOnlyWhatItCanWrite(byte[] bytes) {
    AspHeader.parse(new String(bytes, StandardCharsets.ISO_8859_1))
        .ifPresent(header -> assertThat(AspHeader.parse(header.text())).contains(header));
  }
}
