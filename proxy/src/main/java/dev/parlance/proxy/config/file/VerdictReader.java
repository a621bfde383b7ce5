package dev.parlance.proxy.config.file;

import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.verdict.MessageVerdict;
import dev.parlance.policy.core.Names;
import dev.parlance.proxy.config.HostPattern;
import dev.parlance.proxy.config.Pointers;
import dev.parlance.proxy.config.VerdictSettings;
import dev.parlance.proxy.config.VerdictSettings.OnForged;
import dev.parlance.proxy.config.VerdictSettings.PeerKey;
import dev.parlance.proxy.config.VerdictSettings.Trust;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.SpiffePattern;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the section {@code verdicts}. */
final class VerdictReader {
  private final Section section;
  private final Path baseDir;

  private VerdictReader(Section section, Path baseDir) {
    this.section = section;
    this.baseDir = baseDir;
  }

  /** The settings; every problem goes to the issues of the document. */
  static VerdictSettings read(Section root, Path baseDir) {
    return root.has("verdicts")
        ? new VerdictReader(root.section("verdicts"), baseDir).settings()
        : VerdictSettings.NONE;
  }

  private VerdictSettings settings() {
    return new VerdictSettings(
        keyFile(),
        section.sections("peers").stream().flatMap(peer -> peer(peer).stream()).toList(),
        trust(),
        section.items("acceptProfiles").stream()
            .map(Section.Item::text)
            .collect(Collectors.toSet()),
        Choices.of(section.text("onForged"), OnForged.values(), OnForged::code, OnForged.JUDGE),
        section.number("lifetimeMs", VerdictSettings.LIFETIME_MS));
  }

  private Optional<Path> keyFile() {
    Optional<String> text = section.text("keyFile").filter(name -> !name.isEmpty());
    try {
      return text.map(name -> baseDir.toAbsolutePath().resolve(name).normalize());
    } catch (InvalidPathException e) {
      section.problem(
          "keyFile",
          "got \"" + Pointers.shown(text.orElse("")) + "\", expected a path: " + e.getReason());
      return Optional.empty();
    }
  }

  private static Optional<PeerKey> peer(Section peer) {
    List<HostPattern> hosts = new ArrayList<>();
    for (Section.Item item : peer.items("hosts")) {
      HostPattern.parse(item.text())
          .ifPresentOrElse(
              hosts::add,
              () -> peer.problem(item, got(item) + "a pattern host[:port] like bob.example:8080"));
    }
    Optional<String> text = peer.text("key");
    if (text.isPresent()
        && VerifierKey.parse(text.get()) instanceof Parsed.Ok<VerifierKey>(VerifierKey key)
        && key.type() == KeyType.ED25519
        && MessageVerdict.isName(key.name())) {
      return Optional.of(new PeerKey(key, hosts));
    }
    text.ifPresent(given ->
        peer.problem(
            "key", "got \"" + Pointers.shown(given) + "\", expected a public key name+id+base64"));
    return Optional.empty();
  }

  private Trust trust() {
    List<SpiffePattern> ids = new ArrayList<>();
    Set<String> agents = new HashSet<>();
    for (Section.Item item : section.items("trustVerdicts")) {
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
        section.problem(
            item,
            got(item) + "a trust domain like spiffe://mesh.example, a pattern of ids, or an agent");
      }
    }
    return new Trust(ids, agents);
  }

  private static String got(Section.Item item) {
    return "got \"" + Pointers.shown(item.text()) + "\", expected ";
  }
}
