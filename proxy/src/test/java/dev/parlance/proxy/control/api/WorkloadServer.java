package dev.parlance.proxy.control.api;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of the SPIFFE Workload API over a Unix socket, written from its specification: messages
 * are put together byte by byte, so that a wrong field number of ours is seen.
 */
@SuppressWarnings("try")
final class WorkloadServer implements AutoCloseable {
  private static final Metadata.Key<String> SECURITY_HEADER =
      Metadata.Key.of("workload.spiffe.io", Metadata.ASCII_STRING_MARSHALLER);
  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private final Path socket;
  private final EventLoopGroup io = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Server server;
  private final List<ServerCall<byte[], byte[]>> open = new CopyOnWriteArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile byte[] now;

  private WorkloadServer(Path socket, byte[] first) throws IOException {
    this.socket = socket;
    this.now = first;
    Files.deleteIfExists(socket);
    MethodDescriptor<byte[], byte[]> fetch =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
            .setFullMethodName("SpiffeWorkloadAPI/FetchX509SVID")
            .setRequestMarshaller(BYTES)
            .setResponseMarshaller(BYTES)
            .build();
    ServerCallHandler<byte[], byte[]> handler =
        (call, headers) -> {
          calls.incrementAndGet();
          if (!"true".equals(headers.get(SECURITY_HEADER))) {
            call.close(Status.INVALID_ARGUMENT.withDescription("no header"), new Metadata());
            return new ServerCall.Listener<>() {};
          }
          call.request(1);
          call.sendHeaders(new Metadata());
          call.sendMessage(now);
          open.add(call);
          return new ServerCall.Listener<>() {};
        };
    server =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(io)
            .workerEventLoopGroup(io)
            .addService(
                ServerServiceDefinition.builder("SpiffeWorkloadAPI")
                    .addMethod(fetch, handler)
                    .build())
            .build()
            .start();
  }

  static WorkloadServer start(Path socket, byte[] first) throws IOException {
    return new WorkloadServer(socket, first);
  }

  /** Sends this to whoever asks now or later. */
  void push(byte[] response) {
    now = response;
    open.forEach(call -> call.sendMessage(response));
  }

  /** Ends all calls. */
  void end(Status status) {
    open.forEach(call -> call.close(status, new Metadata()));
    open.clear();
  }

  int calls() {
    return calls.get();
  }

  @Override
  public void close() throws Exception {
    server.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    io.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    Files.deleteIfExists(socket);
  }

  // ---- messages, by the field numbers of the specification ----

  static byte[] response(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** {@code X509SVIDResponse.svids = 1}: id 1, chain 2, key 3, bundle 4, hint 5. */
  static byte[] svid(String id, byte[] chain, byte[] key, byte[] bundle) {
    return field(
        1,
        response(
            field(1, id.getBytes(StandardCharsets.UTF_8)),
            field(2, chain),
            field(3, key),
            field(4, bundle),
            field(5, "internal".getBytes(StandardCharsets.UTF_8))));
  }

  static byte[] svid(String id, X509Bundle svid) throws Exception {
    return svid(
        id,
        der(svid.getCertificatePath()),
        svid.getKeyPair().getPrivate().getEncoded(),
        der(svid.getRootCertificate()));
  }

  /** {@code X509SVIDResponse.federated_bundles = 3}: an entry of a map, key 1, value 2. */
  static byte[] federated(String domain, byte[] bundle) {
    return field(3, response(field(1, domain.getBytes(StandardCharsets.UTF_8)), field(2, bundle)));
  }

  static byte[] der(X509Certificate... certificates) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (X509Certificate one : certificates) {
      out.writeBytes(one.getEncoded());
    }
    return out.toByteArray();
  }

  /** A field of length-delimited bytes. */
  static byte[] field(int number, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(number << 3 | 2);
    int length = value.length;
    while (length > 0x7f) {
      out.write(length & 0x7f | 0x80);
      length >>= 7;
    }
    out.write(length);
    out.writeBytes(value);
    return out.toByteArray();
  }
}
