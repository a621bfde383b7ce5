package dev.parlance.proxy.admin;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.service.Result;
import dev.parlance.service.SyntaxFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Texts that are to be judged for a person, and sent to nobody.
 *
 * @param answer what is judged
 * @param question what it answers; empty if that is not known
 * @param evidence what it is held against
 * @param citations what it cites beside the text
 * @param profile name of the profile; empty for that of the route
 * @param route name of the route; empty for the last one
 */
public record JudgementRequest(
    String answer,
    String question,
    List<Chunk> evidence,
    List<String> citations,
    Optional<String> profile,
    Optional<String> route) {
  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();

  /** Members of the texts by themselves. */
  static final Set<String> ALONE =
      Set.of("answer", "question", "evidence", "citations", "profile", "route");

  /** Members of another answer in the place of a held one. */
  static final Set<String> INSTEAD = Set.of("answer", "citations", "profile");

  private static final Set<String> OF_CHUNK = Set.of("id", "text");

  /** Takes copies. */
  public JudgementRequest {
    evidence = List.copyOf(evidence);
    citations = List.copyOf(citations);
  }

  /** A body that cannot be taken. */
  private static final class Bad extends Exception {
    private static final long serialVersionUID = 1;

    Bad(String message) {
      super(message);
    }
  }

  /** Reads the body of a request that may have these members. */
  static Result<JudgementRequest> parse(String body, Set<String> members) {
    try {
      JsonNode tree = READER.readTree(body);
      expect(tree, members, "the body");
      return Result.done(
          new JudgementRequest(
              text(tree, "answer").orElseThrow(() -> new Bad("expected answer: text")),
              text(tree, "question").orElse(""),
              chunks(tree),
              citations(tree),
              text(tree, "profile"),
              text(tree, "route")));
    } catch (JacksonException e) {
      return bad(SyntaxFault.json(e));
    } catch (Bad e) {
      return bad(String.valueOf(e.getMessage()));
    }
  }

  private static Result<JudgementRequest> bad(String message) {
    return Result.refused(Result.Kind.INVALID, "bad_body", message);
  }

  private static void expect(JsonNode object, Set<String> members, String where) throws Bad {
    if (!object.isObject() || !members.containsAll(object.propertyNames())) {
      throw new Bad("expected " + where + ": an object with " + new TreeSet<>(members));
    }
  }

  private static Optional<String> text(JsonNode object, String name) throws Bad {
    JsonNode value = object.path(name);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isString()) {
      throw new Bad("expected " + name + ": text");
    }
    return Optional.of(value.stringValue());
  }

  private static List<Chunk> chunks(JsonNode tree) throws Bad {
    List<Chunk> chunks = new ArrayList<>();
    for (JsonNode entry : array(tree, "evidence")) {
      expect(entry, OF_CHUNK, "evidence");
      chunks.add(
          new Chunk(
              text(entry, "id").orElse(""),
              Utf8Span.of(
                  text(entry, "text").orElseThrow(() -> new Bad("expected text of evidence")))));
    }
    if (chunks.size() > Evidence.MAX_CHUNKS) {
      throw new Bad("expected at most " + Evidence.MAX_CHUNKS + " chunks of evidence");
    }
    return chunks;
  }

  private static List<String> citations(JsonNode tree) throws Bad {
    List<String> citations = new ArrayList<>();
    for (JsonNode entry : array(tree, "citations")) {
      if (!entry.isString()) {
        throw new Bad("expected citations: texts");
      }
      citations.add(entry.stringValue());
    }
    return citations;
  }

  private static JsonNode array(JsonNode tree, String name) throws Bad {
    JsonNode value = tree.path(name);
    if (!value.isMissingNode() && !value.isArray()) {
      throw new Bad("expected " + name + ": an array");
    }
    return value;
  }
}
