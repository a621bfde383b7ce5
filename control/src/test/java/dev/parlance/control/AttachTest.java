package dev.parlance.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.api.GrpcErrors;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.CoreKey;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.Lease;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.store.Stores;
import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.HeldCore;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.ListSidecarsRequest;
import dev.parlance.proto.v1.Report;
import dev.parlance.proto.v1.ReviewPush;
import dev.parlance.proto.v1.ReviewRecorded;
import dev.parlance.proto.v1.ReviewTaken;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.SignedCore;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sidecars that attach, over real gRPC. */
final class AttachTest {
  private static final List<String> AGENTS = List.of("alice", "bob");

  @TempDir Path data;
  private Kit kit;
  private Store store;

  @BeforeEach
  void open() throws IOException {
    kit = Kit.start(data);
    store = Stores.open(new StoreConfig.Embedded(data.resolve("store.db")));
  }

  @AfterEach
  void close() {
    store.close();
    kit.close();
  }

  /** Publishes a core as if an audit had issued it; what is in the note does not matter here. */
  private void publish(String domain, long version, int bytes) {
    String audit = "audit-" + domain + version;
    Lease lease = store.acquire("audit:" + audit, "test", Duration.ofMinutes(1)).orElseThrow();
    String key = CoreKey.of(new dev.parlance.policy.core.CoreId(AGENTS, domain));
    CoreRow row = new CoreRow(key, version, AGENTS, domain, audit, new byte[bytes], false, 0);
    assertThat(store.putPendingCore(row, lease)).isEqualTo(Store.CorePut.DONE);
    assertThat(store.publishCore(key, version, lease)).isEqualTo(Store.CorePut.DONE);
    store.release(lease);
  }

  private FakeSidecar connect(String tokenAgent, String agent) {
    return kit.keep(
        FakeSidecar.connect(kit.port(), kit.plane.attachToken(tokenAgent), agent, Minds.plain()));
  }

  private void assertEnded(FakeSidecar sidecar, Status.Code code, String reason) throws Exception {
    assertThat(sidecar.ended.get(30, TimeUnit.SECONDS).getCode()).isEqualTo(code);
    assertThat(sidecar.trailers.get(1, TimeUnit.SECONDS).get(GrpcErrors.REASON)).isEqualTo(reason);
    assertThat(sidecar.ended.get(1, TimeUnit.SECONDS).getDescription()).startsWith(reason + ": ");
  }

  @Test
  void tokenOfAnotherAgent_isRefused() throws Exception {
    FakeSidecar sidecar = connect("bob", "alice").hello("node", true);
    assertEnded(sidecar, Status.Code.PERMISSION_DENIED, "token_of_another_agent");
    assertThat(sidecar.pushed).isEmpty();
  }

  @Test
  void whatPersonsDecide_isOnTheLedgerOnce_howeverOftenItIsSaid() throws Exception {
    FakeSidecar bob = connect("bob", "bob").hello("b", true);
    FakeSidecar carol = connect("carol", "carol").hello("c", true);
    for (int i = 0; i < 3; i++) {
      bob.verdict("r-1", "send_back", 32);
    }
    bob.verdict("r-2", "reject", 32);
    bob.verdict("r-3", "shrug", 32);
    bob.verdict("r-4", "release", 31);
    bob.verdict("x", "release", 32);
    carol.verdict("r-1", "release", 32);
    await()
        .atMost(Kit.PATIENCE)
        .until(() -> bob.recorded.size() == 7 && carol.recorded.size() == 1);
    assertThat(bob.recorded)
        .filteredOn(said -> said.getRefused().equals("malformed"))
        .extracting(ReviewRecorded::getItem)
        .containsExactly("r-3", "r-4", "x");
    RecomputationReport report = kit.assertLedgerAgrees();
    assertThat(report.reviews()).isEqualTo(3);
    assertThat(report.duplicates()).isZero();
  }

  @Test
  void Q14_aDecisionBesideOneAgent_goesToTheSidecarsOfBoth_andIsItsOwnWhateverItSays()
      throws Exception {
    FakeSidecar bob = connect("bob", "bob").hello("b-1", true);
    FakeSidecar other = connect("bob", "bob").hello("b-2", true);
    FakeSidecar carol = connect("carol", "carol").hello("c", true);
    bob.decided("r-1", "alice", true, 16, 60_000);
    carol.decided("r-1", "alice", false, 16, 60_000);
    carol.decided("r-2", "alice", true, 15, 60_000);
    carol.decided("r-3", "two words", true, 16, 60_000);
    carol.decided("r-4", "alice", true, 16, 0);
    await().atMost(Kit.PATIENCE).until(() -> bob.taken.size() == 1 && carol.taken.size() == 4);
    assertThat(carol.taken)
        .filteredOn(taken -> taken.getRefused().equals("malformed"))
        .extracting(ReviewTaken::getItem)
        .containsExactly("r-2", "r-3", "r-4");
    FakeSidecar late = connect("alice", "alice").hello("a", true);
    await().atMost(Kit.PATIENCE).until(() -> late.reviews.size() == 2);
    assertThat(late.reviews)
        .extracting(ReviewPush::getBy, ReviewPush::getApproved)
        .containsExactlyInAnyOrder(tuple("bob", true), tuple("carol", false));
    bob.decided("r-1", "alice", false, 16, 60_000); // once decided it stays
    bob.decided("r-5", "alice", true, 16, 60_000);
    await().atMost(Kit.PATIENCE).until(() -> other.reviews.size() == 2 && late.reviews.size() == 3);
    assertThat(other.reviews).extracting(ReviewPush::getItem).containsExactly("r-1", "r-5");
    assertThat(carol.reviews).extracting(ReviewPush::getBy).containsExactly("carol");
    assertThat(late.reviews.getLast().getForMs()).isBetween(1L, 60_000L);
  }

  @Test
  void Q14_decisionsOutliveTheControlPlane() throws Exception {
    FakeSidecar bob = connect("bob", "bob").hello("b", true);
    bob.decided("r-1", "alice", true, 16, 600_000);
    await().atMost(Kit.PATIENCE).until(() -> bob.taken.size() == 1);
    kit.close();
    kit = Kit.start(data);
    FakeSidecar alice = connect("alice", "alice").hello("a", true);
    await().atMost(Kit.PATIENCE).until(() -> alice.reviews.size() == 1);
  }

  @Test
  void missingToken_isRefused_beforeAnythingIsRead() throws Exception {
    FakeSidecar sidecar = kit.keep(FakeSidecar.connect(kit.port(), "", "alice", Minds.plain()));
    assertEnded(sidecar, Status.Code.UNAUTHENTICATED, "token_missing");
  }

  @Test
  void anythingBeforeHello_endsTheStream() throws Exception {
    FakeSidecar sidecar = connect("alice", "alice");
    sidecar.report(Report.getDefaultInstance());
    assertEnded(sidecar, Status.Code.FAILED_PRECONDITION, "hello_first");
  }

  @Test
  void secondHello_endsTheStream() throws Exception {
    FakeSidecar sidecar = connect("alice", "alice").hello("node", true);
    sidecar.welcomed.get(30, TimeUnit.SECONDS);
    sidecar.hello("node", true);
    assertEnded(sidecar, Status.Code.FAILED_PRECONDITION, "hello_twice");
  }

  @Test
  void helloThatDoesNotCome_endsTheStream() throws Exception {
    assertEnded(connect("alice", "alice"), Status.Code.DEADLINE_EXCEEDED, "hello_late");
  }

  @Test
  void helloWithImpossibleNames_isRefused() throws Exception {
    FakeSidecar sidecar = connect("alice", "alice");
    sidecar.send(
        AttachRequest.newBuilder()
            .setHello(Hello.newBuilder().setAgent("alice").setNode("two words"))
            .build());
    assertEnded(sidecar, Status.Code.INVALID_ARGUMENT, "bad_hello");
  }

  @Test
  void oversizeMessage_endsItsStream_andNoOther() throws Exception {
    FakeSidecar other = connect("bob", "bob").hello("node", true);
    other.welcomed.get(30, TimeUnit.SECONDS);
    FakeSidecar sidecar = connect("alice", "alice").hello("node", true);
    sidecar.welcomed.get(30, TimeUnit.SECONDS);
    Report.Builder report = Report.newBuilder();
    for (int i = 0; i < 20_000; i++) {
      report.putRefusedPushes("a-reason-that-is-long-" + i, i);
    }
    sidecar.report(report.build());
    assertEnded(sidecar, Status.Code.RESOURCE_EXHAUSTED, "message_too_large");
    publish("license", 1, 10);
    await().atMost(Kit.PATIENCE).until(() -> other.pushed.size() == 1);
    assertThat(other.ended).isNotDone();
  }

  @Test
  void everyCoreOfTheAgent_isPushed_andWhatIsHeldIsNot() throws Exception {
    publish("license", 3, 10);
    publish("privacy", 1, 10);
    CoreId held = CoreId.newBuilder().addAllAgents(AGENTS).setDomain("license").build();
    FakeSidecar sidecar =
        connect("alice", "alice")
            .hello("node", true, HeldCore.newBuilder().setId(held).setVersion(3).build());
    await().atMost(Kit.PATIENCE).until(() -> sidecar.newest.containsKey("privacy"));
    publish("license", 4, 10);
    await().atMost(Kit.PATIENCE).until(() -> sidecar.newest.containsKey("license"));
    assertThat(sidecar.pushed)
        .extracting(core -> core.getId().getDomain() + core.getVersion())
        .containsExactly("privacy1", "license4");
    FakeSidecar carol = connect("carol", "carol").hello("node", true);
    carol.welcomed.get(30, TimeUnit.SECONDS);
    assertThat(carol.pushed).isEmpty();
  }

  @Test
  void refusedCore_isShown_andNotPushedAgain_untilThereIsANewerOne() {
    FakeSidecar sidecar =
        connect("alice", "alice")
            .refusing(core ->
                core.getVersion() == 1 ? Optional.of("foreign_signature") : Optional.empty())
            .hello("node", true);
    publish("license", 1, 10);
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(() ->
            assertThat(sidecars())
                .singleElement()
                .satisfies(each -> {
                  assertThat(each.getRefusedPushes()).isEqualTo(1);
                  assertThat(each.getCoresList())
                      .singleElement()
                      .matches(core -> core.getState().equals("refused"))
                      .matches(core -> core.getNackReason().equals("foreign_signature"));
                }));
    publish("license", 2, 10);
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(() ->
            assertThat(sidecars().getFirst().getCoresList())
                .singleElement()
                .matches(core -> core.getState().equals("synced"))
                .matches(core -> core.getVersion() == 2));
    assertThat(sidecar.pushed).extracting(SignedCore::getVersion).containsExactly(1L, 2L);
    assertThat(kit.plane.metrics())
        .contains("parlance_control_core_pushes_total{result=\"foreign_signature\"} 1.0");
  }

  private List<Sidecar> sidecars() {
    return kit.operator.listSidecars(ListSidecarsRequest.getDefaultInstance()).getSidecarsList();
  }

  @Test
  void sidecarThatReadsNothing_costsNoMemory_andHoldsUpNobody() throws Exception {
    FakeSidecar deaf =
        kit.keep(
            FakeSidecar.deaf(kit.port(), kit.plane.attachToken("alice"), "alice", Minds.plain()));
    deaf.hello("deaf", true);
    FakeSidecar other = connect("bob", "bob").hello("node", true);
    other.welcomed.get(30, TimeUnit.SECONDS);
    int versions = 30;
    for (int version = 1; version <= versions; version++) {
      publish("license", version, 2 << 20); // 60 MiB in all, of which one version may wait
    }
    await()
        .atMost(Kit.PATIENCE)
        .until(() ->
            Optional.ofNullable(other.newest.get("license"))
                .filter(core -> core.getVersion() == versions)
                .isPresent());
    assertThat(deaf.pushed).isEmpty();
    assertThat(kit.plane.hub().attached()).isEqualTo(2);
  }

  @Test
  void sameSidecarAgain_takesTheOldStreamsPlace() throws Exception {
    FakeSidecar first = connect("alice", "alice").hello("node", true);
    first.welcomed.get(30, TimeUnit.SECONDS);
    FakeSidecar second = connect("alice", "alice").hello("node", true);
    second.welcomed.get(30, TimeUnit.SECONDS);
    assertEnded(first, Status.Code.ABORTED, "replaced");
    publish("license", 1, 10);
    await().atMost(Kit.PATIENCE).until(() -> second.pushed.size() == 1);
    assertThat(sidecars()).singleElement().matches(Sidecar::getAttached);
  }

  @Test
  void sidecarThatGoes_isShownAsGone() {
    FakeSidecar sidecar = connect("alice", "alice").hello("node", true);
    kit.awaitAttached("alice");
    sidecar.close();
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(
            () -> assertThat(sidecars()).singleElement().matches(each -> !each.getAttached()));
  }

  @Test
  void closingPlane_tellsSidecarsToAttachElsewhere() throws Exception {
    FakeSidecar sidecar = connect("alice", "alice").hello("node", true);
    sidecar.welcomed.get(30, TimeUnit.SECONDS);
    kit.plane.close();
    assertEnded(sidecar, Status.Code.UNAVAILABLE, "draining");
  }
}
