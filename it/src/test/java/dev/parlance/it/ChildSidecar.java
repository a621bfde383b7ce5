package dev.parlance.it;

import static org.awaitility.Awaitility.await;

import dev.parlance.cli.run.ProxyMain;
import dev.parlance.service.testing.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/** A sidecar in a process of its own, as {@code parlance proxy} runs it. */
final class ChildSidecar implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(60);
  private static final Duration GONE = Duration.ofSeconds(60);

  private final Process process;
  private final JsonNode ports;
  private final Path config;
  private final Path output;
  private final Admin admin;

  private ChildSidecar(Process process, JsonNode ports, Path folder, String name) {
    this.process = process;
    this.ports = ports;
    this.config = folder.resolve(name + ".yaml");
    this.output = folder.resolve(name + ".log");
    this.admin = new Admin(ports.path("admin").asInt(0), folder.resolve(name));
  }

  /** Starts what the sections say; the same name finds its data folder again. */
  static ChildSidecar start(Path folder, String name, String... sections) throws IOException {
    return start(folder, name, 0, sections);
  }

  /**
   * As above.
   *
   * @param files most files and sockets that it may have open; 0: as many as this process
   */
  static ChildSidecar start(Path folder, String name, int files, String... sections)
      throws IOException {
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
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh", "-c", "[ $0 = 0 ] || ulimit -n $0; exec \"$@\"", Integer.toString(files)));
    command.addAll(
        ChildJvm.command("-Dslf4j.internal.verbosity=WARN", "-Dparlance.log.level=info"));
    command.addAll(
        List.of(
            ProxyMain.class.getName(),
            "proxy",
            "--config",
            config.toString(),
            // It never outlives this JVM, whatever becomes of it.
            "--stop-on-stdin-close"));
    Process process =
        new ProcessBuilder(command)
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
          process, A2a.JSON.readTree(Files.readString(portsFile)), folder, name);
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

  /** What it wrote on its streams. */
  String output() throws IOException {
    return Files.readString(output);
  }

  /** Writes its configuration anew. */
  void rewrite(UnaryOperator<String> change) throws IOException {
    Files.writeString(config, change.apply(Files.readString(config)));
  }

  /** SIGHUP. */
  void hangUp() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start().waitFor();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it says of its readiness, head and body; needs no token, whose file may be away. */
  String readyz() throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), ports.path("admin").asInt(0))) {
      socket
          .getOutputStream()
          .write(
              "GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n"
                  .formatted(ports.path("admin").asInt(0))
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  /** CPU time that it has taken. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** A full collection of its heap. */
  void collect() throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    int status =
        new ProcessBuilder(jcmd, Long.toString(process.pid()), "GC.run")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (status != 0) {
      throw new IllegalStateException("jcmd ended with " + status);
    }
  }

  /** Resident memory at its highest since {@link #forgetPeak}, in bytes. */
  long peakBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
        .findFirst()
        .orElseThrow();
  }

  /** The highest is what it has now. */
  void forgetPeak() throws IOException {
    Files.writeString(Path.of("/proc/" + process.pid() + "/clear_refs"), "5");
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
