package dev.parlance.proxy.config.file;

import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.GuardPolicy.OnCoreGap;
import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import dev.parlance.policy.core.Names;
import dev.parlance.proxy.config.CoreRule;
import dev.parlance.proxy.config.Defaults;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.StreamMode;
import dev.parlance.wire.Codecs;
import java.util.Optional;

/**
 * Reads a route's {@code core} section, whose defaults depend on {@code consequential}, and what a
 * consequential route must not say: everything that would let a message pass unguarded.
 */
final class CoreReader {
  private final Section route;
  private final Section core;
  private final boolean consequential;

  private CoreReader(Section route) {
    this.route = route;
    this.core = route.section("core");
    this.consequential = isConsequential(route);
  }

  static boolean isConsequential(Section route) {
    return route.flag("consequential", Defaults.CONSEQUENTIAL);
  }

  static Optional<CoreRule> read(Section route, String codec) {
    CoreReader reader = new CoreReader(route);
    if (reader.consequential) {
      reader.checkConsequential(codec);
    }
    return reader.rule();
  }

  private Optional<CoreRule> rule() {
    GuardPolicy defaults = consequential ? GuardPolicy.CONSEQUENTIAL : GuardPolicy.ORDINARY;
    GuardPolicy policy =
        new GuardPolicy(
            Choices.of(
                core.text("onUncertified"),
                OnUncertified.values(),
                OnUncertified::code,
                defaults.onUncertified()),
            Choices.of(
                core.text("onStale"), OnCoreGap.values(), OnCoreGap::code, defaults.onStale()),
            Choices.of(
                core.text("onAbsent"), OnCoreGap.values(), OnCoreGap::code, defaults.onAbsent()));
    return core.text("domain")
        .filter(Names::isName)
        .map(domain -> new CoreRule(domain, core.text("peer").filter(Names::isName), policy));
  }

  private void checkConsequential(String codec) {
    if (core.isAbsent("domain")) {
      route.problem(
          "consequential",
          "a consequential route has no core to hold messages against, expected core.domain");
    }
    only(route, "onUnjudged", OnFailure.BLOCK.code());
    only(route, "onError", OnFailure.BLOCK.code());
    only(route, "stream", StreamMode.HOLD.code());
    only(core, "onUncertified", OnUncertified.REGENERATE.code());
    if (codec.equals(Codecs.JSON)) {
      Section json = route.section("json");
      if (json.section("request").isAbsent("text") || json.section("response").isAbsent("text")) {
        route.problem(
            "json",
            "a consequential route reads both ways, expected json.request.text and"
                + " json.response.text");
      }
    }
  }

  private static void only(Section section, String key, String allowed) {
    section
        .text(key)
        .filter(given -> !given.equals(allowed))
        .ifPresent(given ->
            section.problem(
                key, "got \"" + given + "\", expected " + allowed + " on a consequential route"));
  }
}
