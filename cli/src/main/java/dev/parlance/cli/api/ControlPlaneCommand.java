package dev.parlance.cli.api;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/**
 * A command that asks a control plane one thing: finds it, asks it, complains or prints.
 *
 * @param <T> what is asked for; what {@code -o json} prints unless {@link #json} says otherwise
 */
public abstract class ControlPlaneCommand<T> implements Callable<Integer> {
  @Mixin protected ControlOptions control = new ControlOptions();
  @Mixin protected OutputOption output = new OutputOption();

  protected final Terminal terminal;

  protected ControlPlaneCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** A complaint about the arguments, if there is one. */
  protected Optional<String> problem() throws IOException {
    return Optional.empty();
  }

  protected abstract ControlReply<T> ask(ControlClient client) throws IOException;

  /** What came, for programs. */
  protected Object json(T value) {
    return value;
  }

  /** Prints what came, for people. */
  protected abstract void text(T value);

  /** The exit status that it means. */
  protected int status(T value) {
    return ExitStatus.OK;
  }

  /** Prints what came in the form that was asked for. */
  protected int print(T value) {
    switch (output.format) {
      case JSON -> terminal.json(json(value));
      case TEXT -> text(value);
    }
    return status(value);
  }

  @Override
  public Integer call() throws IOException {
    Optional<String> problem = problem();
    if (problem.isPresent()) {
      return terminal.complain(ExitStatus.USAGE, problem.get());
    }
    return switch (control.find()) {
      case ControlOptions.Found.Missing(String message) ->
          terminal.complain(ExitStatus.FAILED, message);
      case ControlOptions.Found.Address address -> {
        try (var client = new ControlClient(address)) {
          yield switch (ask(client)) {
            case ControlReply.Failed<T>(var _, String message) ->
                terminal.complain(ExitStatus.FAILED, message);
            case ControlReply.Answered<T>(T value) -> print(value);
          };
        }
      }
    };
  }
}
