package dev.parlance.proxy.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.proxy.config.TraceSettings;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collector that is reached over TLS. */
class TlsCollectorTest {
  private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder = Path.of("");

  private static X509Bundle authority() throws Exception {
    return new CertificateBuilder()
        .ecp256()
        .subject("CN=root")
        .setIsCertificateAuthority(true)
        .setKeyUsage(true, CertificateBuilder.KeyUsage.keyCertSign)
        .buildSelfSigned();
  }

  private static SSLContext server(X509Bundle root) throws Exception {
    X509Bundle leaf =
        new CertificateBuilder()
            .ecp256()
            .subject("CN=collector")
            .addSanDnsName("localhost")
            .buildIssuedBy(root);
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "leaf", leaf.getKeyPair().getPrivate(), new char[0], leaf.getCertificatePath());
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static TraceSettings settings(String url, Optional<Path> ca) {
    return new TraceSettings(URI.create(url), Optional.empty(), ca, 1, false, 1, 1, 1_000, 10_000);
  }

  @Test
  void certificateOfTheConfiguredAuthority_isTaken_andNobodyElses() throws Exception {
    X509Bundle root = authority();
    Path ca = Files.writeString(folder.resolve("ca.pem"), root.getCertificatePEM());
    Path other = Files.writeString(folder.resolve("other.pem"), authority().getCertificatePEM());
    try (FakeCollector server = new FakeCollector(_ -> FakeCollector.Answer.TAKEN, server(root))) {
      try (Collector collector = Collector.of(settings(server.url(), Optional.of(ca)))) {
        assertThat(collector.post(BODY)).isEqualTo(new Collector.Reply.Taken(0));
      }
      for (Optional<Path> strange : List.of(Optional.of(other), Optional.<Path>empty())) {
        try (Collector collector = Collector.of(settings(server.url(), strange))) {
          assertThat(collector.post(BODY)).isInstanceOf(Collector.Reply.Later.class);
        }
      }
      assertThat(server.posted()).hasSize(1);
    }
  }

  @Test
  void fileWithoutCertificate_isRefusedAtTheStart() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "no certificate here\n");
    assertThatThrownBy(
            () -> Collector.of(settings("https://localhost:1/v1/traces", Optional.of(empty))))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("/traces/ca: ");
  }
}
