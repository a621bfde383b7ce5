package dev.parlance.cli.offline;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.run.ConfigFile;
import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The judge of a sidecar, for lines of a file, and the profiles that may be named. */
final class OfflineJudge {
  private final Map<String, Profile> profiles = new TreeMap<>();
  private final Judge judge;

  /**
   * Loads what judging needs.
   *
   * @param command whose complaint it is if the configuration cannot be used
   * @param config sidecar configuration whose own profiles may be named, too
   */
  OfflineJudge(String command, Optional<Path> config) {
    Profiles.builtIn().forEach(profile -> profiles.put(profile.name(), profile));
    if (config.isPresent()) {
      switch (ConfigFile.load(config.get())) {
        case ConfigFile.Read.Unusable(String message) ->
            throw CommandProblem.usage(command + ": " + message);
        case ConfigFile.Read.Usable usable -> profiles.putAll(usable.config().profiles());
      }
    }
    long seed = new SecureRandom().nextLong();
    judge = new Judge(new TokenOverlapEstimator(seed), new ClaimsEstimator(new Vocabulary(seed)));
  }

  /** The profile of that name. */
  Optional<Profile> find(String name) {
    return Optional.ofNullable(profiles.get(name));
  }

  /** The profile that an option names, or the complaint of the command. */
  Profile named(String command, String name) {
    return find(name).orElseThrow(() -> CommandProblem.usage(command + ": " + unknown(name)));
  }

  /** What is said of a name that no profile has. */
  String unknown(String name) {
    return "unknown profile %s; expected one of %s"
        .formatted(TerminalEscaper.shortened(name, 64), String.join(", ", profiles.keySet()));
  }

  /** Judges against whatever evidence there is, also none. */
  Verdict score(AgentMessage message, Profile profile, int errors) {
    return judge.score(message, profile, errors);
  }
}
