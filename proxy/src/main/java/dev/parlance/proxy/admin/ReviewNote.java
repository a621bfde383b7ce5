package dev.parlance.proxy.admin;

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

  /** What came of reading a body. */
  sealed interface Parsed {
    /** It says who. */
    record Good(ReviewNote note) implements Parsed {}

    /** It does not. */
    record Bad(String message) implements Parsed {}
  }

  static Parsed parse(String body) {
    JsonNode tree;
    try {
      tree = READER.readTree(body);
    } catch (JacksonException e) {
      return new Parsed.Bad("not JSON: " + e.getOriginalMessage());
    }
    if (!tree.isObject()) {
      return new Parsed.Bad("expected an object {\"who\":..,\"note\":..}");
    }
    for (String name : new TreeSet<>(tree.propertyNames())) {
      if (!name.equals("who") && !name.equals("note")) {
        return new Parsed.Bad("unknown member, expected who and note only");
      }
    }
    Optional<String> who = text(tree, "who").map(String::strip);
    Optional<String> note = tree.has("note") ? text(tree, "note") : Optional.of("");
    if (who.isEmpty()
        || who.get().isEmpty()
        || who.get().length() > WHO_CHARS
        || hasControl(who.get())) {
      return new Parsed.Bad("expected who: 1 to " + WHO_CHARS + " characters on one line");
    }
    if (note.isEmpty() || note.get().length() > NOTE_CHARS) {
      return new Parsed.Bad("expected note: text of at most " + NOTE_CHARS + " characters");
    }
    return new Parsed.Good(new ReviewNote(who.get(), note.get()));
  }

  private static Optional<String> text(JsonNode tree, String name) {
    JsonNode value = tree.path(name);
    return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
  }

  private static boolean hasControl(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }
}
