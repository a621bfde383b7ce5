package dev.parlance.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Main;
import dev.parlance.cli.Run;
import dev.parlance.cli.Terminal;
import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.agent.Talk;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DemoCommandTest {
  @ParameterizedTest
  @CsvSource({
    "--binding soap, jsonrpc, rest, grpc",
    "--stream=fast, hold, window, observe",
  })
  void wrongValue_isUsage_andTheAllowedOnesAreNamed(
      String option, String first, String second, String third) {
    Run run = Run.of(("demo " + option).split(" ", -1));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().toLowerCase(java.util.Locale.ROOT)).contains(first, second, third);
  }

  @Test
  void help_namesBindingsAndModes_andWhatTheSecondActUses() {
    assertThat(Run.of("demo", "--help").out())
        .contains("jsonrpc|rest|grpc")
        .contains("hold|window|observe")
        .contains("JSON-RPC");
  }

  @Test
  void withoutOptions_itIsJsonRpcWithoutStreams() {
    DemoCommand command = parsed();
    assertThat(command.binding).isEqualTo(Talk.Binding.JSONRPC);
    assertThat(command.stream).isEmpty();
  }

  @Test
  void stream_withoutAValue_isHold_andDoesNotSwallowTheNextOption() {
    DemoCommand command = parsed("--stream", "--binding", "grpc");
    assertThat(command.binding).isEqualTo(Talk.Binding.GRPC);
    assertThat(command.stream.map(DemoCommand.StreamMode::streaming)).hasValue(Streaming.HOLD);
  }

  @Test
  void stream_takesItsModeAfterAnEqualsSignOrASpace() {
    assertThat(parsed("--stream=window").stream).hasValue(DemoCommand.StreamMode.WINDOW);
    assertThat(parsed("--stream", "observe").stream).hasValue(DemoCommand.StreamMode.OBSERVE);
  }

  @ParameterizedTest
  @CsvSource({
    "--round, --first-act",
    "--round, --stream",
    "--round, --binding=grpc",
    "--pact, --first-act",
    "--pact, --stream",
    "--pact, --binding=grpc",
    "--round, --pact",
    "--lexicon, --first-act",
    "--lexicon, --stream",
    "--pact, --lexicon",
  })
  void roundPactAndLexicon_goWithNothingThatIsAboutTheTwoActs(String play, String other) {
    var err = new ByteArrayOutputStream();
    int status =
        Main.run(
            new Terminal(
                InputStream.nullInputStream(),
                System.out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of("PARLANCE_HOME", "."),
                false),
            "demo",
            play,
            other);
    assertThat(status).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(play + " goes with");
  }

  @Test
  void roundPactAndLexicon_areOff_unlessTheyAreAskedFor() {
    assertThat(parsed("--round", "--once").round).isTrue();
    assertThat(parsed("--pact", "--once").pact).isTrue();
    assertThat(parsed("--lexicon", "--once").lexicon).isTrue();
    DemoCommand acts = parsed("--once");
    assertThat(acts.round || acts.pact || acts.lexicon).isFalse();
  }

  private static DemoCommand parsed(String... args) {
    DemoCommand command =
        new DemoCommand(
            new Terminal(InputStream.nullInputStream(), System.out, System.err, Map.of(), false));
    new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(args);
    return command;
  }
}
