package dev.parlance.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.service.file.Disk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class DecisionLogTest {
  private static final DecisionLog.Settings SETTINGS = new DecisionLog.Settings(1 << 20, 4, 1000);

  @TempDir Path directory;
  private final List<DecisionLog> opened = new ArrayList<>();
  private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
  private final FaultyDisk disk = new FaultyDisk();

  /** The real disk, which a test can block or break. */
  private static final class FaultyDisk implements Disk {
    volatile CountDownLatch gate = new CountDownLatch(0);
    volatile boolean broken;
    final AtomicInteger forces = new AtomicInteger();
    final AtomicInteger writes = new AtomicInteger();
    final CountDownLatch writing = new CountDownLatch(1);

    @Override
    public FileChannel open(Path file, OpenOption... options) throws IOException {
      if (broken) {
        throw new IOException("Read-only file system");
      }
      return Disk.super.open(file, options);
    }

    @Override
    public void write(FileChannel channel, ByteBuffer buffer) throws IOException {
      writing.countDown();
      writes.incrementAndGet();
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IOException("interrupted", e);
      }
      if (broken) {
        Disk.super.write(channel, buffer.slice(0, buffer.remaining() / 2));
        throw new IOException("No space left on device");
      }
      Disk.super.write(channel, buffer);
    }

    @Override
    public void force(FileChannel channel) throws IOException {
      forces.incrementAndGet();
      Disk.super.force(channel);
    }
  }

  private DecisionLog open(DecisionLog.Settings settings) {
    DecisionLog log = DecisionLog.open(directory, settings, disk, Optional.of(copy));
    opened.add(log);
    return log;
  }

  @AfterEach
  void closeAll() {
    disk.gate.countDown();
    opened.forEach(DecisionLog::close);
  }

  /** Lines but for those of profiles. */
  private List<String> lines(String name) throws IOException {
    return decisions(directory.resolve(name));
  }

  private static List<String> decisions(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> !LoggedProfiles.isProfile(line))
        .toList();
  }

  private List<String> allIds() throws IOException {
    List<String> ids = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        for (String line : decisions(file)) {
          ids.add(Replay.JSON.readTree(line).path("id").asString());
        }
      }
    }
    return ids;
  }

  @Test
  void everyEvent_isOneLine_inOrder() throws IOException {
    DecisionLog log = open(SETTINGS);
    for (int i = 0; i < 100; i++) {
      log.append(Events.decision("d-" + i));
    }
    assertThat(log.flush()).isTrue();
    assertThat(lines("decisions.jsonl")).hasSize(100);
    assertThat(allIds()).hasSize(100).startsWith("d-0", "d-1").endsWith("d-99");
    assertThat(disk.forces).hasPositiveValue();
    assertThat(log.dropped()).isZero();
    assertThat(log.failure()).isEmpty();
  }

  @Test
  void everyLine_goesToTheCopyToo() throws IOException {
    DecisionLog log = open(SETTINGS);
    log.append(Events.decision("d-0"));
    log.append(Events.decision("d-1"));
    assertThat(log.flush()).isTrue();
    assertThat(copy.toString(StandardCharsets.US_ASCII).lines())
        .containsExactlyElementsOf(Files.readAllLines(directory.resolve("decisions.jsonl")));
  }

  @Test
  void aFile_orFolder_thatWasMovedAwayOrRemoved_isOpenedAnew() throws IOException {
    DecisionLog log = open(SETTINGS);
    Path file = directory.resolve("decisions.jsonl");
    log.append(Events.decision("d-0"));
    assertThat(log.flush()).isTrue();
    Files.move(file, directory.resolve("moved"));
    log.append(Events.decision("d-1"));
    assertThat(log.flush()).isTrue();
    assertThat(lines("decisions.jsonl")).singleElement().asString().contains("d-1");
    Files.delete(file);
    log.append(Events.decision("d-2"));
    assertThat(log.flush()).isTrue();
    assertThat(lines("decisions.jsonl")).singleElement().asString().contains("d-2");
    assertThat(log.dropped()).isZero();
  }

  @Test
  void files_rotateBySize_andOnlySoManyAreKept() throws IOException {
    DecisionLog log = open(new DecisionLog.Settings(10_000, 3, 1000));
    for (int i = 0; i < 60; i++) {
      log.append(Events.decision("d-" + i));
    }
    assertThat(log.flush()).isTrue();
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("decisions.jsonl", "decisions-1.jsonl", "decisions-2.jsonl");
    }
    for (String name : List.of("decisions.jsonl", "decisions-1.jsonl", "decisions-2.jsonl")) {
      assertThat(Files.size(directory.resolve(name))).isBetween(1L, 10_000L);
    }
    assertThat(lines("decisions.jsonl").getLast()).contains("\"d-59\"");
    List<String> kept = allIds();
    assertThat(kept).doesNotHaveDuplicates();
    assertThat(kept.size()).isLessThan(60);
    int oldest = 60 - kept.size();
    for (int i = oldest; i < 60; i++) {
      assertThat(kept).contains("d-" + i);
    }
    assertThat(log.dropped()).isZero();
  }

  @Test
  void tornLastLine_isEnded_soThatLaterLinesCanBeRead() throws IOException {
    DecisionLog log = open(SETTINGS);
    log.append(Events.decision("d-1"));
    log.append(Events.decision("d-2"));
    log.close();
    Path file = directory.resolve("decisions.jsonl");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 100));
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xc3}, StandardOpenOption.APPEND);
    DecisionLog again = open(SETTINGS);
    again.append(Events.decision("d-3"));
    assertThat(again.flush()).isTrue();
    String content = Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
    List<String> lines = content.lines().toList();
    assertThat(lines.stream().map(LoggedProfiles::isProfile))
        .as("one of each process")
        .containsExactly(true, false, false, true, false);
    assertThat(Replay.JSON.readTree(lines.get(4)).path("id").asString()).isEqualTo("d-3");
    assertThat(again.find("d-1")).isPresent();
    assertThat(again.find("d-2")).as("torn").isEmpty();
    assertThat(again.find("d-3")).isPresent();
  }

  @Test
  void O8_blockedDisk_dropsAndCounts_andNeverBlocksTheCaller() throws Exception {
    disk.gate = new CountDownLatch(1);
    DecisionLog log = open(new DecisionLog.Settings(1 << 20, 4, 10));
    log.append(Events.decision("first"));
    disk.writing.await();
    for (int i = 0; i < 100; i++) {
      log.append(Events.decision("d-" + i));
    }
    assertThat(log.dropped()).isEqualTo(90);
    disk.gate.countDown();
    assertThat(log.flush()).isTrue();
    assertThat(lines("decisions.jsonl")).hasSize(11);
    log.append(Events.decision("later"));
    assertThat(log.flush()).isTrue();
    assertThat(log.find("later")).isPresent();
    assertThat(log.dropped()).isEqualTo(90);
  }

  @Test
  void O8_failingDisk_dropsAndCounts_andGoesOnWhenItIsWellAgain() throws IOException {
    DecisionLog log = open(SETTINGS);
    log.append(Events.decision("before"));
    assertThat(log.flush()).isTrue();
    disk.broken = true;
    log.append(Events.decision("lost-1"));
    log.append(Events.decision("lost-2"));
    assertThat(log.flush()).isTrue();
    assertThat(log.dropped()).isEqualTo(2);
    assertThat(log.failure().orElseThrow()).contains("No space left");
    assertThat(log.find("lost-2")).as("memory still has it").isPresent();
    disk.broken = false;
    AtomicInteger tries = new AtomicInteger();
    await()
        .until(() -> {
          log.append(Events.decision("after-" + tries.incrementAndGet()));
          return log.flush() && log.failure().isEmpty();
        });
    List<String> lines = lines("decisions.jsonl");
    assertThat(lines.getFirst()).contains("\"before\"");
    assertThat(lines).as("half a line, cut").noneMatch(line -> line.contains("lost-1"));
    assertThat(Replay.JSON.readTree(lines.getLast()).path("id").asString())
        .isEqualTo("after-" + tries.get());
    assertThat(log.dropped()).isEqualTo(2 + tries.get() - 1);
  }

  @Test
  void diskThatCannotBeOpened_isNoReasonNotToStart() {
    disk.broken = true;
    DecisionLog log = open(SETTINGS);
    log.append(Events.decision("d-1"));
    assertThat(log.flush()).isTrue();
    assertThat(log.dropped()).isEqualTo(1);
    assertThat(log.recent(5)).hasSize(1);
  }

  @Test
  void ids_areFoundAfterRestart_inMemoryAndInOldFiles() {
    var settings = new DecisionLog.Settings(10_000, 50, 1000, 5, 1 << 20);
    DecisionLog log = open(settings);
    for (int i = 0; i < 40; i++) {
      log.append(Events.held("d-" + i, "r-" + i));
    }
    log.append(new AuditEvent.RejectionEvent(1, "n", "inbound", "http1", "d-7", "peer"));
    assertThat(log.flush()).isTrue();
    log.close();
    DecisionLog again = open(settings);
    assertThat(again.recent(2)).hasSize(2);
    assertThat(again.recent(2).getFirst()).contains("\"rejection\"");
    for (int i = 0; i < 40; i++) {
      String line = again.find("d-" + i).orElseThrow();
      assertThat(line).contains("\"id\":\"d-" + i + "\"");
      assertThat(again.find("r-" + i)).contains(line);
    }
    assertThat(again.find("d-40")).isEmpty();
    assertThat(again.find("")).isEmpty();
    assertThat(again.find("flow-1")).as("only ids of decisions").isEmpty();
  }

  @Test
  void memory_isBoundedInLinesAndSize() {
    DecisionLog log = open(new DecisionLog.Settings(1 << 20, 4, 1000, 10, 10_000));
    for (int i = 0; i < 30; i++) {
      log.append(Events.decision("d-" + i));
    }
    assertThat(log.flush()).isTrue();
    List<String> recent = log.recent(100);
    assertThat(recent.size()).isLessThan(10);
    assertThat(
            recent.stream()
                .map(line -> line.replaceAll(",\"settings\":\\{[^}]*}", ""))
                .mapToInt(String::length)
                .sum())
        .isLessThanOrEqualTo(10_000);
    assertThat(recent.getFirst()).contains("\"d-29\"");
    assertThat(log.find("d-0")).as("from the file").isPresent();
  }

  @Test
  void manyLinesAtOnce_areFewWrites_andRotateAtLineBreaks() throws IOException {
    disk.gate = new CountDownLatch(1);
    DecisionLog log = open(new DecisionLog.Settings(50_000, 100, 1000));
    for (int i = 0; i < 500; i++) {
      log.append(Events.decision("d-" + i));
    }
    disk.gate.countDown();
    assertThat(log.flush()).isTrue();
    int files;
    try (Stream<Path> all = Files.list(directory)) {
      files = Math.toIntExact(all.count());
    }
    assertThat(files).isGreaterThan(10);
    assertThat(disk.writes.get()).isLessThan(3 * files);
    for (int age = 1; age < files; age++) {
      assertThat(Files.size(directory.resolve("decisions-" + age + ".jsonl")))
          .isBetween(40_000L, 50_000L);
    }
    assertThat(allIds()).hasSize(500).doesNotHaveDuplicates();
  }

  @Test
  void aLineThatComesAlone_isInTheFileSoon_withoutAnybodyAsking() {
    DecisionLog log = open(SETTINGS);
    for (int i = 1; i <= 3; i++) {
      int lines = i;
      log.append(Events.decision("d-" + i));
      await().untilAsserted(() -> assertThat(lines("decisions.jsonl")).hasSize(lines));
    }
  }

  @Test
  void linesThatWait_areShownAndFound() throws Exception {
    disk.gate = new CountDownLatch(1);
    DecisionLog log = open(SETTINGS);
    log.append(Events.decision("first"));
    disk.writing.await();
    log.append(Events.decision("second"));
    assertThat(log.recent(5)).hasSize(2);
    assertThat(log.find("second")).isPresent();
  }

  @Test
  void manyThreads_loseNoLine_andTearNone() throws Exception {
    DecisionLog log = open(new DecisionLog.Settings(1 << 24, 4, 10_000));
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      String name = "t" + t + "-";
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 500; i++) {
                  log.append(Events.decision(name + i));
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(log.flush()).isTrue();
    assertThat(log.dropped()).isZero();
    List<String> ids = allIds();
    assertThat(ids).hasSize(2000).doesNotHaveDuplicates();
    assertThat(ids.stream().filter(id -> id.startsWith("t2-")).toList())
        .isSortedAccordingTo(
            java.util.Comparator.comparingInt(id -> Integer.parseInt(id.substring(3))));
  }

  @Test
  void tornLines_areNotShownAsRecent() throws IOException {
    DecisionLog log = open(SETTINGS);
    log.append(Events.decision("d-1"));
    log.close();
    Path file = directory.resolve("decisions.jsonl");
    String all = Files.readString(file);
    String whole = lines("decisions.jsonl").getFirst();
    // Torn behind a bracket, so that it looks whole from both ends.
    String torn = whole.substring(0, whole.indexOf('}') + 1) + "\n";
    Files.writeString(file, torn + all);
    DecisionLog again = open(SETTINGS);
    LoggedProfiles above = new LoggedProfiles();
    all.lines().forEach(above::read);
    assertThat(again.recent(10)).containsExactly(above.whole(whole));
    assertThat(again.find("d-1")).contains(above.whole(whole));
  }

  @Test
  void afterClose_eventsAreCountedAsDropped_andWhatWasAppendedIsThere() throws IOException {
    DecisionLog log = open(SETTINGS);
    for (int i = 0; i < 50; i++) {
      log.append(Events.decision("d-" + i));
    }
    log.close();
    assertThat(lines("decisions.jsonl")).hasSize(50);
    log.append(Events.decision("late"));
    assertThat(log.dropped()).isEqualTo(1);
  }

  // ---- profiles ----

  private static DecisionEvent by(Profile profile, String id) {
    return Events.decision(
        id,
        Events.judged(
            new TokenOverlapEstimator(1),
            Events.FAITHFUL,
            Events.evidence(OptionalDouble.empty()),
            profile,
            0,
            Grounding.OPTIONAL,
            false));
  }

  private static Profile named(String name) {
    return Profiles.derive(name, Profiles.ASP_PAPER, Map.of("groundingMin", 0.4));
  }

  /** Every decision of a file, read with nothing but what stands before it in that file. */
  private static long replayed(Path file) throws IOException {
    LoggedProfiles above = new LoggedProfiles();
    long count = 0;
    for (String line : Files.readAllLines(file)) {
      above.read(line);
      if (!LoggedProfiles.isProfile(line)) {
        assertThat(line).doesNotContain("\"settings\"").hasSizeLessThan(1_400);
        assertThat(Replay.of(line)).isInstanceOf(Replay.Result.Unreadable.class);
        assertThat(Replay.of(above.whole(line)))
            .isInstanceOfSatisfying(
                Replay.Result.Explained.class,
                told -> assertThat(told.explanation().reproduces()).isTrue());
        count++;
      }
    }
    return count;
  }

  @Test
  void eachFile_hasTheProfilesOfItsLines_onceAndBeforeThem() throws IOException {
    DecisionLog log = open(new DecisionLog.Settings(8_000, 40, 1000));
    for (int i = 0; i < 60; i++) {
      log.append(by(i % 2 == 0 || i < 20 ? Profiles.ASP_PAPER : named("own"), "d-" + i));
    }
    assertThat(log.flush()).isTrue();
    long decisions = 0;
    int files = 0;
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        decisions += replayed(file);
        List<String> profiles =
            Files.readAllLines(file).stream().filter(LoggedProfiles::isProfile).toList();
        assertThat(profiles).doesNotHaveDuplicates().hasSizeBetween(1, 2);
        assertThat(Files.size(file)).isLessThanOrEqualTo(8_000);
        files++;
      }
    }
    assertThat(decisions).isEqualTo(60);
    assertThat(files).isGreaterThan(3);
    assertThat(copy.toString(StandardCharsets.US_ASCII).lines().filter(LoggedProfiles::isProfile))
        .hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
  void aProfileThatIsNew_makesNoFileLargerThanItsBound(int before) throws IOException {
    DecisionLog log = open(new DecisionLog.Settings(8_000, 40, 1000));
    for (int i = 0; i < before + 12; i++) {
      log.append(by(i < before ? Profiles.ASP_PAPER : named("own"), "d-" + i));
      assertThat(log.flush()).isTrue();
    }
    long decisions = 0;
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        decisions += replayed(file);
        assertThat(Files.size(file)).isLessThanOrEqualTo(8_000);
      }
    }
    assertThat(decisions).isEqualTo(before + 12);
  }

  @Test
  void aLineThatFillsAFileAlone_isWrittenBehindItsProfile() throws IOException {
    DecisionLog log = open(new DecisionLog.Settings(1_024, 10, 1000));
    for (int i = 0; i < 5; i++) {
      log.append(by(Profiles.ASP_PAPER, "d-" + i));
    }
    assertThat(log.flush()).isTrue();
    assertThat(log.dropped()).isZero();
    for (int age = 0; age < 5; age++) {
      Path file = directory.resolve(age == 0 ? "decisions.jsonl" : "decisions-" + age + ".jsonl");
      assertThat(replayed(file)).isEqualTo(1);
    }
  }

  @Test
  void whoAsks_getsTheSettings_alsoOfEarlierProcesses_andOfOlderVersions() throws IOException {
    String old =
        AuditJson.line(by(named("old"), "d-0")).replaceAll("\"digest\":\"[0-9a-f]*\",", "");
    assertThat(old).contains("\"settings\"").doesNotContain("\"digest\"");
    Files.writeString(directory.resolve("decisions.jsonl"), old + "\n");
    DecisionLog first = open(SETTINGS);
    first.append(by(named("one"), "d-1"));
    first.close();
    DecisionLog log = open(SETTINGS);
    log.append(by(named("two"), "d-2"));
    assertThat(log.flush()).isTrue();
    assertThat(log.recent(10))
        .hasSize(3)
        .allMatch(line -> line.contains("\"settings\":{"))
        .allMatch(line ->
            Replay.of(line) instanceof Replay.Result.Explained(Explanation told)
                && told.reproduces());
    for (String id : List.of("d-0", "d-1", "d-2")) {
      assertThat(log.find(id)).get().asString().contains("\"groundingMin\":0.4");
    }
  }
}
