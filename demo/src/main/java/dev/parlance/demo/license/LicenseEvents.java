package dev.parlance.demo.license;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Short scenes around a piece of software under a license. Each has three sentences out of one
 * list; every choice of three is one event, in an order that mixes them.
 */
public final class LicenseEvents {
  private static final List<String> SENTENCES =
      DemoJson.script(LicenseEvents.class, "sentences.json", String[].class);

  /** How many events are for audits. */
  private static final int POOL = 700;

  /** How many further ones no audit ever sees. */
  private static final int HELD_OUT = 200;

  private LicenseEvents() {}

  /** The events that audits draw from. */
  public static List<Event> pool() {
    return first(POOL);
  }

  /** Events that are in no pool, to measure what the audits achieve. */
  public static List<Event> heldOut() {
    List<Event> all = first(POOL + HELD_OUT);
    return List.copyOf(all.subList(POOL, all.size()));
  }

  /**
   * The first {@code count} events.
   *
   * @param count at most 2024, the number of choices of three sentences out of 24
   */
  static List<Event> first(int count) {
    List<String> texts = new ArrayList<>();
    int n = SENTENCES.size();
    for (int a = 0; a < n; a++) {
      for (int b = a + 1; b < n; b++) {
        for (int c = b + 1; c < n; c++) {
          texts.add(SENTENCES.get(a) + " " + SENTENCES.get(b) + " " + SENTENCES.get(c));
        }
      }
    }
    if (count < 1 || count > texts.size()) {
      throw new IllegalArgumentException("expected 1 to " + texts.size() + " events, got " + count);
    }
    List<Event> events = new ArrayList<>();
    // A step without a common divisor visits every choice once, neighbours far apart.
    int step = 769;
    for (int i = 0; i < count; i++) {
      int at = (int) ((long) i * step % texts.size());
      events.add(new Event(String.format(Locale.ROOT, "license-%04d", at), texts.get(at)));
    }
    return events;
  }

  /**
   * A public event.
   *
   * @param pei public event identifier
   * @param text what happens, in plain words
   */
  public record Event(String pei, String text) {}
}
