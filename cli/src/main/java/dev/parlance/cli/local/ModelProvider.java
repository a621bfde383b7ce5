package dev.parlance.cli.local;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The base URL of a client of models: what the agent is told instead, and where the sidecar sends
 * what comes there. Only those whose messages the sidecar can read.
 *
 * @param upstream the base URL that the client would have used
 */
record ModelProvider(String upstream) {
  /** Variables by which clients of OpenAI's API take their base URL; the first one set counts. */
  static final List<String> VARIABLES = List.of("OPENAI_BASE_URL", "OPENAI_API_BASE");

  /** Below this path of the outbound listener; what follows it, follows the upstream's path. */
  static final String PREFIX = "/openai";

  private static final String DEFAULT = "https://api.openai.com/v1";

  /** As the agent's own environment has it, else that of this process. */
  static ModelProvider of(Map<String, String> own, Map<String, String> ours) {
    Optional<String> set =
        VARIABLES.stream()
            .map(name -> own.getOrDefault(name, ours.getOrDefault(name, "")).strip())
            .filter(url -> !url.isEmpty())
            .findFirst();
    return new ModelProvider(set.map(ModelProvider::withoutSlash).orElse(DEFAULT));
  }

  private static String withoutSlash(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }
}
