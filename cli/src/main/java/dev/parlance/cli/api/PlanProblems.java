package dev.parlance.cli.api;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.TerminalEscaper;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is wrong with a plan's file, with the JSON Pointer of each place. */
final class PlanProblems {
  /** Problems that are named; a file may have a million lines. */
  private static final int NAMED_MAX = 100;

  private final List<String> named = new ArrayList<>();
  private int count;

  void add(String pointer, String message) {
    count++;
    if (named.size() < NAMED_MAX) {
      named.add((pointer.isEmpty() ? "/" : pointer) + ": " + message);
    }
  }

  /** All of them, the last line with how many are not named. */
  List<String> all() {
    List<String> all = new ArrayList<>(named);
    if (count > named.size()) {
      all.add((count - named.size()) + " more");
    }
    return all;
  }

  /** Complains of members that mean nothing. */
  void onlyMembers(ObjectNode object, String where, Set<String> known) {
    for (String name : object.propertyNames()) {
      if (!known.contains(name)) {
        add(
            where + "/" + TerminalEscaper.shortened(name, 60),
            "unknown; expected one of " + String.join(", ", new TreeSet<>(known)));
      }
    }
  }

  /** A text that must be there, or an empty one and a complaint. */
  String text(ObjectNode object, String where, String member) {
    String text = optionalText(object, where, member);
    if (text.isEmpty() && (object.path(member).isMissingNode() || object.path(member).isString())) {
      add(where + "/" + member, "expected a text, got nothing");
    }
    return text;
  }

  /** A text, or an empty one where there is none. */
  String optionalText(ObjectNode object, String where, String member) {
    JsonNode node = object.path(member);
    if (node.isMissingNode()) {
      return "";
    }
    if (!node.isString() || !InputLine.isText(node.stringValue())) {
      add(where + "/" + member, "expected a text, got " + InputLine.kind(node));
      return "";
    }
    return node.stringValue();
  }

  /** A number, or the other one where there is none. */
  double real(ObjectNode object, String where, String member, double otherwise) {
    JsonNode node = object.path(member);
    if (node.isMissingNode()) {
      return otherwise;
    }
    if (!node.isNumber()) {
      add(where + "/" + member, "expected a number, got " + InputLine.kind(node));
      return otherwise;
    }
    return node.doubleValue();
  }
}
