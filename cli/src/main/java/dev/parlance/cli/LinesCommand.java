package dev.parlance.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A command that answers JSON Lines. In its input a member that is null counts as missing. */
public abstract class LinesCommand extends TerminalCommand {
  private final String name;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "files to read, one after the other; - or none: standard input")
  protected List<String> files = new ArrayList<>();

  /** A command of this name, in complaints. */
  protected LinesCommand(String name) {
    this.name = name;
  }

  /** Answers the members of one line into a line that has its id already. */
  protected abstract void answer(ObjectNode members, ObjectNode line);

  @Override
  public Integer call() throws IOException {
    return new LineFilter(
            terminal,
            (id, members) -> {
              ObjectNode line = JsonNodeFactory.instance.objectNode();
              line.set("id", id);
              answer(members, line);
              return line;
            })
        .run(name, files);
  }

  /** The member, if it is there and not null. */
  protected static Optional<JsonNode> optional(JsonNode object, String name) {
    return Optional.of(object.path(name))
        .filter(member -> !member.isMissingNode() && !member.isNull());
  }

  /** The text, if it is there and not null. */
  protected static Optional<String> optionalText(JsonNode object, String name, String where) {
    return optional(object, name).map(member -> InputLine.text(member, where + name));
  }

  /** The elements of a list; none if it is missing. */
  protected static <T> List<T> list(
      JsonNode object, String name, String where, Function<Element, ? extends T> each) {
    List<T> list = new ArrayList<>();
    optional(object, name)
        .ifPresent(member ->
            InputLine.array(member, where + name)
                .forEach(node -> {
                  String at = "%s%s[%d]".formatted(where, name, list.size());
                  list.add(each.apply(new Element(node, at)));
                }));
    return list;
  }

  /** The members of an object; none if it is missing. */
  protected static Iterable<Map.Entry<String, JsonNode>> members(
      JsonNode object, String name, String where) {
    return optional(object, name)
        .map(member -> new Element(member, where + name).object().properties())
        .orElseGet(java.util.Set::of);
  }

  /**
   * One element of a list.
   *
   * @param where for complaints
   */
  public record Element(JsonNode node, String where) {
    /** It, which is to be an object. */
    public JsonNode object() {
      return InputLine.expect(node, JsonNode::isObject, where, "an object");
    }

    /** It, which is to be a text. */
    public String text() {
      return InputLine.text(node, where);
    }

    /** A text in it that has to be there. */
    public String text(String name) {
      return InputLine.text(object().path(name), where + "." + name);
    }
  }
}
