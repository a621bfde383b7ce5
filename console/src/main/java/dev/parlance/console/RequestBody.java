package dev.parlance.console;

import dev.parlance.service.SyntaxFault;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The JSON object of a request, read strictly; what does not fit is {@link Unfit}. */
final class RequestBody {
  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();

  private final ObjectNode object;

  private RequestBody(ObjectNode object) {
    this.object = object;
  }

  /** A body is not what the call takes; the message is for people. */
  static final class Unfit extends Exception {
    private static final long serialVersionUID = 1;

    private final String told;

    Unfit(String message) {
      super(message);
      this.told = message;
    }

    /** What was wrong with it, for whoever has sent it. */
    String told() {
      return told;
    }
  }

  /** Reads a body that may have these members. */
  static RequestBody parse(String text, Set<String> members) throws Unfit {
    try {
      if (!(READER.readTree(text.isEmpty() ? "{}" : text) instanceof ObjectNode object)) {
        throw new Unfit("expected a JSON object");
      }
      for (String name : object.propertyNames()) {
        if (!members.contains(name)) {
          throw new Unfit("expected no members but " + String.join(", ", new TreeSet<>(members)));
        }
      }
      return new RequestBody(object);
    } catch (JacksonException e) {
      throw new Unfit("the body: " + SyntaxFault.json(e));
    }
  }

  /** The whole. */
  ObjectNode object() {
    return object;
  }

  /** A text, if it is there. */
  Optional<String> text(String name, int maxCharacters) throws Unfit {
    JsonNode value = object.path(name);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isString() || value.stringValue().length() > maxCharacters) {
      throw new Unfit("expected " + name + ": a text of at most " + maxCharacters + " characters");
    }
    return Optional.of(value.stringValue());
  }

  /** A whole number, if it is there. */
  Optional<Long> whole(String name, long min, long max) throws Unfit {
    JsonNode value = object.path(name);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.asLong() < min
        || value.asLong() > max) {
      throw new Unfit("expected " + name + ": a whole number from " + min + " to " + max);
    }
    return Optional.of(value.asLong());
  }

  /** Refuses a number outside 0 to 1, if it is there. */
  void checkShare(String name) throws Unfit {
    JsonNode value = object.path(name);
    if (!value.isMissingNode()
        && !(value.isNumber() && value.asDouble() >= 0 && value.asDouble() <= 1)) {
      throw new Unfit("expected " + name + ": a number from 0 to 1");
    }
  }
}
