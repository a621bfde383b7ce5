package dev.parlance.control.publish;

import dev.parlance.control.publish.api.SidecarDocument;
import dev.parlance.control.publish.api.SidecarHello.AnnouncedKey;
import dev.parlance.control.store.Store;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The keys with which sidecars make verdicts: of those that are attached here, at once, and of
 * those that any replica has seen in the last minutes, so that one that attaches elsewhere is not
 * forgotten meanwhile. Used by one loop.
 */
final class VerdictKeyDirectory {
  /** Most keys; those of agents whose names come last are left out. */
  static final int MAX_KEYS = 4_096;

  private static final Duration REMEMBERED = Duration.ofMinutes(5);
  private static final long READ_NS = TimeUnit.SECONDS.toNanos(5);

  private final Store store;
  private List<AnnouncedKey> stored = List.of();
  private Optional<Long> readNs = Optional.empty();
  private List<AnnouncedKey> current = List.of();

  VerdictKeyDirectory(Store store) {
    this.store = store;
  }

  /** All keys as they are now, if they differ from the last. */
  Optional<List<AnnouncedKey>> changed(Collection<SidecarStream> attached, long nowNs) {
    List<AnnouncedKey> here =
        attached.stream().flatMap(stream -> stream.verdictKeys().stream()).toList();
    if (here.isEmpty()) {
      return Optional.empty(); // nobody to tell
    }
    if (readNs.isEmpty() || nowNs - readNs.get() > READ_NS) {
      readNs = Optional.of(nowNs);
      stored = read();
    }
    TreeSet<AnnouncedKey> all =
        new TreeSet<>(
            Comparator.comparing(AnnouncedKey::key)
                .thenComparing(AnnouncedKey::believes)
                .thenComparing(AnnouncedKey::id));
    Stream.of(here, stored).forEach(all::addAll);
    List<AnnouncedKey> now = all.stream().limit(MAX_KEYS).toList();
    if (now.equals(current)) {
      return Optional.empty();
    }
    current = now;
    return Optional.of(now);
  }

  /** All keys as they were last told. */
  List<AnnouncedKey> current() {
    return current;
  }

  private List<AnnouncedKey> read() {
    long sinceMs = store.nowMs() - REMEMBERED.toMillis();
    return store.sidecars(REMEMBERED).stream()
        .filter(row -> row.lastSeenMs() >= sinceMs)
        .flatMap(row -> SidecarDocument.decode(row.document()).verdictKeys().stream())
        .toList();
  }
}
