package dev.parlance.policy.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GovernedTermsTest {
  private static final HeldCore HELD =
      new HeldCore(
          "license",
          Optional.of("bob"),
          CoreState.FRESH,
          List.of(new CoreVersion(new CoreId(List.of("alice", "bob"), "license"), 3)),
          7);

  @Test
  void theGuardCountsEachTermOnce_byWhereItStands_andNamesTheOffendingOnes() {
    GovernedTerms terms =
        GovernedTerms.of(
            core(
                "bob",
                "certified:notice",
                "certified:patent claim",
                "refused:patent:patent claim",
                "revoked:liability:warranty", // not certified itself, so no advice
                "untested:warranty"),
            1);
    CoreFindings findings =
        check(terms, "Patent, notice; LIABILITY, patent, warranty; a patent-claim and a Notice.");
    assertThat(findings.certified()).isEqualTo(2);
    assertThat(findings.unknown()).isEqualTo(2);
    assertThat(findings.revoked()).isEqualTo(1);
    assertThat(findings.checked()).isEqualTo(5);
    assertThat(findings.offending())
        .containsExactly(
            new CoreFindings.Offence("patent", TermStatus.REFUSED, Optional.of("patent claim")),
            new CoreFindings.Offence("liability", TermStatus.REVOKED, Optional.empty()),
            new CoreFindings.Offence("warranty", TermStatus.UNTESTED, Optional.empty()));
  }

  @Test
  void manyOffendingTerms_areCountedExactly_andTheFirstTenAreNamed() {
    String[] terms =
        IntStream.range(0, 30)
            .mapToObj("%02d"::formatted)
            .map(i -> "refused:t" + i)
            .toArray(String[]::new);
    GovernedTerms governed = GovernedTerms.of(core("bob", terms), 1);
    List<String> words = IntStream.range(0, 30).mapToObj("t%02d"::formatted).toList();
    CoreFindings findings = check(governed, String.join(" ", words));
    assertThat(findings.unknown()).isEqualTo(30);
    assertThat(findings.offending().stream().map(CoreFindings.Offence::term))
        .containsExactlyElementsOf(words.subList(0, CoreFindings.MAX_OFFENDING));
  }

  @Test
  void ofSeveralCores_aTermStandsAsBadlyAsInAnyThatHasIt() {
    GovernedTerms terms =
        GovernedTerms.worstOf(
            List.of(
                core("bob", "certified:a", "certified:b", "certified:c", "untested:d:a"),
                core("carol", "certified:a", "refused:b:a", "revoked:c", "refused:d", "untested:e"),
                core("dave", "revoked:b", "untested:c:b")),
            1);
    Map<String, TermStatus> statuses = new TreeMap<>();
    Map<String, String> alternatives = new TreeMap<>();
    for (int i = 0; i < terms.size(); i++) {
      statuses.put(terms.key(i), terms.status(i));
      String key = terms.key(i);
      terms.alternative(i).ifPresent(use -> alternatives.put(key, use));
    }
    assertThat(statuses)
        .isEqualTo(
            Map.of(
                "a",
                TermStatus.CERTIFIED,
                "b",
                TermStatus.REVOKED,
                "c",
                TermStatus.REVOKED,
                "d",
                TermStatus.REFUSED,
                "e",
                TermStatus.UNTESTED));
    // b is not certified with everybody, so it is no advice for c.
    assertThat(alternatives).isEqualTo(Map.of("b", "a", "d", "a"));
  }

  @Test
  void findingsThatCannotBe_areRefused() {
    assertThatThrownBy(() -> new CoreFindings(HELD, 0, 1, 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CoreFindings(HELD, -1, 0, 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    HeldCore absent = HeldCore.absent("license", Optional.empty());
    assertThatThrownBy(() -> new CoreFindings(absent, 1, 0, 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new HeldCore("license", Optional.empty(), CoreState.STALE, List.of(), 3))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CoreFindings.Offence("a", TermStatus.CERTIFIED, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static CoreFindings check(GovernedTerms terms, String said) {
    NormalizedText text = new NormalizedText();
    text.set(Utf8Span.of(said));
    TermHits hits = new TermHits();
    terms.matcher().scan(text, hits);
    return CoreGuard.check(HELD, terms, hits, Set.of());
  }

  /** Terms as {@code status:key[:alternative]}. */
  private static CertifiedCore core(String peer, String... terms) {
    List<GovernedTerm> governed = new ArrayList<>();
    for (String term : terms) {
      String[] parts = term.split(":", -1);
      governed.add(
          new GovernedTerm(
              parts[1],
              TermStatus.ofCode(parts[0]).orElseThrow(),
              parts.length > 2 ? Optional.of(parts[2]) : Optional.empty()));
    }
    governed.sort(java.util.Comparator.comparing(GovernedTerm::key));
    return new CertifiedCore(
        List.of("alice", peer), "license", 3, 0, CertificationParams.DEFAULT, governed, 9);
  }
}
