package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The alerting rules: about metrics that exist, each with a test and a page that says what to do.
 */
class AlertRulesTest {
  private static final Path FOLDER = Path.of("..", "deploy", "prometheus");
  private static final Path RULES = FOLDER.resolve("parlance.rules.yaml");
  private static final Path TESTS = FOLDER.resolve("parlance.rules.test.yaml");

  /** What compares with a week ago, in longer steps. */
  private static final Path WEEK_TESTS = FOLDER.resolve("parlance.week.test.yaml");

  private static final Path DOCS = Path.of("..", "docs");
  private static final Path SCHEMA =
      Path.of(
          "..",
          "proxy/src/main/resources/dev/parlance/proxy/config/file/parlance-config.schema.json");
  private static final Pattern KEY = Pattern.compile("`([a-z][A-Za-z]*\\.[A-Za-z.]+)`");
  private static final String BASE = "https://w3id.org/parlance/docs/";
  private static final Pattern METRIC = Pattern.compile("\\bparlance_[a-z0-9_]+");

  private static String runbooks() throws IOException {
    return Files.readString(DOCS.resolve("runbooks.md"))
        + Files.readString(DOCS.resolve("runbooks-injector.md"));
  }

  @Test
  void everyAlert_hasASeverity_aSummary_andARunbook() throws IOException {
    String runbooks = runbooks();
    assertThat(alerts()).hasSizeGreaterThan(20);
    for (JsonNode alert : alerts()) {
      String name = alert.path("alert").asString("");
      String severity = alert.path("labels").path("severity").asString("");
      assertThat(severity).as(name).isIn("page", "ticket");
      assertThat(alert.path("annotations").path("summary").asString("")).as(name).isNotEmpty();
      String url = alert.path("annotations").path("runbook_url").asString("");
      assertThat(url).startsWith(BASE).endsWith("#" + name.toLowerCase(Locale.ROOT));
      Path page = DOCS.resolve(url.substring(BASE.length(), url.indexOf('#')));
      assertThat(Files.readString(page)).contains("### " + name + "\n\n**" + severity + ".** ");
    }
    assertThat(runbooks.lines().filter(line -> line.startsWith("### "))).hasSameSizeAs(alerts());
  }

  @Test
  void everyAlert_isSeenFiring_andSilent_byATest() throws IOException {
    Set<String> expected =
        alerts().stream()
            .map(alert -> alert.path("alert").asString(""))
            .flatMap(name -> Stream.of(name + " fires", name + " is silent"))
            .collect(Collectors.toSet());
    Set<String> tested =
        Stream.of(TESTS, WEEK_TESTS)
            .flatMap(AlertRulesTest::tests)
            .filter(test ->
                test.path("name").asString("").endsWith(" fires")
                    != test.path("alert_rule_test").path(0).path("exp_alerts").isEmpty())
            .map(test -> test.path("name").asString(""))
            .collect(Collectors.toSet());
    assertThat(tested).isEqualTo(expected);
  }

  @Test
  void everyMetricInTheRules_isOneThatTheProcessesHave() throws IOException {
    Set<String> documented = new TreeSet<>(metricsIn(DOCS.resolve("metrics.md")));
    documented.addAll(metricsIn(DOCS.resolve("control-plane.md")));
    documented.addAll(metricsIn(DOCS.resolve("dashboards.md")));
    for (String metric : metricsIn(RULES)) {
      assertThat(documented)
          .as(metric)
          .containsAnyOf(metric, metric.replaceAll("_(bucket|sum|count)$", ""));
    }
  }

  @Test
  void everyKeyInTheRunbooks_isOneOfTheSchema() throws IOException {
    JsonNode schema = new YAMLMapper().readTree(Files.readString(SCHEMA));
    Set<String> keys = new TreeSet<>();
    addKeys(schema, schema, "", keys);
    Set<String> sections =
        keys.stream().map(key -> key.substring(0, key.indexOf('.'))).collect(Collectors.toSet());
    List<String> named =
        KEY.matcher(runbooks())
            .results()
            .map(found -> found.group(1))
            .filter(key -> sections.contains(key.substring(0, key.indexOf('.'))))
            .filter(key -> !key.endsWith(".yaml"))
            .toList();
    assertThat(named).hasSizeGreaterThan(5).isSubsetOf(keys);
  }

  /** Adds {@code section.key} of all sections, whatever they are in. */
  private static void addKeys(JsonNode root, JsonNode node, String section, Set<String> keys) {
    String reference = node.path("$ref").asString("");
    if (!reference.isEmpty()) {
      addKeys(root, root.at(reference.substring(1)), section, keys);
      return;
    }
    node.path("properties")
        .propertyStream()
        .forEach(property -> {
          if (!section.isEmpty()) {
            keys.add(section + "." + property.getKey());
          }
          addKeys(root, property.getValue(), property.getKey(), keys);
        });
    if (node.has("items")) {
      addKeys(root, node.path("items"), section, keys);
    }
  }

  @Test
  void promtool_acceptsTheRules_andTheirTestsPass() throws Exception {
    Path promtool = Prometheus.program("promtool");
    for (List<String> arguments :
        List.of(
            List.of("check", "rules", RULES.toString()),
            List.of("test", "rules", TESTS.toString(), WEEK_TESTS.toString()))) {
      Process process =
          new ProcessBuilder(
                  Stream.concat(Stream.of(promtool.toString()), arguments.stream()).toList())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(said).isZero();
    }
  }

  private static List<JsonNode> alerts() throws IOException {
    return yaml(RULES)
        .path("groups")
        .valueStream()
        .flatMap(group -> group.path("rules").valueStream())
        .toList();
  }

  private static Stream<JsonNode> tests(Path file) {
    try {
      return yaml(file).path("tests").valueStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode yaml(Path file) throws IOException {
    return new YAMLMapper().readTree(Files.readString(file));
  }

  private static Set<String> metricsIn(Path file) throws IOException {
    return METRIC
        .matcher(Files.readString(file))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
