package dev.parlance.cli.api;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.Json;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.proto.v1.Plan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
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

  /** A plan that can be put. */
  public static final class Draft {
    private final Plan plan;

    private Draft(Plan plan) {
      this.plan = plan;
    }

    Plan plan() {
      return plan;
    }

    /** How many terms and events it has, and of which core it is. */
    public String summary() {
      return plan.getTermsCount()
          + " terms, "
          + plan.getEventsCount()
          + " events, "
          + new CoreName(plan.getCore().getAgentsList(), plan.getCore().getDomain());
    }
  }

  /** What came of reading it. */
  public sealed interface Read {
    /** It can be sent. */
    record Usable(Draft plan) implements Read {}

    /** It cannot; everything that is wrong. */
    record Refused(List<String> problems) implements Read {
      /** Copies the list. */
      public Refused {
        problems = List.copyOf(problems);
      }
    }

    /** There is no such file, or it is too large. */
    record Unusable(String message) implements Read {}
  }

  private PlanFile() {}

  public static Read read(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return new Read.Unusable("cannot read " + file + "; expected a plan (YAML or JSON)");
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(BYTES_MAX + 1);
    }
    if (bytes.length > BYTES_MAX) {
      return new Read.Unusable(
          file + " has more than " + BYTES_MAX + " bytes; put its events into an eventsFile");
    }
    boolean json = file.toString().toLowerCase(Locale.ROOT).endsWith(".json");
    JsonNode root;
    try {
      root = json ? Json.MAPPER.readTree(bytes) : YAML.readTree(bytes);
    } catch (JacksonException e) {
      var place = e.getLocation();
      return new Read.Refused(
          List.of(
              (place == null ? "" : "line " + place.getLineNr() + ": ")
                  + "not "
                  + (json ? "JSON" : "YAML")
                  + ": "
                  + TerminalEscaper.shortened(String.valueOf(e.getOriginalMessage()), 200)));
    }
    if (!(root instanceof ObjectNode members)) {
      return new Read.Refused(List.of("expected an object, got " + InputLine.kind(root)));
    }
    Path folder = file.toAbsolutePath().getParent();
    var reader = new PlanReader(folder == null ? file.toAbsolutePath() : folder);
    Plan plan = reader.read(members);
    return reader.problems().isEmpty()
        ? new Read.Usable(new Draft(plan))
        : new Read.Refused(reader.problems());
  }
}
