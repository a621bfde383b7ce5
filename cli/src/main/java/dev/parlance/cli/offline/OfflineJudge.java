package dev.parlance.cli.offline;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.run.ConfigFile;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.EntailmentRules;
import dev.parlance.policy.signal.EntailmentRules.Cause;
import dev.parlance.policy.signal.EntailmentRules.Question;
import dev.parlance.policy.signal.EntailmentRules.Reply;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.proxy.config.EntailmentSettings;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.entailment.EntailmentPool;
import dev.parlance.proxy.entailment.EntailmentPool.Classifier;
import dev.parlance.service.config.Suggestion;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The judge of a sidecar, for lines of a file, and the profiles that may be named. */
final class OfflineJudge {
  private final Map<String, Profile> profiles = new TreeMap<>();
  private final Judge judge;

  /** The second stage, if the configuration has one; it lives as long as the process. */
  private Optional<Classifier> classifier = Optional.empty();

  private Optional<EntailmentRules> rules = Optional.empty();

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
        case ConfigFile.Read.Usable(SidecarConfig usable) -> {
          profiles.putAll(usable.profiles());
          rules = usable.entailment().map(EntailmentSettings::rules);
          classifier = usable.entailment().map(settings -> classifier(command, settings));
        }
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
    return "unknown profile %s; expected one of %s%s"
        .formatted(
            TerminalEscaper.shortened(name, 64),
            String.join(", ", profiles.keySet()),
            Suggestion.sentence(name, profiles.keySet()));
  }

  private static Classifier classifier(String command, EntailmentSettings settings) {
    try {
      return EntailmentPool.load(settings.dir());
    } catch (ModelProblem e) {
      throw CommandProblem.usage(
          command + ": /entailment/dir: " + e.fault().code() + ": " + e.detail());
    }
  }

  /**
   * Judges against whatever evidence there is, also none. The second stage of the configuration is
   * asked as a sidecar asks it, only that nothing is late.
   */
  Verdict score(AgentMessage message, Profile profile, int errors) {
    Verdict first = judge.score(message, profile, errors);
    Optional<ClaimFindings> found = first.measurement().flatMap(Measurement::claims);
    List<Question> questions =
        rules
            .flatMap(those -> found.map(claims -> those.questions(message, claims)))
            .orElse(List.of());
    if (questions.isEmpty()) {
      return first;
    }
    Measurement revised =
        rules.orElseThrow().revised(first.measurement().orElseThrow(), questions, ask(questions));
    return new Judge(_ -> revised).score(message, profile, errors);
  }

  private Reply ask(List<Question> questions) {
    try {
      return EntailmentPool.answer(classifier.orElseThrow(), questions, new CompletableFuture<>());
    } catch (ModelProblem _) {
      return new Reply.Missing(Cause.BROKEN);
    }
  }
}
