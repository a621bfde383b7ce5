package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundEntryTest {
  private static final String HEX = "ab".repeat(32);
  private static final RoundId ID = new RoundId("claim/7", 2);

  private static final String OPENED =
      "{'type':'round_opened','round':'claim/7','epoch':2,'members':['bob','alice'],'faults':0,"
          + "'encoder':'enc','dim':2,'cosMin':0.94,'extraMargin':1,'fallback':'verdict',"
          + "'encoderSha256':'HEX','subjectSha256':'HEX','deadlineMs':9,'atMs':7}";
  private static final String OPENED_PLAIN =
      "{'type':'round_opened','round':'claim/7','epoch':2,'members':['bob'],'faults':5,"
          + "'encoder':'none','dim':0,'cosMin':1.0,'extraMargin':0,'fallback':'none',"
          + "'deadlineMs':9,'atMs':7}";
  private static final String PROPOSED =
      "{'type':'round_proposal','round':'claim/7','epoch':2,'agent':'bob','verdict':'supports',"
          + "'textSha256':'HEX','vector':'WoKlfg==','messageSha256':'HEX','route':'execute',"
          + "'decision':'d-1','atMs':7}";
  private static final String UNENCODED =
      "{'type':'round_proposal','round':'claim/7','epoch':2,'agent':'bob','verdict':'supports',"
          + "'textSha256':'HEX','fault':'unencoded','messageSha256':'HEX','route':'execute',"
          + "'decision':'d-1','atMs':7}";
  private static final String SEALED =
      "{'type':'round_sealed','round':'claim/7','epoch':2,'cause':'deadline','atMs':7}";
  private static final String SEMANTIC =
      "{'type':'round_decided','round':'claim/7','epoch':2,'outcome':'semantic_commit',"
          + "'verdict':'supports','delivered':4,'support':3,'runnerUp':1,'core':['alice','bob'],"
          + "'minCos':0.97,'digest':'HEX','documentSha256':'HEX','atMs':7}";
  private static final String VERDICT =
      "{'type':'round_decided','round':'claim/7','epoch':2,'outcome':'verdict_commit',"
          + "'verdict':'supports','delivered':4,'support':4,'runnerUp':0,'core':['alice','bob'],"
          + "'digest':'HEX','documentSha256':'HEX','atMs':7}";
  private static final String ABORT =
      "{'type':'round_decided','round':'claim/7','epoch':2,'outcome':'abort',"
          + "'reason':'VERDICT_TIE','delivered':4,'support':2,'runnerUp':2,'core':[],"
          + "'documentSha256':'HEX','atMs':7}";

  private static final Map<String, Entry> GOLDEN = golden();

  private static Map<String, Entry> golden() {
    Map<String, Entry> golden = new LinkedHashMap<>();
    golden.put(
        OPENED,
        new RoundEntry.Opened(
            ID,
            new RoundSpec(
                "claim/7:2", 0, List.of("bob", "alice"), new Encoding("enc", 2, 0.94), 1, true),
            Optional.of(HEX),
            Optional.of(HEX),
            9,
            7));
    golden.put(
        OPENED_PLAIN,
        new RoundEntry.Opened(
            ID,
            new RoundSpec("claim/7:2", 5, List.of("bob"), Encoding.none(), 0, false),
            Optional.empty(),
            Optional.empty(),
            9,
            7));
    QuantVector vector = QuantVector.of(new double[] {1, -1}, 2).orElseThrow();
    golden.put(PROPOSED, proposed(new Meaning.Vector(vector)));
    golden.put(UNENCODED, proposed(Meaning.UNENCODED));
    golden.put(UNENCODED.replace("unencoded", "malformed"), proposed(Meaning.MALFORMED));
    golden.put(SEALED, new RoundEntry.Sealed(ID, SealCause.DEADLINE, 7));
    golden.put(
        SEMANTIC,
        new RoundEntry.Decided(
            ID,
            "semantic_commit",
            Optional.empty(),
            Optional.of("supports"),
            4,
            3,
            1,
            List.of("alice", "bob"),
            OptionalDouble.of(0.97),
            Optional.empty(),
            Optional.of(HEX),
            Optional.empty(),
            HEX,
            7));
    golden.put(
        VERDICT,
        new RoundEntry.Decided(
            ID,
            "verdict_commit",
            Optional.empty(),
            Optional.of("supports"),
            4,
            4,
            0,
            List.of("alice", "bob"),
            OptionalDouble.empty(),
            Optional.empty(),
            Optional.of(HEX),
            Optional.empty(),
            HEX,
            7));
    golden.put(
        ABORT,
        new RoundEntry.Decided(
            ID,
            "abort",
            Optional.of("VERDICT_TIE"),
            Optional.empty(),
            4,
            2,
            2,
            List.of(),
            OptionalDouble.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            HEX,
            7));
    return golden;
  }

  private static RoundEntry.Proposed proposed(Meaning meaning) {
    return new RoundEntry.Proposed(ID, "bob", "supports", HEX, meaning, HEX, "execute", "d-1", 7);
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"').replace("HEX", HEX).getBytes(StandardCharsets.UTF_8);
  }

  private static String reason(String text) {
    return switch (EntryCodec.decode(json(text))) {
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
    Random random = new Random(6);
    GOLDEN.forEach((text, entry) -> {
      for (int i = 0; i < 500; i++) {
        byte[] bytes = json(text);
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        if (EntryCodec.decode(bytes) instanceof EntryCodec.Decoded.Read(Entry other)) {
          assertThat(other).isNotEqualTo(entry);
          assertThat(EntryCodec.encode(other)).isEqualTo(bytes);
        }
      }
    });
  }

  @Test
  void theLongestVectorFits() {
    double[] vector = new double[Encoding.MAX_DIM];
    Arrays.setAll(vector, i -> Math.sin(i));
    Meaning meaning = new Meaning.Vector(QuantVector.of(vector, Encoding.MAX_DIM).orElseThrow());
    RoundEntry.Proposed proposed = proposed(meaning);
    assertThat(EntryCodec.decode(EntryCodec.encode(proposed)))
        .isEqualTo(new EntryCodec.Decoded.Read(proposed));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "epoch 0               |'epoch':2|'epoch':0|impossible_value",
        "round that is no name |claim/7|claim 7|impossible_value",
        "member twice          |['bob','alice']|['bob','bob']|impossible_value",
        "no member             |['bob','alice']|[]|impossible_value",
        "member no name        |'alice'|'al ice'|impossible_value",
        "faults below 0        |'faults':0|'faults':-1|impossible_value",
        "cosMin beyond 1       |0.94|1.1|impossible_value",
        "cosMin -1             |0.94|-1.0|impossible_value",
        "dim beyond            |'dim':2|'dim':8193|impossible_value",
        "none with dim         |'enc','dim'|'none','dim'|impossible_value",
        "fallback unknown      |'verdict'|'maybe'|bad_member",
        "no encoder digest     |'encoderSha256':'HEX',||impossible_value",
        "digest in capitals    |'encoderSha256':'HEX'|'encoderSha256':'"
            + "ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB'|impossible_value",
        "cosMin as whole       |0.94|1|bad_member",
        "cosMin in other form  |0.94|0.940|not_canonical",
        "members as text       |['bob','alice']|'bob'|bad_member",
        "unknown member        |'deadlineMs'|'x':1,'deadlineMs'|not_canonical",
        "member missing        |'extraMargin':1,||bad_member",
        "deadline below 0      |'deadlineMs':9|'deadlineMs':-9|impossible_value",
      })
  void anOpeningInAnotherForm_isRefused(String what, String part, String other, String expected) {
    refused(OPENED, what, part, other, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "agent no name         |'bob'|'b ob'|impossible_value",
        "verdict no name       |'supports'|'sup ports'|impossible_value",
        "verdict empty         |'supports'|''|impossible_value",
        "text digest short     |'textSha256':'HEX'|'textSha256':'ab'|impossible_value",
        "vector not base64     |WoKlfg==|Wo*lfg==|bad_member",
        "vector url alphabet   |WoKlfg==|_oKlfg==|bad_member",
        "vector without pad    |WoKlfg==|WoKlfg|not_canonical",
        "vector trailing bits  |WoKlfg==|WoKlfh==|not_canonical",
        "vector of odd bytes   |WoKlfg==|WoKl|impossible_value",
        "vector of nothing     |WoKlfg==|~~|impossible_value",
        "vector of zeros       |WoKlfg==|AAAAAA==|impossible_value",
        "entry of -32768       |WoKlfg==|gACAAA==|impossible_value",
        "vector and fault      |'vector'|'fault':'malformed','vector'|not_canonical",
        "neither               |'vector':'WoKlfg==',||bad_member",
        "unknown fault         |'vector':'WoKlfg=='|'fault':'lost'|bad_member",
        "route no code         |'execute'|'Execute!'|impossible_value",
        "decision no name      |'d-1'|''|impossible_value",
        "vector as list        |'WoKlfg=='|[1,2]|bad_member",
      })
  void aProposalInAnotherForm_isRefused(String what, String part, String other, String expected) {
    refused(PROPOSED, what, part, "~~".equals(other) ? "" : other, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "outcome unknown       |'semantic_commit'|'commit'|impossible_value",
        "reason of a commit    |'verdict':|'reason':'VERDICT_TIE','verdict':|impossible_value",
        "verdict missing       |'verdict':'supports',||impossible_value",
        "digest missing        |'digest':'HEX',||impossible_value",
        "core empty            |['alice','bob']|[]|impossible_value",
        "core unsorted         |['alice','bob']|['bob','alice']|impossible_value",
        "core twice            |['alice','bob']|['bob','bob']|impossible_value",
        "support above all     |'support':3|'support':5|impossible_value",
        "runner-up in front    |'runnerUp':1|'runnerUp':4|impossible_value",
        "more than delivered   |'runnerUp':1|'runnerUp':2|impossible_value",
        "more than any round   |'delivered':4|'delivered':17|impossible_value",
        "below 0               |'runnerUp':1|'runnerUp':-1|impossible_value",
        "minCos missing        |'minCos':0.97,||impossible_value",
        "minCos beyond         |0.97|1.5|impossible_value",
        "minCos of a verdict   |'semantic_commit'|'verdict_commit'|impossible_value",
        "document missing      |'documentSha256':'HEX',||bad_member",
      })
  void aDecisionInAnotherForm_isRefused(String what, String part, String other, String expected) {
    refused(SEMANTIC, what, part, other, expected);
  }

  @Test
  void anAbortWithACommitsMembers_orWithoutReason_isRefused() {
    refused(ABORT, "unknown reason", "VERDICT_TIE", "BORED", "impossible_value");
    refused(ABORT, "no reason", "'reason':'VERDICT_TIE',", "", "impossible_value");
    refused(
        ABORT, "digest", "'documentSha256'", "'digest':'HEX','documentSha256'", "impossible_value");
    refused(SEALED, "cause", "deadline", "bored", "bad_member");
  }

  private static void refused(
      String text, String what, String part, String other, String expected) {
    String changed = text.replace(part, other == null ? "" : other);
    assertThat(changed).as(what).isNotEqualTo(text);
    assertThat(reason(changed)).as(what).isEqualTo(expected);
  }

  @Test
  void aSpecOfAnotherRound_isRefused() {
    assertThatThrownBy(() ->
            new RoundEntry.Opened(
                new RoundId("claim/7", 3),
                new RoundSpec("claim/7:2", 0, List.of("bob"), new Encoding("enc", 2, 0.5), 1, true),
                Optional.of(HEX),
                Optional.empty(),
                9,
                7))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
