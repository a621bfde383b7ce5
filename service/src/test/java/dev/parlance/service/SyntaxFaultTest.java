package dev.parlance.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

class SyntaxFaultTest {
  private static final JsonMapper STRICT =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a': NaN}|not JSON (line 1, column 10)",
        "{'a': 1, // secret|not JSON (line 1, column 10)",
        "{~'a': 1,~'a': 2}|a member name stands twice in one object (line 3, column 4)",
        "{'a'|not JSON (line 1, column 5)",
      })
  void whatIsWrong_isSaid_withItsPlace_andWithoutItsWords(String text, String words) {
    String json = text.replace('\'', '"').replace('~', '\n');
    JacksonException problem =
        catchThrowableOfType(JacksonException.class, () -> STRICT.readTree(json));
    assertThat(SyntaxFault.json(problem)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({"501", "5000"})
  void whatIsTooDeep_isCalledSo(int depth) {
    JacksonException problem =
        catchThrowableOfType(JacksonException.class, () -> STRICT.readTree("[".repeat(depth)));
    assertThat(SyntaxFault.words("YAML", problem)).startsWith("nested too deeply, or longer");
  }
}
