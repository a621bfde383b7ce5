package dev.parlance.it;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes transcripts comparable: ids that were made on the way become numbers, times and addresses
 * become words, and what sidecars add is taken out.
 */
final class Normal {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z?");
  private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:\\d+");
  private static final Pattern AGENT_MESSAGE = Pattern.compile("\\bagent-\\d+\\b");

  private final Map<String, String> ids = new HashMap<>();

  /** One transcript; ids are numbered in the order in which they appear. */
  static JsonNode of(JsonNode transcript) {
    return new Normal().walk(transcript);
  }

  private JsonNode walk(JsonNode node) {
    if (node.isString()) {
      return A2a.JSON.getNodeFactory().stringNode(text(node.asString("")));
    }
    if (node.isArray()) {
      ArrayNode all = A2a.JSON.createArrayNode();
      node.forEach(one -> {
        if (!one.asString("").equals(A2a.VERDICT)) {
          all.add(walk(one));
        }
      });
      return all;
    }
    if (node.isObject()) {
      ObjectNode all = A2a.JSON.createObjectNode();
      node.properties()
          .forEach(member -> {
            JsonNode value = walk(member.getValue());
            if (!member.getKey().startsWith(A2a.VERDICT) && !isNothing(member.getKey(), value)) {
              all.set(member.getKey(), value);
            }
          });
      return all;
    }
    return node;
  }

  /** Metadata and extensions that hold nothing say as much as none. */
  private static boolean isNothing(String name, JsonNode value) {
    return (name.equals("metadata") || name.equals("extensions")) && value.isEmpty();
  }

  private String text(String text) {
    String counted = ID.matcher(text).replaceAll(this::number);
    String timeless = TIME.matcher(counted).replaceAll("<time>");
    String placeless = ADDRESS.matcher(timeless).replaceAll("<address>");
    return AGENT_MESSAGE.matcher(placeless).replaceAll("<agent message>");
  }

  private String number(MatchResult id) {
    return ids.computeIfAbsent(id.group(), seen -> "<id " + (ids.size() + 1) + ">");
  }
}
