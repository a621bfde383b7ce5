package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("fuzz")
class OutcomeNoteFuzzTest {
  private static final SignerKey KEY =
      SignerKey.fromSeed("control.example", KeyType.ED25519, new byte[32]);

  /** The input as a note, and, so that a guess at the document gets past the signature, signed. */
  @FuzzTest(maxDuration = "60s")
  void anyBytes_areRefused_orAnOutcomeWithThisOneText(byte[] bytes) {
    assertThat(OutcomeNote.read(bytes, List.of(KEY.verifier())))
        .isInstanceOf(OutcomeReading.Refused.class);
    String text = "parlance-outcome-1\n" + new String(bytes, StandardCharsets.UTF_8) + "\n";
    if (text.chars().allMatch(c -> c == '\n' || (c >= ' ' && !Character.isSurrogate((char) c)))) {
      byte[] note = Note.sign(text, KEY).bytes();
      if (OutcomeNote.read(note, List.of(KEY.verifier())) instanceof OutcomeReading.Good good) {
        assertThat(OutcomeNote.text(good.outcome())).isEqualTo(text);
      }
    }
  }
}
