package dev.parlance.control.config;

import dev.parlance.control.config.AuthoritySettings.AuthorityFiles;
import dev.parlance.policy.core.Names;
import dev.parlance.service.config.Quoted;
import dev.parlance.service.identity.SpiffeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** Reads the section {@code identity} of the control plane's file. */
final class AuthoritySection {
  private static final int MIN_MINUTES = 5;
  private static final int MAX_MINUTES = 7 * 24 * 60;
  private static final int MAX_DAYS = 3_650;

  private AuthoritySection() {}

  /**
   * The settings.
   *
   * @param path the path under a key of a section
   */
  static AuthoritySettings read(
      Mapping identity, BiFunction<Mapping, String, Optional<Path>> path) {
    AuthoritySettings byDefault = AuthoritySettings.NONE;
    Optional<String> domain = identity.text("trustDomain");
    domain
        .filter(name -> !SpiffeId.isTrustDomain(name))
        .ifPresent(name ->
            identity.problem(
                "trustDomain",
                "got \"" + Quoted.line(name) + "\", expected a trust domain in lower case"));
    int minutes =
        identity.number(
            "certificateMinutes",
            MIN_MINUTES,
            MAX_MINUTES,
            (int) byDefault.certificateLife().toMinutes());
    int days =
        identity.number("authorityDays", 1, MAX_DAYS, (int) byDefault.authorityLife().toDays());
    if (Duration.ofDays(days).compareTo(Duration.ofMinutes(4L * minutes)) < 0) {
      identity.problem(
          "authorityDays", "got " + days + ", expected at least four times certificateMinutes");
    }
    AuthoritySettings settings =
        new AuthoritySettings(
            domain.filter(SpiffeId::isTrustDomain),
            files(identity.section("authority"), path),
            Duration.ofMinutes(minutes),
            Duration.ofDays(days),
            identity.text("audience").orElse(byDefault.audience()),
            agents(identity.section("agents")),
            domains(identity.section("domains"), path));
    identity.done();
    return settings;
  }

  private static Optional<AuthorityFiles> files(
      Mapping authority, BiFunction<Mapping, String, Optional<Path>> path) {
    Optional<Path> cert = path.apply(authority, "cert");
    Optional<Path> key = path.apply(authority, "key");
    Optional<Path> bundle = path.apply(authority, "bundle");
    authority.done();
    if (authority.keys().isEmpty()) {
      return Optional.empty();
    }
    for (String needed : List.of("cert", "key", "bundle")) {
      if (!authority.has(needed)) {
        authority.problem(needed, "missing, expected a PEM file");
      }
    }
    return cert.isPresent() && key.isPresent() && bundle.isPresent()
        ? Optional.of(new AuthorityFiles(cert.get(), key.get(), bundle.get()))
        : Optional.empty();
  }

  private static Map<String, SpiffeId> agents(Mapping section) {
    Map<String, SpiffeId> agents = new HashMap<>();
    for (String agent : section.keys()) {
      Optional<SpiffeId> id =
          section.text(agent).flatMap(SpiffeId::parse).filter(one -> !one.path().isEmpty());
      if (!Names.isName(agent) || id.isEmpty() || agents.size() == AuthoritySettings.MAX_AGENTS) {
        section.problem(
            agent,
            "expected the id of an agent and its SPIFFE id, for at most "
                + AuthoritySettings.MAX_AGENTS);
      } else {
        agents.put(agent, id.get());
      }
    }
    section.done();
    return agents;
  }

  private static Map<String, Path> domains(
      Mapping section, BiFunction<Mapping, String, Optional<Path>> path) {
    Map<String, Path> domains = new HashMap<>();
    for (String name : section.keys()) {
      Optional<Path> bundle = path.apply(section, name);
      if (!SpiffeId.isTrustDomain(name)) {
        section.problem(name, "expected a trust domain in lower case");
      } else {
        bundle.ifPresent(file -> domains.put(name, file));
      }
    }
    section.done();
    return domains;
  }
}
