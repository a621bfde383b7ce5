package dev.parlance.wire.mcp;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.plain.Problems;
import dev.parlance.wire.sse.SseFraming;
import java.util.List;
import java.util.Optional;

/** A request of MCP without a body: it opens the server's own stream, or ends a session. */
final class McpBodiless implements RequestView {
  private final RequestHead head;
  private final JsonLimits limits;
  private final McpHead fields;

  McpBodiless(RequestHead head, JsonLimits limits) {
    this.head = head;
    this.limits = limits;
    this.fields = McpHead.of(head.fields());
  }

  @Override
  public String protocol() {
    return fields.protocol();
  }

  @Override
  public Optional<AgentMessage> message() {
    return Optional.empty();
  }

  @Override
  public Correlation correlation() {
    return new Correlation(fields.session(), Optional.empty(), Optional.empty());
  }

  @Override
  public Utf8Span question() {
    return Utf8Span.EMPTY;
  }

  @Override
  public List<Utf8Span> identity() {
    return List.of(
        Utf8Span.of(head.method()),
        Utf8Span.of(head.target()),
        Utf8Span.of(fields.session().orElse("")));
  }

  @Override
  public int forgedVerdicts() {
    return 0;
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    return List.of();
  }

  @Override
  public List<Edit> strip() {
    return List.of();
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead reply, PlainBody body) {
    return McpReplies.read(reply, body, limits, Optional.empty(), McpResult.Asked.UNKNOWN);
  }

  @Override
  public Optional<StreamReader> readStream(ResponseHead reply) {
    return McpReplies.isStream(reply)
        ? Optional.of(
            new McpStreamReader(
                limits,
                Optional.empty(),
                McpResult.Asked.UNKNOWN,
                reply.relayed(),
                // No request waits on this stream, so it just ends.
                notice -> List.of(),
                new SseFraming(reply.eventBytes())))
        : Optional.empty();
  }

  @Override
  public boolean canBeAskedAgain() {
    return false;
  }

  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    return Optional.empty();
  }

  @Override
  public Refusal refuse(Notice notice) {
    return Problems.of(notice);
  }
}
