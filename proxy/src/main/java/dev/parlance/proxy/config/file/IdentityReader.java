package dev.parlance.proxy.config.file;

import dev.parlance.proxy.config.AddressRange;
import dev.parlance.proxy.config.HostPattern;
import dev.parlance.proxy.config.IdentitySettings;
import dev.parlance.proxy.config.IdentitySettings.External;
import dev.parlance.proxy.config.IdentitySettings.PeerIds;
import dev.parlance.proxy.config.IdentitySettings.Source;
import dev.parlance.proxy.config.PeerRule;
import dev.parlance.proxy.config.Pointers;
import dev.parlance.proxy.config.TlsMode;
import dev.parlance.service.identity.IdentityFiles;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.SpiffePattern;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads the section {@code identity}, and what listeners and routes say of identities. */
final class IdentityReader {
  private static final String TLS_12 = "TLSv1.2";

  private final Section section;
  private final Path baseDir;

  private IdentityReader(Section section, Path baseDir) {
    this.section = section;
    this.baseDir = baseDir;
  }

  /** The settings; every problem goes to the issues of the document. */
  static IdentitySettings read(Section root, Path baseDir) {
    IdentityReader reader = new IdentityReader(root.section("identity"), baseDir);
    IdentitySettings settings = root.has("identity") ? reader.settings() : IdentitySettings.NONE;
    if (settings.source().filter(Source.ControlPlane.class::isInstance).isPresent()
        && !root.has("control")) {
      reader.section.problem("controlPlane", "got true, expected a section control");
    }
    Section control = root.section("control");
    boolean hasToken = !control.isAbsent("tokenFile");
    if (root.has("control") && !hasToken && (settings.source().isEmpty() || !control.has("tls"))) {
      control.problem(
          "tokenFile", "missing, expected it, or an identity and tls to attach by the SVID");
    }
    if (settings.source().filter(new Source.ControlPlane(Optional.empty())::equals).isPresent()
        && !hasToken) {
      reader.section.problem(
          "tokenFile", "missing, expected it or control.tokenFile to prove who asks");
    }
    for (String listener : List.of("inbound", "outbound")) {
      Section at = root.section(listener);
      TlsMode mode = mode(at);
      if (mode.encrypts() && settings.source().isEmpty()) {
        at.problem(
            "tls",
            "got "
                + mode.code()
                + ", expected identity.cert, identity.workloadApi or identity.controlPlane");
      }
      if (mode == TlsMode.EXTERNAL && settings.external().isEmpty()) {
        at.problem("tls", "got external, expected identity.external");
      }
    }
    return settings;
  }

  /** What a listener does with TLS. */
  static TlsMode mode(Section listener) {
    return Choices.of(listener.text("tls"), TlsMode.values(), TlsMode::code, TlsMode.OFF);
  }

  /** A list of identities; empty if there is none. */
  static Optional<PeerRule> peers(Section section, String key) {
    if (section.isAbsent(key)) {
      return Optional.empty();
    }
    List<SpiffePattern> ids = new ArrayList<>();
    boolean anonymous = false;
    for (Section.Item item : section.items(key)) {
      if (item.text().equals(PeerRule.ANONYMOUS)) {
        anonymous = true;
      } else {
        pattern(section, item).ifPresent(ids::add);
      }
    }
    return Optional.of(new PeerRule(ids, anonymous));
  }

  private static Optional<SpiffePattern> pattern(Section section, Section.Item item) {
    return parsed(
        section,
        item,
        SpiffePattern::parse,
        "a pattern like spiffe://mesh.example/ns/shop/sa/buyer-*");
  }

  private static <T> Optional<T> parsed(
      Section section, Section.Item item, Function<String, Optional<T>> parser, String expected) {
    Optional<T> found = parser.apply(item.text());
    if (found.isEmpty()) {
      section.problem(item, "got \"" + Pointers.shown(item.text()) + "\", expected " + expected);
    }
    return found;
  }

  private IdentitySettings settings() {
    return new IdentitySettings(
        source(),
        section.text("minTls").filter(TLS_12::equals).isPresent(),
        section.items("deny").stream().flatMap(item -> pattern(section, item).stream()).toList(),
        section.sections("peers").stream().flatMap(peer -> peerIds(peer).stream()).toList(),
        external());
  }

  private Optional<Source> source() {
    Optional<Path> cert = path(section, "cert");
    Optional<Path> key = path(section, "key");
    Optional<Path> bundle = path(section, "bundle");
    Map<String, Path> domains = domains();
    Optional<Path> socket = socket();
    Optional<Path> token = path(section, "tokenFile");
    boolean issued = section.flag("controlPlane", false);
    boolean isInFiles =
        cert.isPresent() || key.isPresent() || bundle.isPresent() || !domains.isEmpty();
    if (token.isPresent() && !issued) {
      section.problem("tokenFile", "expected controlPlane: true, which alone asks for it");
    }
    if (issued) {
      if (isInFiles || socket.isPresent()) {
        section.problem("controlPlane", "expected one source of the identity, not two");
      }
      return Optional.of(new Source.ControlPlane(token));
    }
    if (socket.isPresent()) {
      if (isInFiles) {
        section.problem("workloadApi", "expected either workloadApi or files, not both");
      }
      return socket.map(Source.WorkloadApi::new);
    }
    if (cert.isEmpty() && key.isEmpty() && bundle.isEmpty()) {
      return Optional.empty();
    }
    for (String needed : List.of("cert", "key", "bundle")) {
      if (section.isAbsent(needed)) {
        section.missing(needed);
      }
    }
    return cert.isPresent() && key.isPresent() && bundle.isPresent()
        ? Optional.of(
            new Source.Files(new IdentityFiles.Paths(cert.get(), key.get(), bundle.get(), domains)))
        : Optional.empty();
  }

  private Map<String, Path> domains() {
    Map<String, Path> domains = new HashMap<>();
    for (Section domain : section.sections("domains")) {
      String name = domain.text("name", "");
      if (!SpiffeId.isTrustDomain(name)) {
        domain.problem(
            "name", "got \"" + Pointers.shown(name) + "\", expected a trust domain in lower case");
      }
      path(domain, "bundle").ifPresent(file -> domains.put(name, file));
    }
    return domains;
  }

  private Optional<Path> socket() {
    Optional<String> given = section.text("workloadApi").filter(text -> !text.isEmpty());
    return given.flatMap(text ->
        resolved(
            section, "workloadApi", text.startsWith("unix:") ? text.substring(5) : text, baseDir));
  }

  private Optional<PeerIds> peerIds(Section peer) {
    List<HostPattern> hosts =
        peer.items("hosts").stream()
            .flatMap(item ->
                parsed(
                    peer, item, HostPattern::parse, "a pattern host[:port] like bob.example:8080")
                    .stream())
            .toList();
    List<SpiffePattern> ids =
        peer.items("ids").stream().flatMap(item -> pattern(peer, item).stream()).toList();
    return hosts.isEmpty() || ids.isEmpty()
        ? Optional.empty()
        : Optional.of(new PeerIds(hosts, ids));
  }

  private Optional<External> external() {
    if (!section.has("external")) {
      return Optional.empty();
    }
    Section external = section.section("external");
    return Optional.of(
        new External(
            Choices.of(
                external.text("field"),
                External.Field.values(),
                External.Field::code,
                External.Field.XFCC),
            external.items("from").stream()
                .flatMap(item ->
                    parsed(
                        external,
                        item,
                        AddressRange::parse,
                        "an address, or a range like 10.0.0.0/8")
                        .stream())
                .toList()));
  }

  private Optional<Path> path(Section at, String key) {
    return path(at, key, baseDir);
  }

  /** The file that a key names; a relative one lies beside the configuration. */
  static Optional<Path> path(Section at, String key, Path baseDir) {
    return at.text(key)
        .filter(text -> !text.isEmpty())
        .flatMap(text -> resolved(at, key, text, baseDir));
  }

  private static Optional<Path> resolved(Section at, String key, String text, Path baseDir) {
    try {
      return Optional.of(baseDir.toAbsolutePath().resolve(text).normalize());
    } catch (InvalidPathException e) {
      at.problem(key, "got \"" + Pointers.shown(text) + "\", expected a path: " + e.getReason());
      return Optional.empty();
    }
  }
}
