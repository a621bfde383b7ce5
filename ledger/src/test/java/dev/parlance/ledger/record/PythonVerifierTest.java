package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a stranger who mistypes is told: never that a ledger is unsound. */
class PythonVerifierTest {
  @TempDir Path folder = Path.of("");

  @BeforeEach
  void python() throws Exception {
    PythonVerifier.assumePresent();
  }

  @Test
  void whatCannotBeRead_isStatusTwo_andSaid() throws Exception {
    String none = folder.resolve("none").toString();
    String export =
        written(
            "export",
            "{\"format\":\"parlance-ledger-export-1\",\"checkpoint\":\"\",\"vkey\":\"\"}\n");
    String deep = written("deep", "[".repeat(200_000));
    String numbers =
        written(
            "numbers", "{\"format\":\"parlance-ledger-export-1\",\"checkpoint\":1,\"vkey\":2}\n");
    String words = written("words", "no key\n");
    for (List<String> arguments :
        List.<List<String>>of(
            List.of(none),
            List.of(folder.toString()),
            List.of(deep),
            List.of(numbers),
            List.of(words),
            List.of(export, "key", none),
            List.of(export, "key", words),
            List.of(export, "key", words, "1"),
            List.of("--proofs", none, words),
            List.of("--proofs", words, none),
            List.of("--proofs", export, words),
            List.of("--no-such-option"),
            List.<String>of())) {
      PythonVerifier.Run run = new PythonVerifier(folder).with(arguments.toArray(String[]::new));
      assertThat(run.status()).as("%s%n%s", arguments, run.output()).isEqualTo(2);
      assertThat(run.output()).isNotBlank().doesNotContain("Traceback", "NOT sound");
    }
  }

  @Test
  void help_isAnAnswer() throws Exception {
    PythonVerifier.Run run = new PythonVerifier(folder).with("--help");
    assertThat(run.status()).isZero();
    assertThat(run.output()).contains("Usage", "Exit status");
  }

  private String written(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
