package dev.parlance.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the help says of one command, beside its options. The pages of a command and of those below
 * it are in the resource {@code help/COMMAND.txt}, each under its name:
 *
 * <pre>
 *  # review list
 *  Lists the held messages, oldest first, page by page.
 *
 *  Example:
 *    parlance review list --reason core_stale --since 2h
 * </pre>
 *
 * <p>That of the command itself goes on behind its summary in {@link CommandIndex}.
 *
 * @param description the lines before the examples
 * @param examples the lines from there on, the first being blank; none if there are no examples
 */
record HelpPage(List<String> description, List<String> examples) {
  private static final Map<String, Map<String, HelpPage>> PAGES = new ConcurrentHashMap<>();

  /** The page of a command, by the words that lead to it. */
  static HelpPage of(List<String> words) {
    String name = String.join(" ", words);
    HelpPage page = PAGES.computeIfAbsent(words.getFirst(), HelpPage::read).get(name);
    if (page == null) {
      throw new IllegalStateException("no help on " + name);
    }
    return page;
  }

  private static Map<String, HelpPage> read(String command) {
    String text;
    try (InputStream in = HelpPage.class.getResourceAsStream("help/" + command + ".txt")) {
      text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("help/" + command + ".txt in the jar cannot be read", e);
    }
    Map<String, HelpPage> pages = new HashMap<>();
    List<String> page = new ArrayList<>();
    for (String line : text.lines().toList().reversed()) {
      if (line.startsWith("# ")) {
        pages.put(line.substring(2), page(page.reversed()));
        page.clear();
      } else if (!page.isEmpty() || !line.isEmpty()) {
        page.add(line); // blank lines behind a page are none of it
      }
    }
    return pages;
  }

  private static HelpPage page(List<String> lines) {
    int examples = Math.max(lines.lastIndexOf("Example:"), lines.lastIndexOf("Examples:"));
    return examples < 0
        ? new HelpPage(List.copyOf(lines), List.of())
        : new HelpPage(
            List.copyOf(lines.subList(0, examples - 1)),
            List.copyOf(lines.subList(examples - 1, lines.size())));
  }
}
