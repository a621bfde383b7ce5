package dev.parlance.cli;

import dev.parlance.client.MessageSerializer;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON as the command line reads and writes it. Reading is strict (duplicate names, trailing bytes,
 * depth, token count); writing is ASCII, so that nothing in a text acts on a terminal.
 */
public final class Json {
  /** Deepest nesting that is read. */
  static final int DEPTH_MAX = 64;

  /** Most tokens in one document. */
  static final int TOKENS_MAX = 1_000_000;

  /** Longest string, in characters; above the longest line, so that the line bounds it. */
  static final int STRING_CHARACTERS_MAX = 64 << 20;

  /** Reads and writes. */
  public static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH_MAX)
                          .maxTokenCount(TOKENS_MAX)
                          .maxStringLength(STRING_CHARACTERS_MAX)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                  .build())
          .addModule(MessageSerializer.module())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .build();

  private static final ObjectWriter PRETTY = MAPPER.writerWithDefaultPrettyPrinter();

  private Json() {}

  /** One line. */
  public static String text(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** Indented, for people. */
  public static String pretty(Object value) {
    return PRETTY.writeValueAsString(value);
  }
}
