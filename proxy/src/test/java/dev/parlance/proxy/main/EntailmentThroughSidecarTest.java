package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.onnx.testing.ClassifierFolder;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

/** A sidecar with the second stage of the judge: a small classifier in a folder. */
class EntailmentThroughSidecarTest extends SidecarFixture {
  private static final String OPEN =
      "I think hello that impeller of the pump is swapped by its owners regularly.";
  private static final String SETTINGS =
      "profile: claims-only\nentailment: { dir: model, openFrom: 0, openTo: 1, raiseTo: 0.9,"
          + " timeoutMs: 10000 }\n";

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
