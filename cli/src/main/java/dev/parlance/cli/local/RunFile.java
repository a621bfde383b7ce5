package dev.parlance.cli.local;

import dev.parlance.service.config.Binder;
import dev.parlance.service.config.ConfigFormat;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Schema;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What {@code parlance run -f} starts: agents, each with a sidecar, and a control plane if there is
 * one. What may stand there is the schema beside this class.
 *
 * @param mode {@code observe} or {@code enforce}
 * @param agents at least one, each name and port once
 * @param control absent: no control plane
 */
record RunFile(String mode, List<Agent> agents, Optional<Control> control) {
  private static final int MAX_BYTES = 65_536;

  private static final ConfigFormat<RunFile> FORMAT =
      new ConfigFormat<>(
          Schema.of(RunFile.class, "run.schema.json"),
          MAX_BYTES,
          "the file is empty, expected agents",
          () -> new Binder.Types(constant -> constant.name().toLowerCase(Locale.ROOT)),
          root -> root.bind(RunFile.class));

  /** Copies the agents; refuses names and ports that stand there twice. */
  RunFile {
    agents = List.copyOf(agents);
    Set<Object> seen = new HashSet<>();
    for (Agent agent : agents) {
      if (!seen.add(agent.name()) || !seen.add(agent.port())) {
        throw new IllegalArgumentException(
            "expected each name and each port once, got %s at %d"
                .formatted(agent.name(), agent.port()));
      }
    }
  }

  /**
   * One agent.
   *
   * @param name its name, also at the control plane
   * @param port where it listens, on 127.0.0.1
   * @param command its program and what that is given
   * @param folder where it is started
   * @param environment what it is given beside the environment of {@code run}
   * @param callers where others reach it; 0: at a port that is free
   * @param a2a path of its A2A endpoint (JSON-RPC), where the questions of audits go
   */
  record Agent(
      String name,
      int port,
      List<String> command,
      Path folder,
      Map<String, String> environment,
      int callers,
      String a2a) {
    AgentSpec spec() {
      return new AgentSpec(
          name,
          port,
          command,
          folder,
          environment,
          a2a,
          callers == 0 ? Optional.empty() : Optional.of(callers));
    }
  }

  /**
   * The control plane.
   *
   * @param plan what is to be certified between the agents, as for {@code core plan put}; absent:
   *     nothing
   */
  record Control(Optional<Path> plan) {}

  /** Reads a file; paths in it are relative to its folder. */
  static ConfigResult<RunFile> load(Path file) {
    return FORMAT.load(file);
  }
}
