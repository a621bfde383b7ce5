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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
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
@ExtendWith(LeakCheck.class)
@Timeout(300)
class RecordedExchangesIT {
  private static final String WRITE = System.getProperty("recorded.write", "");
  private static final String PART = "\u2424";
  private static final int SHOWN = 20;

  @TempDir Path folder = Path.of("");

  /** A sidecar that is recorded: its log, and the exchanges in the order in which they went. */
  private final class Recorder implements AutoCloseable {
    final LocalSidecar sidecar;
    final Path dataDir;
    final Caller caller;
    final List<Exchange> gone = new ArrayList<>();

    Recorder(String name, String... sections) throws IOException {
      sidecar = LocalSidecar.start(folder, name, sections);
      dataDir = folder.resolve(name);
      caller = new Caller(sidecar.inbound());
    }

    /** What a person does with all that is held; the statuses that the admin server answers. */
    String decide(String act) throws Exception {
      JsonNode items = sidecar.admin().json("/review?state=pending&limit=50").path("items");
      List<String> statuses = new ArrayList<>();
      for (JsonNode item : items) {
        statuses.add(
            item.path("reason").asString("")
                + sidecar
                    .admin()
                    .post(
                        "/review/" + item.path("id").asString("") + "/" + act,
                        "{\"who\":\"ada\",\"note\":\"seen\"}")
                    .statusCode());
      }
      return String.join(",", statuses);
    }

    String newest() {
      try {
        return sidecar.admin().get("/decisions?limit=1").body();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    /** What happened on the wire. */
    String run(Exchange exchange, Agent agent) throws Exception {
      StringBuilder seen = new StringBuilder();
      if (!exchange.before().isEmpty()) {
        seen.append(exchange.before()).append(' ').append(decide(exchange.before())).append(PART);
      }
      agent.answer(exchange.replies());
      gone.add(exchange);
      Answer answer = caller.ask(exchange.request());
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
      if (!last.isOpen()) {
        // The next connection may be another thread's: what this one has to write comes first.
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(1))
            .atMost(Duration.ofSeconds(60))
            .until(() -> !newest().contains("\"/mark/" + (gone.size() - 2) + "\""));
      }
      agent.answer(List.of(RecordedMix.marked()));
      assertThat(caller.ask(RecordedMix.marker(gone.size() - 1)).head()).startsWith("HTTP/1.1 200");
    }

    /**
     * The lines of each exchange; call after {@link #close}. That a released message was delivered
     * is written down when that is on disk, wherever the log is by then.
     */
    List<String> lines() throws IOException {
      List<StringBuilder> blocks = new ArrayList<>(List.of(new StringBuilder()));
      Map<Integer, String> delivered = new HashMap<>();
      for (String line : log()) {
        int at = blocks.size() - 1;
        if (line.contains("\"path\":\"/mark/" + at + "\"")) {
          blocks.add(new StringBuilder());
        } else if (line.contains("\"what\":\"deliver\"")) {
          String review = line.replaceAll(".*(\"reviewId\":\"[^\"]*\").*", "$1");
          while (at > 0 && blocks.get(at).indexOf(review) < 0) {
            at--;
          }
          delivered.merge(at, "log " + line + PART, String::concat);
        } else if (!line.contains("\"path\":\"/mark/")
            && !line.startsWith("{\"type\":\"config\"")) {
          blocks.getLast().append("log ").append(line).append(PART);
        }
      }
      delivered.forEach((at, lines) -> blocks.get(at).append(lines));
      return blocks.stream().map(StringBuilder::toString).toList();
    }

    private List<String> log() throws IOException {
      try (Stream<Path> all = Files.list(dataDir)) {
        List<String> lines = new ArrayList<>();
        for (Path file :
            all.filter(one -> one.getFileName().toString().startsWith("decisions"))
                .sorted()
                .toList()) {
          lines.addAll(Files.readAllLines(file));
        }
        return lines;
      }
    }

    @Override
    public void close() throws IOException {
      caller.close();
      sidecar.close();
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
                "profiles: { none-left: { errorMax: 0 } }\n"
                    + "startup: { warmUpMessages: 0 }\n"
                    + "streams: { heartbeatMs: 60000 }\n"
                    + "routes:\n"
                    + "  - { name: mark, match: { host: mark.test }, codec: text, mode: observe"
                    + " }\n",
                ""));
  }

  private Map<Stage, Recorder> stages(Agent agent) throws IOException {
    Map<Stage, Recorder> stages = new EnumMap<>(Stage.class);
    String inbound = LocalSidecar.inboundTo(agent.port());
    stages.put(Stage.PLAIN, new Recorder("plain", inbound, routes()));
    stages.put(
        Stage.HASTY,
        new Recorder(
            "hasty", inbound, routes(), "timeouts: { responseMs: 300, streamIdleMs: 300 }\n"));
    return stages;
  }

  /** What happens, by the name of the exchange. */
  private Map<String, String> played() throws Exception {
    Map<String, String> wires = new LinkedHashMap<>();
    Map<String, String> logs = new LinkedHashMap<>();
    try (Agent agent = new Agent()) {
      Map<Stage, Recorder> stages = stages(agent);
      try {
        for (Exchange exchange : RecordedMix.all()) {
          Recorder recorder = Optional.ofNullable(stages.get(exchange.stage())).orElseThrow();
          wires.put(exchange.name(), recorder.run(exchange, agent));
        }
      } finally {
        for (Recorder recorder : stages.values()) {
          recorder.close();
        }
      }
      for (Recorder recorder : stages.values()) {
        List<String> lines = recorder.lines();
        for (int i = 0; i < recorder.gone.size(); i++) {
          logs.put(recorder.gone.get(i).name(), lines.get(i));
        }
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
    compare("plain", played());
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
