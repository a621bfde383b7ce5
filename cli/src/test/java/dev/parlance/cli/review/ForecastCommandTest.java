package dev.parlance.cli.review;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForecastCommandTest {
  @TempDir Path folder = Path.of("");

  private static String line(String mode, String rule, String route, String reason, String action) {
    return """
    {"type":"decision","ts":"2026-11-22T10:00:00.125Z","id":"d","direction":"inbound",\
    "kind":"response","peer":"a","routeRule":"%s","mode":"%s","route":"%s","reasons":["%s"],\
    "action":"%s"}
    """
        .formatted(rule, mode, route, reason, action);
  }

  private Run forecast(String... more) {
    String[] all = new String[more.length + 3];
    all[0] = "forecast";
    all[1] = "--data-dir";
    all[2] = folder.toString();
    System.arraycopy(more, 0, all, 3, more.length);
    return Run.of(all);
  }

  @Test
  void whatWouldBeHeld_isCountedByRuleAndReason_overAllFiles() throws IOException {
    Files.writeString(
        folder.resolve("decisions-1.jsonl"),
        line("observe", "answers", "regenerate", "g_low", "forward")
            + line("observe", "answers", "execute", "ok", "forward")
            + "torn");
    Files.writeString(
        folder.resolve("decisions.jsonl"),
        line("observe", "answers", "regenerate", "g_low", "forward")
            + line("observe", "files", "execute", "unjudged", "forward_unjudged_content_type")
            + line("enforce", "answers", "yield", "budget", "hold"));

    Run run = forecast();

    assertThat(run.status()).isZero();
    assertThat(run.out()).startsWith("Enforcing would have held 3 of 4 messages (75.0 %).\n");
    assertThat(run.out().lines().toList().get(2))
        .matches(" *2 +answers +inbound +response +regenerate +g_low");
    assertThat(run.out().lines().toList().get(3))
        .matches(" *1 +files +inbound +response +refuse +unjudged_content_type");
    assertThat(forecast("-o", "json").out())
        .contains("\"observed\" : 4", "\"wouldHold\" : 3", "\"reason\" : \"g_low\"");
    assertThat(forecast("--rule", "files").out()).startsWith("Enforcing would have held 1 of 1");
  }

  @Test
  void whatACrashHasLeftOfALine_isPassedOver() throws IOException {
    byte[] whole = line("observe", "answers", "yield", "budget", "forward").getBytes(UTF_8);
    byte[] torn = {'{', '"', (byte) 0xc3, '\n', 0, (byte) 0xff, '\n', '[', ']', '\n'};
    byte[] all = Arrays.copyOf(torn, torn.length + whole.length);
    System.arraycopy(whole, 0, all, torn.length, whole.length);
    Files.write(folder.resolve("decisions.jsonl"), all);
    Run run = forecast();
    assertThat(run.status()).isZero();
    assertThat(run.out()).startsWith("Enforcing would have held 1 of 1 messages");
  }

  @Test
  void withoutObservedMessages_itSaysSo() throws IOException {
    Files.writeString(
        folder.resolve("decisions.jsonl"), line("enforce", "a", "yield", "x", "hold"));
    assertThat(forecast().out()).startsWith("No message was observed");
    assertThat(Run.of("forecast", "--data-dir", folder.resolve("no").toString()).status())
        .isNotZero();
  }
}
