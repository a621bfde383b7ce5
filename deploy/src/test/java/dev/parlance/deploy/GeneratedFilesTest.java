package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * What is generated is as it would be generated now. To make it anew: {@code mvn -pl deploy -am
 * test -Dtest=GeneratedFilesTest -Dregenerate=true}, then look at the difference.
 */
@NullMarked
class GeneratedFilesTest {
  @Test
  void everyGeneratedFileIsAsTheChartAndTheSchemasMakeIt() throws IOException {
    GeneratedFiles files = new GeneratedFiles(Repository.ROOT);
    if (Boolean.getBoolean("regenerate")) {
      files.write();
    }
    assertThat(files.present())
        .as("generated files; the comment of this test has the command that makes them anew")
        .containsExactlyInAnyOrderEntriesOf(files.wanted());
  }
}
