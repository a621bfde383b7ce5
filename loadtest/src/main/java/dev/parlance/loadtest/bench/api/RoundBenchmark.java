package dev.parlance.loadtest.bench.api;

import com.google.protobuf.ByteString;
import dev.parlance.client.ControlClient;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.RoundEntry.ProposalStatement;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundServiceGrpc.RoundServiceBlockingStub;
import dev.parlance.proto.v1.SignOutcomeRequest;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long a round takes beyond its slowest member: from sending the last proposal to the outcome
 * at a watcher, over real gRPC to a control plane of this process with the embedded store.
 * Encoding, ledger entries on the disk and the control plane's signature are part of it; with
 * members that sign, the outcome is there once 2f+1 of them have signed it, all at the same time.
 * {@link DiskSyncBenchmark} is what one wait for the same disk takes: read the figures beside it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "-XX:MaxTenuringThreshold=2") // as a control plane is started
public class RoundBenchmark {
  /** n, with as many faults as it allows. */
  @Param({"4", "7"})
  int members;

  /** Whether members sign what they propose and the outcome. */
  @Param({"false", "true"})
  boolean signed;

  /**
   * Where ledger and store are kept, the disk that is measured; empty: a folder for temporaries.
   */
  @Param("")
  String dataDir = "";

  /** Whether rationales are encoded. */
  @Param({"true", "false"})
  boolean encoder;

  private final List<String> agents = new ArrayList<>();
  private final List<ControlClient> clients = new ArrayList<>();
  private final List<ControlClient.Service<RoundServiceBlockingStub>> sidecars = new ArrayList<>();
  private final List<SignerKey> keys = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private int opened;

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private ControlReplica plane;

  @SuppressWarnings("NullAway.Init")
  private ControlClient.Service<RoundServiceBlockingStub> operator;

  @SuppressWarnings("NullAway.Init")
  private Iterator<Round> changes;

  @SuppressWarnings("NullAway.Init")
  private ProposeRequest last;

  /** Starts the control plane and connects the members. */
  @Setup
  public void setUp() throws IOException {
    Path folder =
        dataDir.isEmpty()
            ? Files.createTempDirectory("parlance-rounds")
            : Files.createTempDirectory(Path.of(dataDir), "parlance-rounds");
    RoundsSettings settings =
        encoder
            ? RoundsSettings.DEFAULT
            : RoundsSettings.DEFAULT.withEncoder(new EncoderChoice.Off());
    Listen free = new Listen("127.0.0.1", 0);
    plane =
        ControlReplica.start(
            ControlConfig.defaults(folder).listening(free, free).withRounds(settings));
    operator = client(plane.operatorToken()).rounds();
    for (int i = 0; i < members; i++) {
      String agent = "agent-" + i;
      agents.add(agent);
      ControlClient client = client(plane.attachToken(agent));
      sidecars.add(client.rounds());
      keys.add(SignerKey.generate(agent, KeyType.ED25519));
      if (signed) {
        var register =
            RegisterKeyRequest.newBuilder()
                .setParty(agent)
                .setVkey(keys.get(i).verifier().format())
                .build();
        var _ = client.pacts().ask(stub -> stub.registerKey(register));
      }
    }
  }

  private ControlClient client(String token) throws IOException {
    String address = "127.0.0.1:" + plane.grpcAddress().port();
    ControlClient client = new ControlClient(ControlClient.Address.plain(address, token));
    clients.add(client);
    return client;
  }

  /** Opens a round, watches it, and lets all members but the last propose. */
  @Setup(Level.Invocation)
  public void open() throws IOException {
    opened++;
    var opening =
        OpenRoundRequest.newBuilder()
            .setRound(name())
            .addAllMembers(agents)
            .setFaults((members - 1) / 3)
            .setSignatures(signed ? "required" : "offered")
            .setDeadlineMs((int) TimeUnit.MINUTES.toMillis(1))
            .build();
    var _ = operator.ask(stub -> stub.openRound(opening));
    var watched = GetRoundRequest.newBuilder().setRound(name()).build();
    changes = operator.ask(stub -> stub.watchRound(watched));
    changes.next();
    for (int i = 0; i < members - 1; i++) {
      propose(proposal(i), i);
    }
    last = proposal(members - 1);
  }

  private String name() {
    return "load/" + opened;
  }

  /** What a member proposes; signed, where members sign. */
  private ProposeRequest proposal(int member) throws IOException {
    String agent = agents.get(member);
    String text =
        "The contributor may reproduce the work under the license, says member "
            + member
            + " about "
            + name()
            + ".";
    var proposal =
        ProposeRequest.newBuilder()
            .setRound(name())
            .setEpoch(1)
            .setAgent(agent)
            .setVerdict("approve")
            .setRationale(text)
            .setMessageSha256(ByteString.copyFrom(new byte[32]))
            .setRoute("execute")
            .setDecision("load");
    if (!signed) {
      return proposal.build();
    }
    var prepare = proposal.clone().setPrepare(true).build();
    var prepared = sidecars.get(member).ask(stub -> stub.propose(prepare));
    Meaning meaning =
        QuantVector.ofBytes(prepared.getVector().toByteArray())
            .<Meaning>map(Meaning.Vector::new)
            .orElse(Meaning.UNENCODED);
    String signature =
        ProposalStatement.of(new RoundId(name(), 1), agent, "approve", Digest.of(text), meaning)
            .sign(keys.get(member));
    return proposal.setSignature(bytes(signature)).build();
  }

  private static ByteString bytes(String base64) {
    return ByteString.copyFrom(Base64.getDecoder().decode(base64));
  }

  private void propose(ProposeRequest proposal, int member) throws IOException {
    var _ = sidecars.get(member).ask(stub -> stub.propose(proposal));
  }

  /** All members sign the outcome at the same time. */
  private void sign(Round decided) {
    byte[] note = decided.getResult().getNote().toByteArray();
    if (!(Note.parse(note) instanceof Parsed.Ok<Note>(Note outcome))) {
      throw new IllegalStateException("the outcome is no note");
    }
    String sha256 = Digest.of(outcome.text());
    for (int i = 0; i < members; i++) {
      int member = i;
      var signature =
          SignOutcomeRequest.newBuilder()
              .setRound(name())
              .setEpoch(1)
              .setAgent(agents.get(i))
              .setDocumentSha256(ByteString.copyFrom(HexFormat.of().parseHex(sha256)))
              .setSignature(
                  bytes(Note.sign(outcome.text(), keys.get(i)).signatures().getFirst().base64()))
              .build();
      var _ = threads.submit(() -> sidecars.get(member).ask(stub -> stub.signOutcome(signature)));
    }
  }

  /** The last proposal, and the outcome. */
  @Benchmark
  public Round lastProposalToOutcome() throws IOException {
    propose(last, members - 1);
    Round round = changes.next();
    while (!round.hasResult()) {
      round = changes.next();
    }
    if (signed) {
      sign(round);
      while (!round.getResult().getFinal()) {
        round = changes.next();
      }
    }
    if (round.getResult().getOutcome().equals("abort")) {
      throw new IllegalStateException("a round was aborted");
    }
    return round;
  }

  /** Ends everything. */
  @TearDown
  public void tearDown() {
    threads.shutdownNow();
    clients.forEach(ControlClient::close);
    plane.close();
  }
}
