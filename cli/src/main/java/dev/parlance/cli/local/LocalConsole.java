package dev.parlance.cli.local;

import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.BuildInfo;
import dev.parlance.cli.ControlOptions;
import dev.parlance.cli.Json;
import dev.parlance.client.ControlClient;
import dev.parlance.client.SidecarClient;
import dev.parlance.console.ConsoleServer;
import dev.parlance.console.ConsoleSettings;
import dev.parlance.console.api.ControlRecords;
import dev.parlance.console.source.AgentSource;
import dev.parlance.console.source.RecordSource;
import dev.parlance.console.source.SidecarCalls;
import dev.parlance.console.source.SidecarGroup;
import dev.parlance.console.source.SidecarSource;
import dev.parlance.service.Lifecycle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The console of the sidecars of a run, on a free port of 127.0.0.1. */
final class LocalConsole implements AutoCloseable {
  /** In whose name is decided where the environment names no user. */
  private static final String SOMEBODY = "local";

  private final Lifecycle parts = new Lifecycle(() -> {});
  private final ConsoleServer server;

  private LocalConsole(Map<String, Path> sidecars, Optional<Path> control, String who)
      throws IOException {
    SortedMap<String, AgentSource> sources = new TreeMap<>();
    for (Map.Entry<String, Path> sidecar : sidecars.entrySet()) {
      AdminOptions admin = new AdminOptions();
      admin.dataDir = Optional.of(sidecar.getValue());
      SidecarClient client = parts.keep(new SidecarClient(admin.find(), Json.MAPPER));
      sources.put(sidecar.getKey(), new SidecarSource(sidecar.getKey(), new SidecarCalls(client)));
    }
    AgentSource source =
        sources.size() == 1
            ? sources.firstEntry().getValue()
            : parts.keep(new SidecarGroup(() -> sources));
    server =
        parts.keep(
            ConsoleServer.start(
                ConsoleSettings.onLoopback(0, BuildInfo.load().version(), who),
                source,
                records(control)));
  }

  private Optional<RecordSource> records(Optional<Path> control) throws IOException {
    if (control.isEmpty()) {
      return Optional.empty();
    }
    ControlOptions options = new ControlOptions();
    options.dataDir = control;
    return Optional.of(new ControlRecords(parts.keep(new ControlClient(options.find()))));
  }

  /**
   * Serves it.
   *
   * @param sidecars data folders of sidecars that run, by the names of their agents
   * @param control data folder of the control plane of the run
   * @param environment of this process
   * @throws IOException if a sidecar cannot be asked or there is no port
   */
  static LocalConsole start(
      Map<String, Path> sidecars, Optional<Path> control, Map<String, String> environment)
      throws IOException {
    String user = environment.getOrDefault("USER", "").strip();
    return new LocalConsole(sidecars, control, user.isEmpty() ? SOMEBODY : user);
  }

  /** A link that logs in who opens it first. */
  String link() {
    return server.link().toString();
  }

  @Override
  public void close() {
    parts.close();
  }
}
