package dev.parlance.loadtest.bench.api;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * or a ledger takes is read as so many of these.
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

  /** Opens the file; it is deleted with the last of its handles. */
  @Setup
  public void setUp() throws IOException {
    Path folder =
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

  /** Closes the file. */
  @TearDown
  public void tearDown() throws IOException {
    file.close();
  }
}
