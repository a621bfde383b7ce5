package dev.parlance.cli.core;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.InputLine;
import dev.parlance.cli.Json;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.proto.v1.Plan;
import dev.parlance.service.SyntaxFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads a plan from YAML or JSON, as {@code core plan put} describes it. */
public final class PlanFile {
  /** Largest file, in bytes; a larger pool of events goes into a file of its own. */
  static final int BYTES_MAX = 64 << 20;

  private static final ObjectMapper YAML =
      YAMLMapper.builder(
              YAMLFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .loadSettings(LoadSettings.builder().setCodePointLimit(BYTES_MAX).build())
                  .build())
          .build();

  /** The plan of a file cannot be sent; everything that is wrong with it. */
  public static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // nobody writes it
    private final List<String> problems;

    Refused(List<String> problems) {
      super(String.join("; ", problems), null, false, false);
      this.problems = problems;
    }

    public List<String> problems() {
      return problems;
    }
  }

  private PlanFile() {}

  /** Reads it; {@link Refused} if it is no plan. */
  public static Plan read(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw CommandProblem.usage(
          "core plan put: cannot read " + file + "; expected a plan (YAML or JSON)");
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(BYTES_MAX + 1);
    }
    if (bytes.length > BYTES_MAX) {
      throw CommandProblem.usage(
          "core plan put: %s has more than %s bytes; put its events into an eventsFile"
              .formatted(file, BYTES_MAX));
    }
    boolean json = file.toString().toLowerCase(Locale.ROOT).endsWith(".json");
    JsonNode root;
    try {
      root = json ? Json.MAPPER.readTree(bytes) : YAML.readTree(bytes);
    } catch (JacksonException e) {
      throw new Refused(List.of(SyntaxFault.words(json ? "JSON" : "YAML", e)));
    }
    if (!(root instanceof ObjectNode members)) {
      throw new Refused(List.of("expected an object, got " + InputLine.kind(root)));
    }
    Path folder = file.toAbsolutePath().getParent();
    var reader = new PlanReader(folder == null ? file.toAbsolutePath() : folder);
    Plan plan = reader.read(members);
    if (!reader.problems().isEmpty()) {
      throw new Refused(reader.problems());
    }
    return plan;
  }

  /** What is wrong with a plan's file, with the JSON Pointer of each place. */
  static final class PlanProblems {
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
      if (text.isEmpty()
          && (object.path(member).isMissingNode() || object.path(member).isString())) {
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
}
