package dev.parlance.control.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.config.RoundsSettings.ReaderSettings;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.FakeEncoder;
import dev.parlance.control.testing.Kit;
import dev.parlance.onnx.testing.ClassifierFolder;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundDifference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rounds of a control plane with a reader of pairs, of which the classifier is a small one: it
 * holds that a pair with "hello" in it says the same and one with "zz" contradicts itself.
 */
final class PairReaderRoundsTest {
  private static final String NEAR = "1 The vendor may keep the log of this year.";
  private static final List<String> FREE =
      List.of(
          "1 Hello, holding on to last months' records is allowed for suppliers.",
          "1 Hello: nobody forbids whoever delivers to store old entries.",
          "1 Keeping protocols stays permitted, hello, on the selling side.",
          "1 Hello. Traders are free in retaining their files.");

  @TempDir private Path data;
  private Kit kit;
  private Council council;
  private String readerSha256 = "";

  @BeforeEach
  void start() throws IOException {
    Path folder = ClassifierFolder.at(data.resolve("reader"));
    readerSha256 = ClassifierFolder.sha256(folder, "manifest.json");
    RoundsSettings byDefault = RoundsSettings.DEFAULT;
    kit =
        Kit.start(
            Kit.config(data.resolve("plane"))
                .withRounds(
                    new RoundsSettings(
                        byDefault.encoder(),
                        byDefault.encoderThreads(),
                        byDefault.encoderQueue(),
                        byDefault.defaultDeadlineMs(),
                        byDefault.maxOpenRounds(),
                        byDefault.textRetentionDays(),
                        byDefault.agreement(),
                        byDefault.signatures(),
                        Optional.of(new ReaderSettings(folder, 60_000, 0.9)))),
            new FakeEncoder());
    council = kit.keep(Council.at(kit.plane));
  }

  @AfterEach
  void stop() {
    kit.assertLedgerAgrees();
    kit.close();
  }

  /** A round of seven, two of which may be faulty. */
  private Round round(String name, List<String> texts) {
    council.open(Council.seven(name).setAgreement("critical"));
    Round last = Round.getDefaultInstance();
    for (int i = 0; i < Council.SEVEN.size(); i++) {
      last =
          council
              .propose(name, Council.SEVEN.get(i), "approve", texts.get(i % texts.size()))
              .getRound();
    }
    return last;
  }

  @Test
  void freeWordingsThatFollowFromEachOther_areOneCore_andTheReaderStandsInTheRound() {
    Round round = round("reader/free", FREE);
    assertThat(round.getResult().getOutcome()).isEqualTo("semantic_commit");
    assertThat(round.getDifferencesList())
        .isNotEmpty()
        .extracting(RoundDifference::getKind)
        .containsOnly("entailed");
    assertThat(round.getReaderSha256().toByteArray())
        .asHexString()
        .isEqualToIgnoringCase(readerSha256);
  }

  @Test
  void freeWordingsThatItDoesNotJoin_endByTheVerdict() {
    Round round =
        round("reader/apart", FREE.stream().map(text -> text.replaceAll("(?i)hello", "")).toList());
    assertThat(round.getResult().getOutcome()).isEqualTo("verdict_commit");
    assertThat(round.getDifferencesList())
        .extracting(RoundDifference::getKind)
        .contains("other_wording")
        .doesNotContain("entailed");
  }

  @Test
  void whomItHoldsToContradictTheOthers_isInNoCoreWithThem() {
    Round same = round("reader/near", List.of(NEAR));
    assertThat(same.getResult().getCoreList()).hasSize(5);
    assertThat(same.getDifferencesList()).isEmpty();

    council.open(Council.seven("reader/veto").setAgreement("critical"));
    Round last = Round.getDefaultInstance();
    for (String agent : Council.SEVEN) {
      String text = agent.equals(Council.SEVEN.getFirst()) ? NEAR.replace(".", " (zz).") : NEAR;
      last = council.propose("reader/veto", agent, "approve", text).getRound();
    }
    assertThat(last.getResult().getOutcome()).isEqualTo("semantic_commit");
    assertThat(last.getResult().getCoreList()).doesNotContain(Council.SEVEN.getFirst());
    assertThat(last.getDifferencesList())
        .hasSize(6)
        .extracting(RoundDifference::getKind)
        .containsOnly("contradicted");
  }
}
