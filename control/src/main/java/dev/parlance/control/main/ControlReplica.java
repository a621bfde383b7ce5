package dev.parlance.control.main;

import dev.parlance.console.api.ControlRecords;
import dev.parlance.control.api.AttachSecret;
import dev.parlance.control.api.ControlGrpcServer;
import dev.parlance.control.api.OperatorToken;
import dev.parlance.control.certify.AuditContext;
import dev.parlance.control.certify.AuditContext.Wakeups;
import dev.parlance.control.certify.Audits;
import dev.parlance.control.certify.LedgerView;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.control.certify.LedgerWriter.LedgerStore;
import dev.parlance.control.certify.ReviewRecorder;
import dev.parlance.control.certify.api.Plans;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.ControlConfig.StoreSettings;
import dev.parlance.control.console.MeshConsole;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedders;
import dev.parlance.control.http.PublicHttpServer;
import dev.parlance.control.identity.MeshAuthority;
import dev.parlance.control.lexicon.BoardRegistry;
import dev.parlance.control.lexicon.BoardRegistry.LexiconContext;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.pact.PactRegistry;
import dev.parlance.control.pact.PactRegistry.PactContext;
import dev.parlance.control.publish.AttachHub;
import dev.parlance.control.publish.BoardReaders;
import dev.parlance.control.round.PairReader;
import dev.parlance.control.round.RoundCoordinator;
import dev.parlance.control.round.RoundCoordinator.RoundContext;
import dev.parlance.control.store.SqlStore;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.store.Stores;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.service.Lifecycle;
import dev.parlance.service.Loop;
import dev.parlance.service.config.Listen;
import dev.parlance.service.event.SidecarEvents;
import dev.parlance.service.file.SafeFile;
import dev.parlance.service.identity.KeyMaterial;
import dev.parlance.service.identity.ServiceAccountTokens;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running replica of the control plane.
 *
 * <p>{@link #close} drains: not ready, no new calls, audits stop after the write under way and give
 * their leases back, sidecars are told to attach elsewhere, then ledger and store are closed.
 */
public final class ControlReplica implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ControlReplica.class);
  private static final int HELLO_MS = 10_000;
  private static final int PUSH_TIMEOUT_MS = 30_000;
  private static final int ALIVE_REPORTS = 3;
  private static final int PROBE_MS = 1_000;
  private static final int OWNER_BYTES = 4;

  private final ControlConfig config;
  private final AtomicReference<List<String>> faults = new AtomicReference<>(List.of("starting"));
  private final Lifecycle parts = new Lifecycle(this::drain);
  private final String owner = owner();
  private final Duration aliveFor;
  private final ControlMetrics metrics;
  private final ControlKeys keys;
  private final AttachSecret attachSecret;
  private final OperatorToken operatorToken;
  private SqlStore store;
  private LedgerWriter ledger;
  private AttachHub hub;
  private Audits audits;
  private RoundCoordinator rounds;
  private PactRegistry pacts;
  private BoardRegistry boards;
  private ReviewRecorder reviews;
  private ControlGrpcServer grpc;
  private PublicHttpServer http;
  private Optional<MeshConsole> console = Optional.empty();

  @SuppressWarnings("NullAway.Init") // the parts are set where they are opened, all before it ends
  private ControlReplica(
      ControlConfig config,
      Function<ControlMetrics, Embedder> encoder,
      Optional<ServiceAccountTokens> accounts)
      throws IOException {
    this.config = config;
    aliveFor = Duration.ofMillis((long) ALIVE_REPORTS * config.reportIntervalMs());
    Files.createDirectories(config.dataDir());
    boolean isAlone = config.store() instanceof StoreSettings.Embedded;
    keys = ControlKeys.open(config.keys(), config.ledgerOrigin(), isAlone);
    attachSecret = AttachSecret.open(config.attachSecret());
    operatorToken = OperatorToken.open(config.operatorToken());
    metrics = new ControlMetrics(version(), config.replica());
    store = parts.keep(openStore());
    parts.open(() -> {
      accounts.ifPresent(parts::keep);
      MeshAuthority authority = authority();
      ledger = parts.keep(LedgerWriter.open(this::openLedger, keys.ledger(), metrics));
      LedgerView view = new LedgerView(ledger);
      view.catchUp();
      metrics.bind(ControlMeter.LEDGER_SIZE, view::size);
      metrics.bind(ControlMeter.CHECKPOINT_AGE, view::sinceGrownSeconds);
      Optional<PairReader> reader =
          config.rounds().reader().isPresent()
              ? Optional.of(parts.keep(PairReader.open(config.rounds().reader().get())))
              : Optional.empty();
      registries(view, parts.keep(encoder.apply(metrics)), reader);
      authority.onChange(hub::trustChanged);
      listen(authority, accounts);
      return this;
    });
  }

  private MeshAuthority authority() throws IOException {
    MeshAuthority authority =
        parts.keep(MeshAuthority.start(config.identity(), store, config.pollMs()));
    metrics.bindAuthority(
        () -> authority.inForce().issuer().map(KeyMaterial::notAfter),
        () -> authority.inForce().denied().size());
    return authority;
  }

  /** The hub of the sidecars, and what is decided here: audits, rounds, pacts, boards. */
  private void registries(LedgerView view, Embedder embedder, Optional<PairReader> reader) {
    AtomicReference<Runnable> onAnswer = new AtomicReference<>(() -> {});
    AtomicReference<Optional<BoardRegistry>> published = new AtomicReference<>(Optional.empty());
    BoardReaders readers =
        new BoardReaders(id -> published.get().flatMap(registry -> registry.published(id)));
    hub =
        parts.keep(
            new AttachHub(
                store,
                new AttachHub.Settings(
                    config.replica(),
                    owner,
                    config.pollMs(),
                    config.reportIntervalMs(),
                    config.streamMaxAgeMs(),
                    PUSH_TIMEOUT_MS,
                    config.audits().questionsInFlight(),
                    config.audits().answerTimeoutMs()),
                metrics,
                parts.keep(SidecarEvents.here()),
                readers,
                () -> onAnswer.get().run()));
    audits =
        parts.keep(
            new Audits(
                new AuditContext(
                    store,
                    ledger,
                    view,
                    keys.core(),
                    metrics,
                    config.audits(),
                    new Wakeups(hub::questionsAsked, hub::coresPublished),
                    config.replica(),
                    owner,
                    aliveFor,
                    config.pollMs())));
    onAnswer.set(audits::answersArrived);
    rounds =
        parts.keep(
            new RoundCoordinator(
                new RoundContext(
                    store,
                    ledger,
                    view,
                    keys.core(),
                    embedder,
                    reader,
                    metrics,
                    config.rounds(),
                    config.pollMs())));
    pacts =
        parts.keep(
            new PactRegistry(
                new PactContext(store, ledger, view, metrics, aliveFor, config.pollMs())));
    boards =
        parts.keep(
            new BoardRegistry(
                new LexiconContext(
                    store,
                    ledger,
                    view,
                    keys.core(),
                    new Plans(store, owner),
                    metrics,
                    config.lexicon(),
                    readers,
                    config.pollMs())));
    published.set(Optional.of(boards));
    reviews = parts.keep(new ReviewRecorder(ledger, view));
  }

  private void listen(MeshAuthority authority, Optional<ServiceAccountTokens> accounts)
      throws IOException {
    http = parts.keep(PublicHttpServer.open(config, ledger::reader, metrics, faults::get));
    grpc =
        parts.keep(
            ControlGrpcServer.open(
                config,
                new ControlGrpcServer.Parts(
                    store,
                    new Plans(store, owner),
                    audits,
                    rounds,
                    pacts,
                    boards,
                    ledger,
                    reviews,
                    authority,
                    accounts,
                    hub,
                    metrics,
                    attachSecret,
                    operatorToken,
                    aliveFor,
                    HELLO_MS)));
    if (config.console().isPresent()) {
      console =
          Optional.of(
              parts.keep(
                  MeshConsole.start(
                      config.console().get(),
                      version(),
                      config.tls(),
                      hub,
                      new ControlRecords(parts.keep(grpc.ownClient(operatorToken))))));
    }
    parts.keep(Loop.start("control-probe", PROBE_MS, this::probe));
    SafeFile.replace(
        config.dataDir().resolve("control.json"),
        "{\"grpc\":\"%s\",\"http\":\"%s\",\"pid\":%d,\"coreKey\":\"%s\",\"ledgerKey\":\"%s\"}\n"
            .formatted(
                grpcAddress(),
                httpAddress(),
                ProcessHandle.current().pid(),
                coreKey().format(),
                ledgerKey().format()));
  }

  /**
   * Starts a replica; it takes calls when this returns.
   *
   * @throws IOException if a file, an address or the ledger cannot be used
   * @throws StoreException if the store cannot be used
   */
  public static ControlReplica start(ControlConfig config) throws IOException {
    return start(
        config,
        metrics -> Embedders.open(config.rounds(), metrics),
        config.identity().trustDomain().flatMap(_ -> ServiceAccountTokens.here()));
  }

  /**
   * Starts a replica with an encoder and a reviewer of tokens of one's own.
   *
   * @param encoder opens it; closed with the replica
   * @param accounts reviews the tokens of service accounts; closed with the replica
   * @throws IOException if a file, an address or the ledger cannot be used
   * @throws StoreException if the store cannot be used
   */
  public static ControlReplica start(
      ControlConfig config,
      Function<ControlMetrics, Embedder> encoder,
      Optional<ServiceAccountTokens> accounts)
      throws IOException {
    ControlReplica plane = new ControlReplica(config, encoder, accounts);
    plane.probe();
    log.atInfo()
        .addKeyValue("replica", config.replica())
        .addKeyValue("grpc", plane.grpcAddress())
        .addKeyValue("http", plane.httpAddress())
        .addKeyValue(
            "store", config.store() instanceof StoreSettings.Embedded ? "embedded" : "postgresql")
        .log("control plane is up");
    return plane;
  }

  private SqlStore openStore() throws IOException {
    return switch (config.store()) {
      case StoreSettings.Embedded() ->
          Stores.open(new StoreConfig.Embedded(config.dataDir().resolve("store.db")));
      case StoreSettings.Postgres(
              String url,
              String user,
              Optional<Path> passwordFile,
              int pool) -> {
        String password =
            passwordFile.isPresent()
                ? Files.readString(passwordFile.get(), StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse("")
                : "";
        yield Stores.open(new StoreConfig.Postgres(url, user, password, pool));
      }
    };
  }

  private LedgerStore.Opened openLedger() throws IOException {
    return switch (config.store()) {
      case StoreSettings.Embedded() -> {
        // The folder's lock also keeps a second process from the embedded store.
        FileStorage files =
            FileStorage.open(config.dataDir().resolve("ledger"), keys.ledger().verifier());
        yield new LedgerStore.Opened(files, files);
      }
      case StoreSettings.Postgres _ -> new LedgerStore.Opened(store.logStorage(), () -> {});
    };
  }

  private static String owner() {
    byte[] random = new byte[OWNER_BYTES];
    new SecureRandom().nextBytes(random);
    return ProcessHandle.current().pid() + "-" + HexFormat.of().formatHex(random);
  }

  /** Whether store and ledger work, for health and readiness. */
  private void probe() {
    List<String> found = new ArrayList<>();
    if (parts.isClosing()) {
      found.add("draining");
    }
    try {
      store.nowMs();
    } catch (StoreException e) {
      metrics.count(ControlMeter.STORE_FAILURES);
      log.atWarn().setCause(e).log("the store does not answer");
      found.add("the store does not answer");
    }
    if (!ledger.isOpen()) {
      found.add("the ledger cannot be written");
    }
    faults.set(List.copyOf(found));
    grpc.serving(found.isEmpty());
  }

  // ---- for those who start it ----

  /** Where sidecars and tools connect. */
  public Listen grpcAddress() {
    return config.grpc().withPort(grpc.port());
  }

  /** Where the ledger, metrics and probes are served. */
  public Listen httpAddress() {
    return config.http().withPort(http.port());
  }

  /** Its console, if it serves one. */
  public Optional<MeshConsole> console() {
    return console;
  }

  /** The key that checks cores: what sidecars are configured with. */
  public VerifierKey coreKey() {
    return keys.core().verifier();
  }

  /** The key that checks the ledger's checkpoints. */
  public VerifierKey ledgerKey() {
    return keys.ledger().verifier();
  }

  /** The token of an agent's sidecars. */
  public String attachToken(String agent) {
    return attachSecret.token(agent);
  }

  /** The operators' token. */
  public String operatorToken() {
    return operatorToken.value();
  }

  /** Who is attached here; also tells when cores come into force. */
  public AttachHub hub() {
    return hub;
  }

  /** All metrics as text. */
  public String metrics() {
    return metrics.scrape();
  }

  /** Why it cannot serve; empty if it can. */
  public List<String> faults() {
    return faults.get();
  }

  /** Completes when everything is closed. */
  public CompletableFuture<Void> stopped() {
    return parts.stopped();
  }

  /** Drains and stops; may be called from any thread and more than once. */
  @Override
  public void close() {
    parts.close();
    log.atInfo().addKeyValue("replica", config.replica()).log("control plane is down");
  }

  private void drain() {
    faults.set(List.of("draining"));
    console.ifPresent(MeshConsole::close);
    grpc.drain();
    audits.close();
    rounds.close();
    pacts.close();
    boards.close();
    hub.close();
  }

  private static String version() {
    String version = ControlReplica.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}
