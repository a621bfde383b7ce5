package dev.parlance.inject.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.inject.FakeApiServer;
import dev.parlance.inject.Samples;
import dev.parlance.inject.certificate.TestTls;
import dev.parlance.inject.kube.KubeAccess;
import dev.parlance.inject.patch.Patched;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.inject.yaml.Yaml;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The injector as a process, asked over real HTTPS. */
class InjectorTest {
  private static final String WEBHOOK =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/parlance-injector";

  private static final String POD =
      "{metadata: {name: agent}, spec: {containers: [{name: agent, image: a,"
          + " securityContext: {runAsNonRoot: true}}]}}";

  private static final Injector.Intervals FAST = new Injector.Intervals(50, 50, 50);

  @TempDir Path dir = Path.of("");
  private final List<AutoCloseable> open = new ArrayList<>();
  private final TestTls tls = new TestTls();

  @BeforeEach
  void certificate() throws IOException {
    tls.write(dir, Duration.ofHours(1), "localhost");
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private Path settings(String changes) throws IOException {
    ObjectNode tree = Samples.tree(Samples.text());
    tree.put("listen", "127.0.0.1:0").put("health", "127.0.0.1:0");
    ObjectNode certificate = (ObjectNode) tree.path("certificate");
    certificate.put("mode", "files").put("dir", dir.toString());
    certificate.putArray("dnsNames").add("localhost");
    Samples.tree(changes)
        .properties()
        .forEach(member ->
            ((ObjectNode) tree.path(member.getKey())).setAll((ObjectNode) member.getValue()));
    Path next = Files.writeString(dir.resolve("injector.yaml.next"), Yaml.write(tree));
    return Files.move(
        next, dir.resolve("injector.yaml"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private Injector start(Path file, Optional<KubeAccess> access) throws IOException {
    ConfigResult<InjectorSettings> read = SettingsReader.load(file);
    assertThat(read).isInstanceOf(ConfigResult.Loaded.class);
    Injector injector =
        Injector.start(file, read.loaded().orElseThrow(), "0.1.0", access, Clock.systemUTC(), FAST);
    open.add(injector);
    return injector;
  }

  private Injector ready(String changes) throws Exception {
    Injector injector = start(settings(changes), Optional.empty());
    awaitReady(injector);
    return injector;
  }

  private void awaitReady(Injector injector) {
    await().until(() -> health(injector, "/readyz").statusCode() == 200);
  }

  private HttpClient client(String ca) throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(TestTls.trusting(ca)).build();
    open.add(client::shutdownNow);
    return client;
  }

  private static HttpResponse<String> health(Injector injector, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + injector.healthPort() + path))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static HttpResponse<String> post(
      HttpClient client, Injector injector, String path, String type, String body)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("https://localhost:" + injector.port() + path))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .timeout(Duration.ofSeconds(20))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode response(HttpClient client, Injector injector, String review)
      throws Exception {
    HttpResponse<String> answer =
        post(client, injector, "/inject?timeout=10s", "application/json", review);
    assertThat(answer.statusCode()).isEqualTo(200);
    JsonNode read = JsonMapper.shared().readTree(answer.body());
    assertThat(read.path("apiVersion").asString()).isEqualTo("admission.k8s.io/v1");
    assertThat(read.path("kind").asString()).isEqualTo("AdmissionReview");
    return read.path("response");
  }

  /** As an API server of 1.32 writes it. */
  private static String review(String operation, String pod) {
    ObjectNode review =
        Samples.tree(
            """
            apiVersion: admission.k8s.io/v1
            kind: AdmissionReview
            request:
              uid: 705ab4f5-6393-11e8-b7cc-42010a800002
              kind: { group: "", version: v1, kind: Pod }
              resource: { group: "", version: v1, resource: pods }
              requestKind: { group: "", version: v1, kind: Pod }
              requestResource: { group: "", version: v1, resource: pods }
              name: agent
              namespace: agents
              userInfo: { username: system:serviceaccount:kube-system:replicaset-controller }
              oldObject: null
              dryRun: false
              options: { apiVersion: meta.k8s.io/v1, kind: CreateOptions }
            """);
    ObjectNode request = (ObjectNode) review.path("request");
    request.put("operation", operation);
    request.set("object", Samples.tree(pod));
    return review.toString();
  }

  @Test
  void aReviewIsAnsweredWithThePatchThatMakesThePod() throws Exception {
    Injector injector = ready("{}");
    HttpClient client = client(tls.ca());
    JsonNode response = response(client, injector, review("CREATE", POD));
    assertThat(response.path("uid").asString()).isEqualTo("705ab4f5-6393-11e8-b7cc-42010a800002");
    assertThat(response.path("allowed").asBoolean()).isTrue();
    assertThat(response.path("patchType").asString()).isEqualTo("JSONPatch");
    assertThat(response.path("warnings").path(0).asString()).startsWith("parlance: not_attached: ");
    JsonNode pod = patched(POD, response);
    assertThat(pod.path("spec").path("initContainers").path(1).path("name").asString())
        .isEqualTo("parlance-sidecar");
    JsonNode again = response(client, injector, review("CREATE", pod.toString()));
    assertThat(again.path("allowed").asBoolean()).isTrue();
    assertThat(again.has("patch")).isFalse();
    assertThat(again.path("auditAnnotations").path("reason").asString())
        .isEqualTo("already_injected");
  }

  private static JsonNode patched(String pod, JsonNode response) {
    byte[] patch = Base64.getDecoder().decode(response.path("patch").asString());
    return Patched.apply(Samples.tree(pod), (ArrayNode) JsonMapper.shared().readTree(patch));
  }

  @Test
  void aRefusalSaysWhyAndAChangeOfAPodIsLeftAlone() throws Exception {
    Injector injector = ready("{}");
    HttpClient client = client(tls.ca());
    JsonNode refused =
        response(
            client,
            injector,
            review("CREATE", "{spec: {hostNetwork: true, containers: [{name: a, image: b}]}}"));
    assertThat(refused.path("allowed").asBoolean(true)).isFalse();
    assertThat(refused.path("status").path("code").intValue()).isEqualTo(422);
    assertThat(refused.path("status").path("message").asString()).startsWith("host_network: ");
    JsonNode update = response(client, injector, review("UPDATE", POD));
    assertThat(update.path("allowed").asBoolean()).isTrue();
    assertThat(update.has("patch")).isFalse();
    String metrics = health(injector, "/metrics").body();
    assertThat(metrics)
        .contains(
            "parlance_injector_reviews_total{outcome=\"refused\",reason=\"host_network\"} 1.0\n")
        .contains(
            "parlance_injector_reviews_total{outcome=\"unchanged\",reason=\"not_created\"} 1.0\n")
        .contains("parlance_injector_review_duration_seconds_count 2\n")
        .containsPattern("parlance_injector_certificate_expiry_timestamp_seconds 1\\.[0-9]+E9\n");
  }

  @Test
  void whatIsNoReviewOfAPodIsNeverAnsweredWithAYes() throws Exception {
    Injector injector = ready("{}");
    HttpClient client = client(tls.ca());
    String good = review("CREATE", POD);
    List<String> bad =
        List.of(
            "",
            "{",
            "[]",
            good + "x",
            good.replace("admission.k8s.io/v1", "admission.k8s.io/v1beta1"),
            good.replace("\"uid\":", "\"id\":"),
            good.replace("\"kind\":\"Pod\"", "\"kind\":\"Deployment\""),
            good.replaceFirst("\\{", "{\"kind\":\"AdmissionReview\","));
    for (String body : bad) {
      assertThat(post(client, injector, "/inject", "application/json", body).statusCode())
          .as(body)
          .isEqualTo(400);
    }
    assertThat(post(client, injector, "/inject", "text/plain", good).statusCode()).isEqualTo(415);
    assertThat(post(client, injector, "/other", "application/json", good).statusCode())
        .isEqualTo(404);
    String vast = "{\"a\":\"" + "x".repeat(4 << 20) + "\"}";
    assertThat(status(() -> post(client, injector, "/inject", "application/json", vast)))
        .isIn(413, -1);
    assertThat(health(injector, "/metrics").body())
        .contains("parlance_injector_unreadable_total " + bad.size() + ".0\n");
    assertThat(response(client, injector, good).path("allowed").asBoolean()).isTrue();
  }

  private interface Call {
    HttpResponse<String> make() throws Exception;
  }

  /** The status, or -1 if the connection was closed while the body was still on its way. */
  private static int status(Call call) throws Exception {
    try {
      return call.make().statusCode();
    } catch (IOException e) {
      return -1;
    }
  }

  @Test
  void healthIsThreePathsAndNothingElse() throws Exception {
    Injector injector = ready("{}");
    assertThat(health(injector, "/livez").statusCode()).isEqualTo(200);
    assertThat(health(injector, "/inject").statusCode()).isEqualTo(404);
    assertThat(health(injector, "/").statusCode()).isEqualTo(404);
    injector.drain();
    assertThat(health(injector, "/readyz").statusCode()).isEqualTo(503);
    assertThat(health(injector, "/livez").statusCode()).isEqualTo(200);
  }

  @Test
  void halfARequestHoldsUpNobodyElse() throws Exception {
    Injector injector = ready("{}");
    HttpClient client = client(tls.ca());
    for (int i = 0; i < 20; i++) {
      Socket slow =
          TestTls.trusting(tls.ca())
              .getSocketFactory()
              .createSocket(InetAddress.getLoopbackAddress(), injector.port());
      open.add(slow);
      OutputStream out = slow.getOutputStream();
      out.write(
          "POST /inject HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"
              .getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }
    assertThat(response(client, injector, review("CREATE", POD)).path("allowed").asBoolean())
        .isTrue();
  }

  @Test
  void connectionsBeyondTheBoundAreClosedAndOthersServed() throws Exception {
    Injector injector = ready("{}");
    List<Socket> idle = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), injector.port());
      open.add(socket);
      idle.add(socket);
    }
    int closed = 0;
    for (Socket socket : idle) {
      socket.setSoTimeout(20);
      try (InputStream in = socket.getInputStream()) {
        if (in.read() < 0) {
          closed++;
        }
      } catch (IOException e) {
        // still open: nobody says anything to it
      }
    }
    assertThat(closed).isGreaterThanOrEqualTo(300 - 256);
    HttpClient client = client(tls.ca());
    await()
        .ignoreExceptions()
        .until(() -> response(client, injector, review("CREATE", POD)).path("allowed").asBoolean());
  }

  @Test
  void manyReviewsAtOnceAreAllAnsweredAlike() throws Exception {
    Injector injector = ready("{}");
    HttpClient client = client(tls.ca());
    String expected = response(client, injector, review("CREATE", POD)).toString();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        answers.add(
            threads.submit(() -> response(client, injector, review("CREATE", POD)).toString()));
      }
      for (Future<String> answer : answers) {
        assertThat(answer.get()).isEqualTo(expected);
      }
    }
  }

  @Test
  void aChangedFileCountsAndABadOneDoesNot() throws Exception {
    Injector injector = ready("{}");
    HttpClient client = client(tls.ca());
    settings("{image: {reference: 'registry.example/parlance:2'}}");
    await().until(() -> sidecarImage(client, injector).equals("registry.example/parlance:2"));
    settings("{image: {reference: 'registry.example/parlance:3', colour: red}}");
    await().until(() -> refusals(injector) == 1);
    assertThat(sidecarImage(client, injector)).isEqualTo("registry.example/parlance:2");
    settings("{image: {reference: 'registry.example/parlance:4'}, certificate: {leafDays: 7}}");
    await().until(() -> refusals(injector) == 2);
    assertThat(sidecarImage(client, injector)).isEqualTo("registry.example/parlance:2");
    settings("{sidecar: {overrides: {config.mode: true}}}");
    await().until(() -> refusals(injector) == 3);
    settings("{image: {reference: 'registry.example/parlance:5'}}");
    await().until(() -> sidecarImage(client, injector).equals("registry.example/parlance:5"));
  }

  private static String sidecarImage(HttpClient client, Injector injector) throws Exception {
    JsonNode pod = patched(POD, response(client, injector, review("CREATE", POD)));
    return pod.path("spec").path("initContainers").path(1).path("image").asString();
  }

  private static int refusals(Injector injector) throws Exception {
    return health(injector, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("parlance_injector_settings_refused_total "))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }

  @Test
  void filesOfCertManagerAreTakenWhenTheyChangeAndHalfWrittenOnesAreNot() throws Exception {
    Injector injector = ready("{}");
    TestTls other = new TestTls();
    Path next = Files.createDirectory(dir.resolve("next"));
    other.write(next, Duration.ofHours(2), "localhost");
    Files.copy(
        next.resolve("tls.crt"),
        dir.resolve("tls.crt"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    await()
        .until(() ->
            health(injector, "/metrics")
                .body()
                .lines()
                .anyMatch(line ->
                    line.matches("parlance_injector_certificate_failures_total [1-9][0-9.]*")));
    assertThat(
            response(client(tls.ca()), injector, review("CREATE", POD)).path("allowed").asBoolean())
        .isTrue();
    Files.copy(
        next.resolve("tls.key"),
        dir.resolve("tls.key"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    await()
        .ignoreExceptions()
        .until(() ->
            response(client(other.ca()), injector, review("CREATE", POD))
                .path("allowed")
                .asBoolean());
  }

  @Test
  void withItsOwnAuthorityItIsReadyOnceTheWebhookNamesIt() throws Exception {
    Path account = Files.createDirectory(dir.resolve("account"));
    FakeApiServer server = new FakeApiServer(account);
    open.add(server);
    Injector injector =
        start(settings("{certificate: {mode: self}}"), Optional.of(server.access()));
    await().until(() -> !server.requests.isEmpty());
    await().until(() -> health(injector, "/readyz").body().contains("does not name our authority"));
    server.put(WEBHOOK, Samples.tree("{webhooks: [{name: a, clientConfig: {}}]}"));
    awaitReady(injector);
    String bundle =
        new String(
            Base64.getDecoder()
                .decode(
                    server
                        .at(WEBHOOK)
                        .orElseThrow()
                        .at("/webhooks/0/clientConfig/caBundle")
                        .asString()),
            StandardCharsets.US_ASCII);
    assertThat(
            response(client(bundle), injector, review("CREATE", POD)).path("allowed").asBoolean())
        .isTrue();
    assertThatThrownBy(() -> response(client(tls.ca()), injector, review("CREATE", POD)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void withoutAnApiServerItsOwnAuthorityIsRefusedWithWords() throws Exception {
    Path file = settings("{certificate: {mode: self}}");
    assertThatThrownBy(() -> start(file, Optional.empty()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("certificate.mode self needs an API server");
  }
}
