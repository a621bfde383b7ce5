package dev.parlance.proxy.control.api;

import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.ledger.record.CoreNote.CoreFault;
import dev.parlance.ledger.record.CoreNote.CoreReading;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.ConfigStatus;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.Pod;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigHolder;
import dev.parlance.proxy.config.file.ConfigListener;
import dev.parlance.proxy.config.file.ConfigRefusal;
import dev.parlance.proxy.config.file.ConfigRefusalReason;
import dev.parlance.proxy.control.AgentAnswer;
import dev.parlance.proxy.control.BoardNotes;
import dev.parlance.proxy.control.ControlChannels;
import dev.parlance.proxy.control.ControlCredentials;
import dev.parlance.proxy.control.CoreFiles;
import dev.parlance.proxy.control.CoreKeeper;
import dev.parlance.proxy.control.CoreKeeper.KeeperEvents;
import dev.parlance.proxy.control.CoreKeeper.Status;
import dev.parlance.proxy.control.HostPeers;
import dev.parlance.proxy.control.KeysFile;
import dev.parlance.proxy.control.LocalAgentAsker;
import dev.parlance.proxy.control.NoteReading;
import dev.parlance.proxy.control.OpenQuestions;
import dev.parlance.proxy.control.PodPlace;
import dev.parlance.proxy.control.PushOutcome;
import dev.parlance.proxy.control.PushedTrust;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.lexicon.LexiconControl;
import dev.parlance.proxy.metrics.ControlLinkMetrics;
import dev.parlance.proxy.pact.PactControl;
import dev.parlance.proxy.review.SharedDecisions;
import dev.parlance.proxy.verdict.VerdictKeys;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.identity.Svid;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The control plane as this sidecar sees it: the cores it has been given, and the stream over which
 * more of them and questions to the local agent come. Opening reads what is on disk; all else
 * happens in the background.
 */
public final class ControlPlaneClient implements AutoCloseable, ConfigListener {
  private static final Logger log = LoggerFactory.getLogger(ControlPlaneClient.class);

  /** Folder of the cores, in the data folder. */
  static final String FOLDER = "cores";

  /** How long after Welcome cores may take to arrive before their lack is taken for an answer. */
  private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(2);

  /** Largest message of the control plane: a core, and what is around it. */
  private static final int MAX_MESSAGE_BYTES = SignedNotes.MAX_BYTES + (1 << 20);

  /** A board with its largest note, and what is around it. */
  private static final int MAX_BOARD_BYTES = 5 << 20;

  /** A round with all its proposals and its outcome; some twenty of the largest templates. */
  private static final int MAX_ANSWER_BYTES = 1 << 20;

  private static final double SECONDS_PER_MS = 1e-3;

  private final ControlSettings settings;
  private final CoreKeeper keeper;
  private final AgentAnswer.AgentAsker asker;
  private final ControlLink link;
  private final AttachClient client;
  private final RoundClient rounds;
  private final PactCalls pacts;
  private final LexiconCalls boards;
  private final ReviewLink reviews = new ReviewLink();
  private final ReviewConsole console = new ReviewConsole();
  private final ControlLink.Refusals refusals;
  private final ControlLinkMetrics metrics;
  private final Gauges gauges = new Gauges();
  private final AtomicBoolean settled = new AtomicBoolean();
  private volatile long maxStalenessMs;
  private volatile HostPeers peers;
  private volatile boolean enforcing;
  private volatile int roundTimeoutMs;
  private volatile RoundReading.RoundTrust roundTrust = RoundReading.RoundTrust.OFFERED;

  /**
   * What it needs to know of the sidecar.
   *
   * @param node name of the sidecar
   * @param version version of its software
   * @param dataDir folder of its data
   * @param guardedMessages messages that the core guard held back or sent back since start
   * @param metrics where it counts
   * @param config how its configuration stands
   * @param identity the identity in force, shown where there is no attach token
   * @param pod where it runs; its name then stands for {@code node} at the control plane, because
   *     all pods of a workload may have the same file
   */
  public record Surroundings(
      String node,
      String version,
      Path dataDir,
      LongSupplier guardedMessages,
      ControlLinkMetrics metrics,
      Supplier<ConfigHolder.State> config,
      Optional<PodPlace> pod,
      Supplier<Optional<Svid>> identity) {}

  private ControlPlaneClient(SidecarConfig config, ControlSettings settings, Surroundings around)
      throws IOException {
    this.settings = settings;
    this.metrics = around.metrics();
    this.refusals = new ControlLink.Refusals();
    this.maxStalenessMs = settings.maxStalenessMs();
    this.peers = new HostPeers(settings.peers());
    this.roundTimeoutMs = settings.rounds().timeoutMs();
    this.roundTrust = trust(config, settings);
    this.enforcing = isEnforcing(config);
    List<VerifierKey> keys = new ArrayList<>(settings.keys());
    if (settings.keysFile().isPresent()) {
      keys.addAll(KeysFile.read(settings.keysFile().get()));
    }
    this.keeper =
        CoreKeeper.open(
            CoreFiles.open(around.dataDir().resolve(FOLDER)),
            new CoreKeeper.Settings(
                settings.agent(),
                new SignedNotes(keys),
                SignedNotes.MAX_BYTES,
                () -> maxStalenessMs),
            CoreKeeper.Time.SYSTEM,
            new Events());
    this.asker =
        settings
            .localAgent()
            .<AgentAnswer.AgentAsker>map(LocalAgentAsker::new)
            .orElse(AgentAnswer.AgentAsker.NONE);
    Hello.Builder hello =
        Hello.newBuilder()
            .setAgent(settings.agent())
            .setNode(around.pod().map(PodPlace::name).orElse(around.node()))
            .setVersion(around.version())
            .setAnswersQuestions(settings.localAgent().isPresent());
    around
        .pod()
        .ifPresent(pod ->
            hello.setPod(
                Pod.newBuilder()
                    .setNamespace(pod.namespace())
                    .setName(pod.name())
                    .setUid(pod.uid())));
    ControlCalls.Settings calls = calls(around, MAX_ANSWER_BYTES);
    this.boards =
        new LexiconCalls(
            calls(around, MAX_BOARD_BYTES),
            new BoardNotes(keys),
            config.lexicon().timeoutMs(),
            new SecureRandom());
    this.link =
        new ControlLink(
            new ControlLink.Speaker(
                hello.build(),
                around.guardedMessages(),
                () -> enforcing,
                () -> ConfigStanding.of(around.config().get())),
            keeper,
            boards,
            reviews,
            console,
            new OpenQuestions(asker),
            refusals,
            metrics);
    this.client =
        new AttachClient(
            new AttachClient.Settings(
                settings.target(),
                settings.tls(),
                new ControlCredentials(settings.tokenFile(), around.identity()),
                around.version(),
                link::hello,
                () -> maxStalenessMs,
                MAX_MESSAGE_BYTES),
            link,
            new SecureRandom());
    this.rounds =
        new RoundClient(
            settings.agent(),
            () -> roundTimeoutMs,
            new RoundCalls(calls, new SecureRandom()),
            new RoundReading(keys, () -> roundTrust));
    this.pacts = new PactCalls(settings.agent(), calls, new SecureRandom());
  }

  /** Keys of members are those of {@code pacts.peers}. */
  private static RoundReading.RoundTrust trust(SidecarConfig config, ControlSettings settings) {
    Map<String, List<VerifierKey>> pinned = new HashMap<>();
    config
        .pacts()
        .ifPresent(pacts -> pacts.peers().forEach(peer -> pinned.put(peer.agent(), peer.keys())));
    return new RoundReading.RoundTrust(
        settings.rounds().signatures(), new MemberKeys(pinned, settings.rounds().faults()));
  }

  /** The local agent signs in rounds from now on; before {@link #start}. */
  public void signs(MemberSigning keys) {
    rounds.signs(keys);
    // Its own key needs nobody's word.
    Map<String, List<VerifierKey>> pinned = new HashMap<>(roundTrust.pinned().keys());
    pinned.put(settings.agent(), keys.keys().stream().map(SignerKey::verifier).toList());
    roundTrust =
        new RoundReading.RoundTrust(
            roundTrust.rule(), new MemberKeys(pinned, roundTrust.pinned().faults()));
  }

  private ControlCalls.Settings calls(Surroundings around, int maxBytes) {
    return new ControlCalls.Settings(
        new ControlChannels.Settings(settings.target(), settings.tls(), around.version(), maxBytes),
        new ControlCredentials(settings.tokenFile(), around.identity()));
  }

  /**
   * Opens the data folder and puts in force what is good in it.
   *
   * @param config what the sidecar does
   * @param settings its section {@code control}
   * @throws IOException if the folder or the file of keys cannot be used
   */
  public static ControlPlaneClient open(
      SidecarConfig config, ControlSettings settings, Surroundings around) throws IOException {
    ControlPlaneClient opened = new ControlPlaneClient(config, settings, around);
    opened.link.answersTo(opened.new Out());
    opened.boards.speaksOn(opened::send);
    around.metrics().bind(opened.gauges);
    return opened;
  }

  /** Begins to attach, in the background. */
  public void start() {
    client.start();
  }

  /** The cores in force. */
  public Cores cores() {
    return keeper;
  }

  /** The rounds that the local agent proposes in, and those that others speak of. */
  public Rounds rounds() {
    return rounds;
  }

  /** The calls about pacts, in the local agent's name. */
  public PactControl pacts() {
    return pacts;
  }

  /** The calls about boards of coined terms. */
  public LexiconControl boards() {
    return boards;
  }

  /** Decisions of persons go out and come in from now on; before {@link #start}. */
  public void share(SharedDecisions decisions) {
    reviews.share(decisions, this::send);
  }

  /**
   * The queue is shown at the control plane's console, and people decide there; before {@link
   * #start}.
   */
  public void show(ReviewConsole.Desk desk) {
    console.open(desk, this::send);
  }

  /** Whom the mesh believes is told to this one; before {@link #start}. */
  public void trustTo(PushedTrust.Listener listener) {
    link.trustTo(listener);
  }

  /** Keys of verdicts are told and heard from now on; before {@link #start}. */
  public void verdicts(VerdictKeys keys) {
    link.verdicts(keys);
  }

  /** Which agent is behind which host; follows the configuration. */
  public Gate.PeerResolver peers() {
    return authority -> peers.agentAt(authority);
  }

  /**
   * Why the sidecar should not take traffic yet: until the control plane has been there once, a
   * route with consequences needs a fresh core. After that the routes' own settings say what
   * happens; a control plane that goes away later takes no sidecar out of service.
   *
   * @param domains those of routes with consequences
   */
  public List<String> notReady(Set<String> domains) {
    if (settled.get()) {
      return List.of();
    }
    List<String> reasons = new ArrayList<>();
    for (String domain : new TreeSet<>(domains)) {
      CoreState state = gauges.state(domain);
      if (state != CoreState.FRESH) {
        reasons.add("the core of domain " + domain + " is " + state.code());
      }
    }
    ControlLink.State now = link.state();
    boolean heard = now.connected() && System.nanoTime() - now.welcomedNs() > SETTLE_NS;
    if (reasons.isEmpty() || heard) {
      settled.set(true);
      return List.of();
    }
    reasons.add(
        now.connected()
            ? "the control plane has only just been reached"
            : "the control plane has not been reached yet");
    return reasons;
  }

  /** Everything about cores and stream, for people. */
  public ObjectNode status() {
    return ControlStatus.of(settings, link.state(), keeper.status(), refusals.all());
  }

  @Override
  public void applied(SidecarConfig before, SidecarConfig now) {
    now.control()
        .ifPresent(control -> {
          maxStalenessMs = control.maxStalenessMs();
          peers = new HostPeers(control.peers());
          roundTimeoutMs = control.rounds().timeoutMs();
          roundTrust =
              new RoundReading.RoundTrust(
                  control.rounds().signatures(),
                  new MemberKeys(roundTrust.pinned().keys(), control.rounds().faults()));
        });
    enforcing = isEnforcing(now);
    reportNow();
  }

  @Override
  public void refused(ConfigRefusalReason reason, List<ConfigProblem> problems) {
    // The settings in force stay, and whoever looks after them is told.
    reportNow();
  }

  private void reportNow() {
    try {
      client
          .thread()
          .execute(() -> client.current().ifPresent(stream -> stream.send(link.report())));
    } catch (RejectedExecutionException e) {
      log.atDebug().log("no report: the sidecar stops");
    }
  }

  /** Says it on the stream in use; on the next one all that is wanted is said again. */
  private void send(AttachRequest message) {
    try {
      client
          .thread()
          .execute(() -> client.current().ifPresent(stream -> stream.sendAttached(message)));
    } catch (RejectedExecutionException e) {
      log.atDebug().log("nothing more is wanted: the sidecar stops");
    }
  }

  private static boolean isEnforcing(SidecarConfig config) {
    return config.routes().stream().anyMatch(route -> route.mode() == Mode.ENFORCE);
  }

  /** Nobody has the time to wait for rounds any more: waits end with what is known. */
  public void hurry() {
    rounds.hurry();
  }

  /** Ends the stream politely and gives up questions under way; the cores stay readable. */
  @Override
  public void close() {
    rounds.close();
    pacts.close();
    boards.close();
    client.close();
    asker.close();
    keeper.noteAges();
  }

  /** Answers go out on the stream in use. */
  private final class Out implements ControlLink.Answers {
    @Override
    public Executor thread() {
      return client.thread();
    }

    @Override
    public void send(AttachRequest answer) {
      client.current().ifPresent(stream -> stream.send(answer));
    }
  }

  /** The keeper's news, as metrics. */
  private final class Events implements KeeperEvents {
    @Override
    public void refused(PushOutcome.PushFault fault) {
      refusals.count(fault);
      metrics.coreRejected(fault.code());
    }

    @Override
    public void inForce(Set<String> domains) {
      metrics.domains(domains, gauges);
    }
  }

  /** What the gauges show. */
  private final class Gauges implements ControlLinkMetrics.Source {
    @Override
    public boolean isConnected() {
      return link.state().connected();
    }

    private Stream<Status> in(String domain) {
      return keeper.status().stream().filter(one -> one.held().core().domain().equals(domain));
    }

    @Override
    public CoreState state(String domain) {
      List<CoreState> states = in(domain).map(Status::state).toList();
      return states.isEmpty()
          ? CoreState.ABSENT
          : states.contains(CoreState.STALE) ? CoreState.STALE : CoreState.FRESH;
    }

    @Override
    public double ageSeconds(String domain) {
      return in(domain).mapToLong(Status::ageMs).max().orElse(0) * SECONDS_PER_MS;
    }

    @Override
    public long version(String domain) {
      return in(domain).mapToLong(one -> one.held().core().version()).max().orElse(0);
    }
  }

  /** How the configuration stands, as the control plane is told. */
  static final class ConfigStanding {
    /** As the protocol says. */
    private static final int MAX_DETAIL = 512;

    private ConfigStanding() {}

    static ConfigStatus of(ConfigHolder.State state) {
      ConfigStatus.Builder status =
          ConfigStatus.newBuilder()
              .setRevision(state.config().revision())
              .setRefusals(state.refusals());
      state
          .lastRefusal()
          .ifPresent(refusal ->
              status.setRefusedReason(refusal.reason().code()).setRefusedDetail(detail(refusal)));
      return status.build();
    }

    private static String detail(ConfigRefusal refusal) {
      if (refusal.problems().isEmpty()) {
        return "";
      }
      int more = refusal.problems().size() - 1;
      String first = refusal.problems().getFirst().toString();
      String tail = more == 0 ? "" : " (and " + more + " more)";
      int room = MAX_DETAIL - tail.length();
      return (first.length() > room ? first.substring(0, room) : first) + tail;
    }
  }

  /** Reads signed cores with the configured keys. */
  public static final class SignedNotes implements NoteReading.Reader {
    /**
     * Largest note that a sidecar takes, in bytes. Less than a note may have, because it is in
     * memory several times while it is read; 200,000 terms of ordinary length fit.
     */
    public static final int MAX_BYTES = 16 << 20;

    private final List<VerifierKey> keys;

    public SignedNotes(List<VerifierKey> keys) {
      this.keys = List.copyOf(keys);
    }

    @Override
    public NoteReading read(byte[] note) {
      return switch (CoreNote.read(note, keys)) {
        case CoreReading.Good(CertifiedCore core, String sha256) ->
            new NoteReading.Good(core, sha256);
        case CoreReading.Refused(CoreFault fault, String detail) ->
            new NoteReading.Bad(
                switch (fault) {
                  case UNSIGNED -> PushOutcome.PushFault.UNSIGNED;
                  case FOREIGN_SIGNATURE -> PushOutcome.PushFault.FOREIGN_SIGNATURE;
                  case MALFORMED -> PushOutcome.PushFault.MALFORMED;
                  case IMPOSSIBLE -> PushOutcome.PushFault.IMPOSSIBLE;
                  case TOO_LARGE -> PushOutcome.PushFault.TOO_LARGE;
                },
                detail);
      };
    }
  }
}
