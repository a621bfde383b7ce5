package dev.parlance.cli.offline;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LineFilter;
import dev.parlance.cli.Terminal;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.EncoderStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
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
final class EncoderEmbedCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "files to read, one after the other; - or none: standard input")
  List<String> files = new ArrayList<>();

  @Mixin EncoderOption encoder = new EncoderOption();

  private final Terminal terminal;

  EncoderEmbedCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Optional<String> problem = LineFilter.problemOf(files);
    if (problem.isPresent()) {
      return terminal.complain(ExitStatus.USAGE, "encoder embed: " + problem.get());
    }
    try (Embedder embedder = encoder.open()) {
      if (embedder.status() instanceof EncoderStatus.Failed failed) {
        return terminal.complain(
            ExitStatus.FAILED, "encoder embed: " + failed.fault().code() + ": " + failed.detail());
      }
      return new LineFilter(terminal, line -> answer(line, embedder)).run(files);
    }
  }

  private static ObjectNode answer(byte[] line, Embedder embedder) {
    return switch (InputLine.read(line)) {
      case InputLine.Malformed(JsonNode id, LineFault fault, String message) ->
          LineFilter.error(id, fault, message);
      case InputLine.Members(ObjectNode members) -> {
        JsonNode id = members.path("id");
        JsonNode text = members.path("text");
        if (!id.isMissingNode() && !InputLine.isId(id)) {
          yield LineFilter.error(
              InputLine.NO_ID,
              LineFault.BAD_TYPE,
              "id: expected a string or an integer, got " + InputLine.kind(id));
        }
        JsonNode known = id.isMissingNode() ? InputLine.NO_ID : id;
        if (text.isMissingNode()) {
          yield LineFilter.error(known, LineFault.MISSING_FIELD, "text: missing");
        }
        if (!text.isString() || !InputLine.isText(text.stringValue())) {
          yield LineFilter.error(
              known,
              LineFault.BAD_TYPE,
              "text: expected a string of Unicode text, got " + InputLine.kind(text));
        }
        yield encoded(known, embedder.embed(text.stringValue()).toCompletableFuture().join());
      }
    };
  }

  private static ObjectNode encoded(JsonNode id, Embedding embedding) {
    return switch (embedding) {
      case Embedding.Refused(var fault, String detail) ->
          LineFilter.error(
              id,
              switch (fault) {
                case TOO_LARGE -> LineFault.TEXT_TOO_LARGE;
                case UNAVAILABLE, BUSY -> LineFault.ENCODER_UNAVAILABLE;
              },
              detail);
      case Embedding.Encoded(float[] vector) -> {
        if (VectorJson.of(vector).isEmpty()) {
          yield LineFilter.error(
              id, LineFault.MALFORMED_VECTOR, "the vector is zero or not finite");
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
