package dev.parlance.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.inject.main.Injector;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An injector inside this JVM, with a certificate that keytool made, and an API server's calls. */
final class LocalInjector implements AutoCloseable {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final Injector injector;
  private final HttpClient client;

  LocalInjector(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
    Files.createDirectories(folder);
    KeyStore store = keys(folder);
    Files.writeString(
        folder.resolve("tls.crt"),
        pem("CERTIFICATE", store.getCertificate("webhook").getEncoded()));
    Files.writeString(
        folder.resolve("tls.key"),
        pem("PRIVATE KEY", store.getKey("webhook", PASSWORD).getEncoded()));
    Path file =
        Files.writeString(
            folder.resolve("injector.yaml"),
            """
            version: 1
            listen: "127.0.0.1:0"
            health: "127.0.0.1:0"
            certificate: { mode: files, dir: "%s" }
            image: { reference: "registry.example/parlance:0.1.0" }
            """
                .formatted(folder));
    ConfigResult<InjectorSettings> settings = SettingsReader.load(file);
    assertThat(settings).isInstanceOf(ConfigResult.Loaded.class);
    injector =
        Injector.start(
            file,
            settings.loaded().orElseThrow(),
            "dev",
            Optional.empty(),
            Clock.systemUTC(),
            new Injector.Intervals(100, 100, 100));
    client = HttpClient.newBuilder().sslContext(trusting(store)).build();
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(() -> review("first", false) == 200);
  }

  private static KeyStore keys(Path folder)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path file = folder.resolve("webhook.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "webhook",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(
            what, Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes), what);
  }

  private static SSLContext trusting(KeyStore store) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("webhook", store.getCertificate("webhook"));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  int healthPort() {
    return injector.healthPort();
  }

  /** Asks about a pod as an API server does; the status of the answer. */
  int review(String pod, boolean isHostNetwork) throws IOException, InterruptedException {
    String body =
        """
        {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u-1",
         "kind":{"group":"","version":"v1","kind":"Pod"},
         "resource":{"group":"","version":"v1","resource":"pods"},
         "namespace":"shop","operation":"CREATE","object":{"apiVersion":"v1","kind":"Pod",
         "metadata":{"name":"%s","namespace":"shop","labels":{"parlance.dev/inject":"enabled"},
           "annotations":{"parlance.dev/agent-port":"8080"}},
         "spec":{"hostNetwork":%s,"containers":[{"name":"agent","image":"agent:1",
           "ports":[{"containerPort":8080}]}]}}}}
        """
            .formatted(pod, isHostNetwork);
    return client
        .send(
            HttpRequest.newBuilder(
                    URI.create("https://localhost:" + injector.port() + "/inject?timeout=10s"))
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  @Override
  public void close() {
    client.close();
    injector.close();
  }
}
