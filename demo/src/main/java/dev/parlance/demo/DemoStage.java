package dev.parlance.demo;

import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentCaller.Way;
import dev.parlance.demo.agent.RunningAgent;
import dev.parlance.demo.agent.Talk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cast of a demonstration: a control plane and a sidecar beside each agent as processes, the
 * agents as threads of this process that talk A2A over sockets. Closing it ends all of them, those
 * as well that are still starting.
 */
final class DemoStage implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_MS = 20;
  private static final long LOOK_AGAIN_MS = 200;
  private static final Pattern WORD = Pattern.compile("\\{[a-zA-Z]+}");

  private final DemoOptions options;
  private final List<DemoProcess> children = new ArrayList<>();
  private final List<Runnable> closings = new ArrayList<>();
  private Optional<ControlPlane> control = Optional.empty();

  DemoStage(DemoOptions options) {
    this.options = options;
  }

  /**
   * An agent with its sidecar.
   *
   * @param agent the agent
   * @param dataDir of the sidecar: review queue, decision log and admin token
   * @param inbound port in front of the agent
   * @param outbound port for the agent's own requests
   * @param admin the operator's side of the sidecar
   */
  record Station(RunningAgent agent, Path dataDir, int inbound, int outbound, SidecarAdmin admin) {
    String name() {
      return agent.name();
    }

    /** What the agent advertises. */
    String url() {
      return "http://127.0.0.1:" + inbound + "/";
    }
  }

  /** One of what there is by name. */
  static <T> T of(Map<String, T> all, String name) {
    return Optional.ofNullable(all.get(name))
        .orElseThrow(() -> new IllegalArgumentException("no " + name));
  }

  DemoOptions options() {
    return options;
  }

  ControlPlane control() {
    return control.orElseThrow();
  }

  boolean hasControl() {
    return control.isPresent();
  }

  List<DemoProcess> children() {
    return List.copyOf(children);
  }

  /** Takes a port for an agent, which is closed with the stage. */
  RunningAgent agent(String name, Talk talk) throws IOException {
    return keep(RunningAgent.bind(name, talk, 0), RunningAgent::close);
  }

  /**
   * Starts a control plane, if there is to be one, and a sidecar beside each agent, and waits until
   * all are attached. The first agent gives the others orders, and the second one the first.
   *
   * @param kind the sidecars' routes are the resource {@code sidecar-<kind>.yaml}
   * @param sections further ones of the control plane's configuration
   * @param words what stands in braces in the resource, by agent
   */
  Map<String, Station> start(
      String kind,
      String sections,
      String jvmFlags,
      List<RunningAgent> agents,
      Function<String, Map<String, String>> words)
      throws IOException, InterruptedException {
    Path workDir = Files.createDirectories(options.workDir());
    if (!options.controlCommand().isEmpty()) {
      Path dataDir = Files.createDirectories(workDir.resolve("control"));
      String yaml = filled("control.yaml", Map.of("dataDir", quoted(dataDir))) + sections;
      DemoProcess child = start("control", options.controlCommand(), yaml, DemoProcess.SMALL);
      JsonNode state = child.await(dataDir.resolve("control.json"), DemoProcess.READY);
      control = Optional.of(keep(new ControlPlane(dataDir, state), ControlPlane::close));
    }
    List<DemoProcess> starting = new ArrayList<>();
    for (RunningAgent agent : agents) {
      Map<String, String> all = new HashMap<>(words.apply(agent.name()));
      all.put("name", sidecar(agent));
      all.put("dataDir", quoted(Files.createDirectories(workDir.resolve(sidecar(agent)))));
      all.put("portsFile", quoted(portsFile(agent)));
      all.put("agentPort", String.valueOf(agent.port()));
      agent.grpcPort().ifPresent(port -> all.put("grpcPort", String.valueOf(port)));
      if (control.isPresent()) {
        Path token = workDir.resolve(agent.name() + ".token");
        Path keys = workDir.resolve("core.keys");
        Files.writeString(token, control.get().attachToken(agent.name()) + "\n");
        Files.writeString(keys, control.get().coreKey() + "\n");
        all.put("target", control.get().grpc());
        all.put("agent", agent.name());
        all.put("keysFile", quoted(keys));
        all.put("tokenFile", quoted(token));
        all.put("agentUrl", agent.ownUrl());
        all.put("peer", agents.get(agent == agents.getFirst() ? 1 : 0).name());
      }
      String yaml = filled("sidecar.yaml", all) + filled("sidecar-" + kind + ".yaml", all);
      starting.add(start(sidecar(agent), options.sidecarCommand(), yaml, jvmFlags));
    }
    Map<String, Station> stations = new LinkedHashMap<>();
    for (RunningAgent agent : agents) {
      JsonNode ports = starting.get(stations.size()).await(portsFile(agent), DemoProcess.READY);
      Path dataDir = workDir.resolve(sidecar(agent));
      stations.put(
          agent.name(),
          new Station(
              agent,
              dataDir,
              ports.path("inbound").asInt(0),
              ports.path("outbound").asInt(0),
              keep(new SidecarAdmin(ports.path("admin").asInt(0), dataDir), SidecarAdmin::close)));
    }
    if (control.isPresent()
        && !until(control.get()::attachedAgents, now -> now.containsAll(stations.keySet()))
            .containsAll(stations.keySet())) {
      throw new IOException("the sidecars did not attach to the control plane in time");
    }
    return stations;
  }

  private DemoProcess start(String name, List<String> command, String yaml, String jvmFlags)
      throws IOException {
    Path config = Files.writeString(options.workDir().resolve(name + ".yaml"), yaml);
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of("--config", config.toString(), "--stop-on-stdin-close"));
    children.add(DemoProcess.start(name, all, options.workDir(), jvmFlags));
    return children.getLast();
  }

  private static String sidecar(RunningAgent agent) {
    return agent.name().replace("license-", "") + "-sidecar";
  }

  private Path portsFile(RunningAgent agent) {
    return options.workDir().resolve(sidecar(agent) + ".ports.json");
  }

  /** A YAML double-quoted scalar has JSON's escapes. */
  private static String quoted(Path path) {
    return JsonMapper.shared().writeValueAsString(path.toAbsolutePath().toString());
  }

  /** A resource with its words filled in; a line with a word that there is not is left out. */
  private static String filled(String resource, Map<String, String> words) {
    StringBuilder filled = new StringBuilder();
    for (String line : Player.text(resource).lines().toList()) {
      String text = line;
      for (Map.Entry<String, String> word : words.entrySet()) {
        text = text.replace("{" + word.getKey() + "}", word.getValue());
      }
      if (!WORD.matcher(text).find()) {
        filled.append(text).append('\n');
      }
    }
    return filled.toString();
  }

  /** A client of an agent; closed with the stage. Who starts just now may be slow to answer. */
  AgentCaller caller(Way way) throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return keep(AgentCaller.find(way), AgentCaller::close);
      } catch (IOException e) {
        if (System.nanoTime() - deadlineNs > 0) {
          throw new IOException("no agent card at " + way.url() + ": " + e.getMessage(), e);
        }
        Thread.sleep(LOOK_AGAIN_MS);
      }
    }
  }

  /** Asks something whose answer changes. */
  @FunctionalInterface
  interface Asking<T> {
    T now() throws IOException, InterruptedException;
  }

  /** Asks until the answer is the one that is waited for or the time is over: the last answer. */
  static <T> T until(Asking<T> asking, Predicate<T> awaited)
      throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    T now = asking.now();
    while (!awaited.test(now) && System.nanoTime() - deadlineNs < 0) {
      Thread.sleep(POLL_MS);
      now = asking.now();
    }
    return now;
  }

  /** Has something closed with the stage, in the reverse order. */
  <T> T keep(T thing, Consumer<T> close) {
    closings.add(() -> close.accept(thing));
    return thing;
  }

  /** Ends every process, all at once and for a bounded time. */
  @Override
  public void close() {
    closings.reversed().forEach(Runnable::run);
    closings.clear();
    children.forEach(DemoProcess::askToStop);
    children.forEach(DemoProcess::close);
  }
}
