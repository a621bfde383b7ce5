package dev.parlance.demo;

import dev.parlance.demo.agent.Talk;
import dev.parlance.demo.agent.Talk.Delivery;
import dev.parlance.policy.text.Coded;
import java.nio.file.Path;
import java.util.List;

/**
 * How the demonstration is run.
 *
 * @param sidecarCommand starts a sidecar; {@code --config FILE} and {@code --stop-on-stdin-close}
 *     are added to it
 * @param controlCommand starts a control plane, with the same flags added; empty: there is no
 *     second act
 * @param launcher how the reader calls the launcher, for the commands that are printed, e.g. {@code
 *     bin/parlance}
 * @param licence the text that the scholar has read
 * @param workDir where configurations, logs and the review queue go
 * @param mode whether it ends by itself
 * @param output what is written to standard output
 * @param colour whether lines may be coloured
 * @param binding in which form B asks A
 * @param streaming whether A streams its answers, and how A's sidecar treats streams
 */
public record DemoOptions(
    List<String> sidecarCommand,
    List<String> controlCommand,
    String launcher,
    Path licence,
    Path workDir,
    Mode mode,
    Output output,
    boolean colour,
    Talk.Binding binding,
    Streaming streaming) {
  /** Whether the demonstration ends by itself. */
  public enum Mode {
    /** Ends by itself; the exit status says whether every expected route was taken. */
    ONCE,
    /** Stays up for the reader until standard input ends or it is interrupted. */
    STAY
  }

  /** What is written to standard output. */
  public enum Output {
    /** A dozen lines. */
    SUMMARY,
    /** Tables and sentences. */
    TEXT,
    /** One JSON object. */
    JSON
  }

  /** Refuses an empty command and makes the paths absolute. */
  public DemoOptions {
    sidecarCommand = List.copyOf(sidecarCommand);
    controlCommand = List.copyOf(controlCommand);
    if (sidecarCommand.isEmpty()) {
      throw new IllegalArgumentException("the command that starts a sidecar is missing");
    }
    licence = licence.toAbsolutePath().normalize();
    workDir = workDir.toAbsolutePath().normalize();
  }

  /** Whether A streams its answers, and how A's sidecar then treats them. */
  public enum Streaming implements Coded {
    /** Answers come whole. */
    OFF,
    /** A stream is held until what it says is complete and judged. */
    HOLD,
    /** A stream goes on piece by piece, each judged with all that came before. */
    WINDOW,
    /** A stream goes on at once and is judged beside it. */
    OBSERVE;

    /** How the agents exchange answers. */
    Delivery delivery() {
      return this == OFF ? Delivery.WHOLE : Delivery.STREAMED;
    }

    /** True if what a sidecar keeps back is the whole answer, so that a release can deliver it. */
    boolean holdsWhole() {
      return this == OFF || this == HOLD;
    }

    /** True if a sidecar can keep an answer back. */
    boolean guards() {
      return this != OBSERVE;
    }
  }
}
