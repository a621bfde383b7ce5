package dev.parlance.loadtest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Starts targets, each as a process of its own on the proxy's core, and waits until a real request
 * comes back through it (a bound port says little: a proxy may accept before it can forward).
 */
final class Launcher {
  private static final int ATTEMPTS = 3;
  private static final int POLL_MS = 50;

  private final Path folder;
  private final Cores cores;
  private final int upstreamPort;
  private final String parlanceCommand;
  private final Duration startTimeout;
  private final String probe;

  /**
   * @param folder scratch, for configurations and logs
   * @param parlanceCommand starts the sidecar; {@code {config}} stands for the configuration's path
   * @param probe a whole request body that the upstream answers
   */
  Launcher(
      Path folder,
      Cores cores,
      int upstreamPort,
      String parlanceCommand,
      Duration startTimeout,
      String probe) {
    this.folder = folder;
    this.cores = cores;
    this.upstreamPort = upstreamPort;
    this.parlanceCommand = parlanceCommand;
    this.startTimeout = startTimeout;
    this.probe = probe;
  }

  /** Makes a target ready, or says why not. */
  Launch launch(TargetKind kind) throws IOException, InterruptedException {
    Path own = Files.createDirectories(folder.resolve(kind.code()));
    return switch (kind) {
      case DIRECT -> new Launch.Ready(kind, upstreamPort, Optional.empty(), List.of());
      case PARLANCE_OBSERVE -> parlance(kind, "observe", own);
      case PARLANCE_ENFORCE -> parlance(kind, "enforce", own);
      case HAPROXY -> installed(kind, "haproxy", own);
      case NGINX -> installed(kind, "nginx", own);
    };
  }

  private Launch parlance(TargetKind kind, String mode, Path own)
      throws IOException, InterruptedException {
    String config = ProxyConfigs.parlance(mode, upstreamPort, own, SidecarProcess.portsFile(own));
    return switch (SidecarProcess.start(
        parlanceCommand, cores, own, config, startTimeout, this::answers)) {
      case SidecarProcess.Started.Not(String reason) -> new Launch.Failed(kind, reason);
      case SidecarProcess.Started.Ready(SidecarProcess sidecar) ->
          new Launch.Ready(
              kind, sidecar.inbound(), Optional.of(sidecar.pid()), List.of(sidecar.child()));
    };
  }

  private Launch installed(TargetKind kind, String program, Path own)
      throws IOException, InterruptedException {
    Optional<Path> file = Tools.find(program);
    if (file.isEmpty()) {
      return new Launch.Skipped(kind, program + " is not installed");
    }
    Launch last = new Launch.Skipped(kind, "not tried");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = freePort(); // somebody else may take it before the proxy does, hence the attempts
      last = installed(kind, file.get(), port, own);
      if (last instanceof Launch.Ready) {
        return last;
      }
    }
    return last;
  }

  private Launch installed(TargetKind kind, Path file, int port, Path own)
      throws IOException, InterruptedException {
    Path config = own.resolve(kind.code() + ".conf");
    List<String> command;
    if (kind == TargetKind.HAPROXY) {
      Files.writeString(config, ProxyConfigs.haproxy(port, upstreamPort));
      command = List.of(file.toString(), "-db", "-f", config.toString());
    } else {
      String flags = Tools.output(file.toString(), "-V").orElse("");
      Files.writeString(config, ProxyConfigs.nginx(port, upstreamPort, own, flags));
      command = List.of(file.toString(), "-p", own.toString(), "-c", config.toString());
    }
    Optional<Child> started = start(command, own);
    if (started.isEmpty()) {
      return new Launch.Failed(kind, "cannot run " + file);
    }
    Child child = started.get();
    long end = System.nanoTime() + Math.min(startTimeout.toNanos(), 10_000_000_000L);
    while (child.isAlive() && System.nanoTime() < end) {
      if (answers(port)) {
        // taskset replaces itself by the program, so the child's pid is the proxy's.
        return new Launch.Ready(kind, port, Optional.of(child.pid()), List.of(child));
      }
      Thread.sleep(POLL_MS);
    }
    return failed(kind, child);
  }

  private Optional<Child> start(List<String> command, Path own) {
    try {
      return Optional.of(
          Child.start(Cores.on(cores.proxy(), command), own, own.resolve("output.log")));
    } catch (IOException e) {
      return Optional.empty(); // the caller names the program that cannot run
    }
  }

  private static Launch failed(TargetKind kind, Child child) {
    String what = child.isAlive() ? "did not answer in time" : "ended before it answered";
    child.close();
    return new Launch.Failed(kind, what + "; its last words:\n" + child.tail());
  }

  /** True if the probe comes back through this port with status 200 and a result. */
  private boolean answers(int port) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/a2a/0"))
            .timeout(Duration.ofSeconds(10))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .POST(HttpRequest.BodyPublishers.ofString(probe))
            .build();
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build()) {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      return response.statusCode() == 200 && response.body().contains("\"result\"");
    } catch (IOException e) {
      return false; // not there yet
    }
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Closes whatever the launches started. */
  static void close(List<Launch> launches) {
    List<Child> children = new ArrayList<>();
    for (Launch launch : launches) {
      if (launch instanceof Launch.Ready ready) {
        children.addAll(ready.children());
      }
    }
    children.forEach(Child::close);
  }
}
