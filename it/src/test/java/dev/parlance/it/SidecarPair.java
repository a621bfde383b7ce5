package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Kit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The sidecars of {@value #ASKING}, who asks, and of {@value #ANSWERING}, whose agent answers, in
 * processes of their own that share a control plane. One of them after the other is killed (kill
 * -9) and begins again on its data folder.
 */
final class SidecarPair implements AutoCloseable {
  static final String ASKING = "ann";
  static final String ANSWERING = "ben";
  private static final List<String> NAMES = List.of(ASKING, ANSWERING);
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);

  private final Path folder;
  private final Kit kit;
  private final int agentPort;
  private final String sections;
  private final int port;
  private final Map<String, ChildSidecar> sidecars = new HashMap<>();

  /**
   * Starts all three.
   *
   * @param sections of the configuration of both sidecars
   */
  SidecarPair(Path folder, int agentPort, String sections) throws Exception {
    this.folder = folder;
    this.agentPort = agentPort;
    this.sections = sections;
    this.kit = Kit.start(folder.resolve("control"));
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      this.port = free.getLocalPort();
    }
    Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
    try {
      for (String name : NAMES) {
        start(name);
      }
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  Kit kit() {
    return kit;
  }

  ChildSidecar of(String name) {
    return Optional.ofNullable(sidecars.get(name)).orElseThrow();
  }

  /** The kill of one of them that is under way. */
  record Kill(String victim, Thread thread) {
    boolean isDue() {
      return thread.isAlive();
    }
  }

  /** Kills either at a moment that nobody else knows. */
  Kill killOne(Random random, int latestMs) {
    String victim = NAMES.get(random.nextInt(NAMES.size()));
    int afterMs = random.nextInt(latestMs);
    ChildSidecar killed = of(victim);
    return new Kill(
        victim,
        Thread.ofVirtual()
            .start(() -> {
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(afterMs));
              try {
                killed.kill();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }));
  }

  /** Waits until it is dead, and has it begin again. */
  void beginAgain(Kill kill) throws Exception {
    kill.thread().join();
    start(kill.victim());
  }

  /** Kills both, and has both begin again. */
  void killBoth() throws Exception {
    for (String name : NAMES) {
      of(name).kill();
    }
    for (String name : NAMES) {
      start(name);
    }
  }

  private void start(String name) throws Exception {
    boolean asks = name.equals(ASKING);
    String listen =
        asks
            ? LocalSidecar.outbound()
            : "inbound: { listen: \"127.0.0.1:%d\", agent: \"127.0.0.1:%d\" }\n"
                .formatted(port, agentPort);
    String peers =
        asks
            ? "  peers: [{ agent: %s, hosts: [\"127.0.0.1:%d\"] }]\n".formatted(ANSWERING, port)
            : "";
    Optional.ofNullable(sidecars.get(name)).ifPresent(ChildSidecar::close);
    ChildSidecar begun =
        ChildSidecar.start(
            folder, name, listen, PactPair.control(folder, kit, name) + peers, sections);
    sidecars.put(name, begun);
    await()
        .atMost(Kit.PATIENCE)
        .until(() -> begun.admin().scrape().contains("parlance_control_connected 1"));
  }

  /**
   * What is answered through both; empty if one of them was killed meanwhile.
   *
   * @param fields names and values, in turn
   */
  Optional<HttpResponse<String>> post(String path, String body, String... fields)
      throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(LONGEST_ANSWER)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    InetSocketAddress proxy =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), of(ASKING).outboundPort());
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(ProxySelector.of(proxy))
            .build()) {
      return Optional.of(client.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    sidecars.values().forEach(ChildSidecar::close);
    kit.close();
  }
}
