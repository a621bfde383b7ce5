package dev.parlance.control.publish;

import dev.parlance.control.publish.api.SidecarHello;
import dev.parlance.control.publish.api.SidecarReport;
import dev.parlance.control.publish.api.SidecarReport.ConfigState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Every sidecar that is or was attached to this replica, with what it has announced of the messages
 * that it holds. One that is gone stays with its items until it attaches again.
 *
 * <table>
 *   <caption>Limits</caption>
 *   <tr><td>open items of one sidecar, of all</td><td>10,000, 50,000</td>
 *       <td>further ones are known to the sidecar alone</td></tr>
 *   <tr><td>settled items of one sidecar</td><td>256</td><td>the oldest is forgotten</td></tr>
 *   <tr><td>sidecars that are gone</td><td>1,000</td><td>who left first is forgotten</td></tr>
 *   <tr><td>time that one without open items is known for after it has gone</td><td>1 h</td>
 *       <td>forgotten</td></tr>
 * </table>
 */
public final class SidecarDirectory {
  static final int MAX_ITEMS = 10_000;
  static final int MAX_ALL_ITEMS = 50_000;
  static final int MAX_SETTLED = 256;
  static final int MAX_GONE = 1_000;
  static final long EMPTY_GONE_MS = 3_600_000;

  private final LongSupplier clockMs;

  private final Map<Seat, Entry> entries = new LinkedHashMap<>();

  /** Those that are gone, in the order in which they went. */
  private final Set<Seat> left = new LinkedHashSet<>();

  private int items;
  private long membership;

  /** Counts up over all sidecars. */
  private long change;

  /** Which sidecar: its agent, and its name for people. */
  public record Seat(String agent, String node) {}

  /**
   * How a sidecar stands.
   *
   * @param answers whether people may see and decide there from here
   * @param attached whether it is here now
   * @param lastSeenMs its last sign of life, in milliseconds since the epoch
   * @param waiting items that wait for a person
   * @param isWhole true if every open item of it is known here
   */
  public record Standing(
      Seat seat,
      String version,
      boolean answers,
      boolean attached,
      long lastSeenMs,
      int waiting,
      int open,
      boolean isWhole,
      SidecarReport report,
      ConfigState config) {}

  /**
   * What has changed at a sidecar.
   *
   * @param until give it to the next look
   */
  public record ItemChanges(List<HeldItem> items, long until) {}

  private record Known(HeldItem item, long change) {}

  private static final class Entry {
    private Optional<SidecarStream> stream = Optional.empty();
    private SidecarHello hello;
    private SidecarReport report = SidecarReport.NONE;
    private ConfigState config;
    private final Map<String, Known> open = new LinkedHashMap<>();
    private final Map<String, Known> settled = new LinkedHashMap<>();

    /** Those named on a stream whose first list is not complete yet; empty once it is. */
    private Optional<Set<String>> named = Optional.empty();

    private boolean overflowed;
    private long change;
    private long lastSeenMs;

    Entry(SidecarHello hello) {
      this.hello = hello;
      this.config = hello.config();
    }
  }

  /**
   * Nobody yet.
   *
   * @param clockMs milliseconds since the epoch
   */
  SidecarDirectory(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** A sidecar has attached. */
  synchronized void attached(SidecarStream stream, SidecarHello hello) {
    Seat seat = new Seat(hello.agent(), hello.node());
    Entry entry = entries.get(seat);
    if (entry == null) {
      entry = new Entry(hello);
      entries.put(seat, entry);
      membership++;
    }
    entry.hello = hello;
    entry.config = hello.config();
    entry.report = SidecarReport.NONE;
    entry.stream = Optional.of(stream);
    left.remove(seat);
    entry.named = Optional.of(new HashSet<>());
    entry.overflowed = false;
    entry.lastSeenMs = clockMs.getAsLong();
    touch(entry);
  }

  /** What it has announced on its stream. */
  synchronized void announced(SidecarStream stream, List<HeldItem> said, boolean isComplete) {
    find(stream)
        .ifPresent(entry -> {
          entry.lastSeenMs = clockMs.getAsLong();
          for (HeldItem item : said) {
            entry.named.ifPresent(names -> names.add(item.id()));
            put(entry, item);
          }
          if (isComplete) {
            entry.named.ifPresent(names -> keepOnly(entry, names));
            entry.named = Optional.empty();
          }
        });
  }

  private void touch(Entry entry) {
    change++;
    entry.change = change;
  }

  private void put(Entry entry, HeldItem item) {
    boolean isKnown = entry.open.containsKey(item.id());
    touch(entry);
    Known now = new Known(item, entry.change);
    if (!item.isOpen()) {
      items -= entry.open.remove(item.id()) == null ? 0 : 1;
      entry.settled.put(item.id(), now);
      if (entry.settled.size() > MAX_SETTLED) {
        entry.settled.remove(entry.settled.keySet().iterator().next());
      }
    } else if (isKnown || (entry.open.size() < MAX_ITEMS && items < MAX_ALL_ITEMS)) {
      entry.open.put(item.id(), now);
      items += isKnown ? 0 : 1;
    } else {
      entry.overflowed = true;
    }
  }

  /** What was not named by the end of the first list is there no more. */
  private void keepOnly(Entry entry, Set<String> names) {
    int before = entry.open.size();
    entry.open.keySet().retainAll(names);
    items -= before - entry.open.size();
    touch(entry);
  }

  /** How it is doing. */
  synchronized void reported(SidecarStream stream, SidecarReport report) {
    find(stream)
        .ifPresent(entry -> {
          entry.report = report;
          entry.config = report.config();
          entry.lastSeenMs = clockMs.getAsLong();
        });
  }

  /** Its stream has ended; if another one has taken its place, nothing happens. */
  synchronized void gone(SidecarStream stream) {
    find(stream)
        .ifPresent(entry -> {
          entry.stream = Optional.empty();
          entry.named = Optional.empty();
          entry.lastSeenMs = clockMs.getAsLong();
          touch(entry);
          left.add(new Seat(stream.agent(), stream.node()));
        });
    forgetSome();
  }

  private void forgetSome() {
    long oldestMs = clockMs.getAsLong() - EMPTY_GONE_MS;
    for (Seat seat : List.copyOf(left)) {
      Entry entry = entries.get(seat);
      boolean isOld = entry != null && entry.open.isEmpty() && entry.lastSeenMs < oldestMs;
      if (entry != null && (isOld || left.size() > MAX_GONE)) {
        items -= entry.open.size();
        entries.remove(seat);
        left.remove(seat);
        membership++;
      }
    }
  }

  private Optional<Entry> find(SidecarStream stream) {
    return Optional.ofNullable(entries.get(new Seat(stream.agent(), stream.node())))
        .filter(entry -> entry.stream.filter(now -> now == stream).isPresent());
  }

  // ---- for the console ----

  /** Counts up whenever a sidecar becomes known or is forgotten. */
  public synchronized long membership() {
    return membership;
  }

  /** Every sidecar that is known. */
  public synchronized List<Seat> seats() {
    return List.copyOf(entries.keySet());
  }

  /** How many are attached, or gone. */
  public synchronized long count(boolean attached) {
    return attached ? entries.size() - left.size() : left.size();
  }

  /** How one stands; empty if it is not known. */
  public synchronized Optional<Standing> standing(Seat seat) {
    return Optional.ofNullable(entries.get(seat))
        .map(entry ->
            new Standing(
                seat,
                entry.hello.version(),
                entry.hello.answersReviews(),
                entry.stream.isPresent(),
                entry.lastSeenMs,
                (int) entry.open.values().stream().filter(one -> one.item().isPending()).count(),
                entry.open.size(),
                entry.named.isEmpty() && !entry.overflowed,
                entry.report,
                entry.config));
  }

  /** The open items of one, oldest first. */
  public synchronized List<HeldItem> open(Seat seat) {
    return Optional.ofNullable(entries.get(seat)).stream()
        .flatMap(entry -> entry.open.values().stream())
        .map(Known::item)
        .sorted(Comparator.comparingLong(HeldItem::heldAtMs).thenComparing(HeldItem::id))
        .toList();
  }

  /** Items of one that have changed since the last look, in order. */
  public synchronized ItemChanges changes(Seat seat, long since) {
    Entry entry = entries.get(seat);
    if (entry == null || entry.change == since) {
      return new ItemChanges(List.of(), since);
    }
    List<Known> changed = new ArrayList<>();
    for (Map<String, Known> some : List.of(entry.open, entry.settled)) {
      some.values().stream().filter(one -> one.change() > since).forEach(changed::add);
    }
    changed.sort(Comparator.comparingLong(Known::change));
    return new ItemChanges(changed.stream().map(Known::item).toList(), entry.change);
  }

  /** The stream of one, if it is attached. */
  synchronized Optional<SidecarStream> stream(Seat seat) {
    return Optional.ofNullable(entries.get(seat)).flatMap(entry -> entry.stream);
  }
}
