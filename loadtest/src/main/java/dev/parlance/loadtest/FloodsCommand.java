package dev.parlance.loadtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest floods}: what attacks on HTTP/2 cost a sidecar. */
@Command(
    name = "floods",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a sidecar, attacks it with floods of HTTP/2 frames, and prints after how many frames",
      "each is cut and the processor time that one connection costs."
    })
final class FloodsCommand implements Callable<Integer> {
  @Option(
      names = "--connections",
      description = "Attacking connections of each flood, in turn (default: ${DEFAULT-VALUE}).")
  private int connections = 20;

  @Option(
      names = "--seconds",
      description = "How long one floods if it is not cut (default: ${DEFAULT-VALUE}).")
  private int seconds = 5;

  @Mixin private SidecarOptions sidecars = new SidecarOptions();
  @Mixin private FormOption form = new FormOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (connections < 1 || seconds < 1) {
      throw new IllegalArgumentException("expected numbers of at least 1");
    }
    Path folder = Files.createTempDirectory("parlance-floods");
    // The agent takes connections and never answers: what is measured is the listener.
    try (ServerSocket agent = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> accept(agent));
      String config =
          ProxyConfigs.parlance(
              "enforce", agent.getLocalPort(), folder, SidecarProcess.portsFile(folder));
      return switch (SidecarProcess.start(
          sidecars.command(),
          Cores.UNPINNED,
          folder,
          config,
          sidecars.startTimeout(),
          FloodsCommand::greets)) {
        case SidecarProcess.Started.Not(String reason) -> {
          spec.commandLine().getErr().println("the sidecar " + reason);
          yield 1;
        }
        case SidecarProcess.Started.Ready(SidecarProcess sidecar) -> {
          try (sidecar) {
            yield measure(sidecar);
          }
        }
      };
    }
  }

  private int measure(SidecarProcess sidecar) throws IOException, InterruptedException {
    FloodRun run = new FloodRun(sidecar.inbound(), sidecar.pid(), Duration.ofSeconds(seconds));
    for (Flood flood : Flood.values()) {
      run.run(flood, connections); // so that the virtual machine has compiled what it will
    }
    List<List<String>> rows = new ArrayList<>();
    boolean allCut = true;
    for (Flood flood : Flood.values()) {
      FloodRun.Result result = run.run(flood, connections);
      rows.add(result.row(connections));
      allCut &= result.cut() == connections || flood == Flood.HPACK_BOMB;
    }
    Table table =
        new Table(
            "floods of HTTP/2 frames, " + connections + " connections each",
            List.of("flood", "cut", "error", "frames sent", "ms", "CPU ms"),
            rows);
    form.print(spec.commandLine().getOut(), table);
    return allCut ? 0 : 1;
  }

  /** An agent that takes every connection and never answers. */
  private static void accept(ServerSocket agent) {
    List<Socket> held = new ArrayList<>();
    while (!agent.isClosed()) {
      try {
        held.add(agent.accept());
      } catch (IOException e) {
        held.forEach(FloodsCommand::close); // the measurement is over
        return;
      }
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** True if the listener answers the preface of HTTP/2. */
  private static boolean greets(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(2000);
      socket.getOutputStream().write(Flood.greeting());
      return socket.getInputStream().readNBytes(9).length == 9;
    } catch (IOException e) {
      return false; // not there yet
    }
  }
}
