package dev.parlance.encoder.train;

import dev.parlance.encoder.train.Item.Difference;
import dev.parlance.encoder.train.Item.Likeness;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sentences of the licence's own text, with small changes that keep or turn what they say. Sections
 * 5, 6 and 8 are for the test, 9 is for the threshold, the others are for training.
 *
 * @param sentences by part
 */
record LicenceSentences(Map<Split, List<String>> sentences) {
  private static final Pattern SECTION = Pattern.compile("(?m)^ {3}(\\d)\\. ");
  private static final int MIN_WORDS = 8;
  private static final int MAX_WORDS = 120;

  /** What may stand for what. */
  private static final List<String> SAME =
      List.of(
          "shall=must",
          "reproduce=copy",
          "distribute=circulate",
          "modify=change",
          "provide=supply",
          "retain=keep",
          "include=contain",
          "use=utilise");

  private static final List<String> ENTITIES =
      List.of(
          "Licensor",
          "Contributor",
          "You",
          "Legal Entity",
          "Work",
          "Contribution",
          "License",
          "Derivative Works",
          "Source",
          "Object");

  private static final Pattern AFTER_WHICH_NOT_FITS =
      Pattern.compile("\\b(shall|may|must|is|are|does|can|will)\\b");

  /** Reads the text of the licence. */
  static LicenceSentences of(String text) {
    Map<Split, List<String>> found = new EnumMap<>(Split.class);
    String body = text.substring(0, Math.max(0, text.indexOf("END OF TERMS")));
    Matcher headings = SECTION.matcher(body);
    int from = -1;
    int number = 0;
    while (headings.find()) {
      addSection(body, from, headings.start(), number, found);
      from = headings.end();
      number = Integer.parseInt(headings.group(1));
    }
    addSection(body, from, body.length(), number, found);
    for (Split split : Split.values()) {
      if (found.getOrDefault(split, List.of()).isEmpty()) {
        throw new IllegalArgumentException("no sentences for " + split + " in that licence");
      }
    }
    return new LicenceSentences(found);
  }

  private static void addSection(
      String body, int from, int to, int number, Map<Split, List<String>> found) {
    if (from < 0) {
      return;
    }
    Split split =
        switch (number) {
          case 5, 6, 8 -> Split.TEST;
          case 9 -> Split.DEV;
          default -> Split.TRAIN;
        };
    String plain = body.substring(from, to).replaceAll("\\s+", " ");
    for (String sentence : plain.split("(?<=[.;:]) ", -1)) {
      int words = sentence.split(" ", -1).length;
      if (words >= MIN_WORDS && words <= MAX_WORDS) {
        found.computeIfAbsent(split, ignored -> new ArrayList<>()).add(sentence);
      }
    }
  }

  /** The sentences of a part. */
  List<String> of(Split split) {
    return sentences.getOrDefault(split, List.of());
  }

  /** An item about one sentence. */
  static Item item(String sentence, Wording wording, RandomGenerator random) {
    List<String> same = new ArrayList<>();
    same.add(sentence);
    same.add(wording.dress(synonyms(sentence, random), random));
    same.add(wording.dress(sentence.replaceAll(" ?\\([^)]*\\)", "").strip(), random));
    List<Item.Other> others = new ArrayList<>();
    String denied = denied(sentence);
    if (!denied.equals(sentence)) {
      others.add(new Item.Other(Difference.NEGATION, denied));
    }
    String renamed = renamed(sentence, random);
    if (!renamed.equals(sentence)) {
      others.add(new Item.Other(Difference.ENTITY, renamed));
    }
    return new Item(Likeness.REORDERED, 1, same, others);
  }

  private static String synonyms(String sentence, RandomGenerator random) {
    String changed = sentence;
    for (String pair : SAME) {
      String[] words = pair.split("=", -1);
      if (random.nextBoolean()) {
        changed = changed.replaceAll("\\b" + words[0] + "\\b", words[1]);
      }
    }
    return changed;
  }

  private static String denied(String sentence) {
    if (sentence.contains(" not ")) {
      return sentence.replaceFirst(" not ", " ");
    }
    Matcher fits = AFTER_WHICH_NOT_FITS.matcher(sentence);
    return fits.find() ? fits.replaceFirst("$1 not") : sentence;
  }

  private static String renamed(String sentence, RandomGenerator random) {
    List<String> present = ENTITIES.stream().filter(sentence::contains).toList();
    if (present.isEmpty()) {
      return sentence;
    }
    String old = present.get(random.nextInt(present.size()));
    String fresh = ENTITIES.get(random.nextInt(ENTITIES.size()));
    return sentence.replaceAll("\\b" + old + "\\b", fresh);
  }
}
