package dev.parlance.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.TokenUsage;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.json.JsonScanner;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which answers report on something that was done, which requests change nothing, what drafts cost.
 */
class ActsTest {
  private static final Codecs CODECS = new Codecs(JsonScanner.Limits.DEFAULT);
  private static final String CHAT = "POST /v1/chat/completions";
  private static final String RESPONSES = "POST /v1/responses";
  private static final String RPC = "POST /";
  private static final String A2A_SEND =
      "{'jsonrpc':'2.0','id':1,'method':'SendMessage','params':{'message':{'messageId':'m','role':'ROLE_USER','parts':[{'text':'go'}]}}}";
  private static final String MCP_CALL =
      "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t','arguments':{'q':'go"
          + " on'}}}";
  private static final String ASK = "{'model':'m','messages':[{'role':'user','content':'go'}]}";
  private static final String INPUT = "{'model':'m','input':'go'}";

  private static RequestView request(String line, String body) {
    String[] parts = line.split(" ", 2);
    RequestHead head =
        new RequestHead(
            parts[0],
            parts[1],
            name ->
                switch (name.toLowerCase(java.util.Locale.ROOT)) {
                  case "content-type" -> Optional.of("application/json");
                  case "a2a-version" -> Optional.of("1.0");
                  case "accept" -> Optional.of("application/json, text/event-stream");
                  default -> Optional.empty();
                });
    Reading<RequestView> reading =
        CODECS.read("auto", dev.parlance.wire.json.JsonPointers.NONE, head, plain(body));
    assertThat(reading).as(body).isInstanceOf(Reading.Readable.class);
    return ((Reading.Readable<RequestView>) reading).view();
  }

  private static PlainBody plain(String json) {
    return PlainBody.of(json.replace('\'', '"').getBytes(UTF_8));
  }

  private static ResponseHead head(String type) {
    return new ResponseHead(
        200, name -> name.equalsIgnoreCase("content-type") ? Optional.of(type) : Optional.empty());
  }

  private static ResponseView answer(RequestView asked, String body) {
    Reading<ResponseView> reading = asked.readResponse(head("application/json"), plain(body));
    assertThat(reading).as(body).isInstanceOf(Reading.Readable.class);
    return ((Reading.Readable<ResponseView>) reading).view();
  }

  private static StreamReader stream(RequestView asked, String... events) {
    StreamReader reader = asked.readStream(head("text/event-stream")).orElseThrow();
    for (String event : events) {
      var fault =
          reader
              .framing()
              .feed(Unpooled.copiedBuffer("data: " + event.replace('\'', '"') + "\n\n", UTF_8));
      assertThat(fault).isEmpty();
      reader.framing().next().ifPresent(frame -> reader.read(frame));
    }
    return reader;
  }

  private static String a2a(String result) {
    return "{'jsonrpc':'2.0','id':1,'result':" + result + "}";
  }

  private static String said(String rest) {
    return a2a(
        "{'message':{'messageId':'a','role':'ROLE_AGENT','parts':[{'text':'done'}]" + rest + "}}");
  }

  @ParameterizedTest
  @CsvSource({
    "SUBMITTED",
    "WORKING",
    "COMPLETED",
    "FAILED",
    "CANCELED",
    "INPUT_REQUIRED",
    "REJECTED",
    "AUTH_REQUIRED"
  })
  void aTaskActs_inAnyState(String state) {
    RequestView asked = request(RPC, A2A_SEND);
    String status = "'status':{'state':'TASK_STATE_" + state + "'}";

    assertThat(answer(asked, a2a("{'task':{'id':'t','contextId':'c'," + status + "}}")).acts())
        .isTrue();
  }

  @Test
  void aMessageActsIfItBelongsToATask() {
    RequestView asked = request(RPC, A2A_SEND);

    assertThat(answer(asked, said("")).acts()).isFalse();
    assertThat(answer(asked, said(",'taskId':'t'")).acts()).isTrue();
  }

  @Test
  void aStreamOfATaskActs_fromItsFirstEventOn() {
    RequestView asked = request(RPC, A2A_SEND.replace("SendMessage", "SendStreamingMessage"));
    String update =
        a2a(
            "{'statusUpdate':{'taskId':'t','contextId':'c','status':{'state':'TASK_STATE_WORKING'}}}");

    assertThat(stream(asked, said("")).soFar().acts()).isFalse();
    assertThat(stream(asked, update).soFar().acts()).isTrue();
    assertThat(stream(asked, said(""), update).soFar().acts()).isTrue();
  }

  @Test
  void aToolsResultActs_andAnAnswerThatCallsOne() {
    RequestView tool = request("POST /mcp", MCP_CALL);
    assertThat(answer(tool, a2a("{'content':[{'type':'text','text':'done'}]}")).acts()).isTrue();
    RequestView chat = request(CHAT, ASK);
    String message =
        "{'id':'c','choices':[{'index':0,'message':{'role':'assistant','content':'well'%s}}]}";
    assertThat(answer(chat, message.formatted("")).acts()).isFalse();
    assertThat(answer(chat, message.formatted(",'tool_calls':[]")).acts()).isFalse();
    String call = "[{'id':'x','type':'function','function':{'name':'pay','arguments':'{}'}}]";
    assertThat(answer(chat, message.formatted(",'tool_calls':" + call)).acts()).isTrue();
    assertThat(answer(chat, message.formatted(",'function_call':{'name':'pay'}")).acts()).isTrue();
  }

  @Test
  void aResponseActs_ifItHoldsMoreThanMessagesAndReasoning() {
    RequestView asked = request(RESPONSES, INPUT);
    String words =
        "{'type':'reasoning','summary':[]},{'type':'message','role':'assistant','content':[{'type':'output_text','text':'well'}]}";
    String whole = "{'id':'r','status':'completed','output':[%s]}";
    assertThat(answer(asked, whole.formatted(words)).acts()).isFalse();
    for (String item : new String[] {"function_call", "mcp_call", "web_search_call", "new_call"}) {
      String output = words + ",{'type':'" + item + "','id':'i','name':'pay'}";
      assertThat(answer(asked, whole.formatted(output)).acts()).as(item).isTrue();
    }
    String added =
        "{'type':'response.output_item.added','output_index':1,'item':{'type':'%s','id':'i'}}";
    assertThat(stream(asked, added.formatted("message")).soFar().acts()).isFalse();
    assertThat(stream(asked, added.formatted("mcp_call")).soFar().acts()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          POST / | {'jsonrpc':'2.0','id':1,'method':'GetTask','params':{'id':'t'}} | true
          POST / | {'jsonrpc':'2.0','id':1,'method':'CancelTask','params':{'id':'t'}} | false
          POST /mcp | {'jsonrpc':'2.0','id':1,'method':'tools/list'} | true
          POST /mcp | {'jsonrpc':'2.0','id':1,'method':'resources/read','params':{'uri':'x'}} | true
          POST /mcp | {'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t'}} | false
          POST /v1/chat/completions | {'model':'m','messages':[]} | true
          POST /v1/responses | {'model':'m','input':'x','tools':[{'type':'function','name':'f'}]} | true
          POST /v1/responses | {'model':'m','input':'x','tools':[{'type':'mcp'}]} | false
          """)
  void aRequestIsSafe_ifItOnlyReads(String line, String body, boolean safe) {
    assertThat(request(line, body).isSafe()).isEqualTo(safe);
  }

  @Test
  void sendingIsNotSafe() {
    assertThat(request(RPC, A2A_SEND).isSafe()).isFalse();
    assertThat(request("POST /mcp", MCP_CALL).isSafe()).isFalse();
  }

  @Test
  void usageOfTheLastAnswer_countsAllDrafts() {
    RequestView asked = request(CHAT, ASK);
    String body =
        "{'id':'c','choices':[{'index':0,'message':{'role':'assistant','content':'well'}}],'usage':{'prompt_tokens':%d,'completion_tokens':%d,'total_tokens':%d}}";
    ResponseView draft = answer(asked, body.formatted(10, 5, 15));
    assertThat(draft.usage()).isEqualTo(new TokenUsage(10, 5, 15));
    assertThat(asked.repair(draft, "better", "id")).isPresent();

    PlainBody last = plain(body.formatted(20, 7, 27));
    ResponseView read =
        ((Reading.Readable<ResponseView>) asked.readResponse(head("application/json"), last))
            .view();

    String told =
        new String(Splicer.applyToBytes(last.array(), last.length(), read.strip()), UTF_8);
    assertThat(told).isEqualTo(body.formatted(30, 12, 42).replace('\'', '"'));
  }

  @Test
  void usageAtTheEndOfAStream_countsAllDrafts_andIsWaitedFor() {
    RequestView asked =
        request(
            CHAT, ASK.replace("}]}", "}],'stream':true,'stream_options':{'include_usage':true}}"));
    String words =
        "{'id':'c','choices':[{'index':0,'delta':{'content':'well'},'finish_reason':'stop'}]}";
    String usage =
        "{'id':'c','choices':[],'usage':{'prompt_tokens':10,'completion_tokens':5,'total_tokens':15}}";
    StreamReader draft = stream(asked, words);
    assertThat(draft.isOpen()).isTrue();
    draft = stream(asked, words, usage);
    assertThat(draft.isOpen()).isFalse();
    assertThat(draft.soFar().usage()).isEqualTo(new TokenUsage(10, 5, 15));
    assertThat(asked.repair(draft.soFar(), "better", "id")).isPresent();

    StreamReader last = asked.readStream(head("text/event-stream")).orElseThrow();
    var fault =
        last.framing()
            .feed(Unpooled.copiedBuffer("data: " + usage.replace('\'', '"') + "\n\n", UTF_8));
    assertThat(fault).isEmpty();
    Frame frame = last.framing().next().orElseThrow();
    StreamEvent event = last.read(frame);

    assertThat(event).isInstanceOf(StreamEvent.Silent.class);
    assertThat(new String(frame.edited(((StreamEvent.Silent) event).edits().strip()), UTF_8))
        .contains("\"prompt_tokens\":20,\"completion_tokens\":10,\"total_tokens\":30");
  }
}
