package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The injector in the image of this build: HTTPS with a certificate of files, one pod. */
class InjectorImageIT {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern PORT = Pattern.compile("webhook port (\\d+), health port (\\d+)");
  private static final char[] PASSWORD = "only for this test".toCharArray();

  @TempDir private Path folder;

  @Test
  void anInjectorPutsASidecarIntoAPodAndEndsWithStatus0() throws Exception {
    Optional<String> obstacle = UnpackedImage.obstacle();
    obstacle.ifPresent(why -> System.err.println("[WARNING] the image is not tested: " + why));
    assumeTrue(obstacle.isEmpty(), () -> obstacle.orElse(""));
    KeyStore keys = certificate();
    try (UnpackedImage image = UnpackedImage.unpack();
        MemoryGroup memory = MemoryGroup.ofMib(128);
        Container injector =
            Container.start(
                Container.Given.of(image.root(), folder, memory),
                """
                version: 1
                listen: "127.0.0.1:0"
                health: "127.0.0.1:0"
                certificate: { mode: files, dir: /etc/parlance }
                image: { reference: "registry.example/parlance:0.1.0" }
                """,
                List.of(
                    "/opt/java/bin/java",
                    "@/opt/parlance/cli.args",
                    "injector",
                    "--drain",
                    "10",
                    "--config",
                    "/etc/parlance/config.yaml"))) {
      injector.awaitOutput("health port ");
      Matcher port = PORT.matcher(injector.output());
      assertThat(port.find()).as(injector.output()).isTrue();
      awaitReady(Integer.parseInt(port.group(2)), injector);
      JsonNode response = review(Integer.parseInt(port.group(1)), keys).path("response");
      assertThat(response.path("allowed").asBoolean()).as(response.toString()).isTrue();
      String patch =
          new String(Base64.getDecoder().decode(response.path("patch").asString("")), UTF_8);
      assertThat(patch).contains("parlance-sidecar", "parlance-intercept", "NET_ADMIN");
      assertThat(injector.stop()).as(injector.output()).isZero();
      Optional<Long> peak = memory.peakBytes();
      peak.ifPresent(
          bytes -> System.out.printf("image: an injector's peak is %d MiB%n", bytes >> 20));
    }
  }

  /** Made with the JDK's keytool; tls.crt and tls.key go where the container finds them. */
  private KeyStore certificate() throws Exception {
    Path store = folder.resolve("store.p12");
    new Program(folder.resolve("keytool.log"))
        .mustRun(
            folder,
            Map.of(),
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "webhook",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=webhook",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD)));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    Path conf = Files.createDirectories(folder.resolve("conf"));
    pem(conf.resolve("tls.crt"), "CERTIFICATE", keys.getCertificate("webhook").getEncoded());
    pem(conf.resolve("tls.key"), "PRIVATE KEY", keys.getKey("webhook", PASSWORD).getEncoded());
    return keys;
  }

  private static void pem(Path file, String kind, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(kind, text));
  }

  /** It serves before it has its certificate, and says so. */
  private static void awaitReady(int port, Container injector) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest ready =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> {
            HttpResponse<String> answer = client.send(ready, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode())
                .as("%s%n%s", answer.body(), injector.output())
                .isEqualTo(200);
          });
    }
  }

  private static JsonNode review(int port, KeyStore keys) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("webhook", keys.getCertificate("webhook"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    String body =
        """
        {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u-1",\
        "kind":{"group":"","version":"v1","kind":"Pod"},\
        "resource":{"group":"","version":"v1","resource":"pods"},\
        "namespace":"agents","operation":"CREATE","dryRun":false,"object":{"apiVersion":"v1",\
        "kind":"Pod","metadata":{"name":"a","namespace":"agents","labels":\
        {"parlance.dev/inject":"enabled"},"annotations":{"parlance.dev/agent-port":"8080"}},\
        "spec":{"containers":[{"name":"agent","image":"registry.example/agent:1",\
        "ports":[{"containerPort":8080}]}]}}}}\
        """;
    try (HttpClient client = HttpClient.newBuilder().sslContext(tls).build()) {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/inject"))
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      return JSON.readTree(response.body());
    }
  }
}
