package dev.parlance.control.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.config.AuthoritySettings;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.ControlConfig.AuditSettings;
import dev.parlance.control.config.ControlConfig.StoreSettings;
import dev.parlance.control.config.LexiconSettings;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedders;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.ledger.record.CoreNote.CoreReading;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.CertificationParams;
import dev.parlance.proto.v1.CertificationServiceGrpc;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.LedgerServiceGrpc;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.SignedCore;
import dev.parlance.proto.v1.VocabularyTerm;
import dev.parlance.service.config.Listen;
import dev.parlance.service.identity.ServiceAccountTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A control plane with a client, and everything that a test attaches to it. */
public final class Kit implements AutoCloseable {
  /** Long enough for a loaded machine. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int ANSWER_MS = 6_000;

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** The control plane. */
  public final ControlReplica plane;

  /** Calls as its operator makes them. */
  public final Client client;

  /** For operators. */
  public final CertificationServiceGrpc.CertificationServiceBlockingStub operator;

  /** For readers of the ledger. */
  public final LedgerServiceGrpc.LedgerServiceBlockingStub ledger;

  private Kit(ControlReplica plane) {
    this.plane = plane;
    opened.push(plane);
    this.client = keep(new Client(plane.grpcAddress().port(), plane.operatorToken()));
    this.operator = client.operator;
    this.ledger = client.ledger;
  }

  /** A control plane with the embedded store. */
  public static Kit start(Path data) throws IOException {
    return start(config(data));
  }

  /** One with this encoder. */
  public static Kit start(ControlConfig config, Embedder encoder) throws IOException {
    return new Kit(ControlReplica.start(config, _ -> encoder, Optional.empty()));
  }

  /** One in a cluster whose API server says this of tokens. */
  public static Kit start(ControlConfig config, ServiceAccountTokens accounts) throws IOException {
    return new Kit(
        ControlReplica.start(
            config, metrics -> Embedders.open(config.rounds(), metrics), Optional.of(accounts)));
  }

  /** A control plane. */
  public static Kit start(ControlConfig config) throws IOException {
    ControlReplica plane = ControlReplica.start(config);
    return new Kit(plane);
  }

  /** Quick polls, short times, free ports. */
  public static ControlConfig config(Path data) {
    return config(data, new StoreSettings.Embedded(), Optional.empty(), "one");
  }

  /** One that waits for an agent's answer no longer than a test likes to. */
  public static ControlConfig impatient(Path data) {
    return config(data, new StoreSettings.Embedded(), Optional.empty(), "one", 2_000);
  }

  /** The same for a replica. */
  public static ControlConfig config(
      Path data, StoreSettings store, Optional<Path> shared, String replica) {
    return config(data, store, shared, replica, ANSWER_MS);
  }

  private static ControlConfig config(
      Path data, StoreSettings store, Optional<Path> shared, String replica, int answerMs) {
    return new ControlConfig(
        data,
        new Listen("127.0.0.1", 0),
        new Listen("127.0.0.1", 0),
        store,
        "test.example/ledger",
        shared.map(folder -> folder.resolve("keys")),
        shared.map(folder -> folder.resolve("attach.secret")),
        shared.map(folder -> folder.resolve("operator.token")),
        Optional.empty(),
        false,
        replica,
        new AuditSettings(8, answerMs, 1, 1_500),
        RoundsSettings.DEFAULT.withEncoder(new EncoderChoice.Off()),
        LexiconSettings.DEFAULT,
        AuthoritySettings.NONE,
        Optional.empty(),
        20,
        1_000,
        3_600_000);
  }

  /** Attaches a sidecar that answers. */
  public FakeSidecar attach(String agent, FakeSidecar.Mind mind) {
    FakeSidecar sidecar = FakeSidecar.attach(port(), plane.attachToken(agent), agent, mind);
    opened.push(sidecar);
    return sidecar;
  }

  /** Keeps something to close it with the kit. */
  public <T extends AutoCloseable> T keep(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Port of the gRPC listener. */
  public int port() {
    return plane.grpcAddress().port();
  }

  /** A plan that eight clean comparisons certify; each audit draws twelve events per term. */
  public static Plan.Builder plan(String name, List<String> agents, List<String> terms) {
    Plan.Builder plan =
        Plan.newBuilder()
            .setName(name)
            .setCore(CoreId.newBuilder().addAllAgents(agents).setDomain("license"))
            .setParams(CertificationParams.newBuilder().setTau(0.2).setDelta(0.2).setRhoMin(0.1))
            .setEventsPerTerm(12);
    terms.forEach(term -> plan.addTerms(VocabularyTerm.newBuilder().setText(term)));
    for (int i = 0; i < 100; i++) {
      plan.addEvents(
          AuditEvent.newBuilder().setPei("e/" + i).setText("Something happened, number " + i));
    }
    return plan;
  }

  /** See {@link Client#awaitAttached}. */
  public void awaitAttached(String... agents) {
    client.awaitAttached(agents);
  }

  /** See {@link Client#put}. */
  public Plan put(Plan.Builder plan) {
    return client.put(plan);
  }

  /** See {@link Client#begin}. */
  public Audit begin(String plan, AuditKind kind, String... terms) {
    return client.begin(plan, kind, terms);
  }

  /** Runs an audit to its end. */
  public Audit audit(String plan, AuditKind kind, String... terms) {
    return client.awaitEnd(begin(plan, kind, terms).getId());
  }

  /** See {@link Client#assertLedgerAgrees}. */
  public RecomputationReport assertLedgerAgrees() {
    return client.assertLedgerAgrees();
  }

  /** A signed core's content; its signature must be this control plane's. */
  public CertifiedCore read(SignedCore core) {
    CoreReading reading = CoreNote.read(core.getNote().toByteArray(), List.of(plane.coreKey()));
    assertThat(reading).isInstanceOf(CoreReading.Good.class);
    return ((CoreReading.Good) reading).core();
  }

  /** V* of a domain as a sidecar has it; empty while it has no core. */
  public Set<String> certified(FakeSidecar sidecar, String domain) {
    return core(sidecar, domain).map(CertifiedCore::certified).orElse(Set.of());
  }

  /** The newest core that a sidecar has of a domain. */
  public Optional<CertifiedCore> core(FakeSidecar sidecar, String domain) {
    return Optional.ofNullable(sidecar.newest.get(domain)).map(this::read);
  }

  /** Waits until a sidecar has exactly these certified terms. */
  public void awaitCertified(FakeSidecar sidecar, String... terms) {
    await().atMost(PATIENCE).until(() -> certified(sidecar, "license").equals(Set.of(terms)));
  }

  /** Closes all, last first. */
  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
