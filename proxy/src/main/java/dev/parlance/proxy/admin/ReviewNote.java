package dev.parlance.proxy.admin;

import dev.parlance.service.Result;
import dev.parlance.service.SyntaxFault;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a person says with an act: who it is, why, and how.
 *
 * @param who 1-200 characters
 * @param as roles and groups in which the person acts, at most 100
 * @param note at most 4000 characters
 * @param forMs for how long
 * @param undoMs how long it can be undone
 * @param identical whether all that say the same are meant
 * @param role what for
 */
record ReviewNote(
    String who,
    Set<String> as,
    String note,
    OptionalLong forMs,
    OptionalLong undoMs,
    boolean identical,
    Optional<String> role) {
  /** The members beside {@code who} of what decides. */
  static final Set<String> DECISION = Set.of("as", "note", "undoMs", "identical");

  private static final long MAX_MS = 31L * 24 * 3_600_000;
  private static final int WHO_CHARS = 200;
  private static final int NOTE_CHARS = 4_000;
  private static final int MAX_ROLES = 100;

  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();

  /**
   * Reads the body of a request.
   *
   * @param members those that it may have beside {@code who}
   */
  static Result<ReviewNote> parse(String body, Set<String> members) {
    JsonNode tree;
    try {
      tree = READER.readTree(body);
    } catch (JacksonException e) {
      return bad(SyntaxFault.json(e));
    }
    if (!tree.isObject()) {
      return bad("expected an object {\"who\":..}");
    }
    for (String name : new TreeSet<>(tree.propertyNames())) {
      if (!name.equals("who") && !members.contains(name)) {
        return bad("unknown member, expected who and " + new TreeSet<>(members) + " only");
      }
    }
    for (String name : List.of("forMs", "undoMs")) {
      JsonNode value = tree.path(name);
      if (tree.has(name)
          && !(value.isIntegralNumber()
              && value.canConvertToLong()
              && value.longValue() >= 0
              && value.longValue() <= MAX_MS)) {
        return bad("expected " + name + ": milliseconds, at most " + MAX_MS);
      }
    }
    if (tree.has("identical") && !tree.path("identical").isBoolean()) {
      return bad("expected identical: true or false");
    }
    if (tree.has("role") && !ReviewLinks.ROLES.contains(text(tree, "role").orElse(""))) {
      return bad("expected role: one of " + String.join(", ", ReviewLinks.ROLES));
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
    JsonNode as = tree.path("as");
    if (tree.has("as")
        && !(as.isArray()
            && as.size() <= MAX_ROLES
            && as.valueStream().allMatch(ReviewNote::isName))) {
      return bad("expected as: at most " + MAX_ROLES + " names of roles and groups");
    }
    return Result.done(
        new ReviewNote(
            who.get(),
            as.valueStream().map(JsonNode::stringValue).collect(Collectors.toUnmodifiableSet()),
            note.get(),
            number(tree, "forMs"),
            number(tree, "undoMs"),
            tree.path("identical").asBoolean(false),
            text(tree, "role")));
  }

  /** Who it is, alone and as what. */
  Set<String> names() {
    return Stream.concat(Stream.of(who), as.stream()).collect(Collectors.toUnmodifiableSet());
  }

  private static boolean isName(JsonNode name) {
    return name.isString()
        && !name.stringValue().isBlank()
        && name.stringValue().length() <= WHO_CHARS
        && !hasControl(name.stringValue());
  }

  private static Result<ReviewNote> bad(String message) {
    return Result.refused(Result.Kind.INVALID, "bad_body", message);
  }

  private static Optional<String> text(JsonNode tree, String name) {
    JsonNode value = tree.path(name);
    return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
  }

  private static OptionalLong number(JsonNode tree, String name) {
    return tree.has(name) ? OptionalLong.of(tree.path(name).longValue()) : OptionalLong.empty();
  }

  private static boolean hasControl(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }
}
