package dev.parlance.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
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
      "1 at the end."
    },
    footer = {"", "Example:", "  parlance commit rounds.jsonl > outcomes.jsonl"})
final class CommitCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "files to read, one after the other; - or none: standard input")
  List<String> files = new ArrayList<>();

  private final Terminal terminal;

  CommitCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Optional<String> problem = LineFilter.problemOf(files);
    return problem.isPresent()
        ? terminal.complain(ExitStatus.USAGE, "commit: " + problem.get())
        : new LineFilter(terminal, this::decide).run(files);
  }

  private ObjectNode decide(byte[] line) {
    return switch (CommitReader.read(line)) {
      case CommitInput.Malformed(JsonNode id, LineFault fault, String message) ->
          LineFilter.error(id, fault, message);
      case CommitInput.Invalid(JsonNode id, String message) -> {
        terminal.complain(
            ExitStatus.OK, "commit: " + Inert.shortened(id.toString(), 64) + ": " + message);
        yield CommitOutput.invalid(id);
      }
      case CommitInput.Round round -> CommitOutput.decided(round);
    };
  }
}
