package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Mode;
import dev.parlance.demo.DemoOptions.Output;
import dev.parlance.demo.DemoScript.Item;
import dev.parlance.demo.QuestionTally.StreamMedians;
import dev.parlance.demo.agent.Receipt;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs the demonstration: starts two agents and two sidecars, has the script asked once directly
 * and once through the sidecars, and says what reached the deciding agent in each case. Then, with
 * a control plane, the second act: which words the agents may use in orders.
 */
public final class Demo {
  private static final String WHO = "demo";

  private final DemoOptions options;
  private final PrintStream out;
  private final PrintStream err;
  private final InputStream in;
  private final SecondActNarrator act2;

  /**
   * A demonstration that writes to {@code out} and {@code err} and, if it stays up, ends with
   * {@code in}.
   */
  public Demo(DemoOptions options, PrintStream out, PrintStream err, InputStream in) {
    this.options = options;
    this.out = out;
    this.err = err;
    this.in = in;
    this.act2 = new SecondActNarrator(text(), options);
  }

  /**
   * What became of the release of a held answer.
   *
   * @param reviewId what was released
   * @param item the question
   * @param receipt what B received when it asked again
   */
  private record Released(String reviewId, Item item, Receipt receipt) {
    Map<String, Object> toMap() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("reviewId", reviewId);
      members.put("id", item.id());
      members.put("received", receipt.toMap());
      return members;
    }
  }

  /**
   * Runs it; 0 if every expected route was taken, 1 if not or if something could not be started.
   */
  public int run() {
    Optional<DemoStage> opened = Optional.empty();
    try {
      DemoStage stage = DemoStage.open(options);
      opened = Optional.of(stage);
      // Ctrl-C and SIGTERM end here; kill -9 ends the children through their standard input.
      Thread hook = new Thread(stage::close, "demo-cleanup");
      Runtime.getRuntime().addShutdownHook(hook);
      try {
        return play(stage);
      } finally {
        stage.close();
        removeHook(hook);
      }
    } catch (IOException e) {
      err.println("demo: " + e.getMessage());
      err.println("demo: logs and configurations are in " + options.workDir());
      opened.ifPresent(stage -> stage.children().forEach(child -> err.println("  " + child.log())));
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("demo: interrupted");
      return 1;
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

  private int play(DemoStage stage) throws IOException, InterruptedException {
    Narrator narrator = new Narrator(options, text());
    narrator.cast(stage);
    String run = UUID.randomUUID().toString().substring(0, 8);
    List<QuestionResult> exchanges = new ArrayList<>();
    stage.gated().admin().forgetPast();
    for (Item item : DemoScript.ITEMS) {
      Receipt direct = DemoStage.ask(stage.direct(), item.question(), conversation(run, item));
      Receipt gated =
          DemoStage.ask(stage.gated().agents(), item.question(), conversation(run, item));
      QuestionResult exchange =
          new QuestionResult(
              item,
              direct,
              gated,
              stage.gated().admin().newDrafts(item.enoughDrafts(options.streaming())),
              options.streaming());
      exchanges.add(exchange);
      narrator.exchange(exchange);
    }
    QuestionTally tally = QuestionTally.of(exchanges);
    narrator.tally(tally);
    narrator.streams(gatedTimes(exchanges), directTimes(exchanges));
    List<String> problems = new ArrayList<>();
    for (QuestionResult exchange : exchanges) {
      exchange.differences().forEach(text -> problems.add(exchange.item().id() + ": " + text));
    }
    narrator.queue(stage, firstHeld(exchanges));
    Optional<Released> released = Optional.empty();
    if (options.mode() == Mode.ONCE && options.streaming().holdsWhole()) {
      released = release(stage, exchanges, run, problems);
      released.ifPresent(done -> narrator.released(done.reviewId(), done.item(), done.receipt()));
    }
    Optional<SecondActReport> second = secondAct(stage);
    second.ifPresent(report -> problems.addAll(report.problems()));
    if (options.output() == Output.JSON) {
      out.println(json(stage, exchanges, tally, released, second, problems));
    }
    narrator.end(problems);
    if (options.mode() == Mode.STAY) {
      narrator.invite(stage);
      stage.control().ifPresent(control -> act2.invite(control, stage.gated().scholarSidecar()));
      awaitEnd();
    }
    return problems.isEmpty() ? 0 : 1;
  }

  private Optional<SecondActReport> secondAct(DemoStage stage)
      throws IOException, InterruptedException {
    return stage.control().isPresent()
        ? Optional.of(new SecondAct(stage, stage.control().get(), act2, options.workDir()).play())
        : Optional.empty();
  }

  /** Releases the first held answer and has B ask again: the same answer must come through. */
  private static Optional<Released> release(
      DemoStage stage, List<QuestionResult> exchanges, String run, List<String> problems)
      throws IOException, InterruptedException {
    Optional<QuestionResult> held = firstHeld(exchanges);
    Optional<String> reviewId = held.flatMap(Demo::reviewId);
    if (held.isEmpty() || reviewId.isEmpty()) {
      problems.add("release: no held answer has an id in the review queue");
      return Optional.empty();
    }
    Optional<String> refused = stage.gated().admin().release(reviewId.get(), WHO);
    if (refused.isPresent()) {
      problems.add("release: " + reviewId.get() + " was refused: " + refused.get());
      return Optional.empty();
    }
    Item item = held.get().item();
    Receipt receipt =
        DemoStage.ask(stage.gated().agents(), item.question(), conversation(run, item));
    if (!receipt.reached()) {
      problems.add(
          "release: the released answer to "
              + item.id()
              + " did not reach B: "
              + receipt.taskState());
    }
    return Optional.of(new Released(reviewId.get(), item, receipt));
  }

  private static Optional<StreamMedians> gatedTimes(List<QuestionResult> exchanges) {
    return StreamMedians.of(exchanges.stream().map(QuestionResult::gated).toList());
  }

  private static Optional<StreamMedians> directTimes(List<QuestionResult> exchanges) {
    return StreamMedians.of(exchanges.stream().map(QuestionResult::direct).toList());
  }

  private static Optional<QuestionResult> firstHeld(List<QuestionResult> exchanges) {
    return exchanges.stream().filter(exchange -> reviewId(exchange).isPresent()).findFirst();
  }

  static Optional<String> reviewId(QuestionResult exchange) {
    return exchange.drafts().stream().flatMap(draft -> draft.reviewId().stream()).findFirst();
  }

  private static String conversation(String run, Item item) {
    return "demo-" + run + "-" + item.id();
  }

  private PrintStream text() {
    return switch (options.output()) {
      case TEXT -> out;
      case JSON -> new PrintStream(OutputStream.nullOutputStream(), false);
    };
  }

  private String json(
      DemoStage stage,
      List<QuestionResult> exchanges,
      QuestionTally tally,
      Optional<Released> released,
      Optional<SecondActReport> second,
      List<String> problems) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("binding", options.binding().code());
    report.put("stream", options.streaming().code());
    report.put("questions", exchanges.stream().map(QuestionResult::toMap).toList());
    report.put("counts", tally.toMap());
    gatedTimes(exchanges).ifPresent(times -> report.put("streams", times.toMap()));
    directTimes(exchanges).ifPresent(times -> report.put("streamsWithoutParlance", times.toMap()));
    report.put("reviewQueue", stage.gated().scholarSidecar().dataDir().toString());
    released.ifPresent(done -> report.put("released", done.toMap()));
    second.ifPresent(act -> report.put("secondAct", act.toMap()));
    report.put("differences", problems);
    report.put("ok", problems.isEmpty());
    return JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .build()
        .writeValueAsString(report);
  }

  private void awaitEnd() throws IOException {
    byte[] ignored = new byte[256];
    while (in.read(ignored) >= 0) {
      // What is typed does not matter; the end of input is the signal.
    }
  }
}
