package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.Demo;
import dev.parlance.demo.DemoOptions;
import dev.parlance.demo.agent.Talk;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The demonstration of pacts with real sidecars and a real control plane. */
@Timeout(300)
class PactDemoIT {
  @TempDir Path workDir;

  @Test
  void everyPact_comesAndEndsAsItHasTo_andTheLedgerSaysTheSame() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        new Demo(
                new DemoOptions(
                    SecondActIT.parlance("proxy"),
                    SecondActIT.parlance("control"),
                    "bin/parlance",
                    Path.of("..", "LICENSE"),
                    workDir,
                    DemoOptions.Mode.ONCE,
                    DemoOptions.Output.JSON,
                    false,
                    Talk.Binding.JSONRPC,
                    DemoOptions.Streaming.OFF),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                InputStream.nullInputStream())
            .run(Demo.Show.PACTS);
    assertThat(status).as("%s%n%s", out, err).isZero();
    JsonNode report = A2a.JSON.readTree(out.toString(StandardCharsets.UTF_8));
    assertThat(report.path("ok").asBoolean()).isTrue();
    assertThat(report.at("/template/roundTrips").asInt()).isEqualTo(1);
    assertThat(report.at("/negotiated/roundTrips").asInt()).isEqualTo(2);
    assertThat(report.at("/negotiated/turns").valueStream().map(one -> one.at("/said/0")))
        .extracting(JsonNode::asString)
        .satisfiesExactly(
            offer -> assertThat(offer).startsWith("offers "),
            counter -> assertThat(counter).startsWith("counters "),
            concession -> assertThat(concession).startsWith("concedes "),
            last -> assertThat(last).isEqualTo("concedes retain_days=90"));
    assertThat(report.at("/oversized/drafts")).hasSize(2);
    assertThat(report.at("/forbidden/reason").asString()).isEqualTo("violated");
    assertThat(report.at("/withdrawn/end/reason").asString()).isEqualTo("party_withdrew");
    assertThat(report.at("/withdrawn/noticeMs").asInt()).isEqualTo(1500);
    assertThat(report.at("/disputed/end/responsible").asString()).isEqualTo("license-scholar");
    assertThat(report.at("/completed/end/reason").asString()).isEqualTo("work_completed");
    assertThat(report.path("scores")).hasSize(2);
    assertThat(report.at("/ledger/sound").asBoolean()).isTrue();
    assertThat(report.at("/ledger/pacts").asInt()).isEqualTo(4);
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }
}
