package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Mode;
import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.DemoScript.Item;
import dev.parlance.demo.QuestionTally.StreamMedians;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Extensions;
import dev.parlance.demo.agent.Receipt;
import dev.parlance.demo.agent.Talk;
import dev.parlance.demo.license.DemoJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The first act: the script is asked once directly and once through the sidecars, and what reached
 * the deciding agent is compared with what had to.
 */
final class FirstAct {
  private static final String WHO = "demo";
  private static final int QUESTION_CHARS = 46;
  private static final int RECEIVED_CHARS = 56;
  private static final String CURL_QUESTION = "What does \\\"Contributor\\\" mean?";

  private final AgentPairs pairs;
  private final DemoOptions options;
  private final Player player;
  private final String run = UUID.randomUUID().toString().substring(0, 8);
  private final List<QuestionResult> results = new ArrayList<>();

  FirstAct(AgentPairs pairs, DemoOptions options, Player player) {
    this.pairs = pairs;
    this.options = options;
    this.player = player;
  }

  /** Plays it; the members of the report. */
  Map<String, Object> play() throws IOException, InterruptedException {
    AgentPairs.Gated gated = pairs.gated();
    cast(gated);
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
      rows(result);
    }
    QuestionTally tally = QuestionTally.of(results);
    tell(tally);
    Optional<StreamMedians> with =
        StreamMedians.of(results.stream().map(QuestionResult::gated).toList());
    Optional<StreamMedians> without =
        StreamMedians.of(results.stream().map(QuestionResult::direct).toList());
    with.ifPresent(times ->
        player.say(
            "streams",
            times.firstEventMs(),
            times.firstWordsMs(),
            times.lastEventMs(),
            without
                .map(direct ->
                    "; without Parlance %d, %d and %d ms"
                        .formatted(
                            direct.firstEventMs(), direct.firstWordsMs(), direct.lastEventMs()))
                .orElse("")));
    Optional<QuestionResult> held =
        results.stream().filter(result -> result.reviewId().isPresent()).findFirst();
    if (options.streaming().guards()) {
      Path dataDir = gated.scholarSidecar().dataDir();
      player.say("space");
      player.say("queue", options.launcher(), dataDir);
      held.flatMap(QuestionResult::reviewId)
          .ifPresent(id -> player.say("release", options.launcher(), dataDir, id));
    } else {
      player.say("observed");
    }

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

  /** Releases the first held answer and has B ask again: the same answer must come through. */
  private Optional<Map<String, Object>> release(Optional<QuestionResult> held)
      throws IOException, InterruptedException {
    Optional<String> reviewId = held.flatMap(QuestionResult::reviewId);
    if (held.isEmpty() || reviewId.isEmpty()) {
      player.problem(player.words("unheld"));
      return Optional.empty();
    }
    Optional<String> refused = pairs.gated().admin().release(reviewId.get(), WHO);
    if (refused.isPresent()) {
      player.problem(player.words("refused", reviewId.get(), refused.get()));
      return Optional.empty();
    }
    Item item = held.get().item();
    Receipt receipt = ask(pairs.gated().agents(), item);
    if (!receipt.reached()) {
      player.problem(player.words("unreached", item.id(), receipt.taskState()));
    }
    player.say("space");
    player.say("released", reviewId.get(), item.id(), received(receipt));
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

  // ---- what is said of it ----

  private void cast(AgentPairs.Gated gated) {
    player.say("begin");
    player.say(
        "ports",
        gated.agents().scholar().port(),
        gated.scholarSidecar().inbound(),
        gated.agents().officer().port(),
        gated.officerSidecar().inbound(),
        gated.officerSidecar().outbound());
    if (options.binding() != Talk.Binding.JSONRPC || options.streaming() != Streaming.OFF) {
      player.say(
          "manner",
          switch (options.binding()) {
            case JSONRPC -> "JSON-RPC";
            case REST -> "HTTP+JSON";
            case GRPC -> "gRPC";
          },
          switch (options.streaming()) {
            case OFF -> "";
            case HOLD -> ", answers are streamed; A's sidecar holds each until it is judged";
            case WINDOW -> ", answers are streamed; A's sidecar judges each piece by piece";
            case OBSERVE ->
                ", answers are streamed; A's sidecar lets them pass and judges beside it";
          });
      if (options.streaming() != Streaming.OFF) {
        player.say("columns");
      }
      player.say("space");
    }
    String columns = stream("events", "first", "words", "end");
    String route = "%-10s".formatted("route");
    row("", "question", "draft", "ASP header", "drift", route, columns, "what reached B");
  }

  private void row(Object... cells) {
    player.say("row", cells);
  }

  private void rows(QuestionResult result) {
    Item item = result.item();
    String question = Player.cut(item.question(), QUESTION_CHARS);
    int row = 0;
    for (SidecarAdmin.DraftVerdict draft : result.drafts()) {
      boolean first = row == 0;
      String stream = stream(result.stream(row));
      boolean last = ++row == result.drafts().size();
      row(
          first ? item.id() : "",
          first ? question : "",
          row,
          draft.header().isEmpty() ? "not measured" : draft.header(),
          draft.driftSqrtJsd().isPresent()
              ? String.format(Locale.ROOT, "%.3f", draft.driftSqrtJsd().getAsDouble())
              : "-",
          paint(draft.route()),
          stream,
          last ? received(result.gated()) : "");
    }
    if (row == 0) {
      String none = stream(Optional.empty());
      row(
          item.id(),
          question,
          "-",
          "no decision found",
          "-",
          paint(""),
          none,
          received(result.gated()));
    }
    for (String difference : result.differences()) {
      player.say("different", difference);
      player.problem(item.id() + ": " + difference);
    }
  }

  private String stream(Optional<Receipt.StreamTiming> stream) {
    return stream
        .map(so ->
            stream(
                String.valueOf(so.events()),
                String.valueOf(so.firstMs()),
                so.wordsMs().isPresent() ? String.valueOf(so.wordsMs().getAsLong()) : "-",
                String.valueOf(so.lastMs())))
        .orElseGet(() -> stream("", "", "", ""));
  }

  private String stream(String events, String first, String words, String end) {
    return options.streaming() == Streaming.OFF
        ? ""
        : "%6s %6s %6s %6s  ".formatted(events, first, words, end);
  }

  private static String received(Receipt receipt) {
    if (receipt.reached()) {
      return Player.cut(receipt.receivedText(), RECEIVED_CHARS);
    }
    boolean begun =
        !receipt.streams().isEmpty() && receipt.streams().getLast().wordsMs().isPresent();
    return (begun ? "a beginning (" : "nothing (") + receipt.taskState() + ")";
  }

  private String paint(String route) {
    String colour =
        switch (route) {
          case "execute" -> "<g>";
          case "warn" -> "<y>";
          case "regenerate" -> "<c>";
          case "yield" -> "<r>";
          default -> "";
        };
    String padded = "%-10s".formatted(route);
    return colour.isEmpty() ? padded : player.coloured(colour + padded + "</>");
  }

  private void tell(QuestionTally tally) {
    player.say("space");
    player.say(
        "tally",
        tally.questions(),
        tally.drafts(),
        tally.executed(),
        tally.repaired(),
        tally.warned(),
        tally.held(),
        tally.givenUp() == 0
            ? ""
            : ", %d given up by B after three drafts were sent back to it"
                .formatted(tally.givenUp()));
    player.say(
        "ungrounded",
        tally.ungroundedReachedWithoutParlance(),
        tally.ungrounded(),
        tally.ungroundedReachedWithParlance());
    player.say(
        "unfinished",
        tally.unfinishedReachedWithoutParlance(),
        tally.unfinished(),
        tally.unfinishedReachedWithParlance());
    player.say("without");
  }

  /** What the reader can try while everything stays up. */
  void invite() {
    AgentPairs.Gated gated = pairs.gated();
    String inbound = gated.scholarSidecar().inboundUrl();
    String request = request(CURL_QUESTION);
    player.say("stays");
    String asks = "ask agent A through its sidecar (A2A message/send)";
    player.say("curl", asks, "-si", inbound, request);
    if (options.binding() == Talk.Binding.REST) {
      String body =
          "{\"message\":{\"role\":\"ROLE_USER\",\"messageId\":\"m-1\",\"content\":[{\"text\":\""
              + CURL_QUESTION
              + "\"}]}}";
      player.say("curl", "the same over HTTP+JSON", "-si", inbound + "v1/message:send", body);
    }
    if (options.streaming() != Streaming.OFF) {
      String streamed = request.replace("message/send", "message/stream");
      player.say("curl", "the same as a stream", "-siN", inbound, streamed);
    }
    player.say(
        "curl",
        "let agent B ask, through both sidecars",
        "-s",
        gated.officerSidecar().inboundUrl(),
        request("ask: " + CURL_QUESTION));
    player.say(
        "counts", "http://127.0.0.1:" + gated.scholarSidecar().admin(), gated.admin().tokenFile());
  }

  /** A message with this text, whose quotation marks are escaped. */
  static String request(String escapedText) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message",\
    "role":"user","messageId":"m-1","parts":[{"kind":"text","text":"%s"}]}}}\
    """
        .formatted(escapedText);
  }
}
