package dev.parlance.cli.review;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputFormat;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.api.CertificationCalls;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.SidecarInfo;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "proxy-status",
    description = {
      "Lists the sidecars of a control plane, with the cores they guard with.",
      "",
      "A core is synced (the newest is in force), behind (the newest is under way),",
      "refused (the sidecar refused the newest, for the reason shown, and guards with",
      "the last good one) or stale (not confirmed for longer than the sidecar",
      "allows). The configuration is the revision in force, or refused if the last",
      "file was; then a line below says where it is wrong. Exit status 1 if any core",
      "of any sidecar is refused or stale, or any configuration is refused."
    },
    footer = {"", "Examples:", "  parlance proxy-status", "  parlance proxy-status --watch"})
final class ProxyStatusCommand extends ControlPlaneCommand<List<SidecarInfo>> {
  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

  @Option(names = "--watch", description = "print again and again, until Ctrl-C")
  boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "with --watch: how often, 1 to 3600 (default: 2)")
  int intervalSeconds = 2;

  @Option(names = "--agent", paramLabel = "AGENT", description = "only sidecars of this agent")
  Optional<String> agent = Optional.empty();

  ProxyStatusCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  protected Optional<String> problem() {
    return intervalSeconds < 1 || intervalSeconds > 3600
        ? Optional.of("--interval: expected a number from 1 to 3600, got " + intervalSeconds)
        : Optional.empty();
  }

  @Override
  protected ControlReply<List<SidecarInfo>> ask(ControlClient client) {
    ControlReply<List<SidecarInfo>> reply = list(client);
    while (watch
        && reply instanceof ControlReply.Answered<List<SidecarInfo>>(List<SidecarInfo> sidecars)) {
      if (terminal.colour()) {
        terminal.out().print(HOME_AND_CLEAR);
      }
      print(sidecars);
      terminal.out().flush();
      if (terminal.out().checkError()) {
        return reply; // nobody reads any more
      }
      try {
        Thread.sleep(1000L * intervalSeconds);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return reply;
      }
      reply = list(client);
    }
    return reply;
  }

  private ControlReply<List<SidecarInfo>> list(ControlClient client) {
    return CertificationCalls.sidecars(client)
        .map(sidecars ->
            sidecars.stream()
                .filter(sidecar -> agent.isEmpty() || agent.get().equals(sidecar.agent()))
                .toList());
  }

  @Override
  protected int print(List<SidecarInfo> sidecars) {
    if (watch && output.format == OutputFormat.JSON) {
      terminal.out().println(Json.text(sidecars));
      return status(sidecars);
    }
    return super.print(sidecars);
  }

  @Override
  protected void text(List<SidecarInfo> sidecars) {
    SidecarText.print(terminal, sidecars, System.currentTimeMillis());
  }

  @Override
  protected int status(List<SidecarInfo> sidecars) {
    boolean unwell =
        sidecars.stream()
                .flatMap(sidecar -> sidecar.cores().stream())
                .map(SidecarInfo.Core::state)
                .anyMatch(state -> state.equals("refused") || state.equals("stale"))
            || sidecars.stream().anyMatch(SidecarText::isRefused);
    return unwell ? ExitStatus.FAILED : ExitStatus.OK;
  }
}
