package dev.parlance.policy.claim.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.value.ValueComparison;
import dev.parlance.policy.claim.value.ValueLexicon;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.text.Utf8Span;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * How often {@link Changes} finds something in labelled texts, which are not part of the
 * repository: {@code -Dlabelled=FOLDER} says where they are.
 *
 * <p>The rules were made while looking at the flips of one half of the documents; the test is about
 * the other. {@code -Dlabelled.set="tuned"} is the first half, a file name other labelled lines;
 * {@code -Dlabelled.show=KIND} prints what was decided wrongly of a kind, or of a set and its
 * label.
 */
class ChangesAccuracyTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Units units = new Units(7);
  private final ValueLexicon lexicon = ValueLexicon.load(7);
  private final Values values = new Values(lexicon);
  private final Values evidenceValues = new Values(lexicon);
  private final Changes changes =
      new Changes(
          units,
          values,
          evidenceValues,
          new ValueComparison(lexicon),
          Thesaurus.load(units::keyOf),
          CriticalWords.load(units::keyOf),
          new NormWords(units::keyOf),
          new FrameWords(units::keyOf));
  private final String shown = System.getProperty("labelled.show", "");
  private final List<Utf8Span> chunks = new ArrayList<>();
  private final Map<String, int[]> rows = new TreeMap<>();

  @Test
  void ofFlipsNineInTenAreFound_ofQuotesNoneAndOfBenignEditsFew() throws IOException {
    String folder = System.getProperty("labelled");
    if (folder == null) {
      System.err.println("ChangesAccuracyTest SKIPPED: no labelled texts (-Dlabelled=FOLDER)");
    }
    assumeTrue(folder != null, "no labelled texts: -Dlabelled=FOLDER");
    String set = System.getProperty("labelled.set", "held");
    if (set.endsWith(".jsonl")) {
      lines(Path.of(folder, set));
      print();
      return;
    }
    flips(Path.of(folder), set.equals("held") ? 1 : 0);
    print();
    assertThat(share("quote")).isLessThanOrEqualTo(0.01);
    assertThat(share("benign_")).isLessThanOrEqualTo(0.03);
    assertThat(share("negation", "antonym", "entity", "role", "unit", "number")).isGreaterThan(0.9);
  }

  /** The share of rows of some kinds in which something was found. */
  private double share(String... kinds) {
    int[] sum = new int[2];
    rows.forEach((kind, n) -> {
      if (Arrays.stream(kinds).anyMatch(kind::startsWith)) {
        sum[0] += n[0];
        sum[1] += n[1];
      }
    });
    return (double) sum[1] / sum[0];
  }

  private void print() {
    rows.forEach((kind, n) -> {
      StringBuilder line = new StringBuilder();
      for (ChangeKind change : ChangeKind.values()) {
        int found = n[2 + change.ordinal()];
        line.append(found > 0 ? " " + change + " " + found : "");
      }
      System.out.printf(
          "%-28s %5d, changes in %5.1f %% %s%n", kind, n[0], 100.0 * n[1] / n[0], line);
    });
  }

  private void flips(Path folder, int half) throws IOException {
    Map<String, String> docs = new HashMap<>();
    for (String line : Files.readAllLines(folder.resolve("flips-dev-docs.jsonl"))) {
      JsonNode row = JSON.readTree(line);
      docs.put(row.get("doc").asString(), row.get("text").asString());
    }
    String last = "";
    for (String line : Files.readAllLines(folder.resolve("flips-dev.jsonl"))) {
      JsonNode row = JSON.readTree(line);
      String doc = row.get("doc").asString();
      if (Math.floorMod(doc.hashCode(), 2) != half) {
        continue;
      }
      if (!doc.equals(last)) {
        evidence(List.of(docs.get(doc)));
        last = doc;
      }
      judge(row, row.get("kind").asString());
    }
  }

  private void lines(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      JsonNode row = JSON.readTree(line);
      List<String> texts = new ArrayList<>();
      row.get("chunks").forEach(chunk -> texts.add(chunk.get("text").asString()));
      evidence(texts);
      judge(row, row.get("set").asString() + "_" + row.get("label").asString());
    }
  }

  private void evidence(List<String> texts) {
    chunks.clear();
    changes.clear();
    evidenceValues.clear();
    for (String chunk : texts) {
      Utf8Span text = Utf8Span.of(chunk);
      chunks.add(text);
      units.read(text);
      evidenceValues.add(text, units);
      changes.add(units, text);
    }
    changes.build();
  }

  private void judge(JsonNode row, String kind) {
    byte[] bytes = row.get("answer").asString().getBytes(StandardCharsets.UTF_8);
    Utf8Span text = Utf8Span.of(bytes);
    units.read(text);
    changes.build();
    values.read(text, units);
    int[] counts = rows.computeIfAbsent(kind, k -> new int[2 + ChangeKind.values().length]);
    counts[0]++;
    List<String> found = new ArrayList<>();
    for (int sentence = 0; sentence < units.sentences(); sentence++) {
      int count = changes.find(text, units.first(sentence), units.after(sentence), c -> true);
      for (int i = 0; i < count; i++) {
        counts[2 + changes.kind(i).ordinal()]++;
        int at = changes.start(i);
        Utf8Span from = chunks.get(changes.chunk(i));
        int other = changes.evidenceStart(i);
        found.add(
            changes.kind(i)
                + " "
                + text.slice(at, changes.end(i) - at)
                + " / "
                + from.slice(
                    Math.max(0, other - 40), changes.evidenceEnd(i) - Math.max(0, other - 40)));
      }
    }
    counts[1] += found.isEmpty() ? 0 : 1;
    boolean good = row.get("label").asString().equals("grounded");
    if (kind.equals(shown) && found.isEmpty() != good) {
      System.out.println(row.get("id").asString() + " " + text + "\n    " + found);
    }
  }
}
