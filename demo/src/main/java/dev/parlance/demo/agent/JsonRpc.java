package dev.parlance.demo.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
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
import io.a2a.spec.UnsupportedOperationError;
import io.a2a.transport.jsonrpc.handler.JSONRPCHandler;
import io.a2a.util.Utils;
import java.util.HashMap;
import java.util.HashSet;

/** One JSON-RPC request text to one answer, by the SDK's parser, handler and writer. */
final class JsonRpc {
  private final JSONRPCHandler handler;

  JsonRpc(JSONRPCHandler handler) {
    this.handler = handler;
  }

  byte[] answer(String body) throws JsonProcessingException {
    JSONRPCResponse<?> response;
    try {
      response = dispatch(Utils.OBJECT_MAPPER.readValue(body, NonStreamingJSONRPCRequest.class));
    } catch (MethodNotFoundJsonMappingException e) {
      response = error(e, new MethodNotFoundError());
    } catch (InvalidParamsJsonMappingException e) {
      response = error(e, new InvalidParamsError());
    } catch (IdJsonMappingException e) {
      response = error(e, new InvalidRequestError());
    } catch (JsonMappingException e) {
      response = new JSONRPCErrorResponse(new InvalidRequestError());
    } catch (JsonProcessingException e) {
      response = new JSONRPCErrorResponse(new JSONParseError());
    }
    return Utils.OBJECT_MAPPER.writeValueAsBytes(response);
  }

  private JSONRPCResponse<?> dispatch(NonStreamingJSONRPCRequest<?> request) {
    ServerCallContext caller =
        new ServerCallContext(UnauthenticatedUser.INSTANCE, new HashMap<>(), new HashSet<>());
    return switch (request) {
      case SendMessageRequest send -> handler.onMessageSend(send, caller);
      case GetTaskRequest get -> handler.onGetTask(get, caller);
      case CancelTaskRequest cancel -> handler.onCancelTask(cancel, caller);
      default -> new JSONRPCErrorResponse(request.getId(), new UnsupportedOperationError());
    };
  }

  private static JSONRPCResponse<?> error(IdJsonMappingException cause, JSONRPCError error) {
    return new JSONRPCErrorResponse(cause.getId(), error);
  }
}
