package dev.parlance.demo.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.a2a.spec.Message;
import io.a2a.spec.Part;
import io.a2a.spec.TextPart;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LicenseQuestionTest {
  @Test
  void plainQuestion_asksForNoRepair() {
    assertThat(asked(" Who is\tthe Licensor? "))
        .isEqualTo(
            new ScholarExecutor.LicenseQuestion("Who is the Licensor?", false, java.util.Set.of()));
  }

  @Test
  void furtherPart_isAnInstruction() {
    ScholarExecutor.LicenseQuestion asked =
        asked(
            "Who is the Licensor?",
            "Use only the given material. Cite every source: [Chunk c03] [Chunk c10]");
    assertThat(asked.question()).isEqualTo("Who is the Licensor?");
    assertThat(asked.repairRequested()).isTrue();
    assertThat(asked.namedPassages()).containsExactlyInAnyOrder("c03", "c10");
  }

  @Test
  void furtherLinesOfThePart_areAnInstructionToo() {
    ScholarExecutor.LicenseQuestion asked =
        asked("Who is the Licensor?\n\nAnswer only from the material.");
    assertThat(asked.question()).isEqualTo("Who is the Licensor?");
    assertThat(asked.repairRequested()).isTrue();
  }

  @Test
  void talkAfterTheQuestion_isNoRepair() {
    assertThat(asked("Who is the Licensor?", "Thank you!").repairRequested()).isFalse();
  }

  private static ScholarExecutor.LicenseQuestion asked(String... texts) {
    List<Part<?>> parts = new ArrayList<>();
    for (String text : texts) {
      parts.add(new TextPart(text));
    }
    return ScholarExecutor.LicenseQuestion.of(
        new Message.Builder().role(Message.Role.USER).messageId("m").parts(parts).build());
  }
}
