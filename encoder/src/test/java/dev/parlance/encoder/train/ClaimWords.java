package dev.parlance.encoder.train;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The words that claims are made of.
 *
 * @param domains by part
 * @param deeds by part; those of {@code TRAIN} belong to all, the others' verbs are new to the
 *     trainer
 * @param templates by heading of their file
 */
record ClaimWords(
    Map<Split, List<Domain>> domains, Map<Split, List<Deed>> deeds, Sections templates) {
  /** Reads the files beside this class. */
  static ClaimWords read() throws IOException {
    Sections places = Sections.read("domains.txt");
    Sections verbs = Sections.read("verbs.txt");
    Map<Split, List<Domain>> domains = new EnumMap<>(Split.class);
    Map<Split, List<Deed>> deeds = new EnumMap<>(Split.class);
    for (Split split : Split.values()) {
      domains.put(split, places.under(split.label()).stream().map(Domain::parse).toList());
      deeds.put(
          split,
          verbs.under(split.label()).stream()
              .map(line -> deed(line, split == Split.TRAIN))
              .toList());
    }
    return new ClaimWords(domains, deeds, Sections.read("templates.txt"));
  }

  private static Deed deed(String line, boolean learned) {
    String[] sides = line.split("<>", -1);
    return new Deed(verbs(sides[0]), sides.length > 1 ? verbs(sides[1]) : List.of(), learned);
  }

  private static List<Verb> verbs(String list) {
    List<Verb> verbs = new ArrayList<>();
    Arrays.stream(list.split(",", -1)).map(Verb::parse).forEach(verbs::add);
    return verbs;
  }

  /** Places of a part. */
  List<Domain> domainsOf(Split split) {
    return domains.getOrDefault(split, List.of());
  }

  /** Deeds that only that part has; for {@code TRAIN} the learned ones. */
  List<Deed> deedsOf(Split split) {
    return deeds.getOrDefault(split, List.of());
  }

  /**
   * A made-up place to claim things about.
   *
   * @param people who acts there
   * @param things what they act on
   * @param events what happens there, with article
   */
  record Domain(List<Claim.Noun> people, List<Claim.Noun> things, List<String> events) {
    Domain {
      people = List.copyOf(people);
      things = List.copyOf(things);
      events = List.copyOf(events);
    }

    /** Reads a line {@code name: people | things | events}. */
    static Domain parse(String line) {
      String[] parts = line.substring(line.indexOf(':') + 1).split("\\|", -1);
      List<Claim.Noun> people = new ArrayList<>();
      for (String each : parts[0].split(",", -1)) {
        people.add(new Claim.Noun(List.of(each.strip().split("/", -1)), ""));
      }
      List<Claim.Noun> things = new ArrayList<>();
      for (String each : parts[1].split(",", -1)) {
        String[] forms = each.strip().split("/", -1);
        things.add(new Claim.Noun(List.of("the " + forms[0]), forms[1]));
      }
      List<String> events = new ArrayList<>();
      for (String each : parts[2].split(",", -1)) {
        events.add(each.strip());
      }
      return new Domain(people, things, events);
    }
  }

  /**
   * What is done.
   *
   * @param words verbs that say the same
   * @param opposites verbs that say the opposite; may be empty
   * @param learned true if the trainer sees these verbs
   */
  record Deed(List<Verb> words, List<Verb> opposites, boolean learned) {
    Deed {
      words = List.copyOf(words);
      opposites = List.copyOf(opposites);
    }
  }
}
