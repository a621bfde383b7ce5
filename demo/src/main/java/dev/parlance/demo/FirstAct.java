package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Mode;
import dev.parlance.demo.DemoScript.Item;
import dev.parlance.demo.QuestionTally.StreamMedians;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Extensions;
import dev.parlance.demo.agent.Receipt;
import dev.parlance.demo.license.DemoJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The first act: the script is asked once directly and once through the sidecars, and what reached
 * the deciding agent is compared with what had to.
 */
final class FirstAct {
  private static final String WHO = "demo";

  private final AgentPairs pairs;
  private final DemoOptions options;
  private final FirstActNarrator narrator;
  private final String run = UUID.randomUUID().toString().substring(0, 8);
  private final List<QuestionResult> results = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  FirstAct(AgentPairs pairs, DemoOptions options, FirstActNarrator narrator) {
    this.pairs = pairs;
    this.options = options;
    this.narrator = narrator;
  }

  /** Plays it; the members of the report. */
  Map<String, Object> play() throws IOException, InterruptedException {
    AgentPairs.Gated gated = pairs.gated();
    narrator.cast(gated);
    gated.admin().forgetPast();
    for (Item item : DemoScript.ITEMS) {
      QuestionResult result =
          new QuestionResult(
              item,
              ask(pairs.direct(), item),
              ask(gated.agents(), item),
              gated.admin().newDrafts(item.enoughDrafts(options.streaming())),
              options.streaming());
      results.add(result);
      result.differences().forEach(text -> problems.add(item.id() + ": " + text));
      narrator.rows(result);
    }
    QuestionTally tally = QuestionTally.of(results);
    narrator.tally(tally);
    Optional<StreamMedians> with =
        StreamMedians.of(results.stream().map(QuestionResult::gated).toList());
    Optional<StreamMedians> without =
        StreamMedians.of(results.stream().map(QuestionResult::direct).toList());
    narrator.streams(with, without);
    Optional<QuestionResult> held =
        results.stream().filter(result -> result.reviewId().isPresent()).findFirst();
    narrator.queue(gated.scholarSidecar().dataDir(), held.flatMap(QuestionResult::reviewId));

    Map<String, Object> report = new LinkedHashMap<>();
    report.put("binding", options.binding().code());
    report.put("stream", options.streaming().code());
    report.put("questions", results.stream().map(QuestionResult::toMap).toList());
    report.put("counts", tally);
    with.ifPresent(times -> report.put("streams", times));
    without.ifPresent(times -> report.put("streamsWithoutParlance", times));
    report.put("reviewQueue", gated.scholarSidecar().dataDir().toString());
    if (options.mode() == Mode.ONCE && options.streaming().holdsWhole()) {
      release(held).ifPresent(released -> report.put("released", released));
    }
    return report;
  }

  List<String> problems() {
    return problems;
  }

  /** Releases the first held answer and has B ask again: the same answer must come through. */
  private Optional<Map<String, Object>> release(Optional<QuestionResult> held)
      throws IOException, InterruptedException {
    Optional<String> reviewId = held.flatMap(QuestionResult::reviewId);
    if (held.isEmpty() || reviewId.isEmpty()) {
      problems.add("release: no held answer has an id in the review queue");
      return Optional.empty();
    }
    Optional<String> refused = pairs.gated().admin().release(reviewId.get(), WHO);
    if (refused.isPresent()) {
      problems.add("release: " + reviewId.get() + " was refused: " + refused.get());
      return Optional.empty();
    }
    Item item = held.get().item();
    Receipt receipt = ask(pairs.gated().agents(), item);
    if (!receipt.reached()) {
      problems.add(
          "release: the released answer to "
              + item.id()
              + " did not reach B: "
              + receipt.taskState());
    }
    narrator.released(reviewId.get(), item, receipt);
    Map<String, Object> released = new LinkedHashMap<>();
    released.put("reviewId", reviewId.get());
    released.put("id", item.id());
    released.put("received", receipt);
    return Optional.of(released);
  }

  /** Has B ask A, and returns what B received and decided. */
  private Receipt ask(AgentPairs.Pair pair, Item item) {
    String question = item.question();
    return switch (pair.toOfficer().send("ask: " + question, "demo-" + run + "-" + item.id())) {
      case AgentReply.Answered answered ->
          DemoJson.read(answered.metadata().get(Extensions.RECEIPT), Receipt.class)
              .orElseGet(() -> lost(question, "B answered without a receipt: " + answered.text()));
      case AgentReply.Withheld withheld ->
          lost(question, "B's answer was withheld: " + withheld.taskState());
      case AgentReply.Failed failed -> lost(question, "B did not answer: " + failed.why());
    };
  }

  private static Receipt lost(String question, String why) {
    return new Receipt(
        question,
        why,
        "error",
        AgentReply.ReceivedVerdict.NONE,
        "NO DECISION: " + why,
        false,
        List.of());
  }
}
