package dev.parlance.cli.api;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/**
 * What is common to commands that ask a control plane: find it, ask it, complain or print.
 *
 * @param <T> what is asked for
 */
public abstract class ControlPlaneCommand<T> implements Callable<Integer> {
  @Mixin protected ControlOptions control = new ControlOptions();
  @Mixin protected OutputOption output = new OutputOption();

  public final Terminal terminal;

  protected ControlPlaneCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  protected abstract ControlReply<T> ask(ControlClient client) throws IOException;

  /** Prints what came, and says which exit status that is. */
  protected abstract int print(T value) throws IOException;

  /** A complaint about the arguments, if there is one. */
  protected Optional<String> problem() throws IOException {
    return Optional.empty();
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
