package dev.parlance.ledger.log;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/** A storage that several writers can share, with doors for trouble. */
class MemoryStorage implements LogStorage {
  private final Object lock = new Object();
  private Map<String, byte[]> resources = new TreeMap<>();

  @Override
  public Optional<byte[]> read(String path) throws IOException {
    synchronized (lock) {
      return Optional.ofNullable(resources.get(path)).map(byte[]::clone);
    }
  }

  @Override
  public Commit commit(
      Optional<byte[]> expectedCheckpoint,
      SequencedMap<String, byte[]> writes,
      byte[] newCheckpoint)
      throws IOException {
    synchronized (lock) {
      byte[] stored = resources.get(CHECKPOINT);
      if (!Arrays.equals(stored, expectedCheckpoint.orElse(null))) {
        return Commit.CONFLICT;
      }
      resources.putAll(writes);
      resources.put(CHECKPOINT, newCheckpoint);
      return Commit.COMMITTED;
    }
  }

  /** Takes over all that another storage holds. */
  void become(MemoryStorage other) {
    Map<String, byte[]> theirs = other.copy();
    synchronized (lock) {
      resources = theirs;
    }
  }

  private Map<String, byte[]> copy() {
    synchronized (lock) {
      return new TreeMap<>(resources);
    }
  }
}
