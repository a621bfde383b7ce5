package dev.parlance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonScanner;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Recorded bodies, heads, verdicts and the oracle that the tests of this package share. */
public final class Wire {
  public static final JsonMapper JACKSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  public static final RequestHead POST_JSON = head("POST", "/a2a", "application/json");
  public static final ResponseHead OK_JSON = reply("application/json; charset=utf-8");
  public static final Codecs CODECS = new Codecs(JsonScanner.Limits.DEFAULT);

  private Wire() {}

  public static byte[] recorded(String name) {
    try (InputStream in = Wire.class.getResourceAsStream("/wire/" + name + ".json")) {
      if (in == null) {
        throw new IllegalArgumentException("no recorded body " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static HeaderLookup fields(Map<String, String> fields) {
    return name -> Optional.ofNullable(fields.get(name.toLowerCase(Locale.ROOT)));
  }

  public static RequestHead head(String method, String target, String contentType) {
    return new RequestHead(
        method,
        target,
        contentType.isEmpty() ? HeaderLookup.NONE : fields(Map.of("content-type", contentType)));
  }

  public static ResponseHead reply(String contentType) {
    return new ResponseHead(200, fields(Map.of("content-type", contentType)));
  }

  public static Reading<RequestView> read(String codec, byte[] body) {
    return CODECS.read(codec, JsonPointers.NONE, POST_JSON, body);
  }

  public static RequestView a2a(byte[] body) {
    return readable(read("a2a", body));
  }

  public static ResponseView answer(RequestView request, byte[] body) {
    return readable(request.readResponse(OK_JSON, body));
  }

  public static <V> V readable(Reading<V> reading) {
    assertThat(reading).isInstanceOf(Reading.Readable.class);
    return reading instanceof Reading.Readable<V> readable
        ? readable.view()
        : throwUnreadable(reading);
  }

  private static <V> V throwUnreadable(Reading<V> reading) {
    throw new AssertionError(reading);
  }

  public static WireFault fault(Reading<?> reading) {
    assertThat(reading).isInstanceOf(Reading.Malformed.class);
    String detail = ((Reading.Malformed<?>) reading).detail();
    assertThat(detail).isNotEmpty().hasSizeLessThanOrEqualTo(200);
    return ((Reading.Malformed<?>) reading).fault();
  }

  public static String unjudged(Reading<?> reading) {
    assertThat(reading).isInstanceOf(Reading.Unjudged.class);
    return ((Reading.Unjudged<?>) reading).what();
  }

  public static JsonNode tree(byte[] body) {
    return JACKSON.readTree(body);
  }

  public static JsonNode tree(String body) {
    return JACKSON.readTree(body);
  }

  /** A copy without empty metadata objects and extensions arrays, which mean the same as none. */
  public static JsonNode withoutEmpty(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode copy = object.objectNode();
      object
          .properties()
          .forEach(member -> {
            JsonNode value = withoutEmpty(member.getValue());
            boolean optional =
                member.getKey().equals("metadata") || member.getKey().equals("extensions");
            if (!(optional && value.isEmpty())) {
              copy.set(member.getKey(), value);
            }
          });
      return copy;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode copy = array.arrayNode();
      array.forEach(element -> copy.add(withoutEmpty(element)));
      return copy;
    }
    return node;
  }

  public static VerdictHeader verdict() {
    return new VerdictHeader(
        "d-77",
        "warn",
        List.of("d_warn", "no_evidence"),
        new VerdictHeader.Measured(
            Optional.of("[@C:D; @G:F; @S:2; A:[K:42]]"),
            OptionalDouble.of(0.1 + 0.2),
            OptionalDouble.of(1.0e-5),
            OptionalDouble.of(1.0),
            OptionalDouble.of(0.297),
            "citation_gap"),
        new VerdictHeader.Attempt("flow-\u00e9\"", 2, 1, 2),
        new VerdictHeader.Basis("declared", "parlance", "enforce", "node-1"),
        Optional.of(CORE),
        Optional.empty());
  }

  static final CoreFindings CORE =
      new CoreFindings(
          new HeldCore(
              "license",
              Optional.of("bob"),
              CoreState.STALE,
              List.of(
                  new CoreVersion(new CoreId(List.of("alice", "bob"), "license"), 3),
                  new CoreVersion(new CoreId(List.of("alice", "carol"), "license"), 7)),
              12),
          4,
          1,
          1,
          List.of(
              new CoreFindings.Offence("\u8457 \u4F5C", TermStatus.REFUSED, Optional.of("work")),
              new CoreFindings.Offence("patent", TermStatus.REVOKED, Optional.empty())));

  public static Notice notice(Notice.Kind kind) {
    return new Notice(
        kind,
        kind == Notice.Kind.MALFORMED ? "bad_json" : "g_low",
        "Grounding is too low.",
        Optional.of(verdict()),
        Optional.of("Cite [c1]."),
        kind.isReview() ? Optional.of("rv-1") : Optional.empty());
  }
}
