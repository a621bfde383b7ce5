package dev.parlance.proxy.config.file;

import static dev.parlance.proxy.config.file.ConfigTypes.got;

import dev.parlance.proxy.config.IdentitySettings;
import dev.parlance.proxy.config.IdentitySettings.External;
import dev.parlance.proxy.config.IdentitySettings.PeerIds;
import dev.parlance.proxy.config.IdentitySettings.Source;
import dev.parlance.proxy.config.TlsMode;
import dev.parlance.service.config.Section;
import dev.parlance.service.identity.IdentityFiles;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.SpiffePattern;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code identity}, and holds what needs an identity against it. */
final class IdentityReader {
  private IdentityReader() {}

  /** The settings; empty if there is a problem in them. */
  static Optional<IdentitySettings> read(Section root) {
    Section identity = root.section("identity");
    Optional<Source> source = source(identity);
    boolean hasExternal = identity.has("external");
    checkControl(root, identity, source);
    for (String listener : List.of("inbound", "outbound")) {
      Section at = root.section(listener);
      TlsMode mode = at.constant("tls", TlsMode.class);
      if (mode.encrypts() && source.isEmpty()) {
        at.problem(
            "tls",
            "got "
                + mode.code()
                + ", expected identity.cert, identity.workloadApi or identity.controlPlane");
      }
      if (mode == TlsMode.EXTERNAL && !hasExternal) {
        at.problem("tls", "got external, expected identity.external");
      }
    }
    Optional<List<SpiffePattern>> deny = identity.list("deny", SpiffePattern.class);
    Optional<List<PeerIds>> peers = identity.list("peers", PeerIds.class);
    Optional<External> external = identity.bindIfThere("external", External.class);
    return deny.isEmpty() || peers.isEmpty() || hasExternal != external.isPresent()
        ? Optional.empty()
        : Optional.of(
            new IdentitySettings(
                source,
                identity.text("minTls").filter("TLSv1.2"::equals).isPresent(),
                deny.get(),
                peers.get(),
                external));
  }

  private static void checkControl(Section root, Section identity, Optional<Source> source) {
    boolean hasControl = root.has("control");
    Section control = root.section("control");
    boolean hasToken = !control.isAbsent("tokenFile");
    if (hasControl && !hasToken && (source.isEmpty() || !control.has("tls"))) {
      control.problem(
          "tokenFile", "missing, expected it, or an identity and tls to attach by the SVID");
    }
    if (source.isPresent() && source.get() instanceof Source.ControlPlane(Optional<Path> token)) {
      if (!hasControl) {
        identity.problem("controlPlane", "got true, expected a section control");
      }
      if (token.isEmpty() && !hasToken) {
        identity.problem(
            "tokenFile", "missing, expected it or control.tokenFile to prove who asks");
      }
    }
  }

  private static Optional<Source> source(Section identity) {
    Optional<Path> cert = identity.path("cert");
    Optional<Path> key = identity.path("key");
    Optional<Path> bundle = identity.path("bundle");
    Map<String, Path> domains = domains(identity);
    Optional<Path> socket = identity.path("workloadApi", "unix:");
    Optional<Path> token = identity.path("tokenFile");
    boolean issued = identity.flag("controlPlane");
    boolean isInFiles =
        cert.isPresent() || key.isPresent() || bundle.isPresent() || !domains.isEmpty();
    if (token.isPresent() && !issued) {
      identity.problem("tokenFile", "expected controlPlane: true, which alone asks for it");
    }
    if (issued) {
      if (isInFiles || socket.isPresent()) {
        identity.problem("controlPlane", "expected one source of the identity, not two");
      }
      return Optional.of(new Source.ControlPlane(token));
    }
    if (socket.isPresent()) {
      if (isInFiles) {
        identity.problem("workloadApi", "expected either workloadApi or files, not both");
      }
      return socket.map(Source.WorkloadApi::new);
    }
    if (cert.isEmpty() && key.isEmpty() && bundle.isEmpty()) {
      return Optional.empty();
    }
    for (String needed : List.of("cert", "key", "bundle")) {
      if (identity.isAbsent(needed)) {
        identity.missing(needed);
      }
    }
    return cert.isPresent() && key.isPresent() && bundle.isPresent()
        ? Optional.of(
            new Source.Files(new IdentityFiles.Paths(cert.get(), key.get(), bundle.get(), domains)))
        : Optional.empty();
  }

  private static Map<String, Path> domains(Section identity) {
    Map<String, Path> domains = new HashMap<>();
    for (Section domain : identity.sections("domains")) {
      String name = domain.text("name").orElse("");
      if (!SpiffeId.isTrustDomain(name)) {
        domain.problem("name", got(name) + "a trust domain in lower case");
      }
      domain.path("bundle").ifPresent(file -> domains.put(name, file));
    }
    return domains;
  }
}
