package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineMemoryTest {
  private static final long WAITING = 1 << 20;

  private static LineMemory.Taken append(LineMemory memory, String line) {
    byte[] bytes = (line + "\n").getBytes(US_ASCII);
    return memory.append(bytes, bytes.length);
  }

  private static List<String> taken(LineMemory memory) {
    List<String> lines = new ArrayList<>();
    for (LineMemory.Lines some : memory.take()) {
      new String(some.bytes(), some.from(), some.to() - some.from(), US_ASCII)
          .lines()
          .forEach(lines::add);
    }
    return lines;
  }

  private static List<String> latest(LineMemory memory, int count) {
    return memory.latest(count, _ -> true);
  }

  @Test
  void lines_areShownAtOnce_andGivenToTheWriterOnce() {
    var memory = new LineMemory(100, 10_000, 100, WAITING);
    append(memory, "one");
    append(memory, "two");
    assertThat(latest(memory, 10)).containsExactly("two", "one");
    assertThat(taken(memory)).containsExactly("one", "two");
    append(memory, "three");
    assertThat(taken(memory)).containsExactly("three");
    assertThat(taken(memory)).isEmpty();
    assertThat(latest(memory, 2)).containsExactly("three", "two");
  }

  @Test
  void sleepingWriter_isWokenByOneLine_andABusyOneByTheMark() {
    var memory = new LineMemory(100_000, 1 << 20, 100_000, WAITING);
    assertThat(append(memory, "x")).isEqualTo(LineMemory.Taken.WAITS);
    taken(memory);
    memory.written();
    assertThat(append(memory, "x")).isEqualTo(LineMemory.Taken.WAITS);
    taken(memory);
    assertThat(taken(memory)).isEmpty();
    assertThat(append(memory, "x")).isEqualTo(LineMemory.Taken.WAKE);
    assertThat(append(memory, "x")).as("once is enough").isEqualTo(LineMemory.Taken.WAITS);
    taken(memory);
    List<LineMemory.Taken> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      calls.add(append(memory, "x".repeat(999)));
    }
    assertThat(calls).containsOnlyOnce(LineMemory.Taken.WAKE);
    assertThat(calls.indexOf(LineMemory.Taken.WAKE)).isEqualTo(131);
  }

  @Test
  void pastTheLinesOrBytesThatMayWait_aLineIsRefused_alsoWhileTheWriterHasThem() {
    var few = new LineMemory(100, 10_000, 2, WAITING);
    append(few, "1");
    append(few, "2");
    assertThat(append(few, "3")).isEqualTo(LineMemory.Taken.REFUSED);
    taken(few);
    assertThat(append(few, "4")).isNotEqualTo(LineMemory.Taken.REFUSED);

    var small = new LineMemory(10_000, 10_000, 10_000, 20_000);
    int accepted = 0;
    while (append(small, "y".repeat(999)) != LineMemory.Taken.REFUSED) {
      accepted++;
      if (accepted == 10) {
        assertThat(taken(small)).hasSize(10);
      }
    }
    assertThat(accepted).isBetween(15, 20);
    taken(small);
    assertThat(append(small, "y".repeat(5000))).isEqualTo(LineMemory.Taken.REFUSED);
    small.written();
    assertThat(append(small, "y".repeat(5000))).isNotEqualTo(LineMemory.Taken.REFUSED);
  }

  @Test
  void afterClose_noLineIsTaken() {
    var memory = new LineMemory(100, 10_000, 2, WAITING);
    memory.close();
    assertThat(append(memory, "1")).isEqualTo(LineMemory.Taken.REFUSED);
  }

  @Test
  void restoredLines_giveWayPieceByPiece() {
    var memory = new LineMemory(100_000, 200_000, 100, WAITING);
    byte[] file = ("z".repeat(99) + "\n").repeat(1900).getBytes(US_ASCII);
    memory.restore(file, 0, file.length);
    assertThat(latest(memory, 5000)).hasSize(1900);
    append(memory, "new");
    assertThat(latest(memory, 5000).size()).isBetween(1000, 1900);
    assertThat(latest(memory, 1)).containsExactly("new");
  }

  @Test
  void anyOrderOfCalls_losesNoLine_andStaysWithinItsBounds() {
    for (int seed = 0; seed < 20; seed++) {
      var random = new Random(seed);
      var memory = new LineMemory(1000, 300_000, 500, 400_000);
      List<String> accepted = new ArrayList<>();
      List<String> written = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        if (random.nextInt(100) == 0) {
          written.addAll(taken(memory));
          memory.written();
        }
        String line = i + "-" + "x".repeat(random.nextInt(random.nextInt(50) == 0 ? 90_000 : 900));
        if (append(memory, line) != LineMemory.Taken.REFUSED) {
          accepted.add(line);
        }
        if (random.nextInt(200) == 0) {
          List<String> latest = latest(memory, 20);
          Collections.reverse(latest);
          assertThat(accepted.subList(accepted.size() - latest.size(), accepted.size()))
              .isEqualTo(latest);
          assertThat(latest.stream().mapToInt(String::length).sum()).isLessThanOrEqualTo(300_000);
        }
      }
      written.addAll(taken(memory));
      assertThat(written).isEqualTo(accepted);
    }
  }
}
