package dev.parlance.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Two sidecars in front of one agent, all but their mode default. */
record BothModes(LocalSidecar observing, LocalSidecar enforcing) implements AutoCloseable {
  static BothModes inFrontOf(int agentPort, Path folder) throws IOException {
    return new BothModes(
        sidecar("observe", agentPort, folder), sidecar("enforce", agentPort, folder));
  }

  private static LocalSidecar sidecar(String mode, int agentPort, Path folder) throws IOException {
    return LocalSidecar.start(
        folder,
        mode,
        "mode: " + mode + "\n",
        LocalSidecar.inboundTo(agentPort),
        LocalSidecar.outbound());
  }

  LocalSidecar in(String mode) {
    return mode.equals("observe") ? observing : enforcing;
  }

  List<LocalSidecar> both() {
    return List.of(observing, enforcing);
  }

  @Override
  public void close() {
    observing.close();
    enforcing.close();
  }
}
