package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactCheck.Outcome;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which JSON of an answer is held against the schema of its pact, protocol by protocol. */
class AnswerDataTest {
  private final List<String> seen = new ArrayList<>();

  private Outcome met(String protocol, String body) {
    seen.clear();
    AnswerData data = new AnswerData();
    data.read(json(body), SpokenProtocols.named(protocol));
    return data.met(
        json -> {
          seen.add(new String(json, StandardCharsets.UTF_8));
          return seen.getLast().contains("bad") ? Optional.of("bad") : Optional.empty();
        },
        new ArrayList<>());
  }

  private static JsonDocument json(String body) {
    return ((JsonScanner.Scanned)
            JsonScanner.scan(body.getBytes(StandardCharsets.UTF_8), JsonScanner.Limits.DEFAULT))
        .document();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a2a-1.0 | {'message':{'parts':[{'text':'see'},{'data':{'a':1}},{'data':[2]}]}} | {'a':1}"
            + " [2]",
        "a2a-1.0 |"
            + " {'task':{'history':[{'parts':[{'data':{'q':1}}]}],'artifacts':[{'parts':[{'data':{'a':1}}]}]}}"
            + " | {'a':1}",
        "a2a-1.0 | {'message':{'parts':[{'metadata':{'parts':[{'data':{'m':1}}]},'data':{'a':1}}]}}"
            + " | {'a':1}",
        "a2a-0.3 | {'result':{'kind':'message','parts':[{'kind':'data','data':{'data':1}}]}} |"
            + " {'data':1}",
        "a2a-0.3 | {'msg':{'content':[{'data':{'data':{'a':1}}}]}} | {'a':1}",
        "a2a-1.0 | {'message':{'parts':[{'text':' [1] '},{'text':'and words'}]}} | [1]",
        "mcp | {'result':{'content':[{'type':'text','text':'{}'}],'structuredContent':{'a':1}}} |"
            + " {'a':1}",
        "mcp | {'result':{'content':[{'type':'text','text':'[3]'}]}} | [3]",
        "openai |"
            + " {'choices':[{'message':{'content':'[4]'}},{'message':{'content':[{'type':'text','text':'[5]'}]}}]}"
            + " | [4] [5]",
        "json | {'a':{'b':1}} | {'a':{'b':1}}",
      })
  void dataOfTheAnswer_elseItsTextsThatAreJson(String protocol, String body, String expected) {
    assertThat(met(protocol, body.replace('\'', '"'))).isEqualTo(Outcome.HELD);
    assertThat(String.join(" ", seen)).isEqualTo(expected.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a2a-1.0 | {'message':{'parts':[{'data':{'a':1}},{'data':{'bad':1}}]}} | VIOLATED",
        "a2a-1.0 | {'message':{'parts':[{'text':'words'}]}} | VIOLATED",
        "a2a-1.0 | {'message':{'parts':[{'text':'{broken'}]}} | VIOLATED",
        "a2a-1.0 | {'task':{'status':{'state':'TASK_STATE_WORKING'}}} | HELD",
        "a2a-1.0 | {'jsonrpc':'2.0','error':{'code':1,'message':'no'}} | HELD",
        "mcp | {'result':{'tools':[]}} | HELD",
        "mcp | [] | HELD",
        "openai | {'choices':[{'message':{'content':null,'tool_calls':[]}}]} | HELD",
        "openai | {'choices':3} | HELD",
        "json | ['bad'] | VIOLATED",
        "none | {} | UNMEASURED",
      })
  void whatDoesNotMeetIt_whatSaysNothing_andWhatNobodyKnows(
      String protocol, String body, Outcome outcome) {
    assertThat(met(protocol, body.replace('\'', '"'))).isEqualTo(outcome);
  }

  @Test
  void moreThanIsLookedAt_isNotKnown() {
    String large = "[\"" + "x".repeat(AnswerData.MAX_BYTES) + "\"]";
    assertThat(met("json", large)).isEqualTo(Outcome.UNMEASURED);
    assertThat(seen).isEmpty();
  }

  @Test
  void partsOfAStream_countTogether_andItsWordsWhole() {
    AnswerData data = new AnswerData();
    AgentProtocol a2a = SpokenProtocols.named("a2a-1.0");
    data.read(json("{\"artifactUpdate\":{\"artifact\":{\"parts\":[{\"text\":\"[1\"}]}}}"), a2a);
    data.withoutWords();
    data.words("[1,2]");
    assertThat(data.met(_ -> Optional.empty(), new ArrayList<>())).isEqualTo(Outcome.HELD);
    data.read(json("{\"artifactUpdate\":{\"artifact\":{\"parts\":[{\"data\":{}}]}}}"), a2a);
    assertThat(data.met(_ -> Optional.of("no"), new ArrayList<>())).isEqualTo(Outcome.VIOLATED);
  }
}
