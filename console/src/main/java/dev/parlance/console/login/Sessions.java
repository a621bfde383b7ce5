package dev.parlance.console.login;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The sessions of one console, in memory: a restart logs everybody out. Of more than {@value
 * #MAX_SESSIONS} the oldest ends. Thread-safe.
 */
public final class Sessions {
  /** How long a session lasts. */
  public static final long LIFE_MS = 12L * 60 * 60 * 1000;

  private static final int MAX_SESSIONS = 1_000;

  private final LongSupplier clockMs;
  private final Map<String, Entry> all = new LinkedHashMap<>();

  private record Entry(ConsoleSession session, List<Runnable> atEnd) {}

  /**
   * No session yet.
   *
   * @param clockMs milliseconds since the epoch
   */
  public Sessions(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** Begins a session and gives the secret that its cookie carries. */
  public synchronized String begin(ConsoleSession session) {
    dropExpired();
    if (all.size() >= MAX_SESSIONS) {
      end(all.keySet().iterator().next(), all);
    }
    String secret = Secrets.draw();
    all.put(Secrets.key(secret), new Entry(session, new ArrayList<>()));
    return secret;
  }

  /** The session of this secret, unless it has ended. */
  public synchronized Optional<ConsoleSession> find(String secret) {
    return entry(secret).map(Entry::session);
  }

  private Optional<Entry> entry(String secret) {
    return Optional.ofNullable(all.get(Secrets.key(secret)))
        .filter(entry -> entry.session().expiresAtMs() > clockMs.getAsLong());
  }

  /** Ends it. */
  public synchronized void end(String secret) {
    end(Secrets.key(secret), all);
  }

  private static void end(String key, Map<String, Entry> all) {
    Entry ended = all.remove(key);
    if (ended != null) {
      ended.atEnd().forEach(Runnable::run);
    }
  }

  /** Does something when the session ends or expires; false if it has. */
  public synchronized boolean atEnd(String secret, Runnable action) {
    Optional<Entry> entry = entry(secret);
    entry.ifPresent(found -> found.atEnd().add(action));
    return entry.isPresent();
  }

  /** Forgets what was to be done at the end of a session. */
  public synchronized void forget(String secret, Runnable action) {
    Entry entry = all.get(Secrets.key(secret));
    if (entry != null) {
      entry.atEnd().remove(action);
    }
  }

  /** Ends what has expired. */
  public synchronized void dropExpired() {
    long nowMs = clockMs.getAsLong();
    for (Iterator<Entry> entries = all.values().iterator(); entries.hasNext(); ) {
      Entry entry = entries.next();
      if (entry.session().expiresAtMs() <= nowMs) {
        entries.remove();
        entry.atEnd().forEach(Runnable::run);
      }
    }
  }
}
