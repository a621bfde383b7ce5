package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Mode;
import dev.parlance.demo.DemoOptions.Output;
import dev.parlance.demo.license.DemoJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a demonstration: starts agents, a sidecar beside each and a control plane, has the script
 * played, and says what really happened, in sentences or as one JSON object.
 */
public final class Demo {
  private final DemoOptions options;
  private final PrintStream out;
  private final PrintStream err;
  private final InputStream in;
  private final Narrator narrator;

  /**
   * A demonstration that writes to {@code out} and {@code err} and, if it stays up, ends with
   * {@code in}.
   */
  public Demo(DemoOptions options, PrintStream out, PrintStream err, InputStream in) {
    this.options = options;
    this.out = out;
    this.err = err;
    this.in = in;
    this.narrator = new Narrator(options, out);
  }

  /** What is played on a stage. */
  @FunctionalInterface
  private interface Play {
    Played on(DemoStage stage) throws IOException, InterruptedException;
  }

  /**
   * What came of it.
   *
   * @param report members of the JSON report
   * @param problems what was not as expected, in words
   * @param allIsWell what is said if there is none
   * @param invitation says what the reader can try while everything stays up
   */
  private record Played(
      Map<String, Object> report, List<String> problems, String allIsWell, Runnable invitation) {}

  /**
   * Plays the two acts: questions with and without sidecars, then, with a control plane, which
   * words the agents may use in orders.
   *
   * @return 0 if every expected route was taken, 1 if not or if something could not be started
   */
  public int run() {
    return run(this::acts);
  }

  /**
   * Plays the rounds, which need a control plane.
   *
   * @return 0 if every round ended as it had to, 1 if not or if something could not be started
   */
  public int runRounds() {
    return runWithControl(this::rounds);
  }

  /**
   * Plays the pacts, which need a control plane.
   *
   * @return 0 if every pact came and ended as it had to, 1 if not or if something could not be
   *     started
   */
  public int runPacts() {
    return runWithControl(this::pacts);
  }

  /**
   * Plays the coined terms, which need a control plane.
   *
   * @return 0 if every term came to what it had to, 1 if not or if something could not be started
   */
  public int runLexicon() {
    return runWithControl(this::lexicon);
  }

  private int runWithControl(Play play) {
    if (options.controlCommand().isEmpty()) {
      throw new IllegalArgumentException("the command that starts a control plane is missing");
    }
    return run(play);
  }

  private Played acts(DemoStage stage) throws IOException, InterruptedException {
    AgentPairs pairs = AgentPairs.start(stage);
    FirstActNarrator told = new FirstActNarrator(narrator);
    FirstAct first = new FirstAct(pairs, options, told);
    Map<String, Object> report = new LinkedHashMap<>(first.play());
    List<String> problems = new ArrayList<>(first.problems());
    SecondActNarrator toldNext = new SecondActNarrator(narrator);
    if (stage.hasControl()) {
      SecondActReport second = new SecondAct(stage, pairs.gated(), toldNext).play();
      report.put("secondAct", second);
      problems.addAll(second.differences());
    }
    return new Played(
        report,
        problems,
        "Every expected route was taken.",
        () -> {
          told.invite(pairs.gated());
          if (stage.hasControl()) {
            toldNext.invite(stage.control(), pairs.gated().scholarSidecar(), told);
          }
        });
  }

  private Played rounds(DemoStage stage) throws IOException, InterruptedException {
    RoundNarrator told = new RoundNarrator(narrator);
    told.starting();
    RoundsPlay rounds = new RoundsPlay(stage, Panel.start(stage), told);
    return new Played(
        rounds.play(),
        rounds.problems(),
        "Every round ended as it had to.",
        () -> told.invite(stage.control()));
  }

  private Played pacts(DemoStage stage) throws IOException, InterruptedException {
    PactNarrator told = new PactNarrator(narrator);
    told.starting();
    PactPlay pacts = new PactPlay(stage, PactPair.start(stage), told);
    return new Played(
        pacts.play(),
        pacts.problems(),
        "Every pact came and ended as it had to.",
        () -> told.invite(stage.control(), pacts.last()));
  }

  private Played lexicon(DemoStage stage) throws IOException, InterruptedException {
    LexiconNarrator told = new LexiconNarrator(narrator);
    told.starting();
    LexiconPlay lexicon = new LexiconPlay(stage, LexiconPanel.start(stage), told);
    return new Played(
        lexicon.play(),
        lexicon.problems(),
        "Every term came to what it had to.",
        () -> told.invite(stage.control(), lexicon.boardId()));
  }

  private int run(Play play) {
    DemoStage stage = new DemoStage(options);
    // Ctrl-C and SIGTERM end here; kill -9 ends the children through their standard input.
    Thread hook = new Thread(stage::close, "demo-cleanup");
    Runtime.getRuntime().addShutdownHook(hook);
    try (stage) {
      return end(play.on(stage));
    } catch (IOException e) {
      err.println("demo: " + e.getMessage());
      err.println("demo: logs and configurations are in " + options.workDir());
      stage.children().forEach(child -> err.println("  " + child.log()));
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("demo: interrupted");
      return 1;
    } finally {
      removeHook(hook);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is going down already and the hook is doing its work.
      hook.setDaemon(false);
    }
  }

  private int end(Played played) throws IOException {
    List<String> problems = played.problems();
    if (options.output() == Output.JSON) {
      Map<String, Object> report = new LinkedHashMap<>(played.report());
      report.put("differences", problems);
      report.put("ok", problems.isEmpty());
      out.println(DemoJson.text(report));
    }
    narrator.end(problems, played.allIsWell());
    if (options.mode() == Mode.STAY) {
      played.invitation().run();
      awaitEnd();
    }
    return problems.isEmpty() ? 0 : 1;
  }

  private void awaitEnd() throws IOException {
    byte[] ignored = new byte[256];
    while (in.read(ignored) >= 0) {
      // What is typed does not matter; the end of input is the signal.
    }
  }
}
