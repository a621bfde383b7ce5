package dev.parlance.cli.local;

import dev.parlance.cli.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Looks whether a local agent has begun to listen, and where its agent card sends its callers: what
 * it says is for the person who has started it.
 */
record AgentWatch(SidecarSetup setup, AgentProcess process, Consumer<String> say) {
  private static final long POLL_MS = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration CARD = Duration.ofSeconds(2);
  private static final String CARD_PATH = "/.well-known/agent-card.json";

  /** Looks until it listens and was asked for its card, or has ended. */
  void run() throws InterruptedException {
    AgentSpec agent = setup.agent();
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    boolean complained = false;
    while (!LocalPorts.isListening("127.0.0.1", agent.port())) {
      if (process.await(Duration.ofMillis(POLL_MS))) {
        return;
      }
      if (!complained && System.nanoTime() - deadlineNs > 0) {
        complained = true;
        say.accept(silent(agent));
      }
    }
    say.accept(
        "%s listens on %s; callers reach it at %s"
            .formatted(agent.name(), agent.address(), setup.callersUrl()));
    card().ifPresent(this::sayOf);
  }

  private static String silent(AgentSpec agent) {
    return LocalPorts.isListening("::1", agent.port())
        ? "%s listens on [::1]:%d only; have it listen on 127.0.0.1, where its sidecar looks for it"
            .formatted(agent.name(), agent.port())
        : "%s does not listen on %s after %d s; does it listen on another port? (--agent-port)"
            .formatted(agent.name(), agent.address(), PATIENCE.toSeconds());
  }

  private Optional<JsonNode> card() throws InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CARD)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + setup.agent().address() + CARD_PATH))
              .timeout(CARD)
              .build();
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200
          ? Optional.of(Json.MAPPER.readTree(answer.body()))
          : Optional.empty();
    } catch (IOException | JacksonException _) {
      return Optional.empty(); // it speaks something else
    }
  }

  private void sayOf(JsonNode card) {
    List<String> round = new ArrayList<>();
    for (JsonNode address : addresses(card)) {
      String url = address.asString("");
      if (namesTheAgent(url)) {
        round.add(url);
      }
    }
    if (round.isEmpty()) {
      return;
    }
    boolean isSigned = !card.path("signatures").isEmpty();
    say.accept(
        "its agent card sends callers to "
            + String.join(" and ", round)
            + (isSigned
                    ? ", past the sidecar, and is signed, so it is left as it is: put %s there"
                    : "; whoever fetches it from the sidecar is given %s")
                .formatted(setup.callersUrl()));
  }

  /** Where a card of any version has addresses. */
  private static List<JsonNode> addresses(JsonNode card) {
    List<JsonNode> all = new ArrayList<>();
    all.add(card.path("url"));
    for (String list : List.of("supportedInterfaces", "additionalInterfaces")) {
      card.path(list).forEach(one -> all.add(one.path("url")));
    }
    return all;
  }

  private boolean namesTheAgent(String url) {
    try {
      return URI.create(url.contains("://") ? url : "grpc://" + url).getPort()
          == setup.agent().port();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
