package dev.parlance.it;

import dev.parlance.service.testing.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The agent on {@code @a2a-js/sdk} and clients, face to face or with a sidecar beside each: what
 * the client sends goes through its own sidecar to the one in front of the agent, and what the
 * agent sends to webhooks goes through the agent's.
 */
final class A2aSdk {
  /** A binding of A2A in one version, as the SDK and the agent card name it. */
  record Binding(String name, String version) {}

  /** Every binding in both versions. */
  static final List<Binding> BINDINGS =
      List.of(
          new Binding("JSONRPC", "1.0"),
          new Binding("JSONRPC", "0.3"),
          new Binding("HTTP+JSON", "1.0"),
          new Binding("HTTP+JSON", "0.3"),
          new Binding("GRPC", "1.0"),
          new Binding("GRPC", "0.3"));

  /** Class path of the Java SDK 0.3, which the tests are compiled with. */
  static final String OLDER = System.getProperty("java.class.path");

  /** Class path of the Java SDK 1.0, where the build puts it. */
  static final String NEWER = Path.of("target", "sdk", "a2a-v1.0").toAbsolutePath() + "/*";

  private static final long RUN_S = 90;

  private final JsSide js;
  private final Path folder;
  private final String context;

  A2aSdk(JsSide js, Path folder) {
    this(js, folder, "");
  }

  private A2aSdk(JsSide js, Path folder, String context) {
    this.js = js;
    this.folder = folder;
    this.context = context;
  }

  /** The same, whose messages belong to this conversation if they name none. */
  A2aSdk in(String conversation) {
    return new A2aSdk(js, folder, conversation);
  }

  /** Runs scenarios against an agent. */
  @FunctionalInterface
  interface Client {
    /**
     * Gives the results by binding, version and scenario, in the order in which they were run.
     *
     * @param base the agent's address
     * @param proxy port of an outbound sidecar, 0 for none
     * @param control the agent's own port
     * @param publicKey verifies the agent's signed card
     */
    Map<String, JsonNode> run(String base, int proxy, int control, JsonNode publicKey)
        throws IOException, InterruptedException;
  }

  /** What the client sees of the agent itself. */
  Map<String, JsonNode> direct(Client client) throws IOException, InterruptedException {
    try (JsSide.Program agent = js.start("a2a-agent.mjs")) {
      int port = agent.next().path("port").asInt(0);
      agent.tell(A2a.JSON.createObjectNode());
      JsonNode key = agent.next().path("publicKey");
      return client.run("http://127.0.0.1:" + port, 0, port, key);
    }
  }

  /** Taps on every line: client, sidecar, sidecar, agent. */
  record Taps(Wiretap client, Wiretap between, Wiretap agent, Wiretap grpcAgent)
      implements AutoCloseable {
    static Taps ready() throws IOException {
      return new Taps(new Wiretap(), new Wiretap(), new Wiretap(), new Wiretap());
    }

    @Override
    public void close() throws IOException {
      client.close();
      between.close();
      agent.close();
      grpcAgent.close();
    }
  }

  /** The same through two sidecars that are configured with {@code sections}. */
  Map<String, JsonNode> throughSidecars(Client client, String... sections)
      throws IOException, InterruptedException {
    return through(client, sections, sections, Optional.empty());
  }

  /** The same with a configuration for each sidecar and a tap on every line. */
  Map<String, JsonNode> throughSidecars(
      Client client, String[] besideAgent, String[] besideClient, Taps taps)
      throws IOException, InterruptedException {
    return through(client, besideAgent, besideClient, Optional.of(taps));
  }

  private Map<String, JsonNode> through(
      Client client, String[] ofAgent, String[] ofClient, Optional<Taps> taps)
      throws IOException, InterruptedException {
    try (JsSide.Program agent = js.start("a2a-agent.mjs")) {
      JsonNode ports = agent.next();
      int port = ports.path("port").asInt(0);
      int grpcPort = ports.path("grpcPort").asInt(0);
      String inbound =
          LocalSidecar.inboundTo(taps.map(all -> all.agent().to(port).port()).orElse(port))
              + "  grpcAgent: 127.0.0.1:%d\n"
                  .formatted(taps.map(all -> all.grpcAgent().to(grpcPort).port()).orElse(grpcPort));
      try (LocalSidecar besideAgent =
              LocalSidecar.start(folder, "agent", with(ofAgent, inbound, LocalSidecar.outbound()));
          LocalSidecar besideClient =
              LocalSidecar.start(folder, "client", with(ofClient, LocalSidecar.outbound()))) {
        int listens = besideAgent.inbound();
        int proxy = besideClient.outboundPort();
        String base =
            "http://127.0.0.1:" + taps.map(all -> all.between().to(listens).port()).orElse(listens);
        ObjectNode settings = A2a.JSON.createObjectNode();
        settings.put("advertise", base);
        settings.put("proxy", besideAgent.outboundPort());
        agent.tell(settings);
        JsonNode key = agent.next().path("publicKey");
        return client.run(
            base, taps.map(all -> all.client().to(proxy).port()).orElse(proxy), port, key);
      }
    }
  }

  private static String[] with(String[] sections, String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    all.addAll(List.of(sections));
    return all.toArray(String[]::new);
  }

  /** The clients of {@code @a2a-js/sdk} with one of their lists of scenarios. */
  Client jsClients(String list) {
    return jsClients(list, BINDINGS);
  }

  /** The same over these bindings alone. */
  Client jsClients(String list, List<Binding> bindings) {
    return (base, proxy, control, publicKey) ->
        client(base, proxy, control, publicKey, list, bindings);
  }

  /** A program on one of the Java SDKs, compiled against its SDK. */
  Client javaClients(String program, String classPath, String... more) {
    return (base, proxy, control, publicKey) ->
        javaClient(program, classPath, base, proxy, control, more);
  }

  private Map<String, JsonNode> client(
      String base, int proxy, int control, JsonNode publicKey, String list, List<Binding> bindings)
      throws IOException, InterruptedException {
    ObjectNode settings = A2a.JSON.createObjectNode();
    settings.put("base", base);
    settings.put("proxy", proxy);
    settings.put("control", control);
    settings.set("publicKey", publicKey);
    settings.put("list", list);
    settings.put("context", context);
    for (Binding binding : bindings) {
      settings.withArray("bindings").addArray().add(binding.name()).add(binding.version());
    }
    Map<String, JsonNode> results = new LinkedHashMap<>();
    for (JsonNode line : js.run("a2a-client.mjs", settings.toString())) {
      results.put(
          "%s %s: %s"
              .formatted(
                  line.path("binding").asString(""),
                  line.path("version").asString(""),
                  line.path("scenario").asString("")),
          line.path("result"));
    }
    return results;
  }

  /** The folder of its classes, which are made once: the launcher would compile it in each run. */
  private static synchronized Path compiled(String program, String classPath) throws IOException {
    Path classes = Path.of("target", "sdk", "classes-" + ProcessHandle.current().pid());
    if (!Files.exists(classes.resolve(program + ".class"))) {
      Files.createDirectories(classes);
      String source = Path.of("src", "test", "sdk", program + ".java").toString();
      StringWriter said = new StringWriter();
      if (ToolProvider.findFirst("javac")
              .orElseThrow()
              .run(
                  new PrintWriter(said),
                  new PrintWriter(said),
                  "-nowarn",
                  "-proc:none",
                  "-cp",
                  withoutWildcard(classPath),
                  "-d",
                  classes.toString(),
                  source)
          != 0) {
        throw new IOException(said.toString());
      }
    }
    return classes;
  }

  /** The launcher of a JVM knows {@code folder/*}, the compiler in this one does not. */
  private static String withoutWildcard(String classPath) throws IOException {
    if (!classPath.endsWith("*")) {
      return classPath;
    }
    try (Stream<Path> jars = Files.list(Path.of(classPath).getParent())) {
      return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
  }

  private static List<String> command(String program, String classPath, String... arguments)
      throws IOException {
    String own = compiled(program, classPath) + File.pathSeparator + classPath;
    List<String> command;
    if (classPath.equals(OLDER)) {
      command = ChildJvm.command("-Dslf4j.internal.verbosity=ERROR");
      command.add(command.removeLast() + File.pathSeparator + own);
    } else {
      command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xmx256m",
                  "-Dslf4j.internal.verbosity=ERROR",
                  "-cp",
                  own));
    }
    command.add(program);
    command.addAll(List.of(arguments));
    return command;
  }

  /** Starts a program on one of the Java SDKs that says a line after the other. */
  static JsSide.Program startJava(
      String program, String classPath, Path folder, String... arguments) throws IOException {
    Path log = Files.createTempFile(folder, program, ".log");
    return new JsSide.Program(
        new ProcessBuilder(command(program, classPath, arguments))
            .redirectError(log.toFile())
            .start(),
        log);
  }

  private Map<String, JsonNode> javaClient(
      String program, String classPath, String base, int proxy, int control, String... more)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, program, ".out");
    Path errors = Files.createTempFile(folder, program, ".log");
    List<String> command =
        command(program, classPath, base, Integer.toString(proxy), Integer.toString(control));
    command.addAll(List.of(more));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
    if (!context.isEmpty()) {
      builder.environment().put("A2A_CONTEXT", context);
    }
    Process process = builder.start();
    if (!process.waitFor(RUN_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(program + " failed: " + Files.readString(errors));
    }
    Map<String, JsonNode> results = new LinkedHashMap<>();
    for (String line : Files.readAllLines(output)) {
      List<String> fields = List.of(line.split("\t", 3));
      results.put(
          fields.get(0) + ": " + fields.get(1), Normal.of(A2a.JSON.readTree(fields.get(2))));
    }
    return results;
  }
}
