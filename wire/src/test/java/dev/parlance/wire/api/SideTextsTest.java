package dev.parlance.wire.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.bytes.Arena;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stands beside an answer is judged unless the answer says it. */
class SideTextsTest {
  private static String joined(String answer, String beside) {
    return new SideTexts(Relayed.NOTHING, Arena.unpooled())
        .join(List.of(Utf8Span.of(answer)), List.of(Utf8Span.of(beside)))
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "every 2000 hours | 200",
        "every 2000 hours | 000",
        "every 2,000 hours | 000",
        "at 0.35 bar | 35",
        "at 0.35 bar | 0",
        "at -5 degrees | 5",
        "it is unsafe | safe",
        "it is not true that the pump may run dry | the pump may run dry",
        "The pump may run dry only in water. | The pump may run dry",
        "Wrong: \"the pump may run dry\", says the manual | the pump may run dry",
      })
  void S5_whatTheAnswerSaysOtherwise_isJudgedToo(String answer, String beside) {
    assertThat(joined(answer, beside)).isEqualTo(answer + "\n" + beside);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "every 2000 hours | 2000",
        "every 10-20 hours | 20",
        "at 0.35 bar. | 0.35",
        "Sealed at 5. | 5",
        "The pump may run dry [c1]. | The pump may run dry",
        "Yes. The pump may run dry. | The pump may run dry",
        "Yes. The pump may run dry. Call us! | The pump may run dry.",
        "{\"answer\": \"the pump may run dry\", \"hours\": 5} | the pump may run dry",
        "{\"answer\": \"the pump may run dry\", \"hours\": 5} | 5",
      })
  void whatTheAnswerSays_isJudgedOnce(String answer, String beside) {
    assertThat(joined(answer, beside)).isEqualTo(answer);
  }
}
