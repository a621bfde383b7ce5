package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.onnx.testing.ClassifierFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A sidecar with the second stage of the judge: a small classifier in a folder. */
class EntailmentThroughSidecarTest extends SidecarFixture {
  private static final int MANY = 24;
  private static final String OPEN =
      "I think hello that impeller of the pump is swapped by its owners regularly.";
  private static final String SETTINGS =
      "profile: claims-only\n"
          + "    repair: \"off\"\n"
          + "entailment: { dir: model, openFrom: 0, openTo: 1, raiseTo: 0.9, timeoutMs: 10000 }\n";

  @Test
  void whatTheClassifierHoldsToFollow_isDelivered_andTold() throws Exception {
    ClassifierFolder.at(folder.resolve("model"));
    script = asked -> ScriptedAgent.Reply.json(message(OPEN, idOf(asked)));
    start(SETTINGS);
    HttpResponse<String> answer = ask("When must the impeller be replaced?", "1");
    assertThat(answer.headers().firstValue("Parlance-Route")).contains("execute");
    assertThat(answer.body()).contains("swapped");
    assertThat(admin("GET", "/decisions?limit=1", "").body()).contains("\"entailed\"");
    assertThat(scrape()).contains("parlance_entailment_total{outcome=\"answered\"} 1.0");
    assertThat(admin("GET", "/config", "").body())
        .contains("\"entailment\"")
        .contains("\"raiseTo\" : 0.9");
  }

  @Test
  void manyAtOnce_andCallersThatLeave_allHaveAnEnd() throws Exception {
    ClassifierFolder.at(folder.resolve("model"));
    script = asked -> ScriptedAgent.Reply.json(message(OPEN, idOf(asked)));
    start(SETTINGS.replace("timeoutMs: 10000", "timeoutMs: 10000, queue: 1"));
    List<CompletableFuture<Optional<String>>> routes = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      String id = Integer.toString(i);
      leave();
      routes.add(
          CompletableFuture.supplyAsync(() -> {
            try {
              return ask("When must impeller " + id + " be replaced?", id)
                  .headers()
                  .firstValue("Parlance-Reason");
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }));
    }
    List<String> reasons = new ArrayList<>();
    for (CompletableFuture<Optional<String>> route : routes) {
      reasons.add(route.get(60, TimeUnit.SECONDS).orElseThrow());
    }
    // entailed, or the first stage's word where there was no room
    assertThat(reasons).allMatch(reason -> reason.equals("ok") || reason.startsWith("g_low"));
    assertThat(ask("When must the impeller be replaced?", "last").headers().map())
        .containsKey("parlance-reason");
  }

  /** Asks and goes without waiting for the answer. */
  private void leave() throws IOException {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":"
            + "\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"When?\"}]}}}";
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), sidecar.inboundPort().orElseThrow())) {
      socket
          .getOutputStream()
          .write(
              ("POST /a2a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nA2A-Version:"
                      + " 1.0\r\nContent-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body)
                  .getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void folderThatIsNotAsItsManifestSays_isRefusedAtTheStart() throws Exception {
    Path model = ClassifierFolder.at(folder.resolve("model"));
    Files.writeString(model.resolve("tokenizer.json"), " ", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> start(SETTINGS))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("/entailment/dir: digest_differs: tokenizer.json has the SHA-256");
    Files.delete(model.resolve("manifest.json"));
    assertThatThrownBy(() -> start(SETTINGS))
        .hasMessageStartingWith("/entailment/dir: unreadable: ")
        .hasMessageContaining("manifest.json is not there");
    ClassifierFolder.at(model);
    start(SETTINGS);
    assertThat(ask("When must the impeller be replaced?", "1").statusCode()).isEqualTo(200);
  }
}
