package dev.parlance.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Ballot;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.demo.agent.Juror;
import dev.parlance.demo.agent.Juror.Mind;
import dev.parlance.demo.agent.Moderator;
import java.util.ArrayList;
import java.util.List;
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
  private static final long TIMEOUT_MS = 20_000;

  private final List<Juror> jurors = new ArrayList<>();
  private final List<AgentCaller> callers = new ArrayList<>();
  private final Moderator moderator;

  RoundPanelTest() throws Exception {
    moderator = Moderator.start();
  }

  @BeforeEach
  void start() throws Exception {
    Panel.RoundMinds minds = new Panel.RoundMinds(moderator);
    for (String agent : RoundScript.panel()) {
      Juror juror = Juror.bind(agent);
      jurors.add(juror);
      String url = "http://127.0.0.1:" + juror.port() + "/";
      juror.start(found(AgentCaller.find(moderator.url(), TIMEOUT_MS)), url, minds.of(agent));
      callers.add(found(AgentCaller.find(url, TIMEOUT_MS)));
    }
  }

  @AfterEach
  void stop() {
    callers.forEach(AgentCaller::close);
    jurors.forEach(Juror::close);
    moderator.close();
  }

  private static AgentCaller found(AgentCaller.Lookup lookup) {
    assertThat(lookup).isInstanceOf(AgentCaller.Lookup.Found.class);
    return ((AgentCaller.Lookup.Found) lookup).caller();
  }

  private List<Ballot> play(Item item) throws Exception {
    Mind.Asked asked = new Mind.Asked(item.name(), 1, item.claim());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<AgentReply>> answers = new ArrayList<>();
      for (AgentCaller caller : callers) {
        answers.add(threads.submit(() -> caller.send(Juror.question(asked), "ask-" + item.name())));
      }
      for (Future<AgentReply> answer : answers) {
        assertThat(answer.get()).isInstanceOf(AgentReply.Answered.class);
      }
    }
    return moderator.heard(item.name(), 1);
  }

  @Test
  void flip_votesAgainstWhatItHasRead_inTheOthersWords() throws Exception {
    Item item = item(RoundScript.Rush.FLIP);
    List<Ballot> heard = play(item);
    assertThat(heard).hasSize(7);
    Ballot last = heard.getLast();
    assertThat(last.verdict()).isEqualTo(RoundScript.opposite(item.verdict()));
    assertThat(last.rationale()).contains(item.twist());
    assertThat(item.rationales())
        .anyMatch(words -> last.rationale().startsWith(words.substring(0, words.length() - 1)));
    assertThat(heard).anyMatch(one -> one.rationale().equals(RoundScript.POISON));
  }

  @Test
  void steer_backsTheOthersVerdict() throws Exception {
    Item item = item(RoundScript.Rush.STEER);
    assertThat(play(item).getLast().verdict()).isEqualTo(item.verdict());
  }

  @Test
  void equivocate_saysBoth_andWithhold_saysNothing() throws Exception {
    assertThat(play(item(RoundScript.Rush.EQUIVOCATE))).hasSize(8);
    assertThat(play(item(RoundScript.Rush.WITHHOLD))).hasSize(6);
  }

  @Test
  void turnedAgent_votesWithTheLiars_inTheLastRoundOnly() throws Exception {
    Item last = RoundScript.ITEMS.getLast();
    assertThat(play(last)).filteredOn(one -> !one.verdict().equals(last.verdict())).hasSize(3);
  }

  @Test
  void withoutASidecar_nothingIsSaidOfARound_andNothingRefused() throws Exception {
    Item item = item(RoundScript.Rush.STEER);
    play(item);
    List<Cast> casts = jurors.getFirst().casts(item.name());
    assertThat(casts).hasSize(1);
    assertThat(casts.getFirst().state()).isEmpty();
    assertThat(casts.getFirst().refused()).isEmpty();
  }

  private static Item item(RoundScript.Rush rush) {
    return RoundScript.ITEMS.stream()
        .filter(one -> one.rush() == rush && one.turned().isEmpty())
        .findFirst()
        .orElseThrow();
  }
}
