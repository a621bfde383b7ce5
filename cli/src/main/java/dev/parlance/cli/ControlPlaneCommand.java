package dev.parlance.cli;

import dev.parlance.client.ControlClient;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/**
 * A command that asks a control plane one thing: finds it, asks it, complains or prints.
 *
 * @param <T> what is asked for; what {@code -o json} prints unless {@link #json} says otherwise
 */
public abstract class ControlPlaneCommand<T> extends TerminalCommand {
  @Mixin protected ControlOptions control = new ControlOptions();
  @Mixin protected OutputOption output = new OutputOption();

  /** Refuses arguments that cannot be. */
  protected void check() throws IOException {}

  protected abstract T ask(ControlClient client) throws IOException;

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
    output.print(terminal, json(value), () -> text(value));
    return status(value);
  }

  @Override
  public Integer call() throws IOException {
    check();
    try (var client = new ControlClient(control.find())) {
      return print(ask(client));
    }
  }
}
