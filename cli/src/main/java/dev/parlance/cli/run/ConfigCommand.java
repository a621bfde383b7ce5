package dev.parlance.cli.run;

import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.exchange.RoutePlan;
import dev.parlance.proxy.main.MessageChecks;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** Checks configurations without starting anything. */
@Command(
    name = "config",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ConfigCommand.Validate.class,
      ConfigCommand.Schema.class,
      ConfigCommand.ShowDefaults.class,
      ConfigCommand.Explain.class,
      ConfigCommand.AdminToken.class
    })
final class ConfigCommand {
  @Command(name = "validate")
  static final class Validate extends TerminalCommand {
    @Parameters(paramLabel = "FILE", description = "the configuration (YAML)")
    Path file = Path.of("");

    @Mixin OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
        return terminal.usage("config validate: cannot read " + file + "; expected a YAML file");
      }
      ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
      output.print(terminal, report(result), () -> print(result));
      return switch (result) {
        case ConfigResult.Loaded<SidecarConfig> _ -> ExitStatus.OK;
        case ConfigResult.Refused<SidecarConfig> _ -> ExitStatus.FAILED;
      };
    }

    private void print(ConfigResult<SidecarConfig> result) {
      switch (result) {
        case ConfigResult.Loaded(var config) ->
            terminal.line(file + ": valid, revision " + config.revision());
        case ConfigResult.Refused<SidecarConfig> refused ->
            refused.problems().forEach(problem -> terminal.println(ConfigFile.line(file, problem)));
      }
    }

    private Map<String, Object> report(ConfigResult<SidecarConfig> result) {
      return switch (result) {
        case ConfigResult.Loaded(var config) ->
            Map.of("file", file.toString(), "valid", true, "revision", config.revision());
        case ConfigResult.Refused(List<ConfigProblem> problems) ->
            Map.of("file", file.toString(), "valid", false, "problems", problems);
      };
    }
  }

  @Command(name = "admin-token")
  static final class AdminToken extends TerminalCommand {
    @Option(
        names = "--data-dir",
        paramLabel = "DIR",
        description = "data folder of the sidecar (default: parlance-data)")
    Path dataDir = AdminOptions.DATA_DIR_DEFAULT;

    @Override
    public Integer call() throws IOException {
      Path file = dataDir.resolve("admin.token");
      if (!Files.isReadable(file)) {
        return terminal.fail("config admin-token: cannot read " + file);
      }
      terminal.println(Files.readString(file, StandardCharsets.UTF_8).strip());
      return ExitStatus.OK;
    }
  }

  @Command(name = "explain")
  static final class Explain extends TerminalCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "the configuration (YAML)")
    Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "ROUTE", description = "name of the route")
    String route = "";

    @Override
    public Integer call() {
      if (!(ConfigLoader.load(file) instanceof ConfigResult.Loaded<SidecarConfig>(var config))) {
        return terminal.usage("config explain: " + file + " is refused, see config validate");
      }
      Optional<RouteRule> rule =
          config.routes().stream().filter(found -> found.name().equals(route)).findFirst();
      if (rule.isEmpty()) {
        return terminal.usage(
            "config explain: no route \"%s\"; expected one of %s",
            route, config.routes().stream().map(RouteRule::name).collect(Collectors.joining(", ")));
      }
      for (Direction direction : Direction.values()) {
        new RoutePlan(rule.get(), direction, config, MessageChecks.ORDER)
            .lines()
            .forEach(terminal::line);
      }
      return ExitStatus.OK;
    }
  }

  @Command(name = "schema")
  static final class Schema extends TerminalCommand {

    @Override
    public Integer call() throws IOException {
      try (InputStream schema =
          ConfigLoader.class.getResourceAsStream("parlance-config.schema.json")) {
        if (schema == null) {
          throw new IllegalStateException("the schema is not in the jar");
        }
        terminal.out().write(schema.readAllBytes());
      }
      return ExitStatus.OK;
    }
  }

  @Command(name = "show-defaults")
  static final class ShowDefaults extends TerminalCommand {
    /** The keys that have no default. */
    private static final String SMALLEST =
        """
        version: 1
        inbound: { listen: "127.0.0.1:15006", agent: "127.0.0.1:8080" }
        outbound: { listen: "127.0.0.1:15001" }
        health: { listen: "127.0.0.1:15020" }
        """;

    @Mixin OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      return switch (ConfigLoader.parse(SMALLEST, Path.of("").toAbsolutePath())) {
        case ConfigResult.Refused(List<ConfigProblem> problems) ->
            throw new IllegalStateException("the smallest configuration is refused: " + problems);
        case ConfigResult.Loaded(var config) -> {
          Map<String, Object> shown = loadable(config.toDisplayMap());
          switch (output.format) {
            case JSON -> terminal.json(shown);
            case TEXT -> {
              terminal.println("# Every key with its default. Leave out what you do not change.");
              terminal.out().print(yaml(shown));
              terminal.println("# The built-in profiles; profiles of your own start with extends.");
              yaml(Profiles.builtIn().stream()
                      .collect(
                          Collectors.toMap(
                              Profile::name, Profile::settings, (a, _) -> a, LinkedHashMap::new)))
                  .lines()
                  .forEach(line -> terminal.println("#   " + line));
            }
          }
          yield ExitStatus.OK;
        }
      };
    }

    /**
     * What may stand in a file: without the revision, with the implicit last route as an example
     * under a name that is free, and without the built-in profiles.
     */
    private static Map<String, Object> loadable(Map<String, Object> effective) {
      Map<String, Object> shown = new LinkedHashMap<>(effective);
      shown.remove("revision");
      shown.put("dataDir", AdminOptions.DATA_DIR_DEFAULT.toString());
      if (shown.get("routes") instanceof List<?> routes
          && routes.getLast() instanceof Map<?, ?> last) {
        Map<Object, Object> everything = new LinkedHashMap<>(last);
        everything.put("name", "everything");
        everything.remove("json");
        shown.put("routes", List.of(everything));
      }
      shown.put("profiles", Map.of());
      return shown;
    }

    private static String yaml(Map<String, ?> shown) {
      return YAMLMapper.builder()
          .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
          .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
          .build()
          .writeValueAsString(shown);
    }
  }
}
