package dev.parlance.policy.golden;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.text.Utf8Span;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads vectors and what they mean. */
final class Golden {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final List<String> IDEAL =
      List.of("idealContextOverlap", "idealCitation", "idealNovel", "idealQuestionOverlap");
  private static final Map<String, String> SETTINGS =
      Map.of(
          "tau_warn", "driftWarnSqrtJsd",
          "tau_crit", "driftCritSqrtJsd",
          "g_min", "groundingMin",
          "sigma_max", "stochasticityMax",
          "E_max", "errorMax",
          "floor", "driftFloor");

  private Golden() {}

  /** One vector; its text form names it in test reports. */
  record Vector(String id, String tag, JsonNode in, JsonNode out) {
    @Override
    public String toString() {
      return id + " " + tag;
    }
  }

  /** All vectors of a suite; fails if the file does not hold as many as it says. */
  static Stream<Vector> vectors(String suite) {
    try (InputStream file = Golden.class.getResourceAsStream("/golden/" + suite + ".json")) {
      if (file == null) {
        throw new IllegalStateException("no golden file " + suite);
      }
      JsonNode root = MAPPER.readTree(file);
      List<Vector> vectors = new ArrayList<>();
      for (JsonNode vector : root.get("vectors")) {
        vectors.add(
            new Vector(
                vector.get("id").asString(),
                vector.get("tag").asString(),
                vector.get("in"),
                vector.get("out")));
      }
      if (vectors.isEmpty() || vectors.size() != root.get("count").asInt()) {
        throw new IllegalStateException(suite + " holds " + vectors.size() + " vectors");
      }
      return vectors.stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A number, or one of the strings NaN, Infinity, -Infinity. */
  static double number(JsonNode node) {
    return node.isString() ? Double.parseDouble(node.asString()) : node.asDouble();
  }

  static List<String> strings(JsonNode array) {
    List<String> strings = new ArrayList<>();
    array.forEach(element -> strings.add(element.asString()));
    return strings;
  }

  /** The paper's profile with the vector's parameters. */
  static Profile profile(JsonNode in) {
    Map<String, Object> changes = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> param : in.path("params").properties()) {
      if (param.getKey().equals("v_star")) {
        for (int i = 0; i < IDEAL.size(); i++) {
          changes.put(IDEAL.get(i), param.getValue().get(i).asDouble());
        }
      } else {
        String setting = SETTINGS.get(param.getKey());
        if (setting == null) {
          throw new IllegalStateException("unknown parameter " + param.getKey());
        }
        changes.put(setting, param.getValue().asDouble());
      }
    }
    return Profiles.derive("golden", Profiles.ASP_PAPER, changes);
  }

  /** The message of a text vector. */
  static AgentMessage message(JsonNode in) {
    List<Chunk> chunks = new ArrayList<>();
    in.get("chunks")
        .forEach(chunk ->
            chunks.add(
                new Chunk(chunk.get("id").asString(), Utf8Span.of(chunk.get("text").asString()))));
    EvidenceSource source = chunks.isEmpty() ? EvidenceSource.NONE : EvidenceSource.DECLARED;
    return new AgentMessage(
        Utf8Span.of(in.get("answer").asString()),
        Utf8Span.of(in.get("question").asString()),
        new Evidence(
            source, chunks, strings(in.get("citations")), OptionalDouble.empty(), List.of()));
  }

  static String route(Decision decision) {
    return decision.route().name().toUpperCase(Locale.ROOT);
  }

  /** Reasons as the vectors list them: an executed message has none. */
  static List<String> reasons(Decision decision) {
    return decision.reasons().stream()
        .filter(reason -> reason != Reason.OK)
        .map(Reason::code)
        .toList();
  }
}
