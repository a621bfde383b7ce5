package dev.parlance.loadtest.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A sidecar in a process of its own that has shown that it forwards.
 *
 * @param child what was started; the sidecar itself may be a child of it
 * @param pid of the sidecar
 * @param port its inbound port, or the outbound one of a sidecar that has no other
 * @param admin its admin port
 */
public record MeasuredSidecar(ChildProcess child, long pid, int port, int admin)
    implements AutoCloseable {
  private static final int POLL_MS = 50;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Tells whether something comes back through a port. */
  @FunctionalInterface
  public interface Probe {
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
  public static Started start(
      String command, CorePinning cores, Path folder, String config, Duration timeout, Probe probe)
      throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("parlance.yaml"), config);
    List<String> words = words(command, file);
    ChildProcess child;
    try {
      child =
          ChildProcess.start(
              CorePinning.on(cores.proxy(), words), folder, folder.resolve("output.log"));
    } catch (IOException e) {
      return new Started.Not("cannot run " + words.getFirst());
    }
    long end = System.nanoTime() + timeout.toNanos();
    while (child.isAlive() && System.nanoTime() < end) {
      Optional<JsonNode> ports = readPorts(portsFile(folder));
      if (ports.isPresent()) {
        int port = ports.get().path("inbound").asInt(ports.get().path("outbound").asInt(0));
        if (port > 0 && probe.answers(port)) {
          long pid = ports.get().path("pid").asLong(child.pid());
          int admin = ports.get().path("admin").asInt(0);
          return new Started.Ready(new MeasuredSidecar(child, pid, port, admin));
        }
      }
      Thread.sleep(POLL_MS);
    }
    String what = child.isAlive() ? "did not answer in time" : "ended before it answered";
    child.close();
    return new Started.Not(what + "; its last words:\n" + child.tail());
  }

  /** The words of a command, with the path of the configuration in place. */
  public static List<String> words(String command, Path config) {
    return Arrays.stream(command.strip().split("\\s+", -1))
        .map(word -> word.replace("{config}", config.toString()))
        .toList();
  }

  /** Where a sidecar in this folder writes its ports. */
  public static Path portsFile(Path folder) {
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
  public sealed interface Started {
    /** It forwards. */
    record Ready(MeasuredSidecar sidecar) implements Started {}

    /** It does not; why, in words. */
    record Not(String reason) implements Started {}
  }

  /**
   * How sidecars are started.
   *
   * @param command starts one; {@code {config}} stands for the path of its configuration
   * @param baseline the same for an older build beside it
   * @param timeout how long one may take to start (it may have to be built first)
   */
  public record Commands(String command, Optional<String> baseline, Duration timeout) {
    /** Starts a sidecar of the checkout in a folder. */
    public static String of(String root) {
      return root + "/bin/parlance proxy --config {config}";
    }

    String of(TargetKind.Build build) {
      return switch (build) {
        case THIS -> command;
        case BASELINE -> baseline.orElseThrow();
      };
    }
  }
}
