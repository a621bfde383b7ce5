package dev.parlance.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.verify.LedgerVerifier;
import dev.parlance.ledger.verify.VerifyReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of the writer, again and again over the same log. */
@Tag("kill")
final class KillTest {
  private static final int ROUNDS = Math.clamp(Integer.getInteger("soak", 5), 1, 200);
  private static final long SEED = 20_261_121;

  /** Where an entry came from. */
  private record Origin(long round, long number) {}

  @TempDir Path scratch;

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void L1_killedWriter_leavesEveryAcknowledgedEntry_andAtMostATornTail() throws Exception {
    Path directory = scratch.resolve("log");
    Random random = new Random(SEED);
    Map<Long, Origin> acknowledged = new HashMap<>();
    Optional<byte[]> held = Optional.empty();
    for (int round = 0; round < ROUNDS; round++) {
      int before = acknowledged.size();
      runAndKill(directory, round, random, acknowledged);
      String where = "round " + round + " of seed " + SEED;
      VerifyReport report =
          LedgerVerifier.verify(directory, LogFixture.KEY.verifier(), List.of(), held);
      assertThat(report.findings()).as(where).isEmpty();
      held = Optional.of(Files.readAllBytes(directory.resolve("checkpoint")));
      // The writer of the next round must take the log up; here, once, what it then leaves.
      try (FileStorage storage = FileStorage.open(directory, LogFixture.KEY.verifier());
          Log log = Log.open(storage, LogFixture.KEY, LogOptions.DEFAULTS)) {
        // Commits whose records were whole, and whose checkpoint had no name yet, are there now.
        assertThat(log.head().size()).as(where).isGreaterThanOrEqualTo(report.size().orElseThrow());
      }
      checkEntries(directory, acknowledged, where);
      assertThat(
              LedgerVerifier.verify(directory, LogFixture.KEY.verifier(), List.of(), held)
                  .beyondCheckpoint())
          .as(where)
          .isEmpty();
      assertThat(acknowledged.size()).as(where).isGreaterThanOrEqualTo(before);
    }
    assertThat(acknowledged).isNotEmpty();
  }

  /** Starts a writer, kills it after a random number of acknowledgements and a random moment. */
  private static void runAndKill(
      Path directory, int round, Random random, Map<Long, Origin> acknowledged)
      throws IOException, InterruptedException {
    int acks = random.nextInt(301);
    long pauseNs = random.nextInt(3_000_000);
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                directory.toString(),
                Integer.toString(round))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = writer.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).isEqualTo("ready");
      for (int i = 0; i < acks; i++) {
        String line = lines.readLine();
        assertThat(line).as("the writer ended by itself").isNotNull();
        take(line, round, acknowledged);
      }
      // The kill falls anywhere between two system calls, not only right after an acknowledgement.
      long until = System.nanoTime() + pauseNs;
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
      // By its handle: killing the Process itself would close its output under our hands.
      assertThat(writer.toHandle().destroyForcibly()).isTrue();
      // What was said before the kill counts, whenever it is read. Half a line was not yet said.
      String rest = lines.lines().reduce("", (all, next) -> all + next + "\n");
      if (!rest.isEmpty()) {
        List<String> whole = rest.lines().toList();
        for (String said : whole.subList(0, whole.size() - 1)) {
          take(said, round, acknowledged);
        }
      }
    } finally {
      writer.destroyForcibly();
      assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void take(String line, long round, Map<Long, Origin> acknowledged) {
    String[] parts = line.split(" ", -1);
    Origin origin = new Origin(round, Long.parseLong(parts[1]));
    assertThat(acknowledged.put(Long.parseLong(parts[0]), origin)).isNull();
  }

  private static void checkEntries(Path directory, Map<Long, Origin> acknowledged, String where)
      throws IOException {
    LogReader reader = new LogReader(FileStorage.readOnly(directory), LogFixture.KEY.verifier());
    LogView view = reader.head().orElseThrow();
    long[] found = {0};
    view.forEach(
        0,
        view.size(),
        (index, entry) -> {
          Origin origin = acknowledged.get(index);
          if (origin != null) {
            found[0]++;
            assertThat(entry)
                .as("entry %d, %s", index, where)
                .isEqualTo(KilledWriter.entry(origin.round(), origin.number()));
          }
        });
    assertThat(found[0]).as(where).isEqualTo(acknowledged.size());
  }
}
