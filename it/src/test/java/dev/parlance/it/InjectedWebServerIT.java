package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.inject.yaml.Yaml;
import dev.parlance.service.config.ConfigResult;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A web server that is no agent, with probes and a scrape, behind the file that the injector writes
 * for its pod, in enforce: it is healthy and scraped, and its pages are read. The listeners alone
 * are other ones, because nothing is redirected here.
 */
class InjectedWebServerIT {
  private static final String METRICS =
      """
      # HELP shop_orders_total Orders by state, since the start.
      # TYPE shop_orders_total counter
      shop_orders_total{state="paid, sent"} 12
      """;

  @TempDir Path folder = Path.of("");
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void nginxIsHealthyAndScraped() throws Exception {
    Path program = nginx();
    int port = freePort();
    Process nginx =
        new ProcessBuilder(program.toString(), "-c", nginxFile(port).toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("nginx.log").toFile())
            .start();
    try {
      await()
          .atMost(Duration.ofSeconds(20))
          .ignoreExceptions()
          .until(() -> get(port, "/healthz").statusCode() == 200);
      isHealthyAndScraped(port);
    } finally {
      nginx.destroy();
      assertThat(nginx.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** The same where there is no nginx. */
  @Test
  void aServerOfTheJdkIsHealthyAndScraped() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    Map<String, String> pages =
        Map.of("/healthz", "ok\n", "/metrics", METRICS, "/", "<p>A page</p>\n");
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String page = pages.get(exchange.getRequestURI().getPath());
            byte[] body = (page == null ? "<p>Not Found</p>" : page).getBytes(UTF_8);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(page == null ? 404 : 200, head ? -1 : body.length);
            exchange.getResponseBody().write(body, 0, head ? 0 : body.length);
          }
        });
    server.start();
    try {
      isHealthyAndScraped(server.getAddress().getPort());
    } finally {
      server.stop(0);
    }
  }

  private void isHealthyAndScraped(int port) throws Exception {
    ObjectNode pod = injected(port);
    Path file = folder.resolve("sidecar.yaml");
    Files.writeString(file, ownListeners(pod, port));
    try (LocalSidecar sidecar = LocalSidecar.start(file, folder.resolve("data"))) {
      int health =
          JsonMapper.shared()
              .readTree(folder.resolve("ports.json").toFile())
              .path("health")
              .asInt();
      JsonNode container = pod.at("/spec/containers/0");
      for (String probe : new String[] {"startupProbe", "readinessProbe", "livenessProbe"}) {
        String path = container.path(probe).path("httpGet").path("path").asString();
        assertThat(path).startsWith("/probe/");
        assertThat(get(health, path).statusCode()).as(probe).isEqualTo(200);
      }
      assertThat(get(health, "/readyz").statusCode()).isEqualTo(200);

      HttpResponse<String> scrape = get(sidecar.inbound(), "/metrics");
      assertThat(scrape.statusCode()).isEqualTo(200);
      assertThat(scrape.body()).isEqualTo(METRICS);
      // as a load balancer and a browser do
      assertThat(get(sidecar.inbound(), "/healthz").body()).isEqualTo("ok\n");
      assertThat(get(sidecar.inbound(), "/").body()).isEqualTo("<p>A page</p>\n");
      assertThat(send(sidecar.inbound(), "HEAD", "/", "").statusCode()).isEqualTo(200);
      HttpResponse<String> absent = get(sidecar.inbound(), "/absent");
      assertThat(absent.statusCode()).isEqualTo(404);
      assertThat(absent.body()).contains("Not Found");
      // and nothing else goes through that nobody can judge
      HttpResponse<String> posted = send(sidecar.inbound(), "POST", "/healthz", "Any words");
      assertThat(posted.headers().firstValue("Parlance-Reason")).isPresent();

      assertThat(get(health, "/metrics").body())
          .contains("parlance_plumbing_total{name=\"metrics\"} 1.0")
          .contains("parlance_plumbing_total{name=\"health\"} 1.0")
          .contains("parlance_plumbing_total{name=\"reads\"} 3.0");
    }
  }

  private ObjectNode injected(int port) throws IOException {
    ConfigResult<InjectorSettings> settings =
        SettingsReader.parse(
            "version: 1\nimage: { reference: \"parlance:test\" }\ncertificate: { mode: files }\n",
            folder);
    assertThat(settings).isInstanceOf(ConfigResult.Loaded.class);
    Yaml.Result read =
        Yaml.read(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: shop
              annotations:
                prometheus.io/scrape: "true"
                prometheus.io/port: "%1$d"
                config.parlance.dev/mode: enforce
            spec:
              containers:
              - name: nginx
                image: nginx
                ports: [{ name: http, containerPort: %1$d }]
                startupProbe: { httpGet: { path: /, port: http } }
                readinessProbe: { tcpSocket: { port: http } }
                livenessProbe: { httpGet: { path: /healthz, port: http } }
            """
                .formatted(port));
    PodOutcome outcome =
        new PodInjector(settings.loaded().orElseThrow(), "test")
            .inject((ObjectNode) ((Yaml.Result.Read) read).root());
    assertThat(outcome).as("%s", outcome).isInstanceOf(PodOutcome.Injected.class);
    return ((PodOutcome.Injected) outcome).pod();
  }

  private String ownListeners(ObjectNode pod, int port) {
    String text = pod.at("/metadata/annotations").path("parlance.dev/sidecar-config").asString();
    ObjectNode file = (ObjectNode) ((Yaml.Result.Read) Yaml.read(text)).root();
    assertThat(file.path("mode").asString()).isEqualTo("enforce");
    file.put("dataDir", folder.resolve("data").toString());
    file.put("portsFile", folder.resolve("ports.json").toString());
    file.putObject("inbound").put("listen", "127.0.0.1:0").put("agent", "127.0.0.1:" + port);
    file.putObject("outbound").put("listen", "127.0.0.1:0");
    file.putObject("admin").put("listen", "127.0.0.1:0");
    file.putObject("health").put("listen", "127.0.0.1:0");
    return Yaml.write(file);
  }

  private HttpResponse<String> get(int port, String path) throws Exception {
    return send(port, "GET", path, "");
  }

  private HttpResponse<String> send(int port, String method, String path, String body)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(30))
            .header("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5,*/*")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static Path nginx() {
    Optional<Path> found =
        Stream.concat(
                Stream.of(System.getenv("PATH").split(File.pathSeparator)),
                Stream.of("/usr/sbin", "/usr/local/sbin"))
            .map(bin -> Path.of(bin, "nginx"))
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isEmpty()) {
      System.err.println("SKIPPED: no nginx on the PATH (Debian: apt-get install nginx-light)");
    }
    Assumptions.assumeTrue(found.isPresent(), "no nginx here");
    return found.orElseThrow();
  }

  private Path nginxFile(int port) throws IOException {
    Path pages = Files.createDirectories(folder.resolve("pages"));
    Files.writeString(pages.resolve("index.html"), "<p>A page</p>\n");
    String user = System.getProperty("user.name").equals("root") ? "user root;\n" : "";
    return Files.writeString(
        folder.resolve("nginx.conf"),
        user
            + """
            daemon off;
            worker_processes 1;
            pid %1$s/nginx.pid;
            error_log %1$s/error.log;
            events { worker_connections 64; }
            http {
              access_log off;
              client_body_temp_path %1$s/body;
              proxy_temp_path %1$s/proxy;
              fastcgi_temp_path %1$s/fastcgi;
              uwsgi_temp_path %1$s/uwsgi;
              scgi_temp_path %1$s/scgi;
              types { text/html html; }
              server {
                listen 127.0.0.1:%2$d;
                root %1$s/pages;
                location = /healthz { default_type text/plain; return 200 "ok\\n"; }
                location = /metrics {
                  default_type "text/plain; version=0.0.4";
                  return 200 '%3$s';
                }
              }
            }
            """
                .formatted(folder, port, METRICS));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
