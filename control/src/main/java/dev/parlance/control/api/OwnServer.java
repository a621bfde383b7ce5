package dev.parlance.control.api;

import dev.parlance.client.ControlClient;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The services once more for callers in this process, without a socket: the console asks as an
 * operator's tools do, whatever certificates the network's listener wants to see.
 */
final class OwnServer implements AutoCloseable {
  private static final int CLOSE_S = 5;

  private final String name = InProcessServerBuilder.generateName();
  private final Server server;

  private OwnServer(List<ServerServiceDefinition> services, Executor workers) throws IOException {
    server =
        InProcessServerBuilder.forName(name)
            .executor(workers)
            .addServices(services)
            .build()
            .start();
  }

  /**
   * Serves them.
   *
   * @param workers belongs to the caller
   * @throws IOException if it cannot
   */
  static OwnServer start(List<ServerServiceDefinition> services, Executor workers)
      throws IOException {
    return new OwnServer(services, workers);
  }

  /** A client of them. */
  ControlClient client(OperatorToken token) {
    return new ControlClient(
        InProcessChannelBuilder.forName(name).build(),
        new ControlClient.Address(
            "localhost", 0, Optional.of(token.value()), new ControlClient.Transport.Plain()));
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(CLOSE_S, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
