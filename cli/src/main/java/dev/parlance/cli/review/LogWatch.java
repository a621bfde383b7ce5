package dev.parlance.cli.review;

import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.Json;
import dev.parlance.cli.PodOptions;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.client.SidecarClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Which lines of a running sidecar's decision log a command looks at, and for how long. */
final class LogWatch {
  private static final Duration PAUSE = Duration.ofMillis(200);

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "data folder of the sidecar (default: parlance-data)")
  Path dataDir = AdminOptions.DATA_DIR_DEFAULT;

  @Option(
      names = "--route",
      paramLabel = "ROUTE",
      description = "only decisions for this route: execute, warn, regenerate or yield; repeatable")
  List<String> routes = List.of();

  @Option(
      names = "--rule",
      paramLabel = "NAME",
      description = "only decisions by this rule of the configuration; repeatable")
  List<String> rules = List.of();

  @Option(
      names = "--reason",
      paramLabel = "CODE",
      description = "only decisions with this reason; repeatable")
  List<String> reasons = List.of();

  @Option(
      names = "--peer",
      paramLabel = "NAME",
      description = "only messages of this peer; repeatable")
  List<String> peers = List.of();

  @Option(
      names = "--direction",
      paramLabel = "DIRECTION",
      description = "only inbound or only outbound")
  Optional<String> direction = Optional.empty();

  @Option(names = "--seconds", paramLabel = "N", description = "end after so long (default: never)")
  Optional<Integer> seconds = Optional.empty();

  /** Refuses options that mean nothing, and a folder that is not there. */
  void check() {
    if (seconds.isPresent() && seconds.get() < 1) {
      throw CommandProblem.usage("--seconds: expected 1 or more, got " + seconds.get());
    }
    for (String route : routes) {
      if (!List.of("execute", "warn", "regenerate", "yield").contains(route)) {
        throw CommandProblem.usage(
            "--route: expected execute, warn, regenerate or yield, got "
                + TerminalEscaper.shortened(route, 40));
      }
    }
    if (direction.isPresent() && !List.of("inbound", "outbound").contains(direction.get())) {
      throw CommandProblem.usage(
          "--direction: expected inbound or outbound, got "
              + TerminalEscaper.shortened(direction.get(), 40));
    }
  }

  /** The log of a sidecar here, or of one in a pod. */
  LineSource open(PodOptions pod) throws IOException {
    return pod.isGiven() ? new AdminLines(pod.client(Optional.empty())) : open();
  }

  /** The log, unless there is no folder of it. */
  LogTail open() {
    if (!Files.isDirectory(dataDir)) {
      throw CommandProblem.failed(
          "there is no folder %s; name the data folder of a running sidecar with --data-dir"
              .formatted(dataDir));
    }
    return new LogTail(dataDir.resolve("decisions.jsonl"), dataDir.resolve("decisions-1.jsonl"));
  }

  /** The line, if it is one and is wanted. */
  Optional<JsonNode> wanted(String text) {
    JsonNode line;
    try {
      line = Json.MAPPER.readTree(text);
    } catch (JacksonException e) {
      return Optional.empty(); // torn by a crash
    }
    return line.isObject() && isWanted(line) ? Optional.of(line) : Optional.empty();
  }

  private boolean isWanted(JsonNode line) {
    return matches(routes, line, "route")
        && matches(rules, line, "routeRule")
        && matches(peers, line, "peer")
        && matches(direction.stream().toList(), line, "direction")
        && (reasons.isEmpty()
            || line.path("reasons")
                .valueStream()
                .anyMatch(
                    reason -> reasons.contains(reason.asString("").toLowerCase(Locale.ROOT))));
  }

  private static boolean matches(List<String> wanted, JsonNode line, String name) {
    return wanted.isEmpty() || wanted.contains(SidecarClient.firstText(line, name));
  }

  /** When to end, on the clock of {@link System#nanoTime}; empty if never. */
  Optional<Long> endNanos() {
    return seconds.isPresent()
        ? Optional.of(System.nanoTime() + Duration.ofSeconds(seconds.get()).toNanos())
        : Optional.empty();
  }

  /** Waits a moment; false if there is no more time. */
  static boolean pause(Optional<Long> endNanos) {
    if (endNanos.isPresent() && System.nanoTime() - endNanos.get() >= 0) {
      return false;
    }
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Says once more that lines were missed. */
  static void complainOfGap(Terminal terminal) {
    terminal
        .err()
        .println(
            "parlance: the log was begun anew faster than it was read; lines are missing here");
  }

  /** As {@link LogTail#poll}, with a complaint where lines are missing. */
  static void poll(LineSource tail, Terminal terminal, Consumer<String> lines) throws IOException {
    if (tail.poll(lines) == LogTail.Seen.GAP) {
      complainOfGap(terminal);
    }
  }
}
