package dev.parlance.proxy.audit;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.GuardPolicy.OnCoreGap;
import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Assumption;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.ClaimFindings.ClaimNote;
import dev.parlance.policy.signal.ClaimFindings.Departure;
import dev.parlance.policy.signal.ClaimFindings.Detail;
import dev.parlance.policy.signal.ClaimFindings.Excerpt;
import dev.parlance.policy.signal.ClaimFindings.WeakClaim;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * The arguments of a judgement, read back from its line.
 *
 * @param source where the evidence came from
 * @param confidence the agent's own confidence, if it gave one
 * @param assumptions the assumption index of the header
 * @param measurement what was measured; without evidence only whether there was any token
 * @param profile the constants that were in force
 * @param grounding what the route asked where there is no evidence
 * @param errors E
 * @param ttlExpired true if the flow's time was over
 * @param core what the core guard found; empty where the route had none
 */
record LoggedVerdict(
    EvidenceSource source,
    OptionalDouble confidence,
    List<Assumption> assumptions,
    Measurement measurement,
    Profile profile,
    Grounding grounding,
    int errors,
    boolean ttlExpired,
    Optional<CoreCheck> core) {

  /** Reads a line of type decision that has a judgement; throws with the name of a bad member. */
  static LoggedVerdict read(JsonNode json) {
    EvidenceSource source = choice("evidence", json, EvidenceSource.values(), EvidenceSource::code);
    Profile profile = profile(json.path("profile"));
    return new LoggedVerdict(
        source,
        json.has("confidence")
            ? OptionalDouble.of(number("confidence", json.path("confidence")))
            : OptionalDouble.empty(),
        AspHeader.parse(json.path("header").asString(""))
            .map(AspHeader::assumptions)
            .orElse(List.of()),
        source == EvidenceSource.NONE ? unmeasured(json, profile) : measurement(json),
        profile,
        choice("grounding", json, Grounding.values(), Grounding::code),
        whole("errors", json),
        json.path("ttlExpired").asBoolean(false),
        LoggedCore.read(json));
  }

  private interface Code<T> {
    String of(T value);
  }

  private static <T> T choice(String name, JsonNode json, T[] values, Code<T> code) {
    String given = json.path(name).asString("");
    return Arrays.stream(values)
        .filter(value -> code.of(value).equals(given))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown " + name + ": '" + given + "'"));
  }

  private static Profile profile(JsonNode json) {
    if (!json.has("settings") && json.has("digest")) {
      throw new IllegalArgumentException(
          "profile "
              + json.path("digest").asString("")
              + " must be known: it stands in a line of type profile before this one in its file");
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    json.path("settings")
        .properties()
        .forEach(setting -> {
          JsonNode value = setting.getValue();
          settings.put(
              setting.getKey(),
              switch (value.getNodeType()) {
                case BOOLEAN -> value.asBoolean();
                case NUMBER ->
                    value.isIntegralNumber() ? (Object) value.asLong() : value.asDouble();
                case STRING -> value.asString();
                case ARRAY, BINARY, MISSING, NULL, OBJECT, POJO -> value.toString();
              });
        });
    // Every setting is in the line, so the base only matters to lines of an older version.
    return Profiles.derive(json.path("name").asString(""), Profiles.OVERLAP, settings);
  }

  /** Without evidence the judge only asks whether there is a token; the reasons say that. */
  private static Measurement unmeasured(JsonNode json, Profile profile) {
    boolean empty =
        json.path("judged")
            .path("reasons")
            .valueStream()
            .anyMatch(reason -> reason.asString("").equals(Reason.EMPTY_ANSWER.code()));
    int tokens = empty ? 0 : 1;
    return Measurement.of(
        new Counts(tokens, 0, tokens, 0, 0, 0, 0, List.of(), List.of()), profile.weights());
  }

  private static Measurement measurement(JsonNode json) {
    JsonNode counts = json.path("counts");
    int citedKnown = whole("citedKnown", counts);
    // The judge never looks at the ids themselves, of which the line may list only some.
    List<String> ids = IntStream.rangeClosed(1, citedKnown).mapToObj(Integer::toString).toList();
    JsonNode features = json.path("features");
    return new Measurement(
        new Counts(
            whole("tokens", counts),
            whole("inContext", counts),
            whole("novel", counts),
            whole("inQuestion", counts),
            whole("novelNumbers", counts),
            whole("cited", counts),
            citedKnown,
            ids,
            ids),
        new Features(
            number("contextOverlap", features.path("contextOverlap")),
            number("citationScore", features.path("citationScore")),
            number("novelRatio", features.path("novelRatio")),
            number("questionOverlap", features.path("questionOverlap"))),
        json.has("claims") ? Optional.of(claims(json.path("claims"))) : Optional.empty());
  }

  private static ClaimFindings claims(JsonNode json) {
    List<WeakClaim> weak = new ArrayList<>();
    for (JsonNode claim : json.path("weak")) {
      List<Detail> details = new ArrayList<>();
      for (JsonNode detail : claim.path("details")) {
        details.add(
            new Detail(
                choice("code", detail, Departure.values(), Departure::code),
                excerpt(detail.path("said")),
                optionalExcerpt(detail.path("instead"))));
      }
      weak.add(
          new WeakClaim(
              excerpt(claim.path("claim")),
              number("support", claim.path("support")),
              optionalExcerpt(claim.path("nearest")),
              details));
    }
    return new ClaimFindings(
        whole("count", json),
        number("support", json.path("support")),
        codes(json.path("departures"), Departure.values()),
        codes(json.path("notes"), ClaimNote.values()),
        weak);
  }

  private static <E extends Enum<E> & Coded> Set<E> codes(JsonNode json, E[] all) {
    return json.valueStream()
        .flatMap(code -> Coded.find(all, code.asString("")).stream())
        .collect(Collectors.toSet());
  }

  private static Optional<Excerpt> optionalExcerpt(JsonNode json) {
    return json.isObject() ? Optional.of(excerpt(json)) : Optional.empty();
  }

  private static Excerpt excerpt(JsonNode json) {
    return new Excerpt(
        json.path("chunk").asString(""),
        whole("from", json),
        whole("to", json),
        json.path("text").asString(""));
  }

  static int whole(String name, JsonNode json) {
    JsonNode value = json.path(name);
    if (!value.isInt() || value.asInt() < 0) {
      throw new IllegalArgumentException(name + " must be a count, got " + value);
    }
    return value.asInt();
  }

  /** A number, or the name of one that is not finite. */
  static double number(String name, JsonNode value) {
    if (value.isNumber()) {
      return value.asDouble();
    }
    return switch (value.asString("")) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> throw new IllegalArgumentException(name + " must be a number, got " + value);
    };
  }

  /** A message that asks the judge for the same; its texts are never read. */
  AgentMessage message() {
    Evidence evidence =
        source == EvidenceSource.NONE
            ? Evidence.NONE
            : new Evidence(
                source, List.of(new Chunk("", Utf8Span.EMPTY)), List.of(), confidence, assumptions);
    return new AgentMessage(Utf8Span.EMPTY, Utf8Span.EMPTY, evidence);
  }

  /** What the core guard found, read back from its line. */
  static final class LoggedCore {
    private static final Pattern PLUS = Pattern.compile("+", Pattern.LITERAL);

    private LoggedCore() {}

    /** Reads the member {@code core}, if there is one; throws with the name of a bad member. */
    static Optional<CoreCheck> read(JsonNode line) {
      if (!line.has("core")) {
        return Optional.empty();
      }
      JsonNode json = line.path("core");
      List<CoreFindings.Offence> offending = new ArrayList<>();
      for (JsonNode offence : json.path("offending")) {
        offending.add(
            new CoreFindings.Offence(
                offence.path("term").asString(""),
                choice("status", offence, TermStatus::ofCode),
                Optional.of(offence.path("use").asString("")).filter(use -> !use.isEmpty())));
      }
      String domain = json.path("domain").asString("");
      List<CoreVersion> cores = new ArrayList<>();
      for (JsonNode core : json.path("cores")) {
        cores.add(core(core.asString(""), domain));
      }
      return Optional.of(
          new CoreCheck(
              new CoreFindings(
                  new HeldCore(
                      domain,
                      Optional.of(json.path("peer").asString("")).filter(peer -> !peer.isEmpty()),
                      choice("state", json, CoreState::ofCode),
                      cores,
                      json.path("ageMs").asLong(0)),
                  LoggedVerdict.whole("certified", json),
                  LoggedVerdict.whole("unknown", json),
                  LoggedVerdict.whole("revoked", json),
                  offending),
              new GuardPolicy(
                  choice("onUncertified", json, OnUncertified::ofCode),
                  choice("onStale", json, OnCoreGap::ofCode),
                  choice("onAbsent", json, OnCoreGap::ofCode))));
    }

    /**
     * {@code alice+bob/license@3}; ids may hold slashes and at signs, so it is read from the end.
     */
    private static CoreVersion core(String text, String domain) {
      int version = text.lastIndexOf('@');
      String id = version < 0 ? "" : text.substring(0, version);
      if (!id.endsWith("/" + domain)) {
        throw new IllegalArgumentException("core must be one of domain " + domain + ": " + text);
      }
      String agents = id.substring(0, id.length() - domain.length() - 1);
      return new CoreVersion(
          new CoreId(PLUS.splitAsStream(agents).toList(), domain),
          Long.parseLong(text.substring(version + 1)));
    }

    private static <T> T choice(String name, JsonNode json, Function<String, Optional<T>> ofCode) {
      String given = json.path(name).asString("");
      return ofCode
          .apply(given)
          .orElseThrow(() -> new IllegalArgumentException("unknown " + name + ": '" + given + "'"));
    }
  }
}
