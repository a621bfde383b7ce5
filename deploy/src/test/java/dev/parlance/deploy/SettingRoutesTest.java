package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.inject.pod.ConfigKeys;
import dev.parlance.inject.pod.PodAnnotation;
import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every key of the sidecar's file, set to something that is not its default by each of the three
 * routes: in a file, as Helm value (through real Helm, its schema and the real injector), and as
 * annotation of a pod. Each time it must be in the file that the sidecar reads, and the sidecar
 * must take that file.
 */
@NullMarked
class SettingRoutesTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @TempDir Path folder = Path.of("");

  /** Keys of which a pod's own make-up leaves one value only. */
  private static final Set<String> FIXED_IN_PODS =
      Set.of("version", "inbound.transparent", "outbound.transparent");

  /** Values that the schema does not tell, because they have a form of their own. */
  private static final Map<String, String> CHOSEN =
      Map.ofEntries(
          Map.entry("node", "other"),
          Map.entry("dataDir", "/var/lib/parlance/other"),
          Map.entry("portsFile", "ports.json"),
          Map.entry("routes", "[{name: search, mode: observe}]"),
          Map.entry("profiles", "{strict: {extends: parlance, errorMax: 1}}"),
          Map.entry("probes", "[{name: up, port: 8080, path: /up}]"),
          Map.entry("inbound.listen", "0.0.0.0:15106"),
          Map.entry("inbound.agent", "127.0.0.1:8181"),
          Map.entry("inbound.grpcAgent", "127.0.0.1:9191"),
          Map.entry("outbound.listen", "127.0.0.1:15101"),
          Map.entry("outbound.allow", "['*.example']"),
          Map.entry("outbound.opaquePorts", "[5432]"),
          Map.entry("outbound.tunnels", "['*.example']"),
          Map.entry("admin.listen", "127.0.0.1:15100"),
          Map.entry("review.escalate", "[{afterMs: 3600000, to: leads}]"),
          Map.entry("review.trustFrom", "['agent-b.example:8080']"),
          Map.entry("health.listen", "0.0.0.0:15120"),
          Map.entry("control.target", "other.example:7070"),
          Map.entry("control.agent", "other"),
          Map.entry("control.tokenFile", "/run/other"),
          Map.entry("entailment.dir", "/models/b"),
          Map.entry("traces.endpoint", "http://collector.example:4318/v1/traces"),
          Map.entry("traces.headersFile", "/run/otlp-headers"),
          Map.entry("traces.ca", "/run/otlp-ca.pem"),
          Map.entry("traces.sampleRatio", "0.25"), // Helm writes 1.0 as 1
          Map.entry("control.keysFile", "/etc/parlance/keys"),
          Map.entry(
              "control.keys",
              "[parlance.local/ledger+bda002e7+AW6Z+fcaAquUFvTapuCzoIsyRuEPbJwrX3hNKqynsnlB]"),
          // What the injector fills in without TLS is true.
          Map.entry("control.insecure", "false"),
          Map.entry("control.tls.ca", "/etc/parlance/other.pem"),
          Map.entry("control.tls.cert", "/run/tls.crt"),
          Map.entry("control.tls.key", "/run/tls.key"),
          Map.entry("control.peers", "[{agent: bob, hosts: ['bob:80']}]"),
          Map.entry("control.localAgent.url", "http://127.0.0.1:8080/a2a"),
          Map.entry("pacts.keyFile", "/var/lib/parlance/other.key"),
          Map.entry("pacts.validityMs", "500000"), // no more than maxDurationMs
          Map.entry("pacts.schemas", "['{\"type\":\"object\"}']"),
          Map.entry("pacts.schemasDir", "/etc/parlance/schemas"),
          Map.entry("pacts.templatesDir", "/etc/parlance/templates"),
          Map.entry(
              "pacts.peers",
              "[{agent: bob, keys: [bob+4f6a2099+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f]}]"),
          Map.entry("identity.cert", "/run/identity/tls.crt"),
          Map.entry("identity.key", "/run/identity/tls.key"),
          Map.entry("identity.bundle", "/run/identity/ca.crt"),
          Map.entry("identity.workloadApi", "unix:/run/spire/agent.sock"),
          Map.entry("identity.tokenFile", "/run/identity/token"),
          Map.entry("identity.domains", "[{name: partner.example, bundle: /run/partner.pem}]"),
          Map.entry("identity.deny", "['spiffe://mesh.example/ns/shop/sa/thief']"),
          Map.entry(
              "identity.peers", "[{hosts: ['bob:80'], ids: ['spiffe://mesh.example/ns/a/sa/b']}]"),
          Map.entry("identity.external.from", "['127.0.0.6']"),
          Map.entry("verdicts.keyFile", "/run/verdict/verdict.key"),
          Map.entry(
              "verdicts.peers",
              "[{key: bob+4f6a2099+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f, hosts:"
                  + " ['bob:80']}]"),
          Map.entry("verdicts.trustVerdicts", "['spiffe://mesh.example']"),
          Map.entry("verdicts.acceptProfiles", "['0123456789abcdef0123456789abcdef']"),
          Map.entry("pacts.policy", "[{peers: [bob], accept: [a/enrich@1], offer: [a/enrich@1]}]"));

  private static final Set<String> INSTEAD_OF_FILES =
      Set.of("identity.workloadApi", "identity.controlPlane", "identity.tokenFile");

  private static final Map<String, String> IDENTITY_FILES =
      Map.of(
          "identity.cert", "/run/identity/tls.crt",
          "identity.key", "/run/identity/tls.key",
          "identity.bundle", "/run/identity/ca.crt");

  /** Further keys that a key needs beside it. */
  private static Map<String, String> beside(String path) {
    return switch (path) {
      case "control.insecure" -> Map.of("control.tls.ca", "/etc/parlance/other.pem");
      case "control.tls.ca" -> Map.of("control.insecure", "false");
      case "control.tls.cert", "control.tls.key" ->
          Map.of(
              "control.insecure", "false",
              "control.tls.ca", "/etc/parlance/other.pem",
              "control.tls.cert", "/run/tls.crt",
              "control.tls.key", "/run/tls.key");
      case "inbound.tls", "outbound.tls" -> IDENTITY_FILES;
      case "identity.cert", "identity.key", "identity.bundle", "identity.domains" -> IDENTITY_FILES;
      case "identity.tokenFile" -> Map.of("identity.controlPlane", "true");
      case "identity.external.field" -> Map.of("identity.external.from", "['127.0.0.6']");
      case "control.localAgent.protocol", "control.localAgent.timeoutMs" ->
          Map.of("control.localAgent.url", "http://127.0.0.1:8080/a2a");
      case String of when of.startsWith("traces.") ->
          Map.of("traces.endpoint", "http://collector.example:4318/v1/traces");
      case String of when of.startsWith("entailment.") -> Map.of("entailment.dir", "/models/b");
      default -> Map.of();
    };
  }

  /** Keys that mean something with redirection only. */
  private static String interceptionOf(String path) {
    return path.startsWith("outbound.opaque") ? "redirect" : "proxy";
  }

  private static List<SettingKeys.Key> keys(String interception) {
    return SettingKeys.all().stream()
        .filter(key -> !FIXED_IN_PODS.contains(key.path()))
        .filter(key -> interceptionOf(key.path()).equals(interception))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"proxy", "redirect"})
  void everyKeyReachesTheSidecarByAnnotationAndByFile(String interception) throws IOException {
    PodInjector injector = new PodInjector(settings(NODES.objectNode(), interception), "1");
    ObjectNode plain = file(injector.inject(pod(Map.of())));
    List<String> problems = new ArrayList<>();
    for (SettingKeys.Key key : keys(interception)) {
      Map<String, JsonNode> wanted = wanted(key);
      check(problems, key.path() + " by annotation", injector.inject(pod(wanted)), wanted);
      ObjectNode file = plain.deepCopy();
      wanted.forEach((path, value) -> set(file, path, value));
      if (ConfigLoader.parse(InstallManifests.write(file), folder)
          instanceof ConfigResult.Refused<SidecarConfig> refused) {
        problems.add(key.path() + " by file: " + refused.problems());
      }
    }
    assertThat(problems).isEmpty();
  }

  /** All at once, for Helm takes its time; they go together. */
  @ParameterizedTest
  @ValueSource(strings = {"proxy", "redirect"})
  void everyKeyReachesTheSidecarByHelmValue(String interception) throws IOException {
    Map<String, JsonNode> wanted = new LinkedHashMap<>();
    keys(interception).stream()
        .filter(key -> !INSTEAD_OF_FILES.contains(key.path()))
        .forEach(key -> wanted.putAll(wanted(key)));
    PodInjector injector = new PodInjector(settings(tree(wanted), interception), "1");
    List<String> problems = new ArrayList<>();
    check(problems, "Helm", injector.inject(pod(Map.of())), wanted);
    assertThat(problems).isEmpty();
  }

  @Test
  void noKeyIsLeftOut() {
    assertThat(keys("proxy")).hasSizeGreaterThan(60);
    assertThat(keys("redirect")).hasSize(2);
    assertThat(keys("proxy").size() + keys("redirect").size() + FIXED_IN_PODS.size())
        .isEqualTo(SettingKeys.all().size());
  }

  private static Map<String, JsonNode> wanted(SettingKeys.Key key) {
    Map<String, JsonNode> wanted = new LinkedHashMap<>();
    beside(key.path()).forEach((path, text) -> wanted.put(path, InstallManifests.readTree(text)));
    wanted.put(key.path(), other(key));
    return wanted;
  }

  @Test
  void theTableHasEveryKeyThatAnAnnotationCanSetAndEveryAnnotation() {
    assertThat(SettingKeys.all().stream().map(SettingKeys.Key::path).toList())
        .containsExactlyElementsOf(ConfigKeys.all().keySet());
    assertThat(
            PodSettings.ALL.stream()
                .map(PodSettings.Setting::annotation)
                .collect(Collectors.toSet()))
        .isEqualTo(
            Arrays.stream(PodAnnotation.values())
                .map(PodAnnotation::shortName)
                .collect(Collectors.toSet()));
  }

  @Test
  void everyHelmValueThatTheTableNamesForPodsIsOne() throws IOException {
    JsonNode values =
        InstallManifests.readTree(
            Files.readString(Repository.CHART.folder().resolve("values.yaml")));
    for (PodSettings.Setting setting : PodSettings.ALL) {
      for (String value : setting.helmValue().split(", ", -1)) {
        assertThat(values.at(value.isEmpty() ? "" : "/" + value.replace('.', '/')).isMissingNode())
            .as(value)
            .isFalse();
      }
    }
  }

  @Test
  void whatTheChartRendersForTheInjectorIsWhatItReads() throws IOException {
    for (RenderRequest request : Repository.requests()) {
      // Of a Secret that is not here; the injector reads it at its start.
      String yaml =
          injectorFile(request)
              .replace(
                  "/etc/parlance/control-ca/ca.crt",
                  Files.writeString(folder.resolve("ca"), "x").toString());
      assertThat(SettingsReader.parse(yaml, folder))
          .as(request.toString())
          .isInstanceOf(ConfigResult.Loaded.class);
    }
  }

  private static void check(
      List<String> problems, String route, PodOutcome outcome, Map<String, JsonNode> wanted) {
    if (outcome instanceof PodOutcome.Refused refused) {
      problems.add(route + ": " + refused.message());
      return;
    }
    ObjectNode file = file(outcome);
    wanted.forEach((path, value) -> {
      JsonNode is = file.at("/" + path.replace('.', '/'));
      if (!is.equals(value)) {
        problems.add(route + ": " + path + " is " + is + ", expected " + value);
      }
    });
  }

  /** The sidecar's file of an injected pod. */
  private static ObjectNode file(PodOutcome outcome) {
    assertThat(outcome).isInstanceOf(PodOutcome.Injected.class);
    return outcome instanceof PodOutcome.Injected injected
        ? (ObjectNode)
            InstallManifests.readTree(
                injected
                    .pod()
                    .path("metadata")
                    .path("annotations")
                    .path(PodAnnotation.SIDECAR_CONFIG)
                    .stringValue())
        : NODES.objectNode();
  }

  /** What the injector reads when Helm is given this for the sidecar's file. */
  private InjectorSettings settings(ObjectNode config, String interception) throws IOException {
    ObjectNode values = NODES.objectNode();
    ObjectNode sidecar = values.putObject("sidecar").put("interception", interception);
    sidecar.set("config", config);
    sidecar
        .putObject("control")
        .putArray("keys")
        .add("parlance.local/ledger/core+8b6bfb75+AQAZdLWtd8pZU34BXA/b77SUKB9DqyQZUyW3ulac+LnZ");
    Path file = Files.writeString(folder.resolve("values.yaml"), InstallManifests.write(values));
    ConfigResult<InjectorSettings> result =
        SettingsReader.parse(injectorFile(RenderRequest.of(file)), folder);
    assertThat(result).as(config.toString()).isInstanceOf(ConfigResult.Loaded.class);
    return result instanceof ConfigResult.Loaded<InjectorSettings>(InjectorSettings settings)
        ? settings
        : settings(NODES.objectNode(), interception);
  }

  private static String injectorFile(RenderRequest request) {
    return Repository.one(Repository.render(request), "ConfigMap", "parlance-injector")
        .get("/data/injector.yaml")
        .stringValue();
  }

  private static ObjectNode pod(Map<String, JsonNode> config) {
    ObjectNode pod =
        (ObjectNode)
            InstallManifests.readTree(
                """
                metadata:
                  name: billing
                  annotations:
                    parlance.dev/agent: billing
                    parlance.dev/attach-secret: billing-attach
                spec:
                  containers:
                    - name: agent
                      image: agent
                      ports: [{containerPort: 8080}]
                """);
    ObjectNode annotations = (ObjectNode) pod.at("/metadata/annotations");
    config.forEach((path, value) ->
        annotations.put(
            PodAnnotation.CONFIG_PREFIX + path,
            value.isString() ? value.stringValue() : value.toString()));
    return pod;
  }

  private static ObjectNode tree(Map<String, JsonNode> config) {
    ObjectNode tree = NODES.objectNode();
    config.forEach((path, value) -> set(tree, path, value));
    return tree;
  }

  private static void set(ObjectNode tree, String path, JsonNode value) {
    ObjectNode at = tree;
    String[] names = path.split("\\.", -1);
    for (int i = 0; i < names.length - 1; i++) {
      at = at.path(names[i]) instanceof ObjectNode next ? next : at.putObject(names[i]);
    }
    at.set(names[names.length - 1], value);
  }

  /** A value that is right and not the default. */
  private static JsonNode other(SettingKeys.Key key) {
    String chosen = CHOSEN.get(key.path());
    if (chosen != null) {
      return InstallManifests.readTree(chosen);
    }
    JsonNode rule = key.rule();
    JsonNode byDefault = rule.path("default");
    for (JsonNode choice : rule.path("enum")) {
      if (!choice.equals(byDefault)) {
        return choice;
      }
    }
    return switch (rule.path("type").asString("")) {
      case "boolean" -> NODES.booleanNode(!byDefault.asBoolean(false));
      case "integer" -> {
        long most = rule.path("maximum").asLong(Long.MAX_VALUE);
        long value = byDefault.asLong(rule.path("minimum").asLong(0));
        long chosenNumber = value < most ? value + 1 : value - 1;
        yield chosenNumber == (int) chosenNumber
            ? NODES.numberNode((int) chosenNumber)
            : NODES.numberNode(chosenNumber);
      }
      case "number" ->
          NODES.numberNode((byDefault.asDouble() + rule.path("maximum").asDouble()) / 2);
      default -> throw new IllegalStateException("choose a value for " + key.path() + ": " + rule);
    };
  }
}
