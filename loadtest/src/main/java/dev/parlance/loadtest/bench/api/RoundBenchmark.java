package dev.parlance.loadtest.bench.api;

import com.google.protobuf.ByteString;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundServiceGrpc;
import dev.parlance.proto.v1.RoundServiceGrpc.RoundServiceBlockingStub;
import dev.parlance.service.config.Listen;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
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
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<RoundServiceBlockingStub> sidecars = new ArrayList<>();
  private int opened;

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private ControlReplica plane;

  @SuppressWarnings("NullAway.Init")
  private RoundServiceBlockingStub operator;

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
    operator = stub(plane.operatorToken());
    for (int i = 0; i < MEMBERS; i++) {
      agents.add("agent-" + i);
      sidecars.add(stub(plane.attachToken(agents.get(i))));
    }
  }

  private RoundServiceBlockingStub stub(String token) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", plane.grpcAddress().port())
            .usePlaintext()
            .build();
    channels.add(channel);
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return RoundServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** Opens a round, watches it, and lets all members but the last propose. */
  @Setup(Level.Invocation)
  public void open() {
    opened++;
    operator.openRound(
        OpenRoundRequest.newBuilder()
            .setRound(name())
            .addAllMembers(agents)
            .setFaults(FAULTS)
            .setDeadlineMs((int) TimeUnit.MINUTES.toMillis(1))
            .build());
    changes = operator.watchRound(GetRoundRequest.newBuilder().setRound(name()).build());
    changes.next();
    for (int i = 0; i < MEMBERS - 1; i++) {
      propose(i);
    }
  }

  private String name() {
    return "load/" + opened;
  }

  private void propose(int member) {
    sidecars
        .get(member)
        .propose(
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
                .build());
  }

  /** The last proposal, and the outcome. */
  @Benchmark
  public Round lastProposalToOutcome() {
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
    channels.forEach(ManagedChannel::shutdownNow);
    plane.close();
  }
}
