package dev.parlance.proxy.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.proxy.config.Keys;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Schema, code and defaults say the same. */
class ConfigSchemaTest {
  private static final JsonMapper JSON = JsonMapper.shared();

  private static final String PACTS =
      """
      "entailment": {"dir": "/models/a"},
      "traces": {"endpoint": "http://127.0.0.1:4318/v1/traces"},
      "verdicts": {"peers": [{"key": "%s"}]},
      "pacts": {"peers": [{"agent": "control.example", "keys": ["%s"]}],
                "policy": [{"peers": ["*"], "bounds": {"p": {"atMost": 1}},
                            "arbiterBounds": {"p": {"atMost": 2}},
                            "propose": [{"id": "a", "category": "scope", "body": "fields=x"}]}]}
      """
          .formatted(Keys.ONE, Keys.ONE);

  /** Every optional mapping is there, so that every key has a place. */
  private static final String BASE =
      """
      {"inbound": {"listen": "127.0.0.1:15006", "agent": "127.0.0.1:8080"},
       "outbound": {"listen": "127.0.0.1:15001", "transparent": true},
       "health": {"listen": "127.0.0.1:15020"},
       "probes": [{"name": "live", "port": 8080, "path": "/live",
                   "headers": [{"name": "X-A", "value": "a"}]}],
       "profiles": {"p": {}},
       "routes": [{"name": "r", "match": {"pathPrefix": "/r"}, "codec": "json", "profile": "p",
                   "core": {"domain": "license"}, "pact": "optional",
                   "json": {"request": {"text": "/t", "round": "/r"}, "response": {"text": "/t"}}}],
       "control": {"target": "127.0.0.1:15010", "agent": "alice", "tokenFile": "token",
                   "keys": ["%s"],
                   "tls": {"ca": "ca.pem", "cert": "c.pem", "key": "k.pem"},
                   "peers": [{"agent": "bob", "hosts": ["bob.example"]}],
                   "localAgent": {"url": "http://127.0.0.1:8080/"}},
       "identity": {"cert": "c.pem", "key": "k.pem", "bundle": "b.pem",
                    "domains": [{"name": "partner.example", "bundle": "p.pem"}],
                    "peers": [{"hosts": ["bob.example"], "ids": ["spiffe://a/b"]}],
                    "external": {"from": ["127.0.0.6"]}},
       "review": {"escalate": [{"afterMs": 1000, "to": "leads", "only": false}]},
       %s}
      """
          .formatted(Keys.ONE, PACTS);

  private static final String PROFILE_PATTERN = "/profiles/^[a-z0-9][a-z0-9-]{0,39}$";

  /** Values that no rule can make up, by the place of the key. */
  private static final Map<String, String> SAMPLES =
      Map.ofEntries(
          Map.entry("/routes/0/upstream", "\"http://api.example:81/base\""),
          Map.entry("/node", "\"n2\""),
          Map.entry("/dataDir", "\"/elsewhere\""),
          Map.entry("/portsFile", "\"/run/ports.json\""),
          Map.entry("/inbound/listen", "\"127.0.0.1:1\""),
          Map.entry("/inbound/agent", "\"agent.example:2\""),
          Map.entry("/inbound/grpcAgent", "\"agent.example:5\""),
          Map.entry("/outbound/listen", "\"127.0.0.1:3\""),
          Map.entry("/outbound/tunnels", "[\"b.example:1\"]"),
          Map.entry("/outbound/allow", "[\"a.example:1\"]"),
          Map.entry("/outbound/transparent", "false"),
          Map.entry("/outbound/opaquePorts", "[5432]"),
          Map.entry("/review/escalate/0/afterMs", "2000"),
          Map.entry("/review/escalate/0/to", "\"legal\""),
          Map.entry("/review/escalate/0/only", "true"),
          Map.entry("/review/trustFrom", "[\"b.example:1\"]"),
          Map.entry("/admin/listen", "\"[::1]:4\""),
          Map.entry("/health/listen", "\"0.0.0.0:5\""),
          Map.entry("/probes/0/name", "\"ready\""),
          Map.entry("/probes/0/host", "\"::1\""),
          Map.entry("/probes/0/port", "8081"),
          Map.entry("/probes/0/path", "\"/ready\""),
          Map.entry("/probes/0/grpc", "\"a.B\""),
          Map.entry("/probes/0/headers/0/name", "\"X-B\""),
          Map.entry("/probes/0/headers/0/value", "\"b\""),
          Map.entry("/routes/0/name", "\"other\""),
          Map.entry("/routes/0/match/host", "\"*.example\""),
          Map.entry("/routes/0/match/pathPrefix", "\"/other\""),
          Map.entry("/routes/0/profile", "\"asp-paper\""),
          Map.entry("/routes/0/core/domain", "\"loans\""),
          Map.entry("/routes/0/core/peer", "\"bob\""),
          Map.entry("/control/target", "\"control.example:2\""),
          Map.entry("/control/agent", "\"carol\""),
          Map.entry("/control/keys", "[\"" + Keys.OTHER + "\"]"),
          Map.entry("/control/keysFile", "\"/etc/keys\""),
          Map.entry("/control/tokenFile", "\"/run/token\""),
          Map.entry("/control/tls/ca", "\"/etc/ca.pem\""),
          Map.entry("/control/tls/cert", "\"/etc/cert.pem\""),
          Map.entry("/control/tls/key", "\"/etc/key.pem\""),
          Map.entry("/control/peers/0/agent", "\"dave\""),
          Map.entry("/control/peers/0/hosts", "[\"*.example:443\"]"),
          Map.entry("/control/localAgent/url", "\"https://agent.example/a2a\""),
          Map.entry("/routes/0/peer", "\"bob\""),
          Map.entry("/entailment/dir", "\"/models/b\""),
          Map.entry("/traces/endpoint", "\"https://collector.example/v1/traces\""),
          Map.entry("/traces/headersFile", "\"/run/otlp-headers\""),
          Map.entry("/traces/ca", "\"/run/otlp-ca.pem\""),
          Map.entry("/pacts/keyFile", "\"/etc/party.key\""),
          Map.entry("/pacts/validityMs", "500000"),
          Map.entry("/pacts/schemas", "[\"{}\"]"),
          Map.entry("/pacts/schemasDir", "\"/etc/schemas\""),
          Map.entry("/pacts/templatesDir", "\"/etc/templates\""),
          Map.entry("/pacts/peers/0/agent", "\"other.example\""),
          Map.entry("/pacts/peers/0/keys", "[\"" + Keys.AGAIN + "\"]"),
          Map.entry("/pacts/policy/0/peers", "[\"org2/*\"]"),
          Map.entry("/pacts/policy/0/accept", "[\"a/b@1\"]"),
          Map.entry("/pacts/policy/0/negotiate", "[\"a/b@2\"]"),
          Map.entry("/pacts/policy/0/refuse", "[\"*\"]"),
          Map.entry("/pacts/policy/0/offer", "[\"a/b@1\"]"),
          Map.entry("/pacts/policy/0/arbiter", "\"court\""),
          Map.entry("/pacts/policy/0/arbiterWithinMs", "5000"),
          Map.entry("/pacts/policy/0/arbiterBounds/p/atMost", "2.5"),
          Map.entry("/pacts/policy/0/arbiterBounds/p/atLeast", "0.5"),
          Map.entry("/pacts/policy/0/arbiterBounds/p/subsetOf", "[\"lookup\"]"),
          Map.entry("/pacts/policy/0/hidden", "[\"b\"]"),
          Map.entry("/pacts/policy/0/propose/0/id", "\"b\""),
          Map.entry("/pacts/policy/0/propose/0/category", "\"action\""),
          Map.entry("/pacts/policy/0/propose/0/body", "\"fields=y\""),
          Map.entry("/pacts/policy/0/bounds/p/atMost", "2.5"),
          Map.entry("/pacts/policy/0/bounds/p/atLeast", "0.5"),
          Map.entry("/pacts/policy/0/bounds/p/subsetOf", "[\"lookup\"]"),
          Map.entry("/routes/0/match/peer", "[\"spiffe://a/b*\", \"anonymous\"]"),
          Map.entry("/routes/0/allow", "[\"spiffe://a/**\"]"),
          Map.entry("/identity/cert", "\"/run/tls.crt\""),
          Map.entry("/identity/key", "\"/run/tls.key\""),
          Map.entry("/identity/bundle", "\"/run/ca.crt\""),
          Map.entry("/identity/workloadApi", "\"unix:/run/agent.sock\""),
          Map.entry("/identity/tokenFile", "\"/run/token\""),
          Map.entry("/identity/domains/0/name", "\"other.example\""),
          Map.entry("/identity/domains/0/bundle", "\"/run/other.pem\""),
          Map.entry("/identity/deny", "[\"spiffe://a/thief\"]"),
          Map.entry("/identity/peers/0/hosts", "[\"*.example:443\"]"),
          Map.entry("/identity/peers/0/ids", "[\"spiffe://a/*\"]"),
          Map.entry("/verdicts/keyFile", "\"/run/verdict.key\""),
          Map.entry("/verdicts/peers/0/key", "\"" + Keys.AGAIN + "\""),
          Map.entry("/verdicts/peers/0/hosts", "[\"*.example:443\"]"),
          Map.entry("/verdicts/trustVerdicts", "[\"spiffe://a/b\"]"),
          Map.entry("/verdicts/acceptProfiles", "[\"0123456789abcdef0123456789abcdef\"]"),
          Map.entry("/identity/external/from", "[\"10.0.0.0/8\"]"),
          Map.entry("/profiles/p/extends", "\"asp-paper\""),
          // These three are bound to others by an order or a sum.
          Map.entry("/profiles/p/citationUnknownScore", "0.5"),
          Map.entry("/profiles/p/driftWarnSqrtJsd", "0.11"),
          Map.entry("/profiles/p/driftCritSqrtJsd", "0.23"),
          Map.entry("/profiles/p/citationKnownScore", "0.9"),
          Map.entry("/profiles/p/driftQuestionOverlapMin", "0.11"));

  /** A probe has one of three. */
  private static final Set<String> INSTEAD_OF_FILES =
      Set.of("/identity/workloadApi", "/identity/controlPlane", "/identity/tokenFile");

  private static final Set<String> INSTEAD_OF_PATH = Set.of("/probes/0/tcp", "/probes/0/grpc");

  /** Changes that only make sense together: the shares sum to 1, the scores are in order. */
  private static final Map<String, Map<String, String>> COMPANIONS =
      Map.of(
          "idealContextOverlap", Map.of("idealContextOverlap", "0.46", "idealCitation", "0.432"),
          "idealCitation", Map.of("idealCitation", "0.432", "idealContextOverlap", "0.46"),
          "idealNovel", Map.of("idealNovel", "0.014", "idealCitation", "0.432"),
          "idealQuestionOverlap", Map.of("idealQuestionOverlap", "0.114", "idealCitation", "0.432"),
          "citationNoneScore", Map.of("citationNoneScore", "0.1", "citationUnknownScore", "0.2"),
          "driftCritSqrtJsd", Map.of("driftCritSqrtJsd", "0.4", "driftWarnSqrtJsd", "0.3"));

  @TestFactory
  List<DynamicTest> everyKey_isReallyRead() {
    List<DynamicTest> tests = new ArrayList<>();
    JsonNode base = JSON.readTree(BASE);
    JsonNode shown = display(Yaml.loaded(BASE));
    leaves()
        .forEach((pointer, rule) -> {
          if (pointer.equals("/version")) {
            return; // one value only; another is refused, see ConfigLoaderTest
          }
          tests.add(
              DynamicTest.dynamicTest(
                  pointer,
                  () -> {
                    String name = pointer.substring(pointer.lastIndexOf('/') + 1);
                    JsonNode changed = base.deepCopy();
                    JsonNode wanted = other(pointer, rule);
                    if (pointer.startsWith("/profiles/") && COMPANIONS.containsKey(name)) {
                      COMPANIONS
                          .get(name)
                          .forEach((key, value) ->
                              set(changed, "/profiles/p/" + key, JSON.readTree(value)));
                      wanted = JSON.readTree(COMPANIONS.get(name).get(name));
                    } else {
                      set(changed, pointer, wanted);
                    }
                    if (INSTEAD_OF_PATH.contains(pointer)) {
                      ((ObjectNode) changed.at("/probes/0")).remove(List.of("path", "headers"));
                    }
                    if (pointer.equals("/routes/0/read")) { // not beside what reads messages
                      ((ObjectNode) changed).remove("pacts");
                      ((ObjectNode) changed.at("/routes/0"))
                          .remove(List.of("core", "lexicon", "pact", "peer"));
                      ((ObjectNode) changed.at("/routes/0/json")).remove("request");
                    }
                    if (INSTEAD_OF_FILES.contains(pointer)) {
                      ObjectNode identity = (ObjectNode) changed.at("/identity");
                      identity.remove(List.of("cert", "key", "bundle", "domains"));
                      if (!pointer.equals("/identity/workloadApi")) {
                        identity.put("controlPlane", true);
                      }
                    }
                    SidecarConfig config = Yaml.loaded(changed.toString());
                    JsonNode now = display(config);
                    if (pointer.equals("/profiles/p/extends")) {
                      assertThat(config.routes().getFirst().profile().settings())
                          .isEqualTo(Profiles.ASP_PAPER.settings());
                      return;
                    }
                    assertThat(now.at(pointer)).isEqualTo(wanted);
                    assertThat(now.at(pointer)).isNotEqualTo(shown.at(pointer));
                  }));
        });
    assertThat(tests).hasSizeGreaterThan(80);
    return tests;
  }

  @TestFactory
  List<DynamicTest> everyDefaultOfTheSchema_isTheDefaultOfTheCode() {
    List<DynamicTest> tests = new ArrayList<>();
    String plain =
        """
        {"inbound": {"listen": "127.0.0.1:15006", "agent": "127.0.0.1:8080"},
         "outbound": {"listen": "127.0.0.1:15001"},
         "health": {"listen": "127.0.0.1:15020"},
         "probes": [{"name": "live", "port": 8080, "path": "/live"}],
         "profiles": {"p": {}},
         "control": {"target": "127.0.0.1:15010", "agent": "alice", "tokenFile": "token",
                     "keys": ["%s"], "tls": {"ca": "ca.pem"},
                     "localAgent": {"url": "http://127.0.0.1:8080/"}},
         "identity": {"external": {"from": ["127.0.0.6"]}},
         %s,
         "review": {"escalate": [{"afterMs": 1000, "to": "leads"}]},
         "routes": [{"name": "r", "match": {"direction": "inbound"},
                     "core": {"domain": "license"}}]}
        """
            .formatted(Keys.ONE, PACTS);
    JsonNode shown = display(Yaml.loaded(plain));
    JsonNode implicit = shown.at("/routes/1");
    leaves()
        .forEach((pointer, rule) -> {
          if (!rule.has("default")
              || pointer.endsWith("/extends")
              || INSTEAD_OF_PATH.contains(pointer)) {
            return;
          }
          tests.add(
              DynamicTest.dynamicTest(
                  pointer,
                  () -> {
                    JsonNode byDefault = rule.path("default");
                    if (pointer.equals("/dataDir")) {
                      assertThat(shown.at(pointer).stringValue())
                          .isEqualTo(Yaml.BASE.resolve(byDefault.stringValue()).toString());
                    } else if (pointer.equals("/routes/0/match/direction")) {
                      assertThat(implicit.at("/match/direction")).isEqualTo(byDefault);
                    } else {
                      assertThat(shown.at(pointer)).isEqualTo(byDefault);
                    }
                  }));
        });
    assertThat(tests).hasSizeGreaterThan(60);
    return tests;
  }

  @Test
  void implicitRoute_hasTheDefaultsOfTheSchema() {
    JsonNode implicit = display(Yaml.loaded(Yaml.MINIMAL)).at("/routes/0");
    JsonNode rules = ConfigLoader.SCHEMA.tree().at("/properties/routes/items/properties");
    for (String key :
        List.of(
            "codec",
            "profile",
            "mode",
            "grounding",
            "onUnjudged",
            "onError",
            "stream",
            "consequential",
            "finality",
            "pact",
            "metadata",
            "repair",
            "idempotent",
            "onActed",
            "agentCard")) {
      assertThat(implicit.path(key)).as(key).isEqualTo(rules.path(key).path("default"));
    }
  }

  @Test
  void everySettingOfAProfile_isInTheSchema_withItsType() {
    JsonNode rules = profileRules();
    Profile profile = Profiles.DEFAULT;
    List<String> names = new ArrayList<>(rules.propertyNames());
    names.remove("extends");
    assertThat(names).containsExactlyElementsOf(profile.settings().keySet());
    profile
        .settings()
        .forEach((name, value) -> {
          String type =
              switch (value) {
                case Boolean flag -> "boolean";
                case String choice -> "string";
                case Double number -> "number";
                default -> "integer";
              };
          assertThat(rules.path(name).path("type").stringValue()).as(name).isEqualTo(type);
        });
  }

  /** Just outside a range the policy itself refuses, on the range's ends it may not. */
  @Test
  void rangesOfProfileSettings_areThoseOfThePolicy() {
    JsonNode rules = profileRules();
    for (String name : Profiles.DEFAULT.settings().keySet()) {
      JsonNode rule = rules.path(name);
      if (List.of("boolean", "string").contains(rule.path("type").stringValue())) {
        continue;
      }
      double step = rule.path("type").stringValue().equals("integer") ? 1 : 1e-10;
      for (double outside :
          new double[] {
            rule.path("minimum").doubleValue() - step, rule.path("maximum").doubleValue() + step
          }) {
        Object value = step == 1 ? (Object) (long) outside : (Object) outside;
        assertThat(complaint(name, value)).as(name).contains(name + " must be ");
      }
      for (String end : List.of("minimum", "maximum")) {
        Object value =
            step == 1 ? (Object) rule.path(end).longValue() : (Object) rule.path(end).doubleValue();
        assertThat(complaint(name, value)).as(name).doesNotContain(name + " must be ");
      }
    }
  }

  private static String complaint(String name, Object value) {
    try {
      return Profiles.derive("x", Profiles.DEFAULT, Map.of(name, value)).name();
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void everyKey_isDescribed_andBounded() {
    leaves()
        .forEach((pointer, rule) -> {
          assertThat(rule.path("title").asString("")).as(pointer).isNotEmpty();
          assertThat(rule.path("description").asString("")).as(pointer).endsWith(".");
          switch (rule.path("type").stringValue()) {
            case "integer" ->
                assertThat(rule.has("enum") || (rule.has("minimum") && rule.has("maximum")))
                    .as(pointer)
                    .isTrue();
            case "number" ->
                assertThat(rule.has("minimum") && rule.has("maximum")).as(pointer).isTrue();
            case "string" ->
                assertThat(rule.has("enum") || rule.has("pattern") || rule.has("maxLength"))
                    .as(pointer)
                    .isTrue();
            case "array" -> assertThat(rule.has("maxItems")).as(pointer).isTrue();
            default -> assertThat(rule.path("type").stringValue()).isEqualTo("boolean");
          }
        });
  }

  @Test
  void schema_isReadAsAMapperReadsIt() throws IOException {
    try (InputStream in = ConfigLoader.class.getResourceAsStream("parlance-config.schema.json")) {
      assertThat(in).isNotNull();
      assertThat(ConfigLoader.SCHEMA.tree().equals(JSON.readTree(in))).isTrue();
    }
  }

  @Test
  void noMapping_takesUnknownKeys() {
    assertThat(closedMappings(ConfigLoader.SCHEMA.tree(), "")).isGreaterThan(12);
  }

  private static int closedMappings(JsonNode rule, String pointer) {
    int count = 0;
    if (rule.path("type").asString("").equals("object")) {
      assertThat(rule.path("additionalProperties").asBoolean(true)).as(pointer).isFalse();
      count++;
    }
    for (Map.Entry<String, JsonNode> child : rule.properties()) {
      count += closedMappings(child.getValue(), pointer + "/" + child.getKey());
    }
    return count;
  }

  private static JsonNode profileRules() {
    return ConfigLoader.SCHEMA
        .tree()
        .at("/properties/profiles/patternProperties")
        .path(PROFILE_PATTERN.substring("/profiles/".length()))
        .path("properties");
  }

  /** Every key that holds a value, by the place that it has in {@link #BASE}. */
  private static Map<String, JsonNode> leaves() {
    Map<String, JsonNode> found = new LinkedHashMap<>();
    collect(ConfigLoader.SCHEMA.tree(), "", found);
    assertThat(found).hasSizeGreaterThan(80);
    return found;
  }

  private static void collect(JsonNode rule, String pointer, Map<String, JsonNode> found) {
    if (rule.has("properties")) {
      for (Map.Entry<String, JsonNode> entry : rule.path("properties").properties()) {
        collect(entry.getValue(), pointer + "/" + entry.getKey(), found);
      }
    } else if (rule.has("patternProperties")) {
      for (JsonNode child : rule.path("patternProperties")) {
        collect(child, pointer + "/p", found);
      }
    } else if (rule.path("items").has("properties")) {
      collect(rule.path("items"), pointer + "/0", found);
    } else {
      found.put(pointer, rule);
    }
  }

  /** A valid value that is not the default. */
  private static JsonNode other(String pointer, JsonNode rule) {
    if (SAMPLES.containsKey(pointer)) {
      return JSON.readTree(SAMPLES.get(pointer));
    }
    JsonNode byDefault = rule.path("default");
    if (rule.has("enum")) {
      // The base route has codec json because only that one reads pointers.
      String taken = pointer.equals("/routes/0/codec") ? "json" : byDefault.asString();
      for (JsonNode value : rule.path("enum")) {
        if (!value.asString().equals(taken) && !pointer.equals("/routes/0/codec")) {
          return value;
        }
      }
      return rule.path("enum").get(0);
    }
    return switch (rule.path("type").stringValue()) {
      case "boolean" -> JSON.valueToTree(!byDefault.booleanValue());
      case "integer" -> JSON.readTree(Long.toString(byDefault.longValue() + 1));
      case "number" ->
          JSON.valueToTree(
              byDefault.doubleValue() > 0.5
                  ? byDefault.doubleValue() - 0.125
                  : byDefault.doubleValue() + 0.125);
      default -> JSON.readTree("\"/changed/pointer\"");
    };
  }

  private static void set(JsonNode document, String pointer, JsonNode value) {
    String[] names = pointer.substring(1).split("/", -1);
    JsonNode at = document;
    for (int i = 0; i < names.length - 1; i++) {
      JsonNode next = at.isArray() ? at.path(Integer.parseInt(names[i])) : at.path(names[i]);
      at = next.isMissingNode() ? ((ObjectNode) at).putObject(names[i]) : next;
    }
    ((ObjectNode) at).set(names[names.length - 1], value);
    if (pointer.equals("/routes/0/codec")) {
      ((ObjectNode) at).remove("json");
    }
    if (pointer.startsWith("/routes/0/upstream")) {
      ((ObjectNode) at).putObject("match").put("direction", "outbound");
      if (!at.has("upstream")) {
        ((ObjectNode) at).put("upstream", "https://api.example/base");
      }
    }
    if (pointer.equals("/pacts/peers/0/agent")) {
      ((ObjectNode) at).putArray("keys").add(Keys.OTHER);
    }
    if (pointer.equals("/control/insecure")) {
      ((ObjectNode) at).remove("tls");
    }
  }

  private static JsonNode display(SidecarConfig config) {
    return JSON.readTree(JSON.writeValueAsString(config.toDisplayMap()));
  }
}
