package dev.parlance.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON Lines in, JSON Lines out, in the same order and number, in constant memory. A line that
 * cannot be used gives {@code {"id":..,"error":{"code","message"}}} and the others go on.
 */
public final class LineFilter {
  /** Longest line that is read. */
  public static final int LINE_BYTES_MAX = 16 << 20;

  private final Terminal terminal;
  private final Function<byte[], ObjectNode> answer;

  /**
   * A filter.
   *
   * @param answer from a line to what is written for it; what has the member {@code error} counts
   *     as failed
   */
  public LineFilter(Terminal terminal, Function<byte[], ObjectNode> answer) {
    this.terminal = terminal;
    this.answer = answer;
  }

  /** What is wrong with the files that a command is to read; {@code -} is standard input. */
  public static Optional<String> problemOf(List<String> sources) {
    return sources.stream()
        .filter(source -> !source.equals("-") && !Files.isReadable(Path.of(source)))
        .findFirst()
        .map(source -> "cannot read " + source + "; expected a file of JSON Lines");
  }

  /** Exit status 1 if any line failed. No source: standard input. */
  public int run(List<String> sources) throws IOException {
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
        case LineReader.Line.Whole(byte[] line) -> result = answer.apply(line);
      }
      allWell &= !result.has("error");
      out.write(Json.text(result).getBytes(StandardCharsets.US_ASCII));
      out.write('\n');
      if (out.checkError()) {
        return allWell; // nobody reads any more (head, a closed pager)
      }
    }
  }

  /** What stands in the place of a line that could not be used. */
  public static ObjectNode error(JsonNode id, LineFault fault, String message) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.set("id", id);
    line.putObject("error").put("code", fault.code()).put("message", message);
    return line;
  }
}
