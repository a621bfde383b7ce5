package dev.parlance.control.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelFiles;
import dev.parlance.onnx.TextInput;
import dev.parlance.onnx.TokenizerFile;
import dev.parlance.onnx.testing.Graph;
import dev.parlance.onnx.testing.TestTokenizer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EmbeddersTest {
  private static final int DIM = 24;
  private static final int WORDS = TestTokenizer.VOCABULARY.size();
  private static final String MASKED = "attention_mask";

  @TempDir Path temp;

  private Folder folder(Graph model, String pooling) throws IOException {
    return Folder.at(temp.resolve("encoder"), model.bytes(), DIM, pooling);
  }

  private static Graph tokens() {
    return Graph.tokens(WORDS, DIM, "input_ids", MASKED, "token_type_ids");
  }

  private static Embedder open(Folder folder) {
    return open(folder.dir());
  }

  private static Embedder open(Path dir) {
    return Embedders.open(new EncoderChoice.Folder(dir), 2, 256, EncoderListener.NONE);
  }

  private static EncoderStatus.Failed failed(Folder folder) {
    return failed(folder.dir());
  }

  private static EncoderStatus.Failed failed(Path dir) {
    try (Embedder embedder = open(dir)) {
      assertThat(embedder.status()).isInstanceOf(EncoderStatus.Failed.class);
      EncoderStatus.Failed failed = (EncoderStatus.Failed) embedder.status();
      assertThat(embedder.embed("a text").toCompletableFuture().join())
          .isEqualTo(
              new Embedding.Refused(
                  Embedding.EmbedFault.UNAVAILABLE, "the encoder failed: " + failed.detail()));
      return failed;
    }
  }

  private static EncoderInfo ready(Embedder embedder) {
    assertThat(embedder.status()).isInstanceOf(EncoderStatus.Ready.class);
    return ((EncoderStatus.Ready) embedder.status()).info();
  }

  private static float[] vector(Embedder embedder, String text) {
    return vector(embedder.embed(text));
  }

  private static float[] vector(CompletionStage<Embedding> stage) {
    Embedding embedding = stage.toCompletableFuture().join();
    assertThat(embedding).isInstanceOf(Embedding.Encoded.class);
    return ((Embedding.Encoded) embedding).vector();
  }

  @Test
  void folder_isReady_andSaysWhatItIs() throws IOException {
    Folder folder = folder(tokens(), "mean");
    try (Embedder embedder = open(folder)) {
      String digest =
          ModelFiles.sha256(
              ByteBuffer.wrap(Files.readAllBytes(folder.dir().resolve(EncoderManifest.NAME))));
      assertThat(ready(embedder))
          .isEqualTo(
              new EncoderInfo(
                  "test-encoder", digest, DIM, 64, Optional.of(0.75), Optional.empty()));
    }
  }

  @Test
  void tokens_arePooledAsTheManifestSays_withoutWhatFillsTheRow() throws IOException {
    float[] cls;
    float[] mean;
    float[] first;
    try (Embedder embedder = open(folder(tokens(), "cls"))) {
      cls = vector(embedder, "hello you");
      first = vector(embedder, "how are you ?");
    }
    assertThat(cls).isEqualTo(first); // both begin with the same special token
    try (Embedder embedder = open(folder(tokens(), "mean"))) {
      mean = vector(embedder, "hello you");
    }
    // [CLS] hello you [SEP], from the very table that the model has.
    float[] table = table(WORDS * DIM);
    for (int i = 0; i < DIM; i++) {
      double sum = 0.0;
      for (int id : new int[] {2, 12, 15, 3}) {
        sum += table[id * DIM + i];
      }
      assertThat(mean[i]).isEqualTo((float) (sum / 4));
    }
    Folder folder = folder(tokens(), "mean");
    folder.manifest.put("normalize", true);
    folder.seal();
    try (Embedder embedder = open(folder)) {
      float[] unit = vector(embedder, "hello you");
      double norm = 0.0;
      for (float x : unit) {
        norm += (double) x * x;
      }
      assertThat(norm).isCloseTo(1.0, within(1e-6));
    }
  }

  private static float[] table(int size) {
    SplittableRandom random = new SplittableRandom("table".hashCode());
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) random.nextDouble(-1.0, 1.0);
    }
    return values;
  }

  @Test
  void text_hasTheSameVectorToTheLastBit_aloneTogetherAndFromManyThreads() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    List<String> texts =
        IntStream.range(0, 120)
            .mapToObj(_ -> {
              StringBuilder text = new StringBuilder();
              for (int i = random.nextInt(1, 70); i > 0; i--) {
                text.append(TestTokenizer.VOCABULARY.get(random.nextInt(12, WORDS))).append(' ');
              }
              return text.toString();
            })
            .toList();
    List<EncoderChoice> encoders =
        List.of(
            new EncoderChoice.Folder(folder(Graph.attention(WORDS, DIM), "mean").dir()),
            new EncoderChoice.BuiltIn());
    for (EncoderChoice encoder : encoders) {
      try (Embedder embedder = Embedders.open(encoder, 3, 1_024, EncoderListener.NONE)) {
        ready(embedder);
        List<float[]> alone = texts.stream().map(text -> vector(embedder, text)).toList();
        List<Embedding> together = embedder.embed(texts).toCompletableFuture().join();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> wrong = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
          int from = t;
          threads.add(
              Thread.ofVirtual()
                  .uncaughtExceptionHandler((_, e) -> wrong.add(e))
                  .start(() -> {
                    for (int i = from; i < texts.size(); i += 2) {
                      assertThat(vector(embedder, texts.get(i))).isEqualTo(alone.get(i));
                    }
                  }));
        }
        for (int i = 0; i < texts.size(); i++) {
          assertThat(((Embedding.Encoded) together.get(i)).vector()).isEqualTo(alone.get(i));
        }
        for (Thread thread : threads) {
          thread.join();
        }
        assertThat(wrong).isEmpty();
      }
    }
  }

  @Test
  void modelWhoseTextsDependOnEachOther_runsThemOneByOne() throws Exception {
    assertThat(loaded(Graph.leaking(WORDS, DIM)).mostRows(16)).isEqualTo(1);
    assertThat(loaded(tokens()).mostRows(16)).isEqualTo(32);
    assertThat(loaded(tokens()).mostRows(128)).isEqualTo(4);
    assertThat(loaded(tokens()).mostRows(2_048)).isEqualTo(1);
    // Without a mask nothing is filled up, so nothing can be taken for text.
    OnnxModel bare = loaded(Graph.tokens(WORDS, DIM, "input_ids"));
    assertThat(bare.filledLength(bare.read("hello"))).isEqualTo(3);
    assertThat(loaded(tokens()).filledLength(bare.read("hello"))).isEqualTo(16);
  }

  private OnnxModel loaded(Graph graph) throws Exception {
    Folder folder = folder(graph, "mean");
    EncoderManifest manifest =
        EncoderManifest.read(Files.readAllBytes(folder.dir().resolve(EncoderManifest.NAME)));
    TextInput input =
        TokenizerFile.read(
            Files.readAllBytes(folder.dir().resolve(EncoderManifest.TOKENIZER)),
            manifest.maxTokens());
    byte[] model = graph.bytes();
    return OnnxModel.load(
        manifest, input, ByteBuffer.allocateDirect(model.length).put(model).flip());
  }

  @Test
  void builtInEncoder_isReady_andGivesVectorsOfItsLength() {
    try (Embedder embedder =
        Embedders.open(new EncoderChoice.BuiltIn(), 1, 16, EncoderListener.NONE)) {
      EncoderInfo info = ready(embedder);
      assertThat(info.cosMin()).isPresent();
      assertThat(vector(embedder, "The licence ends after seven years.")).hasSize(info.dim());
      // No word, no direction; whatever comes is no exception.
      assertThat(vector(embedder, "")).hasSize(info.dim());
      assertThat(vector(embedder, "word ".repeat(12_000))).hasSize(info.dim());
    }
  }

  @Test
  void encoderThatIsOff_refusesEveryText() {
    try (Embedder embedder = Embedders.open(new EncoderChoice.Off(), 1, 1, EncoderListener.NONE)) {
      assertThat(embedder.status()).isEqualTo(new EncoderStatus.Off());
      assertThat(embedder.embed(List.of("a", "b")).toCompletableFuture().join())
          .hasSize(2)
          .allMatch(each -> each instanceof Embedding.Refused);
    }
  }

  @Test
  void metrics_showStateTextsAndBatches() throws IOException {
    ControlMetrics metrics = new ControlMetrics("test", "one");
    Path dir = folder(tokens(), "mean").dir();
    try (Embedder embedder =
        Embedders.open(
            RoundsSettings.DEFAULT.withEncoder(new EncoderChoice.Folder(dir)), metrics)) {
      vector(embedder, "hello");
      assertThat(embedder.embed("x".repeat(70_000)).toCompletableFuture().join())
          .isInstanceOf(Embedding.Refused.class);
      assertThat(metrics.scrape())
          .contains(
              "parlance_control_encoder_state{state=\"ready\"} 1.0",
              "parlance_control_encoder_state{state=\"failed\"} 0.0",
              "parlance_control_encoder_texts_total{result=\"encoded\"} 1.0",
              "parlance_control_encoder_texts_total{result=\"text_too_large\"} 1.0",
              "parlance_control_encoder_batch_texts_count 1",
              "parlance_control_encoder_run_seconds_count 1",
              "parlance_control_encoder_waiting 0.0");
    }
  }

  @Test
  void folderThatIsNotThere_orMissesAFile_isUnreadable() throws IOException {
    assertThat(failed(temp.resolve("nowhere")).fault()).isEqualTo(ModelFault.UNREADABLE);
    for (String name : List.of("manifest.json", "model.onnx", "tokenizer.json")) {
      Folder folder = folder(tokens(), "mean");
      Files.delete(folder.dir().resolve(name));
      assertThat(failed(folder).fault()).isEqualTo(ModelFault.UNREADABLE);
      Files.createDirectory(folder.dir().resolve(name));
      assertThat(failed(folder).detail()).endsWith(name + " is no plain file");
      Files.delete(folder.dir().resolve(name));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"model.onnx", "tokenizer.json"})
  void fileOfAnotherDigest_isRefused(String name) throws IOException {
    Folder folder = folder(tokens(), "mean");
    byte[] bytes = Files.readAllBytes(folder.dir().resolve(name));
    bytes[bytes.length / 2] ^= 1;
    folder.write(name, bytes);
    EncoderStatus.Failed failed = failed(folder);
    assertThat(failed.fault()).isEqualTo(ModelFault.DIGEST_DIFFERS);
    assertThat(failed.detail()).startsWith(name + " has the SHA-256 ");
  }

  @ParameterizedTest
  @CsvSource({"manifest.json,65537", "tokenizer.json,16777217", "model.onnx,1073741825"})
  void fileLargerThanAnyEncoders_isNotEvenRead(String name, long size) throws IOException {
    Folder folder = folder(tokens(), "mean");
    try (RandomAccessFile file = new RandomAccessFile(folder.dir().resolve(name).toFile(), "rw")) {
      file.setLength(size); // a hole: takes no room on the disk
    }
    assertThat(failed(folder).fault()).isEqualTo(ModelFault.TOO_LARGE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          format     | "parlance-encoder-2"
          id         | "none"
          id         | "a b"
          dim        | 0
          dim        | 8193
          dim        | "24"
          tokenizer  | "bpe"
          pooling    | "max"
          normalize  | "yes"
          output     | ""
          maxTokens  | 3
          maxTokens  | 8193
          cosMin     | -1
          cosMin     | 1.5
          cosMin     | "0.7"
          more       | 1
          ngram      | {}
          files      | {"model.onnx": "00"}
          files      | {"tokenizer.json": "0000000000000000000000000000000000000000000000000000000000000000"}
          files      | []
          """)
  void manifestOutsideItsForm_isRefused(String member, String value) throws IOException {
    Folder folder = folder(tokens(), "mean");
    folder.manifest.put(member, new Raw(value));
    folder.writeManifest();
    EncoderStatus.Failed failed = failed(folder);
    assertThat(failed.fault()).isEqualTo(ModelFault.BAD_MANIFEST);
    assertThat(failed.detail()).startsWith("manifest.json");
  }

  private record Raw(String json) {
    @Override
    public String toString() {
      return json;
    }
  }

  @Test
  void manifestThatNamesOtherFiles_orIsNoJson_isRefused() throws IOException {
    Folder folder = folder(tokens(), "mean");
    Map<String, String> files = new java.util.TreeMap<>();
    for (String name : List.of("model.onnx", "tokenizer.json", "../secret")) {
      files.put(name, "0".repeat(64));
    }
    folder.manifest.put("files", files);
    folder.writeManifest();
    assertThat(failed(folder).detail()).contains("unknown member \"../secret\"");
    for (String text : List.of("", "{", "[]", "null", "{} {}", "{\"id\":1,\"id\":2}")) {
      folder.write("manifest.json", text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      assertThat(failed(folder).fault()).isEqualTo(ModelFault.BAD_MANIFEST);
    }
  }

  @Test
  void modelWithOtherInputsOrOutputs_thanTheManifestSays_isRefused() throws IOException {
    List<Graph> bad =
        List.of(
            Graph.tokens(WORDS, DIM, "input_ids", "position_ids"),
            new Graph()
                .input("tokens", Graph.INT64)
                .table("table", WORDS, DIM)
                .node("Gather", "last_hidden_state", "table", "tokens")
                .output("last_hidden_state", Graph.FLOAT, 3),
            new Graph()
                .input("input_ids", Graph.INT32)
                .table("table", WORDS, DIM)
                .node("Gather", "last_hidden_state", "table", "input_ids")
                .output("last_hidden_state", Graph.FLOAT, 3),
            new Graph()
                .inputOf("input_ids", Graph.INT64, 1)
                .table("table", WORDS, DIM)
                .node("Gather", "last_hidden_state", "table", "input_ids")
                .output("last_hidden_state", Graph.FLOAT, 2),
            Graph.tokens(WORDS, DIM + 1, "input_ids", MASKED),
            // The tokenizer has numbers that this model has no vector for.
            Graph.tokens(WORDS - 1, DIM, "input_ids", MASKED));
    for (Graph graph : bad) {
      assertThat(failed(folder(graph, "mean")).fault()).isEqualTo(ModelFault.BAD_MODEL);
    }
    assertThat(failed(folder(tokens(), "none")).detail()).contains("2 dimensions");
    Folder named = folder(tokens(), "mean");
    named.manifest.put("output", "pooler_output");
    named.seal();
    assertThat(failed(named).detail())
        .isEqualTo(
            "the model's outputs are [last_hidden_state], expected pooler_output; the manifest can"
                + " name another");
  }

  /** Weights in another file would be weights that the manifest does not bind. */
  @Test
  void modelWithWeightsInAnotherFile_isRefused() throws IOException {
    Graph graph =
        new Graph()
            .input("input_ids", Graph.INT64)
            .tableElsewhere("table", WORDS, DIM, "weights.bin")
            .node("Gather", "last_hidden_state", "table", "input_ids")
            .output("last_hidden_state", Graph.FLOAT, 3);
    Folder folder = folder(graph, "mean");
    assertThat(failed(folder).detail()).startsWith("the model keeps values in other files");
    // The same inside a node, where the values of a constant stand.
    Graph inner =
        new Graph()
            .input("input_ids", Graph.INT64)
            .constantElsewhere("table", WORDS, DIM, "weights.bin")
            .node("Gather", "last_hidden_state", "table", "input_ids")
            .output("last_hidden_state", Graph.FLOAT, 3);
    assertThat(failed(folder(inner, "mean")).detail())
        .startsWith("the model keeps values in other files");
  }

  @Test
  void damagedModel_isRefused_orWorks_butNeverEndsTheProcess() throws IOException {
    byte[] good = Graph.attention(WORDS, DIM).bytes();
    SplittableRandom random = new SplittableRandom(11);
    int refused = 0;
    for (int i = 0; i < 60; i++) {
      byte[] bytes = good.clone();
      if (i % 3 == 0) {
        bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
      } else {
        for (int flips = 1 + i % 5; flips > 0; flips--) {
          // Around the table's values, where the structure is.
          int at = random.nextInt(1_200);
          bytes[at < 600 ? at : bytes.length - 1_200 + at] ^= (byte) (1 << random.nextInt(8));
        }
      }
      try (Embedder embedder = open(Folder.at(temp.resolve("damaged"), bytes, DIM, "mean"))) {
        if (embedder.status() instanceof EncoderStatus.Failed failed) {
          assertThat(failed.fault()).isEqualTo(ModelFault.BAD_MODEL);
          refused++;
        } else {
          assertThat(embedder.embed("hello").toCompletableFuture().join()).isNotNull();
        }
      }
    }
    assertThat(refused).isGreaterThan(20);
  }
}
