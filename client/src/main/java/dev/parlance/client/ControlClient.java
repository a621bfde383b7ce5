package dev.parlance.client;

import dev.parlance.client.CallRefused.Why;
import dev.parlance.proto.v1.CertificationServiceGrpc;
import dev.parlance.proto.v1.CertificationServiceGrpc.CertificationServiceBlockingStub;
import dev.parlance.proto.v1.IdentityServiceGrpc;
import dev.parlance.proto.v1.IdentityServiceGrpc.IdentityServiceBlockingStub;
import dev.parlance.proto.v1.LedgerServiceGrpc;
import dev.parlance.proto.v1.LedgerServiceGrpc.LedgerServiceBlockingStub;
import dev.parlance.proto.v1.LexiconServiceGrpc;
import dev.parlance.proto.v1.LexiconServiceGrpc.LexiconServiceBlockingStub;
import dev.parlance.proto.v1.PactServiceGrpc;
import dev.parlance.proto.v1.PactServiceGrpc.PactServiceBlockingStub;
import dev.parlance.proto.v1.RoundServiceGrpc;
import dev.parlance.proto.v1.RoundServiceGrpc.RoundServiceBlockingStub;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.AbstractBlockingStub;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A client of one control plane with one token, usually the operators'. Close it after use. */
public final class ControlClient implements AutoCloseable {
  private static final Duration CALL = Duration.ofSeconds(60);
  private static final long CLOSE_SECONDS = 5;
  private static final int MAX_RETRIES = 60;
  private static final long RETRY_MS = 500;

  /** Room for a core of the largest vocabulary, and for a plan with its pool. */
  private static final int MAX_MESSAGE_BYTES = 256 << 20;

  private static final Metadata.Key<String> REASON =
      Metadata.Key.of("parlance-reason", Metadata.ASCII_STRING_MARSHALLER);

  private final Address address;
  private final ManagedChannel channel;
  private final Service<CertificationServiceBlockingStub> certification;
  private final Service<RoundServiceBlockingStub> rounds;
  private final Service<PactServiceBlockingStub> pacts;
  private final Service<LexiconServiceBlockingStub> lexicon;
  private final Service<IdentityServiceBlockingStub> identities;
  private final Service<LedgerServiceBlockingStub> ledger;

  /** How the connection is protected. */
  public sealed interface Transport {
    /** Not at all: loopback, or because somebody said so. */
    record Plain() implements Transport {}

    /**
     * TLS.
     *
     * @param ca PEM file of the authorities to trust; absent: those of the Java runtime
     */
    record Tls(Optional<Path> ca) implements Transport {}
  }

  /**
   * Where the control plane is.
   *
   * @param host name or address, IPv6 in brackets
   * @param token the bearer token; absent where none is needed
   */
  public record Address(String host, int port, Optional<String> token, Transport transport) {
    /** A control plane on loopback. */
    public static Address plain(String hostAndPort, String token) {
      int colon = hostAndPort.lastIndexOf(':');
      return new Address(
          hostAndPort.substring(0, colon),
          Integer.parseInt(hostAndPort.substring(colon + 1)),
          Optional.of(token),
          new Transport.Plain());
    }

    private String shown() {
      return host + ":" + port;
    }
  }

  public ControlClient(Address address) throws IOException {
    this(channel(address), address);
  }

  private static ManagedChannel channel(Address address) throws IOException {
    var builder =
        NettyChannelBuilder.forAddress(address.host().replaceAll("[\\[\\]]", ""), address.port())
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            // An operator's calls are no agents' traffic: whatever proxy is set, they go straight.
            .proxyDetector(target -> null)
            .disableRetry();
    switch (address.transport()) {
      case Transport.Plain _ -> builder.usePlaintext();
      case Transport.Tls(var ca) -> {
        var context = GrpcSslContexts.forClient();
        ca.ifPresent(file -> context.trustManager(file.toFile()));
        builder.sslContext(context.build());
      }
    }
    return builder.build();
  }

  /**
   * A client over another way than the network's.
   *
   * @param channel closed with the client
   * @param address what is called so to people, with the token
   */
  public ControlClient(ManagedChannel channel, Address address) {
    this.address = address;
    this.channel = channel;
    var headers = new Metadata();
    address
        .token()
        .ifPresent(token ->
            headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + token));
    var withToken =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    this.certification = new Service<>(CertificationServiceGrpc.newBlockingStub(withToken));
    this.rounds = new Service<>(RoundServiceGrpc.newBlockingStub(withToken));
    this.pacts = new Service<>(PactServiceGrpc.newBlockingStub(withToken));
    this.lexicon = new Service<>(LexiconServiceGrpc.newBlockingStub(withToken));
    this.identities = new Service<>(IdentityServiceGrpc.newBlockingStub(withToken));
    this.ledger = new Service<>(LedgerServiceGrpc.newBlockingStub(withToken));
  }

  /** Plans, audits, cores, sidecars. */
  public Service<CertificationServiceBlockingStub> certification() {
    return certification;
  }

  public Service<RoundServiceBlockingStub> rounds() {
    return rounds;
  }

  public Service<PactServiceBlockingStub> pacts() {
    return pacts;
  }

  /** Boards of coined terms. */
  public Service<LexiconServiceBlockingStub> lexicon() {
    return lexicon;
  }

  public Service<IdentityServiceBlockingStub> identities() {
    return identities;
  }

  /** The ledger, which wants no token. */
  public Service<LedgerServiceBlockingStub> ledger() {
    return ledger;
  }

  /**
   * One service of the control plane.
   *
   * @param <S> its calls
   */
  public final class Service<S extends AbstractBlockingStub<S>> {
    private final S stub;

    private Service(S stub) {
      this.stub = stub;
    }

    /** Calls once. */
    public <T> T ask(Function<S, T> call) throws CallRefused {
      return ask(CALL, call);
    }

    /** Calls once, with more or less time. */
    public <T> T ask(Duration limit, Function<S, T> call) throws CallRefused {
      return reply(
          limit, () -> call.apply(stub.withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)));
    }

    /**
     * Watches something, without a limit in time, until it has ended. A replica that goes away in
     * between is waited for, because another one takes over.
     *
     * @param what how it is called in a message
     * @param watch one call, which is told what was seen last
     * @param isLast takes each change, and says whether it is the last one
     */
    public <T> T follow(
        String what, BiFunction<S, Optional<T>, Iterator<T>> watch, Predicate<T> isLast)
        throws CallRefused {
      Optional<T> last = Optional.empty();
      for (int failures = 0; ; failures++) {
        try {
          Iterator<T> changes = watch.apply(stub, last);
          while (changes.hasNext()) {
            last = Optional.of(changes.next());
            failures = 0;
            if (isLast.test(last.get())) {
              return last.get();
            }
          }
        } catch (StatusRuntimeException e) {
          CallRefused refused = refused(CALL, e);
          if (!refused.isUnavailable() || failures == MAX_RETRIES || channel.isShutdown()) {
            throw refused;
          }
        }
        if (failures >= MAX_RETRIES) {
          throw new CallRefused(
              Why.UNAVAILABLE, "the control plane does not say how the " + what + " goes on");
        }
        pause();
      }
    }
  }

  private static void pause() throws CallRefused {
    try {
      Thread.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallRefused(Why.OTHER, "interrupted");
    }
  }

  private <T> T reply(Duration limit, Supplier<T> call) throws CallRefused {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw refused(limit, e);
    }
  }

  private CallRefused refused(Duration limit, StatusRuntimeException failure) {
    Why why =
        switch (failure.getStatus().getCode()) {
          case NOT_FOUND -> Why.NOT_FOUND;
          case UNAVAILABLE -> Why.UNAVAILABLE;
          default -> Why.OTHER;
        };
    return new CallRefused(why, describe(limit, failure));
  }

  private String describe(Duration limit, StatusRuntimeException failure) {
    Status status = failure.getStatus();
    // a control plane gives every refusal of its own a reason; the transport's have none
    boolean answered = failure.getTrailers() != null && failure.getTrailers().containsKey(REASON);
    String where = "the control plane at " + address.shown();
    String description = status.getDescription();
    // the transport's own words for a connection that could not be had
    boolean saysNothing = description == null || description.equals("io exception");
    String said = saysNothing ? "" : ": " + description;
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
                  address.transport() instanceof Transport.Tls
                      ? " It was asked over TLS; --ca names who is to be trusted"
                      : "");
      case UNAUTHENTICATED, PERMISSION_DENIED ->
          ("%s refused the token; use operator.token of the data folder it runs with "
                  + "(--data-dir or --token-file)")
              .formatted(where);
      case DEADLINE_EXCEEDED -> where + " did not answer within " + limit.toSeconds() + " s";
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
