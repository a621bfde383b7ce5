package dev.parlance.proxy.control;

import static org.awaitility.Awaitility.await;

import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.AttachResponse;
import dev.parlance.proto.v1.AttachServiceGrpc;
import dev.parlance.proto.v1.BoardPush;
import dev.parlance.proto.v1.CorePush;
import dev.parlance.proto.v1.LexiconGroup;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.SignedBoard;
import dev.parlance.proto.v1.SignedCore;
import dev.parlance.proto.v1.Welcome;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A control plane that does what a test says: also lie, be silent, or come and go. */
public final class FakeControlPlane implements AutoCloseable {
  /** One attached sidecar. */
  public static final class Attached {
    private final StreamObserver<AttachResponse> out;
    private final List<AttachRequest> said = new CopyOnWriteArrayList<>();
    private volatile boolean over;

    Attached(StreamObserver<AttachResponse> out) {
      this.out = out;
    }

    /** What the sidecar said so far. */
    public List<AttachRequest> said() {
      return said;
    }

    public boolean isOver() {
      return over;
    }

    synchronized void send(AttachResponse message) {
      out.onNext(message);
    }

    public void welcome() {
      send(
          AttachResponse.newBuilder()
              .setWelcome(Welcome.newBuilder().setReplica("r1").setReportIntervalMs(100))
              .build());
    }

    /** As above, with factions. */
    public void welcome(LexiconGroup.Builder... groups) {
      Welcome.Builder welcome = Welcome.newBuilder().setReplica("r1").setReportIntervalMs(100);
      for (LexiconGroup.Builder group : groups) {
        welcome.addGroups(group);
      }
      send(AttachResponse.newBuilder().setWelcome(welcome).build());
    }

    public void push(SignedBoard board) {
      send(AttachResponse.newBuilder().setBoard(BoardPush.newBuilder().setBoard(board)).build());
    }

    public void push(SignedCore core) {
      send(AttachResponse.newBuilder().setCore(CorePush.newBuilder().setCore(core)).build());
    }

    public void ask(Question question) {
      send(AttachResponse.newBuilder().setQuestion(question).build());
    }

    public synchronized void end() {
      out.onCompleted();
    }

    public synchronized void fail(Status status) {
      out.onError(status.asRuntimeException());
    }

    /** Waits for something that the sidecar says. */
    public AttachRequest await(Predicate<AttachRequest> what) {
      FakeControlPlane.awaiting().until(() -> said.stream().anyMatch(what));
      return said.stream().filter(what).findFirst().orElseThrow();
    }
  }

  private final Server server;
  private final int port;
  private final List<Attached> attached = new CopyOnWriteArrayList<>();
  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private volatile Consumer<Attached> greeting = Attached::welcome;

  public FakeControlPlane() throws IOException {
    this(0);
  }

  public FakeControlPlane(int wanted, BindableService... others) throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted))
            .addService(new Service());
    for (BindableService other : others) {
      builder.addService(other);
    }
    server = builder.intercept(new Tokens()).build().start();
    this.port = server.getPort();
  }

  public static org.awaitility.core.ConditionFactory awaiting() {
    return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(10));
  }

  /** What is done with Hello instead of a Welcome. */
  public void greet(Consumer<Attached> with) {
    greeting = with;
  }

  public int port() {
    return port;
  }

  /** All streams, the oldest first. */
  public List<Attached> attached() {
    return attached;
  }

  public List<String> tokens() {
    return tokens;
  }

  /** Waits until there were this many streams; the last of them. */
  public Attached stream(int count) {
    awaiting().until(() -> attached.size() >= count);
    return attached.get(count - 1);
  }

  private final class Service extends AttachServiceGrpc.AttachServiceImplBase {
    @Override
    public StreamObserver<AttachRequest> attach(StreamObserver<AttachResponse> out) {
      Attached sidecar = new Attached(out);
      return new StreamObserver<>() {
        @Override
        public void onNext(AttachRequest message) {
          sidecar.said.add(message);
          if (message.hasHello()) {
            // who finds the stream may push at once, and nothing may come before the welcome
            greeting.accept(sidecar);
            attached.add(sidecar);
          }
        }

        @Override
        public void onError(Throwable failure) {
          sidecar.over = true;
        }

        @Override
        public void onCompleted() {
          sidecar.over = true;
          sidecar.end();
        }
      };
    }
  }

  private final class Tokens implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
      tokens.add(
          String.valueOf(
              metadata.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER))));
      return next.startCall(call, metadata);
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
