package dev.parlance.console.source;

import dev.parlance.client.SidecarClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Calls of the sidecar on this machine.
 *
 * @param client with its address and token; belongs to the caller
 */
public record SidecarCalls(SidecarClient client) implements AdminCalls {
  @Override
  public AdminReply call(String pathAndQuery, Optional<JsonNode> body) throws IOException {
    HttpResponse<byte[]> response;
    try {
      response =
          body.isPresent() ? client.rawPost(pathAndQuery, body.get()) : client.raw(pathAndQuery);
    } catch (ConnectException | HttpConnectTimeoutException e) {
      throw e; // nobody was asked
    } catch (IOException e) {
      throw new Unanswered(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (response.statusCode() == 401) {
      throw new IOException("it refused the token of this console; was it started anew?");
    }
    return AdminReply.of(response.statusCode(), response.body());
  }
}
