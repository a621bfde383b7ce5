package dev.parlance.proxy.review;

import static dev.parlance.proxy.review.Messages.get;
import static dev.parlance.proxy.review.Messages.hold;
import static dev.parlance.proxy.review.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(600)
class ReviewJournalTest {
  private static final ReviewLimits LIMITS = Messages.limits(1000, 64L << 20, 60_000);

  @TempDir Path directory;
  private Path journal;
  private final FaultyFiles files = new FaultyFiles();
  private final List<ReviewQueue> opened = new ArrayList<>();

  @BeforeEach
  void name() {
    journal = directory.resolve("review.journal");
  }

  private ReviewQueue open() throws IOException {
    return open(new ReviewQueue.Tuning(1000, 1 << 20));
  }

  private ReviewQueue open(ReviewQueue.Tuning tuning) throws IOException {
    ReviewQueue queue = ReviewQueue.open(directory, LIMITS, () -> 2_000, files, tuning);
    opened.add(queue);
    return queue;
  }

  @AfterEach
  void closeAll() throws IOException {
    files.gate.countDown();
    for (ReviewQueue queue : opened) {
      queue.close();
    }
  }

  private static List<String> ids(ReviewQueue queue) {
    return queue.list(EnumSet.allOf(ReviewItem.ReviewState.class), 1000).stream()
        .map(ReviewItem::id)
        .toList();
  }

  /** The journal after each of three holds and one release. */
  private List<byte[]> threeHoldsAndARelease() throws IOException {
    List<byte[]> stages = new ArrayList<>();
    try (ReviewQueue queue = open()) {
      stages.add(Files.readAllBytes(journal));
      String first = hold(queue, "a");
      stages.add(Files.readAllBytes(journal));
      hold(queue, "b");
      stages.add(Files.readAllBytes(journal));
      get(queue.release(first, "ann", ""));
      stages.add(Files.readAllBytes(journal));
      hold(queue, "c");
      stages.add(Files.readAllBytes(journal));
    }
    return stages;
  }

  @Test
  void L1_tailTornAtEveryByte_losesOnlyThatRecord_andIsCounted() throws IOException {
    List<byte[]> stages = threeHoldsAndARelease();
    byte[] whole = stages.get(4);
    int keep = stages.get(3).length;
    for (int length = keep; length < whole.length; length++) {
      Files.write(journal, Arrays.copyOf(whole, length));
      try (ReviewQueue queue = open()) {
        assertThat(ids(queue)).as("cut at %d", length).hasSize(2);
        assertThat(queue.released("a")).isPresent();
        assertThat(queue.stats().tornRecords()).isEqualTo(length == keep ? 0 : 1);
        if (length % 8 == 0) {
          hold(queue, "d");
        }
      }
      if (length % 8 == 0) {
        try (ReviewQueue queue = open()) {
          assertThat(ids(queue)).as("what was written behind the cut").hasSize(3);
          assertThat(queue.stats().tornRecords()).isZero();
        }
      }
    }
  }

  @Test
  void L1_tailOfZeros_isTorn() throws IOException {
    byte[] whole = threeHoldsAndARelease().get(4);
    Files.write(journal, Arrays.copyOf(whole, whole.length + 100));
    try (ReviewQueue queue = open()) {
      assertThat(ids(queue)).hasSize(3);
      assertThat(queue.stats().tornRecords()).isEqualTo(1);
    }
  }

  @Test
  void L2_bitFlipAnywhere_isRefusedWithItsOffset_andTheFileIsLeftAlone() throws IOException {
    List<byte[]> stages = threeHoldsAndARelease();
    byte[] whole = stages.get(4);
    for (int position = 8; position < whole.length; position++) {
      byte[] damaged = whole.clone();
      damaged[position] ^= (byte) (1 << (position % 8));
      Files.write(journal, damaged);
      ReviewOpenException refused = catchThrowableOfType(ReviewOpenException.class, this::open);
      assertThat(refused).as("flip at %d", position).isNotNull();
      assertThat(refused.code()).isEqualTo(ReviewOpenException.Code.CORRUPT);
      int flipped = position;
      long start =
          stages.stream()
              .mapToLong(stage -> stage.length)
              .filter(end -> end <= flipped)
              .max()
              .orElseThrow();
      assertThat(refused.offset()).isEqualTo(start);
      assertThat(refused).hasMessageContaining("at byte " + start);
      assertThat(refused.remedy()).contains("truncate -s " + start);
      assertThat(Files.readAllBytes(journal)).isEqualTo(damaged);
    }
  }

  @Test
  void L2_duplicatedOrMissingOrReorderedRecord_isRefused() throws IOException {
    List<byte[]> stages = threeHoldsAndARelease();
    byte[] head = stages.get(0);
    byte[] a = Arrays.copyOfRange(stages.get(1), head.length, stages.get(1).length);
    byte[] b = Arrays.copyOfRange(stages.get(2), stages.get(1).length, stages.get(2).length);
    for (List<byte[]> parts : List.of(List.of(head, a, a), List.of(head, b), List.of(head, b, a))) {
      Files.write(journal, new byte[0]);
      for (byte[] part : parts) {
        Files.write(journal, part, java.nio.file.StandardOpenOption.APPEND);
      }
      assertThatThrownBy(this::open).isInstanceOf(ReviewOpenException.class);
    }
  }

  @Test
  void foreignOrEmptyFile_isRefused_notOverwritten() throws IOException {
    for (String content : List.of("", "PLREV", "something else altogether")) {
      Files.writeString(journal, content);
      assertThatThrownBy(this::open)
          .isInstanceOfSatisfying(
              ReviewOpenException.class,
              e -> assertThat(e.code()).isEqualTo(ReviewOpenException.Code.UNKNOWN_FORMAT));
      assertThat(journal).hasContent(content);
    }
  }

  @Test
  void L6_secondOpener_isRefused_untilTheFirstCloses() throws IOException {
    ReviewQueue first = open();
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            ReviewOpenException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ReviewOpenException.Code.LOCKED);
              assertThat(e.remedy()).contains("data directory");
            });
    hold(first, "still works");
    first.close();
    assertThat(open().stats().depth()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultyFiles.Fault.class,
      names = {"WRITE", "HALF_WRITE", "FORCE"})
  void L4_firstFailure_isFatal_neverRetried_andNothingMoreIsAcknowledged(FaultyFiles.Fault fault)
      throws IOException {
    ReviewQueue queue = open();
    String before = hold(queue, "before");
    files.fault = fault;
    assertThat(get(queue.hold(message("x")))).isEqualTo(new HoldResult.Refused("queue_failed"));
    files.fault = FaultyFiles.Fault.NONE;
    await().until(() -> queue.stats().failed());
    assertThat(get(queue.hold(message("y")))).isEqualTo(new HoldResult.Refused("queue_failed"));
    assertThat(get(queue.release(before, "ann", "")))
        .isEqualTo(new StepResult.Failed("queue_failed"));
    assertThat(files.writesAfterFault).hasValue(0);
    assertThat(queue.stats().failure().orElseThrow())
        .isIn("No space left on device", "Input/output error");
    assertThat(ids(queue)).as("what is there can be read").containsExactly(before);
    queue.close();
    ReviewQueue again = open();
    assertThat(ids(again)).contains(before);
    assertThat(again.find(before).orElseThrow().state()).isEqualTo(ReviewItem.ReviewState.PENDING);
    hold(again, "works again");
  }

  @Test
  void L4_everyHoldThatWaitedForTheFailedFsync_isRefused() throws IOException {
    ReviewQueue queue = open();
    files.gate = new CountDownLatch(1);
    files.fault = FaultyFiles.Fault.FORCE;
    List<CompletableFuture<HoldResult>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(queue.hold(message("k" + i)));
    }
    files.gate.countDown();
    assertThat(answers)
        .extracting(Messages::get)
        .containsOnly(new HoldResult.Refused("queue_failed"));
    assertThat(queue.stats().depth()).isZero();
    assertThat(queue.stats().bytes()).isZero();
  }

  @Test
  void deliveryReportThatCannotBeWritten_isSaidSo_andTheMessageComesAgainAfterRestart()
      throws IOException {
    ReviewQueue queue = open();
    String id = hold(queue, "k");
    get(queue.release(id, "ann", ""));
    files.fault = FaultyFiles.Fault.WRITE;
    assertThat(get(queue.delivered(id))).isEqualTo(new StepResult.Failed("queue_failed"));
    assertThat(queue.released("k")).isEmpty();
    files.fault = FaultyFiles.Fault.NONE;
    queue.close();
    assertThat(open().released("k")).isPresent();
  }

  @Test
  void opening_dropsDeadRecords() throws IOException {
    List<String> rejected = new ArrayList<>();
    String kept;
    String released;
    try (ReviewQueue queue = open()) {
      for (int i = 0; i < 20; i++) {
        rejected.add(((HoldResult.Held) get(queue.hold(message("k" + i, 5_000)))).id());
        get(queue.reject(rejected.getLast(), "ann", "no"));
      }
      kept = hold(queue, "kept");
      released = hold(queue, "released");
      get(queue.release(released, "bob", "ok"));
    }
    assertThat(Files.size(journal)).isGreaterThan(100_000);
    for (int round = 0; round < 2; round++) {
      try (ReviewQueue queue = open()) {
        assertThat(Files.size(journal)).isLessThan(20_000);
        assertThat(ids(queue)).hasSize(22).startsWith(kept, released).endsWith(rejected.getFirst());
        assertThat(queue.find(kept).orElseThrow().message())
            .usingRecursiveComparison()
            .isEqualTo(message("kept"));
        assertThat(queue.released("released").orElseThrow().decision().orElseThrow().who())
            .isEqualTo("bob");
        assertThat(queue.find(rejected.get(3)).orElseThrow().decision().orElseThrow().note())
            .isEqualTo("no");
      }
    }
  }

  @Test
  void running_dropsDeadRecords_whenTheyAreMoreThanTheLiving() throws IOException {
    var tuning = new ReviewQueue.Tuning(1000, 30_000);
    ReviewQueue queue = open(tuning);
    String kept = hold(queue, "kept");
    for (int i = 0; i < 40; i++) {
      String id = ((HoldResult.Held) get(queue.hold(message("k" + i, 5_000)))).id();
      get(queue.reject(id, "ann", ""));
    }
    await().until(() -> queue.stats().journalBytes() < 100_000);
    hold(queue, "after");
    assertThat(Files.size(journal)).isEqualTo(queue.stats().journalBytes());
    queue.close();
    ReviewQueue again = open(tuning);
    assertThat(ids(again)).hasSize(42).startsWith(kept);
  }

  @Test
  void L3_compactionThatFindsNoRoom_leavesTheOldJournalInUse() throws IOException {
    try (ReviewQueue queue = open()) {
      String id = hold(queue, "gone");
      get(queue.reject(id, "ann", ""));
      hold(queue, "kept");
    }
    files.fault = FaultyFiles.Fault.CREATE;
    try (ReviewQueue queue = open()) {
      assertThat(ids(queue)).hasSize(2);
      hold(queue, "more");
    }
    files.fault = FaultyFiles.Fault.NONE;
    assertThat(ids(open())).hasSize(3);
  }
}
