package dev.parlance.proxy.admin;

import dev.parlance.proxy.config.file.ConfigHolder;
import dev.parlance.proxy.config.file.ConfigRefusal;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is configured. May block. */
@FunctionalInterface
public interface ConfigPort {
  /** The configuration in force and what became of the last file; without secrets. */
  JsonNode effective();

  /** The view on a holder: {@code config, generation, refusals, lastRefusal?}. */
  static ConfigPort of(ConfigHolder holder) {
    return () -> {
      ConfigHolder.State state = holder.state();
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("config", state.config().toDisplayMap());
      view.put("generation", state.generation());
      view.put("refusals", state.refusals());
      state.lastRefusal().ifPresent(refusal -> view.put("lastRefusal", refusal(refusal)));
      return JsonMapper.shared().valueToTree(view);
    };
  }

  private static Map<String, Object> refusal(ConfigRefusal refusal) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("at", refusal.at().toString());
    view.put("reason", refusal.reason().code());
    view.put("problems", refusal.problems());
    return view;
  }
}
