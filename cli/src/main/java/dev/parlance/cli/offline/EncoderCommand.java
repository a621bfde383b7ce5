package dev.parlance.cli.offline;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.control.embed.Embedders;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.policy.commit.QuantVector;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tries the encoders of rounds without a control plane. */
@Command(
    name = "encoder",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      EncoderCommand.EncoderCheckCommand.class,
      EncoderEmbedCommand.class,
      EncoderCommand.EncoderCompareCommand.class,
      EncoderManifestCommand.class
    })
final class EncoderCommand {

  @Command(name = "check")
  static final class EncoderCheckCommand extends TerminalCommand {
    @Parameters(
        paramLabel = "DIR|minilm",
        arity = "0..1",
        description =
            "the encoder's folder, or minilm for all-MiniLM-L6-v2"
                + " (default: the encoder that comes with Parlance)")
    Optional<String> encoder = Optional.empty();

    @Mixin OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      try (Embedder embedder = EncoderOption.open(encoder)) {
        EncoderView view = EncoderView.of(embedder.status());
        output.print(terminal, view, () -> view.print(terminal.out()));
        return view.isReady() ? ExitStatus.OK : ExitStatus.FAILED;
      }
    }
  }

  /**
   * An encoder's state as it is printed. What a state has not is left out.
   *
   * @param state {@code ready}, {@code off} or {@code failed}
   * @param manifestSha256 hex
   * @param fault why it failed: a stable code
   * @param detail the same for people
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record EncoderView(
      String state,
      Optional<String> id,
      Optional<Integer> dim,
      Optional<Integer> maxTokens,
      Optional<Double> cosMin,
      Optional<String> manifestSha256,
      Optional<String> fault,
      Optional<String> detail) {
    static EncoderView of(EncoderStatus status) {
      Optional<EncoderInfo> info =
          status instanceof EncoderStatus.Ready(EncoderInfo ready)
              ? Optional.of(ready)
              : Optional.empty();
      Optional<EncoderStatus.Failed> failed =
          status instanceof EncoderStatus.Failed it ? Optional.of(it) : Optional.empty();
      return new EncoderView(
          Embedders.stateOf(status),
          info.map(EncoderInfo::id),
          info.map(EncoderInfo::dim),
          info.map(EncoderInfo::maxTokens),
          info.flatMap(EncoderInfo::cosMin),
          info.map(EncoderInfo::manifestSha256),
          failed.map(it -> it.fault().code()),
          failed.map(EncoderStatus.Failed::detail));
    }

    boolean isReady() {
      return id.isPresent();
    }

    void print(PrintStream out) {
      line(out, "state", Optional.of(state));
      line(out, "id", id);
      line(out, "dim", dim);
      line(out, "maxTokens", maxTokens);
      line(out, "cosMin", cosMin);
      line(out, "manifest", manifestSha256.map(hex -> "sha256 " + hex));
      line(out, "fault", fault);
      line(out, "detail", detail);
    }

    private static void line(PrintStream out, String name, Optional<?> value) {
      value.ifPresent(it ->
          out.println(name + " ".repeat(11 - name.length()) + TerminalEscaper.line(it.toString())));
    }
  }

  /** Which encoder a command uses. */
  static final class EncoderOption {
    private static final int QUEUE = 64;

    @Option(
        names = "--dir",
        paramLabel = "DIR|minilm",
        description =
            "the encoder's folder, or minilm for all-MiniLM-L6-v2"
                + " (default: the encoder that comes with Parlance)")
    Optional<String> encoder = Optional.empty();

    Embedder open() {
      return open(encoder);
    }

    /** An encoder by what the command line calls it: as in a configuration, or its folder. */
    static Embedder open(Optional<String> name) {
      return open(
          switch (name.orElse("built-in")) {
            case "built-in" -> new EncoderChoice.BuiltIn();
            case "minilm" -> EncoderChoice.MiniLm.installed();
            case String dir -> new EncoderChoice.Folder(Path.of(dir));
          });
    }

    static Embedder open(EncoderChoice choice) {
      return Embedders.open(choice, 1, QUEUE, EncoderListener.NONE);
    }
  }

  /** What rounds make of an encoder's vectors. */
  static final class VectorJson {
    private VectorJson() {}

    /** The direction, as the ledger would keep it; empty if there is none. */
    static Optional<QuantVector> of(float[] vector) {
      double[] wide = new double[vector.length];
      for (int i = 0; i < wide.length; i++) {
        wide[i] = vector[i];
      }
      return QuantVector.of(wide, wide.length);
    }

    /** The cosine of two directions of the same length, in [-1,1]. */
    static double cosine(QuantVector a, QuantVector b) {
      return Math.clamp(a.dot(b) / Math.sqrt((double) a.dot(a) * b.dot(b)), -1.0, 1.0);
    }
  }

  @Command(name = "compare")
  static final class EncoderCompareCommand extends TerminalCommand {
    @Parameters(paramLabel = "TEXT", arity = "2", description = "two texts")
    List<String> texts = new ArrayList<>();

    @Mixin EncoderCommand.EncoderOption encoder = new EncoderCommand.EncoderOption();
    @Mixin OutputOption output = new OutputOption();

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
            Optional<QuantVector> direction = EncoderCommand.VectorJson.of(vector);
            if (direction.isEmpty()) {
              return complain("malformed_vector: a text without direction, as an empty one is");
            }
            vectors.add(direction.get());
          }
        }
      }
      double cosine = EncoderCommand.VectorJson.cosine(vectors.getFirst(), vectors.getLast());
      var view =
          new View(
              info.id(),
              cosine,
              Math.toDegrees(Math.acos(cosine)),
              info.cosMin(),
              info.cosMin().map(least -> cosine >= least));
      output.print(terminal, view, () -> print(view));
      return ExitStatus.OK;
    }

    private void print(View view) {
      terminal.println(
          String.format(
              Locale.ROOT,
              "cosine %.4f, %.1f degrees (%s)",
              view.cosine,
              view.degrees,
              TerminalEscaper.line(view.encoder)));
      view.cosMin.ifPresent(least ->
          terminal.println(
              String.format(
                  Locale.ROOT,
                  "%s at cosMin %.4f",
                  view.same.orElse(false) ? "the same claim" : "not the same claim",
                  least)));
    }

    private int complain(String message) {
      return terminal.fail("encoder compare: " + message);
    }
  }
}
