package dev.parlance.policy.pact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactNegotiator.Move;
import dev.parlance.policy.pact.PactPolicy.Bound;
import dev.parlance.policy.pact.PactPolicy.Code;
import dev.parlance.policy.pact.PactPolicy.Rule;
import dev.parlance.policy.pact.PactState.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PactNegotiatorTest {
  private static final boolean IS_LONG = Integer.getInteger("soak", 5) > 5;
  private static final int PAIRS = IS_LONG ? 200_000 : 5_000;
  private static final List<String> WORDS = List.of("a", "b", "c", "d");

  /** Most messages: the invocation, a choice and a proposal, the cap, its aftermath, signatures. */
  private static final int MOST_MESSAGES = 3 + PactMachine.DEFAULT_COUNTERS + 2 + 2;

  @Test
  void twoNegotiators_withAnyPolicies_endAndSignOnlyWhatBothAllow() {
    Map<Phase, Integer> ends = new TreeMap<>();
    Set<Integer> counters = new HashSet<>();
    for (int seed = 0; seed < PAIRS; seed++) {
      Random random = new Random(seed);
      Map<String, PactTemplate> templates = templates(random);
      Rule first = rule(random);
      Rule second = rule(random);
      PactState end = negotiate(templates, first, second, "seed " + seed);
      ends.merge(end.phase(), 1, Integer::sum);
      counters.add(end.talks().counters());
      if (end.phase() == Phase.ACTIVE) {
        assertThat(first.allows(end.agreed())).as("seed %d", seed).isEmpty();
        assertThat(second.allows(end.agreed())).as("seed %d", seed).isEmpty();
        assertThat(end.missing()).isEmpty();
      }
    }
    assertThat(ends).containsOnlyKeys(Phase.ACTIVE, Phase.WALKED_AWAY);
    assertThat(ends.values()).allMatch(n -> n > PAIRS / 50);
    assertThat(counters).contains(0, 1, 2, PactMachine.DEFAULT_COUNTERS);
  }

  @Test
  void templateThatBothAccept_takesOneRoundTrip() {
    Map<String, PactTemplate> templates = Map.of("t@1", template(List.of("max_kb=9")));
    Rule offering =
        new Rule(
            List.of("b"), Set.of(), Set.of(), Set.of("*"), List.of("t@1"), List.of(), Map.of());
    Rule accepting =
        new Rule(
            List.of("a"),
            Set.of("t@1"),
            Set.of(),
            Set.of("*"),
            List.of(),
            List.of(),
            Map.of("max_kb", List.of(new Bound.AtMost(9))));
    PactState end = negotiate(templates, offering, accepting, "template");
    assertThat(end.phase()).isEqualTo(Phase.ACTIVE);
    assertThat(end.talks().counters()).isZero();
  }

  @Test
  void boundsThatCannotMeet_areNamed() {
    Map<String, PactTemplate> templates = Map.of("t@1", template(List.of("max_kb=9")));
    Rule offering =
        new Rule(
            List.of("b"),
            Set.of(),
            Set.of(),
            Set.of(),
            List.of("t@1"),
            List.of(),
            Map.of("max_kb", List.of(new Bound.AtLeast(5))));
    Rule strict =
        new Rule(
            List.of("a"),
            Set.of(),
            Set.of("t@1"),
            Set.of(),
            List.of(),
            List.of(),
            Map.of("max_kb", List.of(new Bound.AtMost(2))));
    List<Move.GiveUp> gaveUp = new ArrayList<>();
    PactState end = negotiate(templates, offering, strict, "conflict", gaveUp);
    assertThat(end.phase()).isEqualTo(Phase.WALKED_AWAY);
    assertThat(gaveUp)
        .singleElement()
        .satisfies(move -> {
          assertThat(move.reason()).isEqualTo("incompatible_pacts");
          assertThat(move.incompatibilities())
              .extracting(PactPolicy.Finding::key)
              .containsOnly("max_kb");
        });
  }

  @Test
  void unknownTemplateAndPeerWithoutRule_areRefused() {
    Rule rule =
        new Rule(
            List.of("org/*"), Set.of("x@1"), Set.of(), Set.of(), List.of(), List.of(), Map.of());
    PactPolicy policy = new PactPolicy(List.of(rule));
    assertThat(policy.rule("org/seller")).contains(rule);
    assertThat(policy.rule("seller")).isEmpty();
    PactState invited = invited(Map.of(), List.of("y@1"));
    assertThat(PactNegotiator.next(invited, "b", rule))
        .isEqualTo(new Move.GiveUp("template_mismatch", List.of()));
  }

  @Test
  void brokenBounds_sayTheNearestBody() {
    Rule rule =
        new Rule(
            List.of("*"),
            Set.of(),
            Set.of(),
            Set.of(),
            List.of(),
            List.of(),
            Map.of(
                "max_kb",
                List.of(new Bound.AtMost(64), new Bound.Required()),
                "tools",
                List.of(new Bound.SubsetOf(List.of("a", "b"))),
                "hosts",
                List.of(new Bound.Forbidden())));
    List<PactPolicy.Finding> findings =
        rule.allows(
            List.of(
                new Predicate("p", "action", "tools=b,c;hosts=x"),
                new Predicate("q", "action", "hosts=x"),
                new Predicate("r", "scope", "max_kb=9")));
    assertThat(findings)
        .extracting(PactPolicy.Finding::code)
        .containsExactly(Code.NOT_A_SUBSET, Code.FORBIDDEN, Code.FORBIDDEN, Code.MISSING);
    assertThat(findings)
        .extracting(one -> one.body().orElse("-"))
        .containsExactly("tools=b", "tools=b", "-", "max_kb=64");
  }

  // ---- two sides, each with its own replica ----

  private static PactState invited(Map<String, PactTemplate> templates, List<String> offered) {
    return PactMachine.step(
            PactState.start(templates),
            message(0, "a", new PactEvent.Invocation("n", "a", "b", 5_000, 60_000, offered)))
        .next();
  }

  private static PactEvent.Message message(long at, String from, PactEvent.Body body) {
    return new PactEvent.Message(at, from, at + from + body, body);
  }

  private static PactState negotiate(
      Map<String, PactTemplate> templates, Rule first, Rule second, String name) {
    return negotiate(templates, first, second, name, new ArrayList<>());
  }

  private static PactState negotiate(
      Map<String, PactTemplate> templates,
      Rule first,
      Rule second,
      String name,
      List<Move.GiveUp> gaveUp) {
    PactState a = invited(templates, PactNegotiator.offers(first, templates));
    PactState b = a;
    int messages = 1;
    int waits = 0;
    String speaker = "b";
    while (waits < 2 && !a.phase().isClosed() && a.phase() != Phase.ACTIVE) {
      boolean isFirst = speaker.equals("a");
      Move move = PactNegotiator.next(isFirst ? a : b, speaker, isFirst ? first : second);
      List<PactEvent.Body> said =
          switch (move) {
            case Move.Say say -> say.bodies();
            case Move.Wait _ -> List.of();
            case Move.Ratify ratify ->
                List.of(
                    ratify
                        .first()
                        .map(one ->
                            new PactEvent.Ratification(
                                "n",
                                one.pact(),
                                one.predicatesHash(),
                                one.history(),
                                one.startMs(),
                                one.endMs(),
                                Map.of(isFirst ? "a" : "b", true)))
                        .orElse(
                            new PactEvent.Ratification(
                                "n",
                                "p",
                                ratify.predicatesHash(),
                                ratify.history(),
                                100,
                                200,
                                Map.of(isFirst ? "a" : "b", true))));
            case Move.GiveUp leave -> {
              gaveUp.add(leave);
              yield List.of(new PactEvent.Walkaway("n", leave.reason()));
            }
          };
      waits = said.isEmpty() ? waits + 1 : 0;
      for (PactEvent.Body body : said) {
        PactEvent.Message message = message(messages, speaker, body);
        PactMachine.Step left = PactMachine.step(a, message);
        PactMachine.Step right = PactMachine.step(b, message);
        assertThat(left.fault()).as("%s: %s", name, body).isEmpty();
        a = left.next();
        b = right.next();
        assertThat(a).isEqualTo(b);
        messages++;
      }
      if (said.isEmpty()) {
        speaker = isFirst ? "b" : "a";
      }
    }
    assertThat(waits).as(name + ": both wait in " + a.phase()).isLessThan(2);
    assertThat(messages).as(name).isLessThanOrEqualTo(MOST_MESSAGES);
    return a;
  }

  // ---- policies at random ----

  private static PactTemplate template(List<String> outputs) {
    List<Predicate> all = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      all.add(
          new Predicate(
              category.code(),
              category.code(),
              category == PactCategory.OUTPUT ? outputs.getFirst() : "of_" + category.code()));
    }
    return new PactTemplate(all, OptionalInt.empty());
  }

  private static Map<String, PactTemplate> templates(Random random) {
    Map<String, PactTemplate> templates = new HashMap<>();
    for (int i = 1; i <= random.nextInt(3); i++) {
      List<Predicate> predicates = position(random, random.nextInt(4) > 0);
      if (!predicates.isEmpty()) {
        templates.put(
            "t@" + i,
            new PactTemplate(
                predicates,
                random.nextBoolean()
                    ? OptionalInt.empty()
                    : OptionalInt.of(1 + random.nextInt(8))));
      }
    }
    return templates;
  }

  private static List<Predicate> position(Random random, boolean isWhole) {
    List<Predicate> all = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      for (int i = 0; i < (isWhole ? 1 + random.nextInt(5) / 4 : random.nextInt(2)); i++) {
        all.add(
            new Predicate(
                category.code() + (i == 0 ? "" : i), category.code(), body(random, category)));
      }
    }
    return all;
  }

  private static String body(Random random, PactCategory category) {
    String number = Integer.toString(random.nextInt(10));
    return switch (category) {
      case SCOPE -> random.nextBoolean() ? "fields=" + words(random) : "max_request_kb=" + number;
      case ACTION ->
          random.nextBoolean()
              ? "tools=" + words(random)
              : "hosts=" + words(random) + ";rate_per_min=" + number;
      case OUTPUT ->
          random.nextBoolean() ? "max_kb=" + number + ";citations>=" + number : "format=json";
      case SUCCESS -> random.nextBoolean() ? "g>=0." + number : "free text";
      case FAILURE -> "report=within_5s";
      case DISPUTE -> "arbiter=" + WORDS.get(random.nextInt(4));
      case AUDIT -> "retain_days=" + number;
      case TERMINATION -> "notice_ms=" + number;
    };
  }

  private static String words(Random random) {
    return String.join(",", some(random));
  }

  private static List<String> some(Random random) {
    List<String> some = new ArrayList<>();
    WORDS.forEach(word -> {
      if (random.nextBoolean()) {
        some.add(word);
      }
    });
    return some.isEmpty() ? List.of("a") : some;
  }

  private static Rule rule(Random random) {
    Map<String, List<Bound>> bounds = new HashMap<>();
    for (String key :
        List.of(
            "fields",
            "max_request_kb",
            "tools",
            "hosts",
            "max_kb",
            "citations",
            "g",
            "arbiter",
            "retain_days",
            "notice_ms",
            "of_scope",
            "report")) {
      if (random.nextInt(4) == 0) {
        List<Bound> all = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(2); i++) {
          all.add(bound(random));
        }
        bounds.put(key, all);
      }
    }
    return new Rule(
        List.of("*"),
        references(random),
        references(random),
        random.nextInt(4) == 0 ? references(random) : Set.of(),
        List.of("t@1", "t@2", "t@3"),
        random.nextInt(5) == 0 ? List.of() : position(random, random.nextInt(4) > 0),
        bounds);
  }

  private static Set<String> references(Random random) {
    Set<String> references = new HashSet<>();
    for (String one : List.of("t@1", "t@2")) {
      if (random.nextBoolean()) {
        references.add(one);
      }
    }
    return references;
  }

  private static Bound bound(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> new Bound.AtMost(random.nextInt(12));
      case 1 -> new Bound.AtLeast(random.nextInt(12) / 4.0);
      case 2 -> new Bound.OneOf(some(random));
      case 3 -> new Bound.SubsetOf(some(random));
      case 4 -> new Bound.SupersetOf(some(random));
      case 5 -> new Bound.Forbidden();
      default -> new Bound.Required();
    };
  }
}
