package dev.parlance.proxy.config.file;

import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.verdict.MessageVerdict;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.text.Coded;
import dev.parlance.proxy.config.AddressRange;
import dev.parlance.proxy.config.Annotate;
import dev.parlance.proxy.config.ControlSettings.ControlTls;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.HostPattern;
import dev.parlance.proxy.config.LocalAgent;
import dev.parlance.proxy.config.PactSettings;
import dev.parlance.proxy.config.PeerRule;
import dev.parlance.proxy.config.PlumbingSettings;
import dev.parlance.proxy.config.PlumbingSettings.Switch;
import dev.parlance.proxy.config.Probe;
import dev.parlance.proxy.config.RouteMatch;
import dev.parlance.proxy.config.RouteRule.Upstream;
import dev.parlance.proxy.config.VerdictSettings.PeerKey;
import dev.parlance.proxy.config.VerdictSettings.Trust;
import dev.parlance.relay.api.Destination;
import dev.parlance.service.config.Binder;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.config.Listen;
import dev.parlance.service.config.Quoted;
import dev.parlance.service.config.Section;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.SpiffePattern;
import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.json.JsonScanner;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The types of the sidecar's file that are more than the components of a record. */
final class ConfigTypes {
  private ConfigTypes() {}

  static Binder.Types all() {
    return new Binder.Types(constant -> ((Coded) constant).code())
        .text(
            Listen.class,
            address(0, found -> new Listen(found.host(), found.port())),
            "host:port with a port from 0 to 65535")
        .text(
            HostPort.class,
            address(1, Function.identity()),
            "host:port with a port from 1 to 65535")
        .text(Destination.class, ConfigTypes::destination)
        .text(HostPattern.class, HostPattern::parse, "a pattern host[:port] like ", "*.example")
        .text(
            SpiffePattern.class,
            SpiffePattern::parse,
            "a pattern like spiffe://mesh.example/ns/shop/sa/buyer-*")
        .text(AddressRange.class, AddressRange::parse, "an address, or a range like 10.0.0.0/8")
        .text(VerifierKey.class, ConfigTypes::key)
        .text(URI.class, ConfigTypes::endpoint)
        .section(
            JsonScanner.Limits.class,
            limits ->
                Optional.of(
                    new JsonScanner.Limits(
                        limits.number("jsonDepth"), limits.number("jsonTokens"))))
        .section(PlumbingSettings.class, ConfigTypes::plumbing)
        .section(Probe.Check.class, ConfigTypes::check)
        .section(RouteMatch.class, ConfigTypes::match)
        .section(PeerRule.class, list -> Optional.of(peers(list)))
        .section(Annotate.class, route -> Optional.of(annotate(route)))
        .section(Upstream.class, ConfigTypes::upstream)
        .section(ControlTls.class, ConfigTypes::tls)
        .section(PactSettings.Peer.class, ConfigTypes::pactPeer)
        .section(PeerKey.class, ConfigTypes::peerKey)
        .section(Trust.class, list -> Optional.of(trust(list)));
  }

  private static <T> Function<String, Optional<T>> address(
      int leastPort, Function<HostPort, T> type) {
    return text -> HostPort.parse(text).filter(found -> found.port() >= leastPort).map(type);
  }

  private static Optional<Destination> destination(String text, Binder.Place place) {
    Optional<HostPort> address = HostPort.parse(text).filter(found -> found.port() >= 0);
    if (address.isEmpty()) {
      place.problem(got(text) + "host:port with a port from 0 to 65535");
    } else if (address.get().port() == 0) {
      place.problem("got port 0, expected a port from 1 to 65535");
    }
    return address
        .filter(found -> found.port() > 0)
        .map(found -> new Destination(found.host(), found.port()));
  }

  private static Optional<VerifierKey> key(String text, Binder.Place place) {
    return switch (VerifierKey.parse(text)) {
      case Parsed.Bad<VerifierKey> bad -> {
        place.problem(got(text) + "a public key name+id+base64: " + bad.detail());
        yield Optional.empty();
      }
      case Parsed.Ok<VerifierKey>(VerifierKey key) when key.type() == KeyType.ED25519 ->
          Optional.of(key);
      case Parsed.Ok<VerifierKey> _ -> {
        place.problem("got a key of a witness, expected one that signs cores");
        yield Optional.empty();
      }
    };
  }

  private static Optional<URI> endpoint(String text, Binder.Place place) {
    try {
      URI url = new URI(text);
      if (LocalAgent.isEndpoint(url)) {
        return Optional.of(url);
      }
      place.problem(got(text) + "http://host:port/path without user and fragment");
    } catch (URISyntaxException e) {
      place.problem(got(text) + "a URL: " + e.getReason());
    }
    return Optional.empty();
  }

  private static Optional<PlumbingSettings> plumbing(Section section) {
    return Optional.of(
        new PlumbingSettings(
            Arrays.stream(Plumbing.values())
                .filter(name -> section.constant(name.key(), Switch.class) == Switch.UNJUDGED)
                .collect(Collectors.toSet())));
  }

  private static Optional<Probe.Check> check(Section probe) {
    List<Probe.Check> checks = new ArrayList<>();
    probe
        .text("path")
        .ifPresent(path ->
            probe
                .list("headers", Probe.Header.class)
                .ifPresent(headers ->
                    checks.add(
                        new Probe.Check.Http(
                            probe.constant("scheme", Probe.Scheme.class), path, headers))));
    if (probe.flag("tcp")) {
      checks.add(new Probe.Check.Tcp());
    }
    probe.text("grpc").ifPresent(service -> checks.add(new Probe.Check.Grpc(service)));
    if (checks.size() == 1) {
      return Optional.of(checks.getFirst());
    }
    if (!probe.isBad("path") && !probe.isBad("grpc")) {
      probe.problem(
          "name",
          "the probe has " + checks.size() + " of path, tcp: true and grpc, expected exactly one");
    }
    return Optional.empty();
  }

  private static Optional<RouteMatch> match(Section match) {
    return match
        .get("host", HostPattern.class)
        .map(host ->
            new RouteMatch(
                Coded.find(Direction.values(), match.text("direction").orElse("any")),
                host,
                match.text("pathPrefix").orElse("/"),
                match.isAbsent("peer") ? Optional.empty() : match.get("peer", PeerRule.class)));
  }

  private static PeerRule peers(Section list) {
    List<SpiffePattern> ids = new ArrayList<>();
    boolean anonymous = false;
    for (Section.Item item : list.items()) {
      if (item.text().equals(PeerRule.ANONYMOUS)) {
        anonymous = true;
      } else {
        list.read(item, SpiffePattern.class).ifPresent(ids::add);
      }
    }
    return new PeerRule(ids, anonymous);
  }

  /** Without metadata no body is changed. */
  private static Annotate annotate(Section route) {
    Annotate own = route.constant("annotate", Annotate.class);
    return own == Annotate.FULL && !route.flag("metadata") ? Annotate.HEADERS : own;
  }

  private static Optional<Upstream> upstream(Section route) {
    Optional<String> url = route.text("upstream");
    Optional<Path> ca = route.path("upstreamCa");
    Optional<Upstream> upstream = url.flatMap(text -> Upstream.parse(text, ca));
    if (url.isPresent() && upstream.isEmpty()) {
      route.problem("upstream", got(url.get()) + "http[s]://host[:port][/path]");
    }
    return upstream;
  }

  private static Optional<ControlTls> tls(Section section) {
    Optional<Path> cert = section.path("cert");
    Optional<Path> key = section.path("key");
    if (cert.isPresent() != key.isPresent()) {
      section.problem(
          cert.isPresent() ? "cert" : "key", "got one of cert and key, expected both or neither");
    }
    Optional<ControlTls.Own> own =
        cert.flatMap(chain -> key.map(secret -> new ControlTls.Own(chain, secret)));
    return section.path("ca").map(file -> new ControlTls(file, own));
  }

  private static Optional<PactSettings.Peer> pactPeer(Section peer) {
    String agent = peer.text("agent").orElse("");
    List<VerifierKey> keys = new ArrayList<>();
    List<Section.Item> items = peer.items("keys");
    if (items.isEmpty()) {
      peer.problem("keys", "no key, expected one or more");
    }
    for (Section.Item item : items) {
      ed25519(item.text())
          .filter(key -> key.name().equals(agent))
          .ifPresentOrElse(
              keys::add,
              () ->
                  peer.problem(
                      item,
                      got(item.text())
                          + "a public key name+id+base64 of Ed25519 whose name is the agent"));
    }
    return keys.isEmpty() ? Optional.empty() : Optional.of(new PactSettings.Peer(agent, keys));
  }

  private static Optional<PeerKey> peerKey(Section peer) {
    Optional<String> text = peer.text("key");
    Optional<VerifierKey> key =
        text.flatMap(ConfigTypes::ed25519).filter(one -> MessageVerdict.isName(one.name()));
    if (text.isPresent() && key.isEmpty()) {
      peer.problem("key", got(text.get()) + "a public key name+id+base64");
    }
    Optional<List<HostPattern>> hosts = peer.list("hosts", HostPattern.class);
    return key.flatMap(good -> hosts.map(patterns -> new PeerKey(good, patterns)));
  }

  private static Optional<VerifierKey> ed25519(String text) {
    return VerifierKey.parse(text) instanceof Parsed.Ok<VerifierKey>(VerifierKey key)
            && key.type() == KeyType.ED25519
        ? Optional.of(key)
        : Optional.empty();
  }

  private static Trust trust(Section list) {
    List<SpiffePattern> ids = new ArrayList<>();
    Set<String> agents = new HashSet<>();
    for (Section.Item item : list.items()) {
      String text = item.text();
      boolean isDomain =
          text.startsWith(SpiffeId.SCHEME)
              && SpiffeId.isTrustDomain(text.substring(SpiffeId.SCHEME.length()));
      Optional<SpiffePattern> pattern = SpiffePattern.parse(isDomain ? text + "/**" : text);
      if (pattern.isPresent()) {
        ids.add(pattern.get());
      } else if (Names.isName(text) && !text.startsWith(SpiffeId.SCHEME)) {
        agents.add(text);
      } else {
        list.problem(
            item,
            got(text) + "a trust domain like spiffe://mesh.example, a pattern of ids, or an agent");
      }
    }
    return new Trust(ids, agents);
  }

  static String got(String text) {
    return "got \"" + Quoted.line(text) + "\", expected ";
  }
}
