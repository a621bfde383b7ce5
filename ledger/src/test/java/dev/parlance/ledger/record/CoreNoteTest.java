package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.CoreNote.CoreFault;
import dev.parlance.ledger.record.CoreNote.CoreReading;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoreNoteTest {
  private static final SignerKey KEY =
      SignerKey.fromSeed("core.example", KeyType.ED25519, new byte[32]);
  private static final SignerKey OTHER = SignerKey.generate("core.example", KeyType.ED25519);

  private static final CertifiedCore CORE =
      new CertifiedCore(
          List.of("alice", "bob"),
          "license",
          3,
          1_750_000_000_000L,
          new CertificationParams(0.05, 0.05, 0.1, Bound.EXACT),
          List.of(
              new GovernedTerm("derivative work", TermStatus.CERTIFIED, Optional.empty()),
              new GovernedTerm("notice", TermStatus.REVOKED, Optional.of("derivative work"))),
          120);

  private static final String DOCUMENT =
      "{'agents':['alice','bob'],'domain':'license','version':3,'issuedAtMs':1750000000000,"
          + "'tau':0.05,'delta':0.05,'rhoMin':0.1,'bound':'exact','ledgerSize':120,'terms':["
          + "{'key':'derivative work','status':'certified'},"
          + "{'key':'notice','status':'revoked','alternative':'derivative work'}]}";

  private static byte[] signed(String document) {
    return Note.sign("parlance-core-1\n" + document.replace('\'', '"') + "\n", KEY).bytes();
  }

  private static String fault(byte[] note) {
    return switch (CoreNote.read(note, List.of(KEY.verifier()))) {
      case CoreReading.Good good -> "read as " + good.core();
      case CoreReading.Refused refused -> refused.fault().code();
    };
  }

  @Test
  void aCoreHasOneText_andIsReadBackWithItsDigest() {
    String text = "parlance-core-1\n" + DOCUMENT.replace('\'', '"') + "\n";
    assertThat(CoreNote.text(CORE)).isEqualTo(text);
    assertThat(CoreNote.read(CoreNote.sign(CORE, KEY), List.of(KEY.verifier())))
        .isEqualTo(new CoreReading.Good(CORE, Digest.of(text)));
    assertThat(CoreNote.documentSha256(CORE)).isEqualTo(Digest.of(text));
  }

  @Test
  void C4_withoutSignature_orOfAForeignKey_isRefused() {
    byte[] unsigned = CoreNote.text(CORE).getBytes(StandardCharsets.UTF_8);
    assertThat(fault(unsigned)).isEqualTo("unsigned");
    assertThat(fault(CoreNote.sign(CORE, OTHER))).isEqualTo("foreign_signature");
    assertThat(CoreNote.read(CoreNote.sign(CORE, KEY), List.of()))
        .isInstanceOfSatisfying(
            CoreReading.Refused.class,
            refused -> assertThat(refused.fault()).isEqualTo(CoreFault.FOREIGN_SIGNATURE));
  }

  @Test
  void C4_aChangedTextUnderAGoodSignature_isRefused() {
    String note = new String(CoreNote.sign(CORE, KEY), StandardCharsets.UTF_8);
    byte[] changed = note.replace("revoked", "certified").getBytes(StandardCharsets.UTF_8);
    assertThat(fault(changed)).isEqualTo("foreign_signature");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "tau 0                 |'tau':0.05|'tau':0.0|impossible",
        "tau 1                 |'tau':0.05|'tau':1|impossible",
        "tau NaN               |'tau':0.05|'tau':NaN|impossible",
        "tau beyond doubles    |'tau':0.05|'tau':1e999|impossible",
        "delta above a half    |'delta':0.05|'delta':0.6|impossible",
        "version 0             |'version':3|'version':0|impossible",
        "one agent             |['alice','bob']|['alice']|impossible",
        "agents unsorted       |['alice','bob']|['bob','alice']|impossible",
        "agent that is no name |'alice'|'al ice'|impossible",
        "term that is no key   |'key':'derivative work'|'key':'Derivative Work'|impossible",
        "tau in another form   |'tau':0.05|'tau':0.050|malformed",
        "tau as text           |'tau':0.05|'tau':'0.05'|malformed",
        "unknown member        |'domain'|'extra':1,'domain'|malformed",
        "unknown member at end |}]}|}],'extra':1}|malformed",
        "duplicate member      |'tau':0.05|'tau':0.05,'tau':0.05|malformed",
        "member missing        |'tau':0.05,||malformed",
        "other order           |'tau':0.05,'delta':0.05|'delta':0.05,'tau':0.05|malformed",
        "terms unsorted        |'key':'derivative work'|'key':'zebra'|malformed",
        "term twice            |'key':'derivative work'|'key':'notice'|malformed",
        "unknown status        |'status':'revoked'|'status':'blessed'|malformed",
        "unknown bound         |'bound':'exact'|'bound':'guess'|malformed",
        "blank                 |{'agents'|{ 'agents'|malformed",
        "garbage behind        |}]}|}]}{}|malformed",
        "version too large     |'version':3|'version':9223372036854775808|malformed",
        "cut                   |}]}|}]|malformed",
      })
  void C4_aSignedLie_isRefusedWithItsReason(
      String what, String part, String changed, String expected) {
    String lie = DOCUMENT.replace(part, changed == null ? "" : changed);
    assertThat(lie).as(what).isNotEqualTo(DOCUMENT);
    assertThat(fault(signed(lie))).as(what).isEqualTo(expected);
  }

  @Test
  void C4_anotherDocumentUnderTheKey_isRefused() {
    assertThat(fault(Note.sign("log.example\n3\nAAAA\n", KEY).bytes())).isEqualTo("malformed");
  }

  @Test
  void C4_moreTermsThanAnyCoreHas_areRefused() {
    String document = DOCUMENT.replace('\'', '"');
    StringBuilder terms = new StringBuilder();
    for (int i = 0; i <= CertifiedCore.MAX_TERMS; i++) {
      terms
          .append(i == 0 ? "" : ",")
          .append("{\"key\":\"t%06d\",\"status\":\"refused\"}".formatted(i));
    }
    String begin = document.substring(0, document.indexOf("\"terms\":[") + "\"terms\":[".length());
    assertThat(fault(signed(begin + terms + "]}"))).isEqualTo("too_large");
    assertThat(fault(new byte[CoreNote.MAX_BYTES + 1])).isEqualTo("too_large");
  }

  @Test
  void C4_anySignedChangeOfAByte_isRefused_orAnotherCoreWithThatText() {
    Random random = new Random(9);
    for (int i = 0; i < 3000; i++) {
      char[] document = DOCUMENT.replace('\'', '"').toCharArray();
      document[random.nextInt(document.length)] = (char) (' ' + random.nextInt(95));
      String changed = new String(document);
      byte[] note = Note.sign("parlance-core-1\n" + changed + "\n", KEY).bytes();
      if (CoreNote.read(note, List.of(KEY.verifier())) instanceof CoreReading.Good good) {
        assertThat(CoreNote.text(good.core())).isEqualTo("parlance-core-1\n" + changed + "\n");
      }
    }
  }

  @Test
  void aCoreOfManyTerms_isReadInTime() {
    List<GovernedTerm> terms = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      terms.add(
          new GovernedTerm(
              "vocabulary term %06d".formatted(i), TermStatus.CERTIFIED, Optional.empty()));
    }
    CertifiedCore core =
        new CertifiedCore(CORE.agents(), "license", 1, 0, CertificationParams.DEFAULT, terms, 100);
    byte[] note = CoreNote.sign(core, KEY);
    // Time on the processor, since other builds may share the machine.
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long begin = threads.getCurrentThreadCpuTime();
      CoreReading reading = CoreNote.read(note, List.of(KEY.verifier()));
      best = Math.min(best, threads.getCurrentThreadCpuTime() - begin);
      assertThat(reading).isEqualTo(new CoreReading.Good(core, CoreNote.documentSha256(core)));
    }
    assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofSeconds(1));
  }
}
