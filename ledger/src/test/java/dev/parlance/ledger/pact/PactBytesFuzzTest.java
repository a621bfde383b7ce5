package dev.parlance.ledger.pact;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Reading;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("fuzz")
class PactBytesFuzzTest {
  private static final SignerKey KEY = SignerKey.fromSeed("A", KeyType.ED25519, new byte[32]);

  /** The input as a note, and as the text of one, so that a guess gets past the signature. */
  @FuzzTest(maxDuration = "60s")
  void anyText_isRefused_orAPactOrStatementWithThisOneText(byte[] bytes) {
    assertThat(PactNote.verify(bytes, List.of(KEY.verifier())))
        .isInstanceOf(PactNote.Reading.Refused.class);
    assertThat(PactStatementNote.verify(bytes, List.of(KEY.verifier())))
        .isInstanceOf(PactStatementNote.Reading.Refused.class);
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.endsWith("\n")
        && text.chars()
            .allMatch(c -> c == '\n' || (c >= ' ' && !Character.isSurrogate((char) c)))) {
      byte[] note = Note.sign(text, KEY).bytes();
      if (PactNote.unverified(note) instanceof PactNote.Reading.Good good) {
        assertThat(PactNote.text(good.document())).isEqualTo(text);
      }
      if (PactStatementNote.verify(note, List.of(KEY.verifier()))
          instanceof PactStatementNote.Reading.Good good) {
        assertThat(PactStatementNote.text(good.statement())).isEqualTo(text);
      }
    }
  }

  /** What is taken has a canonical form that is taken for the same. */
  @FuzzTest(maxDuration = "60s")
  void anyBatch_isRefused_orReadsAsItsCanonicalForm(byte[] bytes) {
    if (PactMessages.batch(bytes) instanceof Reading.Good<Batch>(Batch batch)) {
      byte[] again =
          PactMessages.write(
              batch.messages().stream().map(Incoming::message).toList(), batch.refused());
      assertThat(PactMessages.batch(again)).isEqualTo(new Reading.Good<>(batch));
    }
  }
}
