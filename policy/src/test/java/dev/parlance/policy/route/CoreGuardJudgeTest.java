package dev.parlance.policy.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.CoreFindings.Offence;
import dev.parlance.policy.core.CoreGuard;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.GuardPolicy.OnCoreGap;
import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the core guard makes of every other decision. */
class CoreGuardJudgeTest {
  private static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";
  private static final Profile OURS = Profiles.OVERLAP;

  private final Judge judge = new Judge(new TokenOverlapEstimator(1));

  /** Drafts by what becomes of them without a guard. */
  enum Draft {
    EXECUTED(FACT + " [Chunk c1].", true),
    REGENERATED("Our friendly specialists recommend whatever feels right for everybody.", true),
    WARNED(FACT, false),
    EMPTY("...", true);

    @SuppressWarnings("ImmutableEnumChecker") // records over arrays that nobody writes to
    private final AgentMessage message;

    Draft(String answer, boolean withEvidence) {
      message =
          new AgentMessage(
              Utf8Span.of(answer),
              Utf8Span.of("When must the impeller be replaced?"),
              withEvidence
                  ? new Evidence(
                      EvidenceSource.DECLARED,
                      List.of(new Chunk("c1", Utf8Span.of(FACT + "."))),
                      List.of(),
                      OptionalDouble.empty(),
                      List.of())
                  : Evidence.NONE);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # state | terms          | policy                  | draft       | decision
          FRESH   | none           | regenerate yield yield  | EXECUTED    | execute ok
          FRESH   | certified      | regenerate yield yield  | EXECUTED    | execute ok
          FRESH   | refused        | regenerate yield yield  | EXECUTED    | regenerate term_uncertified
          FRESH   | untested       | regenerate yield yield  | EXECUTED    | regenerate term_uncertified
          FRESH   | revoked        | regenerate yield yield  | EXECUTED    | regenerate term_revoked
          FRESH   | refused        | regenerate yield yield  | WARNED      | regenerate term_uncertified
          FRESH   | refused        | regenerate yield yield  | REGENERATED | regenerate term_uncertified as_judged
          FRESH   | revoked        | regenerate yield yield  | EMPTY       | regenerate term_revoked empty_answer
          FRESH   | refused,revoked| regenerate yield yield  | EXECUTED    | regenerate term_uncertified term_revoked
          FRESH   | certified      | regenerate yield yield  | WARNED      | warn no_evidence
          FRESH   | certified      | warn warn allow         | EXECUTED    | execute ok
          FRESH   | refused        | warn warn allow         | EXECUTED    | warn term_uncertified
          FRESH   | revoked        | warn warn allow         | WARNED      | warn term_revoked no_evidence
          FRESH   | refused        | warn warn allow         | REGENERATED | regenerate as_judged
          FRESH   | refused        | count warn allow        | EXECUTED    | execute ok
          FRESH   | revoked        | count yield yield       | WARNED      | warn no_evidence
          STALE   | none           | regenerate yield yield  | EXECUTED    | execute ok
          STALE   | certified      | regenerate yield yield  | EXECUTED    | yield core_stale
          STALE   | refused        | regenerate yield yield  | EXECUTED    | yield core_stale term_uncertified
          STALE   | refused        | regenerate yield yield  | REGENERATED | yield core_stale term_uncertified as_judged
          STALE   | certified      | regenerate warn yield   | EXECUTED    | warn core_stale
          STALE   | revoked        | regenerate warn yield   | EXECUTED    | regenerate term_revoked
          STALE   | certified      | regenerate allow yield  | EXECUTED    | execute ok
          STALE   | refused        | regenerate allow yield  | EXECUTED    | regenerate term_uncertified
          STALE   | refused        | warn warn allow         | EXECUTED    | warn core_stale term_uncertified
          STALE   | none           | warn warn allow         | WARNED      | warn no_evidence
          STALE   | refused        | count yield allow       | EXECUTED    | yield core_stale
          STALE   | refused        | count warn allow        | EXECUTED    | warn core_stale
          STALE   | refused        | count allow allow       | EXECUTED    | execute ok
          ABSENT  | none           | regenerate yield yield  | EXECUTED    | yield core_absent
          ABSENT  | none           | regenerate yield yield  | WARNED      | yield core_absent
          ABSENT  | none           | regenerate yield yield  | EMPTY       | yield core_absent empty_answer
          ABSENT  | none           | regenerate yield warn   | EXECUTED    | warn core_absent
          ABSENT  | none           | regenerate yield warn   | REGENERATED | regenerate as_judged
          ABSENT  | none           | warn warn warn          | WARNED      | warn core_absent no_evidence
          ABSENT  | none           | warn warn allow         | EXECUTED    | execute ok
          """)
  void everyStateAndOutcome(
      String state, String terms, String policy, Draft draft, String expected) {
    Verdict verdict =
        judge.judge(
            draft.message,
            OURS,
            0,
            Grounding.OPTIONAL,
            false,
            Optional.of(check(CoreState.valueOf(state), terms, policy)));
    List<String> wanted = Arrays.asList(expected.split(" ", -1));
    List<String> found = new ArrayList<>(List.of(verdict.decision().route().code()));
    for (Reason reason : verdict.decision().reasons()) {
      found.add(reason.code());
    }
    if (wanted.getLast().equals("as_judged")) {
      // Stands for whatever the judge says of this draft by itself.
      List<String> own =
          judge
              .judge(draft.message, OURS, 0, Grounding.OPTIONAL, false)
              .decision()
              .reasons()
              .stream()
              .map(Reason::code)
              .toList();
      wanted = new ArrayList<>(wanted.subList(0, wanted.size() - 1));
      wanted.addAll(own);
    }
    assertThat(found).isEqualTo(wanted);
    assertThat(verdict.core()).isPresent();
  }

  @Test
  void anUncertifiedTermPastTheBudget_isYielded_asAnyOtherFault() {
    CoreCheck check = check(CoreState.FRESH, "refused", "regenerate yield yield");
    assertThat(decide(Draft.EXECUTED, OURS.errorMax(), false, check))
        .isEqualTo(new Decision.Yield(List.of(Reason.TERM_UNCERTIFIED, Reason.BUDGET)));
    assertThat(decide(Draft.EXECUTED, 0, true, check))
        .isEqualTo(new Decision.Yield(List.of(Reason.TERM_UNCERTIFIED, Reason.TTL_EXPIRED)));
    // A draft that is held for the core does not blame the budget, which has no part in it.
    assertThat(
            decide(
                Draft.EXECUTED,
                OURS.errorMax(),
                true,
                check(CoreState.STALE, "refused", "regenerate yield yield")))
        .isEqualTo(new Decision.Yield(List.of(Reason.CORE_STALE, Reason.TERM_UNCERTIFIED)));
  }

  @Test
  void aProfileThatYieldsUnread_stillSaysWhatTheGuardFound() {
    Verdict verdict =
        judge.judge(
            Draft.EXECUTED.message,
            Profiles.ASP_PAPER,
            Profiles.ASP_PAPER.errorMax(),
            Grounding.OPTIONAL,
            false,
            Optional.of(check(CoreState.FRESH, "revoked", "regenerate yield yield")));
    assertThat(verdict.decision())
        .isEqualTo(new Decision.Yield(List.of(Reason.TERM_REVOKED, Reason.BUDGET)));
  }

  /** The property that consequential routes rest on, over everything that has a say. */
  @Test
  void S10_onAConsequentialRoute_aTermOutsideTheCoreNeverGoesOn_whateverElseHolds() {
    int judged = 0;
    for (Draft draft : Draft.values()) {
      for (Profile profile : List.of(Profiles.OVERLAP, Profiles.ASP_PAPER)) {
        for (Grounding grounding : Grounding.values()) {
          for (boolean expired : new boolean[] {false, true}) {
            for (int errors = 0; errors <= profile.errorMax() + 1; errors++) {
              for (CoreState state : List.of(CoreState.FRESH, CoreState.STALE)) {
                for (String terms :
                    List.of("refused", "untested", "revoked", "certified,refused")) {
                  for (OnCoreGap stale : OnCoreGap.values()) {
                    CoreCheck check = check(state, terms, "regenerate " + stale.code() + " allow");
                    Decision decision =
                        judge
                            .judge(
                                draft.message,
                                profile,
                                errors,
                                grounding,
                                expired,
                                Optional.of(check))
                            .decision();
                    assertThat(decision.route()).isIn(Route.REGENERATE, Route.YIELD);
                    assertThat(decision.reasons())
                        .containsAnyOf(Reason.TERM_UNCERTIFIED, Reason.TERM_REVOKED);
                    judged++;
                  }
                }
              }
            }
          }
        }
      }
    }
    assertThat(judged).isGreaterThan(3_000);
  }

  @Test
  void theInstructionNamesTheTermsAndWhatToSayInstead() {
    Verdict verdict =
        judge.judge(
            Draft.EXECUTED.message,
            OURS,
            0,
            Grounding.OPTIONAL,
            false,
            Optional.of(
                check(CoreState.FRESH, "refused,untested,revoked", "regenerate yield yield")));
    assertThat(RepairPlan.instruction(verdict, Draft.EXECUTED.message))
        .contains(
            "- term_uncertified: The terms \"refused term\", \"untested term\" are not certified"
                + " between alice and bob for the domain license; use \"fine term\" instead of"
                + " \"refused term\", or say it without these terms.")
        .contains(
            "- term_revoked: The term \"revoked term\" is no longer certified between alice and bob"
                + " for the domain license; say it without this term.");
  }

  @Test
  void termsPastTheTenth_areToldAsANumber() {
    List<Offence> ten = new ArrayList<>();
    for (int i = 0; i < CoreFindings.MAX_OFFENDING; i++) {
      ten.add(new Offence("t" + i, TermStatus.REFUSED, Optional.empty()));
    }
    CoreFindings findings = new CoreFindings(held(CoreState.FRESH), 0, 12, 3, ten);
    assertThat(RepairPlan.terms(findings).orElse(""))
        .contains("\"t9\" and 2 more are not certified");
    Verdict verdict =
        judge.judge(
            Draft.EXECUTED.message,
            OURS,
            0,
            Grounding.OPTIONAL,
            false,
            Optional.of(new CoreCheck(findings, GuardPolicy.CONSEQUENTIAL)));
    assertThat(RepairPlan.instruction(verdict, Draft.EXECUTED.message))
        .contains("- term_revoked: it uses more terms that are not certified");
  }

  @ParameterizedTest
  @CsvSource({
    "FRESH,none,regenerate yield yield,EXECUTE,OK",
    "FRESH,refused,count yield yield,EXECUTE,TERM_UNCERTIFIED",
    "FRESH,revoked,warn yield yield,WARN,TERM_REVOKED",
    "FRESH,refused,regenerate yield yield,REGENERATE,TERM_UNCERTIFIED",
    "STALE,certified,count allow yield,EXECUTE,CORE_STALE",
    "STALE,none,regenerate yield yield,EXECUTE,OK",
    "STALE,refused,regenerate yield yield,YIELD,CORE_STALE",
    "ABSENT,none,regenerate yield allow,EXECUTE,CORE_ABSENT",
    "ABSENT,none,regenerate yield warn,WARN,CORE_ABSENT"
  })
  void theGuardsOwnOutcome(String state, String terms, String policy, Route route, Reason reason) {
    assertThat(GuardOutcome.of(check(CoreState.valueOf(state), terms, policy)))
        .isEqualTo(new GuardOutcome(route, reason));
  }

  private Decision decide(Draft draft, int errors, boolean expired, CoreCheck check) {
    return judge
        .judge(draft.message, OURS, errors, Grounding.OPTIONAL, expired, Optional.of(check))
        .decision();
  }

  private static HeldCore held(CoreState state) {
    return new HeldCore(
        "license",
        Optional.of("bob"),
        state,
        List.of(new CoreVersion(new CoreId(List.of("alice", "bob"), "license"), 3)),
        5);
  }

  /** A check with one term for each status named, under a policy by its codes. */
  private static CoreCheck check(CoreState state, String terms, String policy) {
    String[] codes = policy.split(" ", -1);
    GuardPolicy follows =
        new GuardPolicy(
            OnUncertified.ofCode(codes[0]).orElseThrow(),
            OnCoreGap.ofCode(codes[1]).orElseThrow(),
            OnCoreGap.ofCode(codes[2]).orElseThrow());
    if (state == CoreState.ABSENT) {
      return new CoreCheck(
          CoreGuard.withoutCore(HeldCore.absent("license", Optional.empty())), follows);
    }
    List<Offence> offending = new ArrayList<>();
    int certified = 0;
    int revoked = 0;
    for (String term : terms.split(",", -1)) {
      switch (term) {
        case "none" -> {}
        case "certified" -> certified++;
        case "refused" ->
            offending.add(
                new Offence("refused term", TermStatus.REFUSED, Optional.of("fine term")));
        case "untested" ->
            offending.add(new Offence("untested term", TermStatus.UNTESTED, Optional.empty()));
        case "revoked" -> {
          offending.add(new Offence("revoked term", TermStatus.REVOKED, Optional.empty()));
          revoked++;
        }
        default -> throw new IllegalArgumentException(term);
      }
    }
    return new CoreCheck(
        new CoreFindings(held(state), certified, offending.size() - revoked, revoked, offending),
        follows);
  }
}
