package dev.parlance.encoder.train;

import java.util.ArrayList;
import java.util.List;

/**
 * A made-up place to claim things about.
 *
 * @param people who acts there
 * @param things what they act on
 * @param events what happens there, with article
 */
record Domain(List<Noun> people, List<Noun> things, List<String> events) {
  Domain {
    people = List.copyOf(people);
    things = List.copyOf(things);
    events = List.copyOf(events);
  }

  /** Reads a line {@code name: people | things | events}. */
  static Domain parse(String line) {
    String[] parts = line.substring(line.indexOf(':') + 1).split("\\|", -1);
    List<Noun> people = new ArrayList<>();
    for (String each : parts[0].split(",", -1)) {
      people.add(new Noun(List.of(each.strip().split("/", -1)), ""));
    }
    List<Noun> things = new ArrayList<>();
    for (String each : parts[1].split(",", -1)) {
      String[] forms = each.strip().split("/", -1);
      things.add(new Noun(List.of("the " + forms[0]), forms[1]));
    }
    List<String> events = new ArrayList<>();
    for (String each : parts[2].split(",", -1)) {
      events.add(each.strip());
    }
    return new Domain(people, things, events);
  }
}
