package dev.parlance.wire.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a statement on a round says, wherever it stands. */
class RoundReaderTest {
  private static final String HASH = "0f".repeat(32);
  private static final String NOTE = "parlance-outcome-1\\n{}\\n\\n\\u2014 control AQID\\n";

  private static RoundMark read(String json) {
    return switch (JsonScanner.scan(Wire.bytes(json), JsonScanner.Limits.DEFAULT)) {
      case JsonScanner.Scanned(JsonDocument document) ->
          RoundReader.read(document, document.root());
      case JsonScanner.Refused refused -> throw new AssertionError(refused.detail());
    };
  }

  @Test
  void wholeProposal_isRead() {
    assertThat(
            read(
                "{\"round\":\"r/1\",\"epoch\":2,\"verdict\":\"YES\",\"rationale\":\"It says so.\","
                    + "\"subjectSha256\":\""
                    + HASH
                    + "\",\"wait\":true,\"note\":7}"))
        .isEqualTo(
            new RoundMark.Proposal(
                new RoundId("r/1", 2), "YES", Optional.of("It says so."), Optional.of(HASH), true));
  }

  @Test
  void smallestProposal_isOfTheFirstEpoch_andDoesNotWait() {
    assertThat(read("{\"round\":\"r\",\"verdict\":\"NO\",\"outcome\":null,\"wait\":null}"))
        .isEqualTo(
            new RoundMark.Proposal(
                new RoundId("r", 1), "NO", Optional.empty(), Optional.empty(), false));
  }

  @Test
  void claim_isRead_alsoInTheFormThatSidecarsWrite() {
    RoundStatus status =
        new RoundStatus(
            new RoundId("r", 3),
            "decided",
            0,
            Optional.of(
                new RoundStatus.Ended(
                    "semantic_commit",
                    Optional.empty(),
                    Optional.of("YES"),
                    Optional.of(HASH),
                    "parlance-outcome-1\n{}\n\n\u2014 control AQID\n")));
    RoundMark.Claim expected =
        new RoundMark.Claim(
            new RoundId("r", 3),
            "semantic_commit",
            Optional.empty(),
            Optional.of("YES"),
            Optional.of(HASH),
            Optional.of("parlance-outcome-1\n{}\n\n\u2014 control AQID\n"));
    assertThat(read(VerdictJson.round(status))).isEqualTo(expected);
    assertThat(
            read(
                "{\"epoch\":3,\"round\":\"r\",\"outcome\":{\"kind\":\"semantic_commit\","
                    + "\"verdict\":\"YES\",\"digest\":\""
                    + HASH
                    + "\",\"note\":\""
                    + NOTE
                    + "\"}}"))
        .isEqualTo(expected);
  }

  @Test
  void claimOfAnAbort_needsNoVerdict() {
    assertThat(
            read("{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\",\"reason\":\"VERDICT_TIE\"}}"))
        .isEqualTo(
            new RoundMark.Claim(
                new RoundId("r", 1),
                "abort",
                Optional.of("VERDICT_TIE"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "{\"round\":\"r\",\"epoch\":1,\"state\":\"decided\",\"leftMs\":0}",
        "{\"round\":7}"
      })
  void statusAlone_saysNothing(String json) {
    assertThat(read(json)).isEqualTo(RoundMark.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|not an object",
        "\"r\"|not an object",
        "{\"round\":\"r\",\"verdict\":\"Y\",\"outcome\":{\"kind\":\"abort\"}}|both verdict and",
        "{\"round\":\"r\",\"Verdict\":\"Y\"}|member verdict is spelt",
        "{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\"},\"VERDICT\":\"Y\"}|member verdict is",
        "{\"verdict\":\"Y\"}|round is not the name",
        "{\"round\":\"\",\"verdict\":\"Y\"}|round is not the name",
        "{\"round\":\"a b\",\"verdict\":\"Y\"}|round is not the name",
        "{\"round\":1,\"verdict\":\"Y\"}|round is not a string",
        "{\"round\":\"r\",\"verdict\":[\"Y\"]}|verdict is not a string",
        "{\"round\":\"r\",\"verdict\":\"Y\",\"epoch\":0}|epoch is not",
        "{\"round\":\"r\",\"verdict\":\"Y\",\"epoch\":-1}|epoch is not",
        "{\"round\":\"r\",\"verdict\":\"Y\",\"epoch\":1.0}|epoch is not",
        "{\"round\":\"r\",\"verdict\":\"Y\",\"epoch\":1e0}|epoch is not",
        "{\"round\":\"r\",\"verdict\":\"Y\",\"epoch\":\"1\"}|epoch is not",
        "{\"round\":\"r\",\"verdict\":\"Y\",\"epoch\":1000000000000000}|epoch is not",
        "{\"round\":\"r\",\"verdict\":\"Y\",\"rationale\":{}}|rationale is not a string",
        "{\"round\":\"r\",\"verdict\":\"Y\",\"wait\":\"true\"}|wait is not a boolean",
        "{\"round\":\"r\",\"verdict\":\"Y\",\"subjectSha256\":\"ab\"}|subjectSha256 is not the",
        "{\"round\":\"r\",\"outcome\":\"semantic_commit\"}|outcome is not an object",
        "{\"round\":\"r\",\"outcome\":{}}|the outcome has no kind",
        "{\"round\":\"r\",\"outcome\":{\"kind\":1}}|kind is not a string",
        "{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\",\"Digest\":\"x\"}}|the outcome has a"
            + " member",
        "{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\",\"support\":7}}|the outcome has a member",
        "{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\"},\"core\":[]}|the claim has a member",
        "{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\"},\"state\":\"open\"}|has not ended",
        "{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\"},\"state\":1}|state is not a string",
        "{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\",\"digest\":1}}|digest is not a string",
        "{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\",\"reason\":1}}|reason is not a string",
        "{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\",\"note\":\"Trust me.\"}}|note is not a",
      })
  void whatCannotBeRead_isSaidSo(String json, String why) {
    assertThat(read(json)).isInstanceOf(RoundMark.Unreadable.class);
    assertThat(((RoundMark.Unreadable) read(json)).detail()).contains(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "parlance-outcome-1\n{\"a\":\"two words\"}\n\n\u2014 c AQID\n",
        "parlance-outcome-1\n{}\n\nPlease approve this.\n",
        "parlance-outcome-1\n{}\n\n\u2014 c AQID",
        "parlance-outcome-1\n{}\n",
        "parlance-outcome-2\n{}\n\n\u2014 c AQID\n",
        "parlance-outcome-1\nfree\n\n\u2014 c AQID\n",
        ""
      })
  void wordsAreNoNote(String text) {
    assertThat(RoundReader.isNote(dev.parlance.policy.text.Utf8Span.of(text))).isFalse();
  }
}
