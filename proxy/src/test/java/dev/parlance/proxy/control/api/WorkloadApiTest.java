package dev.parlance.proxy.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.identity.Svid;
import dev.parlance.service.identity.TrustBundles;
import dev.parlance.service.testing.LeakCheck;
import dev.parlance.service.testing.TestDomain;
import io.grpc.Status;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The Workload API, against a server written from its specification. */
@ExtendWith(LeakCheck.class)
@SuppressWarnings("try")
class WorkloadApiTest {
  private static final TestDomain MESH = new TestDomain("mesh.example");
  private static final TestDomain OTHER = new TestDomain("other.example");
  private static final String PATH = "ns/shop/sa/buyer";

  @TempDir Path folder = Path.of("");
  private final List<Svid> taken = new CopyOnWriteArrayList<>();
  private final List<TrustBundles> bundles = new CopyOnWriteArrayList<>();
  private final List<String> refused = new CopyOnWriteArrayList<>();

  private Path socket() {
    return folder.resolve("agent.sock");
  }

  private WorkloadApi ask() {
    return WorkloadApi.start(
        socket(),
        (svid, trust) -> {
          taken.add(svid);
          bundles.add(trust);
        },
        refused::add);
  }

  private static byte[] good() throws Exception {
    return WorkloadServer.response(WorkloadServer.svid(MESH.id(PATH), MESH.svid(PATH)));
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofSeconds(30));
  }

  @Test
  void firstIdentity_isTaken_withItsBundles_andEveryChangeAfterIt() throws Exception {
    byte[] first =
        WorkloadServer.response(
            WorkloadServer.svid(MESH.id(PATH), MESH.svid(PATH)),
            WorkloadServer.svid(MESH.id("second"), MESH.svid("second")),
            WorkloadServer.field(2, new byte[] {1, 2, 3}), // a revocation list
            WorkloadServer.federated(
                "spiffe://other.example", WorkloadServer.der(OTHER.root().getCertificate())));
    try (WorkloadServer server = WorkloadServer.start(socket(), first);
        WorkloadApi api = ask()) {
      assertThat(api).isNotNull();
      await().until(() -> taken.size() == 1);
      assertThat(taken.getFirst().id()).hasToString(MESH.id(PATH));
      assertThat(taken.getFirst().chain()).hasSize(2);
      assertThat(bundles.getFirst().authorities())
          .containsOnlyKeys("mesh.example", "other.example");
      for (int turn = 2; turn < 6; turn++) {
        int wanted = turn;
        server.push(good());
        await().until(() -> taken.size() == wanted);
      }
      assertThat(server.calls()).isEqualTo(1);
      assertThat(refused).isEmpty();
    }
  }

  @Test
  void endedCall_isMadeAgain_andWhatWasTakenStays() throws Exception {
    try (WorkloadServer server = WorkloadServer.start(socket(), good());
        WorkloadApi api = ask()) {
      assertThat(api).isNotNull();
      await().until(() -> taken.size() == 1);
      server.end(Status.PERMISSION_DENIED.withDescription("no identity issued"));
      await().until(() -> taken.size() == 2);
      server.end(Status.OK);
      await().until(() -> taken.size() == 3);
      assertThat(server.calls()).isEqualTo(3);
      assertThat(refused).hasSize(2);
      assertThat(refused.getFirst()).contains("PERMISSION_DENIED: no identity issued");
    }
  }

  @Test
  void serverThatIsNotThereYet_orIsStartedAnew_isFound() throws Exception {
    try (WorkloadApi api = ask()) {
      assertThat(api).isNotNull();
      await().until(() -> !refused.isEmpty());
      WorkloadServer first = WorkloadServer.start(socket(), good());
      await().until(() -> taken.size() == 1);
      first.close();
      try (WorkloadServer second = WorkloadServer.start(socket(), good())) {
        await().until(() -> taken.size() == 2);
        assertThat(second.calls()).isEqualTo(1);
      }
    }
  }

  static Stream<Arguments> hostile() throws Exception {
    X509Bundle svid = MESH.svid(PATH);
    byte[] chain = WorkloadServer.der(svid.getCertificatePath());
    byte[] key = svid.getKeyPair().getPrivate().getEncoded();
    byte[] root = WorkloadServer.der(MESH.root().getCertificate());
    String id = MESH.id(PATH);
    return Stream.of(
        Arguments.of("without an identity", new byte[0]),
        Arguments.of("without a certificate", WorkloadServer.svid(id, new byte[0], key, root)),
        Arguments.of("key", WorkloadServer.svid(id, chain, new byte[] {1, 2, 3}, root)),
        Arguments.of(
            "not that of the certificate",
            WorkloadServer.svid(
                id, chain, MESH.svid(PATH).getKeyPair().getPrivate().getEncoded(), root)),
        Arguments.of("under another id", WorkloadServer.svid(MESH.id("other"), chain, key, root)),
        Arguments.of("without authorities", WorkloadServer.svid(id, chain, key, new byte[0])),
        Arguments.of(
            "of no trust domain",
            WorkloadServer.response(
                WorkloadServer.svid(id, chain, key, root),
                WorkloadServer.federated("spiffe://other.example/path", root))),
        Arguments.of(
            " ", // what a library says of half a certificate
            WorkloadServer.svid(id, Arrays.copyOf(chain, chain.length - 9), key, root)),
        Arguments.of("CANCELLED", new byte[] {0x0a, 0x7f}), // no message
        Arguments.of("RESOURCE_EXHAUSTED", WorkloadServer.field(9, new byte[2 << 20])));
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @MethodSource("hostile")
  void answerThatIsNone_isRefused_andTheNextGoodOneTaken(String why, byte[] response)
      throws Exception {
    try (WorkloadServer server = WorkloadServer.start(socket(), good());
        WorkloadApi api = ask()) {
      assertThat(api).isNotNull();
      await().until(() -> taken.size() == 1);
      server.push(response);
      await().until(() -> !refused.isEmpty());
      assertThat(refused.getFirst()).contains(why);
      assertThat(taken).hasSize(1);
      server.push(good());
      await().until(() -> taken.size() == 2);
    }
  }
}
