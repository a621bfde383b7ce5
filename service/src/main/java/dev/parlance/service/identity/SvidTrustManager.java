package dev.parlance.service.identity;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Believes X.509-SVIDs. Names of hosts are not looked at: what a name stands for says the
 * configuration, and it is checked behind the handshake.
 */
public final class SvidTrustManager extends X509ExtendedTrustManager {
  private final Supplier<TrustBundles> bundles;
  private final Optional<X509TrustManager> clients;

  /** Believes what these bundles vouch for. */
  public SvidTrustManager(TrustBundles bundles) {
    this(() -> bundles, Optional.empty());
  }

  /**
   * Believes what the bundles of the moment vouch for.
   *
   * @param clients believes further clients, which show no SVID
   */
  public SvidTrustManager(Supplier<TrustBundles> bundles, Optional<X509TrustManager> clients) {
    this.bundles = bundles;
    this.clients = clients;
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    bundles.get().verify(List.of(chain), Instant.now());
  }

  private void checkClient(X509Certificate[] chain, String authType) throws CertificateException {
    try {
      check(chain);
    } catch (CertificateException e) {
      if (clients.isEmpty()) {
        throw e;
      }
      clients.get().checkClientTrusted(chain, authType);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    checkClient(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    checkClient(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    checkClient(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
