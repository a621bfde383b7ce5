package dev.parlance.proxy.identity;

import dev.parlance.service.identity.TrustBundles;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Believes X.509-SVIDs. Names of hosts are not looked at: what a name stands for says the
 * configuration, and it is checked behind the handshake ({@link MeshIdentity}).
 */
final class SvidTrustManager extends X509ExtendedTrustManager {
  private final TrustBundles bundles;

  SvidTrustManager(TrustBundles bundles) {
    this.bundles = bundles;
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    bundles.verify(List.of(chain), Instant.now());
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    check(chain);
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
