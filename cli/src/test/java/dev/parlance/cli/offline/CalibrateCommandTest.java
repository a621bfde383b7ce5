package dev.parlance.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.policy.route.Profiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class CalibrateCommandTest {
  /** The first built-in profile that judges claims. */
  private static final String CLAIMS =
      Profiles.builtIn().stream()
          .filter(profile -> profile.claims().isOn())
          .findFirst()
          .orElseThrow()
          .name();

  private static final List<String> THINGS =
      List.of("gate", "harbour", "workshop", "archive", "nursery", "library", "ferry", "market");
  private static final List<String> PEOPLE = List.of("Ada", "Boris", "Chen", "Dilnoza", "Emeka");

  private static ObjectNode line(String set, String label, String answer, String evidence) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("set", set);
    line.put("label", label);
    line.put("answer", answer);
    line.putArray("context").add(evidence);
    return line;
  }

  /** Half of them quotes, half of them about something that the evidence does not mention. */
  private static List<String> lines(String set, int ofEach) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < ofEach; i++) {
      String thing = THINGS.get(i % THINGS.size());
      String person = PEOPLE.get(i % PEOPLE.size());
      String evidence = "The %s is kept by %s. Visitors ring twice.".formatted(thing, person);
      lines.add(
          line(set, "grounded", "The %s is kept by %s.".formatted(thing, person), evidence)
              .toString());
      lines.add(
          line(set, "ungrounded", "Tickets are sold by machines on Mondays only.", evidence)
              .toString());
    }
    return lines;
  }

  private static Run calibrate(List<String> lines, String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "calibrate";
    System.arraycopy(args, 0, all, 1, args.length);
    return Run.withInput(String.join("\n", lines).getBytes(StandardCharsets.UTF_8), all);
  }

  private static JsonNode json(Run run) {
    return Json.MAPPER.readTree(run.out());
  }

  private static List<String> twoSets() {
    List<String> lines = lines("doors", 40);
    lines.addAll(lines("desks", 30));
    return lines;
  }

  @Test
  void setsAndAll_haveTheirFigures() {
    Run run = calibrate(twoSets(), "--profile", CLAIMS, "--against", "asp-paper", "-o", "json");
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    JsonNode report = json(run);
    assertThat(report.path("lines").intValue()).isEqualTo(140);
    JsonNode doors = report.path("sets").path("doors");
    assertThat(doors.path("n").intValue()).isEqualTo(80);
    assertThat(doors.path("baseRate").doubleValue()).isEqualTo(0.5);
    assertThat(doors.path("auroc").path("value").doubleValue()).isEqualTo(1.0);
    assertThat(doors.path("gain").path("value").doubleValue()).isBetween(-1.0, 1.0);
    assertThat(doors.path("groundedSentBack").doubleValue()).isZero();
    assertThat(doors.path("ungroundedLetThrough").doubleValue()).isZero();
    assertThat(doors.path("curve").path("0.2").path("ungroundedLetThrough").doubleValue()).isZero();
    assertThat(report.path("pooled").path("n").intValue()).isEqualTo(140);
    assertThat(report.path("mean").path("auroc").path("value").doubleValue()).isEqualTo(1.0);
  }

  @Test
  void text_isATableForPeople_andEndsWithTheProfile() {
    Run run = calibrate(twoSets(), "--profile", CLAIMS, "--false-blocks", "0.2");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("desks", "doors", "all lines", "mean of sets", "AUROC");
    assertThat(run.out())
        .containsPattern("profiles:\n  calibrated:\n    extends: " + CLAIMS + "\n");
  }

  @Test
  void sameInput_givesTheSameBytes() {
    assertThat(calibrate(twoSets(), "--profile", CLAIMS, "-o", "json"))
        .isEqualTo(calibrate(twoSets(), "--profile", CLAIMS, "-o", "json"));
  }

  /** What is sent back and let through by the threshold is what score routes. */
  @Test
  void outcome_isWhatScoreSays() {
    List<String> lines = twoSets();
    lines.add(
        line("desks", "grounded", "The gate has 14 locks.", "The gate has 12 locks.").toString());
    lines.add(line("desks", "ungrounded", "I do not know.", "The gate has locks.").toString());
    for (String profile : List.of(CLAIMS, "asp-paper")) {
      Run scored =
          Run.withInput(
              String.join("\n", lines).getBytes(StandardCharsets.UTF_8),
              "score",
              "--profile",
              profile);
      List<String> routes =
          scored
              .out()
              .lines()
              .map(l -> Json.MAPPER.readTree(l).path("route").stringValue())
              .toList();
      int sentBack = 0;
      int through = 0;
      for (int i = 0; i < lines.size(); i++) {
        boolean back = routes.get(i).equals("REGENERATE") || routes.get(i).equals("YIELD");
        boolean grounded = lines.get(i).contains("\"grounded\"");
        sentBack += grounded && back ? 1 : 0;
        through += !grounded && !back ? 1 : 0;
      }
      JsonNode all = json(calibrate(lines, "--profile", profile, "-o", "json")).path("pooled");
      assertThat(all.path("groundedSentBack").doubleValue()).isEqualTo(sentBack / 71.0);
      assertThat(all.path("ungroundedLetThrough").doubleValue())
          .isCloseTo(through / 71.0, org.assertj.core.api.Assertions.within(1e-12));
    }
  }

  @Test
  void printedProfile_isOneOfASidecar(@TempDir Path folder) throws IOException {
    JsonNode chosen =
        json(calibrate(
                twoSets(),
                "--profile",
                CLAIMS,
                "--false-blocks",
                "0.2",
                "--warned",
                "0.4",
                "--keep",
                "mean",
                "--name",
                "front-desk",
                "-o",
                "json"))
            .path("chosen");
    Path config =
        Files.writeString(
            folder.resolve("sidecar.yaml"),
            "version: 1\ninbound: { listen: \"127.0.0.1:0\", agent: \"127.0.0.1:8080\" }\n"
                + chosen.path("profile").stringValue());
    assertThat(Run.of("config", "validate", config.toString()).status()).isZero();
    JsonNode again =
        json(
            calibrate(
                twoSets(), "--config", config.toString(), "--profile", "front-desk", "-o", "json"));
    assertThat(again.path("groundingMin")).isEqualTo(chosen.path("groundingMin"));
    for (String set : List.of("doors", "desks")) {
      assertThat(again.path("sets").path(set).path("groundedSentBack"))
          .isEqualTo(chosen.path("sets").path(set).path("groundedSentBack"));
    }
    assertThat(chosen.path("leftOut").path("doors").path("groundingMin").isNumber()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"answer\":\"x\"}|missing_field|label",
        "{\"answer\":\"x\",\"label\":1}|bad_type|label",
        "{\"answer\":\"x\",\"label\":\"true\"}|bad_value|grounded or ungrounded",
        "{\"answer\":\"x\",\"label\":\"grounded\",\"set\":\"\"}|bad_value|set",
        "{\"answer\":\"x\",\"label\":\"grounded\",\"docs\":[]}|unknown_member|docs",
        "{\"answer\":\"x\",\"label\":\"grounded\",\"profile\":\"other\"}|bad_value|--profile",
        "{\"answer\":|bad_json|JSON",
        "[]|bad_json|object",
      })
  void badLine_isNamedByItsNumber_andTheOthersCount(String bad, String code, String message) {
    List<String> lines = twoSets();
    lines.add(2, bad);
    Run run = calibrate(lines, "-o", "json");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("standard input, line 3: " + code + ": ").contains(message);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(json(run).path("refused").intValue()).isEqualTo(1);
    assertThat(json(run).path("pooled").path("n").intValue()).isEqualTo(140);
  }

  @Test
  void manyBadLines_areNotAllPrinted() {
    List<String> lines = twoSets();
    for (int i = 0; i < 100; i++) {
      lines.add("?");
    }
    Run run = calibrate(lines);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err().lines()).hasSize(21);
    assertThat(run.err()).contains("... and 80 more lines");
  }

  @Test
  void tooLittle_isRefused_withWhatIsNeeded() {
    Run run = calibrate(lines("doors", 49));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains(
            "at least 50 lines of each label, got 49 grounded and 49 ungrounded", "11 points");
    Run rare = calibrate(lines("doors", 60), "--false-blocks", "0.05");
    assertThat(rare.status()).isEqualTo(1);
    assertThat(rare.err()).contains("at least 100 grounded and 20 ungrounded");
  }

  @ParameterizedTest
  @ValueSource(strings = {"grounded", "ungrounded"})
  void oneLabel_isRefused(String label) {
    List<String> lines =
        lines("doors", 60).stream().filter(line -> line.contains("\"" + label + "\"")).toList();
    Run run = calibrate(lines);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("all 60 lines are labelled " + label);
  }

  @Test
  void rateThatOtherRulesBreak_isRefused_andNamesTheSet() {
    Run run = calibrate(twoSets(), "--profile", "asp-paper", "--false-blocks", "0.2");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .contains("no groundingMin keeps a rate of 0.2 in every set")
        .contains("100 % of the grounded lines of desks");
  }

  @Test
  void linesWithoutSet_belongToTheirFile(@TempDir Path folder) throws IOException {
    Path doors = Files.write(folder.resolve("doors.jsonl"), withoutSet(lines("x", 40)));
    Path desks = Files.write(folder.resolve("desks.jsonl"), withoutSet(lines("x", 30)));
    JsonNode report = json(Run.of("calibrate", "-o", "json", doors.toString(), desks.toString()));
    assertThat(report.path("sets").path("doors.jsonl").path("n").intValue()).isEqualTo(80);
    assertThat(report.path("sets").path("desks.jsonl").path("n").intValue()).isEqualTo(60);
  }

  private static List<String> withoutSet(List<String> lines) {
    return lines.stream().map(line -> line.replace("\"set\":\"x\",", "")).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--false-blocks 0",
        "--false-blocks 1",
        "--false-blocks x",
        "--warned 0.3",
        "--profile %s --false-blocks 0.3 --warned 0.2",
        "--profile asp-paper --false-blocks 0.3 --warned 0.4",
        "--profile nope",
        "--against nope",
        "--keep best",
        "/no/such/file",
        "--profile %s --false-blocks 0.3 --name Not-A-Name",
      })
  void wrongCommandLine_isStatusTwo(String args) {
    Run run = calibrate(twoSets(), args.formatted(CLAIMS).split(" "));
    assertThat(run.status()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
  }
}
