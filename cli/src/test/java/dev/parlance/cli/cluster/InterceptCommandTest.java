package dev.parlance.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterceptCommandTest {
  @TempDir Path folder = Path.of("");

  @Test
  void apply_asTheInitStepCallsIt_givesNftTheWholeScript() throws IOException {
    Path script = folder.resolve("script");
    Path nft = nft("cat >" + script);
    Run run =
        Run.of(
            "intercept",
            "apply",
            "--inbound-port",
            "15006",
            "--outbound-port",
            "15001",
            "--uid",
            "2717",
            "--exclude-inbound-ports",
            "1,2",
            "--exclude-outbound-ports",
            "3",
            "--exclude-uids",
            "1000",
            "--dns",
            "10.0.0.1,fd00::1",
            "--nft",
            nft.toString());
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(Files.readString(script))
        .contains("tcp dport { 1, 2, 15020 } return")
        .contains("tcp dport { 3 } return")
        .contains("meta skuid { 1000, 2717 } return")
        .contains("ip daddr { 10.0.0.1 } tcp dport 53 return");
    assertThat(run.out()).startsWith("intercepted: incoming to 15006 but for ports [1, 2, 15020]");
  }

  @Test
  void show_printsWhatApplyWouldDo_andRunsNothing() {
    Run run = Run.of("intercept", "show", "--dns", "", "--exclude-inbound-ports", "");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .startsWith("add table inet parlance\ndelete table inet parlance\n")
        .contains("meta l4proto tcp redirect to :15006", "meta l4proto tcp redirect to :15001");
  }

  @Test
  void remove_takesTheTableAway_alsoWhereThereIsNone() throws IOException {
    Path script = folder.resolve("script");
    Run run = Run.of("intercept", "remove", "--nft", nft("cat >" + script).toString());
    assertThat(run.status()).isZero();
    assertThat(Files.readString(script))
        .isEqualTo("add table inet parlance\ndelete table inet parlance\n");
  }

  @Test
  void nftThatFails_failsTheStep_withItsWords() throws IOException {
    Path nft = nft("cat >/dev/null; echo 'Error: Operation not permitted' >&2; exit 1");
    Run run = Run.of("intercept", "apply", "--dns", "10.0.0.1", "--nft", nft.toString());
    assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
    assertThat(run.err())
        .contains("nft failed with status 1: Error: Operation not permitted")
        .contains("needs the capability NET_ADMIN");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void nftThatReadsNothing_failsTheStep() throws IOException {
    Run run = Run.of("intercept", "apply", "--dns", "", "--nft", nft("exit 3").toString());
    assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
    assertThat(run.err()).contains("nft failed with status 3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--exclude-inbound-ports|1;2|--exclude-inbound-ports: expected numbers with commas",
        "--exclude-inbound-ports|0|excluded inbound port: expected 1 to 65535, got 0",
        "--exclude-outbound-ports|99999999999|expected numbers with commas between them",
        "--exclude-outbound-ports|9999999999|--exclude-outbound-ports: 9999999999 is too large",
        "--exclude-uids|-1|expected numbers with commas between them, got -1",
        "--exclude-uids|4294967295|user: expected 0 to 4294967294, got 4294967295",
        "--dns|dns.example|--dns: expected addresses with commas between them, got dns.example",
        "--inbound-port|15001|expected two ports, got 15001 for both",
      })
  void wrongValue_isAUsageError_beforeAnythingIsRun(String option, String value, String words) {
    Run run = Run.of("intercept", "apply", "--nft", "/nonexistent", option + "=" + value);
    assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(run.err()).contains(words);
  }

  private Path nft(String body) throws IOException {
    Path file = folder.resolve("nft");
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
