package dev.parlance.ledger.log;

import static dev.parlance.ledger.log.LogFixture.KEY;
import static dev.parlance.ledger.log.LogFixture.appended;
import static dev.parlance.ledger.log.LogFixture.entries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.log.CommitJournal.JournaledCommit;
import dev.parlance.ledger.log.LedgerFiles.FileOps;
import dev.parlance.ledger.log.Log.LogOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.SequencedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a journal says after whatever was written to it, and torn in it. */
final class CommitJournalTest {
  private static final int HALF = 4 * CommitJournal.BLOCK;

  @TempDir Path directory;
  private byte[] checkpoint = {};

  @BeforeEach
  void signAHead() throws Exception {
    Path elsewhere = directory.resolve("elsewhere");
    try (FileStorage storage = FileStorage.open(elsewhere, KEY.verifier());
        Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      appended(log, entries(new Random(1), 3));
      checkpoint = log.head().bytes();
    }
  }

  private CommitJournal create() throws Exception {
    return CommitJournal.create(directory, directory.resolve("next"), FileOps.REAL, HALF);
  }

  private static SequencedMap<String, byte[]> writes(int number, int bytes) {
    SequencedMap<String, byte[]> writes = new LinkedHashMap<>();
    writes.put("tile/0/000.p/" + number, new byte[bytes]);
    writes.put(
        "tile/entries/000.p/" + number, ("entry " + number).getBytes(StandardCharsets.UTF_8));
    return writes;
  }

  @Test
  void whateverByteOfTheLastRecordIsLost_itIsNotThere_andTheOthersAre() throws Exception {
    try (CommitJournal journal = create()) {
      journal.append(0, 0, writes(1, 40), checkpoint);
      journal.append(0, 1, writes(2, 40), checkpoint);
    }
    Path file = directory.resolve(CommitJournal.FILE);
    byte[] whole = Files.readAllBytes(file);
    assertThat(CommitJournal.read(directory)).hasSize(2);
    int begin = 2 * CommitJournal.BLOCK;
    int bytes = CommitJournal.recordBytes(writes(2, 40), checkpoint);
    for (int i = 0; i < bytes; i++) {
      byte[] torn = whole.clone();
      torn[begin + i] ^= (byte) (1 + i % 255);
      Files.write(file, torn);
      List<JournaledCommit> commits = CommitJournal.read(directory);
      assertThat(commits).as("byte %d", i).hasSize(1);
      assertThat(commits.getFirst().writes()).containsKey("tile/0/000.p/1");
      byte[] cut = whole.clone();
      Arrays.fill(cut, begin + i, begin + CommitJournal.BLOCK, (byte) 0);
      Files.write(file, cut);
      // The last bytes of a record may be zeros already.
      assertThat(CommitJournal.read(directory).size()).as("cut at %d", i).isIn(1, 2);
    }
  }

  @Test
  void lapAfterLap_whatIsReadIsTheLastCommitsWithoutAGap() throws Exception {
    Random random = new Random(42);
    try (CommitJournal journal = create()) {
      for (int number = 1; number <= 400; number++) {
        int bytes = random.nextInt(2 * CommitJournal.BLOCK);
        SequencedMap<String, byte[]> writes = writes(number, bytes);
        long replaced = journal.replaced(CommitJournal.recordBytes(writes, checkpoint));
        assertThat(journal.append(number - 1, number, writes, checkpoint)).isEqualTo(number);
        List<JournaledCommit> commits = CommitJournal.read(directory);
        assertThat(commits.getLast().sequence()).isEqualTo(number);
        assertThat(commits.getLast().writes()).containsKey("tile/0/000.p/" + number);
        assertThat(commits.getLast().flushed()).isEqualTo(number - 1);
        for (int i = 1; i < commits.size(); i++) {
          assertThat(commits.get(i).sequence()).isEqualTo(commits.get(i - 1).sequence() + 1);
        }
        // What it said would be replaced, and nothing more, is not there any longer.
        if (replaced > 0) {
          assertThat(commits.getFirst().sequence()).isEqualTo(replaced + 1);
        }
      }
    }
  }

  @Test
  void aFileThatIsNoJournal_saysNothing() throws Exception {
    Path file = directory.resolve(CommitJournal.FILE);
    assertThat(CommitJournal.read(directory)).isEmpty();
    for (byte[] content :
        List.of(new byte[0], new byte[100], new byte[CommitJournal.BLOCK], new byte[1 << 20])) {
      Files.write(file, content);
      assertThat(CommitJournal.read(directory)).isEmpty();
    }
    create().close();
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      byte[] noise = whole.clone();
      for (int at = random.nextInt(64); at < noise.length; at += 1 + random.nextInt(3_000)) {
        noise[at] = (byte) random.nextInt();
      }
      Files.write(file, noise);
      assertThat(CommitJournal.read(directory)).isEmpty();
    }
  }
}
