package dev.parlance.cli.review;

import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.BuildInfo;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlOptions;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.LineReader;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.client.ControlClient;
import dev.parlance.client.SidecarClient;
import dev.parlance.console.ConsoleServer;
import dev.parlance.console.ConsoleSettings;
import dev.parlance.console.api.ControlRecords;
import dev.parlance.console.login.ConsoleRole;
import dev.parlance.console.login.OidcSettings;
import dev.parlance.console.source.AgentSource;
import dev.parlance.console.source.RecordSource;
import dev.parlance.console.source.SidecarCalls;
import dev.parlance.console.source.SidecarGroup;
import dev.parlance.console.source.SidecarSource;
import dev.parlance.policy.text.Coded;
import dev.parlance.service.Lifecycle;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "console")
final class ConsoleCommand extends TerminalCommand {
  private static final int MAX_PORT = 65_535;

  @Mixin AdminOptions admin = new AdminOptions();

  @Option(
      names = "--more",
      paramLabel = "DIR",
      description = "data folder of another sidecar; may stand several times")
  List<Path> more = new ArrayList<>();

  @Option(
      names = "--control-dir",
      paramLabel = "DIR",
      description = "data folder of a control plane: shows cores, rounds, pacts, boards, ledger")
  Optional<Path> controlDir = Optional.empty();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "port on 127.0.0.1 (default: 0, a free one)")
  int port;

  @ArgGroup(exclusive = false, heading = "Reached over a network, people log in at an issuer:%n")
  @Nullable OidcOptions oidc;

  /** Who says who people are. */
  static final class OidcOptions {
    @Option(
        names = "--url",
        required = true,
        paramLabel = "URL",
        description = "what browsers call the console: scheme, host and port")
    URI url = URI.create("");

    @Option(
        names = "--listen",
        required = true,
        paramLabel = "HOST:PORT",
        description = "where it listens; what stands in front ends TLS")
    String listen = "";

    @Option(
        names = "--issuer",
        required = true,
        paramLabel = "URL",
        description =
            "issuer of OpenID Connect; --url with /api/v1/session/oidc/callback behind it"
                + " is to be registered there")
    URI issuer = URI.create("");

    @Option(
        names = "--client-id",
        required = true,
        paramLabel = "ID",
        description = "what the console is called there")
    String clientId = "";

    @Option(
        names = "--client-secret-file",
        paramLabel = "FILE",
        description = "file with its secret; without: PKCE alone")
    Optional<Path> secretFile = Optional.empty();

    @Option(
        names = "--name-claim",
        paramLabel = "NAME",
        description = "member of the token that names a person (default: email)")
    String nameClaim = "email";

    @Option(
        names = "--groups-claim",
        paramLabel = "NAME",
        description = "member of the token with a person's groups (default: groups)")
    String groupsClaim = "groups";

    @Option(
        names = "--role",
        required = true,
        paramLabel = "ROLE=GROUP",
        description =
            "viewer, reviewer, auditor or operator, and a group that has it; may stand"
                + " several times")
    List<String> roles = new ArrayList<>();

    private ConsoleSettings settings(String version) {
      Map<ConsoleRole, Set<String>> groups = new EnumMap<>(ConsoleRole.class);
      for (String text : roles) {
        int equals = text.indexOf('=');
        ConsoleRole role =
            Coded.find(ConsoleRole.values(), text.substring(0, Math.max(0, equals)))
                .orElseThrow(
                    () -> CommandProblem.usage("expected --role ROLE=GROUP, e.g. reviewer=staff"));
        groups.computeIfAbsent(role, _ -> new TreeSet<>()).add(text.substring(equals + 1));
      }
      Listen where =
          Listen.parse(listen)
              .orElseThrow(() -> CommandProblem.usage("expected --listen HOST:PORT"));
      try {
        OidcSettings at =
            new OidcSettings(issuer, clientId, secretFile, nameClaim, groupsClaim, groups);
        return new ConsoleSettings(
            where,
            version,
            "nobody",
            Set.of(),
            Optional.of(new ConsoleSettings.Outside(url, at, Optional.empty())));
      } catch (IllegalArgumentException e) {
        throw CommandProblem.usage(String.valueOf(e.getMessage()));
      }
    }
  }

  @Mixin PersonOptions who = new PersonOptions();

  @Override
  public Integer call() throws IOException {
    if (port < 0 || port > MAX_PORT) {
      throw CommandProblem.usage("expected --port from 0 to " + MAX_PORT + ", got " + port);
    }
    Lifecycle parts = new Lifecycle(() -> {});
    parts.open(() -> {
      serve(parts);
      return parts;
    });
    return ExitStatus.OK;
  }

  private void serve(Lifecycle parts) throws IOException {
    SortedMap<String, AgentSource> sidecars = new TreeMap<>();
    boolean hasSidecar =
        controlDir.isEmpty() || admin.dataDir.isPresent() || admin.admin.isPresent();
    if (hasSidecar) {
      add(admin.find(), parts, sidecars);
    }
    for (Path folder : more) {
      AdminOptions other = new AdminOptions();
      other.dataDir = Optional.of(folder);
      add(other.find(), parts, sidecars);
    }
    Optional<RecordSource> records = records(parts);
    if (oidc == null) {
      who.check(terminal); // once what it is asked for is known to be there
    }
    ConsoleServer server =
        parts.keep(ConsoleServer.start(settings(), source(sidecars, parts), records));
    CountDownLatch end = new CountDownLatch(1);
    Lifecycle.closeOnSignal(
        () -> {
          parts.close();
          end.countDown();
        },
        () -> ExitStatus.OK);
    print(server);
    Thread.ofPlatform().daemon().name("parlance-console-stdin").start(() -> printAtEnter(server));
    try {
      end.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      parts.close();
    }
  }

  private ConsoleSettings settings() {
    String version = BuildInfo.load().version();
    return oidc == null
        ? ConsoleSettings.onLoopback(port, version, who.name(terminal)).in(who.as)
        : oidc.settings(version);
  }

  private static void add(
      SidecarClient.Address address, Lifecycle parts, SortedMap<String, AgentSource> sidecars) {
    String id = "sidecar-" + (sidecars.size() + 1);
    SidecarClient client = parts.keep(new SidecarClient(address, Json.MAPPER));
    sidecars.put(id, new SidecarSource(id, new SidecarCalls(client)));
  }

  private static AgentSource source(SortedMap<String, AgentSource> sidecars, Lifecycle parts) {
    if (sidecars.size() == 1) {
      return sidecars.firstEntry().getValue();
    }
    SortedMap<String, AgentSource> all = Collections.unmodifiableSortedMap(sidecars);
    return parts.keep(new SidecarGroup(() -> all));
  }

  private Optional<RecordSource> records(Lifecycle parts) throws IOException {
    if (controlDir.isEmpty()) {
      return Optional.empty();
    }
    ControlOptions control = new ControlOptions();
    control.dataDir = controlDir;
    return Optional.of(new ControlRecords(parts.keep(new ControlClient(control.find()))));
  }

  private void print(ConsoleServer server) {
    terminal.println("%s", oidc == null ? server.link() : oidc.url);
    terminal.out().flush();
  }

  /** A code is used up by the first browser that opens it. */
  private void printAtEnter(ConsoleServer server) {
    LineReader lines = new LineReader(terminal.in(), 64, () -> {});
    try {
      while (lines.next() instanceof LineReader.Line.Whole) {
        print(server);
      }
    } catch (IOException _) {
      // Standard input is gone; so is who would press Enter.
    }
  }
}
