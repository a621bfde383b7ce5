package dev.parlance.demo.usage;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Short scenes around a piece of software under a license. Each has three sentences out of one
 * list; every choice of three is one event, in an order that mixes them.
 */
public final class LicenseEvents {
  private static final List<String> SENTENCES =
      List.of(
          "A volunteer opens a pull request that mends a bug in the parser.",
          "A student sends a new test for inclusion, and the maintainers merge it.",
          "A user files a report of a crash in the issue tracker and adds no code.",
          "An employee mails a patch and marks it as not meant to be taken in.",
          "Somebody leaves some files with the maintainers, and nobody knows what for.",
          "A company translates the manual and publishes the translation.",
          "A studio rewrites half of the engine and ships the result.",
          "A vendor links its own program against the library as it is.",
          "A mirror copies the repository without changing a byte.",
          "A distributor puts the NOTICE file into its packages.",
          "A developer keeps the copyright header in each file.",
          "A vendor shows the list of authors in its about box.",
          "A shop prints the project's logo on cups that it sells.",
          "A reseller names its product after the project.",
          "A blog names the project when it says where a piece of code comes from.",
          "A competitor sues the project over a patent on compression.",
          "A company files a cross-claim that the work infringes its patent.",
          "A firm hints that it may hold a patent and says no more.",
          "A hosting firm offers its customers a warranty for a fee.",
          "A customer has lost data and asks the authors for damages.",
          "A distributor ships compiled class files only.",
          "A retailer sells devices with the program burnt into their memory.",
          "A team publishes the files that its developers edit, with the build scripts.",
          "A teacher explains in class how the program works.");

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

  static List<String> sentences() {
    return SENTENCES;
  }

  /**
   * A public event.
   *
   * @param pei public event identifier
   * @param text what happens, in plain words
   */
  public record Event(String pei, String text) {}
}
