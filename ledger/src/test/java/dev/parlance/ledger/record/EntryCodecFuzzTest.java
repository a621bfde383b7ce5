package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Tag;

@Tag("fuzz")
class EntryCodecFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void anyBytes_areRefused_orWrittenBackAsTheyWere(byte[] bytes) {
    if (EntryCodec.decode(bytes) instanceof EntryCodec.Decoded.Read(Entry entry)) {
      assertThat(EntryCodec.encode(entry)).isEqualTo(bytes);
    }
  }
}
