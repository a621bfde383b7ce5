package dev.parlance.proxy.config.file;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.proxy.config.Annotate;
import dev.parlance.proxy.config.CoreRule;
import dev.parlance.proxy.config.Defaults;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.HostPattern;
import dev.parlance.proxy.config.LexiconRule;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.PactRule;
import dev.parlance.proxy.config.PeerRule;
import dev.parlance.proxy.config.RouteMatch;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.RouteRule.Upstream;
import dev.parlance.proxy.config.StreamMode;
import dev.parlance.service.config.Suggestion;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonScanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the routes and puts the implicit one behind them. */
final class RouteReader {
  private static final Codecs CODECS = new Codecs(JsonScanner.Limits.DEFAULT);

  private final Path baseDir;
  private final Mode fileMode;
  private final Map<String, Profile> profiles;

  private final Section root;
  private final boolean controlled;

  private RouteReader(Section root, Path baseDir, Mode fileMode, Map<String, Profile> profiles) {
    this.baseDir = baseDir;
    this.fileMode = fileMode;
    this.profiles = profiles;
    this.root = root;
    this.controlled = root.has("control");
  }

  static List<RouteRule> read(
      Section root, Path baseDir, Mode fileMode, Map<String, Profile> profiles) {
    RouteReader reader = new RouteReader(root, baseDir, fileMode, profiles);
    List<RouteRule> rules = new ArrayList<>();
    Map<String, Section> byName = new HashMap<>();
    String shadow = "";
    for (Section route : root.sections("routes")) {
      String name = route.text("name", "unnamed");
      if (name.equals(RouteRule.DEFAULT_NAME)) {
        route.problem("name", "\"default\" is the implicit last route, expected another name");
      } else if (!route.isAbsent("name") && byName.putIfAbsent(name, route) != null) {
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
      RouteRule rule = reader.route(route, name);
      if (rule.match().matchesAll() && shadow.isEmpty()) {
        shadow = name;
      }
      rules.add(rule);
    }
    rules.add(reader.implicit());
    return rules;
  }

  private RouteRule implicit() {
    return new RouteRule(
        RouteRule.DEFAULT_NAME,
        RouteMatch.ALL,
        PeerRule.ALL,
        Defaults.CODEC,
        Profiles.DEFAULT,
        fileMode,
        Defaults.GROUNDING,
        Defaults.REQUEST_GROUNDING,
        Defaults.ON_UNJUDGED,
        Defaults.BINARY,
        Defaults.ON_ERROR,
        Defaults.STREAM,
        annotate(root, fileMode),
        Defaults.REPAIR,
        Defaults.IDEMPOTENT,
        Defaults.ON_ACTED,
        Defaults.AGENT_CARD,
        JsonPointers.NONE,
        Defaults.CONSEQUENTIAL,
        Optional.empty(),
        Finality.NONE,
        PactRule.OFF,
        LexiconRule.OFF,
        Optional.empty());
  }

  private RouteRule route(Section route, String name) {
    String codec = codec(route);
    boolean consequential = CoreReader.isConsequential(route);
    Optional<CoreRule> core = CoreReader.read(route, codec);
    Finality finality = finality(route, codec);
    PactRule pact = PactReader.rule(root, route);
    Mode mode = Choices.of(route.text("mode"), Mode.values(), Mode::code, fileMode);
    return new RouteRule(
        name,
        match(route.section("match")),
        IdentityReader.peers(route, "allow").orElse(PeerRule.ALL),
        codec,
        profile(route),
        mode,
        Choices.of(
            route.text("grounding"), Grounding.values(), Grounding::code, Defaults.GROUNDING),
        Choices.of(
            route.text("requestGrounding"),
            Grounding.values(),
            Grounding::code,
            Defaults.REQUEST_GROUNDING),
        onFailure(route, "onUnjudged", Defaults.ON_UNJUDGED),
        binary(route, consequential, finality, pact),
        onFailure(route, "onError", Defaults.ON_ERROR),
        Choices.of(route.text("stream"), StreamMode.values(), StreamMode::code, Defaults.STREAM),
        annotate(route, mode),
        Choices.of(
            route.text("repair"),
            RouteRule.Repair.values(),
            RouteRule.Repair::code,
            Defaults.REPAIR),
        route.flag("idempotent", Defaults.IDEMPOTENT),
        onActed(route, consequential),
        Choices.of(
            route.text("agentCard"),
            RouteRule.AgentCard.values(),
            RouteRule.AgentCard::code,
            Defaults.AGENT_CARD),
        json(route, codec),
        consequential && core.isPresent(),
        core,
        finality,
        pact,
        lexicon(route),
        upstream(route));
  }

  private Optional<Upstream> upstream(Section route) {
    Optional<String> url = route.text("upstream");
    Optional<Path> ca = IdentityReader.path(route, "upstreamCa", baseDir);
    if (url.isEmpty()) {
      return Optional.empty();
    }
    Optional<Upstream> upstream = Upstream.parse(url.get(), ca);
    if (upstream.isEmpty()) {
      route.problem("upstream", "got \"" + url.get() + "\", expected http[s]://host[:port][/path]");
    } else if (!route.section("match").text("direction", "").equals(Direction.OUTBOUND.code())) {
      route.problem(
          "upstream", "only the agent's own requests have one, expected match.direction outbound");
    }
    return upstream;
  }

  /**
   * The route's own word, the file's, or what its mode has; without metadata no body is changed.
   */
  private Annotate annotate(Section route, Mode mode) {
    Annotate ofFile =
        Choices.of(
            root.text("annotate"), Annotate.values(), Annotate::code, Annotate.byDefault(mode));
    Annotate own = Choices.of(route.text("annotate"), Annotate.values(), Annotate::code, ofFile);
    boolean body = route.equals(root) || route.flag("metadata", Defaults.METADATA);
    return own == Annotate.FULL && !body ? Annotate.HEADERS : own;
  }

  /** What nobody can read proves nothing, so it does not pass where something has to be proven. */
  private static RouteRule.Binary binary(
      Section route, boolean consequential, Finality finality, PactRule pact) {
    boolean isGuarded =
        consequential || finality != Finality.NONE || pact.demand() == PactRule.Demand.REQUIRED;
    RouteRule.Binary given =
        Choices.of(
            route.text("binary"),
            RouteRule.Binary.values(),
            RouteRule.Binary::code,
            isGuarded ? RouteRule.Binary.BLOCK : Defaults.BINARY);
    if (isGuarded && given == RouteRule.Binary.PASS) {
      route.problem(
          "binary",
          "got \"pass\", expected block on a route that is consequential, asks for finality or"
              + " requires a pact");
      return RouteRule.Binary.BLOCK;
    }
    return given;
  }

  private static RouteRule.OnActed onActed(Section route, boolean consequential) {
    RouteRule.OnActed given =
        Choices.of(
            route.text("onActed"),
            RouteRule.OnActed.values(),
            RouteRule.OnActed::code,
            Defaults.ON_ACTED);
    if (consequential && given == RouteRule.OnActed.WARN) {
      route.problem("onActed", "got \"warn\", expected hold or refuse on a consequential route");
      return Defaults.ON_ACTED;
    }
    return given;
  }

  private static String codec(Section route) {
    String codec = route.text("codec", Defaults.CODEC);
    if (!CODECS.names().contains(codec)) {
      route.problem(
          "codec", "got \"" + codec + "\", expected one of " + String.join(", ", CODECS.names()));
    }
    return codec;
  }

  private LexiconRule lexicon(Section route) {
    Section section = route.section("lexicon");
    LexiconRule rule =
        new LexiconRule(
            Choices.of(
                section.text("coin"),
                LexiconRule.Coin.values(),
                LexiconRule.Coin::code,
                LexiconRule.Coin.OFF),
            Choices.of(
                section.text("inject"),
                LexiconRule.Inject.values(),
                LexiconRule.Inject::code,
                LexiconRule.Inject.OFF));
    if (rule.isOn() && !controlled) {
      route.problem(
          "lexicon", "boards are the control plane's, expected a section control beside lexicon");
    }
    return rule;
  }

  /** What requests have to prove, and what would let one pass that proves nothing. */
  private Finality finality(Section route, String codec) {
    Finality finality =
        Choices.of(route.text("finality"), Finality.values(), Finality::code, Finality.NONE);
    if (finality == Finality.NONE) {
      return finality;
    }
    if (!controlled) {
      route.problem(
          "finality",
          "nobody here knows an outcome, expected a section control beside finality "
              + finality.code());
    }
    only(route, "onUnjudged", finality);
    only(route, "onError", finality);
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
    return finality;
  }

  private static void only(Section route, String key, Finality finality) {
    route
        .text(key)
        .filter(given -> !given.equals(OnFailure.BLOCK.code()))
        .ifPresent(given ->
            route.problem(
                key, "got \"" + given + "\", expected block beside finality " + finality.code()));
  }

  /** A value that was found wrong already reads as its default, see {@link Section}. */
  private static OnFailure onFailure(Section route, String key, OnFailure byDefault) {
    return Choices.of(route.text(key), OnFailure.values(), OnFailure::code, byDefault);
  }

  private Profile profile(Section route) {
    String name = route.text("profile", Profiles.DEFAULT.name());
    Profile profile = profiles.get(name);
    if (profile == null) {
      route.problem(
          "profile",
          "unknown profile \""
              + name
              + "\", expected one of "
              + String.join(", ", profiles.keySet())
              + Suggestion.sentence(name, profiles.keySet()));
      return Profiles.DEFAULT;
    }
    return profile;
  }

  private static RouteMatch match(Section match) {
    Optional<Direction> direction =
        match
            .text("direction")
            .flatMap(text -> Choices.find(text, Direction.values(), Direction::code));
    String pattern = match.text("host", HostPattern.ANY.toString());
    Optional<HostPattern> host = HostPattern.parse(pattern);
    if (host.isEmpty()) {
      match.problem(
          "host", "got \"" + pattern + "\", expected a pattern host[:port] like *.example");
    }
    Optional<PeerRule> peer = IdentityReader.peers(match, "peer");
    if (peer.isPresent() && direction.filter(one -> one == Direction.OUTBOUND).isPresent()) {
      match.problem("peer", "only inbound requests have a caller, expected no direction outbound");
    }
    return new RouteMatch(
        direction, host.orElse(HostPattern.ANY), match.text("pathPrefix", "/"), peer);
  }

  private static JsonPointers json(Section route, String codec) {
    Section json = route.section("json");
    JsonPointers pointers =
        new JsonPointers(side(json.section("request")), side(json.section("response")));
    boolean any = !pointers.isNone();
    if (codec.equals(Codecs.JSON)) {
      if (json.section("request").isAbsent("text") && json.section("response").isAbsent("text")) {
        route.problem(
            any ? "json" : "codec",
            "codec json has nothing to read, expected json.request.text or json.response.text");
      }
    } else if (any) {
      route.problem("json", "pointers are read by codec json only, got codec " + codec);
    }
    return pointers;
  }

  private static JsonPointers.Side side(Section side) {
    return new JsonPointers.Side(
        side.text("text"),
        side.text("context"),
        side.text("citations"),
        side.text("confidence"),
        side.text("question"),
        side.text("round"));
  }
}
