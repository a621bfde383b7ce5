package dev.parlance.proxy.main;

import dev.parlance.proxy.admin.DecisionPort;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.audit.Replay;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The decision log as the admin server sees it. */
record DecisionAdapter(DecisionLog log) implements DecisionPort {
  /** Lines looked through, of all types. */
  private static final int DEPTH = 10_000;

  @Override
  public List<JsonNode> recent(int limit, Optional<String> route) {
    return log.recent(DEPTH).stream()
        .map(DecisionAdapter::tree)
        .filter(line -> line.path("type").asString("").equals("decision"))
        .filter(line ->
            route.isEmpty()
                || line.path("route").asString("").equals(route.get())
                || line.path("routeRule").asString("").equals(route.get()))
        .limit(limit)
        .toList();
  }

  @Override
  public Optional<JsonNode> find(String id) {
    return log.find(id).map(DecisionAdapter::tree);
  }

  @Override
  public Optional<Explanation> explain(String id) {
    return log.find(id)
        .map(Replay::of)
        .map(result ->
            switch (result) {
              case Replay.Result.Explained(var explanation) ->
                  new Explanation(tree(explanation.json()), explanation.text());
              case Replay.Result.Unreadable(String code, String detail) ->
                  new Explanation(
                      JsonMapper.shared()
                          .createObjectNode()
                          .put("error", code)
                          .put("detail", detail),
                      "this line cannot be explained: " + code + ", " + detail + "\n");
            });
  }

  /** The mapper is made when first asked for: most sidecars never are. */
  private static JsonNode tree(String line) {
    return JsonMapper.shared().readTree(line);
  }
}
