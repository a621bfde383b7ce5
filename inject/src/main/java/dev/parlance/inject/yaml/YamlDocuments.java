package dev.parlance.inject.yaml;

import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import tools.jackson.databind.JsonNode;

/** A text of several YAML documents that can be changed without losing what is not changed. */
public final class YamlDocuments {
  private final String text;
  private final List<Node> nodes;
  private final List<JsonNode> trees;

  private YamlDocuments(String text, List<Node> nodes, List<JsonNode> trees) {
    this.text = text;
    this.nodes = nodes;
    this.trees = List.copyOf(trees);
  }

  /** What came of reading. */
  public sealed interface Result {
    /**
     * It is YAML.
     *
     * @param documents the documents
     */
    record Read(YamlDocuments documents) implements Result {}

    /**
     * It is not.
     *
     * @param problem where and why
     */
    record Bad(String problem) implements Result {}
  }

  /** Reads all documents of a text. */
  public static Result read(String text) {
    List<Node> nodes = new ArrayList<>();
    List<JsonNode> trees = new ArrayList<>();
    try {
      new Load(Yaml.settings()).loadAllFromString(text).forEach(one -> trees.add(Yaml.tree(one)));
      new Compose(Yaml.settings()).composeAllFromString(text).forEach(nodes::add);
    } catch (MarkedYamlEngineException e) {
      String place =
          e.getProblemMark()
              .map(mark -> (mark.getLine() + 1) + ":" + (mark.getColumn() + 1) + " ")
              .orElse("");
      return new Result.Bad(place + Yaml.problem(e));
    } catch (YamlEngineException e) {
      return new Result.Bad(Yaml.problem(e));
    }
    if (nodes.size() != trees.size()) {
      throw new IllegalStateException(
          "read " + trees.size() + " documents and composed " + nodes.size());
    }
    return new Result.Read(new YamlDocuments(text, nodes, trees));
  }

  /** The documents, in order. */
  public List<JsonNode> trees() {
    return trees;
  }

  /**
   * The text with other documents in place of those that differ. What stays keeps its text; if that
   * cannot be, as with aliases, a document that changes is written anew.
   *
   * @param wanted as many as there are documents
   */
  public String edited(List<JsonNode> wanted) {
    if (wanted.size() != trees.size()) {
      throw new IllegalArgumentException(
          "expected " + trees.size() + " documents, got " + wanted.size());
    }
    String kept = apply(wanted, true);
    return isText(kept, wanted) ? kept : apply(wanted, false);
  }

  private static boolean isText(String text, List<JsonNode> wanted) {
    return read(text) instanceof Result.Read(YamlDocuments found) && found.trees.equals(wanted);
  }

  private String apply(List<JsonNode> wanted, boolean keeping) {
    YamlEdit edit = new YamlEdit(text);
    for (int i = 0; i < trees.size(); i++) {
      if (!trees.get(i).equals(wanted.get(i))) {
        edit.document(nodes.get(i), trees.get(i), wanted.get(i), keeping);
      }
    }
    return edit.text();
  }
}
