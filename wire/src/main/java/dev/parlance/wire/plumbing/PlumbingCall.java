package dev.parlance.wire.plumbing;

import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.bytes.MediaType;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A request that is known by its name: the table of methods, paths and types behind {@link
 * Plumbing}. Names of requests with a body count only where no codec reads them; the caller sees to
 * that.
 *
 * <pre>
 *   GET, HEAD   /healthz /readyz ..            health          short words
 *               /metrics ..                    metrics         samples
 *               ../openapi.json ..             openapi         a description
 *               /.well-known/oauth-.. ..       signIn          a document
 *               ../v1/models, ../v1/files ..   models, files   a document
 *   OPTIONS     as a browser asks before       preflight       short words
 *   POST        ../token, ../register ..       signIn          a document, both ways
 *               ../v1/traces ..                telemetry       anything; short words
 *   gRPC        health, reflection, OTLP       by service
 *   GET, HEAD, OPTIONS without a body          reads           anything
 * </pre>
 *
 * @param name its name
 * @param request what its body may look like
 * @param answer what the body of its answer may look like
 * @param targetBytes longest target: words could stand there, too
 */
public record PlumbingCall(Plumbing name, Shape request, Shape answer, int targetBytes) {
  private static final int TARGET_BYTES = 512;

  /** A browser is sent to sign in with addresses and states in the query; others have filters. */
  private static final int LONG_TARGET_BYTES = 2048;

  private static final String WELL_KNOWN = "/.well-known/";

  private static final Set<String> HEALTH =
      Set.of(
          "/health",
          "/healthz",
          "/healthcheck",
          "/_health",
          "/health/live",
          "/health/ready",
          "/health/liveness",
          "/health/readiness",
          "/health/started",
          "/health/startup",
          "/healthz/live",
          "/healthz/ready",
          "/live",
          "/livez",
          "/liveness",
          "/alive",
          "/ready",
          "/readyz",
          "/readiness",
          "/startupz",
          "/ping",
          "/ok",
          "/up",
          "/-/healthy",
          "/-/ready",
          "/api/health",
          "/api/healthz",
          "/v1/health",
          "/v2/health/live",
          "/v2/health/ready");
  private static final List<String> HEALTH_PREFIXES = List.of("/actuator/health", "/q/health");
  private static final Set<String> METRICS =
      Set.of(
          "/metrics",
          "/actuator/prometheus",
          "/q/metrics",
          "/prometheus",
          "/metrics/prometheus",
          "/stats/prometheus");
  private static final Set<String> OPENAPI =
      Set.of(
          "openapi.json",
          "openapi.yaml",
          "openapi.yml",
          "swagger.json",
          "swagger.yaml",
          "asyncapi.json",
          "asyncapi.yaml",
          "api-docs",
          "api-docs.yaml");
  private static final List<String> SIGN_IN_DOCUMENTS =
      List.of(
          "oauth-protected-resource",
          "oauth-authorization-server",
          "openid-configuration",
          "jwks.json");
  private static final Set<String> SIGN_IN_FORMS =
      Set.of(
          "token",
          "revoke",
          "revocation",
          "introspect",
          "introspection",
          "par",
          "device_authorization",
          "authorize");
  private static final Set<String> SIGN_IN_JSON = Set.of("register", "token");
  private static final Set<String> SIGN_IN_READS =
      Set.of("jwks", "jwks.json", "userinfo", "authorize");
  private static final List<String> TELEMETRY =
      List.of("/v1/traces", "/v1/metrics", "/v1/logs", "/v1development/profiles");
  private static final String GRPC = "application/grpc";
  private static final String OTLP = "/opentelemetry.proto.collector.";

  /**
   * The name of a request.
   *
   * @param isBodiless true if it has no body
   * @param isUnclaimed true if no codec claims it
   */
  public static Optional<PlumbingCall> of(
      RequestHead head, boolean isBodiless, boolean isUnclaimed) {
    return switch (head.method()) {
      case "GET", "HEAD" ->
          isBodiless ? read(head).or(() -> unclaimed(isUnclaimed)) : Optional.empty();
      case "OPTIONS" ->
          isBodiless ? preflight(head).or(() -> unclaimed(isUnclaimed)) : Optional.empty();
      case "POST" -> isBodiless ? Optional.empty() : posted(head);
      default -> Optional.empty();
    };
  }

  /** True if its answer is a stream without an end. */
  public boolean isWatch() {
    return answer == Shape.STATES;
  }

  /** True if it passes by its name alone, whatever is asked of messages on its route. */
  public boolean isNamed() {
    return name != Plumbing.READS && request == Shape.NOTHING;
  }

  private static Optional<PlumbingCall> read(RequestHead head) {
    String path = withoutSlash(head.path());
    String last = last(path);
    if (HEALTH.contains(path) || HEALTH_PREFIXES.stream().anyMatch(root -> isIn(path, root))) {
      return asked(Plumbing.HEALTH, Shape.SHORT);
    }
    if (METRICS.contains(path)) {
      return asked(Plumbing.METRICS, Shape.SAMPLES);
    }
    if (OPENAPI.contains(last) || path.equals("/openapi") || path.equals("/q/openapi")) {
      return asked(Plumbing.OPENAPI, Shape.DESCRIPTION);
    }
    int wellKnown = path.indexOf(WELL_KNOWN);
    String document = wellKnown < 0 ? "" : path.substring(wellKnown + WELL_KNOWN.length());
    if (SIGN_IN_DOCUMENTS.stream().anyMatch(name -> isIn(document, name))
        // an issuer with a path has its metadata behind it
        || (wellKnown < 0 && SIGN_IN_READS.contains(last))) {
      Shape answer = last.equals("authorize") ? Shape.ANYTHING : Shape.DOCUMENT;
      return Optional.of(
          new PlumbingCall(Plumbing.SIGN_IN, Shape.NOTHING, answer, LONG_TARGET_BYTES));
    }
    String parent = last(path.substring(0, Math.max(0, path.length() - last.length() - 1)));
    if (path.endsWith("/v1/models") || (parent.equals("models") && path.contains("/v1/models/"))) {
      return asked(Plumbing.MODELS, Shape.LIST);
    }
    if (path.endsWith("/v1/files") || (path.contains("/v1/files/file") && parent.equals("files"))) {
      return asked(Plumbing.FILES, Shape.LIST);
    }
    return Optional.empty();
  }

  private static Optional<PlumbingCall> asked(Plumbing name, Shape answer) {
    return Optional.of(new PlumbingCall(name, Shape.NOTHING, answer, TARGET_BYTES));
  }

  private static Optional<PlumbingCall> preflight(RequestHead head) {
    return head.fields().first("origin").isPresent()
            && head.fields().first("access-control-request-method").isPresent()
        ? Optional.of(
            new PlumbingCall(Plumbing.PREFLIGHT, Shape.NOTHING, Shape.SHORT, LONG_TARGET_BYTES))
        : Optional.empty();
  }

  private static Optional<PlumbingCall> unclaimed(boolean isUnclaimed) {
    return isUnclaimed
        ? Optional.of(
            new PlumbingCall(Plumbing.READS, Shape.NOTHING, Shape.ANYTHING, LONG_TARGET_BYTES))
        : Optional.empty();
  }

  private static Optional<PlumbingCall> posted(RequestHead head) {
    MediaType type = MediaType.of(head.fields());
    String path = head.path();
    if (type.essence().startsWith(GRPC)) {
      return overGrpc(head.target());
    }
    boolean isProtobuf = type.essence().equals("application/x-protobuf");
    if ((type.isJson() || isProtobuf) && TELEMETRY.stream().anyMatch(path::endsWith)) {
      return posted(Plumbing.TELEMETRY, Shape.BATCH, Shape.SHORT);
    }
    String last = last(withoutSlash(path));
    boolean isForm = type.essence().equals(Shape.FORM_TYPE);
    return (isForm && SIGN_IN_FORMS.contains(last))
            || (type.isJson() && SIGN_IN_JSON.contains(last))
        ? posted(Plumbing.SIGN_IN, isForm ? Shape.FORM : Shape.CREDENTIALS, Shape.DOCUMENT)
        : Optional.empty();
  }

  private static Optional<PlumbingCall> overGrpc(String target) {
    return switch (target) {
      case "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/List" ->
          posted(Plumbing.GRPC_HEALTH, Shape.FEW_BYTES, Shape.FEW_BYTES);
      case "/grpc.health.v1.Health/Watch" ->
          posted(Plumbing.GRPC_HEALTH, Shape.FEW_BYTES, Shape.STATES);
      case "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
          "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo" ->
          posted(Plumbing.GRPC_REFLECTION, Shape.FEW_BYTES, Shape.ANYTHING);
      default ->
          target.startsWith(OTLP) && target.endsWith("Service/Export")
              ? posted(Plumbing.TELEMETRY, Shape.BATCH, Shape.FEW_BYTES)
              : Optional.empty();
    };
  }

  private static Optional<PlumbingCall> posted(Plumbing name, Shape request, Shape answer) {
    return Optional.of(new PlumbingCall(name, request, answer, TARGET_BYTES));
  }

  private static boolean isIn(String path, String root) {
    return path.startsWith(root)
        && (path.length() == root.length() || path.charAt(root.length()) == '/');
  }

  private static String withoutSlash(String path) {
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
