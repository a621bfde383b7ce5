package dev.parlance.policy.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The table of reasons in the documentation. */
class ReasonTest {
  @Test
  void operatorsReadEveryReason_asItIs() throws IOException {
    assertThat(Files.readAllLines(Path.of("../docs/operations.md")))
        .containsSequence(
            Arrays.stream(Reason.values())
                .map(one ->
                    "| `%s` | %s | %s | %s |"
                        .formatted(
                            one.code(), one.group().code(), one.fault().code(), one.sentence()))
                .toList());
  }
}
