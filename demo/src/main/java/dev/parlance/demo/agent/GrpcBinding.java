package dev.parlance.demo.agent;

import dev.parlance.demo.agent.HttpBindings.JsonRpc;
import io.a2a.server.ServerCallContext;
import io.a2a.server.requesthandlers.RequestHandler;
import io.a2a.spec.AgentCard;
import io.a2a.transport.grpc.handler.CallContextFactory;
import io.a2a.transport.grpc.handler.GrpcHandler;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.grpc.util.MutableHandlerRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Puts the SDK's own gRPC handler on a loopback port. */
final class GrpcBinding implements AutoCloseable {
  private static final long STOP_MS = 2_000;

  private final MutableHandlerRegistry services;
  private final Server server;

  private GrpcBinding(MutableHandlerRegistry services, Server server) {
    this.services = services;
    this.server = server;
  }

  /** Takes a free port; until the agent starts, every method is unknown there. */
  static GrpcBinding bind(Executor threads) throws IOException {
    MutableHandlerRegistry services = new MutableHandlerRegistry();
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .executor(threads)
            .fallbackHandlerRegistry(services)
            .build()
            .start();
    return new GrpcBinding(services, server);
  }

  int port() {
    return server.getPort();
  }

  void start(AgentCard card, RequestHandler requests, Executor threads) {
    services.addService(new Handler(card, requests, threads));
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(STOP_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Handler extends GrpcHandler {
    private final AgentCard card;
    private final RequestHandler requests;
    private final Executor threads;

    Handler(AgentCard card, RequestHandler requests, Executor threads) {
      this.card = card;
      this.requests = requests;
      this.threads = threads;
    }

    @Override
    protected RequestHandler getRequestHandler() {
      return requests;
    }

    @Override
    protected AgentCard getAgentCard() {
      return card;
    }

    @Override
    protected CallContextFactory getCallContextFactory() {
      return new CallContextFactory() {
        @Override
        public <V> ServerCallContext create(StreamObserver<V> observer) {
          return JsonRpc.caller();
        }
      };
    }

    @Override
    protected Executor getExecutor() {
      return threads;
    }
  }
}
