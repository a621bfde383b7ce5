package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A pod as the injector makes it, run by hand as a node would: its init step and its sidecar from
 * the image, as their users, in the pod's own network, with the arguments, environment and
 * configuration that the patch gave them. The agent and everybody else know nothing of it.
 *
 * <pre>
 *   pod 10.78.0.1                      |   peer 10.78.0.2
 *     agent     user 2000, port 8080   |     another agent, port 8080
 *     sidecar   user 2717              |     kubelet and Prometheus
 * </pre>
 */
class InjectedPodIT {
  private static final String POD = "10.78.0.1";
  private static final String PEER = "10.78.0.2";
  private static final String AGENT_USER = "2000";

  @TempDir private Path folder;

  private final List<AutoCloseable> opened = new ArrayList<>();

  @Test
  void podOfTheInjectorIsInterceptedJudgedProbedAndEndsWell() throws Exception {
    Optional<String> obstacle =
        UnpackedImage.obstacle()
            .or(() ->
                List.of("ip", "nsenter", "setpriv").stream()
                    .filter(name -> !Program.isThere(name))
                    .findFirst()
                    .map(name -> "there is no " + name));
    obstacle.ifPresent(why -> System.err.println("[WARNING] no injected pod is run: " + why));
    assumeTrue(obstacle.isEmpty(), () -> obstacle.orElse(""));
    try (UnpackedImage image = UnpackedImage.unpack()) {
      // what a node writes into every container
      Files.writeString(image.root().resolve("etc/resolv.conf"), "nameserver " + PEER + "\n");
      run(image.root(), injected());
    } finally {
      for (AutoCloseable one : opened.reversed()) {
        one.close();
      }
    }
  }

  private void run(Path root, ObjectNode pod) throws Exception {
    long podNetwork = network();
    long peerNetwork = network();
    connect(podNetwork, peerNetwork);
    JsonNode init = pod.path("spec").path("initContainers");
    assertThat(init.size()).isEqualTo(2);
    JsonNode step = init.path(0);
    JsonNode sidecar = init.path(1);
    String configuration =
        pod.path("metadata").path("annotations").path("parlance.dev/sidecar-config").asString();
    Path agentLog = serve(podNetwork, POD);
    serve(peerNetwork, PEER);

    try (MemoryGroup memory = MemoryGroup.ofMib(mebibytes(step));
        Container rules =
            Container.start(
                Container.Given.of(root, made("step"), memory)
                    .as(Container.As.INTERCEPT)
                    .inPod(podNetwork),
                "",
                command(step))) {
      assertThat(rules.exitStatus()).as(rules.output()).isZero();
    }
    // Between the step and the sidecar nothing gets in or out.
    assertThat(asked(peerNetwork, "ask", "http://" + POD + ":8080/a2a")).doesNotStartWith("200");
    try (MemoryGroup memory = MemoryGroup.ofMib(mebibytes(sidecar));
        Container running =
            Container.start(
                new Container.Given(
                    root,
                    made("sidecar"),
                    memory,
                    Container.As.SIDECAR,
                    environment(sidecar),
                    OptionalLong.of(podNetwork)),
                configuration,
                command(sidecar))) {
      // as the kubelet does
      String health = "http://" + POD + ":" + probe(sidecar, "startupProbe", "port");
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(500))
          .until(() ->
              asked(peerNetwork, "get", health + probe(sidecar, "startupProbe", "path"))
                  .startsWith("200"));
      assertThat(asked(peerNetwork, "get", health + probe(sidecar, "readinessProbe", "path")))
          .startsWith("200");
      JsonNode agent = pod.path("spec").path("containers").path(0);
      assertThat(probe(agent, "livenessProbe", "path")).startsWith("/probe/");
      String liveness =
          "http://"
              + POD
              + ":"
              + probe(agent, "livenessProbe", "port")
              + probe(agent, "livenessProbe", "path");
      // an agent that has only just started may take longer than a probe waits, there as here
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> asked(peerNetwork, "get", liveness).startsWith("200"));

      String in = asked(peerNetwork, "ask", "http://" + POD + ":8080/a2a");
      assertThat(in).startsWith("200").containsIgnoringCase("parlance-route=[execute]");
      assertThat(Files.readString(agentLog))
          .contains("route=execute"); // read; a question claims nothing

      String out = asked(podNetwork, "ask", "http://" + PEER + ":8080/a2a");
      assertThat(out).startsWith("200").containsIgnoringCase("parlance-route=[execute]");

      assertThat(asked(peerNetwork, "get", health + "/metrics"))
          .contains("parlance_requests_total{code_class=\"2xx\",direction=\"inbound\"")
          .contains("parlance_requests_total{code_class=\"2xx\",direction=\"outbound\"");
      assertThat(running.stop()).as(running.output()).isZero();
    }
  }

  /** Values as they are, and the fields of a pod as a node fills them in. */
  private static Map<String, String> environment(JsonNode container) {
    Map<String, String> fields =
        Map.of(
            "metadata.name", "alice",
            "metadata.namespace", "shop",
            "metadata.uid", "5e0c3a7e-0000-4000-8000-000000000001",
            "status.podIP", POD);
    Map<String, String> environment = new HashMap<>();
    for (JsonNode variable : container.path("env")) {
      String field = variable.at("/valueFrom/fieldRef/fieldPath").asString("");
      environment.put(
          variable.path("name").asString(),
          field.isEmpty() ? variable.path("value").asString() : fields.get(field));
    }
    assertThat(environment).doesNotContainValue(null);
    return environment;
  }

  private static int mebibytes(JsonNode container) {
    String limit = container.path("resources").path("limits").path("memory").asString();
    assertThat(limit).endsWith("Mi");
    return Integer.parseInt(limit.substring(0, limit.length() - 2));
  }

  private static String probe(JsonNode container, String probe, String member) {
    return container.path(probe).path("httpGet").path(member).asString();
  }

  private Path made(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  /** The image's entry point and the container's arguments. */
  private static List<String> command(JsonNode container) {
    List<String> command = new ArrayList<>(List.of("/opt/java/bin/java"));
    container.path("args").forEach(word -> command.add(word.asString()));
    return command;
  }

  private static ObjectNode injected() {
    ConfigResult<InjectorSettings> settings =
        SettingsReader.parse(
            """
            version: 1
            image: { reference: "parlance:test" }
            certificate: { mode: files }
            sidecar:
              config: { mode: enforce }
            """,
            Path.of("/etc/parlance"));
    assertThat(settings).isInstanceOf(ConfigResult.Loaded.class);
    PodOutcome outcome =
        new PodInjector(settings.loaded().orElseThrow(), "test")
            .inject(
                (ObjectNode)
                    JsonMapper.shared()
                        .readTree(
                            """
                            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"alice"},"spec":{
                             "containers":[{"name":"agent","image":"alice:1",
                               "ports":[{"containerPort":8080}],
                               "securityContext":{"runAsUser":2000,"runAsNonRoot":true,
                                 "capabilities":{"drop":["ALL"]}},
                               "livenessProbe":{"httpGet":{"path":"/healthz","port":8080}}}]}}
                            """));
    assertThat(outcome).as("%s", outcome).isInstanceOf(PodOutcome.Injected.class);
    return ((PodOutcome.Injected) outcome).pod();
  }

  /** A network of its own, held by a process that ends with this JVM. */
  private long network() throws IOException {
    Process holder =
        new ProcessBuilder("unshare", "--net", "sh", "-c", "ip link set lo up && echo up; cat")
            .redirectErrorStream(true)
            .start();
    opened.add(() -> {
      holder.getOutputStream().close();
      holder.destroy();
    });
    assertThat(new String(holder.getInputStream().readNBytes(3), UTF_8)).isEqualTo("up\n");
    return holder.pid();
  }

  private void connect(long pod, long peer) throws Exception {
    inside(pod, "ip link add eth0 type veth peer name far netns " + peer);
    inside(pod, "ip address add " + POD + "/24 dev eth0");
    inside(pod, "ip link set eth0 up");
    inside(peer, "ip address add " + PEER + "/24 dev far");
    inside(peer, "ip link set far up");
  }

  private void inside(long network, String command) throws Exception {
    List<String> words = new ArrayList<>(entering(network));
    words.addAll(List.of(command.split(" ", -1)));
    Path log = folder.resolve("ip.log");
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s: %s", command, Files.readString(log)).isZero();
  }

  private static List<String> entering(long network) {
    return List.of("nsenter", "-t", Long.toString(network), "-n", "--");
  }

  /** The agent program as the agent's user. */
  private ProcessBuilder program(long network, String... words) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("agent/dev/parlance/image"));
    String name = PodAgent.class.getSimpleName() + ".class";
    Path copy = classes.resolve(name);
    if (!Files.exists(copy)) {
      Files.copy(Path.of("target/test-classes/dev/parlance/image", name), copy);
      // the agent's user has to get at it
      for (Path path :
          List.of(
              folder,
              folder.resolve("agent"),
              folder.resolve("agent/dev"),
              folder.resolve("agent/dev/parlance"),
              classes)) {
        Files.setAttribute(path, "unix:mode", 0755);
      }
    }
    List<String> command = new ArrayList<>(entering(network));
    command.addAll(
        List.of(
            "setpriv",
            "--reuid=" + AGENT_USER,
            "--regid=" + AGENT_USER,
            "--clear-groups",
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx64m",
            "-cp",
            folder.resolve("agent").toString(),
            PodAgent.class.getName()));
    command.addAll(List.of(words));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  private Path serve(long network, String address) throws Exception {
    Path log = folder.resolve("agent-" + address + ".log");
    Process agent = program(network, "serve", address, "8080").redirectOutput(log.toFile()).start();
    opened.add(agent::destroyForcibly);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .failFast(() -> assertThat(agent.isAlive()).as(Files.readString(log)).isTrue())
        .until(() -> Files.readString(log).contains("serving"));
    return log;
  }

  /** What the program printed. */
  private String asked(long network, String verb, String url) throws Exception {
    Process process = program(network, verb, url).start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    return printed;
  }
}
