package dev.parlance.console.api;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.Note;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The document that a pact's parties have signed, to be read; its signatures are not checked. */
final class SignedTerms {
  private SignedTerms() {}

  static Optional<JsonNode> of(ByteString note) {
    return Note.parse(note.toByteArray()).value().flatMap(parsed -> json(parsed.text()));
  }

  /** The first line of a note that is a JSON object. */
  private static Optional<JsonNode> json(String text) {
    return text.lines()
        .filter(line -> line.startsWith("{"))
        .findFirst()
        .flatMap(SignedTerms::parse);
  }

  private static Optional<JsonNode> parse(String line) {
    try {
      return Optional.of(JsonMapper.shared().readTree(line)).filter(ObjectNode.class::isInstance);
    } catch (JacksonException _) {
      return Optional.empty();
    }
  }
}
