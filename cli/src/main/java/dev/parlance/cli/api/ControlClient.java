package dev.parlance.cli.api;

import dev.parlance.proto.v1.CertificationServiceGrpc;
import dev.parlance.proto.v1.LedgerServiceGrpc;
import dev.parlance.proto.v1.RoundServiceGrpc;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Talks to one control plane, with the operators' token. Close it after use. */
public final class ControlClient implements AutoCloseable {
  private static final long CALL_SECONDS = 60;
  private static final long CLOSE_SECONDS = 5;

  /** Room for a core of the largest vocabulary, and for a plan with its pool. */
  private static final int MESSAGE_BYTES_MAX = 256 << 20;

  private static final Metadata.Key<String> REASON =
      Metadata.Key.of("parlance-reason", Metadata.ASCII_STRING_MARSHALLER);

  private final ControlOptions.Found.Address address;
  private final ManagedChannel channel;
  private final CertificationServiceGrpc.CertificationServiceBlockingStub certification;
  private final RoundServiceGrpc.RoundServiceBlockingStub rounds;
  private final LedgerServiceGrpc.LedgerServiceBlockingStub ledger;

  public ControlClient(ControlOptions.Found.Address address) throws IOException {
    this.address = address;
    var builder =
        NettyChannelBuilder.forAddress(address.host().replaceAll("[\\[\\]]", ""), address.port())
            .maxInboundMessageSize(MESSAGE_BYTES_MAX)
            .disableRetry();
    switch (address.transport()) {
      case ControlOptions.Transport.Plain _ -> builder.usePlaintext();
      case ControlOptions.Transport.Tls(var ca) -> {
        var context = GrpcSslContexts.forClient();
        ca.ifPresent(file -> context.trustManager(file.toFile()));
        builder.sslContext(context.build());
      }
    }
    this.channel = builder.build();
    var headers = new Metadata();
    address
        .token()
        .ifPresent(token ->
            headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + token));
    var withToken =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    this.certification = CertificationServiceGrpc.newBlockingStub(withToken);
    this.rounds = RoundServiceGrpc.newBlockingStub(withToken);
    this.ledger = LedgerServiceGrpc.newBlockingStub(channel);
  }

  /** One call about plans, audits, cores or sidecars. */
  public <T> ControlReply<T> ask(
      Function<CertificationServiceGrpc.CertificationServiceBlockingStub, T> call) {
    return reply(() -> call.apply(certification.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)));
  }

  /** The same without a limit in time: for watching. */
  public <T> ControlReply<T> watch(
      Function<CertificationServiceGrpc.CertificationServiceBlockingStub, T> call) {
    return reply(() -> call.apply(certification));
  }

  /** One call about rounds. */
  public <T> ControlReply<T> askRounds(
      Function<RoundServiceGrpc.RoundServiceBlockingStub, T> call) {
    return reply(() -> call.apply(rounds.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)));
  }

  /** The same without a limit in time. */
  public <T> ControlReply<T> watchRounds(
      Function<RoundServiceGrpc.RoundServiceBlockingStub, T> call) {
    return reply(() -> call.apply(rounds));
  }

  /** One call about the ledger; no token is sent. */
  public <T> ControlReply<T> askLedger(
      Function<LedgerServiceGrpc.LedgerServiceBlockingStub, T> call) {
    return reply(() -> call.apply(ledger.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)));
  }

  private <T> ControlReply<T> reply(java.util.function.Supplier<T> call) {
    try {
      return new ControlReply.Answered<>(call.get());
    } catch (StatusRuntimeException e) {
      return new ControlReply.Failed<>(e.getStatus().getCode(), describe(e));
    }
  }

  private String describe(StatusRuntimeException failure) {
    Status status = failure.getStatus();
    // a control plane gives every refusal of its own a reason; the transport's have none
    boolean answered = failure.getTrailers() != null && failure.getTrailers().containsKey(REASON);
    String where = "the control plane at " + address.shown();
    String said = status.getDescription() == null ? "" : ": " + status.getDescription();
    if (answered && status.getCode() == Status.Code.UNAVAILABLE) {
      return where + " cannot do that now" + said;
    }
    return switch (status.getCode()) {
      case UNAVAILABLE ->
          "no control plane answers at "
              + address.shown()
              + said
              + "; is it running (parlance control), and is the address right (--control)?"
              + (address.transport() instanceof ControlOptions.Transport.Tls
                  ? " It was asked over TLS; --ca names who is to be trusted"
                  : "");
      case UNAUTHENTICATED, PERMISSION_DENIED ->
          where
              + " refused the token; use operator.token of the data folder it runs with"
              + " (--data-dir or --token-file)";
      case DEADLINE_EXCEEDED -> where + " did not answer within " + CALL_SECONDS + " s";
      case UNIMPLEMENTED ->
          "what answers at " + address.shown() + " is no control plane of this version";
      case NOT_FOUND -> where + " knows no such thing" + said;
      case ABORTED -> "somebody else was faster" + said + "; look at it and start again";
      case RESOURCE_EXHAUSTED -> where + " takes no more at the moment, or not so much" + said;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE, ALREADY_EXISTS ->
          where + " refused" + said;
      case OK, CANCELLED, UNKNOWN, INTERNAL, DATA_LOSS ->
          where + " failed with " + status.getCode().name().toLowerCase(Locale.ROOT) + said;
    };
  }

  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
