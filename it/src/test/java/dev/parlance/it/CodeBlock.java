package dev.parlance.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A block of code of a page.
 *
 * @param heading the heading that it stands under
 * @param language as the page says; may be empty
 * @param text its lines
 */
record CodeBlock(String heading, String language, String text) {
  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^#+ (?<heading>[^\\n]*)$|^```(?<language>\\w*)\\n(?<text>.*?)^```$");

  /** The blocks of a page of the repository, in order. */
  static List<CodeBlock> of(String page) throws IOException {
    String[] heading = {""};
    return BLOCK
        .matcher(Files.readString(Path.of("..").resolve(page)))
        .results()
        .filter(found -> {
          boolean isBlock = found.group("text") != null;
          heading[0] = isBlock ? heading[0] : found.group("heading");
          return isBlock;
        })
        .map(found -> new CodeBlock(heading[0], found.group("language"), found.group("text")))
        .toList();
  }
}
