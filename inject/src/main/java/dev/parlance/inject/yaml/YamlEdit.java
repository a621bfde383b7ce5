package dev.parlance.inject.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes of one YAML text, collected as replacements of ranges. Block mappings and block lists are
 * changed entry by entry; anything else that differs is written anew as a whole. Places are counted
 * in code points, as the parser's are.
 */
final class YamlEdit {
  private final int[] text;
  private final List<Change> changes = new ArrayList<>();

  YamlEdit(String text) {
    this.text = text.codePoints().toArray();
  }

  private record Change(int start, int end, String with) {}

  /** Says what a document is to be. */
  void document(Node node, JsonNode from, JsonNode to, boolean keeping) {
    if (!keeping || !value(node, from, to)) {
      int start = start(node);
      changes.add(new Change(start, lineEnd(contentEnd(node)), Yaml.write(to)));
    }
  }

  /** The text with everything that was said. */
  String text() {
    List<Change> ordered = new ArrayList<>(changes);
    ordered.sort(Comparator.comparingInt(Change::start).thenComparingInt(Change::end));
    StringBuilder out = new StringBuilder();
    int at = 0;
    for (Change change : ordered) {
      out.append(new String(text, at, change.start() - at));
      if (change.start() == text.length && text.length > 0 && text[text.length - 1] != '\n') {
        out.append('\n');
      }
      out.append(change.with());
      at = change.end();
    }
    return out.append(new String(text, at, text.length - at)).toString();
  }

  /** Changes the value in place; false if it has to be written anew instead. */
  private boolean value(Node node, JsonNode from, JsonNode to) {
    if (from.equals(to)) {
      return true;
    }
    int before = changes.size();
    boolean done =
        switch (node) {
          case MappingNode mapping
              when isBlock(mapping.getFlowStyle())
                  && from instanceof ObjectNode old
                  && to instanceof ObjectNode wanted ->
              mapping(mapping, old, wanted);
          case SequenceNode sequence
              when isBlock(sequence.getFlowStyle())
                  && from instanceof ArrayNode old
                  && to instanceof ArrayNode wanted ->
              sequence(sequence, old, wanted);
          default -> false;
        };
    if (!done) {
      changes.subList(before, changes.size()).clear();
    }
    return done;
  }

  private static boolean isBlock(FlowStyle style) {
    return style == FlowStyle.BLOCK;
  }

  private boolean mapping(MappingNode node, ObjectNode from, ObjectNode to) {
    List<NodeTuple> entries = node.getValue();
    int column = column(start(entries.getFirst().getKeyNode()));
    boolean anyStays = false;
    for (int i = 0; i < entries.size(); i++) {
      if (!(entries.get(i).getKeyNode() instanceof ScalarNode key)) {
        return false;
      }
      String name = key.getValue();
      Node value = entries.get(i).getValueNode();
      if (to.has(name)) {
        anyStays = true;
        if (!value(value, from.path(name), to.path(name))) {
          ObjectNode entry = JsonNodeFactory.instance.objectNode();
          entry.set(name, to.path(name));
          changes.add(
              new Change(
                  start(key),
                  lineEnd(contentEnd(value)),
                  indented(Yaml.write(entry), column, false)));
        }
      } else if (i == 0 && entries.size() > 1) {
        // Perhaps behind the dash of a list, so the next key has to come to the very same place.
        changes.add(new Change(start(key), start(entries.get(1).getKeyNode()), ""));
      } else {
        changes.add(new Change(lineStart(start(key)), lineEnd(contentEnd(value)), ""));
      }
    }
    ObjectNode added = JsonNodeFactory.instance.objectNode();
    to.properties()
        .forEach(member -> {
          if (!from.has(member.getKey())) {
            added.set(member.getKey(), member.getValue());
          }
        });
    if (!added.isEmpty()) {
      int end = lineEnd(contentEnd(node));
      changes.add(new Change(end, end, indented(Yaml.write(added), column, true)));
    }
    return anyStays;
  }

  private boolean sequence(SequenceNode node, ArrayNode from, ArrayNode to) {
    List<Node> items = node.getValue();
    int column = column(start(node));
    int shorter = Math.min(from.size(), to.size());
    int same = 0;
    while (same < shorter && alike(from.path(same), to.path(same))) {
      same++;
    }
    int tail = 0;
    while (tail < shorter - same
        && alike(from.path(from.size() - 1 - tail), to.path(to.size() - 1 - tail))) {
      tail++;
    }
    if (same + tail == 0) {
      return false;
    }
    for (Node item : items) {
      if (!isBehindDash(start(item))) {
        return false;
      }
    }
    for (int i = 0; i < same + tail; i++) {
      int old = i < same ? i : from.size() - tail + (i - same);
      int wanted = i < same ? i : to.size() - tail + (i - same);
      if (!item(items.get(old), from.path(old), to.path(wanted), column)) {
        return false;
      }
    }
    for (int i = same; i < from.size() - tail; i++) {
      int start = start(items.get(i));
      changes.add(new Change(lineStart(start), lineEnd(contentEnd(items.get(i))), ""));
    }
    ArrayNode added = JsonNodeFactory.instance.arrayNode();
    for (int i = same; i < to.size() - tail; i++) {
      added.add(to.path(i));
    }
    if (!added.isEmpty()) {
      int at =
          same < from.size()
              ? lineStart(start(items.get(same)))
              : lineEnd(contentEnd(items.getLast()));
      changes.add(new Change(at, at, indented(Yaml.write(added), column, true)));
    }
    return true;
  }

  private boolean item(Node node, JsonNode from, JsonNode to, int column) {
    if (!value(node, from, to)) {
      ArrayNode one = JsonNodeFactory.instance.arrayNode().add(to);
      changes.add(
          new Change(
              lineStart(start(node)),
              lineEnd(contentEnd(node)),
              indented(Yaml.write(one), column, true)));
    }
    return true;
  }

  /** Equal, or two versions of the thing of one name. */
  private static boolean alike(JsonNode a, JsonNode b) {
    return a.equals(b) || (a.path("name").isString() && a.path("name").equals(b.path("name")));
  }

  private static String indented(String block, int column, boolean first) {
    StringBuilder out = new StringBuilder();
    String indent = " ".repeat(column);
    boolean indents = first;
    for (String line : block.lines().toList()) {
      out.append(indents && !line.isEmpty() ? indent : "").append(line).append('\n');
      indents = true;
    }
    return out.toString();
  }

  private static int start(Node node) {
    return node.getStartMark().orElseThrow().getIndex();
  }

  /** Where the last of the node's own characters ends, not where the next thing begins. */
  private static int contentEnd(Node node) {
    return switch (node) {
      case MappingNode mapping
          when isBlock(mapping.getFlowStyle()) && !mapping.getValue().isEmpty() ->
          contentEnd(mapping.getValue().getLast().getValueNode());
      case SequenceNode list when isBlock(list.getFlowStyle()) && !list.getValue().isEmpty() ->
          contentEnd(list.getValue().getLast());
      default -> node.getEndMark().orElseThrow().getIndex();
    };
  }

  private int lineStart(int at) {
    int start = at;
    while (start > 0 && text[start - 1] != '\n') {
      start--;
    }
    return start;
  }

  /** Behind the line break that ends the line; a place behind one already stays. */
  private int lineEnd(int at) {
    if (at > 0 && text[at - 1] == '\n') {
      return at;
    }
    int end = at;
    while (end < text.length && text[end] != '\n') {
      end++;
    }
    return Math.min(end + 1, text.length);
  }

  private int column(int at) {
    return at - lineStart(at);
  }

  /** True if there is nothing before it on its line but one dash. */
  private boolean isBehindDash(int at) {
    String before = new String(text, lineStart(at), at - lineStart(at));
    return before.strip().equals("-");
  }
}
