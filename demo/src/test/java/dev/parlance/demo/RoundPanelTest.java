package dev.parlance.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.RoundMinds.Item;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentCaller.Way;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Ballot;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.demo.agent.Juror;
import dev.parlance.demo.agent.Juror.Mind;
import dev.parlance.demo.agent.Moderator;
import dev.parlance.demo.agent.RunningAgent;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.ListComparer;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.TextComparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The panel talks to its moderator over A2A, without sidecars. */
@Timeout(60)
class RoundPanelTest {
  private final Map<String, Juror> jurors = new LinkedHashMap<>();
  private final List<RunningAgent> agents = new ArrayList<>();
  private final List<AgentCaller> callers = new ArrayList<>();
  private final Moderator moderator = new Moderator();

  @BeforeEach
  void start() throws Exception {
    RoundMinds minds = new RoundMinds(moderator);
    RunningAgent moderating = RunningAgent.bind("license-moderator");
    agents.add(moderating);
    moderating.start(moderating.ownUrl(), moderator);
    for (String name : RoundMinds.PANEL) {
      RunningAgent agent = RunningAgent.bind(name);
      agents.add(agent);
      AgentCaller toModerator = AgentCaller.find(Way.to(moderating.ownUrl()));
      Juror juror = new Juror(name, toModerator, minds.of(name));
      jurors.put(name, juror);
      agent.start(agent.ownUrl(), juror);
      callers.add(AgentCaller.find(Way.to(agent.ownUrl())));
      callers.add(toModerator);
    }
  }

  @AfterEach
  void stop() {
    callers.forEach(AgentCaller::close);
    agents.forEach(RunningAgent::close);
  }

  private List<Ballot> play(Item item) throws Exception {
    Mind.Asked asked = new Mind.Asked(item.name(), 1, item.claim());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<AgentReply>> answers = new ArrayList<>();
      for (int i = 0; i < callers.size(); i += 2) {
        AgentCaller caller = callers.get(i);
        answers.add(threads.submit(() -> caller.send(asked.question(), "ask-" + item.name())));
      }
      for (Future<AgentReply> answer : answers) {
        assertThat(answer.get()).isInstanceOf(AgentReply.Answered.class);
      }
    }
    return moderator.heard(item.name(), 1);
  }

  @Test
  void flip_votesAgainstWhatItHasRead_inTheOthersWords() throws Exception {
    Item item = item("flip");
    List<Ballot> heard = play(item);
    assertThat(heard).hasSize(7);
    Ballot last = heard.getLast();
    assertThat(last.verdict()).isEqualTo(RoundMinds.opposite(item.verdict()));
    assertThat(last.rationale()).contains(item.twist());
    assertThat(item.rationales())
        .anyMatch(words -> last.rationale().startsWith(words.substring(0, words.length() - 1)));
    assertThat(heard).anyMatch(one -> one.rationale().equals(RoundMinds.POISON));
  }

  @Test
  void steer_backsTheOthersVerdict() throws Exception {
    Item item = item("steer");
    assertThat(play(item).getLast().verdict()).isEqualTo(item.verdict());
  }

  @Test
  void equivocate_saysBoth_andWithhold_saysNothing() throws Exception {
    assertThat(play(item("equivocate"))).hasSize(8);
    assertThat(play(item("withhold"))).hasSize(6);
  }

  @Test
  void turnedAgent_votesWithTheLiars_inTheLastRoundOnly() throws Exception {
    Item last = RoundMinds.ITEMS.getLast();
    assertThat(play(last)).filteredOn(one -> !one.verdict().equals(last.verdict())).hasSize(3);
  }

  @Test
  void withoutASidecar_nothingIsSaidOfARound_andNothingRefused() throws Exception {
    Item item = item("steer");
    play(item);
    List<Cast> casts = DemoStage.of(jurors, "ann").casts(item.name());
    assertThat(casts).hasSize(1);
    assertThat(casts.getFirst().status()).isEmpty();
    assertThat(casts.getFirst().refused()).isEmpty();
  }

  @Test
  void script_hasAPanelAsLargeAsItsFaultsAllow_andEveryKindOfLieAndEnding() {
    assertThat(RoundMinds.PANEL)
        .hasSize(3 * RoundMinds.FAULTS + 1)
        .doesNotHaveDuplicates()
        .allMatch(RoundNames::isName);
    assertThat(RoundMinds.ITEMS.stream().map(Item::name))
        .hasSize(9)
        .doesNotHaveDuplicates()
        .allMatch(RoundNames::isName);
    assertThat(RoundMinds.ITEMS.stream().map(Item::rush))
        .contains("flip", "steer", "equivocate", "withhold", "late");
    assertThat(RoundMinds.ITEMS)
        .allSatisfy(item -> {
          assertThat(item.turned().isEmpty()).isEqualTo(!item.ending().equals("abort"));
          assertThat(item.rationales())
              .hasSize(RoundMinds.HONEST.size())
              .doesNotHaveDuplicates()
              .doesNotContain(RoundMinds.POISON);
        });
    assertThat(RoundMinds.ITEMS.getLast().ending()).isEqualTo("abort");
  }

  @Test
  void listsOfReasons_haveOneInCommon_andWhoTurnsItIsInNoCore() {
    Item item =
        RoundMinds.ITEMS.stream()
            .filter(one -> one.name().equals("object-form"))
            .findFirst()
            .orElseThrow();
    Map<String, String> said = new LinkedHashMap<>();
    for (int i = 0; i < RoundMinds.HONEST.size(); i++) {
      said.put(RoundMinds.HONEST.get(i), item.rationales().get(i));
    }
    said.put(RoundMinds.STATIC, RoundMinds.POISON);
    said.put(RoundMinds.RUSHING, item.twist());
    ListComparer comparer = new ListComparer(1);
    TextComparison.Pairs pairs = new TextComparison.Pairs();
    said.forEach((one, text) ->
        said.forEach((other, otherText) -> {
          if (one.compareTo(other) < 0) {
            pairs.add(one, other, comparer.between(text, otherText));
          }
        }));
    RoundSpec spec =
        new RoundSpec(
            "r:1",
            RoundMinds.FAULTS,
            RoundMinds.PANEL,
            new Encoding("same", 1, 0.1),
            0,
            true,
            RoundSpec.Agreement.CRITICAL);
    Meaning same = new Meaning.Vector(QuantVector.of(new double[] {1}, 1).orElseThrow());
    List<Proposal> proposals =
        RoundMinds.PANEL.stream()
            .map(agent -> new Proposal(agent, item.verdict(), "0".repeat(64), same))
            .toList();
    assertThat(Hcsc.decide(spec, proposals, pairs.all()))
        .isInstanceOfSatisfying(
            Outcome.SemanticCommit.class,
            commit -> {
              assertThat(commit.core()).isEqualTo(RoundMinds.HONEST);
              assertThat(commit.claims()).hasSize(1);
            });
  }

  private static Item item(String rush) {
    return RoundMinds.ITEMS.stream()
        .filter(one -> one.rush().equals(rush) && one.turned().isEmpty())
        .findFirst()
        .orElseThrow();
  }
}
