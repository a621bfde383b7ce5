package dev.parlance.inject.settings;

import dev.parlance.policy.text.Coded;
import dev.parlance.service.config.Binder.Key;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a sidecar gets where its pod says nothing else.
 *
 * @param uid user and group it runs as, 1-65535; no agent may have it
 * @param nativeSidecar whether it is an init container with {@code restartPolicy: Always}
 * @param interception how the agent's traffic reaches it
 * @param onPrivileged what becomes of agents that could undo the interception
 * @param logFormat how it writes its own log
 * @param identity what gives it an identity
 * @param resources CPU, memory and disk
 * @param excludeInboundPorts ports of the pod that are not intercepted
 * @param excludeOutboundPorts ports elsewhere that are not intercepted
 * @param config the sidecar's file as far as it is the same for all pods
 * @param overrides what pods may change, see {@link AllowedOverrides}
 * @param control the control plane; without it sidecars hold no certified cores
 */
public record SidecarSettings(
    int uid,
    @Key("native") boolean nativeSidecar,
    Interception interception,
    OnPrivileged onPrivileged,
    LogFormat logFormat,
    IdentityDriver identity,
    Resources resources,
    List<Integer> excludeInboundPorts,
    List<Integer> excludeOutboundPorts,
    ObjectNode config,
    AllowedOverrides overrides,
    Optional<ControlPlane> control) {
  /** Refuses root as the sidecar's user. */
  public SidecarSettings {
    excludeInboundPorts = List.copyOf(excludeInboundPorts);
    excludeOutboundPorts = List.copyOf(excludeOutboundPorts);
    config = config.deepCopy();
    if (uid < 1 || uid > 65_535) {
      throw new IllegalArgumentException("expected a uid from 1 to 65535, got " + uid);
    }
  }

  /** These settings with another file. */
  SidecarSettings with(ObjectNode file) {
    return new SidecarSettings(
        uid,
        nativeSidecar,
        interception,
        onPrivileged,
        logFormat,
        identity,
        resources,
        excludeInboundPorts,
        excludeOutboundPorts,
        file,
        overrides,
        control);
  }

  /** A copy of its own, so that nobody changes these settings through it. */
  @Override
  public ObjectNode config() {
    return config.deepCopy();
  }

  /** How the agent's traffic reaches the sidecar. */
  public enum Interception implements Coded {
    /** Redirected by the kernel; an init step with NET_ADMIN sets the rules. */
    REDIRECT,
    /** By the agent itself, told by environment variables; no capability at all. */
    PROXY
  }

  /** What becomes of a pod whose containers could change the rules of the interception. */
  public enum OnPrivileged implements Coded {
    /** It is refused. */
    REFUSE,
    /** It is admitted with a warning. */
    WARN
  }

  /** How a sidecar writes its own log; not the decision log, which is JSON always. */
  public enum LogFormat implements Coded {
    /** A line for people. */
    TEXT,
    /** An object a line. */
    JSON
  }

  /** What gives a sidecar its identity. */
  public enum IdentityDriver implements Coded {
    /** None. */
    NONE,
    /** cert-manager's csi-driver-spiffe: files. */
    CERTMANAGER,
    /** The SPIFFE CSI driver: the Workload API. */
    SPIFFE,
    /** The control plane, by the token of the pod's service account, for attached sidecars. */
    CONTROLPLANE;

    /** For whom that token is made. */
    public static final String AUDIENCE = "parlance-control";
  }

  /**
   * Resources of one sidecar, as Kubernetes quantities.
   *
   * @param cpuRequest requested CPU
   * @param cpuLimit largest CPU; none by default, because throttling is latency
   * @param memoryRequest requested memory
   * @param memoryLimit largest memory; the JVM's bounds follow from it
   * @param dataLimit largest size of the volume with queue and log
   */
  public record Resources(
      Quantity cpuRequest,
      Optional<Quantity> cpuLimit,
      Quantity memoryRequest,
      Quantity memoryLimit,
      Quantity dataLimit) {
    /** The least memory a sidecar starts in, 112 MiB: see docs/operations.md. */
    public static final long MIN_MEMORY_BYTES = 112L << 20;

    /** Refuses a memory limit below what the sidecar itself needs. */
    public Resources {
      if (memoryLimit.bytes() < MIN_MEMORY_BYTES) {
        throw new IllegalArgumentException(
            "expected a memory limit of at least 112Mi, got " + memoryLimit);
      }
      if (memoryRequest.bytes() > memoryLimit.bytes()) {
        throw new IllegalArgumentException(
            "expected a memory request of at most the limit "
                + memoryLimit
                + ", got "
                + memoryRequest);
      }
    }
  }

  /**
   * The control plane that sidecars attach to.
   *
   * @param target host:port of its gRPC port
   * @param keys public keys of which one must have signed a core; one or more
   * @param ca PEM of the authorities that may vouch for it; without it there is no TLS
   * @param clientCertificate whether the attach secret holds {@code tls.crt} and {@code tls.key} of
   *     the sidecar, because the control plane asks for them
   */
  public record ControlPlane(
      String target, List<String> keys, Optional<String> ca, boolean clientCertificate) {
    /** Refuses a control plane nobody could believe. */
    public ControlPlane {
      keys = List.copyOf(keys);
      if (keys.isEmpty() || (clientCertificate && ca.isEmpty())) {
        throw new IllegalArgumentException(
            "expected one key or more, and ca beside clientCertificate");
      }
    }
  }

  /**
   * What pods may change by annotation: names of annotations without prefix ({@code image}) and
   * paths of the sidecar's file ({@code config.mode}, {@code config.limits.*}, {@code *}). A {@code
   * !} before a pattern forbids; the last pattern that matches counts; what none matches is
   * forbidden.
   *
   * @param patterns the patterns, in order
   */
  public record AllowedOverrides(List<String> patterns) {
    private static final Pattern FORM =
        Pattern.compile("!?(\\*|[A-Za-z][A-Za-z-]*(\\.[A-Za-z0-9_-]+)*(\\.\\*)?)");

    /** Refuses what is no pattern. */
    public AllowedOverrides {
      patterns = List.copyOf(patterns);
      firstBad(patterns)
          .ifPresent(bad -> {
            throw new IllegalArgumentException("expected a pattern like config.mode, got " + bad);
          });
    }

    /** The first text that is no pattern. */
    static Optional<String> firstBad(List<String> patterns) {
      return patterns.stream().filter(text -> !FORM.matcher(text).matches()).findFirst();
    }

    /** True if a pod may say this. */
    public boolean allows(String name) {
      boolean allowed = false;
      for (String pattern : patterns) {
        boolean forbids = pattern.startsWith("!");
        if (matches(forbids ? pattern.substring(1) : pattern, name)) {
          allowed = !forbids;
        }
      }
      return allowed;
    }

    private static boolean matches(String pattern, String name) {
      if (pattern.equals("*")) {
        return true;
      }
      if (pattern.endsWith(".*")) {
        return name.startsWith(pattern.substring(0, pattern.length() - 1));
      }
      // A forbidden section is forbidden whole, and an allowed one is allowed whole.
      return name.equals(pattern) || name.startsWith(pattern + ".");
    }
  }

  /**
   * An amount as Kubernetes writes it: {@code 160Mi}, {@code 50m}, {@code 0.5}, {@code 2e3}. The
   * text stays as written.
   *
   * @param text the text
   */
  public record Quantity(String text) {
    private static final Pattern FORM =
        Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)(|m|k|M|G|T|Ki|Mi|Gi|Ti|[eE][0-9]{1,2})");

    private static final Map<String, BigDecimal> UNITS =
        Map.of(
            "",
            BigDecimal.ONE,
            "m",
            new BigDecimal("0.001"),
            "k",
            new BigDecimal("1e3"),
            "M",
            new BigDecimal("1e6"),
            "G",
            new BigDecimal("1e9"),
            "T",
            new BigDecimal("1e12"),
            "Ki",
            BigDecimal.valueOf(1L << 10),
            "Mi",
            BigDecimal.valueOf(1L << 20),
            "Gi",
            BigDecimal.valueOf(1L << 30),
            "Ti",
            BigDecimal.valueOf(1L << 40));

    /** Refuses what is no amount above zero. */
    public Quantity {
      if (value(text).isEmpty()) {
        throw new IllegalArgumentException(
            "expected a quantity like 160Mi or 50m, got \"" + text + "\"");
      }
    }

    /** Reads a text; empty if it is no amount above zero. */
    public static Optional<Quantity> parse(String text) {
      return value(text).map(_ -> new Quantity(text));
    }

    private static Optional<BigDecimal> value(String text) {
      Matcher form = FORM.matcher(text);
      if (!form.matches()) {
        return Optional.empty();
      }
      BigDecimal number = new BigDecimal(form.group(1));
      String unit = form.group(2);
      BigDecimal factor = UNITS.get(unit);
      BigDecimal value =
          factor == null
              ? number.scaleByPowerOfTen(Integer.parseInt(unit.substring(1)))
              : number.multiply(factor);
      // Beyond 2^53 nothing is an amount of memory or CPU any more.
      return value.signum() > 0 && value.compareTo(BigDecimal.valueOf(1L << 53)) < 0
          ? Optional.of(value)
          : Optional.empty();
    }

    /** The amount as a whole number (of bytes), rounded down. */
    public long bytes() {
      return value(text).orElseThrow().setScale(0, RoundingMode.DOWN).longValueExact();
    }

    /** True if this is more than the other. */
    public boolean isMoreThan(Quantity other) {
      return value(text).orElseThrow().compareTo(value(other.text).orElseThrow()) > 0;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
