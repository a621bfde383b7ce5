package dev.parlance.proxy.main;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.IdentitySettings.Source;
import dev.parlance.proxy.config.Inbound;
import dev.parlance.proxy.config.Outbound;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.TlsMode;
import dev.parlance.proxy.config.file.ConfigHolder;
import dev.parlance.proxy.control.PushedTrust;
import dev.parlance.proxy.control.api.IssuedIdentity;
import dev.parlance.proxy.control.api.WorkloadApi;
import dev.parlance.proxy.identity.Denials;
import dev.parlance.proxy.identity.MeshIdentity;
import dev.parlance.proxy.metrics.IdentityMetrics;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.TlsPolicy;
import dev.parlance.service.identity.IdentityFiles;
import dev.parlance.service.identity.Svid;
import dev.parlance.service.identity.TrustBundles;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The identity among the sidecar's parts: where it comes from, and who is told of it. */
@SuppressWarnings("try") // what a source throws is for whoever closes all parts
final class IdentityParts implements AutoCloseable, PushedTrust.Listener {
  private static final Logger log = LoggerFactory.getLogger(IdentityParts.class);
  private static final int LOOK_MS = 1_000;

  private final MeshIdentity identity;
  private final IdentityMetrics metrics;
  private final SidecarConfig config;
  private Optional<AutoCloseable> source = Optional.empty();

  private IdentityParts(SidecarConfig config, MeshIdentity identity, IdentityMetrics metrics) {
    this.config = config;
    this.identity = identity;
    this.metrics = metrics;
  }

  /** The identity, if there is a source of one; looked for once already. */
  static Optional<IdentityParts> open(
      SidecarConfig config,
      ConfigHolder holder,
      Denials denials,
      SidecarMetrics metrics,
      String version) {
    return config
        .identity()
        .source()
        .map(source -> {
          MeshIdentity identity = new MeshIdentity(holder::current, denials);
          IdentityParts parts =
              new IdentityParts(config, identity, metrics.identity(identity::svid, denials::size));
          parts.source = Optional.of(parts.started(source, version));
          // Connections of peers that a new file denies are closed.
          holder.addListener((_, _) -> identity.closeDenied());
          return parts;
        });
  }

  /** An identity that comes from nowhere and stays. */
  static IdentityParts of(SidecarConfig config, MeshIdentity identity, SidecarMetrics metrics) {
    return new IdentityParts(config, identity, metrics.identity(identity::svid, () -> 0));
  }

  private AutoCloseable started(Source source, String version) {
    return switch (source) {
      case Source.Files(IdentityFiles.Paths paths) ->
          IdentityFiles.start(paths, LOOK_MS, this::take, this::refused);
      case Source.WorkloadApi(Path socket) -> WorkloadApi.start(socket, this::take, this::refused);
      case Source.ControlPlane(Optional<Path> tokenFile) ->
          IssuedIdentity.start(
              config.control().orElseThrow(), tokenFile, version, this::take, this::refused);
    };
  }

  private void take(Svid svid, TrustBundles bundles) throws CertificateException {
    identity.take(svid, bundles);
    metrics.update("taken");
    log.atInfo()
        .addKeyValue("id", svid.id())
        .addKeyValue("notAfter", svid.notAfter())
        .log("identity in force");
  }

  private void refused(String why) {
    metrics.update("refused");
    log.atWarn().addKeyValue("why", why).log("an identity is not taken, the one in force stays");
  }

  /** Whom the mesh believes has changed; who is denied is known already. */
  @Override
  public void trusted(PushedTrust trust) {
    if (source.orElseThrow() instanceof IssuedIdentity issued) {
      issued.trusted(trust);
    }
    identity.closeDenied();
  }

  MeshIdentity identity() {
    return identity;
  }

  /** What the inbound listener does with TLS, if it does anything. */
  Optional<TlsPolicy> ofListener() {
    return mode(Direction.INBOUND).filter(TlsMode::encrypts).map(identity::ofListener);
  }

  private Optional<TlsMode> mode(Direction direction) {
    return switch (direction) {
      case INBOUND -> config.listeners().inbound().map(Inbound::tls);
      case OUTBOUND -> config.listeners().outbound().map(Outbound::tls);
    };
  }

  /** What counts connections to origins: those of the outbound listener, if it encrypts. */
  static RelayEvents ofOrigins(Optional<IdentityParts> parts, Direction direction) {
    return parts
        .filter(_ -> direction == Direction.OUTBOUND)
        .filter(one -> one.mode(direction).filter(TlsMode::encrypts).isPresent())
        .<RelayEvents>map(one ->
            new RelayEvents() {
              @Override
              public void handshake(String result) {
                one.connection(direction, result);
              }
            })
        .orElse(RelayEvents.NOOP);
  }

  void connection(Direction direction, String result) {
    metrics.connection(direction, result);
  }

  /** Why connections cannot be encrypted that have to be. */
  List<String> notReady() {
    return mode(Direction.INBOUND).filter(TlsMode::encrypts).isPresent()
            || mode(Direction.OUTBOUND).filter(TlsMode::encrypts).isPresent()
        ? identity.failure().stream().toList()
        : List.of();
  }

  @Override
  public void close() throws Exception {
    if (source.isPresent()) {
      source.get().close();
    }
  }
}
