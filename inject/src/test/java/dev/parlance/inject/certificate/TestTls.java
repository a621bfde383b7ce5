package dev.parlance.inject.certificate;

import dev.parlance.service.identity.Authority;
import dev.parlance.service.identity.KeyMaterial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority for the tests' own servers, whose names are {@code localhost}. */
public final class TestTls {
  private final KeyMaterial authority =
      Authority.create("parlance-injector-ca", Instant.now(), Duration.ofDays(1));
  private final KeyMaterial server =
      Authority.server(
          authority, "parlance-injector", List.of("localhost"), Instant.now(), Duration.ofHours(1));

  /** PEM of the authority. */
  public String ca() {
    return KeyMaterial.pem(authority.chain());
  }

  /** Writes {@code tls.crt} and {@code tls.key} of a certificate for these names. */
  public void write(Path dir, Duration validity, String... names) throws IOException {
    KeyMaterial made =
        Authority.server(authority, "parlance-injector", List.of(names), Instant.now(), validity);
    Files.writeString(dir.resolve("tls.crt"), KeyMaterial.pem(made.chain()));
    Files.writeString(dir.resolve("tls.key"), KeyMaterial.pem(made.key()));
  }

  /** For a server. */
  public SSLContext context() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "server", server.key(), new char[0], server.chain().toArray(Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /** For a client that believes the authorities of a PEM text and nobody else. */
  public static SSLContext trusting(String pem) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    int number = 0;
    for (Certificate one : KeyMaterial.certificates(pem)) {
      store.setCertificateEntry("ca" + number++, one);
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
