package dev.parlance.ledger.log;

import static dev.parlance.ledger.log.LogFixture.KEY;
import static dev.parlance.ledger.log.LogFixture.append;
import static dev.parlance.ledger.log.LogFixture.entries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.verify.LedgerVerifier;
import dev.parlance.ledger.verify.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a log after the power was lost at any moment. {@code -Dsoak=1000} runs more. */
final class PowerLossTest {
  private static final int RUNS = Math.max(40, Integer.getInteger("soak", 0) * 5);
  private static final int SMALL_HALF = 3 * CommitJournal.BLOCK;
  private static final int MOST_CALLS = 160;

  @TempDir Path directory;

  @Test
  void L3_whatWasAcknowledged_isThereAfterThePowerIsLost_whateverElseTheDiskHas() throws Exception {
    int lost = 0;
    for (int run = 0; run < RUNS; run++) {
      Random random = new Random(run);
      List<byte[]> acknowledged = new ArrayList<>();
      Path place = Files.createDirectories(directory.resolve("run-" + run));
      for (int life = 0; life < 3; life++) {
        Path next = directory.resolve("run-" + run + "-" + life);
        lost += live(place, next, random, acknowledged) ? 1 : 0;
        verify("run " + run + ", life " + life, next, acknowledged);
        place = next;
      }
      delete();
    }
    assertThat(lost).isGreaterThan(RUNS);
  }

  /** Appends until the power is lost or enough was appended; what the disk has then is copied. */
  private static boolean live(Path place, Path next, Random random, List<byte[]> acknowledged)
      throws Exception {
    LossyDisk disk = new LossyDisk(place);
    disk.knows();
    disk.loseAt(random.nextInt(MOST_CALLS));
    try (FileStorage storage = FileStorage.open(place, KEY.verifier(), disk, SMALL_HALF);
        Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      for (int i = 0; i < 12; i++) {
        List<byte[]> batch = entries(random, random.nextInt(8) == 0 ? 400 : 1 + random.nextInt(20));
        AppendResult result = append(log, batch);
        if (!(result instanceof AppendResult.Appended)) {
          break;
        }
        acknowledged.addAll(batch);
      }
    } catch (IOException gone) {
      assertThat(disk.isLost()).as(gone.toString()).isTrue();
    }
    disk.comesBack(next, random);
    return disk.isLost();
  }

  private static void verify(String name, Path place, List<byte[]> acknowledged) throws Exception {
    try (FileStorage storage = FileStorage.open(place, KEY.verifier());
        Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      LogView view = new LogReader(storage, KEY.verifier()).head().orElseThrow();
      assertThat(log.head().size()).isEqualTo(view.size());
      List<byte[]> found = new ArrayList<>();
      view.forEach(0, view.size(), (_, entry) -> found.add(entry));
      assertThat(found.size()).as(name).isGreaterThanOrEqualTo(acknowledged.size());
      for (int i = 0; i < acknowledged.size(); i++) {
        assertThat(found.get(i)).as("%s, entry %d", name, i).isEqualTo(acknowledged.get(i));
      }
      // What was not acknowledged may be there all the same, and stays.
      acknowledged.addAll(found.subList(acknowledged.size(), found.size()));
    }
    VerifyReport report = LedgerVerifier.verify(place, KEY.verifier(), List.of(), Optional.empty());
    assertThat(report.findings()).as(name).isEmpty();
    assertThat(report.beyondCheckpoint()).as(name).isEmpty();
  }

  private void delete() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(directory)) {
          Files.delete(file);
        }
      }
    }
  }
}
