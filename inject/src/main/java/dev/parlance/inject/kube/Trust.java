package dev.parlance.inject.kube;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS that believes the given authorities and nobody else. */
final class Trust {
  private Trust() {}

  static SSLContext of(byte[] pem) throws IOException, GeneralSecurityException {
    Collection<? extends Certificate> authorities =
        CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
    if (authorities.isEmpty()) {
      throw new CertificateException("no certificate in the authorities' file");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    int number = 0;
    for (Certificate authority : authorities) {
      store.setCertificateEntry("ca" + number++, authority);
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
