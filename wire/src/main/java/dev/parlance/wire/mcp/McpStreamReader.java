package dev.parlance.wire.mcp;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonTextExtractor;
import dev.parlance.wire.metadata.MemberSites;
import dev.parlance.wire.sse.SseFraming;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the events with which an MCP server answers a POST, or those of the stream that it sends by
 * itself. Each event is one JSON-RPC message and whole in itself:
 *
 * <table>
 * <caption>What an event is</caption>
 * <tr><td>the result of the request</td><td>said, complete</td></tr>
 * <tr><td>a result that answers no question (lists, prompts)</td><td>aside</td></tr>
 * <tr><td>a request of the server to its client</td><td>aside, or silent where it has no words;
 * overtakes, because an answer may wait for it</td></tr>
 * <tr><td>a notification</td><td>the same</td></tr>
 * <tr><td>an error in place of a result</td><td>failed</td></tr>
 * <tr><td>a result under another id</td><td>malformed; on the server's own stream, where a broken
 * one is taken up again, it is read like any result</td></tr>
 * </table>
 */
final class McpStreamReader implements StreamReader {
  private final JsonScanner.Limits limits;
  private final Optional<McpEnvelope> request;
  private final McpResult.RequestContext asked;
  private final Relayed relayed;
  private final Function<Notice, List<byte[]>> refusal;
  private final StreamFraming framing;
  private final List<Utf8Span> said = new ArrayList<>();
  private Evidence evidence = Evidence.NONE;
  private ResponseView last = new ResponseView.Silent(List.of());
  private int saidBytes;

  /**
   * A reader of one stream.
   *
   * @param request what is answered; empty on the server's own stream
   * @param refusal the messages that end the stream in place of an answer
   */
  McpStreamReader(
      ResponseHead head,
      JsonScanner.Limits limits,
      Optional<McpEnvelope> request,
      McpResult.RequestContext asked,
      Function<Notice, List<byte[]>> refusal) {
    this.limits = limits;
    this.request = request;
    this.asked = asked;
    this.relayed = head.relayed();
    this.refusal = refusal;
    this.framing = new SseFraming(head.eventBytes());
  }

  @Override
  public StreamFraming framing() {
    return framing;
  }

  @Override
  public StreamEvent read(Frame frame) {
    byte[] payload = frame.payload().orElse(new byte[0]);
    if (payload.length == 0) {
      // The first event of a stream that can be resumed: an id and no data.
      return new StreamEvent.Silent(true, new ResponseView.Silent(List.of()));
    }
    if (frame.saysNothing()) {
      return StreamEvent.Silent.NOTHING;
    }
    boolean foreign = !frame.name().isEmpty() && !frame.name().equals("message");
    StreamEvent event = event(payload);
    // Clients pass other names over; what is a message all the same is read as one.
    return foreign
            && (event instanceof StreamEvent.Malformed || event instanceof StreamEvent.Unjudged)
        ? new StreamEvent.Foreign("event_name")
        : event;
  }

  private StreamEvent event(byte[] payload) {
    return switch (JsonScanner.scan(payload, limits)) {
      case JsonScanner.Refused(WireFault fault, String detail) ->
          new StreamEvent.Malformed(fault, detail);
      case JsonScanner.Scanned scanned ->
          switch (McpEnvelope.read(scanned.document())) {
            case Reading.Unread<McpEnvelope> unread -> StreamEvent.of(unread);
            case Reading.Readable<McpEnvelope>(McpEnvelope message) -> event(message);
          };
    };
  }

  private StreamEvent event(McpEnvelope message) {
    return switch (message.kind()) {
      case REQUEST, NOTIFICATION -> ask(message);
      case RESULT, ERROR ->
          switch (McpResult.reply(message, request, asked, relayed)) {
            case Reading.Unread<ResponseView> unread -> StreamEvent.of(unread);
            case Reading.Readable<ResponseView>(ResponseView view) -> answer(view);
          };
    };
  }

  private StreamEvent ask(McpEnvelope message) {
    Optional<McpMethod> method = McpMethod.of(message.method());
    JsonDocument json = message.json();
    MemberSites sites = message.sites(JsonDocument.NONE);
    JsonTextExtractor words = new JsonTextExtractor(json, McpResult.LABELS, /* numbers= */ false);
    if (method.map(McpMethod::shape).equals(Optional.of(McpMethod.Shape.CONTROL))) {
      words.addLabels(json.root());
    } else {
      words.add(json.root());
    }
    Utf8Span text = Texts.join(words.texts());
    if (words.unreadFile()) {
      said.add(text);
      saidBytes += text.length();
      return new StreamEvent.Said(true, List.of(MessageView.BINARY_PART), sites);
    }
    return Texts.hasWords(text)
        ? new StreamEvent.Aside(new AgentMessage(text, Utf8Span.EMPTY, Evidence.NONE), sites)
        : new StreamEvent.Silent(true, sites);
  }

  private StreamEvent answer(ResponseView view) {
    last = view;
    if (view.failure().isPresent()) {
      return new StreamEvent.Failed(view.failure().get(), false, view);
    }
    Optional<AgentMessage> message = view.message();
    if (message.isEmpty() && view.unread().isEmpty()) {
      return new StreamEvent.Silent(false, view);
    }
    if (message.isPresent() && !view.answersQuestion() && view.unread().isEmpty()) {
      return new StreamEvent.Aside(message.get(), view);
    }
    message.ifPresent(words -> {
      said.add(words.answer());
      saidBytes += words.answer().length();
      evidence = words.evidence();
    });
    return new StreamEvent.Said(true, view.unread(), view);
  }

  @Override
  public AgentMessage said() {
    return new AgentMessage(Texts.join(said), asked.question(), evidence);
  }

  @Override
  public int saidBytes() {
    return saidBytes;
  }

  /** Never: every message is whole in its event. */
  @Override
  public boolean isOpen() {
    return false;
  }

  @Override
  public void forget() {
    said.clear();
    saidBytes = 0;
  }

  @Override
  public ResponseView soFar() {
    return last;
  }

  @Override
  public StreamReader.Ending refuse(Notice notice, boolean isBegun) {
    return new StreamReader.Ending(refusal.apply(notice), Map.of());
  }
}
