package dev.parlance.cli.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Run;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.text.Coded;
import dev.parlance.wire.bytes.WireFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReasonTableTest {
  private static final Path DOCS = Path.of("../docs");

  /** Groups of codes with a page of their own. */
  private static final Set<String> OWN_PAGES = Set.of("framing", "audit");

  /** How relay and wire name a code: a call whose first text it is, or the one behind a layer. */
  private static final Pattern CODE =
      Pattern.compile(
          "\\b(?:fault|malformed|failed|fail|failAll|refuse|refused|HeadFault|noteUnread)\\("
              + "(?:head, )?(?:\\d{3}, )?\"([a-z]+(?:_[a-z0-9]+)+)\"");

  /** How the sidecar names a code of a connection or request that it does not let on. */
  private static final Pattern NOT_LET_ON =
      Pattern.compile(
          "(?:Target\\.Refused\\(\\s*\\w+,|Action\\.Refuse\\(|streamRejected\\(|Rejected\\(RejectionEvent\\.\\w+,)"
              + "\\s*\"([a-z]+(?:_[a-z0-9]+)+)\"");

  /** How an audit says why it is not begun or fails, or why a question counts as unanswered. */
  private static final Pattern OF_AUDITS =
      Pattern.compile(
          "(?:Kind\\.\\w+,|Optional\\.of\\(|ABANDONED,|Set\\.of\\(|UNREADABLE"
              + " =)\\s*\"([a-z]+(?:_[a-z]+)+)\"");

  private static final Pattern REJECTION =
      Pattern.compile("Rejection\\(\\s*\\d{3}, \"?[a-z0-9]+\"?, \"([a-z_]+)\"");

  @Test
  void everyReason_hasASentenceAndARemedy() {
    assertThat(ReasonTable.rows()).containsKeys(codes(Reason.values()));
    assertThat(ReasonTable.rows().values())
        .allSatisfy(row -> {
          assertThat(row.sentence()).isNotBlank().doesNotEndWith(".");
          assertThat(row.remedy()).isNotBlank().doesNotEndWith(".");
        });
  }

  @Test
  void everyCodeInTheSourcesOfTheMessagePath_isInTheTable() throws IOException {
    Set<String> found = new TreeSet<>(Set.of(codes(WireFault.values())));
    for (String module : new String[] {"relay", "wire", "proxy"}) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
          String text = Files.readString(file);
          Stream.of(module.equals("proxy") ? NOT_LET_ON : CODE, REJECTION)
              .flatMap(pattern -> pattern.matcher(text).results())
              .forEach(match -> found.add(match.group(1)));
        }
      }
    }
    assertThat(found).hasSizeGreaterThan(60);
    assertThat(ReasonTable.refusals().keySet()).containsAll(found);
  }

  @Test
  void everyCodeOfAnAudit_isInTheTable() throws IOException {
    Path certify = Path.of("../control/src/main/java/dev/parlance/control/certify");
    Set<String> found = new TreeSet<>(Set.of("timeout"));
    for (String file : List.of("Audits.java", "AuditRun.java", "api/Questions.java")) {
      OF_AUDITS
          .matcher(Files.readString(certify.resolve(file)))
          .results()
          .forEach(match -> found.add(match.group(1)));
    }
    assertThat(found).hasSizeGreaterThan(12);
    assertThat(ReasonTable.refusals().keySet()).containsAll(found);
  }

  private static String[] codes(Coded[] values) {
    return Arrays.stream(values).map(Coded::code).toArray(String[]::new);
  }

  @Test
  void pages_areTheTable() throws IOException {
    Map<String, ReasonTable.Row> verdicts = new LinkedHashMap<>(ReasonTable.rows());
    verdicts.keySet().retainAll(Set.of(codes(Reason.values())));
    Map<String, List<ReasonTable.Row>> refusals =
        ReasonTable.refusals().values().stream()
            .collect(
                Collectors.groupingBy(
                    row -> OWN_PAGES.contains(row.group()) ? row.group() : "refusals"));
    holds("reasons.md", "verdicts", verdicts.values());
    holds("reasons-refusals.md", "refusals", refusals.getOrDefault("refusals", List.of()));
    holds("reasons-framing.md", "framing", refusals.getOrDefault("framing", List.of()));
    holds("reasons-audits.md", "audits", refusals.getOrDefault("audit", List.of()));
  }

  private static void holds(String page, String part, Collection<ReasonTable.Row> rows)
      throws IOException {
    assertThat(rows).hasSizeGreaterThan(15);
    Path file = DOCS.resolve(page);
    String text = Files.readString(file);
    String made = with(text, part, rows);
    if (Boolean.getBoolean("regenerate")) {
      Files.writeString(file, made);
    } else {
      assertThat(text).as(page + ", written by -Dregenerate=true").isEqualTo(made);
    }
  }

  private static String with(String page, String part, Collection<ReasonTable.Row> rows) {
    String begin = "<!-- " + part + ": ReasonTableTest -->\n";
    String end = "<!-- end of " + part + " -->";
    var table =
        new StringBuilder("| code | group | fault | what is the matter | what helps |\n")
            .append("| --- | --- | --- | --- | --- |\n");
    for (ReasonTable.Row row : rows) {
      table.append(
          "| `%s` | %s | %s | %s | %s |\n"
              .formatted(row.code(), row.group(), row.fault(), row.sentence(), row.remedy()));
    }
    return page.substring(0, page.indexOf(begin) + begin.length())
        + table
        + page.substring(page.indexOf(end));
  }

  @Test
  void command_printsARow() {
    Run run = Run.of("reason", "g_low", "bare_lf");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("g_low (signals): ", Reason.G_LOW.remedy(), "bare_lf (framing): ");
    assertThat(Run.of("reason", "-o", "json").out()).contains("\"regenerate_off\"");
  }

  @ParameterizedTest
  @CsvSource({"g_lwo,g_low", "negation_chnged,negation_changed"})
  void unknownCode_isAFailure_withASuggestion(String given, String meant) {
    Run run = Run.of("reason", given);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(given, "did you mean \"" + meant + "\"");
  }
}
