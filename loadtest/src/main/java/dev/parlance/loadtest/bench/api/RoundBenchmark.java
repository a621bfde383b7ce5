package dev.parlance.loadtest.bench.api;

import com.google.protobuf.ByteString;
import dev.parlance.client.ControlClient;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundServiceGrpc.RoundServiceBlockingStub;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long a round of seven members takes beyond its slowest: from sending the last proposal to the
 * outcome at a watcher, over real gRPC to a control plane of this process with the embedded store.
 * Encoding, ledger entries on the disk and signature are part of it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RoundBenchmark {
  private static final int MEMBERS = 7;
  private static final int FAULTS = 2;

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
  private int opened;

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private ControlReplica plane;

  @SuppressWarnings("NullAway.Init")
  private ControlClient.Service<RoundServiceBlockingStub> operator;

  @SuppressWarnings("NullAway.Init")
  private Iterator<Round> changes;

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
    for (int i = 0; i < MEMBERS; i++) {
      agents.add("agent-" + i);
      sidecars.add(client(plane.attachToken(agents.get(i))).rounds());
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
            .setFaults(FAULTS)
            .setDeadlineMs((int) TimeUnit.MINUTES.toMillis(1))
            .build();
    var _ = operator.ask(stub -> stub.openRound(opening));
    var watched = GetRoundRequest.newBuilder().setRound(name()).build();
    changes = operator.ask(stub -> stub.watchRound(watched));
    changes.next();
    for (int i = 0; i < MEMBERS - 1; i++) {
      propose(i);
    }
  }

  private String name() {
    return "load/" + opened;
  }

  private void propose(int member) throws IOException {
    var proposal =
        ProposeRequest.newBuilder()
            .setRound(name())
            .setEpoch(1)
            .setAgent(agents.get(member))
            .setVerdict("approve")
            .setRationale(
                "The contributor may reproduce the work under the license, says member "
                    + member
                    + " about "
                    + name()
                    + ".")
            .setMessageSha256(ByteString.copyFrom(new byte[32]))
            .setRoute("execute")
            .setDecision("load")
            .build();
    var _ = sidecars.get(member).ask(stub -> stub.propose(proposal));
  }

  /** The last proposal, and the outcome. */
  @Benchmark
  public Round lastProposalToOutcome() throws IOException {
    propose(MEMBERS - 1);
    Round round = changes.next();
    while (!round.hasResult()) {
      round = changes.next();
    }
    if (round.getResult().getOutcome().equals("abort")) {
      throw new IllegalStateException("a round was aborted");
    }
    return round;
  }

  /** Ends everything. */
  @TearDown
  public void tearDown() {
    clients.forEach(ControlClient::close);
    plane.close();
  }
}
