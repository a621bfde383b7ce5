package dev.parlance.ledger.log;

import static dev.parlance.ledger.log.LogFixture.KEY;
import static dev.parlance.ledger.log.LogFixture.appended;
import static dev.parlance.ledger.log.LogFixture.entries;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.parlance.ledger.log.CommitJournal.JournaledCommit;
import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.LedgerFiles.FileOps;
import dev.parlance.ledger.log.Log.LogOptions;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.SequencedMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @Test
  void aFileThatIsFarTooLarge_orSaysSo_isNotTakenIntoMemory() throws Exception {
    create().close();
    Path file = directory.resolve(CommitJournal.FILE);
    try (RandomAccessFile grown = new RandomAccessFile(file.toFile(), "rw")) {
      grown.setLength(3L << 30);
    }
    assertThat(CommitJournal.read(directory)).isEmpty();
    byte[] header = Arrays.copyOf(Files.readAllBytes(create(directory)), CommitJournal.BLOCK);
    for (int halfBytes : new int[] {1 << 30, Integer.MAX_VALUE, -4_096, 0, 1}) {
      ByteBuffer.wrap(header).putInt(32, halfBytes);
      CRC32C crc = new CRC32C();
      crc.update(header, 0, 36);
      ByteBuffer.wrap(header).putInt(36, (int) crc.getValue());
      Files.write(file, header);
      assertThat(CommitJournal.read(directory)).as("%d", halfBytes).isEmpty();
    }
  }

  private static Path create(Path directory) throws Exception {
    CommitJournal.create(directory, directory.resolve("next"), FileOps.REAL, HALF).close();
    return directory.resolve(CommitJournal.FILE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../outside",
        "tile/0/../../../outside",
        "checkpoint",
        "log.journal",
        "tmp/next",
        "tile/0/000.p/256",
        "tile/0/000/",
        ""
      })
  void aRecordThatNamesAnotherPlace_isRefused_andNothingIsWritten(String path) throws Exception {
    Path log = Files.createDirectory(directory.resolve("log"));
    try (CommitJournal journal =
        CommitJournal.create(log, log.resolve("next"), FileOps.REAL, HALF)) {
      SequencedMap<String, byte[]> writes = writes(3, 40);
      writes.put(path, new byte[] {1, 2, 3});
      journal.append(0, 0, writes, checkpoint);
    }
    List<String> before = files();
    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> FileStorage.open(log, KEY.verifier()))
        .withMessageContaining("'" + path + "'")
        .extracting(LedgerUnavailable::fault)
        .isEqualTo(LedgerFault.CHAIN_BROKEN);
    assertThat(files()).isEqualTo(before);
  }

  /** Every file with what it holds, but for the lock and the folder of temporary files. */
  private List<String> files() throws Exception {
    try (Stream<Path> found = Files.walk(directory)) {
      List<String> names = new ArrayList<>();
      for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
        if (!file.endsWith("log.lock")) {
          names.add(directory.relativize(file) + " " + Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
      return names;
    }
  }
}
