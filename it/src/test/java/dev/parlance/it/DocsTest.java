package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of the documentation: what they point to exists. */
class DocsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
  private static final Pattern PLACE = Pattern.compile("\\]\\(([^)#\\s]*)#([^)\\s]+)\\)");
  private static final Pattern NAMED_PAGE =
      Pattern.compile("\\[`?([\\w-]+\\.md)`?\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
  private static final Pattern METRIC =
      Pattern.compile("\\bparlance_(?:control_|injector_)?([a-z0-9_]+)\\b");
  private static final Pattern SNAKE = Pattern.compile("\\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\\b");
  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final Pattern SOURCE =
      Pattern.compile("\\.(?:java|proto|json|ya?ml|sql|js|html|properties|tpl)$");

  /** Names with underscores that are not ours. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "access_denied",
          "libonnxruntime4j_jni",
          "limit_in_bytes",
          "no_new_privs",
          "pg_dump",
          "svid_bundle",
          "svid_key",
          "verify_ledger");

  private static final int MAX_WORDS = 2500;
  private static final Pattern TEST_FILE = Pattern.compile("(?:Test|IT)\\.java$");
  private static final Pattern TEST = Pattern.compile("\\b(\\w+(?:Test|IT))#(\\w+)");
  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern SOURCE_PATH = Pattern.compile("[a-z]+/src/[\\w./-]+");
  private static final Pattern CLASS_NAME =
      Pattern.compile("([a-z][a-z0-9]*(?:\\.[a-z][a-z0-9]*)*)\\.([A-Z]\\w*)(?:\\.\\w+)*");
  private static final Pattern PACKAGE_NAME =
      Pattern.compile(
          "(?:policy|ledger|service|wire|relay|proxy|control|inject|cli|demo|sim|encoder)(?:\\.[a-z][a-z0-9]*)+");

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    pages.add(ROOT.resolve("CONTRIBUTING.md"));
    try (Stream<Path> found = Files.walk(ROOT.resolve("docs"))) {
      found.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    assertThat(pages).hasSizeGreaterThan(30);
    return pages;
  }

  /** Classes and packages of the main sources, by their names behind {@code dev.parlance}. */
  private static Set<String> names() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      List<Path> sources =
          modules
              .map(module -> module.resolve("src/main/java/dev/parlance"))
              .filter(Files::isDirectory)
              .toList();
      List<String> names = new ArrayList<>();
      for (Path source : sources) {
        try (Stream<Path> files = Files.walk(source)) {
          files
              .map(
                  file -> source.relativize(file).toString().replace(".java", "").replace('/', '.'))
              .forEach(names::add);
        }
      }
      return names.stream().collect(Collectors.toUnmodifiableSet());
    }
  }

  private static Stream<String> code(String page) {
    return CODE.matcher(page).results().map(found -> found.group(1));
  }

  @Test
  void everyLinkOfAPage_leadsToAFile() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      LINK.matcher(Files.readString(page))
          .results()
          .map(found -> found.group(1))
          .filter(link -> !link.contains("://"))
          .filter(link -> !Files.exists(page.resolveSibling(link)))
          .forEach(link -> broken.add(ROOT.relativize(page) + " -> " + link));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyPlaceInAPageThatALinkNames_isThere() throws IOException {
    List<Path> linking = new ArrayList<>(pages());
    linking.add(ROOT.resolve("CHANGELOG.md"));
    linking.add(ROOT.resolve("SECURITY.md"));
    List<String> broken = new ArrayList<>();
    long looked = 0;
    for (Path page : linking) {
      for (MatchResult link : PLACE.matcher(Files.readString(page)).results().toList()) {
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        if (target.toString().endsWith(".md") && !link.group(1).contains("://")) {
          looked++;
          if (!places(target).contains(link.group(2))) {
            broken.add(ROOT.relativize(page) + " -> " + link.group(1) + "#" + link.group(2));
          }
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(looked).isGreaterThan(100);
  }

  @Test
  void aLinkThatIsCalledAsAPage_leadsToThatPage() throws IOException {
    List<String> elsewhere = new ArrayList<>();
    for (Path page : pages()) {
      NAMED_PAGE
          .matcher(Files.readString(page))
          .results()
          .filter(link -> !link.group(1).equals(Path.of(link.group(2)).getFileName().toString()))
          .forEach(link -> elsewhere.add(ROOT.relativize(page) + ": " + link.group()));
    }
    assertThat(elsewhere).isEmpty();
  }

  /** What headings are called in links. */
  private static Set<String> places(Path page) throws IOException {
    boolean inCode = false;
    Set<String> places = new HashSet<>();
    for (String line : Files.readAllLines(page)) {
      inCode ^= line.startsWith("```");
      if (!inCode && line.matches("#{1,6} .*")) {
        places.add(
            line.replaceFirst("#+ ", "")
                .replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-'));
      }
    }
    return places;
  }

  @Test
  void noPage_isLongerThanAReaderTakesAtOnce() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path page : pages()) {
      int words = Files.readString(page).split("\\s+").length;
      if (words > MAX_WORDS) {
        tooLong.add(ROOT.relativize(page) + " has " + words + " words");
      }
    }
    assertThat(tooLong).as("split what has more than " + MAX_WORDS).isEmpty();
  }

  @Test
  void everyPage_isInTheListOfPages() throws IOException {
    String list = Files.readString(ROOT.resolve("docs/README.md"));
    try (Stream<Path> found = Files.list(ROOT.resolve("docs"))) {
      assertThat(
              found
                  .map(page -> page.getFileName().toString())
                  .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                  .filter(name -> !name.startsWith("settings-"))
                  .filter(name -> !list.contains("(" + name)))
          .isEmpty();
    }
  }

  @Test
  void everySourceThatAPageNames_isThere() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path page : pages()) {
      code(Files.readString(page))
          .flatMap(text -> SOURCE_PATH.matcher(text).results().map(MatchResult::group))
          .filter(path -> !Files.exists(ROOT.resolve(path)))
          .forEach(path -> missing.add(ROOT.relativize(page) + ": " + path));
    }
    assertThat(missing).isEmpty();
  }

  /** A name that is wrong is looked for in vain, in a dashboard as in a log. */
  @Test
  void everyMetricAndCodeThatAPageNames_isThere() throws IOException {
    Set<String> words = words();
    List<String> missing = new ArrayList<>();
    long looked = 0;
    for (Path page : pages()) {
      String where = ROOT.relativize(page).toString();
      String text = Files.readString(page);
      for (MatchResult metric : METRIC.matcher(text).results().toList()) {
        looked++;
        String name = metric.group().replaceFirst("_(?:bucket|count|sum)$", "");
        if (!words.contains(name) && !words.contains(metric.group(1))) {
          missing.add(where + ": " + metric.group());
        }
      }
      if (!where.contains("decisions/") && !where.endsWith("accuracy.md")) {
        code(text)
            .flatMap(code -> SNAKE.matcher(code).results().map(MatchResult::group))
            .filter(code -> !code.startsWith("parlance_") && !OF_OTHERS.contains(code))
            .map(code -> code.replaceFirst("^refuse_|_observed$", ""))
            .filter(code -> !words.contains(code))
            .forEach(code -> missing.add(where + ": " + code));
      }
    }
    assertThat(missing).isEmpty();
    assertThat(looked).isGreaterThan(200);
  }

  /** Words of the main sources, in small letters. */
  private static Set<String> words() throws IOException {
    Set<String> words = new HashSet<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path tree :
          modules
              .flatMap(module -> Stream.of(module.resolve("src/main"), module.resolve("helm")))
              .filter(Files::isDirectory)
              .toList()) {
        try (Stream<Path> files = Files.walk(tree)) {
          for (Path file : files.filter(one -> SOURCE.matcher(one.toString()).find()).toList()) {
            WORD.matcher(Files.readString(file))
                .results()
                .map(word -> word.group().toLowerCase(Locale.ROOT))
                .forEach(words::add);
          }
        }
      }
    }
    return words;
  }

  @Test
  void everyTestThatAPageNames_isThere() throws IOException {
    Map<String, String> tests = new HashMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path tree :
          modules
              .map(module -> module.resolve("src/test/java"))
              .filter(Files::isDirectory)
              .toList()) {
        try (Stream<Path> files = Files.walk(tree)) {
          for (Path file : files.filter(one -> TEST_FILE.matcher(one.toString()).find()).toList()) {
            String name = file.getFileName().toString().replace(".java", "");
            tests.merge(name, Files.readString(file), String::concat);
          }
        }
      }
    }
    List<String> missing = new ArrayList<>();
    long named = 0;
    for (Path page : pages()) {
      for (MatchResult test : TEST.matcher(Files.readString(page)).results().toList()) {
        named++;
        if (!tests.getOrDefault(test.group(1), "").contains("void " + test.group(2) + "(")) {
          missing.add(ROOT.relativize(page) + ": " + test.group());
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThan(40);
  }

  /** Where the papers are, and where a newcomer looks first. */
  @Test
  void everyTypeThatThePagesOnPapersAndArchitectureName_exists() throws IOException {
    Set<String> names = names();
    List<String> missing = new ArrayList<>();
    for (String page : List.of("papers.md", "architecture.md")) {
      code(Files.readString(ROOT.resolve("docs").resolve(page)))
          .forEach(text -> {
            var type = CLASS_NAME.matcher(text);
            if (type.matches()) {
              if (!names.contains(type.group(1) + "." + type.group(2))) {
                missing.add(page + ": " + text);
              }
            } else if (PACKAGE_NAME.matcher(text).matches() && !names.contains(text)) {
              missing.add(page + ": " + text);
            }
          });
    }
    assertThat(missing).isEmpty();
  }
}
