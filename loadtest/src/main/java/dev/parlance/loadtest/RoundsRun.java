package dev.parlance.loadtest;

import com.google.protobuf.ByteString;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundServiceGrpc;
import dev.parlance.proto.v1.RoundServiceGrpc.RoundServiceBlockingStub;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Rounds of seven members at a control plane of this process, over real gRPC: every member has a
 * connection of its own, proposes after a moment of thinking, and somebody watches.
 */
final class RoundsRun implements AutoCloseable {
  private static final int MEMBERS = 7;
  private static final int FAULTS = 2;
  private static final long MAX_NS = TimeUnit.MINUTES.toNanos(1);

  private final List<String> agents = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<RoundServiceBlockingStub> sidecars = new ArrayList<>();
  private final RoundServiceBlockingStub operator;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Random random = new Random(7);
  private final int thinkMs;
  private int opened;

  /** From sending the last of a round's proposals to the outcome at the watcher. */
  final Histogram beyondSlowest = new Histogram(MAX_NS, 3);

  /** From sending a proposal that is not the last to its answer. */
  final Histogram proposing = new Histogram(MAX_NS, 3);

  /** Rounds that did not end in a commit. */
  private int aborts;

  /**
   * @param thinkMs each member proposes after a random time of at most so many milliseconds
   */
  RoundsRun(ControlReplica plane, int thinkMs) {
    this.thinkMs = thinkMs;
    this.operator = stub(plane, plane.operatorToken());
    for (int i = 0; i < MEMBERS; i++) {
      String agent = "agent-" + i;
      agents.add(agent);
      sidecars.add(stub(plane, plane.attachToken(agent)));
    }
  }

  private RoundServiceBlockingStub stub(ControlReplica plane, String token) {
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

  /** One proposal: when it was sent and when it was answered. */
  private record Sent(long sentNs, long answeredNs) {}

  /** Holds a round; counted only if asked to, so that there can be a warm-up. */
  void round(boolean isCounted) throws InterruptedException {
    opened++;
    String name = "load/" + opened;
    operator.openRound(
        OpenRoundRequest.newBuilder()
            .setRound(name)
            .addAllMembers(agents)
            .setFaults(FAULTS)
            .setDeadlineMs((int) TimeUnit.MINUTES.toMillis(1))
            .build());
    CountDownLatch isWatched = new CountDownLatch(1);
    Future<Long> outcome = threads.submit(() -> watch(name, isWatched));
    isWatched.await();
    List<Future<Sent>> sent = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      int member = i;
      long thinkNs = TimeUnit.MILLISECONDS.toNanos(random.nextInt(thinkMs + 1));
      sent.add(threads.submit(() -> propose(name, member, thinkNs)));
    }
    try {
      long lastNs = Long.MIN_VALUE;
      List<Sent> all = new ArrayList<>();
      for (Future<Sent> each : sent) {
        all.add(each.get());
        lastNs = Math.max(lastNs, all.getLast().sentNs());
      }
      long endedNs = outcome.get();
      if (isCounted) {
        beyondSlowest.recordValue(endedNs - lastNs);
        for (Sent each : all) {
          if (each.sentNs() != lastNs) {
            proposing.recordValue(each.answeredNs() - each.sentNs());
          }
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a round failed: " + e.getCause(), e);
    }
  }

  private Sent propose(String name, int member, long thinkNs) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(thinkNs);
    long sentNs = System.nanoTime();
    sidecars
        .get(member)
        .propose(
            ProposeRequest.newBuilder()
                .setRound(name)
                .setEpoch(1)
                .setAgent(agents.get(member))
                .setVerdict("approve")
                .setRationale(
                    "The contributor may reproduce the work under the license, says member "
                        + member
                        + " about "
                        + name
                        + ".")
                .setMessageSha256(ByteString.copyFrom(new byte[32]))
                .setRoute("execute")
                .setDecision("load")
                .build());
    return new Sent(sentNs, System.nanoTime());
  }

  private long watch(String name, CountDownLatch isWatched) {
    Iterator<Round> changes =
        operator.watchRound(GetRoundRequest.newBuilder().setRound(name).build());
    while (changes.hasNext()) {
      Round round = changes.next();
      isWatched.countDown();
      if (round.hasResult()) {
        long now = System.nanoTime();
        synchronized (this) {
          aborts += round.getResult().getOutcome().equals("abort") ? 1 : 0;
        }
        return now;
      }
    }
    throw new IllegalStateException("the watching ended before the round");
  }

  /** Rounds that did not end in a commit. */
  synchronized int aborts() {
    return aborts;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    channels.forEach(ManagedChannel::shutdownNow);
  }
}
