package dev.parlance.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AuditJsonTest {
  private static JsonNode parsed(AuditEvent event) {
    return Replay.JSON.readTree(AuditJson.line(event));
  }

  @Test
  void decision_hasEverythingThatExplainsIt() {
    ReplayableVerdict judgement = Events.judged(Events.FAITHFUL);
    JsonNode line = parsed(Events.decision("d-1", judgement));
    assertThat(line.propertyNames())
        .containsExactly(
            "type",
            "ts",
            "node",
            "id",
            "configRevision",
            "flow",
            "trace",
            "direction",
            "kind",
            "protocol",
            "method",
            "path",
            "peer",
            "routeRule",
            "attempt",
            "mode",
            "route",
            "reasons",
            "action",
            "evidence",
            "grounding",
            "errors",
            "errorMax",
            "ttlExpired",
            "counts",
            "citedIds",
            "validIds",
            "features",
            "signals",
            "drift",
            "header",
            "regime",
            "judged",
            "profile",
            "status",
            "bytesIn",
            "bytesOut",
            "bodySha256",
            "tTotalUs",
            "tJudgeUs",
            "tUpstreamUs");
    assertThat(line.path("ts").asString()).isEqualTo("2023-11-14T22:13:20.123Z");
    assertThat(line.path("citedIds").path(0).asString()).isEqualTo("3");
    assertThat(line.path("drift").asDouble())
        .isEqualTo(judgement.verdict().signals().orElseThrow().driftSqrtJsd());
    assertThat(line.path("profile").path("settings").propertyNames())
        .containsExactlyElementsOf(judgement.profile().settings().keySet());
  }

  @Test
  void S17_noLine_holdsTextOfTheMessage_orTheQuery() {
    String line = AuditJson.line(Events.decision("d-1"));
    assertThat(line).doesNotContain("Contributor", "perpetual", "secret").contains("\"/rpc\"");
  }

  @Test
  void Q5_hostileText_staysOneInertLine() {
    String hostile = "a\u001b[2J\r\n\u202e\u009b31m\u2028\ud800 \"x\" </script>\u007f";
    var event =
        new AuditEvent.ReviewActionEvent(
            1, "n", "r-1", "d-1", "release", hostile, "x".repeat(100_000));
    String line = AuditJson.line(event);
    assertThat(line.chars()).allMatch(c -> c >= ' ' && c <= 0x7f);
    assertThat(line).hasSizeLessThan(1500);
    assertThat(Replay.JSON.readTree(line).path("who").asString()).isEqualTo(hostile);
  }

  @Test
  void everyOtherEvent_isOneObjectWithItsType() {
    List<AuditEvent> events =
        List.of(
            new AuditEvent.RepairEvent(1, "n", "d-1", "f", 1, List.of(Reason.G_LOW), "asked"),
            new AuditEvent.ReviewActionEvent(1, "n", "r-1", "d-1", "reject", "ann", ""),
            new AuditEvent.RejectionEvent(1, "n", "inbound", "http1", "bare_lf", "127.0.0.1"),
            new AuditEvent.NoticeEvent(1, "n", "inbound", "card_elsewhere", "it names b", "a"),
            new AuditEvent.ConfigEvent(1, "n", "rev-1", "refused", "line 3: no such member"));
    assertThat(events)
        .extracting(event -> parsed(event).path("type").asString())
        .containsExactly("repair", "review", "rejection", "notice", "config");
  }

  @Test
  void decisionWithoutReason_isRefused() {
    assertThatThrownBy(() -> Events.decision("d", Optional.empty(), Route.WARN, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
