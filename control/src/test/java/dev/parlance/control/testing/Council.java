package dev.parlance.control.testing;

import com.google.protobuf.ByteString;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.proto.v1.Encoder;
import dev.parlance.proto.v1.GetEncoderRequest;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.ListRoundsRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Operators and agents of rounds, over real gRPC with one replica. */
public final class Council implements AutoCloseable {
  private static final Metadata.Key<String> REASON =
      Metadata.Key.of("parlance-reason", Metadata.ASCII_STRING_MARSHALLER);

  /** The members of most tests, f = 2. */
  public static final List<String> SEVEN = List.of("a1", "a2", "a3", "a4", "a5", "a6", "a7");

  private final ManagedChannel channel;
  private final String operatorToken;
  private final UnaryOperator<String> attachToken;

  /** Connects to a replica on this machine. */
  public Council(int port, String operatorToken, UnaryOperator<String> attachToken) {
    channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    this.operatorToken = operatorToken;
    this.attachToken = attachToken;
  }

  /** Connects to a replica of this process. */
  public static Council at(ControlReplica plane) {
    return new Council(plane.grpcAddress().port(), plane.operatorToken(), plane::attachToken);
  }

  /** Calls with this token. */
  public RoundServiceGrpc.RoundServiceBlockingStub with(String token) {
    return RoundServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(bearer(token)));
  }

  /** Streams and calls with this token. */
  public RoundServiceGrpc.RoundServiceStub streaming(String token) {
    return RoundServiceGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(bearer(token)));
  }

  private static Metadata bearer(String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return headers;
  }

  /** Calls of the operator. */
  public RoundServiceGrpc.RoundServiceBlockingStub operator() {
    return with(operatorToken);
  }

  /** Calls of an agent's sidecar. */
  public RoundServiceGrpc.RoundServiceBlockingStub sidecar(String agent) {
    return with(attachToken.apply(agent));
  }

  /** Values of a round of seven, two of which may be faulty, with a minute's time. */
  public static OpenRoundRequest.Builder seven(String round) {
    return OpenRoundRequest.newBuilder()
        .setAgreement("vectors") // numbers in the texts of tests say where vectors lie
        .setRound(round)
        .addAllMembers(SEVEN)
        .setFaults(2)
        .setDeadlineMs(60_000);
  }

  /** Opens a round. */
  public Round open(OpenRoundRequest.Builder request) {
    return operator().openRound(request.build());
  }

  /** A proposal in the first epoch. */
  public static ProposeRequest.Builder proposal(
      String round, String agent, String verdict, String rationale) {
    return ProposeRequest.newBuilder()
        .setRound(round)
        .setEpoch(1)
        .setAgent(agent)
        .setVerdict(verdict)
        .setRationale(rationale)
        .setMessageSha256(ByteString.copyFrom(new byte[32]))
        .setRoute("execute")
        .setDecision("d-" + agent);
  }

  /** Proposes with the agent's own token. */
  public ProposeResponse propose(ProposeRequest.Builder request) {
    return sidecar(request.getAgent()).propose(request.build());
  }

  /** Proposes in the first epoch. */
  public ProposeResponse propose(String round, String agent, String verdict, String rationale) {
    return propose(proposal(round, agent, verdict, rationale));
  }

  /** The newest epoch of a round, as the operator sees it. */
  public Round get(String round) {
    return operator().getRound(GetRoundRequest.newBuilder().setRound(round).build());
  }

  /** The rounds, newest first. */
  public List<Round> list(boolean isUnfinishedOnly) {
    return operator()
        .listRounds(ListRoundsRequest.newBuilder().setUnfinished(isUnfinishedOnly).build())
        .getRoundsList();
  }

  /** The encoder of new rounds. */
  public Encoder encoder() {
    return operator().getEncoder(GetEncoderRequest.getDefaultInstance());
  }

  /** Every state that a watcher is told, to the end of the round. */
  public List<Round> watch(String round, String token) {
    List<Round> seen = new ArrayList<>();
    with(token)
        .watchRound(GetRoundRequest.newBuilder().setRound(round).build())
        .forEachRemaining(seen::add);
    return seen;
  }

  /** The first state that a watcher is told. */
  public Round watchFirst(String round, String token) {
    return with(token).watchRound(GetRoundRequest.newBuilder().setRound(round).build()).next();
  }

  /** The stable reason of a refusal, with its status. */
  public static String reason(Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      String reason =
          Optional.ofNullable(e.getTrailers()).map(with -> with.get(REASON)).orElse("none");
      return e.getStatus().getCode() + " " + reason;
    }
    return "OK";
  }

  /** SHA-256 of a text. */
  public static ByteString sha256(String text) {
    try {
      return ByteString.copyFrom(
          java.security.MessageDigest.getInstance("SHA-256")
              .digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
