package dev.parlance.loadtest.process;

import dev.parlance.loadtest.load.LoadPlan.Protocol;
import java.util.Optional;

/** What stands between load generator and upstream. */
public enum TargetKind {
  /** Nothing: the load goes straight to the upstream. */
  DIRECT("direct"),
  /** HAProxy, forwarding unread. */
  HAPROXY("haproxy"),
  /** nginx, forwarding unread. */
  NGINX("nginx"),
  /** HAProxy with the reading pass in Lua: sets of words of answer and context, their overlap. */
  HAPROXY_LUA("haproxy-lua"),
  /** The sidecar on a route whose codec reads nothing of this load and lets it pass. */
  PARLANCE_FORWARD("parlance-forward"),
  /** The sidecar on a route that reads nothing. */
  PARLANCE_UNREAD("parlance-unread"),
  /** The sidecar on a route that reads answers alone, holding each against a certified core. */
  PARLANCE_ANSWERS("parlance-answers"),
  /** The sidecar, judging every answer and holding back none. */
  PARLANCE_OBSERVE("parlance-observe"),
  /** The sidecar, judging every message, holding it against a certified core, and acting on it. */
  PARLANCE_ENFORCE("parlance-enforce"),
  /** The same, which announces nothing that it holds to a console. */
  PARLANCE_UNSHOWN("parlance-unshown"),
  /** The sidecar of the receiver alone, in clear text, judging every message by its profile. */
  PARLANCE_ONE("parlance-one"),
  /** The sidecars of both sides with mutual TLS between them, each judging every message. */
  PARLANCE_TWO("parlance-two"),
  /** The same, where each believes what the other has judged. */
  PARLANCE_TRUSTED("parlance-trusted"),
  /** HAProxy on both sides, forwarding unread, with the same TLS between. */
  HAPROXY_TWO("haproxy-two");

  private final String code;

  TargetKind(String code) {
    this.code = code;
  }

  /** Name in options and reports. */
  public String code() {
    return code;
  }

  /** Name in reports of a process of that build. */
  public String name(Build build) {
    return build == Build.BASELINE ? code + "@baseline" : code;
  }

  /** True if every answer must come back with a signal; what is believed has none. */
  public boolean isJudging() {
    return (readsEvidence() && this != PARLANCE_TRUSTED) || this == HAPROXY_LUA;
  }

  /** True if every message that it reads must have been held against the core. */
  public boolean isGuarding() {
    return switch (this) {
      case PARLANCE_ENFORCE, PARLANCE_UNSHOWN, PARLANCE_ANSWERS -> true;
      case DIRECT,
          HAPROXY,
          NGINX,
          HAPROXY_LUA,
          PARLANCE_FORWARD,
          PARLANCE_UNREAD,
          PARLANCE_OBSERVE,
          PARLANCE_ONE,
          PARLANCE_TWO,
          PARLANCE_TRUSTED,
          HAPROXY_TWO ->
          false;
    };
  }

  /** How many messages of an exchange it reads, where it reads any. */
  public int legs() {
    return this == PARLANCE_ANSWERS ? 1 : 2;
  }

  /** True for sidecars, which run on a virtual machine that compiles while it is used. */
  public boolean isSidecar() {
    return this == PARLANCE_FORWARD || this == PARLANCE_UNREAD || readsEvidence();
  }

  /** True if it matters to it whether evidence was there before. */
  public boolean readsEvidence() {
    return switch (this) {
      case PARLANCE_ANSWERS,
          PARLANCE_OBSERVE,
          PARLANCE_ENFORCE,
          PARLANCE_UNSHOWN,
          PARLANCE_ONE,
          PARLANCE_TWO,
          PARLANCE_TRUSTED ->
          true;
      case DIRECT, HAPROXY, NGINX, HAPROXY_LUA, PARLANCE_FORWARD, PARLANCE_UNREAD, HAPROXY_TWO ->
          false;
    };
  }

  /** True for what is between two agents, or stands beside that: it has a plan of its own. */
  public boolean isOfTheMesh() {
    return compareTo(PARLANCE_ONE) >= 0;
  }

  /** Why it is not measured with a protocol; empty if it is. */
  Optional<String> cannotSpeak(Protocol protocol) {
    String why =
        this == NGINX
            ? "nginx speaks HTTP/2 to gRPC upstreams only, so it has no h2c row"
            : "the mesh is measured over HTTP/1.1";
    return Optional.of(why)
        .filter(_ -> protocol == Protocol.H2 && (this == NGINX || isOfTheMesh()));
  }

  /** Which checkout a sidecar is started from. */
  public enum Build {
    /** The one under test. */
    THIS,
    /** An older one beside it. */
    BASELINE
  }

  /**
   * A process to start: a proxy that speaks one protocol on both sides.
   *
   * @param kind which proxy
   * @param protocol what it speaks
   * @param build where it comes from; {@code THIS} for all that are no sidecars
   */
  public record Target(TargetKind kind, Protocol protocol, Build build) {
    /** One of the build under test. */
    public Target(TargetKind kind, Protocol protocol) {
      this(kind, protocol, Build.THIS);
    }

    /** Name in reports, without the protocol. */
    public String name() {
      return kind.name(build);
    }

    /** For people and for folders. */
    public String code() {
      return protocol == Protocol.HTTP1 ? name() : name() + "-" + protocol.code();
    }
  }
}
