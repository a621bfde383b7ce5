package dev.parlance.control.http;

import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.service.http.SmallServer;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** The HTTP listener: public reads only. */
public final class PublicHttpServer implements AutoCloseable {
  private static final SmallServer.Bounds BOUNDS =
      new SmallServer.Bounds(1_024, SmallServer.Past.REFUSED, 4_096, 1, 30_000, 0);
  private static final int THREADS = 4;

  private final SmallServer server;

  private PublicHttpServer(SmallServer server) {
    this.server = server;
  }

  /**
   * Listens.
   *
   * @param notReady why this replica cannot serve; empty if it can
   * @throws IOException if the address is taken or a TLS file cannot be used
   */
  public static PublicHttpServer open(
      ControlConfig config,
      Supplier<Optional<LogReader>> ledger,
      ControlMetrics metrics,
      Supplier<List<String>> notReady)
      throws IOException {
    Optional<SslContext> tls = tls(config.tls());
    return new PublicHttpServer(
        new SmallServer(
            "control-http",
            new InetSocketAddress(config.http().host(), config.http().port()),
            new Pages(ledger, metrics, notReady),
            BOUNDS,
            tls.map(context -> () -> tls),
            Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().daemon(true).name("control-pages-", 0).factory())));
  }

  private static Optional<SslContext> tls(Optional<TlsFiles> files) throws IOException {
    if (files.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        SslContextBuilder.forServer(files.get().cert().toFile(), files.get().key().toFile())
            .build());
  }

  /** The port that is bound. */
  public int port() {
    return server.address().getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
