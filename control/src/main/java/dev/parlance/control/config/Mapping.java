package dev.parlance.control.config;

import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.Quoted;
import dev.parlance.service.config.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One mapping of the file. A member that is absent or wrong reads as its default, so that the rest
 * is looked at too; {@link #done} then names every member that nobody asked for.
 */
final class Mapping {

  private final String pointer;
  private final List<ConfigProblem> problems;
  private final Map<String, NodeTuple> members = new LinkedHashMap<>();
  private final List<String> known = new ArrayList<>();
  private final Optional<Node> self;

  private Mapping(Optional<Node> self, String pointer, List<ConfigProblem> problems) {
    this.self = self;
    this.pointer = pointer;
    this.problems = problems;
    if (self.isPresent() && self.get() instanceof MappingNode mapping) {
      for (NodeTuple member : mapping.getValue()) {
        add(member);
      }
    } else if (self.isPresent()) {
      problem(self.get(), pointer, "got " + shown(self.get()) + ", expected a mapping");
    }
  }

  /** The document; a file without content is an empty mapping. */
  static Mapping root(Optional<Node> document, List<ConfigProblem> problems) {
    return new Mapping(document, "", problems);
  }

  private void add(NodeTuple member) {
    if (!(member.getKeyNode() instanceof ScalarNode key) || !key.getTag().equals(Tag.STR)) {
      problem(member.getKeyNode(), pointer, "a key that is no plain text, expected a name");
      return;
    }
    String at = pointer + "/" + key.getValue();
    if (member.getKeyNode().getAnchor().isPresent()
        || member.getValueNode().getAnchor().isPresent()) {
      problem(member.getKeyNode(), at, "an anchor, expected the value itself");
    } else if (members.putIfAbsent(key.getValue(), member) != null) {
      problem(key, at, "duplicate key \"" + key.getValue() + "\"");
    }
  }

  /** True if the file has this member. */
  boolean has(String key) {
    return members.containsKey(key);
  }

  /** True if the file has this member and it is a mapping. */
  boolean isMapping(String key) {
    return value(key).filter(MappingNode.class::isInstance).isPresent();
  }

  /** A mapping in this one; empty if absent. */
  Mapping section(String key) {
    return new Mapping(value(key), pointer + "/" + key, problems);
  }

  /** A text that is not empty. */
  Optional<String> text(String key) {
    Optional<Node> value = value(key);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    // A number is a fine name for a replica.
    if (value.get() instanceof ScalarNode scalar
        && !scalar.getTag().equals(Tag.NULL)
        && !scalar.getValue().isEmpty()) {
      return Optional.of(scalar.getValue());
    }
    problem(key, "got " + shown(value.get()) + ", expected text");
    return Optional.empty();
  }

  /** The names of all members, in the order of the file. */
  List<String> keys() {
    return List.copyOf(members.keySet());
  }

  /** A list of texts that are not empty. */
  Optional<List<String>> texts(String key) {
    Optional<Node> value = value(key);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    List<String> texts = new ArrayList<>();
    if (value.get() instanceof SequenceNode sequence) {
      for (Node item : sequence.getValue()) {
        if (item instanceof ScalarNode scalar
            && !scalar.getTag().equals(Tag.NULL)
            && !scalar.getValue().isEmpty()
            && item.getAnchor().isEmpty()) {
          texts.add(scalar.getValue());
        }
      }
      if (texts.size() == sequence.getValue().size()) {
        return Optional.of(texts);
      }
    }
    problem(key, "got " + shown(value.get()) + ", expected a list of texts");
    return Optional.empty();
  }

  /** A whole number in a range. */
  int number(String key, int least, int most, int byDefault) {
    Optional<Node> value = value(key);
    if (value.isEmpty()) {
      return byDefault;
    }
    if (value.get() instanceof ScalarNode scalar && scalar.getTag().equals(Tag.INT)) {
      try {
        int number = Integer.parseInt(scalar.getValue());
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException _) {
        // said below, like any other number outside the range
      }
    }
    problem(
        key,
        "got " + shown(value.get()) + ", expected a whole number from " + least + " to " + most);
    return byDefault;
  }

  /** True or false. */
  boolean flag(String key, boolean byDefault) {
    Optional<Node> value = value(key);
    if (value.isEmpty()) {
      return byDefault;
    }
    if (value.get() instanceof ScalarNode scalar && scalar.getTag().equals(Tag.BOOL)) {
      return scalar.getValue().equals("true");
    }
    problem(key, "got " + shown(value.get()) + ", expected true or false");
    return byDefault;
  }

  private Optional<Node> value(String key) {
    if (!known.contains(key)) {
      known.add(key);
    }
    return Optional.ofNullable(members.get(key)).map(NodeTuple::getValueNode);
  }

  /** Says that a member is wrong, or missing. */
  void problem(String key, String message) {
    Optional<Node> at =
        Optional.ofNullable(members.get(key)).map(NodeTuple::getValueNode).or(() -> self);
    add(at.flatMap(Node::getStartMark), pointer + "/" + key, message);
  }

  private void problem(Node at, String where, String message) {
    add(at.getStartMark(), where, message);
  }

  private void add(Optional<Mark> mark, String where, String message) {
    problems.add(
        new ConfigProblem(
            where,
            mark.map(Mark::getLine).orElse(0) + 1,
            mark.map(Mark::getColumn).orElse(0) + 1,
            message));
  }

  /** Every member has been asked for: what is left is unknown. */
  void done() {
    for (Map.Entry<String, NodeTuple> member : members.entrySet()) {
      if (!known.contains(member.getKey())) {
        problem(
            member.getValue().getKeyNode(),
            pointer + "/" + member.getKey(),
            "unknown key \""
                + Quoted.line(member.getKey())
                + "\""
                + Suggestion.of(member.getKey(), known)
                    .map(name -> "; did you mean \"" + name + "\"?")
                    .orElse(", expected one of " + String.join(", ", known)));
      }
    }
  }

  private static String shown(Node node) {
    return node instanceof ScalarNode scalar
        ? scalar.getTag().equals(Tag.NULL)
            ? "nothing"
            : "\"" + Quoted.line(scalar.getValue()) + "\""
        : node instanceof MappingNode ? "a mapping" : "a list";
  }
}
