package dev.parlance.control.http;

import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.service.http.SmallServer;
import dev.parlance.service.identity.ReloadedSslContext;
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
  private final Optional<ReloadedSslContext> tls;

  private PublicHttpServer(SmallServer server, Optional<ReloadedSslContext> tls) {
    this.server = server;
    this.tls = tls;
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
    Optional<ReloadedSslContext> tls = Optional.empty();
    if (config.tls().isPresent()) {
      TlsFiles files = config.tls().get();
      ReloadedSslContext now =
          ReloadedSslContext.open(
              files.cert(), files.key(), Optional.empty(), TlsFiles.LOOK_MS, (server, _) -> server);
      metrics.bindCertificate(now::notAfter);
      tls = Optional.of(now);
    }
    try {
      return new PublicHttpServer(
          new SmallServer(
              "control-http",
              new InetSocketAddress(config.http().host(), config.http().port()),
              new Pages(ledger, metrics, notReady),
              BOUNDS,
              tls.map(now -> () -> Optional.of(now)),
              Executors.newFixedThreadPool(
                  THREADS, Thread.ofPlatform().daemon(true).name("control-pages-", 0).factory())),
          tls);
    } catch (IOException e) {
      tls.ifPresent(ReloadedSslContext::close);
      throw e;
    }
  }

  /** The port that is bound. */
  public int port() {
    return server.address().getPort();
  }

  @Override
  public void close() {
    server.close();
    tls.ifPresent(ReloadedSslContext::close);
  }
}
