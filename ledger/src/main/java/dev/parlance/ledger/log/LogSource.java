package dev.parlance.ledger.log;

import java.io.IOException;
import java.util.Optional;

/** Where a log's resources are read from, by their tlog-tiles path. Many threads may read. */
public interface LogSource {
  /** Path of the checkpoint. */
  String CHECKPOINT = "checkpoint";

  /**
   * The bytes at a path, which nobody may change; empty where there are none or the path is not one
   * of tlog-tiles.
   *
   * @throws IOException where it cannot be read
   */
  Optional<byte[]> read(String path) throws IOException;
}
