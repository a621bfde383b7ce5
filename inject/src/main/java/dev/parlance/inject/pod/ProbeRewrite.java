package dev.parlance.inject.pod;

import dev.parlance.inject.pod.PodChecks.PodFindings;
import dev.parlance.inject.pod.PodView.ContainerView;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns the kubelet's probes of the agent to the sidecar's health port, which asks the agent in its
 * stead: the kubelet's own requests would be intercepted, judged, and answered by the wrong one.
 *
 * <p>Probes of native sidecars stay as they are: those start before the rules and before the
 * sidecar, which could not answer for them yet. So do probes of ports that are not intercepted.
 */
final class ProbeRewrite {
  /** The probe to the last part of its name; in the order of the settings made of them. */
  private static final List<Map.Entry<String, String>> KINDS =
      List.of(
          Map.entry("startupProbe", "startup"),
          Map.entry("readinessProbe", "readiness"),
          Map.entry("livenessProbe", "liveness"));

  /** Members of a container that are probes. */
  static final List<String> PROBES = KINDS.stream().map(Map.Entry::getKey).toList();

  /** Members of a probe that ask a port. */
  static final List<String> HANDLERS = List.of("httpGet", "tcpSocket", "grpc");

  private static final int DEFAULT_TIMEOUT_SECONDS = 1;
  private static final int MAX_TIMEOUT_SECONDS = 600;

  private final PodFindings findings;
  private final ArrayNode entries = JsonNodeFactory.instance.arrayNode();

  ProbeRewrite(PodFindings findings) {
    this.findings = findings;
  }

  /**
   * Collects and changes.
   *
   * @param pod the pod, whose probes are changed
   * @param healthPort the sidecar's health port
   * @param excluded ports that are not intercepted
   * @param undo gets {@code container/probe} to the handler as it was
   * @return the {@code probes} of the sidecar's file
   */
  ArrayNode apply(PodView pod, int healthPort, Set<Integer> excluded, ObjectNode undo) {
    for (ContainerView container : pod.containers()) {
      for (Map.Entry<String, String> kind : KINDS) {
        if (container.node().path(kind.getKey()) instanceof ObjectNode probe) {
          String name = container.name() + "-" + kind.getValue();
          for (String handler : HANDLERS) {
            if (probe.path(handler) instanceof ObjectNode old
                && !excluded.contains(container.portNumber(old.path("port")).orElse(0))
                && passOn(container, kind.getKey(), handler, old, probe, name)) {
              undo.putObject(container.name() + "/" + kind.getKey()).set(handler, old.deepCopy());
              probe.remove(handler);
              probe
                  .putObject("httpGet")
                  .put("path", "/probe/" + name)
                  .put("port", healthPort)
                  .put("scheme", "HTTP");
            }
          }
        }
      }
      hooks(container);
    }
    return entries;
  }

  private boolean passOn(
      ContainerView container,
      String kind,
      String handler,
      ObjectNode old,
      ObjectNode probe,
      String name) {
    String where = container.name() + "." + kind;
    if (!old.path("host").asString("").isEmpty()) {
      findings.warning(
          PodReason.PROBE_ELSEWHERE,
          where + " asks host " + old.path("host").asString() + " and stays as it is");
      return false;
    }
    OptionalInt port = container.portNumber(old.path("port"));
    if (port.isEmpty()) {
      findings.problem(
          PodReason.PROBE_PORT_UNKNOWN,
          where + " asks port " + old.path("port") + ", which the container does not name");
      return false;
    }
    ObjectNode entry = JsonNodeFactory.instance.objectNode();
    entry.put("name", name).put("port", port.getAsInt());
    switch (handler) {
      case "httpGet" -> http(old, entry);
      case "tcpSocket" -> entry.put("tcp", true);
      case "grpc" -> entry.put("grpc", old.path("service").asString(""));
      default -> throw new IllegalStateException(handler);
    }
    int seconds = probe.path("timeoutSeconds").asInt(DEFAULT_TIMEOUT_SECONDS);
    entry.put("timeoutMs", 1_000 * Math.clamp(seconds, 1, MAX_TIMEOUT_SECONDS));
    entries.add(entry);
    return true;
  }

  private static void http(ObjectNode old, ObjectNode entry) {
    String path = old.path("path").asString("");
    entry.put("path", path.isEmpty() ? "/" : path.startsWith("/") ? path : "/" + path);
    if (old.path("scheme").asString("").equalsIgnoreCase("HTTPS")) {
      entry.put("scheme", "https");
    }
    JsonNode headers = old.path("httpHeaders");
    if (!headers.isEmpty()) {
      ArrayNode list = entry.putArray("headers");
      for (JsonNode header : headers) {
        list.addObject()
            .put("name", header.path("name").asString(""))
            .put("value", header.path("value").asString(""));
      }
    }
  }

  private void hooks(ContainerView container) {
    JsonNode lifecycle = container.node().path("lifecycle");
    for (String hook : List.of("postStart", "preStop")) {
      if (lifecycle.path(hook).has("httpGet")) {
        findings.warning(
            PodReason.HOOK_INTERCEPTED,
            container.name()
                + ".lifecycle."
                + hook
                + " asks by HTTP, passes the sidecar and is judged there; use exec, or exclude its"
                + " port");
      }
    }
  }
}
