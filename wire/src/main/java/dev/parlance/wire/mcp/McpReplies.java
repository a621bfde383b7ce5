package dev.parlance.wire.mcp;

import dev.parlance.wire.api.Relayed;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.SilentResponse;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonLimits;
import java.util.List;
import java.util.Optional;

/** Reads the bodies that servers of MCP answer a POST, GET or DELETE with. */
final class McpReplies {
  private static final int FIRST_ERROR = 400;

  private McpReplies() {}

  static boolean isStream(ResponseHead head) {
    MediaType type = MediaType.of(head.fields());
    return type.isEventStream() && type.charsetFault().isEmpty();
  }

  /**
   * Reads a body that is whole.
   *
   * @param request what is answered; empty if it had no body (the server stream, the end of a
   *     session)
   */
  static Reading<ResponseView> read(
      ResponseHead head,
      PlainBody body,
      JsonLimits limits,
      Optional<McpEnvelope> request,
      McpResult.Asked asked) {
    if (body.isEmpty()) {
      return SilentResponse.reading();
    }
    MediaType type = MediaType.of(head.fields());
    if (!type.isJson()) {
      boolean note = head.status() >= FIRST_ERROR && !type.isEventStream();
      return note && isShortText(body)
          ? SilentResponse.error()
          : new Reading.Unjudged<>(type.isEventStream() ? "stream" : "content_type");
    }
    return JsonBody.ofResponse(
        head.fields(), body, limits, json -> document(json, request, asked, head.relayed()));
  }

  /** A page or a line that says why not, as servers send it outside the protocol. */
  private static boolean isShortText(PlainBody body) {
    return Texts.areShortError(List.of(body.text()))
        && Utf8.problem(body.array(), body.length()).isEmpty();
  }

  private static Reading<ResponseView> document(
      JsonDocument json, Optional<McpEnvelope> request, McpResult.Asked asked, Relayed relayed) {
    return switch (McpEnvelope.read(json)) {
      case Reading.Unread<McpEnvelope> unread -> unread.as();
      case Reading.Readable<McpEnvelope>(McpEnvelope reply) ->
          reply(reply, request, asked, relayed);
    };
  }

  /** Reads what answers a request; an error may come without an id. */
  static Reading<ResponseView> reply(
      McpEnvelope reply, Optional<McpEnvelope> request, McpResult.Asked asked, Relayed relayed) {
    boolean failed = reply.kind() == McpEnvelope.Kind.ERROR;
    if (!failed && reply.kind() != McpEnvelope.Kind.RESULT) {
      return new Reading.Unjudged<>("shape");
    }
    boolean matches =
        request.map(asking -> reply.answers(asking) || (failed && !reply.hasId())).orElse(true);
    if (!matches) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "expected the id of the request in a JSON-RPC response");
    }
    return new Reading.Readable<>(
        failed
            ? McpResult.readError(reply, asked, relayed)
            : McpResult.read(reply, asked, relayed));
  }
}
