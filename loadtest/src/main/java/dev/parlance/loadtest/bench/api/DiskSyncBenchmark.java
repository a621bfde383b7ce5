package dev.parlance.loadtest.bench.api;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One wait for the disk: four kilobytes written and synced, by nobody but this thread. What a round
 * or a ledger takes is read as so many of these; a ledger writes new files, which make the file
 * system write its own journal as well.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DiskSyncBenchmark {
  private static final int BYTES = 4_096;

  /** Where the file is, the disk that is measured; empty: a folder for temporaries. */
  @Param("")
  String dataDir = "";

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private FileChannel file;

  @SuppressWarnings("NullAway.Init")
  private Path folder;

  /** Opens the file; it is deleted with the last of its handles. */
  @Setup
  public void setUp() throws IOException {
    folder =
        dataDir.isEmpty()
            ? Files.createTempDirectory("parlance-sync")
            : Files.createTempDirectory(Path.of(dataDir), "parlance-sync");
    file =
        FileChannel.open(
            folder.resolve("bare"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** Writes and waits. */
  @Benchmark
  public long writeAndSync() throws IOException {
    long written = file.write(ByteBuffer.allocate(BYTES), 0);
    file.force(true);
    return written;
  }

  /** Writes a new file, and waits for it and for its name. */
  @Benchmark
  public long createAndSync() throws IOException {
    Path added = folder.resolve("new");
    long written;
    try (FileChannel channel =
        FileChannel.open(added, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      written = channel.write(ByteBuffer.allocate(BYTES), 0);
      channel.force(true);
    }
    Files.move(added, folder.resolve("known"), StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
    return written;
  }

  /** Closes the file. */
  @TearDown
  public void tearDown() throws IOException {
    file.close();
  }
}
