package dev.parlance.cli.offline;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LineFilter;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.EncoderStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "embed",
    description = {
      "Turns texts into vectors: JSON Lines in, JSON Lines out, in the same order and",
      "number. An input line is {\"id\":..,\"text\":..}, an output line {\"id\",\"vector\"}.",
      "A line that gets no vector gives {\"id\":..,\"error\":{\"code\",\"message\"}}; the others",
      "go on, and the exit status is 1 at the end."
    },
    footer = {
      "",
      "Examples:",
      "  parlance encoder embed texts.jsonl > vectors.jsonl",
      "  parlance encoder embed --dir models/mini < texts.jsonl"
    })
final class EncoderEmbedCommand extends TerminalCommand {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "files to read, one after the other; - or none: standard input")
  List<String> files = new ArrayList<>();

  @Mixin EncoderCommand.EncoderOption encoder = new EncoderCommand.EncoderOption();

  @Override
  public Integer call() throws IOException {
    LineFilter.check("encoder embed", files);
    try (Embedder embedder = encoder.open()) {
      if (embedder.status() instanceof EncoderStatus.Failed failed) {
        return terminal.fail("encoder embed: " + failed.fault().code() + ": " + failed.detail());
      }
      return new LineFilter(terminal, (id, members) -> answer(id, members, embedder))
          .run("encoder embed", files);
    }
  }

  private static ObjectNode answer(JsonNode id, ObjectNode members, Embedder embedder) {
    JsonNode text = members.path("text");
    if (text.isMissingNode()) {
      throw LineFault.MISSING_FIELD.problem("text: missing");
    }
    if (!text.isString() || !InputLine.isText(text.stringValue())) {
      throw LineFault.BAD_TYPE.problem(
          "text: expected a string of Unicode text, got " + InputLine.kind(text));
    }
    return switch (embedder.embed(text.stringValue()).toCompletableFuture().join()) {
      case Embedding.Refused(Embedding.EmbedFault fault, String detail) ->
          throw switch (fault) {
            case TOO_LARGE -> LineFault.TEXT_TOO_LARGE.problem(detail);
            case UNAVAILABLE, BUSY -> LineFault.ENCODER_UNAVAILABLE.problem(detail);
          };
      case Embedding.Encoded(float[] vector) -> {
        if (EncoderCommand.VectorJson.of(vector).isEmpty()) {
          throw LineFault.MALFORMED_VECTOR.problem("the vector is zero or not finite");
        }
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.set("id", id);
        ArrayNode entries = line.putArray("vector");
        for (float x : vector) {
          entries.add(x);
        }
        yield line;
      }
    };
  }
}
