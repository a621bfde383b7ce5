package dev.parlance.cli.offline;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LineFilter;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.run.ConfigFile;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "score",
    description = {
      "Judges answers offline: JSON Lines in, JSON Lines out, in the same order and number.",
      "",
      "An input line is an object with the members answer (must be there), id, question,",
      "chunks:[{id,text}], citations:[id], E (regenerations so far), confidence, profile.",
      "An output line has the counts, features, signals, header, route and reasons.",
      "A malformed line gives {\"id\":..,\"error\":{\"code\",\"message\"}}; the others go on,",
      "and the exit status is 1 at the end."
    },
    footer = {
      "",
      "Examples:",
      "  parlance score answers.jsonl > verdicts.jsonl",
      "  parlance score --profile parlance < answers.jsonl",
      "  parlance score --config sidecar.yaml --profile strict answers.jsonl"
    })
final class ScoreCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "files to read, one after the other; - or none: standard input")
  List<String> files = new ArrayList<>();

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "profile of lines that name none (default: asp-paper, the paper's constants)")
  String profileName = Profiles.ASP_PAPER.name();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "sidecar configuration whose own profiles may be named too")
  Optional<Path> config = Optional.empty();

  private final Terminal terminal;

  ScoreCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Map<String, Profile> profiles = new TreeMap<>();
    Profiles.builtIn().forEach(profile -> profiles.put(profile.name(), profile));
    if (config.isPresent()) {
      switch (ConfigFile.load(config.get())) {
        case ConfigFile.Read.Unusable(String message) -> {
          return terminal.complain(ExitStatus.USAGE, "score: " + message);
        }
        case ConfigFile.Read.Usable usable -> profiles.putAll(usable.config().profiles());
      }
    }
    Profile fallback = profiles.get(profileName);
    if (fallback == null) {
      return terminal.complain(ExitStatus.USAGE, "score: " + unknown(profileName, profiles));
    }
    Optional<String> problem = LineFilter.problemOf(files);
    if (problem.isPresent()) {
      return terminal.complain(ExitStatus.USAGE, "score: " + problem.get());
    }
    var judge = new Judge(new TokenOverlapEstimator(new SecureRandom().nextLong()));
    return new LineFilter(terminal, line -> score(line, fallback, profiles, judge)).run(files);
  }

  private static ObjectNode score(
      byte[] line, Profile fallback, Map<String, Profile> profiles, Judge judge) {
    return switch (ScoreReader.read(line)) {
      case ScoreInput.Malformed(JsonNode id, LineFault fault, String message) ->
          LineFilter.error(id, fault, message);
      case ScoreInput.Scorable input -> {
        Profile profile = input.profile().map(profiles::get).orElse(fallback);
        Optional<String> named = input.profile();
        yield named.isPresent() && !profiles.containsKey(named.get())
            ? LineFilter.error(
                input.id(), LineFault.UNKNOWN_PROFILE, unknown(named.get(), profiles))
            : ScoreOutput.scored(input.id(), input.message(), input.errors(), profile, judge);
      }
    };
  }

  private static String unknown(String name, Map<String, Profile> profiles) {
    return "unknown profile "
        + TerminalEscaper.shortened(name, 64)
        + "; expected one of "
        + String.join(", ", profiles.keySet());
  }
}
