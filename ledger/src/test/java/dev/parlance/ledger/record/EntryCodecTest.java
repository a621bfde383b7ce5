package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.TermVerdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntryCodecTest {
  private static final String HEX = "ab".repeat(32);
  private static final CoreId CORE = new CoreId(List.of("alice", "bob"), "license");

  private static final Map<String, Entry> GOLDEN = golden();

  private static Map<String, Entry> golden() {
    Map<String, Entry> golden = new TreeMap<>();
    SortedMap<String, String> alternatives = new TreeMap<>(Map.of("notice", "derivative work"));
    List<Entry.PlanEvent> events = List.of(new Entry.PlanEvent("e:1", HEX));
    golden.put(
        ("{'type':'plan','plan':'p','revision':2,'agents':['alice','bob'],'domain':'license',"
            + "'terms':['derivative work','notice'],'alternatives':{'notice':'derivative work'},"
            + "'events':[{'pei':'e:1','sha256':'HEX'}],'tau':0.05,'delta':1.0E-4,'rhoMin':0.1,"
            + "'bound':'exact','multiplicity':'family','eventsPerTerm':60,'parts':0,'atMs':7}"),
        new Entry.Plan(
            "p",
            2,
            CORE,
            List.of("derivative work", "notice"),
            alternatives,
            events,
            new CertificationParams(0.05, 1e-4, 0.1, Bound.EXACT),
            Multiplicity.FAMILY,
            60,
            0,
            7));
    golden.put(
        "{'type':'plan_part','plan':'p','revision':2,'part':0,'terms':['élan'],'alternatives':{},"
            + "'events':[],'atMs':7}",
        new Entry.PlanPart("p", 2, 0, List.of("élan"), new TreeMap<>(), List.of(), 7));
    golden.put(
        "{'type':'audit_part','audit':'a','part':3,'terms':['notice'],'atMs':7}",
        new Entry.AuditPart("a", 3, List.of("notice"), 7));
    golden.put(
        "{'type':'opened','audit':'a','epoch':1,'plan':'p','revision':2,'kind':'recertify',"
            + "'terms':['notice'],'drawCommitment':'HEX','parts':0,'atMs':7}",
        new Entry.Opened("a", 1, "p", 2, Entry.Kind.RECERTIFY, List.of("notice"), HEX, 7));
    golden.put(
        "{'type':'taken_over','audit':'a','epoch':2,'atMs':7}", new Entry.TakenOver("a", 2, 7));
    golden.put(
        "{'type':'test','audit':'a','epoch':1,'agent':'bob','event':'e:1','term':'notice',"
            + "'verdict':'dissent','form':'plain','answerSha256':'HEX','atMs':7}",
        new Entry.Test(
            "a",
            1,
            "bob",
            "e:1",
            "notice",
            TermVerdict.DISSENT,
            Entry.Form.PLAIN,
            Optional.of(HEX),
            7));
    golden.put(
        "{'type':'test','audit':'a','epoch':1,'agent':'bob','event':'e:1','term':'notice',"
            + "'verdict':'neutral','form':'simulated','atMs':7}",
        new Entry.Test(
            "a",
            1,
            "bob",
            "e:1",
            "notice",
            TermVerdict.NEUTRAL,
            Entry.Form.SIMULATED,
            Optional.empty(),
            7));
    golden.put(
        "{'type':'unanswered','audit':'a','epoch':1,'agent':'bob','event':'e:1','term':'notice',"
            + "'reason':'timeout','atMs':7}",
        new Entry.Unanswered("a", 1, "bob", "e:1", "notice", "timeout", 7));
    golden.put(
        "{'type':'renegotiated','audit':'a','epoch':1,'term':'notice','entrenched':'bob',"
            + "'other':'alice','decidedEntrenched':9,'decidedOther':8,'reply':'adopt','atMs':7}",
        new Entry.Renegotiated("a", 1, "notice", "bob", "alice", 9, 8, "adopt", 7));
    golden.put(
        "{'type':'decided','audit':'a','epoch':1,'agents':['alice','bob'],'term':'notice',"
            + "'audited':60,'eligible':59,'contradictions':0,'unanswered':1,"
            + "'upper':0.049508,'coverage':0.5,'outcome':'certified','atMs':7}",
        decided(OptionalDouble.empty(), Entry.Outcome.CERTIFIED, Optional.empty()));
    golden.put(
        "{'type':'decided','audit':'a','epoch':1,'agents':['alice','bob'],'term':'notice',"
            + "'audited':60,'eligible':59,'contradictions':0,'unanswered':1,"
            + "'upper':0.049508,'coverage':0.5,'cusum':1.25,'outcome':'revoked',"
            + "'reason':'drift_detected','atMs':7}",
        decided(
            OptionalDouble.of(1.25),
            Entry.Outcome.REVOKED,
            Optional.of(RefusalReason.DRIFT_DETECTED)));
    golden.put(
        "{'type':'core_issued','audit':'a','epoch':1,'agents':['alice','bob'],'domain':'license',"
            + "'version':3,'ledgerSize':100,'certified':2,'certifiedSha256':'HEX',"
            + "'documentSha256':'HEX','atMs':7}",
        new Entry.CoreIssued("a", 1, CORE, 3, 100, 2, HEX, HEX, 7));
    golden.put(
        "{'type':'closed','audit':'a','epoch':1,'seed':'HEX','atMs':7}",
        new Entry.Closed("a", 1, HEX, Optional.empty(), 7));
    golden.put(
        "{'type':'closed','audit':'a','epoch':1,'seed':'HEX','failure':'events_exhausted','atMs':7}",
        new Entry.Closed("a", 1, HEX, Optional.of("events_exhausted"), 7));
    return golden;
  }

  private static Entry.Decided decided(
      OptionalDouble cusum, Entry.Outcome outcome, Optional<RefusalReason> reason) {
    return new Entry.Decided(
        "a",
        1,
        List.of("alice", "bob"),
        "notice",
        60,
        59,
        0,
        1,
        0.049508,
        0.5,
        cusum,
        outcome,
        reason,
        7);
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"').replace("HEX", HEX).getBytes(StandardCharsets.UTF_8);
  }

  private static String reason(byte[] bytes) {
    return switch (EntryCodec.decode(bytes)) {
      case EntryCodec.Decoded.Read(Entry entry) -> "read as " + entry;
      case EntryCodec.Decoded.Unreadable(String reason) -> reason;
    };
  }

  @Test
  void everyTypeIsWrittenInItsOneFormAndReadBack() {
    GOLDEN.forEach((text, entry) -> {
      assertThat(new String(EntryCodec.encode(entry), StandardCharsets.UTF_8))
          .isEqualTo(new String(json(text), StandardCharsets.UTF_8));
      assertThat(EntryCodec.decode(json(text))).isEqualTo(new EntryCodec.Decoded.Read(entry));
    });
  }

  @Test
  void anyByteChanged_isRefusedOrAnotherEntry_andNeverThrows() {
    Random random = new Random(5);
    GOLDEN.forEach((text, entry) -> {
      for (int i = 0; i < 300; i++) {
        byte[] bytes = json(text);
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        if (EntryCodec.decode(bytes) instanceof EntryCodec.Decoded.Read(Entry other)) {
          assertThat(other).isNotEqualTo(entry);
          assertThat(EntryCodec.encode(other)).isEqualTo(bytes);
        }
      }
    });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "B7 trailing garbage  "
            + " |{'type':'taken_over','audit':'a','epoch':2,'atMs':7}x|malformed_json",
        "B7 two roots         "
            + " |{'type':'taken_over','audit':'a','epoch':2,'atMs':7}{}|malformed_json",
        "B5 duplicate key     "
            + " |{'type':'taken_over','audit':'a','audit':'a','epoch':2,'atMs':7}|malformed_json",
        "B6 depth             "
            + " |{'type':'taken_over','audit':[[[[[[]]]]]],'epoch':2,'atMs':7}|malformed_json",
        "B6 long number       "
            + " |{'type':'taken_over','audit':'a','epoch':2,'atMs':700000000000000000000000000000000000}|malformed_json",
        "no object             |[1]|bad_member",
        "nothing               |~~|bad_member",
        "null                  |null|bad_member",
        "no type               |{'audit':'a'}|bad_member",
        "unknown type          |{'type':'taken_under','audit':'a','epoch':2,'atMs':7}|unknown_type",
        "missing member        |{'type':'taken_over','audit':'a','atMs':7}|bad_member",
        "number for text       |{'type':'taken_over','audit':1,'epoch':2,'atMs':7}|bad_member",
        "text for number       |{'type':'taken_over','audit':'a','epoch':'2','atMs':7}|bad_member",
        "fraction for number   |{'type':'taken_over','audit':'a','epoch':2.0,'atMs':7}|bad_member",
        "beyond 64 bits       "
            + " |{'type':'taken_over','audit':'a','epoch':9223372036854775808,'atMs':7}|bad_member",
        "unknown code         "
            + " |{'type':'test','audit':'a','epoch':1,'agent':'b','event':'e','term':'t','verdict':'yes','form':'plain','answerSha256':'HEX','atMs':7}|bad_member",
        "blank                 |{'type':'taken_over',"
            + " 'audit':'a','epoch':2,'atMs':7}|not_canonical",
        "other order           |{'type':'taken_over','epoch':2,'audit':'a','atMs':7}|not_canonical",
        "extra member         "
            + " |{'type':'taken_over','audit':'a','epoch':2,'atMs':7,'x':1}|not_canonical",
        "escape               "
            + " |{'type':'taken_over','audit':'\\u0061','epoch':2,'atMs':7}|not_canonical",
        "leading plus of zero "
            + " |{'type':'taken_over','audit':'a','epoch':2,'atMs':-0}|not_canonical",
        "epoch 0              "
            + " |{'type':'taken_over','audit':'a','epoch':0,'atMs':7}|impossible_value",
        "no id                "
            + " |{'type':'taken_over','audit':'','epoch':2,'atMs':7}|impossible_value",
        "B7 lone surrogate    "
            + " |{'type':'audit_part','audit':'a','part':0,'terms':['\\ud800'],'atMs':7}|impossible_value",
        "unsorted terms       "
            + " |{'type':'audit_part','audit':'a','part':0,'terms':['b','a'],'atMs':7}|impossible_value",
        "term that is no key  "
            + " |{'type':'audit_part','audit':'a','part':0,'terms':['Notice'],'atMs':7}|impossible_value",
        "answer of nobody     "
            + " |{'type':'test','audit':'a','epoch':1,'agent':'b','event':'e','term':'t','verdict':'assent','form':'simulated','answerSha256':'HEX','atMs':7}|impossible_value",
      })
  void whatIsNoEntry_isRefusedWithItsReason(String what, String text, String expected) {
    assertThat(reason(json(text))).as(what).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "1e999", "0.50", "5e-1", "1", "-1.0", "1.5"})
  void aNumberInAnotherForm_orOutOfItsRange_isRefused(String number) {
    String text =
        "{'type':'decided','audit':'a','epoch':1,'agents':['alice','bob'],'term':'notice',"
            + "'audited':60,'eligible':59,'contradictions':0,'unanswered':1,"
            + "'upper':"
            + number
            + ",'coverage':0.5,'outcome':'certified','atMs':7}";
    assertThat(EntryCodec.decode(json(text))).isInstanceOf(EntryCodec.Decoded.Unreadable.class);
  }

  @Test
  void B4_invalidUtf8_isRefused() {
    byte[] bytes = json("{'type':'taken_over','audit':'a','epoch':2,'atMs':7}");
    bytes[30] = (byte) 0xc0;
    assertThat(reason(bytes)).isEqualTo("not_utf8");
  }

  @Test
  void moreBytesThanAnEntryHas_areRefusedUnread() {
    assertThat(reason(new byte[EntryCodec.MAX_BYTES + 1])).isEqualTo("too_large");
  }

  @Test
  void aPlanOfAnySize_isCutIntoEntriesThatFit_andPutTogetherAgain() {
    List<String> terms = new ArrayList<>();
    SortedMap<String, String> alternatives = new TreeMap<>();
    for (int i = 0; i < CertifiedCore.MAX_TERMS; i++) {
      terms.add("vocabulary term %06d".formatted(i));
      if (i % 7 == 1) {
        alternatives.put(terms.get(i), terms.get(i - 1));
      }
    }
    Entry.Plan plan =
        new Entry.Plan(
            "p",
            1,
            CORE,
            terms,
            alternatives,
            LedgerWriter.pool("event-pool", 5000),
            CertificationParams.DEFAULT,
            Multiplicity.PER_TERM,
            60,
            0,
            7);
    assertThatThrownBy(() -> EntryCodec.encode(plan)).isInstanceOf(IllegalArgumentException.class);
    List<Entry> entries = EntryCodec.planEntries(plan);
    assertThat(entries).hasSizeGreaterThan(70);
    LedgerState state = new LedgerState();
    for (int i = 0; i < entries.size(); i++) {
      byte[] bytes = EntryCodec.encode(entries.get(i));
      assertThat(EntryCodec.decode(bytes)).isEqualTo(new EntryCodec.Decoded.Read(entries.get(i)));
      assertThat(state.apply(i, entries.get(i))).isEqualTo(Applied.COUNTED);
    }
    assertThat(state.plan("p", 1).orElseThrow().plan()).isEqualTo(plan);

    List<String> some = terms.subList(0, 150_000);
    Entry.Opened opened = new Entry.Opened("a", 1, "p", 1, Entry.Kind.CERTIFY, some, HEX, 8);
    List<Entry> opening = EntryCodec.openedEntries(opened);
    assertThat(opening).hasSizeGreaterThan(50);
    for (int i = 0; i < opening.size(); i++) {
      assertThat(EntryCodec.encode(opening.get(i)).length)
          .isLessThanOrEqualTo(EntryCodec.MAX_BYTES);
      assertThat(state.apply(entries.size() + i, opening.get(i))).isEqualTo(Applied.COUNTED);
    }
    assertThat(state.audit("a").orElseThrow().terms()).isEqualTo(some);
  }

  @Test
  void whatFits_isOneEntry() {
    Entry.Plan plan =
        new Entry.Plan(
            "p",
            1,
            CORE,
            List.of("notice"),
            LedgerWriter.pool("e", 3),
            CertificationParams.DEFAULT,
            Multiplicity.PER_TERM,
            2,
            7);
    assertThat(EntryCodec.planEntries(plan)).containsExactly(plan);
    Entry.Opened opened =
        new Entry.Opened("a", 1, "p", 1, Entry.Kind.CERTIFY, Collections.emptyList(), HEX, 8);
    assertThat(EntryCodec.openedEntries(opened)).containsExactly(opened);
  }
}
