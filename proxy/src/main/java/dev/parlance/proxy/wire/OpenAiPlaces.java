package dev.parlance.proxy.wire;

import java.util.List;

/**
 * Where a verdict stands in bodies and events of the OpenAI protocols: in member {@code asp} of the
 * outermost object, or of the response that an event holds.
 */
final class OpenAiPlaces implements Annotatable {
  private final JsonDocument json;
  private final int response;

  OpenAiPlaces(JsonDocument json) {
    this.json = json;
    int held = json.member(json.root(), "response");
    this.response = json.isObject(held) ? held : JsonDocument.NONE;
  }

  private int name(int object) {
    return json.nameOf(object, VerdictJson.MEMBER);
  }

  @Override
  public int forgedVerdicts() {
    return count(json.root()) + count(response);
  }

  private int count(int object) {
    return name(object) == JsonDocument.NONE ? 0 : 1;
  }

  @Override
  public List<Edit> annotate(Annotation verdict) {
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
      strip(edits, json.root());
    }
    return edits.sorted();
  }

  @Override
  public List<Edit> strip() {
    JsonEdits edits = new JsonEdits(json);
    strip(edits, json.root());
    strip(edits, response);
    return edits.sorted();
  }

  private void strip(JsonEdits edits, int object) {
    int forged = name(object);
    if (forged != JsonDocument.NONE) {
      edits.removeMember(object, forged);
    }
  }
}
