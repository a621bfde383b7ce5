package dev.parlance.proxy.admin;

import dev.parlance.service.Result;
import java.util.Optional;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Who decided and why.
 *
 * @param who 1-200 characters
 * @param note at most 4000 characters
 */
record ReviewNote(String who, String note) {
  private static final int WHO_CHARS = 200;
  private static final int NOTE_CHARS = 4_000;

  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();

  /** Reads the body of a request. */
  static Result<ReviewNote> parse(String body) {
    JsonNode tree;
    try {
      tree = READER.readTree(body);
    } catch (JacksonException e) {
      return bad("not JSON: " + e.getOriginalMessage());
    }
    if (!tree.isObject()) {
      return bad("expected an object {\"who\":..,\"note\":..}");
    }
    for (String name : new TreeSet<>(tree.propertyNames())) {
      if (!name.equals("who") && !name.equals("note")) {
        return bad("unknown member, expected who and note only");
      }
    }
    Optional<String> who = text(tree, "who").map(String::strip);
    Optional<String> note = tree.has("note") ? text(tree, "note") : Optional.of("");
    if (who.isEmpty()
        || who.get().isEmpty()
        || who.get().length() > WHO_CHARS
        || hasControl(who.get())) {
      return bad("expected who: 1 to " + WHO_CHARS + " characters on one line");
    }
    if (note.isEmpty() || note.get().length() > NOTE_CHARS) {
      return bad("expected note: text of at most " + NOTE_CHARS + " characters");
    }
    return Result.done(new ReviewNote(who.get(), note.get()));
  }

  private static Result<ReviewNote> bad(String message) {
    return Result.refused(Result.Kind.INVALID, "bad_body", message);
  }

  private static Optional<String> text(JsonNode tree, String name) {
    JsonNode value = tree.path(name);
    return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
  }

  private static boolean hasControl(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }
}
