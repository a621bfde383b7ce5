package dev.parlance.cli.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.audit.ReplayableVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ExplainCommandTest {
  @TempDir Path folder = Path.of("");

  private void logDecision() {
    var message =
        new AgentMessage(
            Utf8Span.of("Everybody may sell the work in 1999 for gold."),
            Utf8Span.of("Who may sell the work?"),
            new Evidence(
                EvidenceSource.DECLARED,
                List.of(new Chunk("c1", Utf8Span.of("You may reproduce and distribute copies."))),
                List.of(),
                OptionalDouble.empty(),
                List.of()));
    Verdict verdict =
        new Judge(new TokenOverlapEstimator(7))
            .judge(message, Profiles.OVERLAP, 0, Grounding.REQUIRED, false);
    try (DecisionLog log = DecisionLog.open(folder, new DecisionLog.Settings(1 << 20, 2, 100))) {
      log.append(
          new DecisionEvent(
              1_000,
              "node",
              "d-1",
              "0123456789ab",
              new DecisionEvent.Place(
                  "flow", "", "inbound", "response", "a2a-1.0", "POST", "/", "peer", "answers"),
              1,
              "enforce",
              Optional.of(
                  ReplayableVerdict.of(
                      verdict,
                      message.evidence(),
                      Profiles.OVERLAP,
                      Grounding.REQUIRED,
                      false,
                      List.of())),
              verdict.decision().route(),
              verdict.decision().reasons(),
              "ask_again",
              Optional.of("r-1"),
              new DecisionEvent.Traffic(200, 10, 10, "", 5, 1, 3),
              Optional.empty(),
              Optional.empty(),
              Optional.of(
                  new DecisionEvent.Pact("p-1", "pact_output", "pact p-1, clause size max_kb=2")),
              Optional.empty(),
              Optional.empty()));
      log.append(
          new AuditEvent.RepairEvent(
              2_000, "node", "d-1", "flow", 1, verdict.decision().reasons(), "answered"));
      log.append(
          new AuditEvent.ReviewActionEvent(
              3_000, "node", "r-1", "d-1", "release", "ada", "by\u001b hand"));
      log.append(
          new DecisionEvent(
              3_500,
              "node",
              "d-3",
              "0123456789ab",
              new DecisionEvent.Place(
                  "flow", "", "inbound", "response", "a2a-1.0", "POST", "/", "peer", "answers"),
              1,
              "enforce",
              Optional.empty(),
              Route.EXECUTE,
              List.of(Reason.RELEASED),
              "deliver_released",
              Optional.of("r-1"),
              new DecisionEvent.Traffic(200, 10, 10, "", 5, 1, 3),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()));
      log.append(
          new AuditEvent.ReviewActionEvent(4_000, "node", "r-2", "d-2", "reject", "bob", "other"));
    }
  }

  private Run explain(String id, String... more) {
    String[] args = new String[more.length + 4];
    args[0] = "explain";
    args[1] = id;
    args[2] = "--data-dir";
    args[3] = folder.toString();
    System.arraycopy(more, 0, args, 4, more.length);
    return Run.of(args);
  }

  @Test
  void decision_isComputedAgain_withWhatHappenedLater() {
    logDecision();
    Run run = explain("d-1");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("p-1: pact_output (pact p-1, clause size max_kb=2)");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("Decision d-1: regenerate")
        .contains("come out as logged")
        .contains("the author was asked again: answered")
        .contains("release by ada: by\\u{1B} hand")
        .doesNotContain("bob")
        .doesNotContain("\u001b");
  }

  @Test
  void heldMessagesId_leadsToItsDecision_asJsonToo() {
    logDecision();
    JsonNode json = Json.MAPPER.readTree(explain("r-1", "-o", "json").out());
    assertThat(json.path("explanation").path("id").stringValue()).isEqualTo("d-1");
    assertThat(json.path("explanation").path("reproduces").booleanValue()).isTrue();
    assertThat(json.path("related").size()).isEqualTo(3);
    assertThat(explain("r-1").out()).contains("decision d-3: execute, deliver_released");
    assertThat(explain("d-3").out()).startsWith("Decision d-3: execute");
  }

  @Test
  void changedLine_doesNotReproduce_andSaysSo() throws IOException {
    logDecision();
    Path file = folder.resolve("decisions.jsonl");
    String text = Files.readString(file);
    String changed = text.replaceFirst("\"drift\":[0-9.E-]+", "\"drift\":0.01");
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(file, changed);
    Run run = explain("d-1");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("DOES NOT REPRODUCE").contains("drift");
  }

  @Test
  void olderFiles_andTornLines_areRead() throws IOException {
    logDecision();
    Files.move(folder.resolve("decisions.jsonl"), folder.resolve("decisions-1.jsonl"));
    Files.writeString(folder.resolve("decisions.jsonl"), "{\"type\":\"decision\",\"id\":\"d-1");
    assertThat(explain("d-1").status()).isZero();
    assertThat(
            Run.of("explain", "d-1", "--log", folder.resolve("decisions-1.jsonl").toString())
                .status())
        .isZero();
  }

  @Test
  void unknownIdOrFolder_isOneLine() {
    logDecision();
    Run unknown = explain("d-9");
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.err().lines()).hasSize(1);
    Run folderless = Run.of("explain", "d-1", "--data-dir", folder.resolve("none").toString());
    assertThat(folderless.status()).isEqualTo(2);
    assertThat(folderless.err().lines()).hasSize(1);
    assertThat(explain("../x").status()).isEqualTo(2);
  }
}
