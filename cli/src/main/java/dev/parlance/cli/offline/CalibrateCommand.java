package dev.parlance.cli.offline;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LineFilter;
import dev.parlance.cli.LineReader;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.ClaimFindings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "calibrate")
final class CalibrateCommand extends TerminalCommand {
  /** Fewer answers of a label leave the AUROC open by more than .1 to each side. */
  private static final int MIN_ROWS = 50;

  private static final int MAX_SETS = 500;
  private static final int MAX_SET_NAME = 128;
  private static final int MAX_PROBLEMS_SHOWN = 20;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "files of JSON Lines, one after the other; - or none: standard input")
  List<String> files = new ArrayList<>();

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "the profile that is measured (default: parlance)")
  String profileName = Profiles.DEFAULT.name();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "sidecar configuration whose own profiles may be named too")
  Optional<Path> config = Optional.empty();

  @Option(
      names = "--against",
      paramLabel = "NAME",
      description = "a profile whose AUROC on the same lines is compared")
  Optional<String> against = Optional.empty();

  @Option(
      names = "--false-blocks",
      paramLabel = "RATE",
      description = "share of the grounded answers that may be sent back, in (0,1)")
  Optional<Double> falseBlocks = Optional.empty();

  @Option(
      names = "--warned",
      paramLabel = "RATE",
      description = "share of the grounded answers that may be sent back or warned of, not less")
  Optional<Double> warned = Optional.empty();

  @Option(
      names = "--keep",
      paramLabel = "worst|mean",
      description = "the rate holds in each set (worst, default) or in the mean of the sets")
  Calibration.Keep keep = Calibration.Keep.WORST;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "name of the profile that is printed (default: calibrated)")
  String newName = "calibrated";

  @picocli.CommandLine.Mixin OutputOption output = new OutputOption();

  private final Map<String, ScoredSet> sets = new TreeMap<>();
  private final Map<Reason, long[]> otherReasons = new TreeMap<>();
  private long read;
  private long refused;

  @Override
  public Integer call() throws IOException {
    checkOptions();
    var judge = new OfflineJudge("calibrate", config);
    Profile profile = judge.named("calibrate", profileName);
    if (warned.isPresent() && !profile.claims().isOn()) {
      throw CommandProblem.usage(
          "calibrate: --warned: profile " + profile.name() + " judges no claims and warns of none");
    }
    Optional<Profile> other = against.map(name -> judge.named("calibrate", name));
    LineFilter.check("calibrate", files);
    var rater = new Rater(judge, profile, other);
    try (var progress = new Terminal.ProgressLine(terminal)) {
      for (String file : files.isEmpty() ? List.of("-") : files) {
        if (file.equals("-")) {
          readAll("standard input", terminal.in(), rater, progress);
        } else {
          try (InputStream in = Files.newInputStream(Path.of(file))) {
            readAll(String.valueOf(Path.of(file).getFileName()), in, rater, progress);
          }
        }
      }
    }
    if (refused > MAX_PROBLEMS_SHOWN) {
      terminal.note("... and %d more lines that cannot be used", refused - MAX_PROBLEMS_SHOWN);
    }
    refuseTooLittle();
    var report = new CalibrationReport(profile, other, sets.values(), otherReasons, read, refused);
    Optional<CalibrationReport.Chosen> chosen =
        falseBlocks.map(rate -> report.choose(rate, warned, keep, newName));
    output.print(
        terminal, report.json(chosen), () -> new CalibrationText(terminal).print(report, chosen));
    return refused == 0 ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private void checkOptions() {
    falseBlocks.ifPresent(rate -> {
      if (!(rate > 0 && rate < 1)) {
        throw CommandProblem.usage("calibrate: --false-blocks: expected a rate between 0 and 1");
      }
    });
    if (warned.isPresent()
        && !(warned.get() >= falseBlocks.orElse(Double.NaN) && warned.get() < 1)) {
      throw CommandProblem.usage(
          "calibrate: --warned: expected a rate below 1, and a --false-blocks not above it");
    }
  }

  private void refuseTooLittle() {
    ScoredSet all = ScoredSet.pooled("", sets.values());
    int grounded = all.grounded().count();
    int ungrounded = all.ungrounded().count();
    if (Math.min(grounded, ungrounded) == 0 && grounded + ungrounded > 0) {
      throw CommandProblem.failed(
          "calibrate: all %d lines are labelled %s; what is not told apart cannot be measured"
              .formatted(grounded + ungrounded, grounded == 0 ? "ungrounded" : "grounded"));
    }
    if (Math.min(grounded, ungrounded) < MIN_ROWS) {
      throw CommandProblem.failed(
          """
          calibrate: expected at least %d lines of each label, got %d grounded and %d ungrounded; \
          with fewer the AUROC stays open by .1 to each side and a rate of 20 %% by 11 points\
          """
              .formatted(MIN_ROWS, grounded, ungrounded));
    }
  }

  // ---- the lines ----

  private void readAll(String source, InputStream in, Rater rater, Terminal.ProgressLine progress)
      throws IOException {
    var lines = new LineReader(in, LineFilter.LINE_BYTES_MAX, () -> {});
    for (long number = 1; ; number++) {
      try {
        switch (lines.next()) {
          case LineReader.Line.End _ -> {
            return;
          }
          case LineReader.Line.TooLong _ ->
              throw LineFault.LINE_TOO_LONG.problem(
                  "the line has more than " + LineFilter.LINE_BYTES_MAX + " bytes");
          case LineReader.Line.Whole(byte[] line) -> take(source, line, rater);
        }
      } catch (LineFault.Problem problem) {
        if (refused++ < MAX_PROBLEMS_SHOWN) {
          terminal.note(
              "%s, line %d: %s: %s", source, number, problem.fault().code(), problem.getMessage());
        }
      }
      read++;
      if (progress.isDue()) {
        progress.show(String.format(Locale.ROOT, "%,d lines judged", read));
      }
    }
  }

  private void take(String source, byte[] bytes, Rater rater) {
    ObjectNode members =
        switch (InputLine.read(bytes)) {
          case InputLine.Malformed(JsonNode _, LineFault fault, String message) ->
              throw fault.problem(message);
          case InputLine.Members(ObjectNode line) -> line;
        };
    ScoreLine line = ScoreLine.read(members);
    boolean isGrounded = isGrounded(members);
    String name = members.has("set") ? InputLine.text(members.path("set"), "set") : source;
    if (name.isBlank() || name.length() > MAX_SET_NAME) {
      throw LineFault.BAD_VALUE.problem("set: expected 1 to " + MAX_SET_NAME + " characters");
    }
    if (!sets.containsKey(name) && sets.size() == MAX_SETS) {
      throw LineFault.TABLE_LIMIT.problem("set: expected at most " + MAX_SETS + " different ones");
    }
    if (line.profile().filter(named -> !named.equals(profileName)).isPresent()) {
      throw LineFault.BAD_VALUE.problem(
          "profile: every line is judged by one profile, that of --profile");
    }
    rater.rate(
        line, isGrounded, sets.computeIfAbsent(name, ScoredSet::new).of(isGrounded), otherReasons);
  }

  private static boolean isGrounded(ObjectNode members) {
    String label = InputLine.text(members.path("label"), "label");
    return switch (label) {
      case "grounded" -> true;
      case "ungrounded" -> false;
      default ->
          throw LineFault.BAD_VALUE.problem(
              "label: expected grounded or ungrounded, got "
                  + TerminalEscaper.shortened(label, 64));
    };
  }

  /**
   * Rates answers: by @G, and by the largest {@code groundingMin} that lets one pass. Rules beside
   * that threshold are the profile's own: the answer is judged with a threshold of 0.
   */
  private static final class Rater {
    private final OfflineJudge judge;
    private final Profile open;
    private final Optional<Profile> other;

    Rater(OfflineJudge judge, Profile profile, Optional<Profile> other) {
      this.judge = judge;
      this.open = Profiles.derive(profile.name(), profile, Map.of("groundingMin", 0.0));
      this.other = other;
    }

    void rate(
        ScoreLine line,
        boolean isGrounded,
        ScoredSet.Scores into,
        Map<Reason, long[]> otherReasons) {
      Verdict verdict = judge.score(line.message(), open, line.errors());
      double grounding = verdict.signals().orElseThrow().grounding();
      double passes = grounding;
      switch (verdict.decision()) {
        case Decision.Regenerate _, Decision.Yield _ -> {
          passes = ScoredSet.NEVER_PASSES;
          verdict
              .decision()
              .reasons()
              .forEach(reason ->
                  otherReasons.computeIfAbsent(reason, _ -> new long[2])[isGrounded ? 0 : 1]++);
        }
        case Decision.Execute _, Decision.Warn _ -> {
          if (verdict
              .measurement()
              .flatMap(found -> found.claims())
              .filter(ClaimFindings::isWithoutClaim)
              .isPresent()) {
            passes = ScoredSet.ALWAYS_PASSES;
          }
        }
      }
      into.add(
          grounding,
          passes,
          other
              .map(profile -> judge.score(line.message(), profile, line.errors()))
              .flatMap(Verdict::signals)
              .map(signals -> signals.grounding())
              .orElse(0.0));
    }
  }
}
