package dev.parlance.inject.yaml;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** YAML 1.2 (core schema) to trees and back; mappings keep their order. */
public final class Yaml {
  /** Aliases to collections in one document; more is a bomb. */
  static final int MAX_ALIASES = 50;

  /** Largest text, in bytes of UTF-16 halves. */
  static final int MAX_CHARS = 8 * 1024 * 1024;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Yaml() {}

  /** What came of reading a text. */
  public sealed interface Result {
    /**
     * It is YAML.
     *
     * @param root the document; null node if the text is empty
     */
    record Read(JsonNode root) implements Result {}

    /**
     * It is not.
     *
     * @param line from 1
     * @param column from 1
     * @param message what is wrong there
     */
    record Bad(int line, int column, String message) implements Result {
      @Override
      public String toString() {
        return line + ":" + column + " " + message;
      }
    }
  }

  /** Reads one document. */
  public static Result read(String text) {
    try {
      return new Result.Read(tree(new Load(settings()).loadFromString(text)));
    } catch (MarkedYamlEngineException e) {
      return e.getProblemMark()
          .map(mark -> new Result.Bad(mark.getLine() + 1, mark.getColumn() + 1, problem(e)))
          .orElseGet(() -> new Result.Bad(1, 1, problem(e)));
    } catch (YamlEngineException e) {
      return new Result.Bad(1, 1, problem(e));
    }
  }

  static String problem(YamlEngineException e) {
    String text = e instanceof MarkedYamlEngineException marked ? marked.getProblem() : null;
    String message = text == null ? String.valueOf(e.getMessage()) : text;
    return message.lines().findFirst().orElse(message);
  }

  static LoadSettings settings() {
    return LoadSettings.builder()
        .setSchema(new CoreSchema())
        .setAllowDuplicateKeys(false)
        .setMaxAliasesForCollections(MAX_ALIASES)
        .setCodePointLimit(MAX_CHARS)
        .build();
  }

  /** The tree of what the loader or composer made. */
  static JsonNode tree(@Nullable Object value) {
    return switch (value) {
      case null -> NODES.nullNode();
      case Map<?, ?> map -> {
        ObjectNode object = NODES.objectNode();
        map.forEach((key, item) -> object.set(String.valueOf(key), tree(item)));
        yield object;
      }
      case List<?> list -> {
        ArrayNode array = NODES.arrayNode();
        list.forEach(item -> array.add(tree(item)));
        yield array;
      }
      case String text -> NODES.stringNode(text);
      case Boolean flag -> NODES.booleanNode(flag);
      case Integer number -> NODES.numberNode(number);
      case Long number -> NODES.numberNode(number);
      case BigInteger number -> NODES.numberNode(number);
      case Double number -> NODES.numberNode(number);
      default -> throw new YamlEngineException("a value of type " + value.getClass().getName());
    };
  }

  /** Block-style text of the tree, ending in a line break; read again it is the same tree. */
  public static String write(JsonNode tree) {
    DumpSettings settings =
        DumpSettings.builder()
            .setSchema(new CoreSchema())
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setSplitLines(false)
            .setIndicatorIndent(0)
            .build();
    return new Dump(settings, new Literal(settings)).dumpToString(plain(tree));
  }

  private static @Nullable Object plain(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        node.properties().forEach(member -> map.put(member.getKey(), plain(member.getValue())));
        yield map;
      }
      case ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        node.forEach(item -> list.add(plain(item)));
        yield list;
      }
      case STRING -> node.stringValue();
      case BOOLEAN -> node.booleanValue();
      case NUMBER -> node.numberValue();
      case NULL, MISSING -> null;
      case BINARY, POJO -> throw new IllegalArgumentException("not a JSON value: " + node);
    };
  }

  /** Texts of more than one line as literal blocks, where YAML allows it. */
  private static final class Literal extends StandardRepresenter {
    Literal(DumpSettings settings) {
      super(settings);
    }

    @Override
    protected Node representScalar(Tag tag, String value, ScalarStyle style) {
      boolean block =
          tag.equals(Tag.STR)
              && value.indexOf('\n') >= 0
              && value.indexOf('\n') < value.length() - 1
              && !value.startsWith(" ")
              && !value.startsWith("\n")
              && !value.contains(" \n")
              && value.chars().allMatch(c -> c == '\n' || (c >= ' ' && c < 0x7f));
      return block
          ? new ScalarNode(tag, value, ScalarStyle.LITERAL)
          : super.representScalar(tag, value, style);
    }
  }
}
