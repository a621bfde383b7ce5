package dev.parlance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
  @Test
  void unknownCommand_isUsage_withASuggestion() {
    Run run = Run.of("scoer");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("scoer").contains("did you mean: score");
    assertThat(run.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "porxy, proxy",
    "verify, 'ledger verify'",
    "review lst, review list",
    "score --porfile, --profile",
    "tap --output jsn, JSON",
  })
  void whatThereIsNot_isAnswered_withWhatWasMeant(String line, String meant) {
    Run run = Run.of(line.split(" ", -1));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("did you mean: ").contains(meant + "?");
  }

  @Test
  void whatIsUsualElsewhere_isUnderstood() {
    assertThat(Run.of("--version").out()).isEqualTo(Run.of("version").out());
    assertThat(Run.of("help", "review", "list").out())
        .isEqualTo(Run.of("review", "list", "--help").out());
    Run unknown = Run.of("help", "reviw");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("reviw", "did you mean: review?");
    assertThat(Run.of("help").out()).contains("To begin", "demo", "Offline");
  }

  @Test
  void noCommand_isUsage() {
    assertThat(Run.of().status()).isEqualTo(2);
    assertThat(Run.of("review").status()).isEqualTo(2);
  }

  @Test
  void everyCommand_hasHelpWithAnExample_andNoColourOffATerminal() {
    List<List<String>> paths = new ArrayList<>();
    collect(
        Main.commandLine(
            new Terminal(InputStream.nullInputStream(), System.out, System.err, Map.of(), false)),
        List.of(),
        paths);
    assertThat(paths).hasSizeGreaterThan(10);
    for (List<String> path : paths) {
      List<String> args = new ArrayList<>(path);
      args.add("--help");
      Run run = Run.of(args.toArray(String[]::new));
      assertThat(run.status()).as(path.toString()).isZero();
      assertThat(run.out()).as(path.toString()).contains("Example").doesNotContain("\u001b");
    }
  }

  private static void collect(CommandLine command, List<String> path, List<List<String>> paths) {
    command
        .getSubcommands()
        .forEach((name, sub) -> {
          List<String> longer = new ArrayList<>(path);
          longer.add(name);
          paths.add(longer);
          collect(sub, longer, paths);
        });
  }

  @Test
  void version_hasWhatItRunsOn() {
    Run run = Run.of("version", "-o", "json");
    assertThat(run.status()).isZero();
    assertThat(Json.MAPPER.readTree(run.out()).propertyNames())
        .containsExactly("version", "revision", "java", "netty");
    assertThat(Json.MAPPER.readTree(run.out()).path("netty").stringValue()).startsWith("4.2.");
  }

  @Test
  void completion_isAScript() {
    assertThat(Run.of("completion").out()).startsWith("#!").contains("parlance");
  }

  @Test
  void index_hasTheSummaryOfEveryCommand_andNoneIsMissing() {
    CommandLine all =
        Main.commandLine(
            new Terminal(InputStream.nullInputStream(), System.out, System.err, Map.of(), false));
    var stubs = new CommandLine(CommandLine.Model.CommandSpec.create());
    CommandIndex.addSummaries(stubs);
    assertThat(summaries(all)).containsExactlyEntriesOf(summaries(stubs));
  }

  private static Map<String, String> summaries(CommandLine commands) {
    Map<String, String> summaries = new LinkedHashMap<>();
    commands
        .getSubcommands()
        .forEach((name, command) ->
            summaries.put(name, command.getCommandSpec().usageMessage().description()[0]));
    return summaries;
  }
}
