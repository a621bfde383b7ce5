package dev.parlance.it;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;

/**
 * A real Prometheus server, where the machine has one: on the PATH or in {@code PROMETHEUS_HOME}.
 */
final class Prometheus implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(30);
  private static final int TRIES = 5;

  private final Process process;
  private final int port;
  private final HttpClient client = HttpClient.newHttpClient();

  private Prometheus(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Where a program of Prometheus is; the test is skipped, and says so, if there is none. */
  static Path program(String name) {
    Optional<Path> found =
        Stream.concat(
                Optional.ofNullable(System.getenv("PROMETHEUS_HOME")).stream(),
                Stream.of(System.getenv("PATH").split(File.pathSeparator)))
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isEmpty()) {
      System.err.println(
          "SKIPPED: no " + name + " on the PATH (Debian: apt-get install prometheus)");
    }
    Assumptions.assumeTrue(found.isPresent(), "no " + name + " here");
    return found.orElseThrow();
  }

  /**
   * What is scraped, and the labels that a PodMonitor would give it.
   *
   * @param port on this machine
   */
  record Target(int port, String namespace, String pod) {}

  /** Scrapes these targets twice a second and evaluates the rules every second. */
  static Prometheus start(Path folder, Path rules, List<Target> targets) throws IOException {
    Path program = program("prometheus");
    StringBuilder scraped = new StringBuilder();
    for (Target target : targets) {
      scraped.append(
          "      - { targets: [ '127.0.0.1:%d' ], labels: { namespace: %s, pod: %s } }\n"
              .formatted(target.port(), target.namespace(), target.pod()));
    }
    Path config = folder.resolve("prometheus.yaml");
    Files.writeString(
        config,
        """
        global: { scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 1s }
        rule_files: [ '%s' ]
        scrape_configs:
          - job_name: parlance
            static_configs:
        %s\
        """
            .formatted(rules, scraped));
    for (int i = 1; ; i++) {
      int port = freePort();
      Process process =
          new ProcessBuilder(
                  program.toString(),
                  "--config.file=" + config,
                  "--storage.tsdb.path=" + folder.resolve("tsdb-" + i),
                  "--web.listen-address=127.0.0.1:" + port)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("prometheus-" + i + ".log").toFile())
              .start();
      Prometheus started = new Prometheus(process, port);
      await()
          .atMost(READY)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> !process.isAlive() || started.isReady());
      if (process.isAlive()) {
        return started;
      }
      if (i == TRIES) { // another process may have taken the port meanwhile
        throw new IOException(Files.readString(folder.resolve("prometheus-" + i + ".log")));
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean isReady() throws InterruptedException {
    try {
      return get("/-/ready").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(10))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** What the API answers, its member {@code data}. */
  JsonNode data(String path) throws IOException, InterruptedException {
    return A2a.JSON.readTree(get("/api/v1/" + path).body()).path("data");
  }

  /** The names of the alerts that fire now. */
  List<String> firing() throws IOException, InterruptedException {
    return data("alerts")
        .path("alerts")
        .valueStream()
        .filter(alert -> alert.path("state").asString("").equals("firing"))
        .map(alert -> alert.path("labels").path("alertname").asString(""))
        .sorted()
        .distinct()
        .toList();
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    client.close();
  }
}
