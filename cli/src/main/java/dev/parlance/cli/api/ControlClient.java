package dev.parlance.cli.api;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.proto.v1.CertificationServiceGrpc;
import dev.parlance.proto.v1.IdentityServiceGrpc;
import dev.parlance.proto.v1.LedgerServiceGrpc;
import dev.parlance.proto.v1.LexiconServiceGrpc;
import dev.parlance.proto.v1.PactServiceGrpc;
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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Talks to one control plane, with the operators' token; what it does not answer is {@link
 * Refused}. Close it after use.
 */
public final class ControlClient implements AutoCloseable {
  private static final long CALL_SECONDS = 60;
  private static final long CLOSE_SECONDS = 5;

  /** Room for a core of the largest vocabulary, and for a plan with its pool. */
  private static final int MESSAGE_BYTES_MAX = 256 << 20;

  private static final Metadata.Key<String> REASON =
      Metadata.Key.of("parlance-reason", Metadata.ASCII_STRING_MARSHALLER);

  private final ControlOptions.Address address;
  private final ManagedChannel channel;
  private final CertificationServiceGrpc.CertificationServiceBlockingStub certification;
  private final RoundServiceGrpc.RoundServiceBlockingStub rounds;
  private final PactServiceGrpc.PactServiceBlockingStub pacts;
  private final LexiconServiceGrpc.LexiconServiceBlockingStub lexicon;
  private final IdentityServiceGrpc.IdentityServiceBlockingStub identities;
  private final LedgerServiceGrpc.LedgerServiceBlockingStub ledger;

  public ControlClient(ControlOptions.Address address) throws IOException {
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
    this.pacts = PactServiceGrpc.newBlockingStub(withToken);
    this.lexicon = LexiconServiceGrpc.newBlockingStub(withToken);
    this.identities = IdentityServiceGrpc.newBlockingStub(withToken);
    this.ledger = LedgerServiceGrpc.newBlockingStub(channel);
  }

  /** One call about plans, audits, cores or sidecars. */
  public <T> T ask(Function<CertificationServiceGrpc.CertificationServiceBlockingStub, T> call) {
    return reply(() -> call.apply(certification.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)));
  }

  /** The same without a limit in time: for watching. */
  public void watch(Consumer<CertificationServiceGrpc.CertificationServiceBlockingStub> call) {
    reply(() -> {
      call.accept(certification);
      return true;
    });
  }

  /** One call about rounds. */
  public <T> T askRounds(Function<RoundServiceGrpc.RoundServiceBlockingStub, T> call) {
    return reply(() -> call.apply(rounds.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)));
  }

  /** The same without a limit in time. */
  public void watchRounds(Consumer<RoundServiceGrpc.RoundServiceBlockingStub> call) {
    reply(() -> {
      call.accept(rounds);
      return true;
    });
  }

  /** One call about pacts. */
  public <T> T askPacts(Function<PactServiceGrpc.PactServiceBlockingStub, T> call) {
    return reply(() -> call.apply(pacts.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)));
  }

  /** One call about identities. */
  public <T> T askIdentities(Function<IdentityServiceGrpc.IdentityServiceBlockingStub, T> call) {
    return reply(() -> call.apply(identities.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)));
  }

  /** One call about boards of coined terms. */
  public <T> T askLexicon(Function<LexiconServiceGrpc.LexiconServiceBlockingStub, T> call) {
    return reply(() -> call.apply(lexicon.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)));
  }

  /** The same without a limit in time. */
  public void watchLexicon(Consumer<LexiconServiceGrpc.LexiconServiceBlockingStub> call) {
    reply(() -> {
      call.accept(lexicon);
      return true;
    });
  }

  /** One call about the ledger; no token is sent. */
  public <T> T askLedger(Function<LedgerServiceGrpc.LedgerServiceBlockingStub, T> call) {
    return reply(() -> call.apply(ledger.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)));
  }

  private <T> T reply(Supplier<T> call) {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw new Refused(e.getStatus().getCode(), describe(e));
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
          ("no control plane answers at %s%s; is it running (parlance control), and "
                  + "is the address right (--control)?%s")
              .formatted(
                  address.shown(),
                  said,
                  address.transport() instanceof ControlOptions.Transport.Tls
                      ? " It was asked over TLS; --ca names who is to be trusted"
                      : "");
      case UNAUTHENTICATED, PERMISSION_DENIED ->
          ("%s refused the token; use operator.token of the data folder it runs with "
                  + "(--data-dir or --token-file)")
              .formatted(where);
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

  /** The control plane refused, or could not be reached. */
  public static final class Refused extends CommandProblem {
    private static final long serialVersionUID = 1;

    private final Status.Code code;

    Refused(Status.Code code, String message) {
      super(ExitStatus.FAILED, message);
      this.code = code;
    }

    boolean isUnavailable() {
      return code == Status.Code.UNAVAILABLE;
    }

    boolean isNotFound() {
      return code == Status.Code.NOT_FOUND;
    }
  }

  /**
   * Watches something at the control plane until it has ended. A replica that goes away in between
   * is waited for, because another one takes over.
   *
   * @param <T> what is watched
   */
  static final class Following<T> {
    private static final int RETRIES_MAX = 60;
    private static final long RETRY_MS = 500;

    private final String what;
    private Optional<T> last = Optional.empty();
    private int failures;

    /**
     * Nothing yet.
     *
     * @param what how it is called in a message
     */
    Following(String what) {
      this.what = what;
    }

    void changed(T now) {
      last = Optional.of(now);
      failures = 0;
    }

    /** What was seen last. */
    Optional<T> last() {
      return last;
    }

    /**
     * Calls again and again until what is watched has ended.
     *
     * @param watch one call; it gives each change to {@link #changed}
     */
    T follow(Runnable watch, Predicate<T> hasEnded) {
      while (failures <= RETRIES_MAX) {
        try {
          watch.run();
        } catch (Refused e) {
          if (e.code != Status.Code.UNAVAILABLE || failures == RETRIES_MAX) {
            throw e;
          }
        }
        if (last.filter(hasEnded).isPresent()) {
          return last.get();
        }
        failures++;
        try {
          Thread.sleep(RETRY_MS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new Refused(Status.Code.CANCELLED, "interrupted");
        }
      }
      throw new Refused(
          Status.Code.UNAVAILABLE, "the control plane does not say how the " + what + " goes on");
    }
  }
}
