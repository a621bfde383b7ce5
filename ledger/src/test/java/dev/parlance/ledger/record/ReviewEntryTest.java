package dev.parlance.ledger.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReviewEntryTest {
  private static final String DIGEST = Digest.of("text");

  private static Entry.ReviewDecided entry(String item, String... who) {
    return new Entry.ReviewDecided(
        "alice", item, DIGEST, "billing", Entry.ReviewDecided.Verdict.SEND_BACK, List.of(who), 7);
  }

  @Test
  void anEntry_hasOneForm_whichIsReadBack() {
    Entry.ReviewDecided entry = entry("r-1", "ann", "b\u00f6b \"x\"");
    String line =
        "{\"type\":\"review_decided\",\"agent\":\"alice\",\"item\":\"r-1\",\"textSha256\":\""
            + DIGEST
            + "\",\"route\":\"billing\",\"verdict\":\"send_back\",\"who\":[\"ann\",\"b\u00f6b"
            + " \\\"x\\\"\"],\"atMs\":7}";
    assertThat(new String(EntryCodec.encode(entry), UTF_8)).isEqualTo(line);
    assertThat(EntryCodec.decode(line.getBytes(UTF_8)))
        .isEqualTo(new EntryCodec.Decoded.Read(entry));
  }

  @ParameterizedTest
  @CsvSource({
    "alice, x-1, billing, ann",
    "alice, r-1, Billing, ann",
    "alice, r-1, billing, ''",
    "'a b', r-1, billing, ann"
  })
  void whatIsNone_isRefused(String agent, String item, String route, String who) {
    assertThatThrownBy(() ->
            new Entry.ReviewDecided(
                agent, item, DIGEST, route, Entry.ReviewDecided.Verdict.REJECT, List.of(who), 7))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nobody_thePersonTwice_andANameOfTwoLines_areRefused() {
    assertThatThrownBy(() -> entry("r-1")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> entry("r-1", "a", "a")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> entry("r-1", "a\nb")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsToldAgain_countsOnce() {
    LedgerState state = new LedgerState();
    assertThat(state.apply(0, entry("r-1", "ann"))).isEqualTo(new Applied.Counted());
    assertThat(state.apply(1, entry("r-1", "bob")))
        .isEqualTo(new Applied.Ignored(Applied.Cause.DUPLICATE));
    assertThat(state.review("alice", "r-1")).contains(entry("r-1", "ann"));
    assertThat(state.review("bob", "r-1")).isEmpty();
    for (int i = 2; i <= LedgerState.Reviews.MAX_ITEMS + 1; i++) {
      state.apply(i, entry("r-" + i, "ann"));
    }
    assertThat(state.review("alice", "r-1")).as("of the oldest nobody tells again").isEmpty();
  }

  @Test
  void bothVerifiers_readIt_andCountItOnce(@TempDir Path directory) throws Exception {
    PythonVerifier.assumePresent();
    List<byte[]> entries =
        List.of(
            EntryCodec.encode(entry("r-1", "ann", "b\u00f6b \"x\" \ud83d\ude00")),
            EntryCodec.encode(entry("r-2", "ann")),
            EntryCodec.encode(entry("r-1", "bob")));
    RecomputationReport report = RecomputationTest.recompute(entries);
    assertThat(report.disagreements()).isEmpty();
    assertThat(report.reviews()).isEqualTo(2);
    assertThat(report.duplicates()).isEqualTo(1);
    PythonVerifier python = new PythonVerifier(directory);
    Optional<String> key = Optional.of(ExportTest.KEY.verifier().format());
    assertThat(python.verify(python.export(entries), key).output())
        .contains("sound: ", ", 1 repeated,", ", 2 reviews");
    for (String bad :
        List.of("\"send_back\":\"shrug\"", "\"ann\":\"a\\tb\"", "\"billing\":\"B\"")) {
      String[] change = bad.split("(?<=\"):(?=\")", 2);
      List<byte[]> changed =
          List.of(new String(entries.get(1), UTF_8).replace(change[0], change[1]).getBytes(UTF_8));
      assertThat(RecomputationTest.recompute(changed).disagreementCount()).as(bad).isEqualTo(1);
      assertThat(python.verify(python.export(changed), key).status()).as(bad).isEqualTo(1);
    }
  }
}
