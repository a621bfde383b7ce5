package dev.parlance.policy.claim;

import dev.parlance.policy.claim.Phrases.Element;
import dev.parlance.policy.claim.Phrases.Phrase;
import dev.parlance.policy.claim.Phrases.Role;
import dev.parlance.policy.claim.Phrases.Shape;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code phrases.txt}, once, into phrases by the fingerprints of what they begin with. */
@SuppressWarnings("StringSplitter") // lines of our own files
final class PhraseReader {
  private final Units units;
  private final Map<String, List<long[]>> groups = new HashMap<>();
  private final Map<Long, List<Phrase>> byFirst = new HashMap<>();

  PhraseReader(long seed) {
    units = new Units(seed);
  }

  Map<Long, List<Phrase>> read(String lines) {
    lines
        .lines()
        .map(String::strip)
        .filter(l -> !l.isEmpty() && l.charAt(0) != '#')
        .forEach(this::line);
    return byFirst;
  }

  private void line(String line) {
    String[] parts = line.split(" ", 3);
    String language = parts[0];
    if (parts[1].equals("let")) {
      String[] definition = parts[2].split(" = ", 2);
      groups.put(language + definition[0], alternatives(language, definition[1]));
      return;
    }
    Role role = Role.valueOf(parts[1]);
    if (role.isOfWords()) {
      units.read(Utf8Span.of(parts[2]));
      for (int i = 0; i < units.count(); i++) {
        Element one = new Element(Shape.WORDS, false, List.of(new long[] {units.key(i)}));
        add(new Phrase(role, false, language.equals("de"), List.of(one)), units.key(i));
      }
      return;
    }
    boolean whole = parts[2].endsWith("...");
    List<Element> elements = new ArrayList<>();
    for (String element : cut(whole ? parts[2].substring(0, parts[2].length() - 3) : parts[2])) {
      elements.add(element(language, element));
    }
    Phrase phrase = new Phrase(role, whole, language.equals("de"), List.copyOf(elements));
    for (Element element : elements) {
      element.alternatives().stream()
          .mapToLong(words -> words[0])
          .distinct()
          .forEach(key -> add(phrase, key));
      if (!element.optional()) {
        break;
      }
    }
  }

  private void add(Phrase phrase, long key) {
    List<Phrase> all = byFirst.computeIfAbsent(key, k -> new ArrayList<>());
    if (!phrase.role().isOfWords()
        || all.stream().noneMatch(other -> other.role() == phrase.role())) {
      all.add(phrase);
    }
  }

  /** The elements of a phrase; plain words that stand together are one. */
  private static List<String> cut(String phrase) {
    List<String> elements = new ArrayList<>();
    int depth = 0;
    StringBuilder element = new StringBuilder();
    for (String word : phrase.strip().split(" +")) {
      element.append(element.isEmpty() ? "" : " ").append(word);
      depth += (int) word.chars().filter(c -> c == '(' || c == '[').count();
      depth -= (int) word.chars().filter(c -> c == ')' || c == ']').count();
      if (depth == 0) {
        elements.add(element.toString());
        element.setLength(0);
      }
    }
    return elements;
  }

  private Element element(String language, String text) {
    return switch (text) {
      case "*" -> new Element(Shape.GAP, true, List.of());
      case "^" -> new Element(Shape.NAME, true, List.of());
      case ",", "،" -> new Element(Shape.PUNCTUATION, false, List.of());
      case "[,]", "[،]" -> new Element(Shape.PUNCTUATION, true, List.of());
      case ":" -> new Element(Shape.COLON, false, List.of());
      default -> {
        boolean optional = text.charAt(0) == '[';
        boolean grouped = optional || text.charAt(0) == '(';
        String inner = grouped ? text.substring(1, text.length() - 1) : text;
        yield new Element(Shape.WORDS, optional, alternatives(language, inner));
      }
    };
  }

  private List<long[]> alternatives(String language, String text) {
    List<long[]> all = new ArrayList<>();
    for (String alternative : split(text)) {
      int open = alternative.indexOf('(');
      if (open >= 0) {
        int close = alternative.lastIndexOf(')');
        for (String inner : split(alternative.substring(open + 1, close))) {
          all.addAll(
              alternatives(
                  language,
                  alternative.substring(0, open) + inner + alternative.substring(close + 1)));
        }
      } else if (alternative.startsWith("<")) {
        all.addAll(group(language, alternative));
      } else {
        all.add(keys(alternative));
      }
    }
    return all;
  }

  private List<long[]> group(String language, String name) {
    List<long[]> group = groups.get(language + name.substring(1, name.length() - 1));
    if (group == null) {
      throw new IllegalStateException("no group " + name + " of language " + language);
    }
    return group;
  }

  /** Cut at the bars outside of parentheses. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? '|' : text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == '|' && depth == 0) {
        parts.add(text.substring(from, i));
        from = i + 1;
      }
    }
    return parts;
  }

  private long[] keys(String words) {
    units.read(Utf8Span.of(words));
    if (units.count() == 0) {
      throw new IllegalStateException("no word in a phrase: " + words);
    }
    long[] keys = new long[units.count()];
    Arrays.setAll(keys, units::key);
    return keys;
  }
}
