package dev.parlance.cli.offline;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.ManifestDraft;
import dev.parlance.onnx.ModelFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "manifest")
final class EncoderManifestCommand extends TerminalCommand {
  @Parameters(paramLabel = "DIR", description = "folder with model.onnx and tokenizer.json")
  Path dir = Path.of(".");

  @Option(
      names = "--id",
      required = true,
      paramLabel = "NAME",
      description = "the encoder's id, which rounds and their digests name")
  String id = "";

  @Option(
      names = "--pooling",
      paramLabel = "mean|cls|none",
      description =
          "how vectors of tokens become one (default: none if the model does it, else mean)")
  Optional<String> pooling = Optional.empty();

  @Option(
      names = "--model-output",
      paramLabel = "NAME",
      description = "the model's output to read (default: the known or the only one)")
  Optional<String> modelOutput = Optional.empty();

  @Option(
      names = "--dim",
      paramLabel = "N",
      description = "length of the vectors, where the model does not say")
  Optional<Integer> dim = Optional.empty();

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description = "longest input, longer ones are cut (default: 256)")
  int maxTokens = 256;

  @Option(
      names = "--cos-min",
      paramLabel = "COS",
      description = "least cosine of texts that say the same, recommended to rounds")
  Optional<Double> cosMin = Optional.empty();

  @Option(names = "--normalize", description = "bring vectors to length one")
  boolean normalizes;

  @Option(names = "--force", description = "write over a manifest that is there")
  boolean force;

  @Mixin OutputOption output = new OutputOption();

  @Override
  public Integer call() throws IOException {
    Path file = dir.resolve("manifest.json");
    if (Files.exists(file) && !force) {
      return terminal.fail("encoder manifest: " + file + " is there already (--force)");
    }
    var draft = new ManifestDraft(id, pooling, modelOutput, dim, maxTokens, cosMin, normalizes);
    return switch (draft.of(dir)) {
      case ManifestDraft.Result.Refused(ModelFault fault, String detail) ->
          terminal.fail("encoder manifest: " + fault.code() + ": " + detail);
      case ManifestDraft.Result.Made(String json) -> {
        Files.write(file, json.getBytes(StandardCharsets.UTF_8));
        yield check();
      }
    };
  }

  private int check() {
    try (Embedder embedder = EncoderCommand.EncoderOption.open(new EncoderChoice.Folder(dir))) {
      EncoderCommand.EncoderView view = EncoderCommand.EncoderView.of(embedder.status());
      output.print(terminal, view, () -> view.print(terminal.out()));
      return view.isReady() ? ExitStatus.OK : ExitStatus.FAILED;
    }
  }
}
