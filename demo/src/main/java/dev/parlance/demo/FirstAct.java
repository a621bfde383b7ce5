package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Mode;
import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.DemoStage.Station;
import dev.parlance.demo.SidecarAdmin.DraftVerdict;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentCaller.Way;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Extensions;
import dev.parlance.demo.agent.Receipt;
import dev.parlance.demo.agent.Role;
import dev.parlance.demo.agent.RunningAgent;
import dev.parlance.demo.agent.Scholar;
import dev.parlance.demo.agent.Talk;
import dev.parlance.demo.license.DemoJson;
import dev.parlance.demo.license.LicenseTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The first act: the script is asked once directly and once through the sidecars, and what reached
 * the deciding agent is compared with what had to. The second act follows if there is a control
 * plane.
 */
final class FirstAct implements Demo.Play {
  private static final int QUESTION_CHARS = 46;
  private static final int RECEIVED_CHARS = 56;
  private static final String CURL_QUESTION = "What does \\\"Contributor\\\" mean?";
  private static final Map<String, String> COLOURS =
      Map.of("execute", "<g>", "warn", "<y>", "regenerate", "<c>", "yield", "<r>");

  private final DemoStage stage;
  private final DemoOptions options;
  private final Player player;
  private final Station scholar;
  private final Station officer;
  private final AgentCaller gated;
  private final AgentCaller direct;
  private final Optional<SecondAct> second;
  private final String run = UUID.randomUUID().toString().substring(0, 8);
  private final List<QuestionResult> results = new ArrayList<>();

  /** Starts a pair with a sidecar beside each and, for comparison, a pair that talks directly. */
  FirstAct(DemoStage stage, Player player) throws IOException, InterruptedException {
    this.stage = stage;
    this.options = stage.options();
    this.player = player;
    Talk talk = new Talk(options.binding(), options.streaming().delivery());
    List<RunningAgent> pair = pair(talk);
    Map<String, String> streams =
        options.streaming() == Streaming.OFF
            ? Map.of()
            : Map.of("stream", options.streaming().code());
    Map<String, Station> stations =
        stage.start(
            "pair",
            "",
            DemoProcess.SMALL,
            pair,
            name -> name.equals(LicenseTerms.SCHOLAR) ? streams : Map.of());
    this.officer = DemoStage.of(stations, LicenseTerms.OFFICER);
    this.scholar = DemoStage.of(stations, LicenseTerms.SCHOLAR);
    // Each agent advertises its sidecar, and all that the officer sends goes through its own.
    for (String term : List.of("contribution", "trademark use")) {
      var _ = officer.agent().usage().drift(term).orElseThrow();
    }
    Way way = Way.to(scholar.url()).over(talk).through(officer.outbound());
    this.gated = begin(pair, scholar.url(), way, officer.url());
    List<RunningAgent> others = pair(talk);
    String asked = others.getLast().ownUrl();
    this.direct = begin(others, asked, Way.to(asked).over(talk), others.getFirst().ownUrl());
    this.second =
        stage.hasControl()
            ? Optional.of(new SecondAct(stage, officer, scholar, player))
            : Optional.empty();
  }

  private List<RunningAgent> pair(Talk talk) throws IOException {
    return List.of(
        stage.agent(LicenseTerms.OFFICER, Talk.PLAIN), stage.agent(LicenseTerms.SCHOLAR, talk));
  }

  /** Lets officer and scholar begin; sends to the officer. */
  private AgentCaller begin(List<RunningAgent> pair, String scholarUrl, Way ask, String officerUrl)
      throws IOException, InterruptedException {
    pair.getLast().startScholar(new Scholar(Files.readString(options.licence())), scholarUrl);
    pair.getFirst().startOfficer(stage.caller(ask), officerUrl, receipt -> {});
    return stage.caller(Way.to(officerUrl));
  }

  @Override
  public Map<String, Object> play() throws IOException, InterruptedException {
    cast();
    scholar.admin().forgetPast();
    for (Role role : Role.SCRIPT) {
      Receipt without = ask(direct, role);
      Receipt with = ask(gated, role);
      List<DraftVerdict> drafts =
          scholar.admin().newDrafts(QuestionResult.enoughDrafts(role, options.streaming()));
      results.add(new QuestionResult(role, options.streaming(), without, with, drafts));
      rows(results.getLast());
    }
    Map<String, Integer> tally = QuestionResult.tally(results);
    List<Object> counts = new ArrayList<>(tally.values());
    int givenUp = tally.getOrDefault("givenUp", 0);
    counts.add(givenUp == 0 ? "" : player.words("given-up", givenUp));
    List.of("space", "tally", "ungrounded", "unfinished", "without")
        .forEach(key -> player.say(key, counts.toArray()));
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("binding", options.binding().code());
    report.put("stream", options.streaming().code());
    report.put("questions", results.stream().map(QuestionResult::toMap).toList());
    report.put("counts", tally);
    streams(report);
    report.put("reviewQueue", scholar.dataDir().toString());
    Optional<QuestionResult> held =
        results.stream().filter(one -> one.reviewId().isPresent()).findFirst();
    if (options.streaming().guards()) {
      player.say("space");
      player.say("queue", options.launcher(), scholar.dataDir());
      held.flatMap(QuestionResult::reviewId)
          .ifPresent(id -> player.say("release", options.launcher(), scholar.dataDir(), id));
    } else {
      player.say("observed");
    }
    if (options.mode() == Mode.ONCE && options.streaming().holdsWhole()) {
      release(held, report);
    }
    if (second.isPresent()) {
      report.put("secondAct", second.get().play());
    }
    return report;
  }

  private void streams(Map<String, Object> report) {
    Map<String, Long> with =
        QuestionResult.medians(results.stream().map(QuestionResult::gated).toList());
    Map<String, Long> without =
        QuestionResult.medians(results.stream().map(QuestionResult::direct).toList());
    if (!with.isEmpty()) {
      report.put("streams", with);
      String beside = without.isEmpty() ? "" : player.words("direct", without.values().toArray());
      List<Object> times = new ArrayList<>(with.values());
      times.add(beside);
      player.say("streams", times.toArray());
    }
    if (!without.isEmpty()) {
      report.put("streamsWithoutParlance", without);
    }
  }

  /** Releases the first held answer and has B ask again: the same answer must come through. */
  private void release(Optional<QuestionResult> held, Map<String, Object> report)
      throws IOException {
    String reviewId = held.flatMap(QuestionResult::reviewId).orElse("");
    if (held.isEmpty()) {
      player.problem(player.words("unheld"));
      return;
    }
    Optional<String> refused = scholar.admin().release(reviewId, "demo");
    if (refused.isPresent()) {
      player.problem(player.words("refused", reviewId, refused.get()));
      return;
    }
    Role role = held.get().role();
    Receipt receipt = ask(gated, role);
    if (!receipt.reached()) {
      player.problem(player.words("unreached", role.id(), receipt.taskState()));
    }
    player.say("space");
    player.say("released", reviewId, role.id(), received(receipt));
    report.put("released", Map.of("reviewId", reviewId, "id", role.id(), "received", receipt));
  }

  /** Has B ask A, and returns what B received and decided. */
  private Receipt ask(AgentCaller toOfficer, Role role) {
    AgentReply reply = toOfficer.send("ask: " + role.question(), "demo-" + run + "-" + role.id());
    return DemoJson.read(reply.metadata().get(Extensions.RECEIPT), Receipt.class)
        .orElseGet(() -> {
          String why = "B gave no receipt: " + reply.taskState() + " " + reply.text();
          return new Receipt(
              role.question(),
              why,
              "error",
              AgentReply.ReceivedVerdict.NONE,
              "NO DECISION: " + why,
              false,
              List.of());
        });
  }

  // ---- what is said of it ----

  private void cast() {
    player.say(
        "ports",
        scholar.agent().port(),
        scholar.inbound(),
        officer.agent().port(),
        officer.inbound(),
        officer.outbound());
    if (options.binding() != Talk.Binding.JSONRPC || options.streaming() != Streaming.OFF) {
      player.say(
          "manner",
          player.words(options.binding().code()),
          player.words(options.streaming().code()));
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
    String id = result.role().id();
    String question = Player.cut(result.role().question(), QUESTION_CHARS);
    String reached = received(result.gated());
    int drafts = result.drafts().size();
    if (drafts == 0) {
      String none = stream(Optional.empty());
      row(id, question, "-", "no decision found", "-", "%-10s".formatted(""), none, reached);
    }
    for (int i = 0; i < drafts; i++) {
      DraftVerdict draft = result.drafts().get(i);
      String route = "%-10s".formatted(draft.route());
      String colour = COLOURS.getOrDefault(draft.route(), "<f>");
      row(
          i == 0 ? id : "",
          i == 0 ? question : "",
          i + 1,
          draft.header().isEmpty() ? "not measured" : draft.header(),
          draft.driftSqrtJsd().isPresent()
              ? String.format(Locale.ROOT, "%.3f", draft.driftSqrtJsd().getAsDouble())
              : "-",
          player.coloured(colour + route + "</>"),
          stream(result.stream(i)),
          i == drafts - 1 ? reached : "");
    }
    for (String difference : result.differences()) {
      player.say("different", difference);
      player.problem(id + ": " + difference);
    }
  }

  private String stream(Optional<Receipt.StreamTiming> stream) {
    return stream
        .map(so -> {
          Object words = so.wordsMs().isPresent() ? so.wordsMs().getAsLong() : "-";
          return stream(so.events(), so.firstMs(), words, so.lastMs());
        })
        .orElseGet(() -> stream("", "", "", ""));
  }

  private String stream(Object... cells) {
    return options.streaming() == Streaming.OFF ? "" : "%6s %6s %6s %6s  ".formatted(cells);
  }

  private static String received(Receipt receipt) {
    if (receipt.reached()) {
      return Player.cut(receipt.receivedText(), RECEIVED_CHARS);
    }
    boolean begun =
        !receipt.streams().isEmpty() && receipt.streams().getLast().wordsMs().isPresent();
    return (begun ? "a beginning (" : "nothing (") + receipt.taskState() + ")";
  }

  @Override
  public void invite() {
    String request = request(CURL_QUESTION);
    player.say("stays");
    String asks = "ask agent A through its sidecar (A2A message/send)";
    player.say("curl", asks, "-si", scholar.url(), request);
    if (options.binding() == Talk.Binding.REST) {
      String url = scholar.url() + "v1/message:send";
      player.say(
          "curl",
          "the same over HTTP+JSON",
          "-si",
          url,
          player.words("rest-request", CURL_QUESTION));
    }
    if (options.streaming() != Streaming.OFF) {
      String streamed = request.replace("message/send", "message/stream");
      player.say("curl", "the same as a stream", "-siN", scholar.url(), streamed);
    }
    String through = "let agent B ask, through both sidecars";
    player.say("curl", through, "-s", officer.url(), request("ask: " + CURL_QUESTION));
    player.say("counts", scholar.admin().url(), scholar.admin().tokenFile());
    if (second.isPresent()) {
      String core = String.join("+", LicenseTerms.AGENTS) + "/" + LicenseTerms.DOMAIN;
      player.invite(stage.control(), core);
      player.say(
          "curl",
          "an order to A with a term that is not certified",
          "-s",
          scholar.url() + "orders",
          request("order: Enter this contribution in the register."));
    }
  }

  /** A message with this text, whose quotation marks are escaped. */
  private String request(String escapedText) {
    return player.words("request", escapedText);
  }
}
