package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The console's pages against fixed data: their types, their pure parts, and what a person sees and
 * does in a browser. The programs are in {@code src/test/pages}; the pages are copied beside them,
 * so that Node.js and the compiler find the libraries.
 */
class ConsolePagesIT {
  private static final Path PAGES =
      Path.of("..", "console", "src", "main", "resources", "dev", "parlance", "console", "web");

  /** A bound for a hung browser; a quiet machine needs a twentieth. */
  private static final long BROWSER_S = 1_200;

  private static JsSide js;

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    js = JsSide.ready("pages");
    Path copy = js.folder().resolve("web");
    try (Stream<Path> files = Files.walk(PAGES)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = copy.resolve(PAGES.relativize(file).toString());
        Files.createDirectories(to.getParent());
        Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void passes(long seconds, String name, String... command)
      throws IOException, InterruptedException {
    Path output = js.folder().resolve(name + ".log");
    int status = js.tool(seconds, output, command);
    assertThat(status).as(() -> read(output)).isZero();
  }

  private static String read(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void types_ofAllModules_holdTogether() throws IOException, InterruptedException {
    passes(300, "types", "node_modules/typescript/bin/tsc", "-p", ".");
  }

  @Test
  void pureParts_offsetsFiltersKeys_areRight() throws IOException, InterruptedException {
    passes(120, "units", "--test", "units.test.mjs");
  }

  @Test
  void pages_inABrowser_areWhatPeopleNeed() throws IOException, InterruptedException {
    Optional<Path> browser = browser();
    if (browser.isEmpty()) {
      String message = "SKIPPED: no page was tested in a browser, because chromium is not there";
      System.out.println(message);
      Assumptions.abort(message);
    }
    passes(BROWSER_S, "pages", "--test", "pages.test.mjs");
  }

  /** The places are those of {@code browser.mjs}. */
  static Optional<Path> browser() {
    return Stream.concat(
            Optional.ofNullable(System.getenv("CHROMIUM")).stream(),
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                .stream())
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }
}
