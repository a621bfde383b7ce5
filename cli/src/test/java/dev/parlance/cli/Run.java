package dev.parlance.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One run of a command over streams in memory.
 *
 * @param status exit status
 * @param out what it printed
 * @param err what it complained about
 */
public record Run(int status, String out, String err) {
  public static Run of(String... args) {
    return withInput(InputStream.nullInputStream(), args);
  }

  public static Run withInput(byte[] input, String... args) {
    return withInput(new ByteArrayInputStream(input), args);
  }

  public static Run withInput(InputStream input, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int status =
        Main.run(
            new Terminal(
                input,
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of("USER", "ada"),
                false),
            args);
    return new Run(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
