package dev.parlance.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Response;
import dev.parlance.policy.pact.Predicate;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PactTalkTest {
  private static PactEvent.Message said(String from, PactEvent.Body body) {
    return new PactEvent.Message(1, from, "{}", body);
  }

  private static PactEvent.Position position(Response... responses) {
    return new PactEvent.Position("n-1", List.of(responses), OptionalLong.empty());
  }

  @Test
  void aConcession_isToTakeWhatOneHadPutOtherwise() {
    List<PactTalk.Turn> turns =
        PactTalk.turns(
            List.of(
                said(
                    "a",
                    new PactEvent.Proposal(
                        "n-1",
                        List.of(
                            new Predicate("size", "output", "max_kb=64"),
                            new Predicate("scope", "scope", "fields=name")),
                        OptionalLong.empty())),
                said(
                    "b",
                    position(
                        new Response("size", "modify", "", "max_kb=16", "ABOVE"),
                        new Response("scope", "accept", "", "", ""),
                        new Response("audit", "add", "audit", "retain_days=365", "ours"))),
                said(
                    "a",
                    position(
                        new Response("size", "accept", "", "", ""),
                        new Response("audit", "modify", "", "retain_days=90", "ABOVE"))),
                said("b", position(new Response("audit", "accept", "", "", ""))),
                said("b", new PactEvent.Walkaway("n-1", "declined"))));
    assertThat(turns)
        .containsExactly(
            new PactTalk.Turn("a", List.of("offers max_kb=64, fields=name"), 0, 0),
            new PactTalk.Turn(
                "b",
                List.of(
                    "counters max_kb=16 for max_kb=64",
                    "adds retain_days=365",
                    "accepts the other 1"),
                1,
                0),
            new PactTalk.Turn(
                "a",
                List.of("concedes max_kb=16", "counters retain_days=90 for retain_days=365"),
                1,
                1),
            new PactTalk.Turn(
                "b", List.of("concedes retain_days=90", "walks away: declined"), 0, 1));
  }

  @Test
  void anAcceptedTemplate_isNamed() {
    assertThat(
            PactTalk.turns(
                List.of(
                    said("b", new PactEvent.TemplateChoice("n-1", "ask@1", "accept", "fits us")))))
        .containsExactly(new PactTalk.Turn("b", List.of("accepts ask@1"), 0, 0));
  }
}
