package dev.parlance.control.console;

import dev.parlance.console.source.AdminCalls;
import dev.parlance.control.publish.AttachHub;
import dev.parlance.control.publish.PersonCall;
import dev.parlance.control.publish.PersonCall.CallFault;
import dev.parlance.control.publish.SidecarDirectory.Seat;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/**
 * Calls of one sidecar's admin API over the stream that it has attached with. Whom a call names is
 * who has logged in at the console, which the sidecar believes.
 *
 * @param hub belongs to the caller
 */
record MeshCalls(AttachHub hub, Seat seat) implements AdminCalls {
  /** The hub gives a call up before. */
  private static final int WAIT_S = 15;

  @Override
  public AdminReply call(String pathAndQuery, Optional<JsonNode> body) throws IOException {
    String who =
        body.map(said -> said.path("who").asString("")).orElseGet(() -> viewer(pathAndQuery));
    PersonCall call = new PersonCall(pathAndQuery, body.map(JsonNode::toString), who);
    try {
      return switch (hub.call(seat, call).get(WAIT_S, TimeUnit.SECONDS)) {
        case PersonCall.Outcome.Answered(int status, byte[] bytes) -> AdminReply.of(status, bytes);
        case PersonCall.Outcome.Failed failed ->
            throw switch (failed.fault()) {
              case GONE, BUSY -> new IOException(failed.fault().sentence());
              case LEFT, LATE, TOO_LARGE -> new Unanswered(failed.fault().sentence());
            };
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (TimeoutException | ExecutionException e) {
      throw new Unanswered(CallFault.LATE.sentence(), e);
    }
  }

  private static String viewer(String pathAndQuery) {
    List<String> named =
        new QueryStringDecoder(pathAndQuery).parameters().getOrDefault("for", List.of());
    return named.isEmpty() ? "" : named.getFirst();
  }
}
