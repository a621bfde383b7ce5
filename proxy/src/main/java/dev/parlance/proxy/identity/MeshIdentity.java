package dev.parlance.proxy.identity;

import dev.parlance.proxy.config.Inbound;
import dev.parlance.proxy.config.Outbound;
import dev.parlance.proxy.config.PeerRule;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.TlsMode;
import dev.parlance.proxy.destination.OriginSecurity;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.TlsPeer;
import dev.parlance.relay.api.TlsPolicy;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.SpiffePattern;
import dev.parlance.service.identity.Svid;
import dev.parlance.service.identity.SvidException;
import dev.parlance.service.identity.SvidException.Fault;
import dev.parlance.service.identity.SvidTrustManager;
import dev.parlance.service.identity.TrustBundles;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The identity in force, and what connections make of it. A new one takes the place of the old one
 * whole: handshakes that begin from then on use it, connections that there are go on until the
 * certificate of their peer expires. A session is resumed within one identity only, and its peer is
 * looked at again.
 */
public final class MeshIdentity implements OriginSecurity {
  private static final String EMPTY_CHAIN = "Empty client certificate chain";

  static {
    // Where TLS 1.2 is spoken: read once, when the first client of this process shakes hands.
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
  }

  private final Supplier<SidecarConfig> config;
  private final Denials denials;

  /** Connections that are open, by the certificate that their peer has shown. */
  private final Map<Channel, X509Certificate> open = new ConcurrentHashMap<>();

  private volatile Optional<InForce> inForce = Optional.empty();

  /** An identity with what is encrypted by it. */
  private record InForce(Svid svid, SslContext listener, SslContext http1, SslContext http2) {}

  /** Nobody yet. */
  public MeshIdentity(Supplier<SidecarConfig> config, Denials denials) {
    this.config = config;
    this.denials = denials;
  }

  /**
   * Takes an identity in the place of the one before.
   *
   * @throws CertificateException if it is none that is good now; then the one before stays
   */
  public void take(Svid svid, TrustBundles bundles) throws CertificateException {
    try {
      bundles.verify(svid.chain(), Instant.now());
    } catch (SvidException e) {
      if (e.fault() != Fault.NOT_YET_VALID) { // clocks differ a little
        throw e;
      }
    }
    try {
      SvidTrustManager trust = new SvidTrustManager(bundles);
      X509Certificate[] chain = svid.chain().toArray(X509Certificate[]::new);
      boolean permissive =
          config.get().listeners().inbound().map(Inbound::tls).orElse(TlsMode.STRICT)
              == TlsMode.PERMISSIVE;
      inForce =
          Optional.of(
              new InForce(
                  svid,
                  built(
                      SslContextBuilder.forServer(svid.key(), chain)
                          .clientAuth(permissive ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE),
                      trust,
                      ApplicationProtocolNames.HTTP_2,
                      ApplicationProtocolNames.HTTP_1_1),
                  built(
                      SslContextBuilder.forClient().keyManager(svid.key(), chain),
                      trust,
                      ApplicationProtocolNames.HTTP_1_1),
                  built(
                      SslContextBuilder.forClient().keyManager(svid.key(), chain),
                      trust,
                      ApplicationProtocolNames.HTTP_2)));
    } catch (SSLException e) {
      throw new CertificateException("nothing can be encrypted with it: " + e.getMessage(), e);
    }
  }

  private SslContext built(SslContextBuilder builder, SvidTrustManager trust, String... protocols)
      throws SSLException {
    return builder
        .sslProvider(SslProvider.JDK)
        .trustManager(trust)
        .endpointIdentificationAlgorithm(null) // SPIFFE ids, see SvidTrustManager
        .protocols(
            config.get().identity().tls12() ? List.of("TLSv1.3", "TLSv1.2") : List.of("TLSv1.3"))
        .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.FATAL_ALERT,
                SelectedListenerFailureBehavior.FATAL_ALERT,
                protocols))
        .build();
  }

  /** Who this sidecar is. */
  public Optional<Svid> svid() {
    return inForce.map(InForce::svid);
  }

  /** Why new connections cannot be encrypted, if they cannot. */
  public Optional<String> failure() {
    if (inForce.isEmpty()) {
      return Optional.of("there is no identity yet (identity)");
    }
    Svid svid = inForce.get().svid();
    return svid.notAfter().isBefore(Instant.now())
        ? Optional.of("the identity " + svid + " has expired")
        : Optional.empty();
  }

  /**
   * The identity that is in force now, for listeners of another configuration: those of a warm-up.
   */
  public MeshIdentity now(Supplier<SidecarConfig> other) {
    MeshIdentity same = new MeshIdentity(other, denials);
    same.inForce = inForce;
    return same;
  }

  /** What the inbound listener does. */
  public TlsPolicy ofListener(TlsMode mode) {
    return new Listener(mode);
  }

  @Override
  public Optional<Destination> secured(SidecarConfig now, Destination to, RouteRule rule) {
    TlsMode mode = now.listeners().outbound().map(Outbound::tls).orElse(TlsMode.OFF);
    List<SpiffePattern> ids = now.identity().idsOf(to.host(), to.port());
    boolean named = !ids.isEmpty() || !rule.allow().anonymous();
    if (mode.encrypts() && named) {
      return Optional.of(to.over(new Origin(this, to.protocol(), ids, rule.allow())));
    }
    return mode == TlsMode.STRICT || !rule.allow().anonymous() ? Optional.empty() : Optional.of(to);
  }

  private TlsPeer peer(SSLSession session, SpiffeId id) throws TlsPolicy.PeerRefused {
    X509Certificate leaf = leaf(session).orElseThrow();
    if (leaf.getNotAfter().toInstant().isBefore(Instant.now())) {
      throw new TlsPolicy.PeerRefused(Fault.EXPIRED.code(), id + " has expired");
    }
    if (denials.has(config.get().identity(), id, leaf)) {
      throw new TlsPolicy.PeerRefused("denied", id + " is denied");
    }
    return new TlsPeer(
        Optional.of(id.toString()),
        serverName(session),
        leaf.getNotAfter().toInstant().toEpochMilli());
  }

  /** Closes the connections of peers that are denied by now. */
  public void closeDenied() {
    open.forEach(this::closeIfDenied);
  }

  private void closeIfDenied(Channel channel, X509Certificate leaf) {
    try {
      if (denials.has(config.get().identity(), id(leaf), leaf)) {
        ChannelFuture _ = channel.close();
      }
    } catch (TlsPolicy.PeerRefused _) {
      ChannelFuture _ = channel.close(); // what is no SVID was not identified
    }
  }

  /** A denial that comes between handshake and here is not missed. */
  private void opened(Channel channel, SSLSession session) {
    Optional<X509Certificate> leaf = leaf(session);
    if (leaf.isPresent()) {
      open.put(channel, leaf.get());
      channel.closeFuture().addListener(_ -> open.remove(channel));
      closeIfDenied(channel, leaf.get());
    }
  }

  private static Optional<X509Certificate> leaf(SSLSession session) {
    try {
      return session.getPeerCertificates()[0] instanceof X509Certificate leaf
          ? Optional.of(leaf)
          : Optional.empty();
    } catch (SSLPeerUnverifiedException _) {
      return Optional.empty(); // a client that has shown none, where it may
    }
  }

  private static SpiffeId id(X509Certificate leaf) throws TlsPolicy.PeerRefused {
    try {
      return Svid.idOf(leaf);
    } catch (SvidException e) {
      throw new TlsPolicy.PeerRefused(e.fault().code(), String.valueOf(e.getMessage()));
    }
  }

  private static Optional<String> serverName(SSLSession session) {
    return session instanceof ExtendedSSLSession extended
        ? extended.getRequestedServerNames().stream()
            .filter(SNIHostName.class::isInstance)
            .map(name -> ((SNIHostName) name).getAsciiName())
            .findFirst()
        : Optional.empty();
  }

  /** The code of a failed handshake: what the trust manager said, if it did. */
  private static String failure(Throwable failed) {
    for (Throwable at = failed; at != null; at = at.getCause()) {
      if (at instanceof SvidException svid) {
        return svid.fault().code();
      }
      if (at instanceof SSLException && String.valueOf(at.getMessage()).endsWith(EMPTY_CHAIN)) {
        return "no_certificate";
      }
    }
    return "handshake";
  }

  /** Clients of the inbound listener. */
  private final class Listener implements TlsPolicy {
    private final TlsMode mode;

    private Listener(TlsMode mode) {
      this.mode = mode;
    }

    @Override
    public Optional<SslContext> context() {
      return inForce.map(InForce::listener);
    }

    @Override
    public boolean allowsClearText() {
      return mode == TlsMode.PERMISSIVE;
    }

    @Override
    public TlsPeer identify(SSLSession session) throws PeerRefused {
      Optional<X509Certificate> leaf = leaf(session);
      return leaf.isPresent()
          ? peer(session, id(leaf.get()))
          : new TlsPeer(Optional.empty(), serverName(session), Long.MAX_VALUE);
    }

    @Override
    public void opened(Channel channel, SSLSession session) {
      MeshIdentity.this.opened(channel, session);
    }

    @Override
    public String failure(Throwable cause) {
      return MeshIdentity.failure(cause);
    }
  }

  /**
   * An origin.
   *
   * @param ids who may answer for its name; empty if the route alone says so
   * @param allow who may be called on the route
   */
  private record Origin(
      MeshIdentity identity, HttpProtocol protocol, List<SpiffePattern> ids, PeerRule allow)
      implements TlsPolicy {
    @Override
    public Optional<SslContext> context() {
      return identity.inForce.map(now ->
          switch (protocol) {
            case HTTP1 -> now.http1();
            case HTTP2 -> now.http2();
          });
    }

    @Override
    public TlsPeer identify(SSLSession session) throws PeerRefused {
      SpiffeId id = id(leaf(session).orElseThrow());
      boolean meant = ids.isEmpty() || ids.stream().anyMatch(pattern -> pattern.matches(id));
      if (!meant || !allow.matches(Optional.of(id))) {
        throw new PeerRefused("wrong_peer", id + " is not who is meant");
      }
      return identity.peer(session, id);
    }

    @Override
    public void opened(Channel channel, SSLSession session) {
      identity.opened(channel, session);
    }

    @Override
    public String failure(Throwable cause) {
      return MeshIdentity.failure(cause);
    }
  }
}
