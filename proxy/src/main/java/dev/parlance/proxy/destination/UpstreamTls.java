package dev.parlance.proxy.destination;

import dev.parlance.relay.api.TlsPeer;
import dev.parlance.relay.api.TlsPolicy;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS towards upstreams, which show by a certificate that they have their name. */
final class UpstreamTls implements TlsPolicy {
  private static final Logger log = LoggerFactory.getLogger(UpstreamTls.class);
  private static final Map<Optional<Path>, UpstreamTls> MADE = new ConcurrentHashMap<>();

  private final Optional<SslContext> context;

  private UpstreamTls(Optional<SslContext> context) {
    this.context = context;
  }

  /**
   * The one that believes these certificates, read once.
   *
   * @param ca as PEM; empty for those that the Java runtime believes
   */
  static UpstreamTls of(Optional<Path> ca) {
    return MADE.computeIfAbsent(ca, UpstreamTls::make);
  }

  private static UpstreamTls make(Optional<Path> ca) {
    try {
      SslContextBuilder builder =
          SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
      ca.ifPresent(file -> builder.trustManager(file.toFile()));
      return new UpstreamTls(Optional.of(builder.build()));
    } catch (SSLException | IllegalArgumentException e) {
      log.atError()
          .addKeyValue("upstreamCa", ca.map(Path::toString).orElse(""))
          .setCause(e)
          .log("an upstream's certificates cannot be read: it cannot be asked");
      return new UpstreamTls(Optional.empty());
    }
  }

  @Override
  public Optional<SslContext> context() {
    return context;
  }

  @Override
  public TlsPeer identify(SSLSession session) {
    return new TlsPeer(Optional.empty(), Optional.empty(), Long.MAX_VALUE);
  }
}
