package dev.parlance.proxy.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.proto.spiffe.SpiffeWorkloadAPIGrpc;
import dev.parlance.proto.spiffe.X509SVID;
import dev.parlance.proto.spiffe.X509SVIDRequest;
import dev.parlance.proto.spiffe.X509SVIDResponse;
import dev.parlance.proxy.control.Backoff;
import dev.parlance.service.identity.IdentityFiles;
import dev.parlance.service.identity.Pem;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.Svid;
import dev.parlance.service.identity.TrustBundles;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An identity from the SPIFFE Workload API: one call over a Unix socket whose server sends an
 * identity at once and with every change. When the call ends, for whatever reason, it is made again
 * after a pause; what was taken last stays meanwhile.
 */
public final class WorkloadApi implements AutoCloseable {
  private static final Metadata.Key<String> SECURITY_HEADER =
      Metadata.Key.of("workload.spiffe.io", Metadata.ASCII_STRING_MARSHALLER);
  private static final int MAX_MESSAGE_BYTES = 1 << 20;
  private static final int SHUTDOWN_MS = 2_000;

  private final IdentityFiles.Taker taker;
  private final Consumer<String> refused;
  private final Backoff backoff = new Backoff(ThreadLocalRandom.current());
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("parlance-identity").factory());
  private final EventLoopGroup io =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("parlance-identity-io", true), NioIoHandler.newFactory());
  private final ManagedChannel channel;
  private String complaint = "";

  @SuppressWarnings("NullAway") // how Netty is told to leave an option out
  private WorkloadApi(Path socket, IdentityFiles.Taker taker, Consumer<String> refused) {
    this.taker = taker;
    this.refused = refused;
    this.channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .overrideAuthority("localhost")
            .channelType(NioDomainSocketChannel.class)
            .eventLoopGroup(io)
            // gRPC asks for it, and Unix sockets have none.
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .executor(thread)
            .usePlaintext()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .disableServiceConfigLookUp()
            .disableRetry()
            .build();
  }

  /**
   * Begins to ask, in the background.
   *
   * @param taker is given each identity
   * @param refused told, once for each reason in a row, why there is none
   */
  public static WorkloadApi start(
      Path socket, IdentityFiles.Taker taker, Consumer<String> refused) {
    WorkloadApi api = new WorkloadApi(socket, taker, refused);
    api.thread.execute(api::ask);
    return api;
  }

  private void ask() {
    Metadata header = new Metadata();
    header.put(SECURITY_HEADER, "true");
    channel.resetConnectBackoff();
    SpiffeWorkloadAPIGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header))
        .fetchX509SVID(X509SVIDRequest.getDefaultInstance(), new Answers());
  }

  /** The answers to one call; all of it happens on the one thread. */
  private final class Answers implements StreamObserver<X509SVIDResponse> {
    @Override
    public void onNext(X509SVIDResponse response) {
      try {
        take(response);
        complaint = "";
        backoff.reset();
      } catch (CertificateException e) {
        complain(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void onError(Throwable cause) {
      Status status = Status.fromThrowable(cause);
      String detail = Optional.ofNullable(status.getDescription()).orElse("");
      again(detail.isEmpty() ? status.getCode().name() : status.getCode() + ": " + detail);
    }

    @Override
    public void onCompleted() {
      again("the server has ended the call");
    }

    private void again(String why) {
      if (!thread.isShutdown()) {
        complain(why);
        ScheduledFuture<?> _ =
            thread.schedule(WorkloadApi.this::ask, backoff.nextMs(), TimeUnit.MILLISECONDS);
      }
    }
  }

  private void complain(String why) {
    if (!why.equals(complaint)) {
      complaint = why;
      refused.accept("the Workload API gives no identity: " + why);
    }
  }

  private void take(X509SVIDResponse response) throws CertificateException {
    if (response.getSvidsCount() == 0) {
      throw new CertificateException("an answer without an identity");
    }
    X509SVID given = response.getSvids(0);
    List<X509Certificate> chain = Pem.der(given.getX509Svid().toByteArray());
    if (chain.isEmpty()) {
      throw new CertificateException("an identity without a certificate");
    }
    Svid svid =
        Svid.of(
            chain,
            Pem.pkcs8(given.getX509SvidKey().toByteArray(), chain.getFirst().getPublicKey()));
    if (!svid.id().toString().equals(given.getSpiffeId())) {
      throw new CertificateException("an identity under another id");
    }
    Map<String, Set<X509Certificate>> bundles = new HashMap<>();
    for (Map.Entry<String, ByteString> other : response.getFederatedBundlesMap().entrySet()) {
      SpiffeId domain =
          SpiffeId.parse(other.getKey())
              .filter(id -> id.path().isEmpty())
              .orElseThrow(() -> new CertificateException("a bundle of no trust domain"));
      bundles.put(domain.trustDomain(), bundle(other.getValue().toByteArray()));
    }
    bundles.put(svid.id().trustDomain(), bundle(given.getBundle().toByteArray()));
    taker.take(svid, new TrustBundles(bundles));
  }

  private static Set<X509Certificate> bundle(byte[] der) throws CertificateException {
    List<X509Certificate> authorities = Pem.der(der);
    if (authorities.isEmpty()) {
      throw new CertificateException("a bundle without authorities");
    }
    return new HashSet<>(authorities);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    thread.shutdownNow();
    io.shutdownGracefully(0, SHUTDOWN_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
  }
}
