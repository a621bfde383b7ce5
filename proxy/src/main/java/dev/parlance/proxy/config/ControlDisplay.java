package dev.parlance.proxy.config;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.proxy.config.ControlSettings.ControlTls;
import dev.parlance.proxy.config.ControlSettings.PeerHosts;
import dev.parlance.service.config.HostPort;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The section {@code control} in the shape of the file; names secrets' files, never secrets. */
final class ControlDisplay {
  private ControlDisplay() {}

  static Map<String, Object> of(ControlSettings control) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("target", HostPort.format(control.target().host(), control.target().port()));
    map.put("agent", control.agent());
    map.put("keys", control.keys().stream().map(VerifierKey::format).toList());
    map.put("keysFile", text(control.keysFile()));
    map.put("tokenFile", control.tokenFile().toString());
    control.tls().ifPresent(tls -> map.put("tls", tls(tls)));
    map.put("insecure", control.insecure());
    map.put("maxStalenessMs", control.maxStalenessMs());
    map.put("peers", control.peers().stream().map(ControlDisplay::peer).toList());
    map.put("rounds", rounds(control.rounds()));
    control.localAgent().ifPresent(agent -> map.put("localAgent", localAgent(agent)));
    return map;
  }

  private static Map<String, Object> tls(ControlTls tls) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("ca", tls.ca().toString());
    map.put("cert", text(tls.own().map(ControlTls.Own::cert)));
    map.put("key", text(tls.own().map(ControlTls.Own::key)));
    return map;
  }

  private static Map<String, Object> peer(PeerHosts peer) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("agent", peer.agent());
    map.put("hosts", peer.hosts().stream().map(HostPattern::toString).toList());
    return map;
  }

  private static Map<String, Object> rounds(RoundSettings rounds) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("timeoutMs", rounds.timeoutMs());
    map.put("maxWaitMs", rounds.maxWaitMs());
    map.put("onUnavailable", rounds.onUnavailable().code());
    return map;
  }

  private static Map<String, Object> localAgent(LocalAgent agent) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("url", agent.url().toString());
    map.put("protocol", agent.protocol().code());
    map.put("timeoutMs", agent.timeoutMs());
    return map;
  }

  private static String text(Optional<Path> path) {
    return path.map(Path::toString).orElse("");
  }
}
