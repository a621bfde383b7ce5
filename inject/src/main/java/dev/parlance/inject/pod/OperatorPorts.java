package dev.parlance.inject.pod;

import dev.parlance.inject.pod.PodView.ContainerView;
import dev.parlance.service.config.HostPort;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The ports that operators ask a pod for: those of probes and of {@code prometheus.io/port}. They
 * are not intercepted where nobody can take them for the agent's own. The agent's port stays
 * intercepted whoever asks it, or a probe would open the way past the sidecar: what the kubelet and
 * a scraper want of it passes by its name.
 *
 * <pre>
 *   somebody says where the agent listens -> every other port that is asked
 *   containers name ports                 -> those that none names, or names as an operator's
 *   they name none of the agent's         -> those that are named as an operator's
 * </pre>
 */
final class OperatorPorts {
  private static final Pattern TELLING =
      Pattern.compile(
          "(.*-)?(metrics|prom|prometheus|health|healthz|probe|probes|monitoring|telemetry)(-.*)?");
  private static final String SCRAPED = "prometheus.io/port";

  private final PodView pod;
  private final NavigableMap<Integer, Set<String>> asked = new TreeMap<>();

  private OperatorPorts(PodView pod) {
    this.pod = pod;
  }

  /**
   * The ports to exclude, each with who asks for it.
   *
   * @param config the sidecar's file, which may say where the agent listens
   */
  static NavigableMap<Integer, Set<String>> excluded(
      PodView pod, PodOverrides wishes, JsonNode config) {
    OperatorPorts ports = new OperatorPorts(pod);
    if (wishes.redirects() && wishes.excludesAsked()) {
      ports.probes();
      ports.scrape();
      ports.asked.keySet().removeAll(wishes.excludeInboundPorts());
      ports.keepAgents(wishes, config);
    }
    return ports.asked;
  }

  private void probes() {
    for (ContainerView container : pod.running()) {
      for (String kind : ProbeRewrite.PROBES) {
        for (String handler : ProbeRewrite.HANDLERS) {
          if (container.node().path(kind).path(handler) instanceof ObjectNode probe
              && probe.path("host").asString("").isEmpty()) {
            add(container.portNumber(probe.path("port")), container.name() + "." + kind);
          }
        }
      }
    }
  }

  private void scrape() {
    if (pod.annotation("prometheus.io/scrape").orElse("").equals("false")) {
      return;
    }
    pod.annotation(SCRAPED)
        .ifPresent(port -> {
          JsonNode text = pod.root().path("metadata").path("annotations").path(SCRAPED);
          for (ContainerView container : pod.running()) {
            OptionalInt number = container.portNumber(text);
            if (number.isPresent()) {
              add(number, SCRAPED);
            }
          }
        });
  }

  private void add(OptionalInt port, String who) {
    port.ifPresent(number -> {
      if (number >= 1 && number <= 65_535) {
        asked.computeIfAbsent(number, _ -> new LinkedHashSet<>()).add(who);
      }
    });
  }

  /** Takes the ports out where messages may come for the agent. */
  private void keepAgents(PodOverrides wishes, JsonNode config) {
    Set<Integer> said = new TreeSet<>();
    wishes.agentPort().ifPresent(said::add);
    for (String key : List.of("agent", "grpcAgent")) {
      HostPort.parse(config.path("inbound").path(key).asString(""))
          .ifPresent(address -> said.add(address.port()));
    }
    Set<Integer> agents = said.isEmpty() ? named(false) : said;
    asked.keySet().removeAll(agents);
    if (agents.isEmpty()) {
      asked.keySet().retainAll(named(true));
    }
  }

  /** Ports that containers name, as an operator's or otherwise. */
  private Set<Integer> named(boolean asOperators) {
    Set<Integer> ports = new TreeSet<>();
    for (ContainerView container : pod.running()) {
      for (JsonNode port : container.node().path("ports")) {
        if (port.path("containerPort").isInt()
            && TELLING.matcher(port.path("name").asString("")).matches() == asOperators) {
          ports.add(port.path("containerPort").intValue());
        }
      }
    }
    return ports;
  }

  /** What is excluded, for people. */
  static String shown(NavigableMap<Integer, Set<String>> ports) {
    List<String> each = new ArrayList<>();
    ports.forEach((port, who) -> each.add(port + " (" + String.join(", ", who) + ")"));
    return String.join(", ", each);
  }
}
