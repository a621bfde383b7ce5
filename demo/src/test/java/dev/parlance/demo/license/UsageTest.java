package dev.parlance.demo.license;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.license.LicenseEvents.Event;
import dev.parlance.demo.license.LicenseTerms.TermReading.Answer;
import dev.parlance.demo.license.Usage.Example;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class UsageTest {
  private static final String CONTRIBUTION = "contribution";
  private static final String TRADEMARK = "trademark use";
  private static final String NOTICE = "notice";

  private final Usage scholar = new Usage("scholar");
  private final Usage officer = new Usage("officer");

  @Test
  void agentsWithTheUsualReadings_contradictEachOtherByErrorsOnly() {
    for (String term : terms()) {
      assertThat(share(term, LicenseEvents.pool())).as(term).isLessThan(0.005);
    }
  }

  /** An audit of 150 events allows two contradictions; what it can draw has no more by error. */
  @Test
  void errorsInThePool_areTooFewToRefuseASharedTerm_whicheverEventsAreDrawn() {
    List<String> shared = new ArrayList<>(terms());
    shared.removeAll(List.of(CONTRIBUTION, TRADEMARK));
    for (String term : shared) {
      assertThat(contradictions(term, LicenseEvents.pool())).as(term).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void bothAgentsErr_nowAndThen() {
    assertThat(
            terms().stream()
                .mapToInt(term -> contradictions(term, LicenseEvents.first(2_000)))
                .sum())
        .isPositive();
  }

  @Test
  void otherReading_isFarFromTheUsualOne_onExactlyTheDriftedTerms() {
    for (String term : List.of(CONTRIBUTION, TRADEMARK, NOTICE)) {
      assertThat(officer.drift(term)).isPresent();
    }
    for (String term : terms()) {
      boolean drifted = List.of(CONTRIBUTION, TRADEMARK, NOTICE).contains(term);
      assertThat(share(term, LicenseEvents.pool()) > 0.08).as(term).isEqualTo(drifted);
    }
  }

  @Test
  void driftOfATermWithOneReading_isRefused() {
    assertThat(officer.drift("object form")).isEmpty();
    assertThat(officer.drift("nothing")).isEmpty();
  }

  @Test
  void everyTerm_appliesToSomeEvents_andNotToMost_andSomeSayNothing() {
    Set<Answer> seen = new HashSet<>();
    for (String term : terms()) {
      long assents = 0;
      for (Event event : LicenseEvents.pool()) {
        Answer answer = scholar.answer(term, event.text());
        seen.add(answer);
        assents += answer == Answer.ASSENT ? 1 : 0;
      }
      assertThat(assents).as(term).isBetween(70L, 350L);
    }
    assertThat(seen).containsExactlyInAnyOrder(Answer.values());
    assertThat(scholar.answer("estoppel", "whatever")).isEqualTo(Answer.NEUTRAL);
  }

  @Test
  void reportOfACrash_isAContributionInTheWiderReadingOnly() {
    String report = "A user files a report of a crash in the issue tracker and adds no code.";
    assertThat(scholar.answer(CONTRIBUTION, report)).isEqualTo(Answer.DISSENT);
    officer.drift(CONTRIBUTION);
    assertThat(officer.answer(CONTRIBUTION, report)).isEqualTo(Answer.ASSENT);
  }

  @Test
  void offer_isAdoptedIfAKnownReadingFitsTheExamples() {
    officer.drift(NOTICE);
    assertThat(officer.adopt(NOTICE, examples(scholar, NOTICE))).isPresent();
    assertThat(share(NOTICE, LicenseEvents.heldOut())).isLessThan(0.01);
  }

  @Test
  void offerThatNoKnownReadingFits_isDeclined_andTheUseStays() {
    officer.drift(NOTICE);
    List<Example> odd = new ArrayList<>();
    for (Example example : examples(scholar, NOTICE)) {
      odd.add(new Example(example.text(), example.answer().opposite()));
    }
    double before = share(NOTICE, LicenseEvents.heldOut());
    assertThat(officer.adopt(NOTICE, odd)).isEmpty();
    assertThat(officer.adopt(NOTICE, List.of())).isEmpty();
    assertThat(share(NOTICE, LicenseEvents.heldOut())).isEqualTo(before);
  }

  @Test
  void heldOutEvents_areInNoPool_andEveryEventIsThereOnce() {
    Set<String> ids = new TreeSet<>();
    LicenseEvents.pool().forEach(event -> ids.add(event.pei()));
    LicenseEvents.heldOut().forEach(event -> ids.add(event.pei()));
    assertThat(ids).hasSize(LicenseEvents.pool().size() + LicenseEvents.heldOut().size());
  }

  private static List<String> terms() {
    return LicenseTerms.words().stream().map(LicenseTerms.Word::text).toList();
  }

  private static List<Example> examples(Usage usage, String term) {
    return LicenseEvents.pool().stream()
        .limit(60)
        .map(event -> new Example(event.text(), usage.answer(term, event.text())))
        .toList();
  }

  private double share(String term, Collection<Event> events) {
    return (double) contradictions(term, events) / events.size();
  }

  private int contradictions(String term, Collection<Event> events) {
    return (int)
        events.stream()
            .filter(event -> {
              Answer a = scholar.answer(term, event.text());
              return a != Answer.NEUTRAL && officer.answer(term, event.text()) == a.opposite();
            })
            .count();
  }
}
