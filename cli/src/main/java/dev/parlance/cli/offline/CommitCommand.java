package dev.parlance.cli.offline;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LineFilter;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderFault;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "commit",
    description = {
      "Decides rounds of proposals offline (H-CSC): JSON Lines in, JSON Lines out, in",
      "the same order and number.",
      "",
      "An input line is an object with round, n, f, members, encoder, dim, cos_min,",
      "and perhaps extra_margin (0), verdict_fallback (true) and id; and proposals, a",
      "list of {agent, verdict, text or textSha256, and one of embedding (numbers), q",
      "(base64 of the quantised vector) and fault (malformed or unencoded)}.",
      "An output line has outcome (semantic_commit, verdict_commit, abort or error),",
      "reason, verdict, delivered, support, runner_up, margin, core, min_cos,",
      "aggregate, digest and dropped.",
      "Constants that cannot be give the outcome error with reason INVALID_ROUND, and",
      "what is wrong on standard error. A malformed line gives",
      "{\"id\":..,\"error\":{\"code\",\"message\"}}; the others go on, and the exit status is",
      "1 at the end.",
      "A line with decided {outcome, reason, digest}, as `parlance round export` writes",
      "it, is answered with agrees as well; the exit status is 1 if one does not.",
      "With --reembed the texts are encoded once more: reembedded says how many of the",
      "vectors are exact, near (no entry differs by more than 4 of 32767 and the cosine",
      "is 0.9999 or more) and different, and whether the outcome is the same. The exit",
      "status is 1 if a vector is different or an outcome another one."
    },
    footer = {
      "",
      "Examples:",
      "  parlance commit rounds.jsonl > outcomes.jsonl",
      "  parlance round export | parlance commit --reembed built-in"
    })
final class CommitCommand implements Callable<Integer> {
  private static final String BUILT_IN = "built-in";

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "files to read, one after the other; - or none: standard input")
  List<String> files = new ArrayList<>();

  @Option(
      names = "--reembed",
      paramLabel = "DIR|built-in",
      description = "the encoder that the texts are to be encoded with once more")
  Optional<String> reembed = Optional.empty();

  private final Terminal terminal;
  private boolean hasContradiction;

  CommitCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Optional<String> problem = LineFilter.problemOf(files);
    if (problem.isPresent()) {
      return terminal.complain(ExitStatus.USAGE, "commit: " + problem.get());
    }
    if (reembed.isEmpty()) {
      return filter(CommitOutput::decided);
    }
    Optional<Path> dir = reembed.filter(name -> !name.equals(BUILT_IN)).map(Path::of);
    try (Embedder embedder = EncoderOption.open(dir)) {
      return switch (embedder.status()) {
        case EncoderStatus.Ready(EncoderInfo info) ->
            filter(round -> decideAgain(round, embedder, info));
        case EncoderStatus.Failed(EncoderFault fault, String detail) ->
            terminal.complain(ExitStatus.FAILED, "commit: " + fault.code() + ": " + detail);
        case EncoderStatus.Off() ->
            terminal.complain(ExitStatus.FAILED, "commit: there is no encoder");
      };
    }
  }

  private int filter(Function<CommitInput.Round, ObjectNode> decide) throws IOException {
    int status = new LineFilter(terminal, line -> answer(line, decide)).run(files);
    return hasContradiction ? ExitStatus.FAILED : status;
  }

  private ObjectNode answer(byte[] line, Function<CommitInput.Round, ObjectNode> decide) {
    return switch (CommitReader.read(line)) {
      case CommitInput.Malformed(JsonNode id, LineFault fault, String message) ->
          LineFilter.error(id, fault, message);
      case CommitInput.Invalid(JsonNode id, String message) -> {
        terminal.complain(
            ExitStatus.OK,
            "commit: " + TerminalEscaper.shortened(id.toString(), 64) + ": " + message);
        yield CommitOutput.invalid(id);
      }
      case CommitInput.Round round -> {
        ObjectNode answer = decide.apply(round);
        hasContradiction |= !answer.path("agrees").asBoolean(true);
        yield answer;
      }
    };
  }

  private ObjectNode decideAgain(CommitInput.Round round, Embedder embedder, EncoderInfo info) {
    return switch (Reembedding.of(round, embedder, info)) {
      case Reembedding.Result.Impossible(LineFault fault, String message) ->
          LineFilter.error(round.id(), fault, message);
      case Reembedding.Result.Done(Reembedding found) -> {
        hasContradiction |= !found.isConfirmed();
        ObjectNode line = CommitOutput.decided(round);
        line.set("reembedded", CommitOutput.reembedded(found));
        yield line;
      }
    };
  }
}
