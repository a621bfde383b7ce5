package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.BoardNote.BoardReading;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("fuzz")
class BoardNoteFuzzTest {
  private static final SignerKey KEY =
      SignerKey.fromSeed("control.example", KeyType.ED25519, new byte[32]);

  /** The input as a note, and, so that a guess at the document gets past the signature, signed. */
  @FuzzTest(maxDuration = "60s")
  void anyBytes_areRefused_orABoardWithThisOneText(byte[] bytes) {
    assertThat(BoardNote.read(bytes, List.of(KEY.verifier())))
        .isInstanceOf(BoardReading.Refused.class);
    String text = "parlance-board-v1\n" + new String(bytes, StandardCharsets.UTF_8) + "\n";
    if (text.chars().allMatch(c -> c == '\n' || (c >= ' ' && !Character.isSurrogate((char) c)))) {
      byte[] note = Note.sign(text, KEY).bytes();
      if (BoardNote.read(note, List.of(KEY.verifier())) instanceof BoardReading.Good good) {
        assertThat(BoardNote.text(good.board())).isEqualTo(text);
      }
    }
  }
}
