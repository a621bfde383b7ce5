package dev.parlance.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parlance.client.CallRefused;
import dev.parlance.client.SidecarClient;
import dev.parlance.demo.license.LicenseTerms;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operator's side of a sidecar: what it decided, and the release of what it holds. */
final class SidecarAdmin implements AutoCloseable {
  private static final Duration LOG_LAG = Duration.ofSeconds(5);

  /** A log that was late once is not waited for at length again: the run has failed anyway. */
  private static final Duration LOG_LAG_ONCE_LATE = Duration.ofMillis(200);

  private static final long POLL_MS = 25;

  private final DemoSidecar sidecar;
  private final SidecarClient client;
  private final Set<String> seen = new HashSet<>();
  private Duration patience = LOG_LAG;

  SidecarAdmin(DemoSidecar sidecar) throws IOException {
    this.sidecar = sidecar;
    this.client =
        new SidecarClient(
            new SidecarClient.Address(
                URI.create("http://127.0.0.1:" + sidecar.admin()),
                Files.readString(tokenFile()).strip()),
            JsonMapper.shared());
  }

  String url(String path) {
    return "http://127.0.0.1:" + sidecar.admin() + path;
  }

  Path tokenFile() {
    return sidecar.dataDir().resolve("admin.token");
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
      boolean complete = drafts.size() >= enough || drafts.stream().anyMatch(DraftVerdict::isLast);
      boolean late = !complete && System.nanoTime() - deadlineNs > 0;
      if (late) {
        patience = LOG_LAG_ONCE_LATE;
      }
      if (complete || late) {
        drafts.forEach(draft -> seen.add(draft.id()));
        return drafts;
      }
      Thread.sleep(POLL_MS);
    }
  }

  private List<DraftVerdict> decisions() throws IOException {
    List<DraftVerdict> drafts = new ArrayList<>();
    for (JsonNode entry : client.get("/decisions?limit=1000").path("decisions")) {
      DraftVerdict.of(entry).ifPresent(drafts::add);
    }
    return drafts.reversed(); // the log is told from its end
  }

  /**
   * A core that the sidecar holds messages against.
   *
   * @param version its version
   * @param enforcedMs from its issue until it came into force here
   */
  record CoreInForce(long version, long enforcedMs) {}

  /** The core of the license domain that is in force; empty if there is none. */
  Optional<CoreInForce> coreInForce() throws IOException {
    for (JsonNode core : client.get("/cores").path("cores")) {
      if (core.path("domain").asString("").equals(LicenseTerms.DOMAIN)) {
        Instant issued = Instant.parse(core.path("issuedAt").asString(""));
        Instant since = Instant.parse(core.path("inForceSince").asString(""));
        return Optional.of(
            new CoreInForce(
                core.path("version").asLong(0), Duration.between(issued, since).toMillis()));
      }
    }
    return Optional.empty();
  }

  /** Waits until it holds messages against this version of the core or a later one. */
  CoreInForce awaitCore(long version) throws IOException, InterruptedException {
    return DemoStage.until(
            this::coreInForce, core -> core.filter(one -> one.version() >= version).isPresent())
        .filter(one -> one.version() >= version)
        .orElseThrow(() ->
            new IOException("core version " + version + " did not come into force at " + url("/")));
  }

  /** A counter by the value of its one label; by the empty name where it has none. */
  Map<String, Long> counter(String name) throws IOException, InterruptedException {
    Map<String, Long> values = new TreeMap<>();
    Pattern line = Pattern.compile(name + "(?:\\{[a-z]+=\"([^\"]*)\"})? ([0-9.eE+]+)");
    new String(client.raw("/metrics").body(), StandardCharsets.UTF_8)
        .lines()
        .map(line::matcher)
        .filter(Matcher::matches)
        .forEach(one ->
            values.merge(
                Optional.ofNullable(one.group(1)).orElse(""),
                (long) Double.parseDouble(one.group(2)),
                Long::sum));
    return values;
  }

  /** How a pact stands at this sidecar; empty if it is not known here. */
  Optional<String> pactState(String pact) throws IOException {
    for (JsonNode one : client.get("/pacts").path("pacts")) {
      if (one.path("pact").asString("").equals(pact)) {
        return Optional.of(one.path("state").asString(""));
      }
    }
    return Optional.empty();
  }

  /**
   * Ends a pact in the name of the agent; empty if done, else what the sidecar said.
   *
   * @param who the person
   */
  Optional<String> dissolve(String pact, String reason, String who)
      throws IOException, InterruptedException {
    return post("/pacts/" + pact + "/dissolve?reason=" + reason, who, "in the demonstration");
  }

  /**
   * Releases a held message in the name of {@code who}; empty if done, else what the sidecar said.
   */
  Optional<String> release(String reviewId, String who) throws IOException, InterruptedException {
    return post("/review/" + reviewId + "/release", who, "released by the demonstration");
  }

  private Optional<String> post(String path, String who, String note) throws IOException {
    try {
      client.post(path, Map.of("who", who, "note", note));
      return Optional.empty();
    } catch (CallRefused refused) {
      return Optional.ofNullable(refused.getMessage());
    }
  }

  @Override
  public void close() {
    client.close();
  }

  /**
   * What the decision log of the scholar's sidecar says about one draft.
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
      @JsonProperty("decisionId") String id,
      @JsonProperty("draft") int attempt,
      String header,
      @JsonProperty("drift") OptionalDouble driftSqrtJsd,
      String route,
      List<String> reasons,
      Optional<String> reviewId) {
    DraftVerdict {
      reasons = List.copyOf(reasons);
    }

    /** Reads a log entry; empty if it is not about an answer. */
    static Optional<DraftVerdict> of(JsonNode entry) {
      String id = text(entry, "id");
      String route = text(entry, "route");
      if (id.isEmpty() || route.isEmpty() || !text(entry, "kind").equals("response")) {
        return Optional.empty();
      }
      JsonNode drift = entry.path("drift");
      String reviewId = text(entry, "reviewId");
      return Optional.of(
          new DraftVerdict(
              id,
              entry.path("attempt").asInt(1),
              text(entry, "header"),
              drift.isNumber() ? OptionalDouble.of(drift.asDouble()) : OptionalDouble.empty(),
              route,
              entry.path("reasons").valueStream().map(reason -> reason.asString("")).toList(),
              reviewId.isEmpty() ? Optional.empty() : Optional.of(reviewId)));
    }

    private static String text(JsonNode entry, String member) {
      return entry.path(member).asString("");
    }

    /** True if no further draft of this answer follows. */
    boolean isLast() {
      return !route.equals("regenerate");
    }
  }
}
