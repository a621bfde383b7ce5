package dev.parlance.proxy.config;

import dev.parlance.policy.route.Profile;
import dev.parlance.relay.api.Destination;
import dev.parlance.service.config.HostPort;
import dev.parlance.wire.json.JsonPointers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The effective configuration in the shape of the file, every default filled in. */
final class DisplayMap {
  private DisplayMap() {}

  static Map<String, Object> of(SidecarConfig config) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("version", 1);
    map.put("revision", config.revision());
    map.put("node", config.node());
    map.put("mode", config.mode().code());
    map.put("dataDir", config.dataDir().toString());
    config.inbound().ifPresent(inbound -> map.put("inbound", inbound(inbound)));
    config.outbound().ifPresent(outbound -> map.put("outbound", outbound(outbound)));
    map.put("admin", Map.of("listen", config.admin().toString()));
    config.health().ifPresent(listen -> map.put("health", Map.of("listen", listen.toString())));
    map.put("probes", config.probes().stream().map(DisplayMap::probe).toList());
    map.put("portsFile", config.portsFile().map(Object::toString).orElse(""));
    map.put("routes", config.routes().stream().map(DisplayMap::route).toList());
    Map<String, Object> profiles = new TreeMap<>();
    for (Profile profile : config.profiles().values()) {
      profiles.put(profile.name(), new LinkedHashMap<>(profile.settings()));
    }
    map.put("profiles", profiles);
    map.put("limits", limits(config));
    map.put("timeouts", timeouts(config));
    map.put("review", review(config.review()));
    map.put("decisionLog", decisionLog(config.decisionLog()));
    map.put("streams", streams(config.streams()));
    map.put("evidence", evidence(config.evidence()));
    map.put("startup", startup(config.startup()));
    config.control().ifPresent(control -> map.put("control", ControlDisplay.of(control)));
    return map;
  }

  private static Map<String, Object> probe(Probe probe) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", probe.name());
    map.put("host", probe.host());
    map.put("port", probe.port());
    switch (probe.check()) {
      case Probe.Check.Http(Probe.Scheme scheme, String path, List<Probe.Header> headers) -> {
        map.put("path", path);
        map.put("scheme", scheme.code());
        map.put("headers", headers.stream().map(DisplayMap::header).toList());
      }
      case Probe.Check.Tcp() -> map.put("tcp", true);
      case Probe.Check.Grpc(String service) -> map.put("grpc", service);
    }
    map.put("timeoutMs", probe.timeoutMs());
    return map;
  }

  private static Map<String, Object> header(Probe.Header header) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", header.name());
    map.put("value", header.value());
    return map;
  }

  private static Map<String, Object> inbound(Inbound inbound) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("listen", inbound.listen().toString());
    inbound.agent().ifPresent(agent -> map.put("agent", address(agent)));
    map.put("agentProtocol", inbound.agentProtocol().code());
    inbound.grpcAgent().ifPresent(agent -> map.put("grpcAgent", address(agent)));
    map.put("transparent", inbound.transparent());
    return map;
  }

  private static String address(Destination agent) {
    return HostPort.format(agent.host(), agent.port());
  }

  private static Map<String, Object> outbound(Outbound outbound) {
    List<String> allow = new ArrayList<>();
    outbound.allow().forEach(pattern -> allow.add(pattern.toString()));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("listen", outbound.listen().toString());
    map.put("allow", allow);
    map.put("allowLoopback", outbound.allowLoopback());
    map.put("originProtocol", outbound.originProtocol().code());
    map.put("transparent", outbound.transparent());
    map.put("opaque", outbound.opaque().code());
    map.put("opaquePorts", outbound.opaquePorts().stream().sorted().toList());
    return map;
  }

  private static Map<String, Object> route(RouteRule rule) {
    Map<String, Object> match = new LinkedHashMap<>();
    match.put("direction", rule.match().direction().map(Direction::code).orElse("any"));
    match.put("host", rule.match().host().toString());
    match.put("pathPrefix", rule.match().pathPrefix());
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", rule.name());
    map.put("match", match);
    map.put("codec", rule.codec().code());
    map.put("profile", rule.profile().name());
    map.put("mode", rule.mode().code());
    map.put("grounding", rule.grounding().code());
    map.put("requestGrounding", rule.requestGrounding().code());
    map.put("onUnjudged", rule.onUnjudged().code());
    map.put("onError", rule.onError().code());
    map.put("stream", rule.stream().code());
    map.put("metadata", rule.metadata());
    map.put("regenerate", rule.regenerate());
    map.put("consequential", rule.consequential());
    map.put("finality", rule.finality().code());
    rule.core().ifPresent(core -> map.put("core", core(core)));
    if (!rule.json().equals(JsonPointers.NONE)) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("request", side(rule.json().request()));
      json.put("response", side(rule.json().response()));
      map.put("json", json);
    }
    return map;
  }

  private static Map<String, Object> core(CoreRule core) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("domain", core.domain());
    put(map, "peer", core.peer());
    map.put("onUncertified", core.policy().onUncertified().code());
    map.put("onStale", core.policy().onStale().code());
    map.put("onAbsent", core.policy().onAbsent().code());
    return map;
  }

  private static Map<String, Object> side(JsonPointers.Side side) {
    Map<String, Object> map = new LinkedHashMap<>();
    put(map, "text", side.text());
    put(map, "context", side.context());
    put(map, "citations", side.citations());
    put(map, "confidence", side.confidence());
    put(map, "question", side.question());
    put(map, "round", side.round());
    return map;
  }

  private static void put(Map<String, Object> map, String key, Optional<String> value) {
    value.ifPresent(text -> map.put(key, text));
  }

  private static Map<String, Object> limits(SidecarConfig config) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("requestLineBytes", config.limits().requestLineBytes());
    map.put("headerBytes", config.limits().headerBytes());
    map.put("bodyBytes", config.limits().bodyBytes());
    map.put("inflationRatio", config.limits().inflationRatio());
    map.put("connections", config.limits().connections());
    map.put("streams", config.limits().streams());
    map.put("connectionBytes", config.limits().connectionBytes());
    map.put("jsonDepth", config.json().depth());
    map.put("jsonTokens", config.json().tokens());
    map.put("judgingMs", config.judgingMs());
    map.put("flows", config.flows());
    return map;
  }

  private static Map<String, Object> timeouts(SidecarConfig config) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("headerMs", config.timeouts().headerMs());
    map.put("bodyIdleMs", config.timeouts().bodyIdleMs());
    map.put("keepAliveMs", config.timeouts().keepAliveMs());
    map.put("connectMs", config.timeouts().connectMs());
    map.put("responseMs", config.timeouts().responseMs());
    map.put("streamIdleMs", config.timeouts().streamIdleMs());
    map.put("writeMs", config.timeouts().writeMs());
    map.put("drainMs", config.drainMs());
    map.put("noticeMs", config.noticeMs());
    return map;
  }

  private static Map<String, Object> review(ReviewSettings review) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("capacity", review.capacity());
    map.put("bytes", review.bytes());
    map.put("releaseTtlMs", review.releaseTtlMs());
    return map;
  }

  private static Map<String, Object> streams(StreamSettings streams) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("holdBytes", streams.holdBytes());
    map.put("holdMs", streams.holdMs());
    map.put("heartbeatMs", streams.heartbeatMs());
    map.put("windowBytes", streams.windowBytes());
    map.put("segmentBytes", streams.segmentBytes());
    map.put("eventBytes", streams.eventBytes());
    return map;
  }

  private static Map<String, Object> evidence(EvidenceSettings evidence) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("observed", evidence.observed());
    map.put("ttlMs", evidence.ttlMs());
    map.put("flows", evidence.flows());
    map.put("chunks", evidence.chunks());
    map.put("bytes", evidence.bytes());
    return map;
  }

  private static Map<String, Object> startup(StartupSettings startup) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("warmUpMessages", startup.warmUpMessages());
    map.put("warmUpMs", startup.warmUpMs());
    return map;
  }

  private static Map<String, Object> decisionLog(DecisionLogSettings log) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("fileBytes", log.fileBytes());
    map.put("files", log.files());
    map.put("queue", log.queue());
    return map;
  }
}
