package dev.parlance.inject.pod;

import dev.parlance.inject.patch.JsonPatch;
import dev.parlance.inject.pod.PodChecks.PodFindings;
import dev.parlance.inject.pod.PodOutcome.PodFinding;
import dev.parlance.inject.pod.PodView.ContainerView;
import dev.parlance.inject.settings.InjectorSettings;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts a sidecar into pods. It asks nobody and keeps nothing: the same pod and settings always give
 * the same outcome.
 *
 * <p>A pod that says it was injected before is first brought back to what it was, then injected
 * anew. So doing it twice is doing it once, and nobody gets round his sidecar by bringing along one
 * of his own making.
 */
public final class PodInjector {
  /** Kubernetes takes 256 KiB of annotations in all; the rest is left to others. */
  static final int MAX_ANNOTATION_BYTES = 192 * 1024;

  private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

  private final InjectorSettings settings;
  private final String version;

  /**
   * An injector.
   *
   * @param settings the injector's file
   * @param version what it writes as the version that injected; never empty
   */
  public PodInjector(InjectorSettings settings, String version) {
    if (version.isEmpty()) {
      throw new IllegalArgumentException("expected a version");
    }
    this.settings = settings;
    this.version = version;
  }

  /**
   * What becomes of a pod, or of a template of pods.
   *
   * @param given a tree with {@code metadata} and {@code spec}; it is not changed
   */
  public PodOutcome inject(ObjectNode given) {
    PodFindings findings = new PodFindings();
    ObjectNode bare = PodUninjector.bare(given);
    PodView pod = new PodView(bare);
    if (!pod.spec().isObject() || !isObjectOrAbsent(bare.path("metadata"))) {
      findings.problem(PodReason.MALFORMED_POD, "expected a pod with metadata and spec");
      return new PodOutcome.Refused(findings.problems());
    }
    OverrideReader reader = new OverrideReader(pod, settings, findings);
    if (!reader.wanted()) {
      return new PodOutcome.Unchanged(
          new PodFinding(PodReason.DISABLED, PodAnnotation.INJECT.key() + " is disabled"));
    }
    PodOverrides wishes = reader.read();
    PodChecks checks = new PodChecks(pod, settings.sidecar(), findings);
    checks.always();
    SidecarFile file = new SidecarFile(settings, pod, wishes, findings);
    NavigableMap<Integer, Set<String>> asked = OperatorPorts.excluded(pod, wishes, file.tree());
    Set<Integer> excluded = new TreeSet<>(wishes.excludeInboundPorts());
    excluded.addAll(asked.keySet());
    checks.of(
        wishes,
        excluded,
        List.of(file.inboundPort(), file.outboundPort(), file.healthPort(), file.adminPort()));
    ObjectNode wanted = bare.deepCopy();
    ObjectNode undo = JsonNodeFactory.instance.objectNode();
    if (wishes.redirects()) {
      file.probes(
          new ProbeRewrite(findings)
              .apply(new PodView(wanted), file.healthPort(), excluded, undo.putObject("probes")));
    } else {
      proxyEnv(new PodView(wanted), wishes, file.outboundPort(), undo, findings);
    }
    if (!asked.isEmpty()) {
      findings.warning(
          PodReason.PORTS_EXCLUDED,
          "not intercepted, and judged by nobody: port "
              + OperatorPorts.shown(asked)
              + "; "
              + PodAnnotation.EXCLUDE_INBOUND_PORTS.key()
              + ": none intercepts them");
    }
    Optional<String> text = file.text();
    if (text.isPresent() && !findings.isBad()) {
      place(
          wanted,
          new SidecarParts(settings, wishes, file, excluded),
          wishes,
          text.get(),
          undo,
          findings);
    }
    if (findings.isBad()) {
      return new PodOutcome.Refused(findings.problems());
    }
    if (wanted.equals(given)) {
      return new PodOutcome.Unchanged(
          new PodFinding(PodReason.ALREADY_INJECTED, "the pod has the sidecar that it would get"));
    }
    return new PodOutcome.Injected(wanted, JsonPatch.between(given, wanted), findings.warnings());
  }

  private static boolean isObjectOrAbsent(JsonNode node) {
    return node.isObject() || node.isMissingNode();
  }

  private static void proxyEnv(
      PodView pod, PodOverrides wishes, int port, ObjectNode undo, PodFindings findings) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("HTTP_PROXY", "http://127.0.0.1:" + port);
    values.put("http_proxy", "http://127.0.0.1:" + port);
    values.put("NO_PROXY", "localhost,127.0.0.1,::1");
    values.put("no_proxy", "localhost,127.0.0.1,::1");
    ObjectNode added = undo.putObject("env");
    // Init containers reach the sidecar only where it runs before them.
    for (ContainerView container : wishes.nativeSidecar() ? pod.all() : pod.containers()) {
      ArrayNode names = JsonNodeFactory.instance.arrayNode();
      values.forEach((name, value) -> {
        Optional<JsonNode> taken = variable(container, name);
        if (taken.isEmpty()) {
          list(container.node(), "env").addObject().put("name", name).put("value", value);
          names.add(name);
        } else if (!taken.get().path("value").asString("").equals(value)) {
          findings.problem(
              PodReason.PROXY_ENV_TAKEN,
              container.name()
                  + " has a value of its own in "
                  + name
                  + "; take it away, or set "
                  + PodAnnotation.INTERCEPTION.key()
                  + ": redirect");
        }
      });
      if (!names.isEmpty()) {
        added.set(container.name(), names);
      }
    }
  }

  private static Optional<JsonNode> variable(ContainerView container, String name) {
    for (JsonNode variable : container.node().path("env")) {
      if (variable.path("name").asString("").equals(name)) {
        return Optional.of(variable);
      }
    }
    return Optional.empty();
  }

  private void place(
      ObjectNode pod,
      SidecarParts parts,
      PodOverrides wishes,
      String text,
      ObjectNode undo,
      PodFindings findings) {
    ObjectNode spec = (ObjectNode) pod.path("spec");
    // The rules behind the pod's own init containers: those fetch, migrate and wait, by means that
    // are none of the agent's, and before the sidecar runs there is nobody to redirect to.
    if (wishes.redirects()) {
      list(spec, "initContainers").add(parts.intercept());
    }
    if (!wishes.nativeSidecar()) {
      list(spec, "containers").insert(0, parts.sidecar());
    } else if (wishes.redirects()) {
      list(spec, "initContainers").add(parts.sidecar());
    } else {
      // First, so that init containers that are told of it by their environment find it.
      list(spec, "initContainers").insert(0, parts.sidecar());
    }
    parts.volumes().forEach(list(spec, "volumes")::add);
    ObjectNode metadata = mapping(pod, "metadata");
    mapping(metadata, "labels").put(PodAnnotation.INJECTED, "true");
    ObjectNode annotations = mapping(metadata, "annotations");
    // Whatever stood there was not the injector's word.
    PodAnnotation.WRITTEN.forEach(annotations::remove);
    annotations.put(PodAnnotation.INJECTED, version);
    annotations.put(PodAnnotation.SIDECAR_CONFIG, text);
    parts.controlCa().ifPresent(pem -> annotations.put(PodAnnotation.CONTROL_CA, pem));
    if (!wishes.nativeSidecar() && !annotations.has(DEFAULT_CONTAINER)) {
      annotations.put(DEFAULT_CONTAINER, new PodView(pod).containers().get(1).name());
      undo.putArray("annotations").add(DEFAULT_CONTAINER);
    }
    undo.properties().removeIf(member -> member.getValue().isEmpty());
    if (!undo.isEmpty()) {
      annotations.put(PodAnnotation.UNDO, undo.toString());
    }
    wishes
        .configMap()
        .ifPresent(name ->
            findings.warning(
                PodReason.CONFIG_NOT_CHECKED,
                "ConfigMap "
                    + name
                    + " is not read here; its sidecar.yaml has to have the listeners, health and"
                    + " probes that annotation "
                    + PodAnnotation.SIDECAR_CONFIG
                    + " shows"));
    long size = annotations.toString().getBytes(StandardCharsets.UTF_8).length;
    if (size > MAX_ANNOTATION_BYTES) {
      findings.problem(
          PodReason.CONFIG_TOO_LARGE,
          "the annotations would have "
              + size
              + " bytes, expected at most "
              + MAX_ANNOTATION_BYTES);
    }
  }

  private static ObjectNode mapping(ObjectNode in, String key) {
    return in.path(key) instanceof ObjectNode found ? found : in.putObject(key);
  }

  private static ArrayNode list(ObjectNode in, String key) {
    return in.path(key) instanceof ArrayNode found ? found : in.putArray(key);
  }
}
