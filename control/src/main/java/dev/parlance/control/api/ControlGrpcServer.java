package dev.parlance.control.api;

import dev.parlance.client.ControlClient;
import dev.parlance.control.certify.Audits;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.control.certify.ReviewRecorder;
import dev.parlance.control.certify.api.Plans;
import dev.parlance.control.config.AuthoritySettings;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.identity.MeshAuthority;
import dev.parlance.control.lexicon.BoardRegistry;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.pact.PactRegistry;
import dev.parlance.control.publish.AttachHub;
import dev.parlance.control.round.RoundCoordinator;
import dev.parlance.control.store.Store;
import dev.parlance.proto.v1.AttachServiceGrpc;
import dev.parlance.proto.v1.CertificationServiceGrpc;
import dev.parlance.proto.v1.IdentityServiceGrpc;
import dev.parlance.proto.v1.LedgerServiceGrpc;
import dev.parlance.proto.v1.LexiconServiceGrpc;
import dev.parlance.proto.v1.PactServiceGrpc;
import dev.parlance.proto.v1.RoundServiceGrpc;
import dev.parlance.service.identity.Pem;
import dev.parlance.service.identity.ReloadedSslContext;
import dev.parlance.service.identity.ServiceAccountTokens;
import dev.parlance.service.identity.SvidTrustManager;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** The gRPC listener with its services, health and reflection. */
public final class ControlGrpcServer implements AutoCloseable {
  /** Most bytes of a request: a plan with its events. */
  static final int MAX_REQUEST_BYTES = 64 << 20;

  private static final int MAX_METADATA_BYTES = 16_384;
  private static final int MOST_CALLS = 256;
  private static final int WINDOW_BYTES = 1 << 20;
  private static final int KEEPALIVE_S = 30;
  private static final int LEAST_KEEPALIVE_S = 10;
  private static final int LEAST_THREADS = 16;
  private static final int THREADS_PER_CORE = 4;
  private static final int WATCH_MS = 200;
  private static final int DRAIN_S = 10;

  private final Optional<ReloadedSslContext> tls;
  private final Server server;
  private final HealthStatusManager health;
  private final ExecutorService workers;
  private final ScheduledExecutorService timer;
  private final Optional<OwnServer> own;
  private final AtomicBoolean draining = new AtomicBoolean();

  private ControlGrpcServer(
      Server server,
      HealthStatusManager health,
      ExecutorService workers,
      ScheduledExecutorService timer,
      Optional<ReloadedSslContext> tls,
      Optional<OwnServer> own) {
    this.tls = tls;
    this.own = own;
    this.server = server;
    this.health = health;
    this.workers = workers;
    this.timer = timer;
  }

  /**
   * What the services work with.
   *
   * @param accounts reviews the tokens of service accounts; empty outside of a cluster
   * @param aliveFor how long a sidecar counts as attached after its last sign of life
   * @param helloMs how long a sidecar has for its Hello
   */
  public record Parts(
      Store store,
      Plans plans,
      Audits audits,
      RoundCoordinator rounds,
      PactRegistry pacts,
      BoardRegistry boards,
      LedgerWriter ledger,
      ReviewRecorder reviews,
      MeshAuthority authority,
      Optional<ServiceAccountTokens> accounts,
      AttachHub hub,
      ControlMetrics metrics,
      AttachSecret attachSecret,
      OperatorToken operatorToken,
      Duration aliveFor,
      int helloMs) {}

  /**
   * Listens.
   *
   * @throws IOException if the address is taken or a TLS file cannot be used
   */
  public static ControlGrpcServer open(ControlConfig config, Parts parts) throws IOException {
    int threads =
        Math.max(LEAST_THREADS, THREADS_PER_CORE * Runtime.getRuntime().availableProcessors());
    // Calls wait for the store; platform threads, because its drivers pin virtual ones.
    ExecutorService workers =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon(true).name("grpc-", 0).factory());
    ScheduledExecutorService timer =
        Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().daemon(true).name("grpc-timer-", 0).factory());
    HealthStatusManager health = new HealthStatusManager();
    AgentTokens agents =
        new AgentTokens(parts.attachSecret(), parts.store(), parts.aliveFor(), config.identity());
    List<ServerServiceDefinition> services = services(config, parts, agents, timer);
    Optional<ReloadedSslContext> tls = Optional.empty();
    Optional<OwnServer> own = Optional.empty();
    boolean started = false;
    try {
      NettyServerBuilder builder =
          NettyServerBuilder.forAddress(
                  new InetSocketAddress(config.grpc().host(), config.grpc().port()))
              .executor(workers)
              .maxInboundMessageSize(MAX_REQUEST_BYTES)
              .maxInboundMetadataSize(MAX_METADATA_BYTES)
              .maxConcurrentCallsPerConnection(MOST_CALLS)
              .flowControlWindow(WINDOW_BYTES)
              .keepAliveTime(KEEPALIVE_S, TimeUnit.SECONDS)
              .keepAliveTimeout(LEAST_KEEPALIVE_S, TimeUnit.SECONDS)
              .permitKeepAliveTime(LEAST_KEEPALIVE_S, TimeUnit.SECONDS)
              .permitKeepAliveWithoutCalls(true)
              .addService(health.getHealthService())
              .addService(ProtoReflectionServiceV1.newInstance())
              .addServices(services);
      if (config.tls().isPresent()) {
        tls = Optional.of(tls(config.tls().get(), config.identity(), parts.authority()));
        builder.sslContext(tls.get());
      }
      if (config.console().isPresent()) {
        own = Optional.of(OwnServer.start(services, workers));
      }
      Server server = builder.build().start();
      started = true;
      return new ControlGrpcServer(server, health, workers, timer, tls, own);
    } finally {
      if (!started) {
        workers.shutdownNow();
        timer.shutdownNow();
        tls.ifPresent(ReloadedSslContext::close);
        own.ifPresent(OwnServer::close);
      }
    }
  }

  private static List<ServerServiceDefinition> services(
      ControlConfig config, Parts parts, AgentTokens agents, ScheduledExecutorService timer) {
    return List.of(
        new LedgerApi(parts.ledger()).bindService(),
        ServerInterceptors.intercept(
            new CertificationApi(
                parts.store(), parts.plans(), parts.audits(), parts.aliveFor(), timer, WATCH_MS),
            BearerAuth.operator(parts.operatorToken())),
        ServerInterceptors.intercept(
            RequestLimit.limit(
                new AttachApi(
                        parts.hub(),
                        parts.reviews(),
                        agents,
                        parts.metrics(),
                        timer,
                        parts.helloMs(),
                        parts.boards().groups(),
                        parts.authority(),
                        config.console().isPresent())
                    .bindService(),
                AttachApi.MAX_REQUEST_BYTES),
            BearerAuth.any(parts.authority())),
        ServerInterceptors.intercept(
            RequestLimit.limit(
                new RoundApi(parts.rounds(), parts.operatorToken(), agents).bindService(),
                RoundApi.MAX_REQUEST_BYTES),
            BearerAuth.any(parts.authority())),
        ServerInterceptors.intercept(
            RequestLimit.limit(
                new PactApi(parts.pacts(), parts.operatorToken(), agents, timer, WATCH_MS)
                    .bindService(),
                PactApi.MAX_REQUEST_BYTES),
            BearerAuth.any(parts.authority())),
        ServerInterceptors.intercept(
            RequestLimit.limit(
                new IdentityApi(
                        config.identity(),
                        parts.authority(),
                        parts.attachSecret(),
                        parts.operatorToken(),
                        parts.accounts(),
                        parts.metrics())
                    .bindService(),
                IdentityApi.MAX_REQUEST_BYTES),
            BearerAuth.any(parts.authority())),
        ServerInterceptors.intercept(
            RequestLimit.limit(
                new LexiconApi(parts.boards(), parts.operatorToken(), agents, timer, WATCH_MS)
                    .bindService(),
                LexiconApi.MAX_REQUEST_BYTES),
            BearerAuth.any(parts.authority())));
  }

  private static ReloadedSslContext tls(
      TlsFiles files, AuthoritySettings identities, MeshAuthority authority) throws IOException {
    return ReloadedSslContext.open(
        files.cert(),
        files.key(),
        files.clientCa(),
        TlsFiles.LOOK_MS,
        (server, clientCa) -> {
          GrpcSslContexts.configure(server);
          Optional<X509TrustManager> clients = clientCa.map(ControlGrpcServer::believing);
          if (identities.believes()) {
            server
                .trustManager(new SvidTrustManager(() -> authority.inForce().trust(), clients))
                .clientAuth(clients.isPresent() ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL);
          } else {
            clients.ifPresent(ca -> server.trustManager(ca).clientAuth(ClientAuth.REQUIRE));
          }
          return server;
        });
  }

  /** Believes clients of these authorities. */
  private static X509TrustManager believing(InputStream pem) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      int next = 0;
      for (X509Certificate one : Pem.certificates(pem.readAllBytes())) {
        store.setCertificateEntry("ca" + next++, one);
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      return (X509TrustManager) factory.getTrustManagers()[0];
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException("clientCa cannot be used: " + e.getMessage(), e);
    }
  }

  /** The port that is bound. */
  public int port() {
    return server.getPort();
  }

  /** A client of this very process, with the operators' token; only where there is a console. */
  public ControlClient ownClient(OperatorToken token) {
    return own.orElseThrow(() -> new IllegalStateException("there is no console")).client(token);
  }

  /** Says to whoever asks whether calls can be served. */
  public void serving(boolean isServing) {
    ServingStatus status = isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    for (String service :
        List.of(
            HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
            AttachServiceGrpc.SERVICE_NAME,
            CertificationServiceGrpc.SERVICE_NAME,
            IdentityServiceGrpc.SERVICE_NAME,
            LedgerServiceGrpc.SERVICE_NAME,
            LexiconServiceGrpc.SERVICE_NAME,
            PactServiceGrpc.SERVICE_NAME,
            RoundServiceGrpc.SERVICE_NAME)) {
      health.setStatus(service, status);
    }
  }

  /** Takes no new calls; those under way go on. */
  public void drain() {
    if (draining.compareAndSet(false, true)) {
      health.enterTerminalState();
      server.shutdown();
    }
  }

  /** Waits for the calls under way, for a bounded time. */
  @Override
  public void close() {
    drain();
    try {
      if (!server.awaitTermination(DRAIN_S, TimeUnit.SECONDS)) {
        server.shutdownNow();
        server.awaitTermination(DRAIN_S, TimeUnit.SECONDS);
      }
    } catch (InterruptedException _) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    own.ifPresent(OwnServer::close);
    workers.shutdownNow();
    timer.shutdownNow();
    tls.ifPresent(ReloadedSslContext::close);
  }

  /**
   * A service whose requests are smaller than the server as a whole allows: plans are large, what
   * sidecars say is not. A message is measured before it is parsed.
   */
  static final class RequestLimit {
    private RequestLimit() {}

    /** The same service with a limit on its requests. */
    static ServerServiceDefinition limit(ServerServiceDefinition service, int maxBytes) {
      return ServerInterceptors.intercept(
          ServerInterceptors.useInputStreamMessages(service), new Limit(maxBytes));
    }

    private record Limit(int maxBytes) implements ServerInterceptor {
      @Override
      public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
          ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
        return new SimpleForwardingServerCallListener<ReqT>(next.startCall(call, headers)) {
          private boolean isOver;

          @Override
          public void onMessage(ReqT message) {
            if (isOver) {
              return;
            }
            int bytes = length(message);
            if (bytes <= maxBytes) {
              super.onMessage(message);
              return;
            }
            isOver = true;
            call.close(
                Status.RESOURCE_EXHAUSTED.withDescription(
                    "message_too_large: got " + bytes + " bytes, expected at most " + maxBytes),
                GrpcErrors.reason("message_too_large"));
          }

          @Override
          public void onHalfClose() {
            if (!isOver) { // the call is closed already, and a unary one would close it again
              super.onHalfClose();
            }
          }
        };
      }

      /** Length of a whole message that has arrived. */
      private static int length(Object message) {
        if (!(message instanceof InputStream stream)) {
          throw new IllegalStateException("expected a stream, got " + message.getClass());
        }
        try {
          return stream.available();
        } catch (IOException e) {
          throw new IllegalStateException("a message that has arrived cannot be measured", e);
        }
      }
    }
  }
}
