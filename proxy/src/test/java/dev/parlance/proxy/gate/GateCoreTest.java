package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Which core the gate asks for, and what it makes of the view. */
class GateCoreTest {
  private static final CompiledCore CORE =
      CompiledCore.of(TestCores.core("bob", 3, "certified:notice", "refused:patent"));

  private final List<String> asked = new ArrayList<>();
  private Cores.CoreView view = Cores.CoreView.fresh(CORE, 12);
  private final Gate gate =
      new Gate(
          new FlowBudgets(16),
          () -> 0,
          "test",
          (peer, domain) -> {
            asked.add(peer.orElse("?") + " " + domain);
            return view;
          },
          authority -> authority.equals("bob.example:80") ? Optional.of("bob") : Optional.empty());

  @Test
  void thePeerIsTheRoutes_elseTheOneAtTheDestination_elseUnknown() {
    CoreFindings named =
        rule("core: {domain: license, peer: carol}", "patent", Optional.of("bob.example:80"));
    CoreFindings found = rule("core: {domain: license}", "patent", Optional.of("bob.example:80"));
    rule("core: {domain: license}", "patent", Optional.of("dave.example:80"));
    rule("core: {domain: loans}", "patent", Optional.empty());
    assertThat(asked).containsExactly("carol license", "bob license", "? license", "? loans");
    assertThat(named.core().peer()).contains("carol");
    assertThat(found.core().peer()).contains("bob");
  }

  @Test
  void aRouteWithoutCoreAsksForNone() {
    assertThat(ruling("grounding: optional", "patent", Optional.empty()).verdict().core())
        .isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void whatTheCoreOfARouteGoverns_nobodyCoins() {
    Predicate<String> governed =
        gate.governed(routeOf("core: {domain: license}"), Optional.of("bob.example:80"));
    assertThat(List.of("notice", "patent")).allMatch(governed);
    assertThat(List.of("open gap", "Notice", "", "notices")).noneMatch(governed);
    assertThat(asked).containsExactly("bob license");
    assertThat(gate.governed(routeOf("grounding: optional"), Optional.empty()).test("notice"))
        .isFalse();
    view = Cores.CoreView.ABSENT;
    assertThat(gate.governed(routeOf("core: {domain: license}"), Optional.empty()).test("notice"))
        .isFalse();
  }

  @Test
  void theFindingsSayWhichCoreAndHowOld_andWhatWasFound() {
    view = Cores.CoreView.stale(CORE, 4_000_000);
    CoreFindings findings =
        rule("core: {domain: license}", "A notice, a PATENT.", Optional.empty());
    assertThat(findings.core().state()).isEqualTo(CoreState.STALE);
    assertThat(findings.core().ageMs()).isEqualTo(4_000_000);
    assertThat(findings.core().version()).hasValue(3);
    assertThat(findings.core().cores()).hasToString("[alice+bob/license@3]");
    assertThat(findings.certified()).isEqualTo(1);
    assertThat(findings.unknown()).isEqualTo(1);
    // Scratch of this thread is used again.
    assertThat(rule("core: {domain: license}", "nothing", Optional.empty()).checked()).isZero();
  }

  @Test
  void wordsBesideTheMessage_areReadForTermsToo_andTermsWithoutATestedMeaningAreNotCertified() {
    RouteRule rule = routeOf("core: {domain: license}");
    Judgment ruling =
        gate.judge(
            new Draft(
                Leg.RESPONSE,
                new AgentMessage(Utf8Span.of("a notice"), Utf8Span.EMPTY, Evidence.NONE),
                Utf8Span.of("a patent"),
                Grounding.OPTIONAL,
                new Draft.FlowKey("f", "a", Utf8Span.EMPTY),
                1,
                Optional.empty(),
                1,
                Set.of("notice", "open gap"),
                false,
                Optional.empty()),
            rule);
    CoreFindings findings = ruling.verdict().core().map(CoreCheck::findings).orElseThrow();
    // One is certified in another meaning, and one no core knows.
    assertThat(findings.certified()).isZero();
    assertThat(findings.unknown()).isEqualTo(3);
    assertThat(findings.offending())
        .extracting(CoreFindings.Offence::term)
        .containsExactly("notice", "patent", "open gap");
  }

  @Test
  void whatIsKnownOfATextAlready_isNotLookedForAgain_ifItIsTheSameTextAndCore() {
    RouteRule rule = routeOf("core: {domain: license}");
    ScannedText known = scanned(CORE, "a notice", "a notice, a patent");
    assertThat(checked("a notice", known, rule)).isEqualTo(2);
    assertThat(checked("a notice period", known, rule)).isEqualTo(1);
    CompiledCore older = CompiledCore.of(TestCores.core("bob", 2, "certified:claim"));
    assertThat(checked("a notice", scanned(older, "a notice", "a claim"), rule)).isEqualTo(1);
  }

  private int checked(String said, ScannedText known, RouteRule rule) {
    Draft draft =
        new Draft(
            Leg.RESPONSE,
            new AgentMessage(Utf8Span.of(said), Utf8Span.EMPTY, Evidence.NONE),
            Utf8Span.EMPTY,
            Grounding.OPTIONAL,
            new Draft.FlowKey("f", "a", Utf8Span.EMPTY),
            1,
            Optional.empty(),
            0,
            Set.of(),
            false,
            Optional.of(known));
    return gate.judge(draft, rule).verdict().core().orElseThrow().findings().checked();
  }

  /** As if {@code found} were what was found in {@code text}. */
  private static ScannedText scanned(CompiledCore core, String text, String found) {
    TermHits hits = new TermHits();
    NormalizedText words = new NormalizedText();
    words.set(Utf8Span.of(found));
    core.terms().matcher().scan(words, hits);
    words.release();
    return new ScannedText(core, Utf8Span.of(text), hits.found());
  }

  @Test
  void aDraftThatOnlyACheckIsAgainst_isHeldForTheSpentBudgetAlone() {
    RouteRule rule = routeOf("grounding: optional");
    String text = "The notice stays with every copy.";
    Judgment good =
        gate.judge(
            new Draft(
                Leg.RESPONSE,
                new AgentMessage(
                    Utf8Span.of(text),
                    Utf8Span.EMPTY,
                    new Evidence(
                        EvidenceSource.DECLARED,
                        List.of(new Chunk("c1", Utf8Span.of(text))),
                        List.of("c1"),
                        OptionalDouble.empty(),
                        List.of())),
                Grounding.OPTIONAL,
                new Draft.FlowKey("f", "a", Utf8Span.EMPTY),
                1,
                Optional.empty()),
            rule);
    assertThat(good.decision().reasons()).containsExactly(Reason.OK);

    Gate.Charge charge = gate.regenerate(good, rule);
    for (int i = 0; i < 10 && charge instanceof Gate.Charge.Granted; i++) {
      charge = gate.regenerate(good, rule);
    }

    assertThat(charge)
        .isInstanceOfSatisfying(
            Gate.Charge.Denied.class,
            denied ->
                assertThat(denied.judgment().decision())
                    .isEqualTo(new Decision.Yield(List.of(Reason.BUDGET))));
  }

  @Test
  void forAnUnknownPeer_theCoresWithAllAgentsHold() {
    view =
        Cores.CoreView.fresh(
            CompiledCore.intersection(
                List.of(
                    TestCores.core("bob", 3, "certified:notice", "certified:patent"),
                    TestCores.core("carol", 9, "revoked:notice"))),
            1);
    CoreFindings findings = rule("core: {domain: license}", "notice patent", Optional.empty());
    assertThat(findings.revoked()).isEqualTo(1);
    assertThat(findings.certified()).isEqualTo(1);
    assertThat(findings.core().version()).isEmpty();
    assertThat(findings.core().cores()).hasToString("[alice+bob/license@3, alice+carol/license@9]");
  }

  @Test
  void coresOfTwoDomains_andNone_areNoCompiledCore() {
    assertThatThrownBy(() -> CompiledCore.intersection(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CompiledCore("loans", CORE.sources(), CORE.terms()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Cores.CoreView(CoreState.ABSENT, Optional.of(CORE), 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Cores.CoreView(CoreState.FRESH, Optional.empty(), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private CoreFindings rule(String settings, String said, Optional<String> authority) {
    return ruling(settings, said, authority)
        .verdict()
        .core()
        .map(CoreCheck::findings)
        .orElseThrow();
  }

  private static RouteRule routeOf(String settings) {
    String yaml =
        "inbound: {listen: '127.0.0.1:1', agent: '127.0.0.1:2'}\nroutes: [{name: r, %s}]"
            .formatted(settings);
    if (!(ConfigLoader.parse(yaml, Path.of("/x")) instanceof ConfigResult.Loaded(var config))) {
      throw new AssertionError(ConfigLoader.parse(yaml, Path.of("/x")).toString());
    }
    return config.routes().getFirst();
  }

  private Judgment ruling(String settings, String said, Optional<String> authority) {
    RouteRule rule = routeOf(settings);
    return gate.judge(
        new Draft(
            Leg.REQUEST,
            new AgentMessage(Utf8Span.of(said), Utf8Span.EMPTY, Evidence.NONE),
            Grounding.OPTIONAL,
            new Draft.FlowKey("f", "a", Utf8Span.EMPTY),
            1,
            authority),
        rule);
  }
}
