package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PactEntryTest {
  private static final String HEX = "ab".repeat(32);
  private static final String NOTE = "bm90ZQ==";
  private static final String BUYER = "org1/buyer";
  private static final String VKEY =
      "org1/buyer+33f8344e+AdiC2pDLQsHnSM1PNzBPcotkRVmV6IYm9Dy3jgvpIg8J";

  private static final String KEY =
      "{'type':'party_key','party':'org1/buyer','vkey':'VKEY','overlapMs':60000," + "'atMs':7}";
  private static final String TEMPLATE =
      "{'type':'pact_template','name':'support-enrich','version':2,'author':'org1/buyer',"
          + "'sha256':'HEX','note':'bm90ZQ==','atMs':7}";
  private static final String ATTESTED =
      "{'type':'pact_attested','pact':'p-1','sha256':'HEX','attester':'org1/buyer',"
          + "'note':'bm90ZQ==','atMs':7}";
  private static final String OBSERVED =
      "{'type':'pact_observed','pact':'p-1','observer':'org1/buyer','note':'bm90ZQ==',"
          + "'atMs':7}";
  private static final String WITHDRAWN =
      "{'type':'pact_dissolved','pact':'p-1','by':'org1/buyer','reason':'party_withdrew',"
          + "'responsible':'org1/buyer','note':'bm90ZQ==','atMs':7}";
  private static final String EXPIRED =
      "{'type':'pact_dissolved','pact':'p-1','by':'control','reason':'validity_expired',"
          + "'atMs':7}";
  private static final String REPORTED =
      "{'type':'pact_reported','negotiation':'n-1','reporter':'org1/buyer',"
          + "'note':'bm90ZQ==','atMs':7}";

  private static final Map<String, Entry> GOLDEN = golden();

  private static Map<String, Entry> golden() {
    Optional<String> note = Optional.of(NOTE);
    Map<String, Entry> golden = new LinkedHashMap<>();
    golden.put(KEY, new PactEntry.PartyKey(BUYER, VKEY, 60_000, 7));
    golden.put(TEMPLATE, new PactEntry.TemplatePut("support-enrich", 2, BUYER, HEX, NOTE, 7));
    golden.put(ATTESTED, new PactEntry.Attested("p-1", HEX, BUYER, NOTE, 7));
    golden.put(OBSERVED, new PactEntry.Observed("p-1", BUYER, NOTE, 7));
    golden.put(
        WITHDRAWN,
        new PactEntry.Dissolved("p-1", BUYER, "party_withdrew", Optional.of(BUYER), note, 7));
    golden.put(
        EXPIRED,
        new PactEntry.Dissolved(
            "p-1", "control", "validity_expired", Optional.empty(), Optional.empty(), 7));
    golden.put(REPORTED, new PactEntry.Reported("n-1", BUYER, NOTE, 7));
    return golden;
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"')
        .replace("HEX", HEX)
        .replace("VKEY", VKEY)
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void everyTypeIsWrittenInItsOneFormAndReadBack() {
    GOLDEN.forEach((text, entry) -> {
      assertThat(new String(EntryCodec.encode(entry), StandardCharsets.UTF_8))
          .isEqualTo(new String(json(text), StandardCharsets.UTF_8));
      assertThat(EntryCodec.decode(json(text))).isEqualTo(new EntryCodec.Decoded.Read(entry));
    });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "key of another        |'party':'org1/buyer'|'party':'org1/buyeR'|impossible_value",
        "key with another id   |VKEY|VKEY=|impossible_value",
        "key that is none      |'vkey':'VKEY'|'vkey':'key'|impossible_value",
        "overlap below 0       |60000|-1|impossible_value",
        "overlap above a day   |60000|86400001|impossible_value",
        "overlap as text       |60000|'1'|bad_member",
        "version 0             |'version':2|'version':0|impossible_value",
        "version of 64 bits    |'version':2|'version':2147483648|bad_member",
        "name with @           |support-enrich|support@enrich|impossible_value",
        "digest short          |'sha256':'HEX'|'sha256':'ab'|impossible_value",
        "note no base64        |bm90ZQ==|bm90Z*==|impossible_value",
        "note without pad      |bm90ZQ==|bm90ZQ|impossible_value",
        "note with end bits    |bm90ZQ==|bm90ZR==|impossible_value",
        "note missing          |'note':'bm90ZQ==','atMs'|'atMs'|bad_member",
        "pact no name          |p-1|p 1|impossible_value",
        "attester no name      |'attester':'org1/buyer'|'attester':''|impossible_value",
        "observer no name      |'observer':'org1/buyer'|'observer':'a@b'|impossible_value",
        "reason no code        |validity_expired|Validity|impossible_value",
        "responsible no name   |'responsible':'org1/buyer'|'responsible':''|impossible_value",
        "time below 0          |'atMs':7|'atMs':-7|impossible_value",
        "member too many       |'atMs':7|'x':1,'atMs':7|not_canonical",
        "blank                 |'atMs':7|'atMs': 7|not_canonical",
      })
  void anEntryInAnotherForm_isRefused(String what, String part, String other, String expected) {
    int changed = 0;
    for (String text : GOLDEN.keySet()) {
      if (text.contains(part) && !(what.startsWith("note missing") && text.equals(WITHDRAWN))) {
        assertThat(EntryCodec.decode(json(text.replace(part, other))))
            .as(text)
            .isEqualTo(new EntryCodec.Decoded.Unreadable(expected));
        changed++;
      }
    }
    assertThat(changed).isPositive();
  }
}
