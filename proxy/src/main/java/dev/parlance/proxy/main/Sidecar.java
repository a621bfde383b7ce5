package dev.parlance.proxy.main;

import dev.parlance.proxy.admin.AdminPorts;
import dev.parlance.proxy.admin.AdminServer;
import dev.parlance.proxy.admin.AdminToken;
import dev.parlance.proxy.admin.HealthServer;
import dev.parlance.proxy.admin.ReviewCalls;
import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.audit.Forecast;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Inbound;
import dev.parlance.proxy.config.Outbound;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.StartupSetting;
import dev.parlance.proxy.config.file.ConfigHolder;
import dev.parlance.proxy.config.file.ConfigWatcher;
import dev.parlance.proxy.control.api.ControlPlaneClient;
import dev.parlance.proxy.control.api.ReviewConsole;
import dev.parlance.proxy.destination.OriginSecurity;
import dev.parlance.proxy.entailment.EntailmentPool;
import dev.parlance.proxy.exchange.Check;
import dev.parlance.proxy.exchange.Services;
import dev.parlance.proxy.exchange.SidecarHandler;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.FlowBudgets;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.RelayedTexts;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.gate.SecondStage;
import dev.parlance.proxy.identity.Denials;
import dev.parlance.proxy.identity.MeshIdentity;
import dev.parlance.proxy.lexicon.SidecarLexicon;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.pact.SidecarPacts;
import dev.parlance.proxy.probe.AgentProbes;
import dev.parlance.proxy.probe.GrpcCheck;
import dev.parlance.proxy.review.ReviewDesk;
import dev.parlance.proxy.review.ReviewOpenException;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.review.SharedDecisions;
import dev.parlance.proxy.stream.HeldBytes;
import dev.parlance.proxy.trace.Tracer;
import dev.parlance.proxy.verdict.VerdictGuard;
import dev.parlance.proxy.verdict.VerdictKeys;
import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.NameLookup;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.dns.DnsNames;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.server.HttpListener;
import dev.parlance.service.Lifecycle;
import dev.parlance.service.config.Listen;
import dev.parlance.service.file.SafeFile;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * One running sidecar: two listeners, the gate between them, the review queue, the decision log and
 * the admin server.
 *
 * <p>{@link #close} drains: not ready, no new connections, exchanges under way finish within {@code
 * drainMs} ({@link Drain} says in which order), then queue and log are flushed.
 */
public final class Sidecar implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Sidecar.class);
  private static final int RELOAD_INTERVAL_MS = 1_000;

  private static final long NS_PER_MS = 1_000_000;
  private static final Services.Origin NO_ORIGIN =
      (_, _, _, _, _, _) -> {
        throw new IllegalStateException("each direction asks agents of its own");
      };
  private static final NameLookup NO_NAMES =
      (_, _, then) -> then.accept(new NameLookup.Found.Failed("nothing is redirected here"));

  private final SidecarConfig config;
  private final Map<Direction, HttpListener> listeners = new EnumMap<>(Direction.class);
  private final Map<Direction, Integer> ports = new EnumMap<>(Direction.class);
  private final Map<Direction, OriginClient> origins = new EnumMap<>(Direction.class);
  private final AtomicBoolean ready = new AtomicBoolean();
  private final Lifecycle parts = new Lifecycle(this::drain);
  private Optional<Forecast> forecast = Optional.empty();
  private int adminPort;
  private Optional<ControlPlaneClient> controlPlane = Optional.empty();
  private Optional<IdentityParts> identity = Optional.empty();
  private Denials denials = Denials.NONE;
  private OptionalInt healthPort = OptionalInt.empty();
  private volatile boolean started;
  private volatile Optional<ConfigWatcher> watcher = Optional.empty();

  private Sidecar(SidecarConfig config) {
    this.config = config;
  }

  /**
   * Starts a sidecar; it is ready when this returns.
   *
   * @param config what it does
   * @param configFile the file to watch for changes
   * @throws IOException if an address is taken or the data folder cannot be used
   * @throws ReviewOpenException if the review journal belongs to another process or is damaged
   */
  public static Sidecar start(SidecarConfig config, Path configFile) throws IOException {
    return start(config, configFile, Cores.NONE, Gate.PeerResolver.NONE);
  }

  /** As above, with certified cores from elsewhere. */
  static Sidecar start(SidecarConfig config, Path configFile, Cores cores, Gate.PeerResolver peers)
      throws IOException {
    Sidecar sidecar = new Sidecar(config);
    return sidecar.parts.open(() -> {
      sidecar.open(configFile, cores, peers);
      return sidecar;
    });
  }

  private void open(Path configFile, Cores cores, Gate.PeerResolver peers) throws IOException {
    StateFiles.createDataDir(config.storage().dataDir());
    // Opened first for its lock on the folder, closed first because its last answers are logged.
    ReviewQueue review = StoreParts.review(config);
    DecisionLog decisions =
        parts.keep(StoreParts.decisions(config, StoreParts.standardOutput(config)));
    forecast = Optional.of(decisions.forecast());
    parts.keep(review);
    SidecarMetrics metrics = new SidecarMetrics(version());
    metrics.bindReview(() -> StoreParts.load(review), () -> ReviewAdmin.kappa(review));
    metrics.bindDecisionLog(decisions::dropped);
    ConfigHolder holder =
        new ConfigHolder(
            config,
            EnumSet.of(
                StartupSetting.NODE,
                StartupSetting.LIMITS,
                StartupSetting.TIMEOUTS,
                StartupSetting.REVIEW,
                StartupSetting.DECISION_LOG,
                StartupSetting.EVIDENCE,
                StartupSetting.STARTUP,
                StartupSetting.CONTROL,
                StartupSetting.LEXICON,
                StartupSetting.IDENTITY,
                StartupSetting.ENTAILMENT,
                StartupSetting.VERDICTS,
                StartupSetting.TRACES),
            InstantSource.system());
    holder.addListener(new ConfigReloads(decisions, metrics));
    metrics.configApplied(System.currentTimeMillis());
    decisions.append(
        new AuditEvent.ConfigEvent(
            System.currentTimeMillis(), config.node(), config.revision(), "loaded", ""));

    denials = Denials.open(config.storage().dataDir());
    identity = IdentityParts.open(config, holder, denials, metrics, version());
    identity.ifPresent(parts::keep);
    Optional<ControlPlaneClient> control =
        ControlParts.open(
            config,
            holder,
            metrics,
            version(),
            () -> identity.flatMap(parts -> parts.identity().svid()));
    control.ifPresent(parts::keep);
    controlPlane = control;
    control.ifPresent(plane ->
        plane.trustTo(trust -> {
          if (denials.push(trust.denied())) {
            log.atInfo().addKeyValue("entries", denials.size()).log("a new deny list");
          }
          identity.ifPresent(parts -> parts.trusted(trust));
        }));
    EventLoops loops = parts.keep(EventLoops.start());
    Rounds rounds = control.map(ControlPlaneClient::rounds).orElse(Rounds.NONE);
    Optional<SidecarPacts> pacts = PactParts.open(config, control, metrics.pacts());
    pacts.ifPresent(open -> PactParts.sign(config, control.orElseThrow(), open));
    pacts.ifPresent(parts::keep);
    Optional<SidecarLexicon> boards =
        control.map(plane -> LexiconParts.open(config, plane, review, metrics.lexicon()));
    boards.ifPresent(parts::keep);
    metrics.bindPacts(() -> pacts.map(SidecarPacts::active).orElse(0));
    Optional<SharedDecisions> shared =
        StoreParts.share(config, control, review, decisions, metrics);
    VerdictKeys verdicts = VerdictKeys.open(holder::current, version(), System::currentTimeMillis);
    control.ifPresent(plane -> plane.verdicts(verdicts));
    Optional<Tracer> tracer = StoreParts.tracer(config, metrics, version());
    tracer.ifPresent(parts::keep);
    pipeline(
        loops,
        new Stores(review, shared, decisions, metrics, tracer, holder),
        MessageChecks.with(VerdictGuard.kind(verdicts)),
        control.map(ControlPlaneClient::cores).orElse(cores),
        control.map(ControlPlaneClient::peers).orElse(peers),
        rounds,
        pacts.<Pacts>map(held -> held).orElse(Pacts.NONE),
        boards.<Lexicons>map(held -> held).orElse(Lexicons.NONE));
    AdminPorts.HealthPort health = new Health(loops, review, decisions, control, holder);
    AdminToken token = AdminToken.open(config.storage().dataDir());
    ReviewDesk desk =
        new ReviewDesk(
            review,
            ReviewAdmin.policy(config.storage().review(), holder::current),
            System::currentTimeMillis);
    ReviewAdmin people =
        new ReviewAdmin(
            review,
            desk,
            boards.map(SidecarLexicon::reviews),
            decisions,
            metrics,
            config.node(),
            System::currentTimeMillis);
    AdminPorts ports =
        new AdminPorts(
            health,
            metrics::scrape,
            () -> AdminPorts.configOf(holder),
            new AdminAdapters.Decisions(decisions),
            people,
            new Judgements(holder::current, review::find),
            control.<Supplier<JsonNode>>map(plane -> plane::status).orElse(AdminPorts.NO_CORES),
            new AdminAdapters.RoundsAsked(rounds),
            pacts
                .<AdminPorts.PactsPort>map(PactParts.Admin::new)
                .orElse(AdminPorts.PactsPort.NONE));
    ReviewCalls calls = new ReviewCalls(ports, token, System::currentTimeMillis);
    control
        .filter(_ -> config.storage().review().console())
        .ifPresent(plane ->
            plane.show(
                new ReviewConsole.Desk(
                    review, desk::people, calls::answer, System::currentTimeMillis)));
    AdminServer admin =
        bound("admin.listen", () -> AdminServer.start(config.listeners().admin(), ports, token));
    parts.keep(admin);
    adminPort = admin.port();
    if (config.listeners().health().isPresent()) {
      AgentProbes probes = new AgentProbes(() -> holder.current().probes(), new GrpcCheck(loops));
      Listen address = config.listeners().health().get();
      HealthServer server =
          parts.keep(
              bound(
                  "health.listen",
                  () -> HealthServer.start(address, health, metrics::scrape, probes)));
      healthPort = OptionalInt.of(server.port());
    }
    guardOwnPorts(config);
    holder.addListener((_, now) -> guardAgain(now));
    watcher = Optional.of(parts.keep(ConfigWatcher.start(configFile, holder, RELOAD_INTERVAL_MS)));
    control.ifPresent(ControlPlaneClient::start);
    pacts.ifPresent(SidecarPacts::start);
    new WarmUp(config, loops, identity.map(IdentityParts::identity)).run();
    started = true;
    ready.set(true);
    announce(loops.transport());
  }

  /**
   * What a rehearsal has where sidecars talk to each other over TLS.
   *
   * @param identity who it is, for the configuration of the rehearsal
   * @param verdicts the keys that it signs with and believes
   */
  record Mesh(MeshIdentity identity, VerdictKeys verdicts) {}

  /**
   * A pipeline of its own on shared threads, with stores of its own in the folder of its
   * configuration: no admin server, no control plane, no state files. What a warm-up talks to.
   *
   * @throws IOException if an address is taken or the folder cannot be used
   */
  static Sidecar rehearsal(SidecarConfig config, EventLoops loops, Optional<Mesh> mesh)
      throws IOException {
    Sidecar sidecar = new Sidecar(config);
    return sidecar.parts.open(() -> {
      SidecarMetrics metrics = new SidecarMetrics(version());
      sidecar.identity = mesh.map(of -> IdentityParts.of(config, of.identity(), metrics));
      sidecar.pipeline(
          loops,
          new Stores(
              sidecar.parts.keep(StoreParts.review(config)),
              Optional.empty(),
              sidecar.parts.keep(StoreParts.decisions(config, Optional.empty())),
              metrics,
              Optional.empty(),
              new ConfigHolder(
                  config, EnumSet.noneOf(StartupSetting.class), InstantSource.system())),
          mesh.map(of -> MessageChecks.with(VerdictGuard.kind(of.verdicts())))
              .orElse(MessageChecks.ORDER),
          Cores.NONE,
          Gate.PeerResolver.NONE,
          Rounds.NONE,
          Pacts.NONE,
          Lexicons.NONE);
      return sidecar;
    });
  }

  /** Ends a rehearsal at once. */
  void cut() {
    parts.cut();
  }

  /** Where messages leave traces. */
  private record Stores(
      ReviewQueue review,
      Optional<SharedDecisions> shared,
      DecisionLog decisions,
      SidecarMetrics metrics,
      Optional<Tracer> tracer,
      ConfigHolder holder) {}

  /** The gate and the listeners in front of it. */
  private void pipeline(
      EventLoops loops,
      Stores stores,
      Check.Order checks,
      Cores cores,
      Gate.PeerResolver peers,
      Rounds rounds,
      Pacts pacts,
      Lexicons lexicons)
      throws IOException {
    Optional<EntailmentPool> second = StoreParts.secondStage(config, stores.metrics());
    second.ifPresent(parts::keep);
    Gate gate =
        new Gate(
            new FlowBudgets(config.limits().flows()),
            () -> System.nanoTime() / NS_PER_MS,
            config.node(),
            cores,
            peers,
            second.<SecondStage>map(pool -> pool));
    HeldBytes held = HeldBytes.ofHeap();
    stores.metrics().bindStreams(held::used);
    Services services =
        new Services(
            gate,
            rounds,
            pacts,
            lexicons,
            new RelayedTexts(),
            StoreParts.observed(config.storage().evidence()),
            held,
            stores.review(),
            stores.shared(),
            stores.decisions(),
            stores.metrics(),
            stores.tracer(),
            checks,
            NO_ORIGIN,
            ByteBufAllocator.DEFAULT,
            stores.holder()::current,
            System::currentTimeMillis);
    NameLookup names =
        isTransparent(Direction.OUTBOUND) ? parts.keep(new DnsNames(loops)) : NO_NAMES;
    if (config.listeners().inbound().isPresent()) {
      listen(
          Direction.INBOUND, config.listeners().inbound().get().listen(), loops, names, services);
    }
    if (config.listeners().outbound().isPresent()) {
      listen(
          Direction.OUTBOUND, config.listeners().outbound().get().listen(), loops, names, services);
    }
  }

  private void listen(
      Direction direction, Listen address, EventLoops loops, NameLookup names, Services services)
      throws IOException {
    HttpMessageLimits limits = ListenerParts.affordable(config, direction);
    OriginClient origin =
        parts.keep(
            new OriginClient(
                loops,
                guard(config, direction, Set.of()),
                IdentityParts.ofOrigins(identity, direction)));
    origins.put(direction, origin);
    HttpListener listener =
        parts.keep(
            new HttpListener(
                loops,
                limits,
                config.timeouts().http(),
                new SidecarHandler(
                    services.asking(origin::ask),
                    direction,
                    names,
                    identity
                        .<OriginSecurity>map(IdentityParts::identity)
                        .orElse(OriginSecurity.NONE),
                    denials),
                new ListenerParts.Counters(services.metrics(), direction, identity)));
    if (direction == Direction.INBOUND) {
      identity.flatMap(IdentityParts::ofListener).ifPresent(listener::secure);
    }
    if (isTransparent(direction)) {
      listener.intercept(
          new RedirectRules(
              direction,
              services.config(),
              names,
              host -> services.pacts().against(host).isPresent()),
          origin);
    }
    listener.tunnel(origin);
    listeners.put(direction, listener);
    ports.put(
        direction,
        bound(direction.code() + ".listen", () -> listener.bind(address.host(), address.port())));
  }

  /** Opens something at an address; a failure says by which key the address was given. */
  private static <T> T bound(String key, Opening<T> opening) throws IOException {
    try {
      return opening.open();
    } catch (IOException e) {
      throw new IOException(key + ": " + e.getMessage(), e);
    }
  }

  @FunctionalInterface
  private interface Opening<T> {
    T open() throws IOException;
  }

  private boolean isTransparent(Direction direction) {
    return switch (direction) {
      case INBOUND -> config.listeners().inbound().filter(Inbound::transparent).isPresent();
      case OUTBOUND -> config.listeners().outbound().filter(Outbound::transparent).isPresent();
    };
  }

  /** The sidecar never talks to itself, whatever name or address somebody finds for it. */
  private void guardOwnPorts(SidecarConfig now) throws IOException {
    Set<Integer> own = new HashSet<>(ports.values());
    own.add(adminPort);
    healthPort.ifPresent(own::add);
    for (Map.Entry<Direction, OriginClient> origin : origins.entrySet()) {
      origin.getValue().guardWith(guard(now, origin.getKey(), own));
    }
  }

  /** A changed {@code outbound.allowLoopback} holds for the next connection. */
  private void guardAgain(SidecarConfig now) {
    try {
      guardOwnPorts(now);
    } catch (IOException e) {
      log.atError().setCause(e).log("the old address rules stay in force");
    }
  }

  private static AddressGuard guard(SidecarConfig now, Direction direction, Set<Integer> ownPorts)
      throws IOException {
    boolean loopbackAllowed =
        switch (direction) {
          case INBOUND -> true; // the local agent is there
          case OUTBOUND ->
              now.listeners().outbound().isPresent()
                  && now.listeners().outbound().get().allowLoopback();
        };
    return AddressGuard.forThisMachine(loopbackAllowed, ownPorts);
  }

  private void announce(String transport) throws IOException {
    SafeFile.replace(
        config.storage().dataDir().resolve(StateFiles.ADMIN_URL),
        "http://" + new Listen(config.listeners().admin().host(), adminPort) + "\n");
    if (config.listeners().portsFile().isPresent()) {
      StringBuilder json = new StringBuilder("{");
      ports.forEach((direction, port) ->
          json.append('"').append(direction.code()).append("\":").append(port).append(','));
      json.append("\"admin\":").append(adminPort);
      healthPort.ifPresent(port -> json.append(",\"health\":").append(port));
      json.append(",\"pid\":").append(ProcessHandle.current().pid()).append("}\n");
      SafeFile.replace(config.listeners().portsFile().get(), json.toString());
    }
    log.atInfo()
        .addKeyValue("node", config.node())
        .addKeyValue("mode", config.mode().code())
        .addKeyValue("ports", ports)
        .addKeyValue("admin", adminPort)
        .addKeyValue("transport", transport)
        .log("ready");
  }

  /** Port of the inbound listener, if there is one. */
  public OptionalInt inboundPort() {
    return port(Direction.INBOUND);
  }

  /** Port of the outbound listener, if there is one. */
  public OptionalInt outboundPort() {
    return port(Direction.OUTBOUND);
  }

  /** Port of the admin server. */
  public int adminPort() {
    return adminPort;
  }

  private OptionalInt port(Direction direction) {
    return ports.containsKey(direction)
        ? OptionalInt.of(ports.get(direction))
        : OptionalInt.empty();
  }

  /** Reads the configuration file again, as it does by itself when the file changes. */
  public void reload() {
    watcher.ifPresent(ConfigWatcher::readAgain);
  }

  /** Completes when everything is closed. */
  public CompletableFuture<Void> stopped() {
    return parts.stopped();
  }

  /** Drains and stops; may be called from any thread and more than once. */
  @Override
  public void close() {
    parts.close();
  }

  private void drain() {
    ready.set(false);
    int cut =
        new Drain(config.timeouts().drainMs(), config.timeouts().noticeMs())
            .run(
                Optional.ofNullable(listeners.get(Direction.INBOUND)),
                Optional.ofNullable(listeners.get(Direction.OUTBOUND)),
                this::lastCall);
    log.atInfo().addKeyValue("node", config.node()).addKeyValue("cut", cut).log("drained");
    forecast.flatMap(Forecast::line).ifPresent(line -> log.atInfo().log(line));
  }

  /** Whoever still waits, for an agent or for a round, is answered now. */
  private void lastCall() {
    log.atInfo().addKeyValue("node", config.node()).log("the grace period is nearly over");
    controlPlane.ifPresent(ControlPlaneClient::hurry);
    origins.values().forEach(OriginClient::giveUp);
  }

  private static String version() {
    String version = Sidecar.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }

  /** How this sidecar is, for probes. */
  private final class Health implements AdminPorts.HealthPort {
    private final ReviewQueue review;
    private final DecisionLog decisions;
    private final Optional<ControlPlaneClient> control;
    private final ConfigHolder holder;
    private final LoopWatch watch;

    Health(
        EventLoops loops,
        ReviewQueue review,
        DecisionLog decisions,
        Optional<ControlPlaneClient> control,
        ConfigHolder holder) {
      this.review = review;
      this.decisions = decisions;
      this.control = control;
      this.holder = holder;
      this.watch = new LoopWatch(loops);
    }

    @Override
    public List<String> notReady() {
      List<String> reasons = new ArrayList<>();
      if (!ready.get()) {
        reasons.add(parts.isClosing() ? "draining" : "starting");
      }
      review
          .stats()
          .failure()
          .ifPresent(code -> reasons.add("the review queue cannot write (" + code + ")"));
      reasons.addAll(ControlParts.notReady(control, holder.current()));
      identity.ifPresent(parts -> reasons.addAll(parts.notReady()));
      return reasons;
    }

    /** Messages go on without the log: that is no reason to send them elsewhere. */
    @Override
    public List<String> warnings() {
      List<String> warnings = new ArrayList<>();
      decisions
          .failure()
          .ifPresent(why -> warnings.add("the decision log cannot be written (%s)".formatted(why)));
      warnings.addAll(ControlParts.warnings(holder.current()));
      return warnings;
    }

    /** Not whether it is ready: a control plane that is away must not end the pod. */
    @Override
    public List<String> notStarted() {
      return started ? List.of() : List.of("starting");
    }

    @Override
    public List<String> notLive() {
      return watch.look(System.nanoTime());
    }
  }
}
