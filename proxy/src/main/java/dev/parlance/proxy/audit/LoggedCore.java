package dev.parlance.proxy.audit;

import dev.parlance.policy.core.CoreCheck;
import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.CoreState;
import dev.parlance.policy.core.CoreVersion;
import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.GuardPolicy.OnCoreGap;
import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.TermStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** What the core guard found, read back from its line. */
final class LoggedCore {
  private static final Pattern PLUS = Pattern.compile("+", Pattern.LITERAL);

  private LoggedCore() {}

  /** Reads the member {@code core}, if there is one; throws with the name of a bad member. */
  static Optional<CoreCheck> read(JsonNode line) {
    if (!line.has("core")) {
      return Optional.empty();
    }
    JsonNode json = line.path("core");
    List<CoreFindings.Offence> offending = new ArrayList<>();
    for (JsonNode offence : json.path("offending")) {
      offending.add(
          new CoreFindings.Offence(
              offence.path("term").asString(""),
              choice("status", offence, TermStatus::ofCode),
              Optional.of(offence.path("use").asString("")).filter(use -> !use.isEmpty())));
    }
    String domain = json.path("domain").asString("");
    List<CoreVersion> cores = new ArrayList<>();
    for (JsonNode core : json.path("cores")) {
      cores.add(core(core.asString(""), domain));
    }
    return Optional.of(
        new CoreCheck(
            new CoreFindings(
                new HeldCore(
                    domain,
                    Optional.of(json.path("peer").asString("")).filter(peer -> !peer.isEmpty()),
                    choice("state", json, CoreState::ofCode),
                    cores,
                    json.path("ageMs").asLong(0)),
                LoggedJudgement.whole("certified", json),
                LoggedJudgement.whole("unknown", json),
                LoggedJudgement.whole("revoked", json),
                offending),
            new GuardPolicy(
                choice("onUncertified", json, OnUncertified::ofCode),
                choice("onStale", json, OnCoreGap::ofCode),
                choice("onAbsent", json, OnCoreGap::ofCode))));
  }

  /** {@code alice+bob/license@3}; ids may hold slashes and at signs, so it is read from the end. */
  private static CoreVersion core(String text, String domain) {
    int version = text.lastIndexOf('@');
    String id = version < 0 ? "" : text.substring(0, version);
    if (!id.endsWith("/" + domain)) {
      throw new IllegalArgumentException("core must be one of domain " + domain + ": " + text);
    }
    String agents = id.substring(0, id.length() - domain.length() - 1);
    return new CoreVersion(
        new CoreId(PLUS.splitAsStream(agents).toList(), domain),
        Long.parseLong(text.substring(version + 1)));
  }

  private static <T> T choice(String name, JsonNode json, Function<String, Optional<T>> ofCode) {
    String given = json.path(name).asString("");
    return ofCode
        .apply(given)
        .orElseThrow(() -> new IllegalArgumentException("unknown " + name + ": '" + given + "'"));
  }
}
