package dev.parlance.it;

import static org.awaitility.Awaitility.await;

import dev.parlance.cli.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A sidecar in a process of its own, as {@code parlance proxy} runs it. */
final class ChildSidecar implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(60);
  private static final Duration GONE = Duration.ofSeconds(60);

  private final Process process;
  private final JsonNode ports;
  private final Admin admin;

  private ChildSidecar(Process process, JsonNode ports, Path dataDir) {
    this.process = process;
    this.ports = ports;
    this.admin = new Admin(ports.path("admin").asInt(0), dataDir);
  }

  /** Starts what the sections say; the same name finds its data folder again. */
  static ChildSidecar start(Path folder, String name, String... sections) throws IOException {
    Path portsFile = folder.resolve(name + ".ports.json");
    Path config = folder.resolve(name + ".yaml");
    Path output = folder.resolve(name + ".log");
    Files.deleteIfExists(portsFile);
    Files.writeString(
        config,
        LocalSidecar.yaml(name, name, sections)
            + "startup: { warmUpMessages: 0 }\nportsFile: "
            + name
            + ".ports.json\n");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xmx256m",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName(),
                    "proxy",
                    "--config",
                    config.toString(),
                    // It never outlives this JVM, whatever becomes of it.
                    "--stop-on-stdin-close"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(output.toString())))
            .start();
    try {
      await()
          .atMost(READY)
          .pollInterval(Duration.ofMillis(20))
          .failFast("the sidecar ended: " + output, () -> !process.isAlive())
          .until(() -> Files.exists(portsFile));
      return new ChildSidecar(
          process, A2a.JSON.readTree(Files.readString(portsFile)), folder.resolve(name));
    } catch (RuntimeException | IOException e) {
      process.destroyForcibly();
      throw new IOException("no sidecar: " + Files.readString(output), e);
    }
  }

  int inbound() {
    return ports.path("inbound").asInt(0);
  }

  int outboundPort() {
    return ports.path("outbound").asInt(0);
  }

  /** Port of the health listener. */
  int health() {
    return ports.path("health").asInt(0);
  }

  Admin admin() {
    return admin;
  }

  /** kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitEnd();
  }

  /** SIGTERM, without waiting. */
  void terminate() {
    process.destroy();
  }

  /** Waits for the end and says how it ended. */
  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(GONE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("the sidecar does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    admin.close();
    process.destroyForcibly();
  }
}
