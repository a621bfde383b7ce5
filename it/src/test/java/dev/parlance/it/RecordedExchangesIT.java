package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.it.RecordedMix.Exchange;
import dev.parlance.it.RecordedMix.Stage;
import dev.parlance.it.RecordedWire.Agent;
import dev.parlance.it.RecordedWire.Answer;
import dev.parlance.it.RecordedWire.Caller;
import dev.parlance.proxy.audit.LoggedProfiles;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A thousand exchanges as they were recorded once: the lines of the decision log, what the agent
 * was asked and what the caller got, byte for byte but for ids, times and ports. It shows that a
 * sidecar behaves as it did, whatever became of its inside, and knows of it nothing but a YAML
 * file, its sockets and its log.
 *
 * <p>{@code recorded/*.txt.gz} have one line for each, whose parts stand behind {@code ␤}; {@code
 * -Drecorded.write=FOLDER} writes them anew, for a change of behaviour that is meant.
 */
@Tag("differential")
@ExtendWith(LeakCheck.class)
@Timeout(300)
class RecordedExchangesIT {
  private static final String WRITE = System.getProperty("recorded.write", "");
  private static final String PART = "\u2424";
  private static final int SHOWN = 20;

  /** Lines on messages with ids or times of which another sidecar or an agent is the author. */
  private static final Pattern BY_A_SIDECAR =
      Pattern.compile(
          "\"node\":\"(asker-.*\"kind\":\"response|giver-.*\"kind\":\"request|talker-.*)\"");

  private static final Pattern SHA = Pattern.compile("(\"bodySha256\":)\"[0-9a-f]{64}\"");
  private static final Pattern DIGEST =
      Pattern.compile("(\"profile\":\\{\"name\":\"[^\"]*\",)\"digest\":\"[0-9a-f]{16}\",");
  private static final Pattern ITEM = Pattern.compile("\"reviewId\":\"(r-[0-9a-z]+)\"");
  private static final Pattern MARK = Pattern.compile("\"path\":\"/mark/(\\d+)\"");

  @TempDir Path folder = Path.of("");

  /** Sidecars that are recorded together, and their exchanges in the order in which they went. */
  private final class Recorder implements AutoCloseable {
    private final List<LocalSidecar> sidecars = new ArrayList<>();
    private final List<Path> logs = new ArrayList<>();
    private final List<Exchange> gone = new ArrayList<>();

    LocalSidecar add(String name, String... sections) throws IOException {
      List<String> all = new ArrayList<>(List.of(sections));
      // The exchanges have few texts: a decision on one is not to decide about all others.
      all.add("review:\n  approvedForMs: 1\n");
      LocalSidecar sidecar = LocalSidecar.start(folder, name, all.toArray(String[]::new));
      sidecars.add(sidecar);
      logs.add(folder.resolve(name));
      return sidecar;
    }

    /** What a person does; what the admin servers answer. */
    String act(String what) throws Exception {
      List<String> answers = new ArrayList<>();
      for (LocalSidecar sidecar : what.equals("dissolve") ? sidecars.subList(0, 1) : sidecars) {
        boolean pacts = what.startsWith("dis");
        JsonNode all =
            pacts
                ? sidecar.admin().json("/pacts").path("pacts")
                : sidecar.admin().json("/review?state=pending&limit=1000").path("items");
        for (JsonNode one : all) {
          String place =
              pacts
                  ? "/pacts/" + one.path("pact").asString("") + "/dissolve?reason=party_withdrew"
                  : "/review/" + one.path("id").asString("") + "/" + what;
          if (!what.equals("disputed")) {
            String who =
                pacts ? "{\"who\":\"ada\"}" : "{\"who\":\"ada\",\"note\":\"seen\",\"undoMs\":0}";
            answers.add(Integer.toString(sidecar.admin().post(place, who).statusCode()));
          }
        }
      }
      for (LocalSidecar sidecar : what.startsWith("dis") ? sidecars : List.<LocalSidecar>of()) {
        soon(() -> !sidecar.admin().get("/pacts").body().contains("\"active\""));
      }
      return String.join(",", answers);
    }

    /**
     * The lines of each exchange, after {@link #close}. That a held message has arrived stands with
     * the exchange in which it was held.
     */
    List<String> lines() throws IOException {
      List<StringBuilder> blocks = new ArrayList<>();
      gone.forEach(_ -> blocks.add(new StringBuilder()));
      List<String> delivered = new ArrayList<>();
      for (Path log : logs) {
        StringBuilder block = new StringBuilder();
        int last = -1;
        for (String line : log(log)) {
          Matcher mark = MARK.matcher(line);
          if (mark.find()) {
            int number = Integer.parseInt(mark.group(1));
            if (number > last) {
              blocks.get(number).append(block);
              block.setLength(0);
              last = number;
            }
          } else if (line.contains("\"what\":\"deliver\"")) {
            delivered.add(line); // written when it has arrived, wherever the log is by then
          } else if (!line.startsWith("{\"type\":\"config\"")) {
            Matcher written = BY_A_SIDECAR.matcher(line);
            block
                .append("log ")
                .append(written.find() ? SHA.matcher(line).replaceAll("$1TIME") : line)
                .append(PART);
          }
        }
      }
      for (String line : delivered) {
        Matcher item = ITEM.matcher(line);
        assertThat(item.find()).as(line).isTrue();
        blocks.stream()
            .filter(block -> block.indexOf(item.group(1)) >= 0)
            .findFirst()
            .orElseThrow()
            .append("log ")
            .append(line)
            .append(PART);
      }
      return blocks.stream().map(StringBuilder::toString).toList();
    }

    /**
     * The lines of a log as they were when each had all settings of its profile, which stand above
     * it in its file.
     */
    private List<String> log(Path dataDir) throws IOException {
      try (Stream<Path> all = Files.list(dataDir)) {
        List<String> lines = new ArrayList<>();
        for (Path file :
            all.filter(one -> one.getFileName().toString().startsWith("decisions"))
                .sorted()
                .toList()) {
          LoggedProfiles above = new LoggedProfiles();
          for (String line : Files.readAllLines(file)) {
            above.read(line);
            if (!LoggedProfiles.isProfile(line)) {
              assertThat(line).doesNotContain("\"settings\":{");
              lines.add(DIGEST.matcher(above.whole(line)).replaceFirst("$1"));
            }
          }
        }
        return lines;
      }
    }

    @Override
    public void close() {
      sidecars.forEach(LocalSidecar::close);
    }
  }

  private static void soon(Callable<Boolean> isSo) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofSeconds(60))
        .until(isSo);
  }

  /** How an exchange goes: to which port, and to which authority if that is a proxy's. */
  private final class Way implements AutoCloseable {
    private final Recorder recorder;
    private final LocalSidecar first;
    private final Caller caller;
    private final String to;

    Way(Recorder recorder, LocalSidecar first, int port, String to) {
      this.recorder = recorder;
      this.first = first;
      this.caller = new Caller(port);
      this.to = to;
    }

    /** What happened on the wire. */
    String run(Exchange exchange, Agent agent) throws Exception {
      StringBuilder seen = new StringBuilder();
      if (!exchange.before().isEmpty()) {
        seen.append(exchange.before())
            .append(' ')
            .append(recorder.act(exchange.before()))
            .append(PART);
      }
      agent.answer(exchange.replies());
      recorder.gone.add(exchange);
      String request = new String(exchange.request(), ISO_8859_1).replace("{{to}}", to);
      Answer answer = caller.ask(request.getBytes(ISO_8859_1));
      for (HttpBytes asked : agent.asked()) {
        String fields =
            asked.fields().stream()
                .map(field -> field.name() + ": " + field.value() + "|")
                .collect(Collectors.joining());
        seen.append("asked ")
            .append(
                RecordedWire.shown(
                    asked.startLine() + "|" + fields, new String(asked.body(), ISO_8859_1)))
            .append(PART);
      }
      seen.append("told ").append(RecordedWire.shown(answer.head(), answer.body()));
      if (!answer.trailers().isEmpty()) {
        seen.append(PART).append("then ").append(answer.trailers());
      }
      mark(answer, agent);
      return seen.toString();
    }

    /** An exchange between two others, by which their lines are told apart. */
    private void mark(Answer last, Agent agent) throws IOException {
      int number = recorder.gone.size() - 1;
      if (!last.isOpen()) {
        // The next connection may be another thread's: what this one has to write comes first.
        String before = "\"/mark/" + (number - 1) + "\"";
        soon(() -> !first.admin().get("/decisions?limit=1").body().contains(before));
      }
      agent.answer(List.of(RecordedMix.marked()));
      assertThat(caller.ask(RecordedMix.marker(number, to)).head()).startsWith("HTTP/1.1 200");
    }

    @Override
    public void close() throws IOException {
      caller.close();
    }
  }

  private static String routes() {
    return RecordedMix.ROUTES.stream()
        .map(route ->
            "  - { name: %s, match: { host: %s.test }, %s }\n"
                .formatted(route.name(), route.name(), route.settings()))
        .collect(
            Collectors.joining(
                "",
                RecordedMix.PROFILES
                    + "streams: { heartbeatMs: 60000 }\n"
                    + "routes:\n"
                    + "  - { name: mark, match: { host: mark.test }, codec: text, mode: observe"
                    + " }\n",
                ""));
  }

  private Map<Stage, Way> plain(Agent agent) throws IOException {
    String inbound = LocalSidecar.inboundTo(agent.port());
    Map<Stage, Way> ways = new EnumMap<>(Stage.class);
    ways.put(Stage.PLAIN, inbound("plain", inbound, routes()));
    ways.put(
        Stage.HASTY,
        inbound("hasty", inbound, routes(), "timeouts: { responseMs: 300, streamIdleMs: 300 }\n"));
    return ways;
  }

  private Way inbound(String name, String... sections) throws IOException {
    Recorder recorder = new Recorder();
    LocalSidecar sidecar = recorder.add(name, sections);
    return new Way(recorder, sidecar, sidecar.inbound(), "");
  }

  private Map<Stage, Way> rounds(Agent agent, RecordedPlane plane) throws IOException {
    plane.openRounds();
    String to = "127.0.0.1:" + agent.port();
    String inbound = LocalSidecar.inboundTo(agent.port()) + LocalSidecar.outbound();
    Map<Stage, Way> ways = new EnumMap<>(Stage.class);
    Recorder both = new Recorder();
    LocalSidecar alice =
        both.add(
            "alice",
            inbound,
            RecordedPlane.ROUTES,
            plane.control("alice", true, "timeoutMs: 30000"));
    ways.put(Stage.HEARD, new Way(both, alice, alice.inbound(), ""));
    ways.put(Stage.SAID, new Way(both, alice, alice.outboundPort(), to));
    for (Stage stage : List.of(Stage.ALONE, Stage.HOLDING)) {
      Recorder recorder = new Recorder();
      String more = stage == Stage.ALONE ? "" : ", onUnavailable: hold";
      LocalSidecar sidecar =
          recorder.add(
              "lonely-" + stage.name().toLowerCase(Locale.ROOT),
              inbound,
              RecordedPlane.ROUTES,
              plane.control("alice", false, "timeoutMs: 200" + more));
      ways.put(stage, new Way(recorder, sidecar, sidecar.outboundPort(), to));
    }
    return ways;
  }

  private Map<Stage, Way> pacts(Agent agent, RecordedPlane plane) throws IOException {
    plane.publishTemplates();
    Map<Stage, Way> ways = new EnumMap<>(Stage.class);
    for (Stage stage :
        List.of(
            Stage.PAIR,
            Stage.DISPUTE,
            Stage.STREAM,
            Stage.PROOF,
            Stage.FOREIGN,
            Stage.WATCHED,
            Stage.OPTIONAL)) {
      String template = stage == Stage.PROOF ? "platform/prove@1" : "platform/enrich@1";
      String accepted = stage == Stage.FOREIGN ? "platform/another@1" : template;
      String settings =
          stage == Stage.WATCHED
              ? "pact: required, mode: observe"
              : stage == Stage.OPTIONAL ? "pact: optional" : "pact: required";
      String giver = "giver-" + stage.name().toLowerCase(Locale.ROOT);
      String asker = "asker-" + stage.name().toLowerCase(Locale.ROOT);
      Recorder pair = new Recorder();
      LocalSidecar asking =
          pair.add(
              asker,
              LocalSidecar.outbound(),
              plane.party(asker, giver, template, template, settings));
      LocalSidecar giving =
          pair.add(
              giver,
              LocalSidecar.inboundTo(agent.port()),
              plane.party(giver, asker, template, accepted, settings));
      String to = "127.0.0.1:" + giving.inbound();
      ways.put(stage, new Way(pair, asking, asking.outboundPort(), to));
      if (stage == Stage.PAIR) {
        ways.put(Stage.PAST, new Way(pair, giving, giving.inbound(), ""));
      }
    }
    return ways;
  }

  private Map<Stage, Way> talks(Agent agent, RecordedPlane plane) throws IOException {
    Recorder pair = new Recorder();
    LocalSidecar asking =
        pair.add(
            RecordedPlane.BUYER,
            LocalSidecar.outbound(),
            plane.talker(RecordedPlane.BUYER, RecordedPlane.SELLER));
    LocalSidecar giving =
        pair.add(
            RecordedPlane.SELLER,
            LocalSidecar.inboundTo(agent.port()),
            plane.talker(RecordedPlane.SELLER, RecordedPlane.BUYER));
    String to = "127.0.0.1:" + giving.inbound();
    return Map.of(Stage.TALKS, new Way(pair, asking, asking.outboundPort(), to));
  }

  /** What happens, by the name of the exchange. */
  private static Map<String, String> played(
      Iterable<Exchange> exchanges, Map<Stage, Way> ways, Agent agent) throws Exception {
    Map<String, String> wires = new LinkedHashMap<>();
    Map<String, String> logs = new HashMap<>();
    Set<Recorder> recorders = new LinkedHashSet<>();
    ways.values().forEach(way -> recorders.add(way.recorder));
    try {
      for (Exchange exchange : exchanges) {
        Way way = Optional.ofNullable(ways.get(exchange.stage())).orElseThrow();
        wires.put(exchange.name(), way.run(exchange, agent));
      }
    } finally {
      for (Way way : ways.values()) {
        way.close();
      }
      recorders.forEach(Recorder::close);
    }
    for (Recorder recorder : recorders) {
      List<String> lines = recorder.lines();
      for (int i = 0; i < recorder.gone.size(); i++) {
        logs.put(recorder.gone.get(i).name(), lines.get(i));
      }
    }
    wires.replaceAll((name, wire) -> RecordedWire.normal(logs.get(name) + wire));
    return wires;
  }

  private static Map<String, String> recorded(String name) throws IOException {
    try (InputStream in =
        RecordedExchangesIT.class.getResourceAsStream("/recorded/" + name + ".txt.gz")) {
      if (in == null) {
        throw new AssertionError("no recording " + name);
      }
      return new String(new GZIPInputStream(in).readAllBytes(), UTF_8)
          .lines()
          .map(line -> line.split("\t", 2))
          .collect(Collectors.toMap(one -> one[0], one -> one[1], (a, _) -> a, LinkedHashMap::new));
    }
  }

  @Test
  void wholeAndStreamedMessagesGoAsTheyWereRecorded() throws Exception {
    try (Agent agent = new Agent()) {
      compare("plain", played(RecordedMix.all(), plain(agent), agent));
    }
  }

  @Test
  void whatIsSaidOfRoundsGoesAsItWasRecorded() throws Exception {
    try (Agent agent = new Agent();
        RecordedPlane plane = new RecordedPlane(folder)) {
      compare("rounds", played(RecordedPlane.roundExchanges(), rounds(agent, plane), agent));
    }
  }

  @Test
  void workUnderPactsGoesAsItWasRecorded() throws Exception {
    try (Agent agent = new Agent();
        RecordedPlane plane = new RecordedPlane(folder)) {
      compare("pacts", played(RecordedPlane.pactExchanges(), pacts(agent, plane), agent));
    }
  }

  @Test
  void agentsThatNegotiateThemselvesGoAsTheyWereRecorded() throws Exception {
    try (Agent agent = new Agent();
        RecordedPlane plane = new RecordedPlane(folder)) {
      Iterable<Exchange> oneAfterTheOther =
          () -> new RecordedPlane.Talks().all().stream().map(Supplier::get).iterator();
      compare("talks", played(oneAfterTheOther, talks(agent, plane), agent));
    }
  }

  private static void compare(String recording, Map<String, String> now) throws IOException {
    if (!WRITE.isEmpty()) {
      Path file = Path.of(WRITE).resolve(recording + ".txt.gz");
      try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
        for (Map.Entry<String, String> one : now.entrySet()) {
          out.write((one.getKey() + "\t" + one.getValue() + "\n").getBytes(UTF_8));
        }
      }
      return;
    }
    Map<String, String> then = recorded(recording);
    assertThat(now.keySet()).containsExactlyElementsOf(then.keySet());
    List<String> differ =
        now.entrySet().stream()
            .map(one ->
                difference(one.getKey(), then.getOrDefault(one.getKey(), ""), one.getValue()))
            .filter(text -> !text.isEmpty())
            .toList();
    assertThat(differ.stream().limit(SHOWN).collect(Collectors.joining("\n\n")))
        .as("%d of %d exchanges differ", differ.size(), now.size())
        .isEmpty();
  }

  /** The parts of an exchange that are not as they were; empty if all are. */
  private static String difference(String name, String then, String now) {
    if (then.equals(now)) {
      return "";
    }
    List<String> was = List.of(then.split(PART, -1));
    List<String> is = List.of(now.split(PART, -1));
    StringBuilder shown = new StringBuilder(name);
    for (int i = 0; i < Math.max(was.size(), is.size()); i++) {
      String expected = i < was.size() ? was.get(i) : "-";
      String actual = i < is.size() ? is.get(i) : "-";
      if (!expected.equals(actual)) {
        shown.append("\n  expected ").append(expected).append("\n  actual   ").append(actual);
      }
    }
    return shown.toString();
  }
}
