package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Mode;
import dev.parlance.demo.DemoOptions.Output;
import dev.parlance.demo.license.DemoJson;
import dev.parlance.policy.text.Coded;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a demonstration: starts agents, a sidecar beside each and a control plane, has the script
 * played, and says what really happened, in sentences or as one JSON object.
 *
 * @param in ends a demonstration that stays up
 */
public record Demo(DemoOptions options, PrintStream out, PrintStream err, InputStream in) {
  /** What there is to see; the scenario has its name. */
  public enum Show implements Coded {
    /**
     * The two acts: questions with and without sidecars, then, with a control plane, which words
     * the agents may use in orders.
     */
    ACTS,
    /** Rounds among agents that lie. */
    ROUNDS,
    /** Pacts that are kept and broken. */
    PACTS,
    /** Coined terms. */
    LEXICON
  }

  /** Something that is played on a stage. */
  interface Play {
    /** Plays it to the end, whatever is not as expected on the way; the members of the report. */
    Map<String, Object> play() throws IOException, InterruptedException;

    /** Says what the reader can try while everything stays up. */
    void invite();
  }

  /**
   * Plays what is to be seen; all but the acts need a control plane.
   *
   * @return 0 if everything that was expected has happened, 1 if not or if something could not be
   *     started
   */
  public int run(Show show) {
    if (show != Show.ACTS && options.controlCommand().isEmpty()) {
      throw new IllegalArgumentException("the command that starts a control plane is missing");
    }
    Player player = new Player(show.code(), options, out);
    DemoStage stage = new DemoStage(options);
    // Ctrl-C and SIGTERM end here; kill -9 ends the children through their standard input.
    Thread hook = new Thread(stage::close, "demo-cleanup");
    Runtime.getRuntime().addShutdownHook(hook);
    try (stage) {
      player.say("begin");
      Play play =
          switch (show) {
            case ACTS -> new FirstAct(stage, player);
            case ROUNDS -> new RoundsPlay(stage, player);
            case PACTS -> new PactPlay(stage, player);
            case LEXICON -> new LexiconPlay(stage, player);
          };
      end(play, play.play(), player);
      return player.problems().isEmpty() ? 0 : 1;
    } catch (IOException e) {
      // What went wrong before tells more.
      player.problems().forEach(problem -> err.println("demo: " + problem));
      err.println("demo: " + e.getMessage());
      err.println("demo: logs and configurations are in " + options.workDir());
      stage.children().forEach(child -> err.println("  " + child.log()));
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("demo: interrupted");
      return 1;
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is going down already and the hook is doing its work.
        hook.setDaemon(false);
      }
    }
  }

  private void end(Play play, Map<String, Object> played, Player player) throws IOException {
    List<String> problems = player.problems();
    if (options.output() == Output.JSON) {
      Map<String, Object> report = new LinkedHashMap<>(played);
      report.put("differences", problems);
      report.put("ok", problems.isEmpty());
      out.println(DemoJson.text(report));
    }
    player.end();
    if (options.mode() == Mode.STAY) {
      play.invite();
      // What is typed does not matter; the end of input is the signal.
      long _ = in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
