package dev.parlance.demo.agent;

import io.a2a.transport.rest.handler.RestHandler;
import io.a2a.transport.rest.handler.RestHandler.HTTPRestResponse;
import io.a2a.transport.rest.handler.RestHandler.HTTPRestStreamingResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** HTTP+JSON as A2A v0.3 has it, by the SDK's handler: the methods that the demonstration needs. */
final class Rest {
  private static final String SEND = "/v1/message:send";
  private static final String STREAM = "/v1/message:stream";

  private final RestHandler handler;

  Rest(RestHandler handler) {
    this.handler = handler;
  }

  /** The answer to a POST; empty if the path is no method of this binding. */
  Optional<HttpAnswer> answer(String path, String body) {
    return switch (path) {
      case SEND -> Optional.of(answer(handler.sendMessage(body, JsonRpc.caller())));
      case STREAM -> Optional.of(answer(handler.sendStreamingMessage(body, JsonRpc.caller())));
      default -> Optional.empty();
    };
  }

  private static HttpAnswer answer(HTTPRestResponse response) {
    return switch (response) {
      case HTTPRestStreamingResponse stream ->
          new HttpAnswer.Events<>(stream.getPublisher(), Rest::oneLine);
      default ->
          new HttpAnswer.Whole(
              response.getStatusCode(),
              response.getContentType(),
              response.getBody().getBytes(StandardCharsets.UTF_8));
    };
  }

  /** Clients read an event's JSON from one line; line feeds stand only between its tokens. */
  private static String oneLine(String json) {
    return json.replaceAll("\n *", "");
  }
}
