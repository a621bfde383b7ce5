package dev.parlance.proxy.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.StartupSetting;
import dev.parlance.proxy.config.Yaml;
import dev.parlance.service.config.ConfigProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatcherTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path dir = Path.of("");
  private Path file = Path.of("");
  private ConfigHolder holder = holder(Yaml.loaded(Yaml.MINIMAL), Set.of());
  private ConfigWatcher watcher = ConfigWatcher.unstarted(file, holder, 1);

  @BeforeEach
  void begin() throws IOException {
    file = dir.resolve("parlance.yaml");
    write(named("first"));
    begin(file, Set.of());
  }

  private void begin(Path watched, Set<StartupSetting> fixed) {
    SidecarConfig config = ConfigLoader.load(watched).loaded().orElseThrow();
    holder = holder(config, fixed);
    watcher = ConfigWatcher.unstarted(watched, holder, 1);
  }

  private static ConfigHolder holder(SidecarConfig config, Set<StartupSetting> fixed) {
    return new ConfigHolder(config, fixed, () -> NOW);
  }

  private static String named(String name) {
    return Yaml.MINIMAL + "node: " + name + "\n";
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
  }

  /** Two looks: the first sees the change, the second sees that it has settled. */
  private void look() {
    watcher.look();
    watcher.look();
  }

  private String node() {
    return holder.current().node();
  }

  @Test
  void O3_validInvalidValid_100times_keepsTheLastGoodOne() throws IOException {
    for (int i = 0; i < 100; i++) {
      write(named("n" + i));
      look();
      assertThat(node()).isEqualTo("n" + i);
      assertThat(holder.state().lastRefusal()).isEmpty();
      write(named("n" + i) + "mode: round" + i + "\n");
      look();
      assertThat(node()).isEqualTo("n" + i);
      ConfigRefusal refusal = holder.state().lastRefusal().orElseThrow();
      assertThat(refusal.at()).isEqualTo(NOW);
      assertThat(refusal.reason()).isEqualTo(ConfigRefusalReason.INVALID);
      assertThat(refusal.problems())
          .extracting(ConfigProblem::toString)
          .containsExactly("5:7 /mode: got \"round" + i + "\", expected one of observe, enforce");
    }
    assertThat(holder.state().generation()).isEqualTo(101);
    assertThat(holder.state().refusals()).isEqualTo(100);
  }

  @Test
  void O3_symlinkSwap_likeAConfigMap_isSeen() throws IOException {
    Path one = Files.createDirectory(dir.resolve("..one"));
    Path two = Files.createDirectory(dir.resolve("..two"));
    Files.writeString(one.resolve("parlance.yaml"), named("one"));
    Files.writeString(two.resolve("parlance.yaml"), named("two"));
    Path data = Files.createSymbolicLink(dir.resolve("..data"), one);
    Path mounted =
        Files.createSymbolicLink(
            dir.resolve("mounted.yaml"), Path.of("..data").resolve("parlance.yaml"));
    begin(mounted, Set.of());
    assertThat(node()).isEqualTo("one");
    Path next = Files.createSymbolicLink(dir.resolve("..data_tmp"), two);
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    look();
    assertThat(node()).isEqualTo("two");
    assertThat(holder.current().storage().dataDir())
        .isEqualTo(dir.toAbsolutePath().resolve("parlance-data"));
  }

  @Test
  void O3_fileThatIsStillBeingWritten_isNotTaken_untilItStaysTheSame() throws IOException {
    String whole = named("whole") + "mode: observe\nreview: { capacity: 7 }\n";
    for (int end = named("whole").length(); end <= whole.length(); end++) {
      write(whole.substring(0, end));
      assertThat(watcher.look()).isFalse();
      assertThat(node()).isEqualTo("first");
    }
    assertThat(watcher.look()).isTrue();
    assertThat(node()).isEqualTo("whole");
    assertThat(holder.current().storage().review().capacity()).isEqualTo(7);
  }

  @Test
  void O3_emptyFile_hugeFile_bomb_andMissingFile_areRefused_andTheOldOneStays() throws IOException {
    expectRefusal("", ConfigRefusalReason.SYNTAX);
    expectRefusal("#" + "x".repeat(10 * 1024 * 1024), ConfigRefusalReason.TOO_LARGE);
    expectRefusal("a: &a [1]\nb: [*a, *a]\n", ConfigRefusalReason.SYNTAX);
    expectRefusal(named("x") + "node: y\n", ConfigRefusalReason.SYNTAX);
    expectRefusal(named("x") + "modes: observe\n", ConfigRefusalReason.INVALID);
    Files.delete(file);
    look();
    assertThat(holder.state().lastRefusal().map(ConfigRefusal::reason))
        .contains(ConfigRefusalReason.UNREADABLE);
    assertThat(node()).isEqualTo("first");
    write(named("back"));
    look();
    assertThat(node()).isEqualTo("back");
    assertThat(holder.state().lastRefusal()).isEmpty();
  }

  private void expectRefusal(String text, ConfigRefusalReason reason) throws IOException {
    long before = holder.state().refusals();
    write(text);
    look();
    assertThat(holder.state().lastRefusal().map(ConfigRefusal::reason)).contains(reason);
    assertThat(holder.state().refusals()).isEqualTo(before + 1);
    assertThat(node()).isEqualTo("first");
    look();
    assertThat(holder.state().refusals()).as("complained about once").isEqualTo(before + 1);
  }

  @Test
  void refusedFile_thatIsTakenBack_isNoProblemAnyMore() throws IOException {
    write("nonsense: 1");
    look();
    assertThat(holder.state().lastRefusal()).isPresent();
    write(named("first"));
    look();
    assertThat(holder.state().lastRefusal()).isEmpty();
    assertThat(holder.state().generation()).isEqualTo(1);
  }

  @Test
  void changeOfListenerOrFolder_needsARestart_andNothingOfTheFileApplies() throws IOException {
    write(
        """
        node: second
        inbound: { listen: 127.0.0.1:15007, agent: 127.0.0.1:8080 }
        outbound: { listen: 127.0.0.1:15001 }
        dataDir: elsewhere
        """);
    look();
    ConfigRefusal refusal = holder.state().lastRefusal().orElseThrow();
    assertThat(refusal.reason()).isEqualTo(ConfigRefusalReason.NEEDS_RESTART);
    assertThat(refusal.problems())
        .extracting(ConfigProblem::toString)
        .containsExactlyInAnyOrder(
            "2:20 /inbound/listen: cannot change while the sidecar runs: needs a restart",
            "3:21 /outbound/listen: cannot change while the sidecar runs: needs a restart",
            "4:10 /dataDir: cannot change while the sidecar runs: needs a restart");
    assertThat(node()).isEqualTo("first");
  }

  @Test
  void settingThatTheHolderWasToldIsFixed_needsARestart() throws IOException {
    begin(file, Set.of(StartupSetting.REVIEW));
    write(named("first") + "review: { capacity: 5 }\n");
    look();
    assertThat(holder.state().lastRefusal().map(ConfigRefusal::reason))
        .contains(ConfigRefusalReason.NEEDS_RESTART);
    write(named("first") + "timeouts: { headerMs: 5000 }\n");
    look();
    assertThat(holder.current().timeouts().http().headerMs()).isEqualTo(5000);
  }

  @Test
  void listeners_hearOfEachChangeAndRefusal() throws IOException {
    List<String> heard = new ArrayList<>();
    holder.addListener(
        new ConfigListener() {
          @Override
          public void applied(SidecarConfig before, SidecarConfig now) {
            heard.add(before.node() + "->" + now.node());
          }

          @Override
          public void refused(ConfigRefusalReason reason, List<ConfigProblem> problems) {
            heard.add(reason.code() + " " + problems.size());
          }
        });
    write(named("second"));
    look();
    write("[");
    look();
    assertThat(heard).containsExactly("first->second", "syntax 1");
  }

  @Test
  void runningWatcher_appliesAChange_andItsThreadEndsWithIt() throws IOException {
    Optional<Thread> thread;
    try (ConfigWatcher running = ConfigWatcher.start(file, holder, 5)) {
      assertThat(running).isNotNull();
      thread = watcherThread();
      assertThat(thread).isPresent();
      Path next = dir.resolve("next.yaml");
      Files.write(next, named("running").getBytes(StandardCharsets.UTF_8));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      await().atMost(Duration.ofSeconds(60)).until(() -> node().equals("running"));
    }
    assertThat(thread.orElseThrow().isAlive()).isFalse();
  }

  private static Optional<Thread> watcherThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("parlance-config"))
        .findFirst();
  }
}
