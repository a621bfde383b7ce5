package dev.parlance.loadtest;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What came of making a target ready. */
sealed interface Launch {
  /** Which target. */
  Target target();

  /**
   * It answers.
   *
   * @param port where load goes, on the loopback address
   * @param pid of the process whose processor time counts; absent for {@code DIRECT}
   * @param admin the sidecar's admin port; absent for others
   * @param children to close at the end
   */
  record Ready(Target target, int port, Optional<Long> pid, OptionalInt admin, List<Child> children)
      implements Launch {
    public Ready {
      children = List.copyOf(children);
    }

    /** Its processor time so far. */
    OptionalLong cpuUs() {
      return pid.isPresent() ? ProcFs.cpuUs(pid.get()) : OptionalLong.empty();
    }

    /** Its resident memory. */
    OptionalLong residentKb() {
      return pid.isPresent() ? ProcFs.residentKb(pid.get()) : OptionalLong.empty();
    }
  }

  /**
   * Not here, which is all right.
   *
   * @param reason in words
   */
  record Skipped(Target target, String reason) implements Launch {}

  /**
   * It should have started and did not.
   *
   * @param reason in words, with the end of its output
   */
  record Failed(Target target, String reason) implements Launch {}
}
