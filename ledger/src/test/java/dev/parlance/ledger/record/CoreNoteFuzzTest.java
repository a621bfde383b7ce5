package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.CoreNote.CoreReading;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("fuzz")
class CoreNoteFuzzTest {
  private static final SignerKey KEY =
      SignerKey.fromSeed("core.example", KeyType.ED25519, new byte[32]);

  /** The input as a note, and, so that a guess at the document gets past the signature, signed. */
  @FuzzTest(maxDuration = "60s")
  void anyBytes_areRefused_orACoreWithThisOneText(byte[] bytes) {
    assertThat(CoreNote.read(bytes, List.of(KEY.verifier())))
        .isInstanceOf(CoreReading.Refused.class);
    String text = "parlance-core-1\n" + new String(bytes, StandardCharsets.UTF_8) + "\n";
    if (text.chars().allMatch(c -> c == '\n' || (c >= ' ' && !Character.isSurrogate((char) c)))) {
      byte[] note = Note.sign(text, KEY).bytes();
      if (CoreNote.read(note, List.of(KEY.verifier())) instanceof CoreReading.Good good) {
        assertThat(CoreNote.text(good.core())).isEqualTo(text);
      }
    }
  }
}
