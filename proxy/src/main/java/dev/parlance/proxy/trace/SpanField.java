package dev.parlance.proxy.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** What a span says. Which attribute says it stands in {@code attributes.properties} alone. */
enum SpanField {
  RESOURCE_NAME("resource.name"),
  RESOURCE_VERSION("resource.version"),
  OPERATION("operation"),
  VERSION("version"),
  CONVERSATION("conversation"),
  TASK("task"),
  MESSAGE("message"),
  TOOL("tool"),
  METHOD("method"),
  PATH("path"),
  STATUS("status"),
  HOST("host"),
  PORT("port"),
  ERROR("error"),
  PROTOCOL("protocol"),
  DIRECTION("direction"),
  MODE("mode"),
  RULE("rule"),
  FLOW("flow"),
  CALLER("caller"),
  REVISION("revision"),
  PACT("pact"),
  ROUND("round"),
  QUESTION("question"),
  ANSWER("answer"),
  EVENT_EVALUATION("event.evaluation"),
  EVALUATION_NAME("evaluation.name"),
  EVALUATION_VALUE("evaluation.value"),
  EVALUATION_LABEL("evaluation.label"),
  EVALUATION_EXPLANATION("evaluation.explanation"),
  EVENT_DECISION("event.decision"),
  EVENT_REJECTION("event.rejection"),
  DECISION("decision"),
  LEG("leg"),
  ROUTE("route"),
  REASONS("reasons"),
  ACTION("action"),
  ATTEMPT("attempt"),
  REVIEW("review"),
  JUDGED_BY("judged_by"),
  PACT_RESULT("pact_result"),
  ROUND_RESULT("round_result"),
  LAYER("layer"),
  CODE("code");

  private final String key;

  SpanField(String key) {
    this.key = key;
  }

  String key() {
    return key;
  }

  /** The attribute of each field, for each protocol where protocols differ. */
  static final class Names {
    private final Map<SpanField, String> common = new EnumMap<>(SpanField.class);
    private final Map<SpanField, Map<String, String>> ofProtocols = new EnumMap<>(SpanField.class);

    private Names(Properties file) {
      Map<String, SpanField> fields = new HashMap<>();
      for (SpanField field : values()) {
        fields.put(field.key, field);
      }
      file.forEach((key, attribute) -> add(fields, key.toString(), attribute.toString()));
    }

    private void add(Map<String, SpanField> fields, String line, String attribute) {
      int dot = line.lastIndexOf('.');
      Optional<SpanField> field = Optional.ofNullable(fields.get(line));
      Optional<SpanField> ofProtocol =
          Optional.ofNullable(fields.get(line.substring(0, Math.max(0, dot))));
      if (field.isPresent()) {
        common.put(field.get(), attribute);
      } else if (ofProtocol.isPresent()) {
        ofProtocols
            .computeIfAbsent(ofProtocol.get(), _ -> new HashMap<>())
            .put(line.substring(dot + 1), attribute);
      } else {
        throw new IllegalStateException("no span has a field " + line);
      }
    }

    /** Reads the file beside this class. */
    static Names read() {
      try (InputStream file = SpanField.class.getResourceAsStream("attributes.properties")) {
        if (file == null) {
          throw new IllegalStateException("attributes.properties is not in the jar");
        }
        Properties read = new Properties();
        try (Reader text = new InputStreamReader(file, StandardCharsets.UTF_8)) {
          read.load(text);
        }
        return new Names(read);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** The attribute of a field, whatever the protocol. */
    String of(SpanField field) {
      return Optional.ofNullable(common.get(field))
          .orElseThrow(() -> new IllegalStateException("no attribute for " + field.key));
    }

    /** The attribute of a field in a protocol; empty if that has none for it. */
    Optional<String> of(SpanField field, String protocol) {
      Map<String, String> known = ofProtocols.getOrDefault(field, Map.of());
      return Optional.ofNullable(known.get(protocol))
          .or(() -> Optional.ofNullable(common.get(field)));
    }
  }
}
