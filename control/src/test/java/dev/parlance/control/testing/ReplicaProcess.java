package dev.parlance.control.testing;

import static org.awaitility.Awaitility.await;

import dev.parlance.service.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A control plane in a process of its own. */
public final class ReplicaProcess implements AutoCloseable {
  private static final Pattern GRPC = Pattern.compile("\"grpc\":\"127\\.0\\.0\\.1:(\\d+)\"");

  private static final Pattern CORE_KEY = Pattern.compile("\"coreKey\":\"([^\"]+)\"");

  private final Process process;
  private final Path data;
  private final Path output;

  private ReplicaProcess(Process process, Path data, Path output) {
    this.process = process;
    this.data = data;
    this.output = output;
  }

  /**
   * Starts one; {@link #port} waits until it is up.
   *
   * @param data its data folder
   * @param more further lines of its configuration
   */
  public static ReplicaProcess start(Path data, String name, String more) throws IOException {
    return start(data, name, 0, more);
  }

  /**
   * Starts one whose gRPC listener is where an earlier one's was.
   *
   * @param grpcPort 0 for any
   */
  public static ReplicaProcess start(Path data, String name, int grpcPort, String more)
      throws IOException {
    Files.createDirectories(data);
    Files.deleteIfExists(data.resolve("control.json"));
    Path config = data.resolve("control.yaml");
    Files.writeString(
        config,
        """
        data: .
        replica: %s
        grpc: {listen: "127.0.0.1:%d"}
        http: {listen: "127.0.0.1:0"}
        ledger: {origin: test.example/ledger}
        audits: {questionsInFlight: 8, answerTimeoutMs: 3000, retries: 2, leaseTtlMs: 2000}
        pollMs: 20
        reportIntervalMs: 1000
        """
                .formatted(name, grpcPort)
            + more);
    Path output = data.resolve("output.txt");
    List<String> command = ChildJvm.command();
    command.addAll(List.of(ReplicaMain.class.getName(), config.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new ReplicaProcess(process, data, output);
  }

  /** Port of its gRPC listener, once it is up. */
  public int port() {
    Path state = data.resolve("control.json");
    await()
        .atMost(Kit.PATIENCE.multipliedBy(2))
        .until(() -> {
          if (!process.isAlive()) {
            throw new IllegalStateException("it does not start: " + Files.readString(output));
          }
          return Files.exists(state);
        });
    try {
      Matcher matcher = GRPC.matcher(Files.readString(state));
      if (!matcher.find()) {
        throw new IllegalStateException("no address in " + state);
      }
      return Integer.parseInt(matcher.group(1));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The key of certified cores, once it is up. */
  public String coreKey() {
    int _ = port();
    try {
      Matcher matcher = CORE_KEY.matcher(Files.readString(data.resolve("control.json")));
      if (!matcher.find()) {
        throw new IllegalStateException("no key in " + data);
      }
      return matcher.group(1);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends it as {@code kill -9} does. */
  public void kill() {
    process.destroyForcibly();
    close();
  }

  /** Ends it as {@code kill} does; its exit status. */
  public int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("it does not stop");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("it does not end");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
