package dev.parlance.cli.offline;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LineFilter;
import dev.parlance.cli.LinesCommand;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.EncoderStatus;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "embed")
final class EncoderEmbedCommand extends LinesCommand {
  @Mixin EncoderCommand.EncoderOption encoder = new EncoderCommand.EncoderOption();

  private @Nullable Embedder embedder;

  EncoderEmbedCommand() {
    super("encoder embed");
  }

  @Override
  public Integer call() throws IOException {
    LineFilter.check("encoder embed", files);
    try (Embedder opened = encoder.open()) {
      embedder = opened;
      if (opened.status() instanceof EncoderStatus.Failed failed) {
        return terminal.fail("encoder embed: " + failed.fault().code() + ": " + failed.detail());
      }
      return super.call();
    }
  }

  @Override
  protected void answer(ObjectNode members, ObjectNode line) {
    JsonNode text = members.path("text");
    if (text.isMissingNode()) {
      throw LineFault.MISSING_FIELD.problem("text: missing");
    }
    if (!text.isString() || !InputLine.isText(text.stringValue())) {
      throw LineFault.BAD_TYPE.problem(
          "text: expected a string of Unicode text, got " + InputLine.kind(text));
    }
    Embedder opened = Objects.requireNonNull(embedder);
    switch (opened.embed(text.stringValue()).toCompletableFuture().join()) {
      case Embedding.Refused(Embedding.EmbedFault fault, String detail) ->
          throw switch (fault) {
            case TOO_LARGE -> LineFault.TEXT_TOO_LARGE.problem(detail);
            case UNAVAILABLE, BUSY -> LineFault.ENCODER_UNAVAILABLE.problem(detail);
          };
      case Embedding.Encoded(float[] vector) -> {
        if (EncoderCommand.VectorJson.of(vector).isEmpty()) {
          throw LineFault.MALFORMED_VECTOR.problem("the vector is zero or not finite");
        }
        ArrayNode entries = line.putArray("vector");
        for (float x : vector) {
          entries.add(x);
        }
      }
    }
  }
}
