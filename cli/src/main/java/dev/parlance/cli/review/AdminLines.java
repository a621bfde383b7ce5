package dev.parlance.cli.review;

import dev.parlance.cli.Json;
import dev.parlance.client.SidecarClient;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** The decisions of a sidecar whose files are out of reach, asked of its admin API. One thread. */
final class AdminLines implements LineSource {
  /** Most that one answer holds. */
  private static final int LIMIT = 1000;

  private final SidecarClient client;
  private Set<String> known = new HashSet<>();
  private boolean began;

  /** Decisions of the sidecar that this client, which is closed with it, leads to. */
  AdminLines(SidecarClient client) {
    this.client = client;
  }

  /** Newest first. */
  private List<JsonNode> latest() throws IOException {
    return client.get("/decisions?limit=" + LIMIT).path("decisions").valueStream().toList();
  }

  private static String id(JsonNode line) {
    return SidecarClient.firstText(line, "id");
  }

  @Override
  public Deque<String> last(int lines) throws IOException {
    List<JsonNode> latest = latest();
    latest.forEach(line -> known.add(id(line)));
    began = true;
    Deque<String> last = new ArrayDeque<>();
    latest.stream().limit(lines).forEach(line -> last.addFirst(Json.text(line)));
    return last;
  }

  @Override
  public LogTail.Seen poll(Consumer<String> lines) throws IOException {
    List<JsonNode> latest = latest();
    Set<String> now = new HashSet<>();
    boolean isNew = true;
    for (JsonNode line : latest.reversed()) {
      isNew &= !known.contains(id(line));
      now.add(id(line));
      if (!known.contains(id(line))) {
        lines.accept(Json.text(line));
      }
    }
    boolean gap = began && isNew && latest.size() == LIMIT;
    known = now;
    began = true;
    return gap ? LogTail.Seen.GAP : LogTail.Seen.ALL;
  }

  @Override
  public void close() {
    client.close();
  }
}
