package dev.parlance.loadtest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The sentences of the Apache License 2.0, terms only, as it lies at the root of this project. */
final class LicenseText {
  private static final String END = "END OF TERMS AND CONDITIONS";

  private LicenseText() {}

  /**
   * Every sentence or clause of at least 40 characters, in the order of the text, blanks folded.
   */
  static List<String> sentences() {
    String whole = read();
    int end = whole.indexOf(END);
    if (end < 0) {
      throw new IllegalStateException("LICENSE does not contain '" + END + "'");
    }
    String folded = whole.substring(0, end).replaceAll("\\s+", " ").strip();
    return Arrays.stream(folded.split("(?<=[.;:])\\s(?=[A-Z\"(a-z])", -1))
        .map(String::strip)
        .filter(sentence -> sentence.length() >= 40)
        .toList();
  }

  private static String read() {
    try (InputStream in = LicenseText.class.getResourceAsStream("LICENSE")) {
      if (in == null) {
        throw new IllegalStateException("LICENSE is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
