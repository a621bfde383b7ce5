package dev.parlance.onnx;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One JSON object of a file that comes with a model, read strictly: a member that is absent, wrong
 * or unknown is a problem that names its place.
 */
public final class ManifestFields {
  private static final int SHA256_CHARS = 64;
  private static final int MAX_DEPTH = 32;
  private static final int MAX_STRING = 4_096;
  private static final int MAX_TOKENS = 4_000_000;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxStringLength(MAX_STRING)
                          .maxTokenCount(MAX_TOKENS)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode node;
  private final String at;
  private final ModelFault fault;
  private final List<String> known = new ArrayList<>();

  private ManifestFields(JsonNode node, String at, ModelFault fault) throws ModelProblem {
    this.node = node;
    this.at = at;
    this.fault = fault;
    if (!node.isObject()) {
      throw new ModelProblem(fault, at + ": expected an object, got " + shown(node));
    }
  }

  /**
   * Reads a file's bytes, UTF-8 without mark.
   *
   * @param name what problems call it
   * @param fault what problems are
   */
  public static ManifestFields of(byte[] json, String name, ModelFault fault) throws ModelProblem {
    try {
      return new ManifestFields(MAPPER.readTree(json), name, fault);
    } catch (JacksonException e) {
      // The message may hold text of the file; the place is enough.
      throw new ModelProblem(
          fault,
          name
              + ": not JSON as it is read here (line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr()
              + "): "
              + (e.getOriginalMessage().startsWith("Duplicate")
                  ? "a member stands twice"
                  : e.getClass().getSimpleName()));
    }
  }

  /** True if the member is there and not null. */
  public boolean has(String name) {
    return value(name).isPresent();
  }

  /** A text that must be there. */
  public String text(String name) throws ModelProblem {
    return optionalText(name).orElseThrow(() -> missing(name, "text"));
  }

  /** A text that may be there. */
  public Optional<String> optionalText(String name) throws ModelProblem {
    Optional<JsonNode> value = value(name);
    if (value.isPresent() && !value.get().isString()) {
      throw wrong(name, "text");
    }
    return value.map(JsonNode::stringValue);
  }

  /** A whole number in a range. */
  public int number(String name, int least, int most) throws ModelProblem {
    JsonNode value = value(name).orElseThrow(() -> missing(name, "a number"));
    if (!value.isIntegralNumber()
        || !value.canConvertToInt()
        || value.intValue() < least
        || value.intValue() > most) {
      throw wrong(name, "a whole number from " + least + " to " + most);
    }
    return value.intValue();
  }

  /** A number that may be there. */
  public Optional<Double> optionalDecimal(String name) throws ModelProblem {
    Optional<JsonNode> value = value(name);
    if (value.isPresent() && !value.get().isNumber()) {
      throw wrong(name, "a number");
    }
    return value.map(JsonNode::doubleValue);
  }

  /** A flag that may be there. */
  public Optional<Boolean> optionalFlag(String name) throws ModelProblem {
    Optional<JsonNode> value = value(name);
    if (value.isPresent() && !value.get().isBoolean()) {
      throw wrong(name, "true or false");
    }
    return value.map(JsonNode::booleanValue);
  }

  /** An object that must be there. */
  public ManifestFields object(String name) throws ModelProblem {
    return new ManifestFields(
        value(name).orElseThrow(() -> missing(name, "an object")), at + "/" + name, fault);
  }

  /** The objects in a list. */
  public List<ManifestFields> objects(String name) throws ModelProblem {
    List<ManifestFields> all = new ArrayList<>();
    for (JsonNode each : list(name)) {
      all.add(new ManifestFields(each, at + "/" + name + "/" + all.size(), fault));
    }
    return all;
  }

  /** The values in a list. */
  public Collection<JsonNode> list(String name) throws ModelProblem {
    JsonNode value = value(name).orElseThrow(() -> missing(name, "a list"));
    if (!value.isArray()) {
      throw wrong(name, "a list");
    }
    return value.values();
  }

  /** The member as it stands; asking for it makes it known. */
  public Optional<JsonNode> value(String name) {
    known.add(name);
    return node.optional(name).filter(value -> !value.isNull());
  }

  /** Members that are read elsewhere or have no say. */
  public void ignore(String... names) {
    known.addAll(List.of(names));
  }

  /** Names of all members. */
  public Collection<String> names() {
    return node.propertyNames();
  }

  /** Every member has been asked for: another one would have a say that nobody heard. */
  public void done() throws ModelProblem {
    for (String name : names()) {
      if (!known.contains(name)) {
        throw new ModelProblem(fault, at + ": unknown member \"" + cut(name) + "\"");
      }
    }
  }

  /** Hex SHA-256 of a file. */
  public String sha256(String name) throws ModelProblem {
    String hex = text(name);
    if (hex.length() != SHA256_CHARS
        || !hex.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
      throw wrong(name, "a SHA-256 as 64 small hex digits");
    }
    return hex;
  }

  /** The problem of a member. */
  public ModelProblem wrong(String name, String expected) {
    return new ModelProblem(
        fault,
        at
            + "/"
            + name
            + ": expected "
            + expected
            + ", got "
            + value(name).map(ManifestFields::shown).orElse("nothing"));
  }

  private ModelProblem missing(String name, String expected) {
    return new ModelProblem(fault, at + "/" + name + ": missing, expected " + expected);
  }

  private static String shown(JsonNode node) {
    return node.isObject() ? "an object" : node.isArray() ? "a list" : cut(node.toString());
  }

  private static String cut(String text) {
    String line = text.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    return line.length() > 60 ? line.substring(0, 60) + "..." : line;
  }
}
