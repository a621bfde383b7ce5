package dev.parlance.demo.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.debate.ClauseClaim;
import dev.parlance.demo.debate.ClauseMind;
import dev.parlance.demo.debate.ProofStatus;
import dev.parlance.demo.debate.Transcript;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.policy.lexicon.KnownTerms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The three agents talk over A2A, without sidecars. */
@Timeout(120)
class DebaterTest {
  private static final String CONVERSATION = "c-1";
  private static final String KNOWN =
      KnownTerms.of(
              List.of(
                  new KnownTerms.Term(
                      "open gap",
                      "open gap",
                      "a point that the clause neither grants nor denies",
                      3,
                      1,
                      LicenseTerms.SCHOLAR,
                      false)))
          .text();

  private final Transcript transcript = new Transcript();
  private final List<RunningAgent> agents = new ArrayList<>();
  private final Map<String, AgentCaller> callers = new HashMap<>();

  @BeforeEach
  void start() throws Exception {
    for (String name : ClauseMind.AGENTS) {
      RunningAgent agent = RunningAgent.bind(name);
      agents.add(agent);
      agent.start(
          agent.ownUrl(),
          new Debater(name, transcript, (_, other) -> Optional.ofNullable(callers.get(other))));
      callers.put(name, AgentCaller.find(AgentCaller.Way.to(agent.ownUrl())));
    }
  }

  @AfterEach
  void stop() {
    callers.values().forEach(AgentCaller::close);
    agents.forEach(RunningAgent::close);
  }

  private AgentReply say(String agent, String text) {
    AgentCaller caller = callers.get(agent);
    assertThat(caller).isNotNull();
    return Debater.ask(
        transcript, new Transcript.Message(CONVERSATION, "moderator", agent, text), caller);
  }

  @Test
  void everyClaim_isDecided_andWhoAsksNotesWhatWasSaid() {
    for (int task = 1; task <= ClauseClaim.claims().size(); task++) {
      AgentReply reply = say(LicenseTerms.OFFICER, ClauseMind.task(task, false));
      assertThat(ProofStatus.in(reply.said()))
          .as(reply.said())
          .contains(ClauseClaim.claims().get(task - 1).status());
    }
    // Two messages for the moderator's question and four for the officer's, three times two more.
    assertThat(transcript.messages(CONVERSATION)).hasSize(12 * 6 + 3 * 2);
    assertThat(transcript.shownTimes(CONVERSATION)).isZero();
  }

  @Test
  void whatStandsBehindTheWords_isReadAndCounted() {
    AgentReply reply = say(LicenseTerms.SCHOLAR, ClauseMind.task(1, false) + "\n" + KNOWN);
    assertThat(reply.said()).endsWith("It is an open gap.");
    assertThat(transcript.shownTimes(CONVERSATION)).isEqualTo(1);
    assertThat(transcript.shownTokens(CONVERSATION)).isGreaterThan(20);
  }

  @Test
  void questionsOfAnAuditAndOrders_areAnsweredBesides() {
    String event = ClauseClaim.events().getFirst().text();
    String question = "This is a question about the use of a word.\n\nTerm: %s\nEvent: " + event;
    assertThat(say(LicenseTerms.OFFICER, question.formatted(ClauseMind.SETTLED)).said())
        .isEqualTo("dissent");
    assertThat(say(LicenseTerms.OFFICER, question.formatted("open gap")).said())
        .isEqualTo("neutral");
    assertThat(say(LicenseTerms.SCHOLAR, "order: Enter it.").said()).contains("done as ordered");
  }

  @Test
  void whoIsNotThere_isNamed() {
    AgentCaller counsel = callers.remove(ClauseMind.COUNSEL);
    assertThat(say(LicenseTerms.OFFICER, ClauseMind.task(1, false)).said())
        .contains(ClauseMind.COUNSEL + " is not heard");
    assertThat(counsel).isNotNull();
    counsel.close();
  }
}
