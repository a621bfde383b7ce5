package dev.parlance.encoder.train;

import dev.parlance.encoder.train.Item.Difference;
import dev.parlance.encoder.train.Item.Likeness;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Claims about the licence in wordings of people.
 *
 * @param items by part
 */
record LicenceClaims(Map<Split, List<Item>> items) {
  /** Reads the file beside this class. */
  static LicenceClaims read() throws IOException {
    Sections file = Sections.read("licence.txt");
    Map<Split, List<Item>> items = new EnumMap<>(Split.class);
    for (Split split : Split.values()) {
      items.put(split, items(file.under(split.label())));
    }
    return new LicenceClaims(items);
  }

  private static List<Item> items(List<String> lines) {
    List<Item> items = new ArrayList<>();
    List<String> same = List.of();
    List<Item.Other> others = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("! ")) {
        int blank = line.indexOf(' ', 2);
        Difference kind = Difference.valueOf(line.substring(2, blank).toUpperCase(Locale.ROOT));
        for (String text : wordings(line.substring(blank))) {
          others.add(new Item.Other(kind, text));
        }
      } else {
        if (!same.isEmpty()) {
          items.add(new Item(Likeness.FREE, 1, same, others));
        }
        same = wordings(line);
        others.clear();
      }
    }
    items.add(new Item(Likeness.FREE, 1, same, others));
    return items;
  }

  private static List<String> wordings(String line) {
    return Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
  }

  /** The claims of a part. */
  List<Item> of(Split split) {
    return items.getOrDefault(split, List.of());
  }
}
