package dev.parlance.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON Lines in, JSON Lines out, in the same order and number, in constant memory. A line that
 * cannot be used gives {@code {"id":..,"error":{"code","message"}}} and the others go on.
 */
public record LineFilter(Terminal terminal, Answer answer) {
  /** Longest line that is read. */
  public static final int LINE_BYTES_MAX = 16 << 20;

  /**
   * What is written for the members of a line. An {@code error} that is a text is an answer, one
   * that is an object a failure.
   */
  @FunctionalInterface
  public interface Answer {
    /**
     * Answers one line.
     *
     * @param id its id, or JSON null
     * @throws LineFault.Problem if the line cannot be used
     */
    ObjectNode to(JsonNode id, ObjectNode members);
  }

  /**
   * Exit status 1 if any line failed.
   *
   * @param command whose complaint it is if a file cannot be read
   * @param sources files; {@code -} or none is standard input
   */
  public int run(String command, List<String> sources) throws IOException {
    check(command, sources);
    boolean allWell = true;
    for (String source : sources.isEmpty() ? List.of("-") : sources) {
      if (source.equals("-")) {
        allWell &= run(terminal.in());
      } else {
        try (InputStream in = Files.newInputStream(Path.of(source))) {
          allWell &= run(in);
        }
      }
    }
    return allWell ? ExitStatus.OK : ExitStatus.FAILED;
  }

  /** Refuses files that cannot be read; {@code -} is standard input. */
  public static void check(String command, List<String> sources) {
    for (String source : sources) {
      if (!source.equals("-") && !Files.isReadable(Path.of(source))) {
        throw CommandProblem.usage(
            "%s: cannot read %s; expected a file of JSON Lines".formatted(command, source));
      }
    }
  }

  private boolean run(InputStream in) throws IOException {
    var out = terminal.out();
    var lines = new LineReader(in, LINE_BYTES_MAX, out::flush);
    boolean allWell = true;
    while (true) {
      ObjectNode result;
      switch (lines.next()) {
        case LineReader.Line.End _ -> {
          return allWell;
        }
        case LineReader.Line.TooLong _ ->
            result =
                error(
                    JsonNodeFactory.instance.nullNode(),
                    LineFault.LINE_TOO_LONG,
                    "the line has more than " + LINE_BYTES_MAX + " bytes");
        case LineReader.Line.Whole(byte[] line) -> result = answer(line);
      }
      allWell &= !result.path("error").isObject();
      out.write(Json.text(result).getBytes(StandardCharsets.US_ASCII));
      out.write('\n');
      if (out.checkError()) {
        return allWell; // nobody reads any more (head, a closed pager)
      }
    }
  }

  private ObjectNode answer(byte[] line) {
    return switch (InputLine.read(line)) {
      case InputLine.Malformed(JsonNode id, LineFault fault, String message) ->
          error(id, fault, message);
      case InputLine.Members(ObjectNode members) -> {
        JsonNode id = members.has("id") ? members.path("id") : InputLine.NO_ID;
        if (!InputLine.isId(id)) {
          yield error(
              InputLine.NO_ID,
              LineFault.BAD_TYPE,
              "id: expected a string or an integer, got " + InputLine.kind(id));
        }
        try {
          yield answer.to(id, members);
        } catch (LineFault.Problem problem) {
          yield error(id, problem.fault(), problem.getMessage());
        }
      }
    };
  }

  /** What stands in the place of a line that could not be used. */
  private static ObjectNode error(JsonNode id, LineFault fault, String message) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.set("id", id);
    line.putObject("error").put("code", fault.code()).put("message", message);
    return line;
  }
}
