package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The image of this build, unpacked and run as Kubernetes would run it. */
class ImageIT {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String JAVA = "/opt/java/bin/java";

  /** MiB; what the injector gives a sidecar by default. */
  private static final int SIDECAR_LIMIT = 160;

  private static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";

  private static @Nullable UnpackedImage unpacked;

  @TempDir private Path folder;

  @BeforeAll
  static void unpack() throws Exception {
    Optional<String> obstacle = UnpackedImage.obstacle();
    obstacle.ifPresent(why -> System.err.println("[WARNING] the image is not tested: " + why));
    assumeTrue(obstacle.isEmpty(), () -> obstacle.orElse(""));
    unpacked = UnpackedImage.unpack();
  }

  @AfterAll
  static void remove() throws IOException {
    if (unpacked != null) {
      unpacked.close();
    }
  }

  private static Path root() {
    if (unpacked == null) {
      throw new IllegalStateException("not unpacked");
    }
    return unpacked.root();
  }

  @Test
  void aSidecarJudgesAMessageWithinItsMemoryAndEndsWithStatus0() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer agent = agent(asked);
    try (MemoryGroup memory = MemoryGroup.ofMib(SIDECAR_LIMIT);
        Container sidecar =
            Container.start(
                Container.Given.of(root(), folder, memory),
                sidecar(agent.getAddress().getPort()),
                List.of(
                    JAVA,
                    "@/opt/parlance/proxy.args",
                    "proxy",
                    "--config",
                    "/etc/parlance/config.yaml"))) {
      JsonNode ports = JSON.readTree(sidecar.await("ports.json"));
      assertThat(ports.path("pid").asInt()).as("the container's first process").isEqualTo(1);
      HttpResponse<String> response = send(ports.path("inbound").asInt());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).contains(FACT);
      assertThat(response.headers().firstValue("Parlance-Decision"))
          .as("it was judged: %s", response.headers().map())
          .isPresent();
      assertThat(asked).hasSize(1);

      String status = Files.readString(sidecar.proc().resolve("status"));
      assertThat(status)
          .containsPattern("Uid:\\t2717\\t2717\\t2717\\t2717")
          .containsPattern("Gid:\\t2717\\t2717\\t2717\\t2717")
          .containsPattern("NoNewPrivs:\\t1")
          .containsPattern("CapEff:\\t0{16}")
          .containsPattern("CapPrm:\\t0{16}")
          .containsPattern("CapBnd:\\t0{16}");
      assertThat(Trees.inOrder(sidecar.proc().resolve("root/tmp")))
          .as("nothing unpacked")
          .hasSize(1);

      System.out.println("image: a sidecar's " + line(status, "VmHWM"));
      assertThat(sidecar.stop()).as(sidecar.output()).isZero();
      assertThat(sidecar.output()).contains("transport=epoll", "drained");
      Optional<Long> peak = memory.peakBytes();
      peak.ifPresent(bytes -> {
        System.out.printf("image: a sidecar's peak is %d MiB of %d%n", bytes >> 20, SIDECAR_LIMIT);
        assertThat(bytes).isLessThan((long) SIDECAR_LIMIT << 20);
      });
    } finally {
      agent.stop(0);
    }
  }

  /**
   * The JVM's own log of where classes come from; with a cache that does not fit: from the jars.
   */
  @Test
  void aSidecarStartsFromTheCacheOfItsClasses() throws Exception {
    boolean hasCache = Files.exists(root().resolve("opt/parlance/proxy.aot"));
    if (!hasCache) {
      System.err.println("[WARNING] the image has no start-up cache: see the build's log");
    }
    assumeTrue(hasCache, "no start-up cache");
    List<String> command = new ArrayList<>(List.of(JAVA));
    command.add("-XX:AOTMode=on"); // or the JVM refuses to start
    for (String line : Files.readAllLines(root().resolve("opt/parlance/proxy.args"))) {
      String flag = line.substring(1, line.length() - 1);
      if (!flag.startsWith("-Xlog")) {
        command.add(flag);
      }
    }
    command.add(1, "-Xlog:class+load:file=/var/lib/parlance/classes.log");
    command.addAll(List.of("proxy", "--config", "/etc/parlance/config.yaml"));
    try (MemoryGroup memory = MemoryGroup.ofMib(SIDECAR_LIMIT);
        Container sidecar =
            Container.start(Container.Given.of(root(), folder, memory), sidecar(9), command)) {
      sidecar.await("ports.json");
      assertThat(sidecar.stop()).as(sidecar.output()).isZero();
    }
    List<String> classes = Files.readAllLines(folder.resolve("data/classes.log"));
    long cached = classes.stream().filter(line -> line.contains("shared objects file")).count();
    System.out.printf("image: %d of %d classes come from the cache%n", cached, classes.size());
    assertThat(classes.stream().filter(line -> line.contains(" dev.parlance.")))
        .hasSizeGreaterThan(200);
    assertThat(cached).isGreaterThan(classes.size() * 95L / 100);
  }

  /** JDK_JAVA_OPTIONS is what the injector sets. */
  @Test
  void sizesOfMemoryInTheEnvironmentWinOverThoseOfTheImage() throws Exception {
    try (MemoryGroup memory = MemoryGroup.ofMib(SIDECAR_LIMIT);
        Container flags =
            Container.start(
                Container.Given.of(root(), folder, memory)
                    .withEnvironment(
                        "JDK_JAVA_OPTIONS",
                        "-Xmx36m -XX:MaxDirectMemorySize=20m -XX:+PrintFlagsFinal"),
                "",
                List.of(JAVA, "@/opt/parlance/proxy.args", "proxy", "--config", "/nothing"))) {
      flags.exitStatus();
      assertThat(flags.output())
          .containsPattern(" MaxHeapSize += " + (36 << 20) + " ")
          .containsPattern(" MaxDirectMemorySize += " + (20 << 20) + " ");
    }
  }

  @Test
  void theControlPlaneStartsWithItsStoreAndEncoderAndUnpacksNothing() throws Exception {
    try (MemoryGroup memory = MemoryGroup.ofMib(512);
        Container control =
            Container.start(
                Container.Given.of(root(), folder, memory),
                """
                data: /var/lib/parlance
                grpc: { listen: "127.0.0.1:0" }
                http: { listen: "127.0.0.1:0" }
                """,
                List.of(
                    JAVA,
                    "@/opt/parlance/control.args",
                    "control",
                    "--config",
                    "/etc/parlance/config.yaml"))) {
      control.awaitOutput("the encoder is ready");
      control.awaitOutput("control plane is up");
      String maps = Files.readString(control.proc().resolve("maps"));
      assertThat(maps)
          .contains(
              "/opt/parlance/native/libonnxruntime.so", "/opt/parlance/native/libsqlitejdbc.so");
      assertThat(Trees.inOrder(control.proc().resolve("root/tmp")).stream().map(Path::toString))
          .noneMatch(path -> path.endsWith(".so") || path.endsWith(".so.lck"));
      assertThat(control.stop()).as(control.output()).isZero();
      Optional<Long> peak = memory.peakBytes();
      peak.ifPresent(
          bytes -> System.out.printf("image: a control plane's peak is %d MiB%n", bytes >> 20));
    }
  }

  @Test
  void commandsStart() throws Exception {
    assertThat(printed(Container.As.SIDECAR, "version")).contains("parlance ", "java 25");
  }

  /** A virtual machine, a program beside it, and the kernel's packet filter. */
  @Test
  void theInterceptionStepSetsItsRulesWithNothingButNetAdmin() throws Exception {
    assertThat(printed(Container.As.INTERCEPT, "intercept", "apply", "--dns", "10.0.0.10"))
        .contains("intercepted: incoming to 15006", "outgoing to 15001");
    assertThat(printed(Container.As.INTERCEPT, "intercept", "remove"))
        .contains("no longer intercepted");
  }

  private String printed(Container.As as, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(JAVA, "@/opt/parlance/cli.args"));
    command.addAll(List.of(words));
    try (MemoryGroup memory = MemoryGroup.ofMib(SIDECAR_LIMIT)) {
      Path own = Files.createTempDirectory(folder, "run");
      try (Container container =
          Container.start(Container.Given.of(root(), own, memory).as(as), "", command)) {
        assertThat(container.exitStatus()).as(container.output()).isZero();
        return container.output();
      }
    }
  }

  private static String line(String status, String name) {
    return status.lines().filter(line -> line.startsWith(name)).findFirst().orElse(name + ": none");
  }

  /** What a new line of code needs of Java must get into the list of modules too. */
  @Test
  void theRuntimeHasEveryModuleThatOurOwnJarsUse() throws Exception {
    Path home = root().resolve("opt/parlance");
    List<String> words =
        new ArrayList<>(List.of("--ignore-missing-deps", "--multi-release", "25", "-s", "-cp"));
    words.add(home.resolve("lib") + "/*");
    words.add(home.resolve("parlance-cli.jar").toString());
    try (var jars = Files.list(home.resolve("lib"))) {
      jars.map(Path::toString).filter(jar -> jar.contains("/parlance-")).forEach(words::add);
    }
    var out = new StringWriter();
    var errors = new StringWriter();
    int status =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(out, true),
                new PrintWriter(errors, true),
                words.toArray(String[]::new));
    assertThat(status).as("%s%s", out, errors).isZero();
    Set<String> used = new TreeSet<>();
    out.toString()
        .lines()
        .filter(line -> line.matches("parlance-.* -> (java|jdk)\\..*"))
        .forEach(line -> used.add(line.replaceFirst(".* -> ", "").strip()));
    assertThat(used).contains("java.base", "java.sql", "java.net.http");
    assertThat(JavaRuntime.MODULES).containsAll(used);
  }

  @Test
  void thereIsNoShellAndNoProgramButThoseThatAreNeeded() throws Exception {
    Set<String> programs = new TreeSet<>();
    for (Path path : Trees.inOrder(root())) {
      if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      assertThat(mode & 06000).as("set-id bits of %s", path).isZero();
      assertThat(mode & 022).as("others may write %s", path).isZero();
      String name = root().relativize(path).toString();
      boolean isLibrary = name.matches(".*\\.so(\\.[0-9.]+)?");
      assertThat(startsWith(path, "#!")).as("%s is a script", name).isFalse();
      if ((mode & 0111) != 0 && !isLibrary) {
        programs.add(name);
      } else if (!isLibrary) {
        assertThat(startsWith(path, "\u007fELF")).as("%s is a program", name).isFalse();
      }
    }
    assertThat(programs)
        .containsExactly("opt/java/bin/java", "opt/java/lib/jspawnhelper", "usr/sbin/nft");
  }

  private static boolean startsWith(Path file, String magic) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(magic.length()), UTF_8).equals(magic);
    }
  }

  @Test
  void theBillOfMaterialsNamesEveryJarThePackagesAndTheRuntime() throws Exception {
    JsonNode bill = JSON.readTree(Files.readAllBytes(root().resolve("opt/parlance/sbom.cdx.json")));
    assertThat(bill.path("bomFormat").asString()).isEqualTo("CycloneDX");
    Set<String> named = new HashSet<>();
    for (JsonNode component : bill.path("components")) {
      String name = component.path("name").asString();
      named.add(name);
      named.add(name + "-" + component.path("version").asString());
    }
    assertThat(named).contains("openjdk", "libc6", "nftables", "zlib1g");
    try (var jars = Files.list(root().resolve("opt/parlance/lib"))) {
      List<String> unnamed =
          jars.map(jar -> String.valueOf(jar.getFileName()))
              .filter(jar ->
                  named.stream()
                      .noneMatch(name ->
                          jar.equals(name)
                              || jar.equals(name + ".jar")
                              || jar.startsWith(name + "-linux-")))
              .toList();
      assertThat(unnamed).isEmpty();
    }
    for (LockedPackage one : LockedPackage.read(lock())) {
      assertThat(root().resolve("usr/share/doc").resolve(one.name()).resolve("copyright"))
          .isNotEmptyFile();
    }
    assertThat(root().resolve("usr/share/common-licenses/LGPL-2.1")).isNotEmptyFile();
    assertThat(root().resolve("opt/java/legal/java.base/LICENSE")).exists();
  }

  private static Path lock() {
    return Path.of("debian-" + Platform.current().orElseThrow().debian() + ".lock");
  }

  private static String sidecar(int agentPort) {
    return """
    version: 1
    node: image-test
    mode: enforce
    dataDir: /var/lib/parlance
    portsFile: /var/lib/parlance/ports.json
    inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d" }
    admin: { listen: "127.0.0.1:0" }
    routes:
      - name: a2a
        match: { direction: inbound, pathPrefix: /a2a }
        codec: a2a
    """
        .formatted(agentPort);
  }

  private static HttpServer agent(List<String> asked) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    server.createContext(
        "/a2a",
        exchange -> {
          asked.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          byte[] body =
              """
              {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m-2","contextId":"ctx-1",\
              "metadata":{"https://w3id.org/parlance/ext/evidence/v1":{"context":[{"id":"c1",\
              "text":"%1$s."}]}},"role":"ROLE_AGENT","parts":[{"text":"%1$s [Chunk c1]."}]}}}\
              """
                  .formatted(FACT)
                  .getBytes(UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static HttpResponse<String> send(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/a2a"))
              .header("Content-Type", "application/json")
              .header("A2A-Version", "1.0")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      """
                      {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{\
                      "messageId":"m-1","contextId":"ctx-1","role":"ROLE_USER","parts":[{"text":\
                      "When must the impeller be replaced?"}]}}}\
                      """))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
