package dev.parlance.control.testing;

import dev.parlance.control.main.ControlMain;
import java.nio.file.Path;
import java.util.Optional;

/** A replica as a process of its own, so that it can be killed. */
public final class ReplicaMain {
  private ReplicaMain() {}

  /** Argument: the configuration file. */
  public static void main(String[] args) {
    System.exit(
        ControlMain.run(
            new ControlMain.Options(
                Optional.of(Path.of(args[0])),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()),
            System.out,
            System.err));
  }
}
