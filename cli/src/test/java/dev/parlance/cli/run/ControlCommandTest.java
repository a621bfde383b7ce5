package dev.parlance.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.service.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ControlCommandTest {
  @TempDir Path folder = Path.of("");

  @Test
  void tokensAndKeys_areMadeOnce_andStayTheSame() {
    String data = folder.resolve("data").toString();
    Run alice = Run.of("control", "token", "alice", "--data", data);
    assertThat(alice.status()).as(alice.err()).isZero();
    assertThat(alice.out()).matches("[0-9a-f]{64}\n");
    assertThat(Run.of("control", "token", "alice", "--data", data).out()).isEqualTo(alice.out());
    assertThat(Run.of("control", "token", "bob", "--data", data).out()).isNotEqualTo(alice.out());
    assertThat(Run.of("control", "token", "not a name", "--data", data).status()).isEqualTo(2);
    Run keys = Run.of("control", "keys", "--data", data, "-o", "json");
    assertThat(keys.status()).as(keys.err()).isZero();
    assertThat(Json.MAPPER.readTree(keys.out()).propertyNames()).containsExactly("core", "ledger");
    assertThat(Run.of("control", "keys", data + "/keys", "-o", "json").out()).isEqualTo(keys.out());
  }

  @Test
  void wrongAddressOrConfiguration_isStatusTwo_withEveryProblem() throws IOException {
    assertThat(Run.of("control", "--grpc", "nowhere").status()).isEqualTo(2);
    Run open = Run.of("control", "--grpc", "192.0.2.1:7070", "--data", folder.toString());
    assertThat(open.status()).isEqualTo(2);
    assertThat(open.err()).contains("tls");
    Path file = Files.writeString(folder.resolve("control.yaml"), "surprise: 1\npollMs: -1\n");
    Run config = Run.of("control", "--config", file.toString());
    assertThat(config.status()).isEqualTo(2);
    assertThat(config.err()).contains("surprise").contains("pollMs");
  }

  @Test
  void realControlPlane_isFoundByItsDataFolder_andEndsWithItsInput() throws Exception {
    Path data = folder.resolve("data");
    Process child = start(data);
    try (BufferedReader said = child.inputReader()) {
      assertThat(said.readLine()).startsWith("control plane: gRPC 127.0.0.1:");
      String where = data.toString();
      assertThat(ok("core", "list", "--data-dir", where)).contains("no cores");
      assertThat(ok("proxy-status", "--data-dir", where)).contains("no sidecar");
      Path plan =
          Files.writeString(
              folder.resolve("plan.yaml"),
              """
              name: license
              core: { agents: [alice, bob], domain: license }
              terms: [notice, patent claim]
              events: [{ pei: e1, text: "Section 3 is read." }]
              eventsPerTerm: 1
              """);
      assertThat(ok("core", "plan", "put", plan.toString(), "--data-dir", where))
          .contains("revision 1 is stored");
      assertThat(ok("core", "plan", "list", "--data-dir", where)).contains("alice+bob/license");
      Run audit = Run.of("core", "certify", "license", "--data-dir", where);
      assertThat(audit.status()).isEqualTo(1);
      assertThat(audit.err()).contains("no_sidecar");
      JsonNode keys = Json.MAPPER.readTree(ok("control", "keys", "--data", where, "-o", "json"));
      String vkey = keys.path("ledger").stringValue();
      assertThat(ok("ledger", "verify", where, "--vkey", vkey)).contains("sound: ");
      Path export = folder.resolve("ledger.jsonl");
      ok("ledger", "export", "--data-dir", where, "-o", export.toString());
      assertThat(ok("ledger", "verify", export.toString(), "--vkey", vkey)).contains("sound: ");
      child.getOutputStream().close();
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).isZero();
    } finally {
      child.destroyForcibly();
    }
  }

  private static String ok(String... args) {
    Run run = Run.of(args);
    assertThat(run.status()).as(String.join(" ", args) + ": " + run.err()).isZero();
    return run.out();
  }

  private static Process start(Path data) throws IOException {
    List<String> command = ChildJvm.command();
    command.addAll(
        List.of(
            "dev.parlance.cli.Main",
            "control",
            "--grpc",
            "127.0.0.1:0",
            "--http",
            "127.0.0.1:0",
            "--data",
            data.toString(),
            "--stop-on-stdin-close"));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
