package dev.parlance.ledger.log;

import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.log.Log.LogOptions;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A writer that appends until it is killed, and says on its output what was acknowledged. */
final class KilledWriter {
  private KilledWriter() {}

  /** The entry of a round: its bytes follow from round and number, so that they can be checked. */
  static byte[] entry(long round, long number) {
    Random random = new Random(round * 1_000_003 + number);
    byte[] entry = new byte[8 + random.nextInt(200)];
    random.nextBytes(entry);
    return entry;
  }

  /**
   * Appends to the log in a directory: lines {@code index number} for each acknowledged entry.
   *
   * @param args directory, round
   */
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    long round = Long.parseLong(args[1]);
    Random random = new Random(round);
    try (FileStorage storage = FileStorage.open(Path.of(args[0]), LogFixture.KEY.verifier());
        Log log = Log.open(storage, LogFixture.KEY, LogOptions.DEFAULTS)) {
      out.println("ready");
      out.flush();
      long number = 0;
      // Ends by itself too, should the parent be gone.
      while (number < 100_000 && !out.checkError()) {
        List<byte[]> batch = new ArrayList<>();
        int size = 1 + random.nextInt(random.nextInt(8) == 0 ? 100 : 4);
        for (int i = 0; i < size; i++) {
          batch.add(entry(round, number + i));
        }
        AppendResult.Appended appended = LogFixture.appended(log, batch);
        for (int i = 0; i < size; i++) {
          out.println((appended.firstIndex() + i) + " " + (number + i));
        }
        out.flush();
        number += size;
      }
    }
  }
}
