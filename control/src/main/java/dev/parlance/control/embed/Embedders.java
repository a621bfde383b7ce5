package dev.parlance.control.embed;

import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelFiles;
import dev.parlance.onnx.ModelFiles.FolderFiles;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.onnx.TextInput;
import dev.parlance.onnx.TokenizerFile;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens encoders: checks the files, loads the model once, tries it. */
public final class Embedders {
  private static final Logger log = LoggerFactory.getLogger(Embedders.class);

  private Embedders() {}

  /**
   * The encoder that is configured, with metrics. An encoder that cannot be used is no exception:
   * its status is {@link EncoderStatus.Failed} and it refuses every text.
   */
  public static Embedder open(RoundsSettings settings, ControlMetrics metrics) {
    long began = System.nanoTime();
    Embedder embedder =
        open(
            settings.encoder(),
            settings.encoderThreads(),
            settings.encoderQueue(),
            new EncoderListener() {
              @Override
              public void encoded(int texts, long tookNs) {
                metrics.encoded(texts, tookNs);
              }

              @Override
              public void refused(Embedding.EmbedFault fault) {
                metrics.count(ControlMeter.ENCODER_TEXTS, fault.code());
              }
            });
    tell(embedder.status(), (System.nanoTime() - began) / 1_000_000);
    metrics.bindEncoder(
        () -> stateOf(embedder.status()),
        () -> embedder instanceof QueuedEmbedder queued ? queued.waiting() : 0);
    return embedder;
  }

  /**
   * An encoder by itself.
   *
   * @param threads threads that encode, at least 1
   * @param queue most texts that wait, at least 1
   */
  public static Embedder open(
      EncoderChoice choice, int threads, int queue, EncoderListener listener) {
    return switch (choice) {
      case EncoderChoice.Off() -> new NoEmbedder(new EncoderStatus.Off(), listener);
      case EncoderChoice.BuiltIn() -> load(new BuiltInFiles(), threads, queue, listener);
      case EncoderChoice.Folder(Path dir) -> load(new FolderFiles(dir), threads, queue, listener);
      case EncoderChoice.MiniLm(Path dir) ->
          load(new MiniLmFiles(new FolderFiles(dir)), threads, queue, listener);
    };
  }

  private static void tell(EncoderStatus status, long tookMs) {
    switch (status) {
      case EncoderStatus.Ready(EncoderInfo info) ->
          log.atInfo()
              .addKeyValue("encoder", info.id())
              .addKeyValue("dim", info.dim())
              .addKeyValue("manifest", info.manifestSha256())
              .addKeyValue("tookMs", tookMs)
              .log("the encoder is ready");
      case EncoderStatus.Off() -> log.atInfo().log("no encoder is configured");
      case EncoderStatus.Failed(ModelFault fault, String detail) ->
          log.atError()
              .addKeyValue("fault", fault.code())
              .addKeyValue("detail", detail)
              .log("the encoder cannot be used; rounds go on without semantic commits");
    }
  }

  /** {@code ready}, {@code off} or {@code failed}. */
  public static String stateOf(EncoderStatus status) {
    return switch (status) {
      case EncoderStatus.Ready _ -> "ready";
      case EncoderStatus.Off() -> "off";
      case EncoderStatus.Failed _ -> "failed";
    };
  }

  private static Embedder load(ModelFiles files, int threads, int queue, EncoderListener listener) {
    try (Arena arena = Arena.ofConfined()) {
      ByteBuffer manifestBytes = files.read(EncoderManifest.NAME, ModelFiles.MAX_MANIFEST, arena);
      EncoderManifest manifest = EncoderManifest.read(ModelFiles.copied(manifestBytes));
      EncoderInfo info =
          new EncoderInfo(
              manifest.id(),
              ModelFiles.sha256(manifestBytes),
              manifest.dim(),
              manifest.maxTokens(),
              manifest.cosMin(),
              manifest.topicCosMin());
      TextInput input = input(files, manifest, arena);
      ByteBuffer model =
          files.checked(
              EncoderManifest.MODEL,
              manifest.files().get(EncoderManifest.MODEL),
              ModelFiles.MAX_MODEL,
              arena);
      return QueuedEmbedder.start(
          OnnxModel.load(manifest, input, model), info, threads, queue, listener);
    } catch (ModelProblem e) {
      return new NoEmbedder(new EncoderStatus.Failed(e.fault(), e.detail()), listener);
    } catch (OutOfMemoryError e) {
      return new NoEmbedder(
          new EncoderStatus.Failed(
              ModelFault.TOO_LARGE,
              "there is not enough memory for the encoder: " + e.getMessage()),
          listener);
    }
  }

  private static TextInput input(ModelFiles files, EncoderManifest manifest, Arena arena)
      throws ModelProblem {
    return switch (manifest.input()) {
      case EncoderManifest.Input.Ngrams(var ngrams) -> new NgramRows(ngrams);
      case EncoderManifest.Input.WordPieces() ->
          TokenizerFile.read(
              ModelFiles.copied(
                  files.checked(
                      EncoderManifest.TOKENIZER,
                      manifest.files().get(EncoderManifest.TOKENIZER),
                      ModelFiles.MAX_TOKENIZER,
                      arena)),
              manifest.maxTokens());
    };
  }

  /**
   * No encoder: none is configured, or the one that is cannot be used.
   *
   * @param status which of both
   */
  record NoEmbedder(EncoderStatus status, EncoderListener listener) implements Embedder {
    @Override
    public CompletionStage<Embedding> embed(String text) {
      return CompletableFuture.completedStage(refused());
    }

    @Override
    public CompletionStage<List<Embedding>> embed(List<String> texts) {
      return CompletableFuture.completedStage(texts.stream().map(_ -> refused()).toList());
    }

    private Embedding refused() {
      listener.refused(Embedding.EmbedFault.UNAVAILABLE);
      return new Embedding.Refused(
          Embedding.EmbedFault.UNAVAILABLE,
          switch (status) {
            case EncoderStatus.Failed failed -> "the encoder failed: " + failed.detail();
            case EncoderStatus.Off() -> "there is no encoder";
            case EncoderStatus.Ready _ -> "there is no encoder";
          });
    }

    @Override
    public void close() {}
  }
}
