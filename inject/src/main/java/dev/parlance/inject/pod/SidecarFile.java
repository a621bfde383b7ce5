package dev.parlance.inject.pod;

import dev.parlance.inject.pod.PodChecks.PodFindings;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SidecarSettings.ControlPlane;
import dev.parlance.inject.yaml.Yaml;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.HostPort;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The sidecar's file for one pod. Three layers, the later ones win: what the injector knows of the
 * pod, the injector's own file ({@code sidecar.config}), the pod's annotations.
 */
final class SidecarFile {
  private static final int INBOUND = 15_006;
  private static final int OUTBOUND = 15_001;
  private static final int HEALTH = 15_020;
  private static final int ADMIN = 15_000;

  /** Until every node has heard that a pod gets no more connections, some still come. */
  private static final int NOTICE_MS = 3_000;

  private static final String NODE_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}";

  private final InjectorSettings settings;
  private final PodOverrides wishes;
  private final PodFindings findings;
  private final ObjectNode tree = JsonNodeFactory.instance.objectNode();

  /** The file without probes. */
  SidecarFile(InjectorSettings settings, PodView pod, PodOverrides wishes, PodFindings findings) {
    this.settings = settings;
    this.wishes = wishes;
    this.findings = findings;
    facts(pod);
    merge(tree, settings.sidecar().config());
    wishes.config().forEach(this::set);
    dropHalfOfControl();
  }

  private void facts(PodView pod) {
    tree.put("version", 1);
    // Whoever puts a sidecar into pods looks first at what it would do.
    tree.put("mode", Mode.OBSERVE.code());
    wishes
        .attach()
        .map(PodOverrides.Attach::agent)
        .or(pod::shownName)
        .map(SidecarFile::node)
        .filter(name -> name.matches(NODE_PATTERN))
        .ifPresent(name -> tree.put("node", name));
    tree.put("dataDir", SidecarNames.DATA_DIR);
    ObjectNode inbound = tree.putObject("inbound").put("listen", "0.0.0.0:" + INBOUND);
    ObjectNode outbound = tree.putObject("outbound");
    if (wishes.redirects()) {
      inbound.put("transparent", true);
      outbound.put("listen", "0.0.0.0:" + OUTBOUND).put("transparent", true);
    } else {
      agentPort(pod).ifPresent(port -> inbound.put("agent", "127.0.0.1:" + port));
      outbound.put("listen", "127.0.0.1:" + OUTBOUND);
    }
    tree.putObject("health").put("listen", "0.0.0.0:" + HEALTH);
    tree.putObject("timeouts").put("noticeMs", NOTICE_MS);
    switch (settings.sidecar().identity()) {
      case CERTMANAGER ->
          tree.putObject("identity")
              .put("cert", SidecarNames.IDENTITY_DIR + "/tls.crt")
              .put("key", SidecarNames.IDENTITY_DIR + "/tls.key")
              .put("bundle", SidecarNames.IDENTITY_DIR + "/ca.crt");
      case SPIFFE ->
          tree.putObject("identity")
              .put("workloadApi", "unix:" + SidecarNames.IDENTITY_DIR + "/spire-agent.sock");
      case CONTROLPLANE -> {
        if (isAttached()) {
          tree.putObject("identity")
              .put("controlPlane", true)
              .put("tokenFile", SidecarNames.IDENTITY_DIR + "/token");
        }
      }
      case NONE -> {}
    }
    if (isAttached()) {
      control(settings.sidecar().control().orElseThrow(), wishes.attach().orElseThrow());
    }
  }

  private boolean isAttached() {
    return wishes.attach().isPresent() && settings.sidecar().control().isPresent();
  }

  private static String node(String name) {
    String safe = name.replaceAll("[^A-Za-z0-9._-]", "-").replaceAll("-+$", "");
    return safe.substring(0, Math.min(63, safe.length()));
  }

  /** The port somebody named, else the only one that the pod's containers have. */
  private OptionalInt agentPort(PodView pod) {
    if (wishes.agentPort().isPresent()) {
      return wishes.agentPort();
    }
    int[] ports =
        pod.running().stream()
            .flatMap(container -> container.ports().stream())
            .mapToInt(Integer::intValue)
            .distinct()
            .toArray();
    boolean said = wishes.config().containsKey("inbound.agent");
    if (ports.length != 1 && !said) {
      findings.problem(
          PodReason.AGENT_PORT_UNKNOWN,
          "the containers name "
              + (ports.length == 0 ? "no port" : ports.length + " ports")
              + "; say where the agent listens by "
              + PodAnnotation.AGENT_PORT.key());
    }
    // The pod is refused then; the rest of its file is looked at all the same.
    return OptionalInt.of(ports.length == 1 ? ports[0] : 1);
  }

  private void control(ControlPlane plane, PodOverrides.Attach attach) {
    ObjectNode control = tree.putObject("control");
    control.put("target", plane.target()).put("agent", attach.agent());
    if (attach.secret().isPresent()) {
      control.put("tokenFile", SidecarNames.ATTACH_DIR + "/token");
    }
    ArrayNode keys = control.putArray("keys");
    plane.keys().forEach(keys::add);
    if (plane.ca().isPresent()) {
      ObjectNode tls =
          control.putObject("tls").put("ca", SidecarNames.CONFIG_DIR + "/" + SidecarNames.CA_FILE);
      if (plane.clientCertificate()) {
        tls.put("cert", SidecarNames.ATTACH_DIR + "/tls.crt")
            .put("key", SidecarNames.ATTACH_DIR + "/tls.key");
      }
    } else {
      control.put("insecure", true);
    }
  }

  private static void merge(ObjectNode into, ObjectNode from) {
    from.properties()
        .forEach(member -> {
          if (into.path(member.getKey()) instanceof ObjectNode old
              && member.getValue() instanceof ObjectNode added) {
            merge(old, added);
          } else {
            into.set(member.getKey(), member.getValue().deepCopy());
          }
        });
  }

  private void set(String path, JsonNode value) {
    ObjectNode at = tree;
    String[] names = path.split("\\.", -1);
    for (int i = 0; i < names.length - 1; i++) {
      at = at.path(names[i]) instanceof ObjectNode next ? next : at.putObject(names[i]);
    }
    at.set(names[names.length - 1], value);
  }

  /** What all pods share of the section is of no use to one that is not attached. */
  private void dropHalfOfControl() {
    boolean own = wishes.config().keySet().stream().anyMatch(path -> path.startsWith("control."));
    if (wishes.attach().isEmpty() && !own) {
      tree.remove("control");
    }
  }

  /** What it says so far. */
  ObjectNode tree() {
    return tree.deepCopy();
  }

  /** Adds what the kubelet's probes became. */
  void probes(ArrayNode probes) {
    if (!probes.isEmpty()) {
      ArrayNode all =
          tree.path("probes") instanceof ArrayNode given ? given : tree.putArray("probes");
      probes.forEach(all::add);
    }
  }

  int inboundPort() {
    return port("inbound", INBOUND);
  }

  int outboundPort() {
    return port("outbound", OUTBOUND);
  }

  int healthPort() {
    return port("health", HEALTH);
  }

  int adminPort() {
    return port("admin", ADMIN);
  }

  private int port(String section, int otherwise) {
    return HostPort.parse(tree.path(section).path("listen").asString(""))
        .map(HostPort::port)
        .filter(port -> port > 0)
        .orElse(otherwise);
  }

  /** The text, if the sidecar would take it; else its problems are findings. */
  Optional<String> text() {
    String yaml = Yaml.write(tree);
    return switch (ConfigLoader.parse(yaml, Path.of(SidecarNames.CONFIG_DIR))) {
      case ConfigResult.Loaded<SidecarConfig> _ -> {
        modes();
        yield Optional.of(yaml);
      }
      case ConfigResult.Refused<SidecarConfig> refused -> {
        refused
            .problems()
            .forEach(problem -> findings.problem(PodReason.CONFIG_INVALID, blamed(problem)));
        yield Optional.empty();
      }
    };
  }

  /** The sidecar and the way traffic comes to it have to agree, and its ports have to be known. */
  private void modes() {
    for (String section : new String[] {"inbound", "outbound"}) {
      boolean transparent = tree.path(section).path("transparent").asBoolean(false);
      if (transparent != wishes.redirects()) {
        findings.problem(
            PodReason.CONFIG_INVALID,
            section
                + ".transparent: got "
                + transparent
                + " with interception "
                + wishes.interception().code());
      }
    }
    for (String section : new String[] {"inbound", "outbound", "health"}) {
      String listen = tree.path(section).path("listen").asString("");
      if (HostPort.parse(listen).filter(parsed -> parsed.port() > 0).isEmpty()) {
        findings.problem(
            PodReason.CONFIG_INVALID,
            section + ".listen: got \"" + listen + "\", expected a fixed port in a pod");
      } else if (wishes.redirects() && !isEverywhere(listen)) {
        findings.problem(
            PodReason.CONFIG_INVALID,
            section
                + ".listen: got \""
                + listen
                + "\", expected 0.0.0.0 or [::]: redirected connections come to every address");
      }
    }
  }

  private static boolean isEverywhere(String listen) {
    return listen.startsWith("0.0.0.0:") || listen.startsWith("[::]:");
  }

  /** The problem under the name of whoever said it. */
  private String blamed(ConfigProblem problem) {
    String path = problem.pointer().isEmpty() ? "" : problem.pointer().substring(1);
    String dotted = path.replace('/', '.');
    for (Map.Entry<String, JsonNode> own : wishes.config().entrySet()) {
      if (dotted.equals(own.getKey()) || dotted.startsWith(own.getKey() + ".")) {
        String rest = dotted.substring(own.getKey().length());
        return PodAnnotation.CONFIG_PREFIX
            + own.getKey()
            + (rest.isEmpty() ? "" : " (" + rest.substring(1) + ")")
            + ": "
            + problem.message();
      }
    }
    return "the sidecar's file: "
        + (problem.pointer().isEmpty() ? "" : problem.pointer() + ": ")
        + problem.message();
  }
}
