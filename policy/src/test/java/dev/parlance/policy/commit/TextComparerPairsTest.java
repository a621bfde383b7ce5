package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * How often {@link TextComparer} parts a sentence from its like with one thing changed, in labelled
 * texts that are not part of the repository: {@code -Dlabelled=FOLDER} says where they are. Every
 * {@value #STEP}th pair is looked at.
 */
class TextComparerPairsTest {
  private static final int STEP = 5;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Test
  void turnedMeaningsAreParted_andOtherWordingsAreNot() throws IOException {
    String folder = System.getProperty("labelled");
    if (folder == null) {
      System.err.println("TextComparerPairsTest SKIPPED: no labelled texts (-Dlabelled=FOLDER)");
    }
    assumeTrue(folder != null, "no labelled texts: -Dlabelled=FOLDER");
    TextComparer comparer = new TextComparer(7);
    Map<String, int[]> kinds = new TreeMap<>();
    String quoted = "";
    int pair = 0;
    for (String line : Files.readAllLines(Path.of(folder, "flips-dev.jsonl"))) {
      JsonNode row = JSON.readTree(line);
      String text = row.path("answer").asString();
      String kind = row.path("kind").asString();
      if (kind.equals("quote")) {
        quoted = text;
      } else if (pair++ % STEP == 0) {
        int[] counts = kinds.computeIfAbsent(kind, _ -> new int[2]);
        counts[0]++;
        counts[1] += comparer.between(quoted, text).isPresent() ? 1 : 0;
      }
    }
    int[] turned = new int[2];
    int[] benign = new int[2];
    kinds.forEach((kind, counts) -> {
      System.out.printf("%s %d of %d%n", kind, counts[1], counts[0]);
      int[] sum = kind.startsWith("benign") ? benign : turned;
      sum[0] += counts[0];
      sum[1] += counts[1];
    });
    System.out.printf("turned %d of %d%n", turned[1], turned[0]);
    System.out.printf("benign %d of %d%n", benign[1], benign[0]);
    assertThat((double) turned[1] / turned[0]).isGreaterThan(0.955);
    assertThat((double) benign[1] / benign[0]).isLessThan(0.045);
  }
}
