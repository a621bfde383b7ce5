package dev.parlance.loadtest.load;

import dev.parlance.policy.core.TermKey;
import dev.parlance.policy.text.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;

/** The sentences of the Apache License 2.0, terms only, as it lies at the root of this project. */
public final class LicenseText {
  private static final String END = "END OF TERMS AND CONDITIONS";

  private static final long SEED = 0x5eed_2026_1121L;
  private static final int LONGEST_PHRASE = 4;

  private LicenseText() {}

  /**
   * Every sentence or clause of at least 40 characters, in the order of the text, blanks folded.
   * Those with numbers are left out: recombined, an answer would have a number of another thing.
   */
  public static List<String> sentences() {
    String whole = read();
    int end = whole.indexOf(END);
    if (end < 0) {
      throw new IllegalStateException("LICENSE does not contain '" + END + "'");
    }
    String folded = whole.substring(0, end).replaceAll("\\s+", " ").strip();
    return Arrays.stream(folded.split("(?<=[.;:])\\s(?=[A-Z\"(a-z])", -1))
        .map(String::strip)
        .filter(sentence -> sentence.length() >= 40)
        .filter(sentence -> sentence.chars().noneMatch(Character::isDigit))
        .toList();
  }

  /** Keys of so many terms that stand in the text of the corpora or are made of its words. */
  public static NavigableSet<String> termKeys(int count) {
    Random random = new Random(SEED);
    List<String> words = Tokens.of(String.join(" ", sentences()));
    List<String> phrases = new ArrayList<>();
    for (int from = 0; from + LONGEST_PHRASE <= words.size(); from++) {
      for (int length = 1; length <= LONGEST_PHRASE; length++) {
        phrases.add(String.join(" ", words.subList(from, from + length)));
      }
    }
    Collections.shuffle(phrases, random);
    NavigableSet<String> keys = new TreeSet<>();
    for (int i = 0; keys.size() < count; i++) {
      if (i < phrases.size()) {
        keys.add(phrases.get(i));
        continue;
      }
      List<String> made = new ArrayList<>();
      for (int length = 2 + random.nextInt(LONGEST_PHRASE - 1); length > 0; length--) {
        made.add(words.get(random.nextInt(words.size())));
      }
      TermKey.of(String.join(" ", made)).ifPresent(keys::add);
    }
    return keys;
  }

  private static String read() {
    try (InputStream in = LicenseText.class.getResourceAsStream("/dev/parlance/loadtest/LICENSE")) {
      if (in == null) {
        throw new IllegalStateException("LICENSE is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
