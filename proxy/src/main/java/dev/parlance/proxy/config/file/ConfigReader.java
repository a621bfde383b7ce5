package dev.parlance.proxy.config.file;

import dev.parlance.policy.route.Profile;
import dev.parlance.proxy.config.BoardSettings;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.DecisionLogSettings;
import dev.parlance.proxy.config.Defaults;
import dev.parlance.proxy.config.EntailmentSettings;
import dev.parlance.proxy.config.EvidenceSettings;
import dev.parlance.proxy.config.HostPattern;
import dev.parlance.proxy.config.IdentitySettings;
import dev.parlance.proxy.config.Inbound;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OpaquePolicy;
import dev.parlance.proxy.config.OriginProtocol;
import dev.parlance.proxy.config.Outbound;
import dev.parlance.proxy.config.PactSettings;
import dev.parlance.proxy.config.PlumbingSettings;
import dev.parlance.proxy.config.PlumbingSettings.Switch;
import dev.parlance.proxy.config.Pointers;
import dev.parlance.proxy.config.Probe;
import dev.parlance.proxy.config.ReviewSettings;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.StartupSettings;
import dev.parlance.proxy.config.StreamSettings;
import dev.parlance.proxy.config.VerdictSettings;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.config.Listen;
import dev.parlance.service.config.Loopback;
import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.json.JsonScanner;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** From a document that the schema has seen to the records, with the checks no schema can make. */
final class ConfigReader {
  private static final String ONLY_TRANSPARENT =
      ", which needs transparent: true, as only redirected connections can be opaque";

  private final Section root;
  private final Issues issues;
  private final Path baseDir;

  private ConfigReader(YamlDocument document, Issues issues, Path baseDir) {
    this.root = new Section(document.root(), "", issues);
    this.issues = issues;
    this.baseDir = baseDir.toAbsolutePath().normalize();
  }

  /** The configuration; empty if there is any problem in {@code issues} at the end. */
  static Optional<SidecarConfig> read(
      YamlDocument document, Issues issues, Path baseDir, String revision) {
    return new ConfigReader(document, issues, baseDir).config(revision);
  }

  private Optional<SidecarConfig> config(String revision) {
    Mode mode = Choices.of(root.text("mode"), Mode.values(), Mode::code, Defaults.MODE);
    Map<String, Profile> profiles = ProfileReader.read(root.section("profiles"), issues);
    List<RouteRule> routes = RouteReader.read(root, baseDir, mode, profiles);
    Optional<Inbound> inbound = inbound();
    Optional<Outbound> outbound = outbound(mode);
    Listen admin = admin();
    Optional<Listen> health = HealthReader.listen(root);
    List<Probe> probes = HealthReader.probes(root, issues);
    Path dataDir = path("dataDir", Defaults.DATA_DIR).orElse(baseDir);
    Optional<Path> portsFile =
        root.text("portsFile")
            .filter(text -> !text.isEmpty())
            .flatMap(text -> path("portsFile", text));
    if (root.isAbsent("inbound") && root.isAbsent("outbound")) {
      issues.add("", "no listener, expected inbound or outbound or both");
    }
    Optional<ControlSettings> control = ControlReader.read(root, issues, baseDir);
    Optional<PactSettings> pacts = PactReader.read(root, issues, baseDir, dataDir);
    IdentitySettings identity = IdentityReader.read(root, baseDir);
    VerdictSettings verdicts = VerdictReader.read(root, baseDir);
    Optional<EntailmentSettings> entailment = EntailmentReader.read(root, baseDir);
    checkStreams(root.section("streams"));
    checkNotice(root.section("timeouts"));
    samePort(inbound.map(Inbound::listen), outbound.map(Outbound::listen), admin, health);
    if (!issues.isEmpty()) {
      return Optional.empty();
    }
    Section limits = root.section("limits");
    Section timeouts = root.section("timeouts");
    return Optional.of(
        new SidecarConfig(
            root.text("node", Defaults.NODE),
            mode,
            new SidecarConfig.Listeners(inbound, outbound, admin, health, portsFile),
            probes,
            routes,
            profiles,
            new SidecarConfig.Limits(
                limits(limits),
                new JsonScanner.Limits(
                    limits.number("jsonDepth", JsonScanner.Limits.DEFAULT.depth()),
                    limits.number("jsonTokens", JsonScanner.Limits.DEFAULT.tokens())),
                limits.number("judgingMs", Defaults.JUDGING_MS),
                limits.number("errorBytes", Defaults.ERROR_BYTES),
                limits.number("flows", Defaults.FLOWS),
                limits.number("plumbingBytes", Defaults.PLUMBING_BYTES)),
            plumbing(root.section("plumbing")),
            new SidecarConfig.Times(
                timeouts(timeouts),
                timeouts.number("drainMs", Defaults.DRAIN_MS),
                timeouts.number("noticeMs", Defaults.NOTICE_MS)),
            new SidecarConfig.Storage(
                dataDir,
                review(root.section("review")),
                decisionLog(root.section("decisionLog")),
                evidence(root.section("evidence"))),
            streams(root.section("streams")),
            startup(root.section("startup")),
            control,
            pacts,
            lexicon(root.section("lexicon")),
            identity,
            verdicts,
            entailment,
            revision));
  }

  private Optional<Inbound> inbound() {
    if (!root.has("inbound")) {
      return Optional.empty();
    }
    Section section = root.section("inbound");
    Optional<Listen> listen = listen(section);
    Optional<HostPort> agent = address(section, "agent");
    Optional<HostPort> grpcAgent = address(section, "grpcAgent");
    boolean transparent = section.flag("transparent", false);
    boolean noPort = portMissing(section, "agent", agent);
    if (portMissing(section, "grpcAgent", grpcAgent) || noPort) {
      return Optional.empty();
    }
    if (section.isAbsent("agent") && (!transparent || grpcAgent.isPresent())) {
      section.missing("agent");
      return Optional.empty();
    }
    return listen.isPresent() && (transparent || agent.isPresent())
        ? Optional.of(
            new Inbound(
                listen.get(),
                agent.map(ConfigReader::destination),
                protocol(section, "agentProtocol"),
                grpcAgent.map(ConfigReader::destination),
                transparent,
                IdentityReader.mode(section)))
        : Optional.empty();
  }

  private static boolean portMissing(Section section, String key, Optional<HostPort> address) {
    boolean missing = address.isPresent() && address.get().port() < 1;
    if (missing) {
      section.problem(key, "got port 0, expected a port from 1 to 65535");
    }
    return missing;
  }

  private static Destination destination(HostPort address) {
    return new Destination(address.host(), address.port());
  }

  private static OriginProtocol protocol(Section section, String key) {
    return Choices.of(
        section.text(key), OriginProtocol.values(), OriginProtocol::code, Defaults.ORIGIN_PROTOCOL);
  }

  private Optional<Outbound> outbound(Mode mode) {
    if (!root.has("outbound")) {
      return Optional.empty();
    }
    Section section = root.section("outbound");
    List<HostPattern> all = List.of(HostPattern.ANY);
    List<HostPattern> allow = hosts(section, "allow", all);
    List<HostPattern> tunnels = hosts(section, "tunnels", mode == Mode.OBSERVE ? all : List.of());
    boolean transparent = section.flag("transparent", false);
    OpaquePolicy opaque =
        Choices.of(
            section.text("opaque"), OpaquePolicy.values(), OpaquePolicy::code, Defaults.OPAQUE);
    Set<Integer> opaquePorts = Set.copyOf(section.numbers("opaquePorts"));
    if (!transparent) {
      boolean passes = opaque != Defaults.OPAQUE;
      if (passes) {
        section.problem("opaque", "got " + opaque.code() + ONLY_TRANSPARENT);
      }
      if (!opaquePorts.isEmpty()) {
        section.problem("opaquePorts", "got " + opaquePorts.size() + " of them" + ONLY_TRANSPARENT);
      }
      if (passes || !opaquePorts.isEmpty()) {
        return Optional.empty();
      }
    }
    return listen(section)
        .map(listen ->
            new Outbound(
                listen,
                allow,
                section.flag("allowLoopback", false),
                protocol(section, "originProtocol"),
                transparent,
                opaque,
                tunnels,
                opaquePorts,
                IdentityReader.mode(section)));
  }

  private List<HostPattern> hosts(Section section, String key, List<HostPattern> otherwise) {
    List<HostPattern> hosts = new ArrayList<>();
    for (Section.Item item : section.items(key)) {
      Optional<HostPattern> pattern = HostPattern.parse(item.text());
      if (pattern.isEmpty()) {
        issues.add(
            item.pointer(),
            "got \""
                + Pointers.shown(item.text())
                + "\", expected a pattern host[:port] like *.example:443");
      }
      pattern.ifPresent(hosts::add);
    }
    return section.isAbsent(key) ? otherwise : hosts;
  }

  private Listen admin() {
    Section section = root.section("admin");
    if (section.isAbsent("listen")) {
      return Defaults.ADMIN;
    }
    Optional<Listen> listen = listen(section);
    if (listen.isPresent() && !Loopback.isLoopback(listen.get().host())) {
      section.problem(
          "listen",
          "got host \""
              + listen.get().host()
              + "\", expected a loopback address such as 127.0.0.1, [::1] or localhost");
    }
    return listen.orElse(Defaults.ADMIN);
  }

  static Optional<Listen> listen(Section section) {
    return address(section, "listen").map(address -> new Listen(address.host(), address.port()));
  }

  private static Optional<HostPort> address(Section section, String key) {
    Optional<String> text = section.text(key);
    Optional<HostPort> address = text.flatMap(HostPort::parse).filter(found -> found.port() >= 0);
    if (text.isPresent() && address.isEmpty()) {
      section.problem(
          key,
          "got \""
              + Pointers.shown(text.get())
              + "\", expected host:port with a port from 0 to 65535");
    }
    return address;
  }

  private void samePort(
      Optional<Listen> inbound, Optional<Listen> outbound, Listen admin, Optional<Listen> health) {
    if (inbound.isPresent()
        && inbound.get().port() != 0
        && outbound.filter(inbound.get()::isSame).isPresent()) {
      issues.add("/outbound/listen", "got " + inbound.get() + ", which inbound listens on already");
    }
    if (admin.port() != 0) {
      boolean taken =
          inbound.filter(admin::isSame).isPresent() || outbound.filter(admin::isSame).isPresent();
      if (taken) {
        issues.add("/admin/listen", "got " + admin + ", which another listener has already");
      }
    }
    if (health.isPresent()
        && health.get().port() != 0
        && (inbound.filter(health.get()::isSame).isPresent()
            || outbound.filter(health.get()::isSame).isPresent()
            || admin.isSame(health.get()))) {
      issues.add("/health/listen", "got " + health.get() + ", which another listener has already");
    }
  }

  private Optional<Path> path(String key, String byDefault) {
    String text = root.text(key, byDefault);
    try {
      return Optional.of(baseDir.resolve(text).normalize());
    } catch (InvalidPathException e) {
      root.problem(key, "got \"" + Pointers.shown(text) + "\", expected a path: " + e.getReason());
      return Optional.empty();
    }
  }

  private static HttpMessageLimits limits(Section section) {
    HttpMessageLimits defaults = HttpMessageLimits.DEFAULT;
    return new HttpMessageLimits(
        section.number("requestLineBytes", defaults.requestLineBytes()),
        section.number("headerBytes", defaults.headerBytes()),
        section.number("bodyBytes", defaults.bodyBytes()),
        section.number("inflationRatio", defaults.inflationRatio()),
        section.number("connections", defaults.connections()),
        section.number("streams", defaults.streams()),
        section.number("connectionBytes", defaults.connectionBytes()));
  }

  private static PlumbingSettings plumbing(Section section) {
    return new PlumbingSettings(
        Arrays.stream(Plumbing.values())
            .filter(name ->
                Choices.of(section.text(name.key()), Switch.values(), Switch::code, Switch.PASS)
                    == Switch.UNJUDGED)
            .collect(Collectors.toSet()));
  }

  private static Timeouts timeouts(Section section) {
    Timeouts defaults = Timeouts.DEFAULT;
    return new Timeouts(
        section.number("headerMs", defaults.headerMs()),
        section.number("bodyIdleMs", defaults.bodyIdleMs()),
        section.number("keepAliveMs", defaults.keepAliveMs()),
        section.number("connectMs", defaults.connectMs()),
        section.number("responseMs", defaults.responseMs()),
        section.number("streamIdleMs", defaults.streamIdleMs()),
        section.number("writeMs", defaults.writeMs()));
  }

  private static ReviewSettings review(Section section) {
    ReviewSettings defaults = ReviewSettings.DEFAULT;
    return new ReviewSettings(
        section.number("capacity", defaults.capacity()),
        section.bigNumber("bytes", defaults.bytes()),
        section.bigNumber("releaseTtlMs", defaults.releaseTtlMs()),
        section.bigNumber("approvedForMs", defaults.approvedForMs()),
        section.bigNumber("keepDecidedMs", defaults.keepDecidedMs()),
        section.items("trustFrom").stream().map(Section.Item::text).toList(),
        section.flag("share", defaults.share()));
  }

  private static void checkNotice(Section section) {
    int notice = section.number("noticeMs", Defaults.NOTICE_MS);
    int drain = section.number("drainMs", Defaults.DRAIN_MS);
    if (notice > drain) {
      section.problem("noticeMs", "got " + notice + ", expected at most drainMs (" + drain + ")");
    }
  }

  private static void checkStreams(Section section) {
    int window = section.number("windowBytes", StreamSettings.DEFAULT.windowBytes());
    int segment = section.number("segmentBytes", StreamSettings.DEFAULT.segmentBytes());
    if (window > segment) {
      section.problem(
          "windowBytes", "got " + window + ", expected at most segmentBytes (" + segment + ")");
    }
  }

  private static StreamSettings streams(Section section) {
    StreamSettings defaults = StreamSettings.DEFAULT;
    return new StreamSettings(
        section.number("holdBytes", defaults.holdBytes()),
        section.number("holdMs", defaults.holdMs()),
        section.number("heartbeatMs", defaults.heartbeatMs()),
        section.number("windowBytes", defaults.windowBytes()),
        section.number("segmentBytes", defaults.segmentBytes()),
        section.number("eventBytes", defaults.eventBytes()));
  }

  private static EvidenceSettings evidence(Section section) {
    EvidenceSettings defaults = EvidenceSettings.DEFAULT;
    return new EvidenceSettings(
        section.flag("observed", defaults.observed()),
        section.number("ttlMs", defaults.ttlMs()),
        section.number("flows", defaults.flows()),
        section.number("chunks", defaults.chunks()),
        section.number("bytes", defaults.bytes()));
  }

  private static StartupSettings startup(Section section) {
    StartupSettings defaults = StartupSettings.DEFAULT;
    return new StartupSettings(
        section.number("warmUpMessages", defaults.warmUpMessages()),
        section.number("warmUpMs", defaults.warmUpMs()));
  }

  private static BoardSettings lexicon(Section section) {
    BoardSettings defaults = BoardSettings.DEFAULT;
    return new BoardSettings(
        section.number("timeoutMs", defaults.timeoutMs()),
        section.number("boards", defaults.boards()),
        section.number("queue", defaults.queue()),
        section.number("reportMs", defaults.reportMs()));
  }

  private static DecisionLogSettings decisionLog(Section section) {
    DecisionLogSettings defaults = DecisionLogSettings.DEFAULT;
    return new DecisionLogSettings(
        section.bigNumber("fileBytes", defaults.fileBytes()),
        section.number("files", defaults.files()),
        section.number("queue", defaults.queue()),
        section.flag("stdout", defaults.stdout()));
  }
}
