package dev.parlance.control.testing;

import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.main.ControlMain;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.service.Lifecycle;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A replica as a process of its own, so that it can be killed. */
public final class ReplicaMain {
  private ReplicaMain() {}

  /** Argument: the configuration file. */
  public static void main(String[] args) throws IOException {
    Optional<Path> file = Optional.of(Path.of(args[0]));
    switch (ControlMain.config(
        new ControlMain.Options(file, Optional.empty(), Optional.empty(), Optional.empty()))) {
      case ConfigResult.Refused<ControlConfig> refused ->
          throw new IOException(refused.problems().toString());
      case ConfigResult.Loaded(ControlConfig config) -> {
        ControlReplica plane = ControlReplica.start(config);
        Lifecycle.closeOnSignal(plane::close, () -> 0);
        ControlMain.announce(plane, config, System.out);
        plane.stopped().join();
      }
    }
  }
}
