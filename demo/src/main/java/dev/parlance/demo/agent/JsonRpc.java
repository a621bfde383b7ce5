package dev.parlance.demo.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
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
import io.a2a.util.Utils;
import java.util.HashMap;
import java.util.HashSet;

/** One JSON-RPC request text to one answer, by the SDK's parser, handler and writer. */
final class JsonRpc {
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
              dispatch(Utils.OBJECT_MAPPER.treeToValue(request, NonStreamingJSONRPCRequest.class)));
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
