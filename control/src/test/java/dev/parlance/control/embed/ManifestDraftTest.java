package dev.parlance.control.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.testing.Graph;
import dev.parlance.onnx.testing.TestTokenizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManifestDraftTest {
  private static final int WORDS = TestTokenizer.VOCABULARY.size();

  @TempDir Path dir;

  @BeforeEach
  void aModelAndATokenizer() throws IOException {
    model(
        new Graph()
            .input("input_ids", Graph.INT64)
            .input("attention_mask", Graph.INT64)
            .table("table", WORDS, 24)
            .node("Gather", "last_hidden_state", "table", "input_ids")
            .outputOf("last_hidden_state", 24));
    Files.writeString(dir.resolve("tokenizer.json"), TestTokenizer.json());
  }

  private void model(Graph graph) throws IOException {
    Files.write(dir.resolve("model.onnx"), graph.bytes());
  }

  private static ManifestDraft draft(Optional<String> pooling, Optional<Integer> dim) {
    return new ManifestDraft(
        "my-encoder", pooling, Optional.empty(), dim, 64, Optional.of(0.8), true);
  }

  private String made(ManifestDraft draft) {
    ManifestDraft.Result result = draft.of(dir);
    assertThat(result).isInstanceOf(ManifestDraft.Result.Made.class);
    return ((ManifestDraft.Result.Made) result).json();
  }

  private ManifestDraft.Result.Refused refused(ManifestDraft draft) {
    ManifestDraft.Result result = draft.of(dir);
    assertThat(result).isInstanceOf(ManifestDraft.Result.Refused.class);
    return (ManifestDraft.Result.Refused) result;
  }

  @Test
  void manifest_isMadeFromTheFiles_andTheEncoderIsReadyWithIt() throws Exception {
    String json = made(draft(Optional.empty(), Optional.empty()));
    EncoderManifest manifest = EncoderManifest.read(json.getBytes(StandardCharsets.UTF_8));
    assertThat(manifest.dim()).isEqualTo(24);
    assertThat(manifest.pooling()).isEqualTo(EncoderManifest.Pooling.MEAN);
    assertThat(manifest.normalizes()).isTrue();
    assertThat(manifest.cosMin()).contains(0.8);
    assertThat(dir.resolve("manifest.json")).doesNotExist();
    Files.writeString(dir.resolve("manifest.json"), json);
    try (Embedder embedder =
        Embedders.open(new EncoderChoice.Folder(dir), 1, 4, EncoderListener.NONE)) {
      assertThat(embedder.status()).isInstanceOf(EncoderStatus.Ready.class);
    }
  }

  @Test
  void modelThatPoolsItself_isNotPooledAgain() throws Exception {
    model(
        new Graph()
            .input("input_ids", Graph.INT64)
            .table("table", WORDS, 24)
            .node("Gather", "tokens", "table", "input_ids")
            .with(Graph.op("ReduceMax", "sentence_embedding", "tokens"), "axes", 1)
            .output("sentence_embedding", Graph.FLOAT, 3));
    // The axis stays, so there are three dimensions, which is no vector per text.
    assertThat(refused(draft(Optional.empty(), Optional.of(24))).detail())
        .contains("expected FLOAT with 2 dimensions for pooling none");
    assertThat(refused(draft(Optional.of("none"), Optional.of(24))).fault())
        .isEqualTo(ModelFault.BAD_MODEL);
  }

  @Test
  void whatTheModelDoesNotSay_mustBeSaid() throws Exception {
    long[] all = new long[24];
    Arrays.fill(all, 1);
    int bool = 9;
    model(
        new Graph()
            .input("input_ids", Graph.INT64)
            .table("table", WORDS, 24)
            .longs("keep", all)
            .node("Gather", "x", "table", "input_ids")
            .number(Graph.op("Cast", "kept", "keep"), "to", bool)
            // How many entries are kept is only known when it runs.
            .number(Graph.op("Compress", "last_hidden_state", List.of("x", "kept")), "axis", 2)
            .output("last_hidden_state", Graph.FLOAT, 3));
    assertThat(refused(draft(Optional.empty(), Optional.empty())).detail())
        .contains("does not say how long its vectors are");
    EncoderManifest manifest =
        EncoderManifest.read(
            made(draft(Optional.of("cls"), Optional.of(24))).getBytes(StandardCharsets.UTF_8));
    assertThat(manifest.dim()).isEqualTo(24);
    assertThat(manifest.pooling()).isEqualTo(EncoderManifest.Pooling.CLS);
  }

  @Test
  void impossibleWishes_andMissingFiles_areRefused() throws Exception {
    assertThat(refused(draft(Optional.of("max"), Optional.empty())).fault())
        .isEqualTo(ModelFault.BAD_MANIFEST);
    assertThat(
            refused(
                    new ManifestDraft(
                        "not a \"name\"",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        64,
                        Optional.empty(),
                        false))
                .fault())
        .isEqualTo(ModelFault.BAD_MANIFEST);
    Files.writeString(dir.resolve("model.onnx"), "no model");
    assertThat(refused(draft(Optional.empty(), Optional.empty())).fault())
        .isEqualTo(ModelFault.BAD_MODEL);
    Files.delete(dir.resolve("tokenizer.json"));
    assertThat(refused(draft(Optional.empty(), Optional.empty())).fault())
        .isEqualTo(ModelFault.UNREADABLE);
  }
}
