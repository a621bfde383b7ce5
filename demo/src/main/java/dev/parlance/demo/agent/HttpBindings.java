package dev.parlance.demo.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parlance.demo.agent.HttpBindings.HttpAnswer;
import dev.parlance.demo.agent.HttpBindings.JsonRpc;
import io.a2a.server.ServerCallContext;
import io.a2a.server.auth.UnauthenticatedUser;
import io.a2a.spec.CancelTaskRequest;
import io.a2a.spec.GetTaskRequest;
import io.a2a.spec.IdJsonMappingException;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.InvalidParamsJsonMappingException;
import io.a2a.spec.InvalidRequestError;
import io.a2a.spec.JSONParseError;
import io.a2a.spec.JSONRPCError;
import io.a2a.spec.JSONRPCErrorResponse;
import io.a2a.spec.JSONRPCResponse;
import io.a2a.spec.MethodNotFoundError;
import io.a2a.spec.MethodNotFoundJsonMappingException;
import io.a2a.spec.NonStreamingJSONRPCRequest;
import io.a2a.spec.SendMessageRequest;
import io.a2a.spec.SendStreamingMessageRequest;
import io.a2a.spec.UnsupportedOperationError;
import io.a2a.transport.jsonrpc.handler.JSONRPCHandler;
import io.a2a.transport.rest.handler.RestHandler;
import io.a2a.transport.rest.handler.RestHandler.HTTPRestResponse;
import io.a2a.transport.rest.handler.RestHandler.HTTPRestStreamingResponse;
import io.a2a.util.Utils;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.function.Function;

/** A2A over HTTP/1.1, as JSON-RPC and as HTTP+JSON, by the SDK's parsers, handlers and writers. */
final class HttpBindings {
  private HttpBindings() {}

  /** What a binding over HTTP/1.1 answers. */
  sealed interface HttpAnswer {
    /** A body. */
    // Sent once, never compared; the array is not copied.
    @SuppressWarnings("ArrayRecordComponent")
    record Whole(int status, String contentType, byte[] body) implements HttpAnswer {}

    /**
     * Server-sent events.
     *
     * @param source the events
     * @param payload an event as JSON on one line
     */
    record Events<T>(Flow.Publisher<T> source, Function<T, String> payload) implements HttpAnswer {}
  }

  /** One JSON-RPC request text to one answer, by the SDK's parser, handler and writer. */
  static final class JsonRpc {
    private static final String CONTENT_TYPE = "application/json";

    private final JSONRPCHandler handler;

    JsonRpc(JSONRPCHandler handler) {
      this.handler = handler;
    }

    HttpAnswer answer(String body) {
      try {
        JsonNode request = Utils.OBJECT_MAPPER.readTree(body);
        return request.path("method").asText().equals(SendStreamingMessageRequest.METHOD)
            ? new HttpAnswer.Events<>(
                handler.onMessageSendStream(
                    Utils.OBJECT_MAPPER.treeToValue(request, SendStreamingMessageRequest.class),
                    caller()),
                JsonRpc::json)
            : whole(
                dispatch(
                    Utils.OBJECT_MAPPER.treeToValue(request, NonStreamingJSONRPCRequest.class)));
      } catch (MethodNotFoundJsonMappingException e) {
        return whole(error(e, new MethodNotFoundError()));
      } catch (InvalidParamsJsonMappingException e) {
        return whole(error(e, new InvalidParamsError()));
      } catch (IdJsonMappingException e) {
        return whole(error(e, new InvalidRequestError()));
      } catch (JsonMappingException e) {
        return whole(new JSONRPCErrorResponse(new InvalidRequestError()));
      } catch (JsonProcessingException e) {
        return whole(new JSONRPCErrorResponse(new JSONParseError()));
      }
    }

    private JSONRPCResponse<?> dispatch(NonStreamingJSONRPCRequest<?> request) {
      return switch (request) {
        case SendMessageRequest send -> handler.onMessageSend(send, caller());
        case GetTaskRequest get -> handler.onGetTask(get, caller());
        case CancelTaskRequest cancel -> handler.onCancelTask(cancel, caller());
        default -> new JSONRPCErrorResponse(request.getId(), new UnsupportedOperationError());
      };
    }

    /** Nobody is known by name here. */
    static ServerCallContext caller() {
      return new ServerCallContext(UnauthenticatedUser.INSTANCE, new HashMap<>(), new HashSet<>());
    }

    private static JSONRPCResponse<?> error(IdJsonMappingException cause, JSONRPCError error) {
      return new JSONRPCErrorResponse(cause.getId(), error);
    }

    private static HttpAnswer whole(JSONRPCResponse<?> response) {
      return new HttpAnswer.Whole(
          200, CONTENT_TYPE, json(response).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static String json(JSONRPCResponse<?> response) {
      try {
        return Utils.OBJECT_MAPPER.writeValueAsString(response);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("the SDK's own objects always become JSON", e);
      }
    }
  }

  /**
   * HTTP+JSON as A2A v0.3 has it, by the SDK's handler: the methods that the demonstration needs.
   */
  static final class Rest {
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
}
