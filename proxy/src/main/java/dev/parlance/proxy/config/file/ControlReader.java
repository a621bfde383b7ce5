package dev.parlance.proxy.config.file;

import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.ControlSettings.ControlTls;
import dev.parlance.proxy.config.ControlSettings.PeerHosts;
import dev.parlance.proxy.config.HostPattern;
import dev.parlance.proxy.config.LocalAgent;
import dev.parlance.proxy.config.Pointers;
import dev.parlance.proxy.config.RoundSettings;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.config.Loopback;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the section {@code control}. */
final class ControlReader {
  private final Section control;
  private final Issues issues;
  private final Path baseDir;

  private ControlReader(Section control, Issues issues, Path baseDir) {
    this.control = control;
    this.issues = issues;
    this.baseDir = baseDir;
  }

  /** The settings; empty if the section is absent, or if there is a problem in it. */
  static Optional<ControlSettings> read(Section root, Issues issues, Path baseDir) {
    return root.has("control")
        ? new ControlReader(root.section("control"), issues, baseDir).settings()
        : Optional.empty();
  }

  private Optional<ControlSettings> settings() {
    Optional<HostPort> target = target();
    Optional<String> agent = control.text("agent");
    List<Section.Item> items = control.items("keys");
    List<VerifierKey> keys = keys(items);
    Optional<Path> keysFile = path(control, "keysFile");
    if (items.isEmpty() && keysFile.isEmpty()) {
      control.problem("keys", "no key, expected one or more in keys or keysFile");
    }
    Optional<Path> tokenFile = path(control, "tokenFile");
    Optional<ControlTls> tls = tls();
    boolean insecure = control.flag("insecure", false);
    checkTransport(target, insecure);
    List<PeerHosts> peers = peers();
    Optional<LocalAgent> localAgent = localAgent();
    if (!issues.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ControlSettings(
            target.orElseThrow(),
            agent.orElseThrow(),
            keys,
            keysFile,
            tokenFile,
            tls,
            insecure,
            control.bigNumber("maxStalenessMs", ControlSettings.MAX_STALENESS_MS),
            peers,
            localAgent,
            rounds()));
  }

  private Optional<HostPort> target() {
    Optional<String> text = control.text("target");
    Optional<HostPort> target = text.flatMap(HostPort::parse).filter(found -> found.port() >= 1);
    if (text.isPresent() && target.isEmpty()) {
      control.problem(
          "target",
          "got \""
              + Pointers.shown(text.get())
              + "\", expected host:port with a port from 1 to 65535");
    }
    return target;
  }

  private void checkTransport(Optional<HostPort> target, boolean insecure) {
    if (control.has("tls")) {
      if (insecure) {
        control.problem("insecure", "got true beside tls, expected one of the two");
      }
      return;
    }
    if (target.isPresent() && !insecure && !Loopback.isLoopback(target.get().host())) {
      control.problem(
          "target",
          "got host \""
              + target.get().host()
              + "\" without TLS, expected tls.ca, a loopback address, or insecure: true");
    }
  }

  private List<VerifierKey> keys(List<Section.Item> items) {
    List<VerifierKey> keys = new ArrayList<>();
    for (Section.Item item : items) {
      switch (VerifierKey.parse(item.text())) {
        case Parsed.Bad<VerifierKey>(NoteFault _, String detail) ->
            issues.add(
                item.pointer(),
                "got \""
                    + Pointers.shown(item.text())
                    + "\", expected a public key name+id+base64: "
                    + detail);
        case Parsed.Ok<VerifierKey>(VerifierKey key) -> {
          if (key.type() == KeyType.ED25519) {
            keys.add(key);
          } else {
            issues.add(item.pointer(), "got a key of a witness, expected one that signs cores");
          }
        }
      }
    }
    return keys;
  }

  private Optional<ControlTls> tls() {
    if (!control.has("tls")) {
      return Optional.empty();
    }
    Section section = control.section("tls");
    Optional<Path> ca = path(section, "ca");
    Optional<Path> cert = path(section, "cert");
    Optional<Path> key = path(section, "key");
    if (cert.isPresent() != key.isPresent()) {
      section.problem(
          cert.isPresent() ? "cert" : "key", "got one of cert and key, expected both or neither");
    }
    Optional<ControlTls.Own> own =
        cert.isPresent() && key.isPresent()
            ? Optional.of(new ControlTls.Own(cert.get(), key.get()))
            : Optional.empty();
    return ca.map(file -> new ControlTls(file, own));
  }

  private List<PeerHosts> peers() {
    List<PeerHosts> peers = new ArrayList<>();
    Set<String> agents = new HashSet<>();
    for (Section section : control.sections("peers")) {
      Optional<String> agent = section.text("agent");
      if (agent.isPresent() && !agents.add(agent.get())) {
        section.problem(
            "agent", "agent \"" + agent.get() + "\" is listed twice, expected unique agents");
      }
      if (agent.isPresent() && agent.equals(control.text("agent"))) {
        section.problem("agent", "got the agent beside this sidecar, expected another one");
      }
      List<HostPattern> hosts = new ArrayList<>();
      for (Section.Item item : section.items("hosts")) {
        Optional<HostPattern> pattern = HostPattern.parse(item.text());
        if (pattern.isEmpty()) {
          issues.add(
              item.pointer(),
              "got \""
                  + Pointers.shown(item.text())
                  + "\", expected a pattern host[:port] like bob.example:8080");
        }
        pattern.ifPresent(hosts::add);
      }
      if (agent.isPresent() && !hosts.isEmpty()) {
        peers.add(new PeerHosts(agent.get(), hosts));
      }
    }
    return peers;
  }

  private Optional<LocalAgent> localAgent() {
    if (!control.has("localAgent")) {
      return Optional.empty();
    }
    Section section = control.section("localAgent");
    Optional<URI> url = section.text("url").flatMap(text -> endpoint(section, text));
    LocalAgent.Protocol protocol =
        Choices.of(
            section.text("protocol"),
            LocalAgent.Protocol.values(),
            LocalAgent.Protocol::code,
            LocalAgent.PROTOCOL);
    int timeoutMs = section.number("timeoutMs", LocalAgent.TIMEOUT_MS);
    return url.map(endpoint -> new LocalAgent(endpoint, protocol, timeoutMs));
  }

  private RoundSettings rounds() {
    Section section = control.section("rounds");
    RoundSettings defaults = RoundSettings.DEFAULTS;
    return new RoundSettings(
        section.number("timeoutMs", defaults.timeoutMs()),
        section.number("maxWaitMs", defaults.maxWaitMs()),
        Choices.of(
            section.text("onUnavailable"),
            RoundSettings.OnUnavailable.values(),
            RoundSettings.OnUnavailable::code,
            defaults.onUnavailable()));
  }

  private static Optional<URI> endpoint(Section section, String text) {
    try {
      URI url = new URI(text);
      if (LocalAgent.isEndpoint(url)) {
        return Optional.of(url);
      }
    } catch (URISyntaxException e) {
      section.problem(
          "url", "got \"" + Pointers.shown(text) + "\", expected a URL: " + e.getReason());
      return Optional.empty();
    }
    section.problem(
        "url",
        "got \""
            + Pointers.shown(text)
            + "\", expected http://host:port/path without user and fragment");
    return Optional.empty();
  }

  private Optional<Path> path(Section section, String key) {
    Optional<String> text = section.text(key).filter(given -> !given.isEmpty());
    try {
      return text.map(given -> baseDir.resolve(given).normalize());
    } catch (InvalidPathException e) {
      section.problem(
          key, "got \"" + Pointers.shown(e.getInput()) + "\", expected a path: " + e.getReason());
      return Optional.empty();
    }
  }
}
