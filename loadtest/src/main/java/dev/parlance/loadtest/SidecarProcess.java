package dev.parlance.loadtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A sidecar in a process of its own that has shown that it forwards.
 *
 * @param child what was started; the sidecar itself may be a child of it
 * @param pid of the sidecar
 * @param inbound its inbound port
 * @param admin its admin port
 */
record SidecarProcess(Child child, long pid, int inbound, int admin) implements AutoCloseable {
  private static final int POLL_MS = 50;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Tells whether something comes back through a port. */
  @FunctionalInterface
  interface Probe {
    /** True if it does. */
    boolean answers(int port) throws InterruptedException;
  }

  /**
   * Starts one and waits until the probe comes back.
   *
   * @param command with {@code {config}} for the path of the configuration
   * @param config its text; it names {@code ports.json} in {@code folder} as ports file
   * @return it, or why there is none, in words
   */
  static Started start(
      String command, Cores cores, Path folder, String config, Duration timeout, Probe probe)
      throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("parlance.yaml"), config);
    List<String> words =
        Arrays.stream(command.strip().split("\\s+", -1))
            .map(word -> word.replace("{config}", file.toString()))
            .toList();
    Child child;
    try {
      child = Child.start(Cores.on(cores.proxy(), words), folder, folder.resolve("output.log"));
    } catch (IOException e) {
      return new Started.Not("cannot run " + words.getFirst());
    }
    long end = System.nanoTime() + timeout.toNanos();
    while (child.isAlive() && System.nanoTime() < end) {
      Optional<JsonNode> ports = readPorts(portsFile(folder));
      if (ports.isPresent()) {
        int inbound = ports.get().path("inbound").asInt(0);
        if (inbound > 0 && probe.answers(inbound)) {
          long pid = ports.get().path("pid").asLong(child.pid());
          int admin = ports.get().path("admin").asInt(0);
          return new Started.Ready(new SidecarProcess(child, pid, inbound, admin));
        }
      }
      Thread.sleep(POLL_MS);
    }
    String what = child.isAlive() ? "did not answer in time" : "ended before it answered";
    child.close();
    return new Started.Not(what + "; its last words:\n" + child.tail());
  }

  /** Where a sidecar in this folder writes its ports. */
  static Path portsFile(Path folder) {
    return folder.resolve("ports.json");
  }

  private static Optional<JsonNode> readPorts(Path portsFile) {
    try {
      return Files.exists(portsFile)
          ? Optional.of(JSON.readTree(Files.readAllBytes(portsFile)))
          : Optional.empty();
    } catch (IOException | JacksonException e) {
      return Optional.empty(); // half written: the next look finds it whole
    }
  }

  @Override
  public void close() {
    child.close();
  }

  /** What came of starting a sidecar. */
  sealed interface Started {
    /** It forwards. */
    record Ready(SidecarProcess sidecar) implements Started {}

    /** It does not; why, in words. */
    record Not(String reason) implements Started {}
  }

  /** Options of every command that starts sidecars. */
  static final class SidecarOptions {
    @Option(
        names = "--parlance-command",
        paramLabel = "COMMAND",
        description = "Starts a sidecar; {config} is its configuration (default: ${DEFAULT-VALUE}).")
    private String command =
        System.getProperty("parlance.root", ".") + "/bin/parlance proxy --config {config}";

    @Option(
        names = "--start-timeout",
        paramLabel = "SECONDS",
        description = "For a sidecar to answer, its build included (default: ${DEFAULT-VALUE}).")
    private int startTimeout = 300;

    String command() {
      return command;
    }

    /** At least a second. */
    Duration startTimeout() {
      if (startTimeout < 1) {
        throw new IllegalArgumentException(
            "expected a start timeout of at least 1 second, got " + startTimeout);
      }
      return Duration.ofSeconds(startTimeout);
    }
  }
}
