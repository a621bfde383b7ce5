package dev.parlance.proxy.config.file;

import dev.parlance.policy.route.Profile;
import dev.parlance.proxy.config.BoardSettings;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.DecisionLogSettings;
import dev.parlance.proxy.config.EntailmentSettings;
import dev.parlance.proxy.config.EvidenceSettings;
import dev.parlance.proxy.config.IdentitySettings;
import dev.parlance.proxy.config.Inbound;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OpaquePolicy;
import dev.parlance.proxy.config.Outbound;
import dev.parlance.proxy.config.PactSettings;
import dev.parlance.proxy.config.PlumbingSettings;
import dev.parlance.proxy.config.Probe;
import dev.parlance.proxy.config.ReviewSettings;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.StartupSettings;
import dev.parlance.proxy.config.StreamSettings;
import dev.parlance.proxy.config.TraceSettings;
import dev.parlance.proxy.config.VerdictSettings;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.config.Issues;
import dev.parlance.service.config.Listen;
import dev.parlance.service.config.Loopback;
import dev.parlance.service.config.Section;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** From a document that the schema has seen to the records, with the checks no schema can make. */
final class ConfigReader {
  private static final String ONLY_TRANSPARENT =
      ", which needs transparent: true, as only redirected connections can be opaque";

  private final Section root;
  private final Issues issues;

  private ConfigReader(Section root) {
    this.root = root;
    this.issues = root.binder().issues();
  }

  /** The configuration; empty if there is any problem at the end. */
  static Optional<SidecarConfig> read(Section root, String revision) {
    return new ConfigReader(root).config(revision);
  }

  private Optional<SidecarConfig> config(String revision) {
    Map<String, Profile> profiles = ProfileReader.read(root.section("profiles"));
    List<RouteRule> routes = RouteReader.read(root, profiles);
    Path dataDir = root.path("dataDir").orElse(root.binder().baseDir());
    Optional<Path> portsFile = root.path("portsFile");
    checkInbound();
    checkOutbound();
    Optional<Inbound> inbound = root.bindIfThere("inbound", Inbound.class);
    Optional<Outbound> outbound = root.bindIfThere("outbound", Outbound.class);
    Optional<Listen> admin = listen("admin");
    Optional<Listen> health = root.has("health") ? listen("health") : Optional.empty();
    checkListeners(admin, health);
    List<Probe> probes = probes();
    checkControl();
    Optional<ControlSettings> control = root.bindIfThere("control", ControlSettings.class);
    Optional<PactSettings> pacts = PactReader.read(root, dataDir);
    Optional<IdentitySettings> identity = IdentityReader.read(root);
    Optional<VerdictSettings> verdicts = root.bind("verdicts", VerdictSettings.class);
    atMost("entailment", "openFrom", "openTo");
    Optional<EntailmentSettings> entailment =
        root.bindIfThere("entailment", EntailmentSettings.class);
    Optional<TraceSettings> traces = root.bindIfThere("traces", TraceSettings.class);
    atMost("streams", "windowBytes", "segmentBytes");
    atMost("timeouts", "noticeMs", "drainMs");
    if (!issues.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new SidecarConfig(
            root.text("node").orElseThrow(),
            root.constant("mode", Mode.class),
            new SidecarConfig.Listeners(inbound, outbound, admin.orElseThrow(), health, portsFile),
            probes,
            routes,
            profiles,
            bound("limits", SidecarConfig.Limits.class),
            bound("plumbing", PlumbingSettings.class),
            bound("timeouts", SidecarConfig.Times.class),
            new SidecarConfig.Storage(
                dataDir,
                bound("review", ReviewSettings.class),
                bound("decisionLog", DecisionLogSettings.class),
                bound("evidence", EvidenceSettings.class)),
            bound("streams", StreamSettings.class),
            bound("startup", StartupSettings.class),
            control,
            pacts,
            bound("lexicon", BoardSettings.class),
            identity.orElseThrow(),
            verdicts.orElseThrow(),
            entailment,
            traces,
            revision));
  }

  private <R> R bound(String key, Class<R> type) {
    return root.bind(key, type).orElseThrow();
  }

  private Optional<Listen> listen(String section) {
    return root.section(section).get("listen", Listen.class);
  }

  private void checkInbound() {
    Section inbound = root.section("inbound");
    if (root.has("inbound")
        && inbound.isAbsent("agent")
        && (!inbound.flag("transparent") || inbound.text("grpcAgent").isPresent())) {
      inbound.missing("agent");
    }
  }

  private void checkOutbound() {
    Section outbound = root.section("outbound");
    ArrayNode tunnels = JsonNodeFactory.instance.arrayNode();
    outbound.setDefault(
        "tunnels", root.constant("mode", Mode.class) == Mode.OBSERVE ? tunnels.add("*") : tunnels);
    if (!outbound.flag("transparent")) {
      OpaquePolicy opaque = outbound.constant("opaque", OpaquePolicy.class);
      if (opaque != OpaquePolicy.REFUSE) {
        outbound.problem("opaque", "got " + opaque.code() + ONLY_TRANSPARENT);
      }
      int ports = outbound.numbers("opaquePorts").size();
      if (ports > 0) {
        outbound.problem("opaquePorts", "got " + ports + " of them" + ONLY_TRANSPARENT);
      }
    }
  }

  private void checkListeners(Optional<Listen> admin, Optional<Listen> health) {
    if (root.isAbsent("inbound") && root.isAbsent("outbound")) {
      issues.add("", "no listener, expected inbound or outbound or both");
    }
    Optional<Listen> inbound = root.has("inbound") ? listen("inbound") : Optional.empty();
    Optional<Listen> outbound = root.has("outbound") ? listen("outbound") : Optional.empty();
    if (admin.isPresent() && !admin.get().isLoopback()) {
      root.section("admin")
          .problem(
              "listen",
              "got host \""
                  + admin.get().host()
                  + "\", expected a loopback address such as 127.0.0.1, [::1] or localhost");
    }
    taken("outbound", outbound, List.of(inbound), "which inbound listens on already");
    taken("admin", admin, List.of(inbound, outbound), "which another listener has already");
    taken(
        "health", health, List.of(inbound, outbound, admin), "which another listener has already");
  }

  private void taken(
      String section, Optional<Listen> listen, List<Optional<Listen>> others, String message) {
    if (listen.isPresent()
        && listen.get().port() != 0
        && others.stream().anyMatch(other -> other.filter(listen.get()::isSame).isPresent())) {
      root.section(section).problem("listen", "got " + listen.get() + ", " + message);
    }
  }

  /** The probes, as far as they can be read. */
  private List<Probe> probes() {
    Set<String> names = new HashSet<>();
    List<Section> sections = root.sections("probes");
    for (Section probe : sections) {
      probe.setDefault("host", Probe.HOST);
      probe
          .text("name")
          .filter(name -> !names.add(name))
          .ifPresent(name ->
              probe.problem(
                  "name", "two probes are named \"" + name + "\", expected unique names"));
    }
    List<Probe> probes = sections.stream().flatMap(one -> one.bind(Probe.class).stream()).toList();
    if (!probes.isEmpty() && root.isAbsent("health")) {
      root.problem("probes", "probes are answered at health.listen, which is absent");
    }
    return probes;
  }

  private void checkControl() {
    if (!root.has("control")) {
      return;
    }
    Section control = root.section("control");
    if (control.items("keys").isEmpty() && control.path("keysFile").isEmpty()) {
      control.problem("keys", "no key, expected one or more in keys or keysFile");
    }
    boolean insecure = control.flag("insecure");
    if (control.has("tls")) {
      if (insecure) {
        control.problem("insecure", "got true beside tls, expected one of the two");
      }
    } else {
      control
          .get("target", HostPort.class)
          .filter(target -> !insecure && !Loopback.isLoopback(target.host()))
          .ifPresent(target ->
              control.problem(
                  "target",
                  "got host \""
                      + target.host()
                      + "\" without TLS, expected tls.ca, a loopback address, or insecure: true"));
    }
    Set<String> agents = new HashSet<>();
    for (Section peer : control.sections("peers")) {
      Optional<String> agent = peer.text("agent");
      if (agent.isPresent() && !agents.add(agent.get())) {
        peer.problem(
            "agent", "agent \"" + agent.get() + "\" is listed twice, expected unique agents");
      }
      if (agent.isPresent() && agent.equals(control.text("agent"))) {
        peer.problem("agent", "got the agent beside this sidecar, expected another one");
      }
    }
  }

  /** One number of a section is at most another. */
  private void atMost(String key, String lower, String upper) {
    Section section = root.section(key);
    double low = section.decimal(lower).orElse(0);
    double high = section.decimal(upper).orElse(0);
    if (low > high) {
      section.problem(
          lower,
          "got "
              + section.value(lower)
              + ", expected at most "
              + upper
              + " ("
              + section.value(upper)
              + ")");
    }
  }
}
