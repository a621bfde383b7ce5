package dev.parlance.demo;

import com.google.protobuf.ByteString;
import dev.parlance.demo.RoundScript.Item;
import dev.parlance.proto.v1.Encoder;
import dev.parlance.proto.v1.GetEncoderRequest;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundServiceGrpc;
import dev.parlance.proto.v1.RoundServiceGrpc.RoundServiceBlockingStub;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/** The operator's calls about rounds. */
final class RoundCalls implements AutoCloseable {
  private static final long CALL_SECONDS = 20;
  private static final long ROUND_SECONDS = 60;

  private final ManagedChannel channel;
  private final RoundServiceBlockingStub rounds;

  private RoundCalls(ManagedChannel channel, RoundServiceBlockingStub rounds) {
    this.channel = channel;
    this.rounds = rounds;
  }

  static RoundCalls to(ControlProcess control) throws IOException {
    int colon = control.grpc().lastIndexOf(':');
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(
                    control.grpc().substring(0, colon),
                    Integer.parseInt(control.grpc().substring(colon + 1))))
            .proxyDetector(address -> null)
            .usePlaintext()
            .build();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + control.operatorToken());
    return new RoundCalls(
        channel,
        RoundServiceGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers)));
  }

  private RoundServiceBlockingStub within(long seconds) {
    return rounds.withDeadlineAfter(seconds, TimeUnit.SECONDS);
  }

  /** The encoder that new rounds get. */
  Encoder encoder() throws IOException {
    try {
      return within(CALL_SECONDS).getEncoder(GetEncoderRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      throw failed("name its encoder", e);
    }
  }

  /** Opens a round about a claim. */
  Round open(Item item) throws IOException {
    try {
      return within(CALL_SECONDS)
          .openRound(
              OpenRoundRequest.newBuilder()
                  .setRound(item.name())
                  .addAllMembers(RoundScript.panel())
                  .setFaults(RoundScript.FAULTS)
                  .setDeadlineMs(item.deadlineMs())
                  .setSubject(item.claim())
                  .build());
    } catch (StatusRuntimeException e) {
      throw failed("open round " + item.name(), e);
    }
  }

  /**
   * Follows a round to its end.
   *
   * @return the round with the texts of its proposals
   */
  Round awaitEnd(Round opened) throws IOException {
    GetRoundRequest.Builder which =
        GetRoundRequest.newBuilder().setRound(opened.getRound()).setEpoch(opened.getEpoch());
    try {
      Iterator<Round> changes = within(ROUND_SECONDS).watchRound(which.build());
      while (changes.hasNext()) {
        changes.next(); // the last one has the outcome, and then the stream ends
      }
      return within(CALL_SECONDS).getRound(which.setTexts(true).build());
    } catch (StatusRuntimeException e) {
      throw failed("end round " + opened.getRound(), e);
    }
  }

  private static IOException failed(String what, StatusRuntimeException cause) {
    return new IOException("the control plane did not " + what + ": " + cause.getMessage(), cause);
  }

  /** Hex of bytes. */
  static String hex(ByteString bytes) {
    return java.util.HexFormat.of().formatHex(bytes.toByteArray());
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
