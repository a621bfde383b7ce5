package dev.parlance.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.api.AttachSecret;
import dev.parlance.control.api.OperatorToken;
import dev.parlance.control.main.ControlMain;
import dev.parlance.control.store.PostgresServer;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.testing.Client;
import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.control.testing.ReplicaProcess;
import dev.parlance.control.testing.Roamer;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.GetCoreRequest;
import dev.parlance.proto.v1.ListCoresRequest;
import dev.parlance.proto.v1.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C7: whoever runs an audit is killed, and the audit completes once all the same. */
@Tag("kill")
final class TakeoverTest {
  private static final List<String> TERMS = List.of("notice", "derivative work", "patent claim");
  private static final int QUESTIONS = 3 * 12 * 2;

  @TempDir Path folder;

  @Test
  void C7_killedInTheMiddleOfAnAudit_aRestartedPlaneGoesOn_andNoVerdictIsLostOrCountedTwice()
      throws Exception {
    Path data = folder.resolve("data");
    try (ReplicaProcess first = ReplicaProcess.start(data, "first", "")) {
      int firstPort = first.port();
      AttachSecret secret = AttachSecret.open(data.resolve("attach.secret"));
      String token = OperatorToken.open(data.resolve("operator.token")).value();
      List<Integer> ports = new ArrayList<>(List.of(firstPort));
      try (Roamer alice = roamer("alice", secret, ports, Minds.plain());
          Roamer bob = roamer("bob", secret, ports, Minds.differing(Set.of("notice")))) {
        String audit;
        try (Client client = new Client(firstPort, token)) {
          audit = begin(client);
          awaitAnswered(client, audit, QUESTIONS / 4);
        }
        first.kill();
        try (ReplicaProcess second = ReplicaProcess.start(data, "second", "")) {
          int secondPort = second.port();
          synchronized (ports) {
            ports.set(0, secondPort);
          }
          try (Client client = new Client(secondPort, token)) {
            assertCompletedOnce(client, audit, "second");
            await()
                .atMost(Kit.PATIENCE)
                .until(() ->
                    alice.sidecar().newest.containsKey("license")
                        && bob.sidecar().newest.containsKey("license"));
          }
          assertThat(second.stop()).isZero();
        }
      }
    }
  }

  @Test
  void C7_ofThreeReplicasOverPostgresql_theRunnerIsKilled_andAnotherOneCompletesTheAudit()
      throws Exception {
    StoreConfig.Postgres database = PostgresServer.newConfig();
    Path shared = folder.resolve("shared");
    Files.createDirectories(shared);
    ControlMain.keys(shared.resolve("keys"), "test.example/ledger");
    AttachSecret secret = AttachSecret.open(shared.resolve("attach.secret"));
    String token = OperatorToken.open(shared.resolve("operator.token")).value();
    Map<String, ReplicaProcess> replicas = new HashMap<>();
    List<Integer> ports = new ArrayList<>();
    try {
      for (String name : List.of("one", "two", "three")) {
        replicas.put(
            name, ReplicaProcess.start(folder.resolve(name), name, config(shared, database)));
      }
      Map<String, Integer> portByName = new HashMap<>();
      replicas.forEach((name, replica) -> portByName.put(name, replica.port()));
      ports.addAll(portByName.values());
      try (Roamer alice = roamer("alice", secret, ports, Minds.plain());
          Roamer bob = roamer("bob", secret, ports, Minds.differing(Set.of("notice")))) {
        String audit;
        String runner;
        try (Client client = new Client(ports.getFirst(), token)) {
          audit = begin(client);
          runner = awaitAnswered(client, audit, QUESTIONS / 4).getReplica();
        }
        Optional.ofNullable(replicas.remove(runner)).orElseThrow().kill();
        portByName.remove(runner);
        synchronized (ports) {
          ports.retainAll(portByName.values());
        }
        int survivor = portByName.values().iterator().next();
        try (Client client = new Client(survivor, token)) {
          Audit ended = assertCompletedOnce(client, audit, "");
          assertThat(ended.getReplica()).isNotEqualTo(runner);
          await()
              .atMost(Kit.PATIENCE)
              .until(() ->
                  alice.sidecar().newest.containsKey("license")
                      && bob.sidecar().newest.containsKey("license"));
          // Any replica has the core, and the next audit works as if nothing had been.
          for (int port : portByName.values()) {
            try (Client other = new Client(port, token)) {
              assertThat(
                      other.operator.getCore(
                          GetCoreRequest.newBuilder()
                              .setId(plan().getCore())
                              .setVersion(1)
                              .build()))
                  .isNotNull();
            }
          }
          Audit next = client.awaitEnd(client.begin("p", AuditKind.AUDIT_KIND_RECERTIFY).getId());
          assertThat(next.getState()).isEqualTo(AuditState.AUDIT_STATE_COMPLETED);
          assertThat(next.getCoreVersion()).isEqualTo(2);
          client.assertLedgerAgrees();
        }
      }
    } finally {
      replicas.values().forEach(ReplicaProcess::close);
    }
  }

  private static String config(Path shared, StoreConfig.Postgres database) throws IOException {
    Path password = shared.resolve("password");
    Files.writeString(password, database.password() + "\n");
    return """
    store: {url: "%s", user: %s, passwordFile: %s, pool: 8}
    keys: {dir: %s}
    attachSecretFile: %s
    operatorTokenFile: %s
    """
        .formatted(
            database.url(),
            database.user(),
            password,
            shared.resolve("keys"),
            shared.resolve("attach.secret"),
            shared.resolve("operator.token"));
  }

  private static Roamer roamer(
      String agent, AttachSecret secret, List<Integer> ports, FakeSidecar.Mind mind) {
    return new Roamer(
        () -> {
          synchronized (ports) {
            return List.copyOf(ports);
          }
        },
        secret.token(agent),
        agent,
        mind);
  }

  private static Plan.Builder plan() {
    // Pauses make the audit last long enough to be interrupted.
    return Kit.plan("p", List.of("alice", "bob"), TERMS).setPauseMs(80);
  }

  private static String begin(Client client) {
    client.awaitAttached("alice", "bob");
    client.put(plan());
    return client.begin("p", AuditKind.AUDIT_KIND_CERTIFY).getId();
  }

  private static Audit awaitAnswered(Client client, String audit, int atLeast) {
    return await()
        .atMost(Kit.PATIENCE)
        .until(
            () -> client.operator.getAudit(GetAuditRequest.newBuilder().setId(audit).build()),
            now -> now.getAnswered() >= atLeast);
  }

  private static Audit assertCompletedOnce(Client client, String audit, String replica) {
    Audit ended = client.awaitEnd(audit);
    assertThat(ended.getState()).as(ended.toString()).isEqualTo(AuditState.AUDIT_STATE_COMPLETED);
    assertThat(ended.getReplica()).contains(replica);
    assertThat(ended.getEpoch()).isGreaterThan(1);
    assertThat(ended.getAnswered() + ended.getUnanswered()).isEqualTo(QUESTIONS);
    assertThat(AuditTest.outcomes(ended))
        .isEqualTo(
            Map.of(
                "derivative work", "certified", "notice", "refused", "patent claim", "certified"));
    RecomputationReport report = client.assertLedgerAgrees();
    assertThat(report.audits()).isEqualTo(1);
    assertThat(report.cores()).isEqualTo(1);
    assertThat(report.tests() + report.unanswered()).isEqualTo(QUESTIONS);
    assertThat(report.decisions()).isEqualTo(TERMS.size());
    assertThat(
            client
                .operator
                .listCores(ListCoresRequest.newBuilder().setHistory(true).build())
                .getCoresList())
        .hasSize(1);
    return ended;
  }
}
