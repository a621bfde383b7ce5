package dev.parlance.cli.offline;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.policy.commit.QuantVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "compare",
    description = {
      "Says how far apart two texts are for an encoder.",
      "Prints the cosine and the angle of their vectors as rounds compute them, and",
      "whether the encoder's cosMin holds them to say the same."
    },
    footer = {
      "",
      "Examples:",
      "  parlance encoder compare 'It ends in May.' 'It does not end in May.'",
      "  parlance encoder compare --dir models/mini 'It ends in May.' 'In May it is over.'"
    })
final class EncoderCompareCommand implements Callable<Integer> {
  @Parameters(paramLabel = "TEXT", arity = "2", description = "two texts")
  List<String> texts = new ArrayList<>();

  @Mixin EncoderOption encoder = new EncoderOption();
  @Mixin OutputOption output = new OutputOption();

  private final Terminal terminal;

  EncoderCompareCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * What is printed.
   *
   * @param same whether the cosine reaches cosMin; absent without
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  private record View(
      String encoder,
      double cosine,
      double degrees,
      Optional<Double> cosMin,
      Optional<Boolean> same) {}

  @Override
  public Integer call() {
    try (Embedder embedder = encoder.open()) {
      return switch (embedder.status()) {
        case EncoderStatus.Ready(EncoderInfo info) -> compare(embedder, info);
        case EncoderStatus.Failed(var fault, String detail) ->
            complain(fault.code() + ": " + detail);
        case EncoderStatus.Off() -> complain("there is no encoder");
      };
    }
  }

  private int compare(Embedder embedder, EncoderInfo info) {
    List<QuantVector> vectors = new ArrayList<>();
    for (Embedding embedding : embedder.embed(texts).toCompletableFuture().join()) {
      switch (embedding) {
        case Embedding.Refused(var fault, String detail) -> {
          return complain(fault.code() + ": " + detail);
        }
        case Embedding.Encoded(float[] vector) -> {
          Optional<QuantVector> direction = VectorJson.of(vector);
          if (direction.isEmpty()) {
            return complain("malformed_vector: a text without direction, as an empty one is");
          }
          vectors.add(direction.get());
        }
      }
    }
    double cosine = VectorJson.cosine(vectors.getFirst(), vectors.getLast());
    var view =
        new View(
            info.id(),
            cosine,
            Math.toDegrees(Math.acos(cosine)),
            info.cosMin(),
            info.cosMin().map(least -> cosine >= least));
    switch (output.format) {
      case JSON -> terminal.json(view);
      case TEXT -> print(view);
    }
    return ExitStatus.OK;
  }

  private void print(View view) {
    terminal
        .out()
        .println(
            String.format(
                Locale.ROOT,
                "cosine %.4f, %.1f degrees (%s)",
                view.cosine,
                view.degrees,
                TerminalEscaper.line(view.encoder)));
    view.cosMin.ifPresent(least ->
        terminal
            .out()
            .println(
                String.format(
                    Locale.ROOT,
                    "%s at cosMin %.4f",
                    view.same.orElse(false) ? "the same claim" : "not the same claim",
                    least)));
  }

  private int complain(String message) {
    return terminal.complain(ExitStatus.FAILED, "encoder compare: " + message);
  }
}
