package dev.parlance.wire.openai;

import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The sites of verdicts in bodies and events of the OpenAI protocols: in member {@code asp} of the
 * outermost object, or of the response that an event holds. What stands in their {@code metadata}
 * under the name of statements on rounds is cut, because nobody checks it there.
 */
final class OpenAiTextSites implements Annotatable {
  private static final String METADATA = "metadata";

  private final JsonDocument json;
  private final int response;

  OpenAiTextSites(JsonDocument json) {
    this.json = json;
    int held = json.member(json.root(), "response");
    this.response = json.isObject(held) ? held : JsonDocument.NONE;
  }

  private int name(int object) {
    return json.nameOf(object, VerdictJson.MEMBER);
  }

  private int statement(int object) {
    return json.nameOf(json.member(object, METADATA), RoundMark.URI);
  }

  @Override
  public int forgedVerdicts() {
    return count(name(json.root())) + count(name(response));
  }

  @Override
  public int cutRounds() {
    return count(statement(json.root())) + count(statement(response));
  }

  private static int count(int node) {
    return node == JsonDocument.NONE ? 0 : 1;
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    if (!json.isObject(json.root())) {
      return List.of();
    }
    JsonEdits edits = new JsonEdits(json);
    boolean inside = response != JsonDocument.NONE;
    int object = inside ? response : json.root();
    String value = VerdictJson.withRound(verdict);
    int forged = name(object);
    if (forged == JsonDocument.NONE) {
      edits.addMembers(object, JsonWriter.quoted(VerdictJson.MEMBER) + ":" + value);
    } else {
      edits.replace(forged + 1, value);
    }
    if (inside) {
      stripVerdict(edits, json.root());
    }
    stripRounds(edits);
    return edits.sorted();
  }

  @Override
  public List<Edit> strip() {
    JsonEdits edits = new JsonEdits(json);
    strip(edits);
    return edits.sorted();
  }

  /** As part of other edits. */
  void strip(JsonEdits edits) {
    stripVerdict(edits, json.root());
    stripVerdict(edits, response);
    stripRounds(edits);
  }

  private void stripVerdict(JsonEdits edits, int object) {
    int forged = name(object);
    if (forged != JsonDocument.NONE) {
      edits.removeMember(object, forged);
    }
  }

  private void stripRounds(JsonEdits edits) {
    Set<Integer> objects = new LinkedHashSet<>(List.of(json.root(), response));
    for (int object : objects) {
      int statement = statement(object);
      if (statement != JsonDocument.NONE) {
        edits.removeMember(json.member(object, METADATA), statement);
      }
    }
  }
}
