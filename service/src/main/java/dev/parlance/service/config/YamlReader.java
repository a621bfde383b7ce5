package dev.parlance.service.config;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the part of YAML 1.2 that says the same as JSON: mappings with text keys, sequences, and
 * scalars of the core schema. Anchors, aliases, tags, a second document, duplicate keys, numbers
 * that are not finite and nesting below {@value #MAX_DEPTH} are problems: none of them has a use in
 * a configuration, and each has been used to make two readers see two things. It works on parser
 * events, so nothing is expanded before it has been looked at.
 */
public final class YamlReader {
  static final int MAX_DEPTH = 32;

  private static final ScalarResolver CORE = new CoreScalarResolver(false);
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Iterator<Event> events;
  private final List<ConfigProblem> problems;
  private final Map<String, Position> values = new HashMap<>();
  private final Map<String, Position> keys = new HashMap<>();

  private YamlReader(Iterator<Event> events, List<ConfigProblem> problems) {
    this.events = events;
    this.problems = problems;
  }

  /**
   * The document, or empty with at least one problem added. That of a text without content has a
   * missing node as its root.
   */
  public static Optional<YamlDocument> read(String yaml, List<ConfigProblem> problems) {
    LoadSettings settings =
        LoadSettings.builder().setCodePointLimit(Math.max(1, yaml.length())).build();
    int before = problems.size();
    try {
      Iterator<Event> events = new Parse(settings).parseString(yaml).iterator();
      YamlReader reader = new YamlReader(events, problems);
      Optional<JsonNode> root = reader.stream();
      if (problems.size() > before || root.isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(new YamlDocument(root.get(), reader.values, reader.keys));
    } catch (Refusal refusal) {
      problems.add(refusal.problem);
      return Optional.empty();
    } catch (MarkedYamlEngineException e) {
      Position at = e.getProblemMark().map(YamlReader::position).orElse(Position.START);
      problems.add(problem("", at, "not YAML: " + e.getProblem()));
      return Optional.empty();
    } catch (YamlEngineException e) {
      problems.add(problem("", Position.START, "not YAML: " + e.getMessage()));
      return Optional.empty();
    }
  }

  private Optional<JsonNode> stream() {
    events.next(); // stream start
    Event first = events.next();
    if (first.getEventId() == Event.ID.StreamEnd) {
      return Optional.of(MissingNode.getInstance());
    }
    JsonNode root = node(events.next(), "", 0);
    events.next(); // document end
    Event after = events.next();
    if (after.getEventId() != Event.ID.StreamEnd) {
      problems.add(problem("", position(after), "a second document begins here, expected one"));
    }
    return Optional.of(root);
  }

  private JsonNode node(Event event, String pointer, int depth) {
    Position at = position(event);
    values.put(pointer, at);
    if (event instanceof AliasEvent alias) {
      throw new Refusal(
          problem(pointer, at, "alias *" + alias.getAlias() + ", expected the value itself"));
    }
    if (event instanceof NodeEvent node && node.getAnchor().isPresent()) {
      throw new Refusal(
          problem(
              pointer, at, "anchor &" + node.getAnchor().get() + ", anchors are not read here"));
    }
    return switch (event) {
      case ScalarEvent scalar -> scalar(scalar, pointer, at);
      case CollectionStartEvent start -> collection(start, pointer, at, depth + 1);
      default -> throw new IllegalStateException("no YAML node: " + event);
    };
  }

  private JsonNode collection(CollectionStartEvent start, String pointer, Position at, int depth) {
    if (start.getTag().isPresent()) {
      throw new Refusal(
          problem(pointer, at, "tag " + start.getTag().get() + ", tags are not read here"));
    }
    if (depth > MAX_DEPTH) {
      throw new Refusal(problem(pointer, at, "nested deeper than " + MAX_DEPTH + " levels"));
    }
    return start instanceof MappingStartEvent ? mapping(pointer, depth) : sequence(pointer, depth);
  }

  private ObjectNode mapping(String pointer, int depth) {
    ObjectNode object = NODES.objectNode();
    for (Event event = events.next();
        event.getEventId() != Event.ID.MappingEnd;
        event = events.next()) {
      Position at = position(event);
      if (!(event instanceof ScalarEvent key)
          || key.getAnchor().isPresent()
          || key.getTag().isPresent()) {
        throw new Refusal(problem(pointer, at, "a key that is no plain text, expected a name"));
      }
      String name = key.getValue();
      String child = pointer + "/" + Pointers.escape(name);
      boolean duplicate = object.has(name);
      if (duplicate) {
        Position first = keys.getOrDefault(child, Position.START);
        problems.add(
            problem(
                child,
                at,
                "duplicate key \"" + Quoted.line(name) + "\", first on line " + first.line()));
      } else {
        keys.put(child, at);
      }
      JsonNode value = node(events.next(), child, depth);
      if (!duplicate) {
        object.set(name, value);
      }
    }
    return object;
  }

  private ArrayNode sequence(String pointer, int depth) {
    ArrayNode array = NODES.arrayNode();
    for (Event event = events.next();
        event.getEventId() != Event.ID.SequenceEnd;
        event = events.next()) {
      array.add(node(event, pointer + "/" + array.size(), depth));
    }
    return array;
  }

  private JsonNode scalar(ScalarEvent event, String pointer, Position at) {
    if (event.getTag().isPresent()) {
      throw new Refusal(
          problem(pointer, at, "tag " + event.getTag().get() + ", tags are not read here"));
    }
    String text = event.getValue();
    if (!event.isPlain()) {
      return NODES.stringNode(text);
    }
    Tag tag = CORE.resolve(text, true);
    if (tag.equals(Tag.NULL)) {
      return NODES.nullNode();
    }
    if (tag.equals(Tag.BOOL)) {
      return NODES.booleanNode(text.equalsIgnoreCase("true"));
    }
    if (tag.equals(Tag.INT)) {
      return integer(text, pointer, at);
    }
    if (tag.equals(Tag.FLOAT)) {
      double value = real(text);
      if (!Double.isFinite(value)) {
        problems.add(
            problem(pointer, at, "got " + Quoted.line(text) + ", expected a finite number"));
      }
      return NODES.numberNode(value);
    }
    return NODES.stringNode(text);
  }

  private static double real(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.contains(".inf") || lower.contains(".nan") ? Double.NaN : Double.parseDouble(text);
  }

  private JsonNode integer(String text, String pointer, Position at) {
    try {
      long value =
          text.startsWith("0x")
              ? Long.parseLong(text.substring(2), 16)
              : text.startsWith("0o") ? Long.parseLong(text.substring(2), 8) : Long.parseLong(text);
      return value == (int) value ? NODES.numberNode((int) value) : NODES.numberNode(value);
    } catch (NumberFormatException e) {
      problems.add(
          problem(
              pointer,
              at,
              "got " + Quoted.line(text) + ", expected a whole number of at most 64 bits"));
      return NODES.numberNode(0);
    }
  }

  private static ConfigProblem problem(String pointer, Position at, String message) {
    return new ConfigProblem(pointer, at.line(), at.column(), message);
  }

  private static Position position(Event event) {
    return event.getStartMark().map(YamlReader::position).orElse(Position.START);
  }

  private static Position position(Mark mark) {
    return new Position(mark.getLine() + 1, mark.getColumn() + 1);
  }

  /** Leaves the document at once, where reading on would mean to trust it. */
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ConfigProblem problem;

    Refusal(ConfigProblem problem) {
      super(problem.message(), null, false, false);
      this.problem = problem;
    }
  }
}
