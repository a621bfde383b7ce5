package dev.parlance.proxy.config;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.RecordShape;
import dev.parlance.proxy.config.ControlSettings.ControlTls;
import dev.parlance.proxy.config.IdentitySettings.Source;
import dev.parlance.relay.api.Destination;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.config.Listen;
import dev.parlance.service.identity.SpiffePattern;
import dev.parlance.wire.json.JsonPointers;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The effective configuration in the shape of the file, every default filled in; names secrets'
 * files, never secrets. The file has the records of the configuration as its sections, member by
 * member; written out here is where it differs.
 */
final class DisplayMap {
  private DisplayMap() {}

  static Map<String, Object> of(SidecarConfig config) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("version", 1);
    map.put("revision", config.revision());
    map.put("node", config.node());
    map.put("mode", config.mode().code());
    map.put("annotate", config.routes().getLast().annotate().code());
    map.put("dataDir", config.storage().dataDir().toString());
    config.listeners().inbound().ifPresent(inbound -> map.put("inbound", members(inbound)));
    config.listeners().outbound().ifPresent(outbound -> map.put("outbound", outbound(outbound)));
    map.put("admin", Map.of("listen", config.listeners().admin().toString()));
    config
        .listeners()
        .health()
        .ifPresent(listen -> map.put("health", Map.of("listen", listen.toString())));
    map.put("probes", config.probes().stream().map(DisplayMap::probe).toList());
    map.put("portsFile", text(config.listeners().portsFile()));
    map.put("routes", config.routes().stream().map(DisplayMap::route).toList());
    Map<String, Object> profiles = new TreeMap<>();
    config
        .profiles()
        .values()
        .forEach(one -> profiles.put(one.name(), new LinkedHashMap<>(one.settings())));
    map.put("profiles", profiles);
    Map<String, Object> limits = members(config.limits().http());
    limits.put("jsonDepth", config.limits().json().depth());
    limits.put("jsonTokens", config.limits().json().tokens());
    limits.put("judgingMs", config.limits().judgingMs());
    limits.put("errorBytes", config.limits().errorBytes());
    limits.put("flows", config.limits().flows());
    limits.put("plumbingBytes", config.limits().plumbingBytes());
    map.put("limits", limits);
    map.put("plumbing", config.plumbing().switches());
    Map<String, Object> timeouts = members(config.timeouts().http());
    timeouts.put("drainMs", config.timeouts().drainMs());
    timeouts.put("noticeMs", config.timeouts().noticeMs());
    map.put("timeouts", timeouts);
    map.put("review", members(config.storage().review()));
    map.put("decisionLog", members(config.storage().decisionLog()));
    map.put("streams", members(config.streams()));
    map.put("evidence", members(config.storage().evidence()));
    map.put("startup", members(config.startup()));
    map.put("lexicon", members(config.lexicon()));
    config.entailment().ifPresent(settings -> map.put("entailment", entailment(settings)));
    config.traces().ifPresent(settings -> map.put("traces", traces(settings)));
    config.control().ifPresent(control -> map.put("control", control(control)));
    map.put("identity", identity(config.identity()));
    map.put("verdicts", verdicts(config.verdicts()));
    config.pacts().ifPresent(pacts -> map.put("pacts", pacts(pacts)));
    return map;
  }

  private static Map<String, Object> entailment(EntailmentSettings settings) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("dir", settings.dir().toString());
    map.put("timeoutMs", settings.timeoutMs());
    map.put("threads", settings.threads());
    map.put("queue", settings.queue());
    map.putAll(members(settings.rules()));
    return map;
  }

  private static Map<String, Object> traces(TraceSettings settings) {
    Map<String, Object> map = members(settings);
    map.put("headersFile", text(settings.headersFile()));
    map.put("ca", text(settings.ca()));
    return map;
  }

  private static Map<String, Object> probe(Probe probe) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", probe.name());
    map.put("host", probe.host());
    map.put("port", probe.port());
    switch (probe.check()) {
      case Probe.Check.Http http -> {
        map.put("path", http.path());
        map.put("scheme", http.scheme().code());
        map.put("headers", shown(http.headers()));
      }
      case Probe.Check.Tcp() -> map.put("tcp", true);
      case Probe.Check.Grpc(String service) -> map.put("grpc", service);
    }
    map.put("timeoutMs", probe.timeoutMs());
    return map;
  }

  private static Map<String, Object> outbound(Outbound outbound) {
    Map<String, Object> map = members(outbound);
    map.put("opaquePorts", outbound.opaquePorts().stream().sorted().toList());
    return map;
  }

  private static Map<String, Object> route(RouteRule rule) {
    Map<String, Object> match = new LinkedHashMap<>();
    match.put("direction", rule.match().direction().map(Direction::code).orElse("any"));
    match.put("host", rule.match().host().toString());
    match.put("pathPrefix", rule.match().pathPrefix());
    rule.match().peer().ifPresent(peer -> match.put("peer", peer.members()));
    Map<String, Object> map = members(rule);
    map.put("allow", rule.allow().members());
    map.put("match", match);
    map.put("profile", rule.profile().name());
    map.put("metadata", rule.annotate() == Annotate.FULL);
    map.put("pact", rule.pact().demand().code());
    rule.pact().peer().ifPresent(peer -> map.put("peer", peer));
    map.remove("upstream");
    rule.upstream()
        .ifPresent(upstream -> {
          map.put("upstream", upstream.url());
          upstream.ca().ifPresent(file -> map.put("upstreamCa", file.toString()));
        });
    map.remove("core");
    rule.core().ifPresent(core -> map.put("core", core(core)));
    map.remove("json");
    if (!rule.json().equals(JsonPointers.NONE)) {
      map.put("json", members(rule.json()));
    }
    return map;
  }

  private static Map<String, Object> core(CoreRule core) {
    Map<String, Object> map = members(core);
    map.remove("policy");
    map.putAll(members(core.policy()));
    return map;
  }

  private static Map<String, Object> control(ControlSettings control) {
    Map<String, Object> map = members(control);
    map.put("keysFile", text(control.keysFile()));
    map.put("tokenFile", text(control.tokenFile()));
    control.tls().ifPresent(tls -> map.put("tls", tls(tls)));
    return map;
  }

  private static Map<String, Object> identity(IdentitySettings identity) {
    Map<String, Object> map = new LinkedHashMap<>();
    Optional<Source.Files> files =
        identity.source().filter(Source.Files.class::isInstance).map(Source.Files.class::cast);
    Optional<Source.WorkloadApi> api =
        identity
            .source()
            .filter(Source.WorkloadApi.class::isInstance)
            .map(Source.WorkloadApi.class::cast);
    map.put("cert", text(files.map(of -> of.paths().cert())));
    map.put("key", text(files.map(of -> of.paths().key())));
    map.put("bundle", text(files.map(of -> of.paths().bundle())));
    map.put("workloadApi", api.map(of -> "unix:" + of.socket()).orElse(""));
    Optional<Source.ControlPlane> plane =
        identity
            .source()
            .filter(Source.ControlPlane.class::isInstance)
            .map(Source.ControlPlane.class::cast);
    map.put("controlPlane", plane.isPresent());
    map.put("tokenFile", text(plane.flatMap(Source.ControlPlane::tokenFile)));
    map.put(
        "domains",
        files.map(of -> of.paths().domains()).orElse(Map.of()).entrySet().stream()
            .map(one -> Map.of("name", one.getKey(), "bundle", one.getValue().toString()))
            .toList());
    map.put("minTls", identity.tls12() ? "TLSv1.2" : "TLSv1.3");
    map.put("deny", shown(identity.deny()));
    map.put("peers", shown(identity.peers()));
    identity.external().ifPresent(external -> map.put("external", shown(external)));
    return map;
  }

  private static Map<String, Object> verdicts(VerdictSettings verdicts) {
    Map<String, Object> map = members(verdicts);
    map.put("keyFile", text(verdicts.keyFile()));
    map.put(
        "trustVerdicts",
        Stream.concat(
                verdicts.trustVerdicts().ids().stream().map(SpiffePattern::toString),
                verdicts.trustVerdicts().agents().stream())
            .sorted()
            .toList());
    return map;
  }

  private static Map<String, Object> pacts(PactSettings pacts) {
    Map<String, Object> map = members(pacts);
    map.put("schemasDir", text(pacts.schemasDir()));
    map.put("templatesDir", text(pacts.templatesDir()));
    return map;
  }

  private static Map<String, Object> tls(ControlTls tls) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("ca", tls.ca().toString());
    map.put("cert", text(tls.own().map(ControlTls.Own::cert)));
    map.put("key", text(tls.own().map(ControlTls.Own::key)));
    return map;
  }

  private static String text(Optional<Path> path) {
    return path.map(Path::toString).orElse("");
  }

  /** The components of a record by name, in order; without those that are empty. */
  private static Map<String, Object> members(Record record) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (RecordShape.Part part : RecordShape.of(record.getClass()).parts()) {
      Object value = part.of(record);
      Optional<?> present =
          switch (value) {
            case Optional<?> maybe -> maybe;
            case OptionalDouble maybe ->
                maybe.isPresent() ? Optional.of(maybe.getAsDouble()) : Optional.empty();
            default -> Optional.of(value);
          };
      present.ifPresent(one -> map.put(part.name(), shown(one)));
    }
    return map;
  }

  private static Object shown(Object value) {
    return switch (value) {
      case Boolean flag -> flag;
      case Number number -> number;
      case Coded constant -> constant.code();
      case Map<?, ?> map -> {
        Map<String, Object> inner = new LinkedHashMap<>();
        map.forEach((name, one) -> inner.put(name.toString(), shown(one)));
        yield inner;
      }
      case Collection<?> all -> all.stream().map(DisplayMap::shown).toList();
      case VerifierKey key -> key.format();
      case Listen listen -> listen.toString();
      case HostPort at -> HostPort.format(at.host(), at.port());
      case Destination at -> HostPort.format(at.host(), at.port());
      case AddressRange range -> range.text();
      case Record inner -> members(inner);
      default -> value.toString();
    };
  }
}
