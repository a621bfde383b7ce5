package dev.parlance.demo;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.parlance.client.CallRefused;
import dev.parlance.client.SidecarClient;
import dev.parlance.demo.license.DemoJson;
import dev.parlance.demo.license.LicenseTerms;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operator's side of a sidecar: what it decided, and the release of what it holds. */
final class SidecarAdmin implements AutoCloseable {
  private static final Duration LOG_LAG = Duration.ofSeconds(5);

  /** A log that was late once is not waited for at length again: the run has failed anyway. */
  private static final Duration LOG_LAG_ONCE_LATE = Duration.ofMillis(200);

  private static final long POLL_MS = 25;

  private final String url;
  private final Path tokenFile;
  private final SidecarClient client;
  private final Set<String> seen = new HashSet<>();
  private Duration patience = LOG_LAG;

  SidecarAdmin(int port, Path dataDir) throws IOException {
    this.url = "http://127.0.0.1:" + port;
    this.tokenFile = dataDir.resolve("admin.token");
    String token = Files.readString(tokenFile).strip();
    this.client =
        new SidecarClient(new SidecarClient.Address(URI.create(url), token), JsonMapper.shared());
  }

  String url() {
    return url;
  }

  Path tokenFile() {
    return tokenFile;
  }

  /** Leaves out of {@link #newDrafts} whatever was decided so far. */
  void forgetPast() throws IOException {
    decisions().forEach(draft -> seen.add(draft.id()));
  }

  /**
   * The drafts judged since the last call, in their order. Waits for a last one, because the log is
   * written a moment after the answer has gone out; what is there when the time is over is returned
   * as it is.
   *
   * @param enough with so many drafts none is waited for
   */
  List<DraftVerdict> newDrafts(int enough) throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + patience.toNanos();
    while (true) {
      List<DraftVerdict> drafts =
          decisions().stream().filter(draft -> !seen.contains(draft.id())).toList();
      boolean complete =
          drafts.size() >= enough
              || drafts.stream().anyMatch(draft -> !draft.route().equals("regenerate"));
      if (!complete && System.nanoTime() - deadlineNs > 0) {
        patience = LOG_LAG_ONCE_LATE;
        complete = true;
      }
      if (complete) {
        drafts.forEach(draft -> seen.add(draft.id()));
        return drafts;
      }
      Thread.sleep(POLL_MS);
    }
  }

  private List<DraftVerdict> decisions() throws IOException {
    return client
        .get("/decisions?limit=1000")
        .path("decisions")
        .valueStream()
        .filter(entry -> entry.path("kind").asString("").equals("response"))
        .filter(entry -> entry.has("id") && !entry.path("route").asString("").isEmpty())
        .map(entry -> DemoJson.tree(entry, DraftVerdict.class))
        .toList()
        .reversed(); // the log is told from its end
  }

  /**
   * Waits until it holds messages against this version of the core or a later one; how many
   * milliseconds after its issue that began.
   */
  long awaitCore(long version) throws IOException, InterruptedException {
    JsonNode core =
        DemoStage.until(
            () -> one("/cores", "domain", LicenseTerms.DOMAIN),
            now -> now.path("version").asLong(0) >= version);
    if (core.path("version").asLong(0) < version) {
      throw new IOException("core version " + version + " did not come into force at " + url);
    }
    Instant issued = Instant.parse(core.path("issuedAt").asString(""));
    return Duration.between(issued, Instant.parse(core.path("inForceSince").asString("")))
        .toMillis();
  }

  /** The entry of a list with this member; missing if there is none. */
  private JsonNode one(String path, String member, String value) throws IOException {
    return client
        .get(path)
        .path(path.substring(1))
        .valueStream()
        .filter(entry -> entry.path(member).asString("").equals(value))
        .findFirst()
        .orElseGet(JsonMapper.shared()::createObjectNode);
  }

  /** A counter by the value of its one label; by the empty name where it has none. */
  Map<String, Long> counter(String name) throws IOException, InterruptedException {
    Map<String, Long> values = new TreeMap<>();
    Pattern.compile("(?m)^" + name + "(?:\\{[a-z]+=\"([^\"]*)\"})? ([0-9.eE+]+)$")
        .matcher(new String(client.raw("/metrics").body(), StandardCharsets.UTF_8))
        .results()
        .forEach(one ->
            values.merge(
                Optional.ofNullable(one.group(1)).orElse(""),
                (long) Double.parseDouble(one.group(2)),
                Long::sum));
    return values;
  }

  /** How a pact stands at this sidecar; empty if it is not known here. */
  String pactState(String pact) throws IOException {
    return one("/pacts", "pact", pact).path("state").asString("");
  }

  /** Lets a held message pass, which counts at once; empty if done, else what the sidecar said. */
  Optional<String> release(String reviewId, String who) throws IOException {
    return post(
        "/review/" + reviewId + "/release",
        Map.of("who", who, "note", "in the demonstration", "undoMs", 0));
  }

  /** Does something in the name of a person; empty if done, else what the sidecar said. */
  Optional<String> post(String path, String who) throws IOException {
    return post(path, Map.of("who", who, "note", "in the demonstration"));
  }

  private Optional<String> post(String path, Map<String, Object> body) throws IOException {
    try {
      client.post(path, body);
      return Optional.empty();
    } catch (CallRefused refused) {
      return Optional.of(String.valueOf(refused.getMessage()));
    }
  }

  @Override
  public void close() {
    client.close();
  }

  /**
   * What the decision log says about one draft.
   *
   * @param id id of the entry
   * @param attempt which draft of the flow, from 1
   * @param header ASP header text; empty if nothing could be measured
   * @param driftSqrtJsd drift in [0,1]
   * @param route route code
   * @param reasons reason codes
   * @param reviewId id in the review queue, if the draft is held
   */
  record DraftVerdict(
      @JsonProperty("decisionId") @JsonAlias("id") String id,
      @JsonProperty("draft") @JsonAlias("attempt") int attempt,
      @JsonSetter(nulls = Nulls.AS_EMPTY) String header,
      @JsonProperty("drift") OptionalDouble driftSqrtJsd,
      String route,
      @JsonSetter(nulls = Nulls.AS_EMPTY) List<String> reasons,
      Optional<String> reviewId) {
    DraftVerdict {
      reasons = List.copyOf(reasons);
    }
  }
}
