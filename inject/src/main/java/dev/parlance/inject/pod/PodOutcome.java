package dev.parlance.inject.pod;

import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of a pod. */
public sealed interface PodOutcome {
  /**
   * It is changed: it gets a sidecar, or loses it where that was asked for.
   *
   * @param pod the pod as it is to be
   * @param patch how to come to it from the pod as it was (RFC 6902); never empty
   * @param warnings what its owner should know
   */
  record Injected(ObjectNode pod, ArrayNode patch, List<PodFinding> warnings)
      implements PodOutcome {
    /** Refuses an injection that changes nothing. */
    public Injected {
      warnings = List.copyOf(warnings);
      if (patch.isEmpty()) {
        throw new IllegalArgumentException("expected a change");
      }
    }
  }

  /**
   * It stays as it is.
   *
   * @param why the reason
   */
  record Unchanged(PodFinding why) implements PodOutcome {}

  /**
   * It must not run.
   *
   * @param problems all that is wrong; never empty
   */
  record Refused(List<PodFinding> problems) implements PodOutcome {
    /** Refuses a refusal without a reason. */
    public Refused {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("expected at least one problem");
      }
    }

    /** All of it in one line. */
    public String message() {
      return problems.stream().map(PodFinding::toString).collect(Collectors.joining("; "));
    }
  }

  /**
   * One thing to say about a pod.
   *
   * @param reason the stable code
   * @param message what was found, and what helps
   */
  record PodFinding(PodReason reason, String message) {
    @Override
    public String toString() {
      return reason.code() + ": " + message;
    }
  }
}
