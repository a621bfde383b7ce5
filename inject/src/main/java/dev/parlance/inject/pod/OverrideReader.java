package dev.parlance.inject.pod;

import dev.parlance.inject.pod.PodChecks.PodFindings;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.InjectorSettings.ImageSettings;
import dev.parlance.inject.settings.SidecarSettings;
import dev.parlance.inject.settings.SidecarSettings.IdentityDriver;
import dev.parlance.inject.settings.SidecarSettings.Interception;
import dev.parlance.inject.settings.SidecarSettings.LogFormat;
import dev.parlance.inject.settings.SidecarSettings.Quantity;
import dev.parlance.inject.settings.SidecarSettings.Resources;
import dev.parlance.inject.yaml.Yaml;
import dev.parlance.service.config.Suggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads a pod's annotations; everything wrong with them is said, none is ignored. */
record OverrideReader(PodView pod, InjectorSettings settings, PodFindings findings) {
  /** Name of a ConfigMap or Secret (RFC 1123 subdomain). */
  private static final Pattern OBJECT_NAME =
      Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

  /** As the sidecar's file has it. */
  private static final Pattern AGENT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}");

  /** Says of ports that there are none. */
  private static final String NO_PORTS = "none";

  /** True if the pod is to get a sidecar; a label decides where there is no annotation. */
  boolean wanted() {
    Optional<String> said =
        pod.annotation(PodAnnotation.INJECT.key()).or(() -> pod.label(PodAnnotation.INJECT.key()));
    if (said.isEmpty() || said.get().equals("enabled")) {
      return true;
    }
    if (!said.get().equals("disabled")) {
      bad(PodAnnotation.INJECT, said.get(), List.of("enabled", "disabled"));
      return true;
    }
    if (!settings.sidecar().overrides().allows(PodAnnotation.INJECT.shortName())) {
      forbidden(PodAnnotation.INJECT.key());
      return true;
    }
    return false;
  }

  PodOverrides read() {
    refuseUnknown();
    SidecarSettings base = settings.sidecar();
    return new PodOverrides(
        value(PodAnnotation.AGENT_PORT, OverrideReader::port)
            .map(OptionalInt::of)
            .orElse(OptionalInt.empty()),
        attach(),
        choice(
            PodAnnotation.INTERCEPTION,
            base.interception(),
            Arrays.asList(Interception.values()),
            Interception::code),
        numbers(
            PodAnnotation.EXCLUDE_INBOUND_PORTS, base.excludeInboundPorts(), OverrideReader::port),
        // Who may not exclude a port may not have it excluded by a probe, and who does has said
        // all.
        base.overrides().allows(PodAnnotation.EXCLUDE_INBOUND_PORTS.shortName())
            && pod.annotation(PodAnnotation.EXCLUDE_INBOUND_PORTS.key()).isEmpty(),
        numbers(
            PodAnnotation.EXCLUDE_OUTBOUND_PORTS,
            base.excludeOutboundPorts(),
            OverrideReader::port),
        numbers(PodAnnotation.EXCLUDE_UIDS, List.of(), OverrideReader::uid),
        choice(
            PodAnnotation.NATIVE_SIDECAR,
            base.nativeSidecar(),
            List.of(true, false),
            String::valueOf),
        choice(
            PodAnnotation.LOG_FORMAT,
            base.logFormat(),
            List.of(LogFormat.values()),
            LogFormat::code),
        value(PodAnnotation.CONFIG_MAP, text -> matching(OBJECT_NAME, text)),
        resources(base.resources()),
        value(PodAnnotation.IMAGE, OverrideReader::image).orElse(settings.image().reference()),
        config());
  }

  private void refuseUnknown() {
    List<String> known = Arrays.stream(PodAnnotation.values()).map(PodAnnotation::key).toList();
    for (String key : pod.annotationNames()) {
      if (key.startsWith(PodAnnotation.PREFIX)
          && !known.contains(key)
          && !PodAnnotation.WRITTEN.contains(key)) {
        String meant = Suggestion.sentence(key, known);
        findings.problem(
            PodReason.ANNOTATION_UNKNOWN,
            key
                + ": there is no such annotation"
                + (meant.isEmpty() ? ", expected one of " + String.join(", ", known) : meant));
      } else if (!pod.isText(key) && isOurs(key)) {
        findings.problem(
            PodReason.ANNOTATION_VALUE, key + ": expected text; put the value in quotation marks");
      }
    }
  }

  private static boolean isOurs(String key) {
    return key.startsWith(PodAnnotation.PREFIX) || key.startsWith(PodAnnotation.CONFIG_PREFIX);
  }

  private Optional<PodOverrides.Attach> attach() {
    Optional<String> agent = value(PodAnnotation.AGENT, text -> matching(AGENT, text));
    Optional<String> secret =
        value(PodAnnotation.ATTACH_SECRET, text -> matching(OBJECT_NAME, text));
    boolean hasControl = settings.sidecar().control().isPresent();
    boolean saidAgent = pod.annotation(PodAnnotation.AGENT.key()).isPresent();
    boolean saidSecret = pod.annotation(PodAnnotation.ATTACH_SECRET.key()).isPresent();
    boolean needsSecret = !showsSvid();
    if (saidSecret ? !saidAgent : saidAgent && needsSecret) {
      findings.problem(
          PodReason.ATTACH_INCOMPLETE,
          "got only one of "
              + PodAnnotation.AGENT.key()
              + " and "
              + PodAnnotation.ATTACH_SECRET.key()
              + ", expected both or neither");
    } else if (saidAgent && !hasControl) {
      findings.problem(
          PodReason.ATTACH_INCOMPLETE,
          PodAnnotation.AGENT.key()
              + ": the injector's file names no control plane (sidecar.control)");
    } else if (!saidAgent && hasControl) {
      findings.warning(
          PodReason.NOT_ATTACHED,
          "no certified cores: "
              + PodAnnotation.AGENT.key()
              + " and "
              + PodAnnotation.ATTACH_SECRET.key()
              + " attach the sidecar to the control plane");
    }
    return agent.isPresent() && (secret.isPresent() || !needsSecret)
        ? Optional.of(new PodOverrides.Attach(agent.get(), secret))
        : Optional.empty();
  }

  /** True if a sidecar without an attach token has something else to show over TLS. */
  private boolean showsSvid() {
    return settings.sidecar().identity() != IdentityDriver.NONE
        && settings
            .sidecar()
            .control()
            .filter(plane -> plane.ca().isPresent() && !plane.clientCertificate())
            .isPresent();
  }

  private Resources resources(Resources base) {
    Quantity cpuRequest =
        value(PodAnnotation.CPU_REQUEST, Quantity::parse).orElse(base.cpuRequest());
    Optional<Quantity> cpuLimit =
        value(PodAnnotation.CPU_LIMIT, Quantity::parse).or(base::cpuLimit);
    Quantity limit = value(PodAnnotation.MEMORY_LIMIT, Quantity::parse).orElse(base.memoryLimit());
    // A smaller limit takes the inherited request with it; a request that is said stays.
    Quantity request =
        value(PodAnnotation.MEMORY_REQUEST, Quantity::parse)
            .orElse(base.memoryRequest().isMoreThan(limit) ? limit : base.memoryRequest());
    if (cpuLimit.isPresent() && cpuRequest.isMoreThan(cpuLimit.get())) {
      findings.problem(
          PodReason.ANNOTATION_VALUE,
          PodAnnotation.CPU_REQUEST.key()
              + ": got "
              + cpuRequest
              + ", expected at most the limit "
              + cpuLimit.get());
    }
    try {
      return new Resources(cpuRequest, cpuLimit, request, limit, base.dataLimit());
    } catch (IllegalArgumentException e) {
      findings.problem(
          PodReason.ANNOTATION_VALUE,
          PodAnnotation.MEMORY_LIMIT.key() + ": " + String.valueOf(e.getMessage()));
      return base;
    }
  }

  /** The pod's keys of the sidecar's file; a key that the file does not have is a problem. */
  private Map<String, JsonNode> config() {
    Map<String, JsonNode> config = new LinkedHashMap<>();
    for (String key : pod.annotationNames()) {
      if (!key.startsWith(PodAnnotation.CONFIG_PREFIX) || !pod.isText(key)) {
        continue;
      }
      String path = key.substring(PodAnnotation.CONFIG_PREFIX.length());
      JsonNode rule = ConfigKeys.all().get(path);
      if (rule == null) {
        findings.problem(
            PodReason.ANNOTATION_UNKNOWN,
            key
                + ": the sidecar's file has no key "
                + path
                + Suggestion.sentence(path, ConfigKeys.all().keySet()));
      } else if (!settings.sidecar().overrides().allows("config." + path)) {
        forbidden(key);
      } else {
        String text = pod.annotation(key).orElse("");
        if (rule.path("type").asString("").equals("string")) {
          config.put(path, JsonNodeFactory.instance.stringNode(text));
        } else {
          switch (Yaml.read(text)) {
            case Yaml.Result.Read(JsonNode tree) -> config.put(path, tree);
            case Yaml.Result.Bad bad ->
                findings.problem(PodReason.ANNOTATION_VALUE, key + ": no YAML: " + bad);
          }
        }
      }
    }
    return config;
  }

  private void forbidden(String key) {
    findings.problem(
        PodReason.OVERRIDE_FORBIDDEN,
        key + ": the injector's file does not leave this to pods (sidecar.overrides)");
  }

  /** The annotation's text, if it is there and pods may say it. */
  private Optional<String> said(PodAnnotation annotation) {
    Optional<String> text = pod.annotation(annotation.key());
    if (text.isPresent()
        && !annotation.isFact()
        && !settings.sidecar().overrides().allows(annotation.shortName())) {
      forbidden(annotation.key());
      return Optional.empty();
    }
    return text;
  }

  private <T> Optional<T> value(PodAnnotation annotation, Function<String, Optional<T>> parser) {
    Optional<String> text = said(annotation);
    Optional<T> value = text.flatMap(parser);
    if (text.isPresent() && value.isEmpty()) {
      findings.problem(
          PodReason.ANNOTATION_VALUE,
          annotation.key() + ": got \"" + text.get() + "\", expected " + annotation.expected());
    }
    return value;
  }

  private <T> T choice(
      PodAnnotation annotation, T otherwise, List<T> all, Function<T, String> code) {
    Optional<String> text = said(annotation);
    if (text.isEmpty()) {
      return otherwise;
    }
    Optional<T> found = all.stream().filter(one -> code.apply(one).equals(text.get())).findFirst();
    if (found.isEmpty()) {
      bad(annotation, text.get(), all.stream().map(code).toList());
    }
    return found.orElse(otherwise);
  }

  private void bad(PodAnnotation annotation, String got, Collection<String> choices) {
    findings.problem(
        PodReason.ANNOTATION_VALUE,
        annotation.key()
            + ": got \""
            + got
            + "\", expected "
            + annotation.expected()
            + Suggestion.sentence(got, choices));
  }

  private NavigableSet<Integer> numbers(
      PodAnnotation annotation, List<Integer> base, Function<String, Optional<Integer>> parser) {
    NavigableSet<Integer> numbers = new TreeSet<>(base);
    Optional<List<Integer>> own =
        value(
            annotation,
            text -> {
              List<Integer> found = new ArrayList<>();
              if (text.equals(NO_PORTS)) {
                return Optional.of(found);
              }
              for (String item : text.split(",", -1)) {
                Optional<Integer> number = parser.apply(item.strip());
                if (number.isEmpty()) {
                  return Optional.empty();
                }
                found.add(number.get());
              }
              return Optional.of(found);
            });
    own.ifPresent(numbers::addAll);
    return numbers;
  }

  private static Optional<Integer> port(String text) {
    return number(text, 1, 65_535);
  }

  private static Optional<Integer> uid(String text) {
    return number(text, 0, Integer.MAX_VALUE - 1);
  }

  private static Optional<Integer> number(String text, int min, int max) {
    if (!text.matches("[0-9]{1,10}")) {
      return Optional.empty();
    }
    long number = Long.parseLong(text);
    return number >= min && number <= max ? Optional.of((int) number) : Optional.empty();
  }

  private static Optional<String> matching(Pattern form, String text) {
    return form.matcher(text).matches() ? Optional.of(text) : Optional.empty();
  }

  private static Optional<String> image(String text) {
    try {
      return Optional.of(
          new ImageSettings(text, ImageSettings.PullPolicy.IfNotPresent).reference());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
