package dev.parlance.proxy.control;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON of somebody else: UTF-8, one value, no key twice, not deep. */
final class StrictJson {
  private static final int MAX_DEPTH = 64;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private StrictJson() {}

  /** The value; empty if it is not JSON as it should be. */
  static Optional<JsonNode> read(byte[] bytes) {
    try {
      // A string first: the parser itself takes byte sequences that are not UTF-8.
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return Optional.of(MAPPER.readTree(text));
    } catch (CharacterCodingException | JacksonException e) {
      return Optional.empty();
    }
  }

  static byte[] write(JsonNode node) {
    return MAPPER.writeValueAsBytes(node);
  }
}
