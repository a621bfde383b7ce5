package dev.parlance.proxy.pact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.pact.PactJournal.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the sidecar owes, in a file that breaks off anywhere, or has a wrong byte anywhere. */
class PactJournalTest {
  private static final String NOTE = "a note\nof two lines, with \u00e9 and \ud83d\ude00\n";

  @TempDir Path folder;

  private final Map<Long, Map<String, String>> owedAt = new LinkedHashMap<>();

  private Path file() {
    return folder.resolve(PactJournal.FILE_NAME);
  }

  private static Map<String, String> all(PactJournal journal) {
    Map<String, String> found = new LinkedHashMap<>();
    for (Kind kind : Kind.values()) {
      journal.owed(kind).forEach((pact, note) -> found.put(kind + " " + pact, note));
    }
    return found;
  }

  private void acknowledged(PactJournal journal) throws IOException {
    owedAt.put(Files.size(file()), all(journal));
  }

  /** A file in which something of each kind is owed, replaced and paid. */
  private byte[] written() throws IOException {
    try (PactJournal journal = PactJournal.open(folder)) {
      acknowledged(journal);
      assertThat(journal.owe(Kind.ATTEST, "p-1", NOTE)).isTrue();
      acknowledged(journal);
      assertThat(journal.owe(Kind.OPEN, "p-1", NOTE + "open")).isTrue();
      acknowledged(journal);
      assertThat(journal.owe(Kind.COUNTS, "p-1", "1")).isTrue();
      acknowledged(journal);
      journal.paid(Kind.ATTEST, "p-1");
      acknowledged(journal);
      assertThat(journal.owe(Kind.COUNTS, "p-1", "2")).isTrue();
      acknowledged(journal);
      assertThat(journal.owe(Kind.FINAL, "p-1", "3")).isTrue();
      acknowledged(journal);
      assertThat(journal.owe(Kind.DISSOLVE, "p-1", NOTE)).isTrue();
      acknowledged(journal);
      journal.paid(Kind.OPEN, "p-1");
      acknowledged(journal);
      assertThat(journal.owe(Kind.ATTEST, "p-2", NOTE)).isTrue();
      acknowledged(journal);
    }
    return Files.readAllBytes(file());
  }

  /** What had been acknowledged when the file had this size. */
  private Map<String, String> owedAt(int size) {
    Map<String, String> last = Map.of();
    for (Map.Entry<Long, Map<String, String>> one : owedAt.entrySet()) {
      if (one.getKey() <= size) {
        last = one.getValue();
      }
    }
    return last;
  }

  @Test
  void linesThatAnOlderVersionWrote_areRead() throws IOException {
    Files.writeString(file(), "b8a68225 ATTEST p-1 bm90ZQo=\n");
    try (PactJournal journal = PactJournal.open(folder)) {
      assertThat(all(journal)).containsExactly(Map.entry("ATTEST p-1", "note\n"));
    }
  }

  @Test
  void brokenOffAtAnyByte_everythingBeforeThatLineIsThere_andTheJournalGoesOn() throws IOException {
    byte[] whole = written();
    for (int size = 0; size <= whole.length; size++) {
      Files.write(file(), Arrays.copyOf(whole, size));
      Map<String, String> expected = new LinkedHashMap<>(owedAt(size));
      // Without its end alone a line says all it has to say.
      boolean isWhole = size == whole.length || whole[size] == '\n';
      if (isWhole && size < whole.length) {
        expected = owedAt(size + 1);
      }
      try (PactJournal journal = PactJournal.open(folder)) {
        assertThat(all(journal)).as("after %d bytes", size).isEqualTo(expected);
        assertThat(journal.owe(Kind.ATTEST, "p-3", NOTE)).isTrue();
        assertThat(journal.owe(Kind.DISSOLVE, "p-3", "word")).isTrue();
      }
      try (PactJournal again = PactJournal.open(folder)) {
        assertThat(again.owed(Kind.ATTEST, "p-3")).as("after %d bytes", size).contains(NOTE);
        assertThat(again.owed(Kind.DISSOLVE, "p-3")).contains("word");
        expected.forEach((key, note) -> assertThat(all(again)).containsEntry(key, note));
      }
    }
  }

  @Test
  void aWrongByteAnywhere_costsItsLineAtMost() throws IOException {
    byte[] whole = written();
    List<Integer> ends = new ArrayList<>();
    for (int at = 0; at < whole.length; at++) {
      if (whole[at] == '\n') {
        ends.add(at);
      }
    }
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x15;
      Files.write(file(), damaged);
      try (PactJournal journal = PactJournal.open(folder)) {
        // The last line stands alone, but if it is the one that was hit.
        boolean last = at >= ends.get(ends.size() - 2);
        assertThat(journal.owed(Kind.ATTEST, "p-2").isPresent()).as("byte %d", at).isEqualTo(!last);
        assertThat(journal.owed(Kind.ATTEST, "p-2").orElse(NOTE)).isEqualTo(NOTE);
        assertThat(journal.owed(Kind.DISSOLVE, "p-1").orElse(NOTE)).isEqualTo(NOTE);
      }
    }
  }

  @Test
  void aDraftThatWasLeftBehind_isNotTakenForTheJournal() throws IOException {
    byte[] whole = written();
    Files.write(folder.resolve(PactJournal.FILE_NAME + ".new"), Arrays.copyOf(whole, 10));
    try (PactJournal journal = PactJournal.open(folder)) {
      assertThat(all(journal)).isEqualTo(owedAt(whole.length));
    }
  }
}
