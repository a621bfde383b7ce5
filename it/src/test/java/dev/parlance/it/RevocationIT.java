package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.proto.v1.AuditKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A revoked term leaves the core of every attached sidecar. Says how long that took; the times are
 * only printed, {@code -Dsoak=25} and more has a hundred sidecars.
 */
class RevocationIT {
  private static final int SIDECARS = Math.min(100, 4 * Integer.getInteger("soak", 5));
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir Path folder;

  @Test
  void C4_revokedTerm_leavesTheCoreOfEveryAttachedSidecar() throws Exception {
    List<LocalSidecar> sidecars = new ArrayList<>();
    try (Kit kit = Kit.start(folder.resolve("control"))) {
      Minds.Stubborn mind = Minds.differing(java.util.Set.of());
      FakeSidecar alice = kit.attach("alice", Minds.plain());
      FakeSidecar bob = kit.attach("bob", mind);
      kit.awaitAttached("alice", "bob");
      kit.put(Kit.plan("words", List.of("alice", "bob"), List.of("notice", "liability")));
      kit.audit("words", AuditKind.AUDIT_KIND_CERTIFY);
      Path token = folder.resolve("token");
      Path keys = folder.resolve("keys");
      Files.writeString(token, kit.plane.attachToken("alice") + "\n");
      Files.writeString(keys, kit.plane.coreKey().format() + "\n");
      for (int i = 0; i < SIDECARS; i++) {
        sidecars.add(sidecar(i, kit.port(), token, keys));
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> {
            for (LocalSidecar sidecar : sidecars) {
              assertThat(core(sidecar).path("terms").path("certified").asInt()).isEqualTo(2);
            }
          });
      mind.turn("notice");
      kit.audit("words", AuditKind.AUDIT_KIND_RECERTIFY);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> {
            for (LocalSidecar sidecar : sidecars) {
              assertThat(core(sidecar).path("terms").path("revoked").asInt()).isEqualTo(1);
            }
          });
      List<Long> tookMs = new ArrayList<>();
      for (LocalSidecar sidecar : sidecars) {
        JsonNode core = core(sidecar);
        tookMs.add(
            Duration.between(
                    Instant.parse(core.path("issuedAt").asString()),
                    Instant.parse(core.path("inForceSince").asString()))
                .toMillis());
      }
      tookMs.sort(Long::compare);
      System.out.printf(
          "revocation to enforcement at %d sidecars, ms: p50 %d, p99 %d, max %d%n",
          SIDECARS,
          tookMs.get(SIDECARS / 2),
          tookMs.get((int) Math.ceil(0.99 * SIDECARS) - 1),
          tookMs.getLast());
      assertThat(alice.pushed).hasSizeGreaterThanOrEqualTo(2);
      assertThat(bob.pushed).hasSizeGreaterThanOrEqualTo(2);
    } finally {
      sidecars.forEach(LocalSidecar::close);
    }
  }

  private LocalSidecar sidecar(int number, int port, Path token, Path keys) throws IOException {
    String control =
        """
        control:
          target: 127.0.0.1:%d
          agent: alice
          keysFile: "%s"
          tokenFile: "%s"
        """
            .formatted(port, keys, token);
    return LocalSidecar.start(folder, "alice-" + number, LocalSidecar.inboundTo(9), control);
  }

  private static JsonNode core(LocalSidecar sidecar) throws IOException, InterruptedException {
    JsonNode cores = sidecar.admin().json("/cores").path("cores");
    return Optional.of(cores.path(0)).filter(JsonNode::isObject).orElse(cores);
  }
}
