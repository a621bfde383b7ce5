package dev.parlance.proxy.config.file;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.proxy.config.Annotate;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.LexiconRule;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.PactRule;
import dev.parlance.proxy.config.RouteMatch;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.RouteRule.Binary;
import dev.parlance.proxy.config.RouteRule.Read;
import dev.parlance.proxy.config.StreamMode;
import dev.parlance.service.config.Quoted;
import dev.parlance.service.config.Section;
import dev.parlance.service.config.Suggestion;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.json.JsonScanner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code routes}: what their keys have as defaults, and what goes with what. */
final class RouteReader {
  private static final Codecs CODECS = new Codecs(JsonScanner.Limits.DEFAULT);

  private final Section root;
  private final boolean controlled;

  private RouteReader(Section root) {
    this.root = root;
    this.controlled = root.has("control");
  }

  /** The routes, as far as they can be read; the last one matches everything. */
  static List<RouteRule> read(Section root, Map<String, Profile> profiles) {
    root.binder()
        .types()
        .text(
            Profile.class,
            (name, place) -> {
              Optional<Profile> profile = Optional.ofNullable(profiles.get(name));
              if (profile.isEmpty()) {
                place.problem(
                    "unknown profile \""
                        + name
                        + "\", expected one of "
                        + String.join(", ", profiles.keySet())
                        + Suggestion.sentence(name, profiles.keySet()));
              }
              return profile;
            });
    return new RouteReader(root).rules();
  }

  private List<RouteRule> rules() {
    List<RouteRule> rules = new ArrayList<>();
    Set<String> names = new HashSet<>();
    String shadow = "";
    for (Section route : root.sections("routes")) {
      String name = route.text("name").orElse("unnamed");
      if (name.equals(RouteRule.DEFAULT_NAME)) {
        route.problem("name", "\"default\" is the implicit last route, expected another name");
      } else if (!route.isAbsent("name") && !names.add(name)) {
        route.problem("name", "two routes are named \"" + name + "\", expected unique names");
      }
      if (!shadow.isEmpty()) {
        route.problem(
            "name",
            "route \""
                + name
                + "\" is never reached: \""
                + shadow
                + "\" matches everything before it");
      }
      setDefaults(route);
      check(route);
      if (shadow.isEmpty()
          && route.get("match", RouteMatch.class).filter(RouteMatch::matchesAll).isPresent()) {
        shadow = name;
      }
      route.bind(RouteRule.class).ifPresent(rules::add);
    }
    Section implicit = root.unsaid("routes", RouteRule.DEFAULT_NAME);
    implicit.setDefault("name", RouteRule.DEFAULT_NAME);
    setDefaults(implicit);
    rules.add(implicit.bind(RouteRule.class).orElseThrow());
    return rules;
  }

  private void setDefaults(Section route) {
    route.setDefault("mode", root.constant("mode", Mode.class).code());
    Annotate annotate = Annotate.byDefault(route.constant("mode", Mode.class));
    route.setDefault("annotate", root.given("annotate").orElse(annotate.code()));
    route.setDefault("binary", (isGuarded(route) ? Binary.BLOCK : Binary.PASS).code());
    if (route.flag("consequential")) {
      GuardPolicy policy = GuardPolicy.CONSEQUENTIAL;
      Section core = route.section("core");
      core.setDefault("onUncertified", policy.onUncertified().code());
      core.setDefault("onStale", policy.onStale().code());
      core.setDefault("onAbsent", policy.onAbsent().code());
    }
  }

  private void check(Section route) {
    String codec = codec(route);
    json(route, codec);
    if (route.flag("consequential")) {
      consequential(route, codec);
    }
    finality(route, codec);
    pact(route);
    unread(route, codec);
    if (isGuarded(route) && route.constant("binary", Binary.class) == Binary.PASS) {
      route.problem(
          "binary",
          "got \"pass\", expected block on a route that is consequential, asks for finality or"
              + " requires a pact");
    }
    Section match = route.section("match");
    if (!match.isAbsent("peer")
        && match.text("direction").filter(Direction.OUTBOUND.code()::equals).isPresent()) {
      match.problem("peer", "only inbound requests have a caller, expected no direction outbound");
    }
    if (route.text("upstream").isPresent()
        && match.text("direction").filter(Direction.OUTBOUND.code()::equals).isEmpty()) {
      route.problem(
          "upstream", "only the agent's own requests have one, expected match.direction outbound");
    }
    if (!controlled
        && route.bind("lexicon", LexiconRule.class).filter(LexiconRule::isOn).isPresent()) {
      route.problem(
          "lexicon", "boards are the control plane's, expected a section control beside lexicon");
    }
  }

  /** What nobody can read proves nothing, so it does not pass where something has to be proven. */
  private static boolean isGuarded(Section route) {
    return route.flag("consequential")
        || route.constant("finality", Finality.class) != Finality.NONE
        || route.constant("pact", PactRule.Demand.class) == PactRule.Demand.REQUIRED;
  }

  private static String codec(Section route) {
    String codec = route.text("codec").orElseThrow();
    if (!CODECS.names().contains(codec)) {
      route.problem(
          "codec", "got \"" + codec + "\", expected one of " + String.join(", ", CODECS.names()));
    }
    return codec;
  }

  private static void json(Section route, String codec) {
    Section json = route.section("json");
    boolean any =
        !json.section("request").names().isEmpty() || !json.section("response").names().isEmpty();
    if (!codec.equals(Codecs.JSON)) {
      if (any) {
        route.problem("json", "pointers are read by codec json only, got codec " + codec);
      }
    } else if (lacksText(json, "request") && lacksText(json, "response")) {
      route.problem(
          any ? "json" : "codec",
          "codec json has nothing to read, expected json.request.text or json.response.text");
    }
  }

  private static boolean lacksText(Section json, String side) {
    return json.section(side).isAbsent("text");
  }

  private static void consequential(Section route, String codec) {
    Section core = route.section("core");
    if (core.isAbsent("domain")) {
      route.problem(
          "consequential",
          "a consequential route has no core to hold messages against, expected core.domain");
    }
    String beside = " on a consequential route";
    only(route, "onUnjudged", OnFailure.BLOCK.code(), beside);
    only(route, "onError", OnFailure.BLOCK.code(), beside);
    only(route, "stream", StreamMode.HOLD.code(), beside);
    only(core, "onUncertified", OnUncertified.REGENERATE.code(), beside);
    if (route.constant("onActed", RouteRule.OnActed.class) == RouteRule.OnActed.WARN) {
      route.problem("onActed", "got \"warn\", expected hold or refuse on a consequential route");
    }
    Section json = route.section("json");
    if (codec.equals(Codecs.JSON) && (lacksText(json, "request") || lacksText(json, "response"))) {
      route.problem(
          "json",
          "a consequential route reads both ways, expected json.request.text and"
              + " json.response.text");
    }
  }

  /** What requests have to prove, and what would let one pass that proves nothing. */
  private void finality(Section route, String codec) {
    Finality finality = route.constant("finality", Finality.class);
    if (finality == Finality.NONE) {
      return;
    }
    if (!controlled) {
      route.problem(
          "finality",
          "nobody here knows an outcome, expected a section control beside finality "
              + finality.code());
    }
    String beside = " beside finality " + finality.code();
    only(route, "onUnjudged", OnFailure.BLOCK.code(), beside);
    only(route, "onError", OnFailure.BLOCK.code(), beside);
    Section request = route.section("json").section("request");
    if (codec.equals(Codecs.JSON)) {
      if (request.isAbsent("round") || request.isAbsent("text")) {
        route.problem(
            "json",
            "requests have to show an outcome for their text, expected json.request.round and"
                + " json.request.text beside finality "
                + finality.code());
      }
    } else if (!CODECS.namesWithOutcome().contains(codec)) {
      route.problem(
          "finality",
          "requests of codec "
              + codec
              + " have no place for an outcome, expected codec "
              + String.join(", ", CODECS.namesWithOutcome())
              + " or json");
    }
  }

  /** What a route asks of pacts, and what would let a message pass that was not held to one. */
  private void pact(Section route) {
    PactRule.Demand demand = route.constant("pact", PactRule.Demand.class);
    if (demand == PactRule.Demand.OFF) {
      if (route.text("peer").isPresent()) {
        route.problem("peer", "nobody asks for a peer, expected pact beside it");
      }
      return;
    }
    if (!root.has("pacts")) {
      route.problem(
          "pact", "there are no pacts here, expected a section pacts beside pact " + demand.code());
    }
    if (demand == PactRule.Demand.REQUIRED) {
      only(route, "onUnjudged", OnFailure.BLOCK.code(), " beside pact required");
      only(route, "onError", OnFailure.BLOCK.code(), " beside pact required");
    }
  }

  /** What asks that messages are read, where not all are. */
  private void unread(Section route, String codec) {
    Read read = route.constant("read", Read.class);
    if (read == Read.ALL) {
      return;
    }
    Optional<String> reader =
        isGuarded(route)
            ? Optional.of("a route that is consequential, asks for finality or requires a pact")
            : read == Read.NONE && !route.isAbsent("core")
                ? Optional.of("core")
                : route.bind("lexicon", LexiconRule.class).filter(LexiconRule::isOn).isPresent()
                    ? Optional.of("lexicon")
                    : root.has("pacts") ? Optional.of("a section pacts") : Optional.empty();
    reader.ifPresent(what ->
        route.problem(
            "read",
            "got \"" + read.code() + "\", expected all beside " + what + ", which reads them"));
    if (read == Read.ANSWER) {
      answers(route, codec);
    }
  }

  /** What would read requests where answers alone are read. */
  private static void answers(Section route, String codec) {
    if (CODECS.names().contains(codec) && !CODECS.namesOfAnswers().contains(codec)) {
      route.problem(
          "codec",
          "codec "
              + codec
              + " reads no answer without its request, expected "
              + String.join(", ", CODECS.namesOfAnswers())
              + " beside read answer");
    }
    if (!route.section("json").section("request").names().isEmpty()) {
      route.problem("json", "requests are not read, expected no json.request beside read answer");
    }
    if (route.constant("requestGrounding", Grounding.class) == Grounding.REQUIRED) {
      route.problem(
          "requestGrounding",
          "got \"required\", but requests are not read: expected optional or none beside read"
              + " answer");
    }
  }

  private static void only(Section section, String key, String allowed, String beside) {
    section
        .given(key)
        .filter(given -> !given.equals(allowed))
        .ifPresent(given ->
            section.problem(
                key, "got \"" + Quoted.line(given) + "\", expected " + allowed + beside));
  }
}
