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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The demonstration of coined terms with real sidecars and a real control plane. */
@Tag("long")
@Timeout(300)
class LexiconDemoIT {
  @TempDir Path workDir;

  @Test
  void everyTerm_comesToWhatItHasTo_andTheLedgerSaysTheSame() {
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
            .run(Demo.Show.LEXICON);
    assertThat(status).as("%s%n%s", out, err).isZero();
    JsonNode report = A2a.JSON.readTree(out.toString(StandardCharsets.UTF_8));
    assertThat(report.path("ok").asBoolean()).isTrue();
    assertThat(report.at("/with/verdicts")).isEqualTo(report.at("/without/verdicts"));
    assertThat(report.at("/with/messages")).isEqualTo(report.at("/without/messages"));
    assertThat(tokens(report, "with")).isLessThan(tokens(report, "without"));
    assertThat(report.at("/without/shown").asInt()).isZero();
    assertThat(report.at("/with/shown").asInt()).isPositive();
    assertThat(report.at("/board/terms").valueStream().map(one -> one.path("term").asString("")))
        .containsExactlyInAnyOrder(
            "must-follow path", "open gap", "contradiction path", "linkvoid");
    JsonNode promoted = term(report, "open gap");
    assertThat(promoted.path("version").asInt()).isEqualTo(2);
    assertThat(promoted.path("status").asString("")).isEqualTo("active");
    JsonNode leaked = term(report, "linkvoid");
    assertThat(leaked.path("visibility").asString("")).isEqualTo("faction:chambers");
    assertThat(leaked.path("leaked").asBoolean()).isTrue();
    assertThat(report.at("/board/metrics/cross_speaker").asInt()).isEqualTo(4);
    assertThat(report.path("rejected").properties())
        .extracting(one -> one.getKey() + " " + one.getValue().asInt())
        .containsExactly("blocked 1", "not_used 1");
    assertThat(report.path("orders").valueStream().map(one -> one.path("passed").asBoolean()))
        .containsExactly(false, true);
    assertThat(report.at("/orders/0/reasons/0").asString("")).isEqualTo("term_uncertified");
    assertThat(report.at("/ledger/sound").asBoolean()).isTrue();
    assertThat(report.at("/ledger/boards").asInt()).isEqualTo(1);
    assertThat(report.at("/ledger/terms").asInt()).isEqualTo(4);
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }

  private static int tokens(JsonNode report, String which) {
    return report.path(which).path("tokens").valueStream().mapToInt(JsonNode::asInt).sum();
  }

  private static JsonNode term(JsonNode report, String name) {
    return report
        .at("/board/terms")
        .valueStream()
        .filter(one -> one.path("term").asString("").equals(name))
        .findFirst()
        .orElseThrow();
  }
}
