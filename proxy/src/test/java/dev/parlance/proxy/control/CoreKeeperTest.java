package dev.parlance.proxy.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.CoreNote;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.proxy.control.api.ControlPlaneClient;
import dev.parlance.proxy.gate.CompiledCore;
import dev.parlance.proxy.gate.Cores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is accepted, what is kept, how old it is. */
class CoreKeeperTest {
  private static final Optional<String> BOB = Optional.of("bob");
  private static final long MAX_STALENESS_MS = 60_000;
  private static final CoreId GROUP = new CoreId(List.of("alice", "bob", "carol"), "license");
  private static final CoreId ALICE_CAROL = new CoreId(List.of("alice", "carol"), "license");

  @TempDir Path dir = Path.of("");
  private final List<PushOutcome.PushFault> refused = new ArrayList<>();
  private long nanos;
  private long wallMs = 1_800_000_000_000L;
  private long maxStalenessMs = MAX_STALENESS_MS;
  private CoreKeeper keeper = unopened();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unopened() {
    return null;
  }

  @BeforeEach
  void open() throws IOException {
    keeper = opened("alice");
  }

  private CoreKeeper opened(String agent) throws IOException {
    return CoreKeeper.open(
        CoreFiles.open(dir),
        new CoreKeeper.Settings(
            agent,
            new ControlPlaneClient.SignedNotes(List.of(Signed.KEY.verifier())),
            ControlPlaneClient.SignedNotes.MAX_BYTES,
            () -> maxStalenessMs),
        new CoreKeeper.Time(() -> nanos, () -> Instant.ofEpochMilli(wallMs)),
        new CoreKeeper.KeeperEvents() {
          @Override
          public void refused(PushOutcome.PushFault fault) {
            refused.add(fault);
          }

          @Override
          public void inForce(Set<String> domains) {
            // not looked at here
          }
        });
  }

  private PushOutcome push(CertifiedCore core) {
    return keeper.push(core.id(), core.version(), Signed.note(core));
  }

  private PushOutcome.PushFault fault(PushOutcome outcome) {
    assertThat(outcome).isInstanceOf(PushOutcome.Refused.class);
    return ((PushOutcome.Refused) outcome).fault();
  }

  private long version() {
    return source(keeper.view(BOB, "license")).version();
  }

  private static CoreVersion source(Cores.CoreView view) {
    return view.core().orElseThrow().sources().getFirst();
  }

  private void pass(long ms) {
    nanos += TimeUnit.MILLISECONDS.toNanos(ms);
    wallMs += ms;
  }

  private Path file() throws IOException {
    return CoreFiles.open(dir).of(Signed.ALICE_BOB);
  }

  @Test
  void aGoodCoreIsOnDiskAndInForce() throws IOException {
    CertifiedCore core = Signed.core(1, "notice");
    assertThat(keeper.view(BOB, "license").state()).isEqualTo(CoreState.ABSENT);
    assertThat(push(core)).isEqualTo(new PushOutcome.InForce(Signed.ALICE_BOB, 1));
    assertThat(keeper.view(BOB, "license").state()).isEqualTo(CoreState.FRESH);
    assertThat(version()).isEqualTo(1);
    assertThat(Files.readAllBytes(file())).isEqualTo(Signed.note(core));
    assertThat(keeper.view(BOB, "finance")).isEqualTo(Cores.CoreView.ABSENT);
    assertThat(keeper.view(Optional.of("zoe"), "license")).isEqualTo(Cores.CoreView.ABSENT);
  }

  @Test
  void aNewerVersionReplacesTheOld_andTheSameAgainChangesNothing() {
    assertThat(push(Signed.core(3, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    assertThat(push(Signed.core(7, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    assertThat(push(Signed.core(7, "notice")))
        .isEqualTo(new PushOutcome.Unchanged(Signed.ALICE_BOB, 7));
    assertThat(version()).isEqualTo(7);
    assertThat(refused).isEmpty();
  }

  @Test
  void C4_S10_anOlderCore_isRefused() {
    assertThat(push(Signed.core(7, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    assertThat(fault(push(Signed.core(6, "notice")))).isEqualTo(PushOutcome.PushFault.OLDER);
    assertThat(version()).isEqualTo(7);
    assertThat(refused).containsExactly(PushOutcome.PushFault.OLDER);
  }

  @Test
  void C4_C7_anotherCoreUnderTheSameVersion_isRefused() {
    assertThat(push(Signed.core(7, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    assertThat(fault(push(Signed.core(7, "notice", "patent claim"))))
        .isEqualTo(PushOutcome.PushFault.CONFLICTING);
    assertThat(version()).isEqualTo(7);
  }

  @Test
  void C4_unsigned_foreign_andBroken_areRefused() {
    CertifiedCore core = Signed.core(1, "notice");
    CoreId id = core.id();
    byte[] unsigned = CoreNote.text(core).getBytes(StandardCharsets.UTF_8);
    byte[] flipped = Signed.note(core);
    flipped[40] ^= 1;
    assertThat(fault(keeper.push(id, 1, unsigned))).isEqualTo(PushOutcome.PushFault.UNSIGNED);
    assertThat(fault(keeper.push(id, 1, CoreNote.sign(core, Signed.FOREIGN))))
        .isEqualTo(PushOutcome.PushFault.FOREIGN_SIGNATURE);
    assertThat(fault(keeper.push(id, 1, flipped)))
        .isEqualTo(PushOutcome.PushFault.FOREIGN_SIGNATURE);
    assertThat(fault(keeper.push(id, 1, new byte[0]))).isEqualTo(PushOutcome.PushFault.UNSIGNED);
    assertThat(keeper.view(BOB, "license")).isEqualTo(Cores.CoreView.ABSENT);
    assertThat(dir).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "NaN, IMPOSSIBLE",
    "0.0, IMPOSSIBLE",
    "1.0, IMPOSSIBLE",
    "-0.5, IMPOSSIBLE",
    "\"x\", MALFORMED"
  })
  void C4_aTauThatCannotBe_isRefused(String tau, PushOutcome.PushFault expected) {
    byte[] note = Signed.altered(Signed.core(1, "notice"), "\"tau\":0.05", "\"tau\":" + tau);
    assertThat(fault(keeper.push(Signed.ALICE_BOB, 1, note))).isEqualTo(expected);
  }

  @Test
  void C4_tenMegabytesOfGarbage_andMoreThanIsRead_areRefused() {
    byte[] garbage = new byte[10 << 20];
    new Random(4).nextBytes(garbage);
    assertThat(fault(keeper.push(Signed.ALICE_BOB, 1, garbage)))
        .isIn(PushOutcome.PushFault.MALFORMED, PushOutcome.PushFault.UNSIGNED);
    assertThat(
            fault(
                keeper.push(
                    Signed.ALICE_BOB, 1, new byte[ControlPlaneClient.SignedNotes.MAX_BYTES + 1])))
        .isEqualTo(PushOutcome.PushFault.TOO_LARGE);
  }

  @Test
  void C4_aCoreOfOtherAgents_isRefused() {
    CoreId others = new CoreId(List.of("bob", "carol"), "license");
    assertThat(fault(push(Signed.core(others, 1, "notice"))))
        .isEqualTo(PushOutcome.PushFault.WRONG_AGENT);
  }

  @Test
  void C4_aPushThatSaysOtherThanItsNote_isRefused() {
    byte[] note = Signed.note(Signed.core(3, "notice"));
    assertThat(fault(keeper.push(Signed.ALICE_BOB, 4, note)))
        .isEqualTo(PushOutcome.PushFault.MALFORMED);
    assertThat(fault(keeper.push(ALICE_CAROL, 3, note))).isEqualTo(PushOutcome.PushFault.MALFORMED);
  }

  @Test
  void L3_aCoreThatCannotBeWritten_isRefused_andTheLastGoodStays() throws IOException {
    assertThat(push(Signed.core(1, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    Path file = file();
    Files.delete(file);
    Files.createDirectory(file); // nothing can be renamed onto it
    Files.createFile(file.resolve("x"));
    assertThat(fault(push(Signed.core(2, "notice")))).isEqualTo(PushOutcome.PushFault.STORAGE);
    assertThat(version()).isEqualTo(1);
    assertThat(dir).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void C1_afterARestart_theLastGoodCoreIsInForce() throws IOException {
    assertThat(push(Signed.core(5, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    keeper = opened("alice");
    assertThat(version()).isEqualTo(5);
    assertThat(keeper.view(BOB, "license").state()).isEqualTo(CoreState.FRESH);
    assertThat(fault(push(Signed.core(4, "notice")))).isEqualTo(PushOutcome.PushFault.OLDER);
    assertThat(push(Signed.core(5, "notice"))).isInstanceOf(PushOutcome.Unchanged.class);
  }

  @Test
  void C4_tamperedForeignAndMisplacedSnapshots_areIgnoredAndCounted() throws IOException {
    assertThat(push(Signed.core(5, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    byte[] note = Files.readAllBytes(file());
    note[50] ^= 1;
    Files.write(file(), note);
    keeper = opened("alice");
    assertThat(keeper.view(BOB, "license")).isEqualTo(Cores.CoreView.ABSENT);
    assertThat(refused).containsExactly(PushOutcome.PushFault.FOREIGN_SIGNATURE);

    Files.write(file(), CoreNote.sign(Signed.core(6, "notice"), Signed.FOREIGN));
    keeper = opened("alice");
    assertThat(refused).hasSize(2).last().isEqualTo(PushOutcome.PushFault.FOREIGN_SIGNATURE);

    Files.write(file(), Signed.note(Signed.core(ALICE_CAROL, 6, "notice")));
    keeper = opened("alice");
    assertThat(refused).hasSize(3).last().isEqualTo(PushOutcome.PushFault.MALFORMED);
    assertThat(keeper.status()).isEmpty();
  }

  @Test
  void S10_anOldSnapshotPutBack_isRefusedByTheMark_alsoAfterItsFileWasDeleted() throws IOException {
    assertThat(push(Signed.core(4, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    byte[] old = Files.readAllBytes(file());
    assertThat(push(Signed.core(5, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    Files.write(file(), old);
    keeper = opened("alice");
    assertThat(keeper.status()).isEmpty();
    assertThat(refused).containsExactly(PushOutcome.PushFault.OLDER);

    Files.delete(file());
    keeper = opened("alice");
    assertThat(fault(push(Signed.core(4, "notice")))).isEqualTo(PushOutcome.PushFault.OLDER);
    assertThat(fault(push(Signed.core(5, "patent claim"))))
        .isEqualTo(PushOutcome.PushFault.CONFLICTING);
    assertThat(push(Signed.core(5, "notice"))).isInstanceOf(PushOutcome.InForce.class);
  }

  @Test
  void aDamagedMarkFile_countsAsNone() throws IOException {
    assertThat(push(Signed.core(5, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    Files.writeString(dir.resolve(CoreFiles.HIGH_WATER), "{\"version\":1,\"cores\":[{}]}");
    keeper = opened("alice");
    assertThat(version()).isEqualTo(5);
    assertThat(fault(push(Signed.core(4, "notice")))).isEqualTo(PushOutcome.PushFault.OLDER);
  }

  @Test
  void halfWrittenFiles_areClearedAtTheNextStart() throws IOException {
    Files.writeString(dir.resolve("core123.tmp"), "half");
    keeper = opened("alice");
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void C2_aCoreThatIsNotConfirmed_growsStale_andFreshAgain() {
    assertThat(push(Signed.core(1, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    pass(MAX_STALENESS_MS);
    assertThat(keeper.view(BOB, "license").state()).isEqualTo(CoreState.FRESH);
    pass(1);
    Cores.CoreView stale = keeper.view(BOB, "license");
    assertThat(stale.state()).isEqualTo(CoreState.STALE);
    assertThat(stale.ageMs()).isEqualTo(MAX_STALENESS_MS + 1);
    assertThat(stale.core()).isPresent();
    keeper.heard();
    assertThat(keeper.view(BOB, "license").state()).isEqualTo(CoreState.FRESH);
    assertThat(keeper.view(BOB, "license").ageMs()).isZero();
    maxStalenessMs = 10;
    pass(11);
    assertThat(keeper.view(BOB, "license").state()).isEqualTo(CoreState.STALE);
  }

  @Test
  void C2_ageGoesOnAcrossARestart_andFutureFilesCountAsNow() throws IOException {
    assertThat(push(Signed.core(1, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    pass(20_000);
    keeper.heard(); // written down, for more than 15 s have passed
    pass(30_000);
    keeper.noteAges();
    pass(25_000);
    keeper = opened("alice");
    assertThat(keeper.view(BOB, "license").ageMs()).isBetween(55_000L, 55_001L);
    pass(10_000);
    assertThat(keeper.view(BOB, "license").state()).isEqualTo(CoreState.STALE);

    Files.setLastModifiedTime(file(), FileTime.fromMillis(wallMs + 172_800_000));
    keeper = opened("alice");
    assertThat(keeper.view(BOB, "license").ageMs()).isZero();
    pass(MAX_STALENESS_MS + 1);
    assertThat(keeper.view(BOB, "license").state()).isEqualTo(CoreState.STALE);
  }

  @Test
  void L7_theTimeOfDayJumping_changesNoAge() {
    assertThat(push(Signed.core(1, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    wallMs += 172_800_000;
    assertThat(keeper.view(BOB, "license").ageMs()).isZero();
    wallMs -= 2 * 172_800_000L;
    keeper.heard();
    assertThat(keeper.view(BOB, "license").ageMs()).isZero();
  }

  @Test
  void C4_afterARefusedPush_theCoreAges_untilTheControlPlaneSendsItRight() {
    assertThat(push(Signed.core(5, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    assertThat(push(Signed.core(ALICE_CAROL, 1, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    assertThat(fault(push(Signed.core(4, "notice")))).isEqualTo(PushOutcome.PushFault.OLDER);
    pass(1_000);
    keeper.heard();
    assertThat(keeper.view(BOB, "license").ageMs()).isEqualTo(1_000);
    assertThat(keeper.view(Optional.of("carol"), "license").ageMs()).isZero();
    assertThat(keeper.view(Optional.empty(), "license").ageMs()).isEqualTo(1_000);
    assertThat(push(Signed.core(5, "notice"))).isInstanceOf(PushOutcome.Unchanged.class);
    assertThat(keeper.view(BOB, "license").ageMs()).isZero();
  }

  @Test
  void thePairsCoreCountsBeforeTheGroups_andAnUnknownPeerGetsWhatAllAllow() {
    assertThat(push(Signed.core(GROUP, 1, "trademark use")))
        .isInstanceOf(PushOutcome.InForce.class);
    assertThat(source(keeper.view(BOB, "license")).id()).isEqualTo(GROUP);
    assertThat(push(Signed.core(2, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    assertThat(source(keeper.view(BOB, "license")).id()).isEqualTo(Signed.ALICE_BOB);
    assertThat(source(keeper.view(Optional.of("carol"), "license")).id()).isEqualTo(GROUP);
    CompiledCore all = keeper.view(Optional.empty(), "license").core().orElseThrow();
    assertThat(all.sources()).hasSize(2);
    assertThat(all.terms().size()).isEqualTo(3);
  }

  @Test
  void lookingUp_compilesNothing() {
    assertThat(push(Signed.core(1, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    assertThat(push(Signed.core(ALICE_CAROL, 1, "notice"))).isInstanceOf(PushOutcome.InForce.class);
    CompiledCore once = keeper.view(Optional.empty(), "license").core().orElseThrow();
    assertThat(keeper.view(Optional.empty(), "license").core().orElseThrow()).isSameAs(once);
  }
}
