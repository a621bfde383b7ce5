package dev.parlance.cli.offline;

import dev.parlance.cli.LineFault;
import dev.parlance.cli.LinesCommand;
import dev.parlance.policy.claim.Citations;
import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "score")
final class ScoreCommand extends LinesCommand {
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "profile of lines that name none (default: asp-paper, the paper's constants)")
  Optional<String> profileName = Optional.empty();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "sidecar configuration whose own profiles may be named too")
  Optional<Path> config = Optional.empty();

  @SuppressWarnings("NullAway.Init") // set before the first line is read
  private OfflineJudge judge;

  @SuppressWarnings("NullAway.Init")
  private Profile fallback;

  /** True once a line was judged by a profile that nobody has named. */
  private boolean tookDefault;

  ScoreCommand() {
    super("score");
  }

  @Override
  public Integer call() throws IOException {
    judge = new OfflineJudge("score", config);
    fallback = judge.named("score", profileName.orElse(Profiles.ASP_PAPER.name()));
    int status = super.call();
    if (tookDefault) {
      terminal.note("judged by profile %s, as none was named: --profile NAME", fallback.name());
    }
    return status;
  }

  @Override
  protected void answer(ObjectNode members, ObjectNode line) {
    ScoreLine read = ScoreLine.read(members);
    Profile profile = fallback;
    if (read.profile().isPresent()) {
      String name = read.profile().get();
      profile =
          judge
              .find(name)
              .orElseThrow(() -> LineFault.UNKNOWN_PROFILE.problem(judge.unknown(name)));
    }
    tookDefault |= profileName.isEmpty() && read.profile().isEmpty();
    score(read.message(), read.errors(), profile, line);
  }

  /**
   * One output line of {@code score}: the members of a golden {@code asp-text} vector's {@code
   * out}, the {@code id}, and beside them the regime, the hex digits as numbers and the profile's
   * name. {@code reasons} is empty for EXECUTE. Doubles are printed so that they read back equal.
   * Judges against whatever evidence there is, also none: a missing chunk is no special case.
   */
  private void score(AgentMessage message, int errors, Profile profile, ObjectNode line) {
    Verdict verdict = judge.score(message, profile, errors);
    Measurement measurement = verdict.measurement().orElseThrow();
    Signals signals = verdict.signals().orElseThrow();
    AspHeader header = verdict.header().orElseThrow();
    Features features = measurement.features();
    line.put("tokens", measurement.counts().tokens());
    line.put("inContext", measurement.counts().inContext());
    line.put("novel", measurement.counts().novel());
    line.put("inQuestion", measurement.counts().inQuestion());
    line.set("citedIds", strings(measurement.counts().citedIds()));
    line.set("validIds", strings(measurement.counts().validIds()));
    line.put("o_c", features.contextOverlap());
    line.put("s_cite", features.citationScore());
    line.put("n", features.novelRatio());
    line.put("o_q", features.questionOverlap());
    line.put("g", signals.grounding());
    line.put("s", signals.stochasticity());
    line.put("c", signals.certainty());
    line.put("d", signals.driftSqrtJsd());
    line.put("header", header.text());
    line.put("route", verdict.decision().route().name());
    line.set(
        "reasons",
        strings(
            verdict.decision().reasons().stream()
                .filter(reason -> reason != Reason.OK)
                .map(Reason::code)
                .toList()));
    line.put("regime", verdict.regime().code());
    line.put("certaintyDigit", header.certaintyDigit());
    line.put("groundingDigit", header.groundingDigit());
    line.put("stochasticityDigit", header.stochasticityDigit());
    line.put("profile", profile.name());
    if (message.evidence().chunks().stream().anyMatch(chunk -> chunk.id().isBlank())) {
      line.set("chunkIds", strings(Citations.idsOf(message.evidence().chunks())));
    }
    if (message.evidence().cut() > 0) {
      line.put("evidenceCut", message.evidence().cut());
    }
  }

  private static ArrayNode strings(List<String> values) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    values.forEach(array::add);
    return array;
  }
}
