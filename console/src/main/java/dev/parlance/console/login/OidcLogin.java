package dev.parlance.console.login;

import dev.parlance.console.login.ConsoleSession.Way;
import dev.parlance.service.Result;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Log-in at an issuer of OpenID Connect: authorization code flow with PKCE (S256), state bound to
 * the browser by a cookie, nonce, and a signed ID token. Who has no role there has none here.
 */
public final class OidcLogin implements AutoCloseable {
  /** How long a person has to log in at the issuer. */
  public static final long PENDING_MS = 10L * 60 * 1000;

  private static final int MAX_PENDING = 1_000;
  private static final long METADATA_MS = 10L * 60 * 1000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long MAX_BYTES = 1L << 20;

  /** Groups of a person that are told sidecars, beside those that have a role here. */
  private static final int MAX_GROUPS = 90;

  private static final int GROUP_CHARACTERS = 100;

  private final OidcSettings settings;
  private final URI callback;
  private final LongSupplier clockMs;
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(TIMEOUT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private final Map<String, Pending> pending = new LinkedHashMap<>();
  private Optional<Metadata> metadata = Optional.empty();

  private record Pending(String verifier, String nonce, long untilMs) {}

  private record Metadata(URI authorize, URI token, URI keys, long untilMs) {}

  /**
   * Where a browser is sent.
   *
   * @param location at the issuer
   * @param state what its cookie carries meanwhile
   */
  public record Begun(String location, String state) {}

  /**
   * Nobody is asked yet.
   *
   * @param callback where the issuer sends browsers back to, as it is registered there
   */
  public OidcLogin(OidcSettings settings, URI callback, LongSupplier clockMs) {
    this.settings = settings;
    this.callback = callback;
    this.clockMs = clockMs;
  }

  /** Begins a log-in; blocks while the issuer is asked what it can do. */
  public Result<Begun> begin() {
    return metadata()
        .then(known -> {
          String state = Secrets.draw();
          String verifier = Secrets.draw();
          String nonce = Secrets.draw();
          remember(state, new Pending(verifier, nonce, clockMs.getAsLong() + PENDING_MS));
          Map<String, String> query = new LinkedHashMap<>();
          query.put("response_type", "code");
          query.put("client_id", settings.clientId());
          query.put("redirect_uri", callback.toString());
          query.put("scope", "openid profile email");
          query.put("state", state);
          query.put("nonce", nonce);
          query.put("code_challenge", base64(Secrets.sha256(verifier)));
          query.put("code_challenge_method", "S256");
          String separator = known.authorize().getRawQuery() == null ? "?" : "&";
          return Result.done(new Begun(known.authorize() + separator + form(query), state));
        });
  }

  private synchronized void remember(String state, Pending begun) {
    pending.values().removeIf(one -> one.untilMs() < clockMs.getAsLong());
    if (pending.size() >= MAX_PENDING) {
      pending.remove(pending.keySet().iterator().next());
    }
    pending.put(Secrets.key(state), begun);
  }

  private synchronized Optional<Pending> take(String state) {
    return Optional.ofNullable(pending.remove(Secrets.key(state)))
        .filter(one -> one.untilMs() >= clockMs.getAsLong());
  }

  /**
   * Ends a log-in; blocks while the issuer is asked.
   *
   * @param query what the browser came back with
   * @param cookie the state that its cookie carries; empty if it has none
   * @param endMs when the session ends
   */
  public Result<ConsoleSession> end(Map<String, String> query, String cookie, long endMs) {
    String state = query.getOrDefault("state", "");
    if (state.isEmpty() || !state.equals(cookie)) {
      return denied("this log-in was not begun in this browser; begin again");
    }
    Optional<Pending> begun = take(state);
    if (begun.isEmpty()) {
      return denied("this log-in took too long, or was ended already; begin again");
    }
    if (query.containsKey("error")) {
      return denied("the issuer refused the log-in");
    }
    if (query.containsKey("iss")
        && !query.getOrDefault("iss", "").equals(settings.issuer().toString())) {
      return denied("the answer names another issuer");
    }
    return metadata()
        .then(known -> token(known, query.getOrDefault("code", ""), begun.get()))
        .then(claims -> session(claims, endMs));
  }

  private static <T> Result<T> denied(String message) {
    return Result.refused(Result.Kind.DENIED, "login_refused", message);
  }

  private Result<JsonNode> token(Metadata known, String code, Pending begun) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", callback.toString());
    form.put("code_verifier", begun.verifier());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(known.token())
            .timeout(TIMEOUT)
            .header("accept", "application/json")
            .header("content-type", "application/x-www-form-urlencoded");
    try {
      Optional<String> secret = secret();
      if (secret.isPresent()) {
        String both = encode(settings.clientId()) + ":" + encode(secret.get());
        request.header(
            "authorization",
            "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
      } else {
        form.put("client_id", settings.clientId());
      }
      JsonNode answer = send(request.POST(BodyPublishers.ofString(form(form))).build());
      JsonNode keys = send(HttpRequest.newBuilder(known.keys()).timeout(TIMEOUT).build());
      return IdTokens.verify(
          answer.path("id_token").asString(""),
          keys,
          new IdTokens.Expected(
              settings.issuer().toString(),
              settings.clientId(),
              begun.nonce(),
              clockMs.getAsLong() / 1000));
    } catch (IOException e) {
      return Result.refused(Result.Kind.UNAVAILABLE, "issuer_gone", text(e));
    }
  }

  private Optional<String> secret() throws IOException {
    return settings.clientSecretFile().isPresent()
        ? Files.readString(settings.clientSecretFile().get(), StandardCharsets.UTF_8)
            .lines()
            .findFirst()
        : Optional.empty();
  }

  private Result<ConsoleSession> session(JsonNode claims, long endMs) {
    String who = claims.path(settings.whoClaim()).asString("").strip();
    if (who.isEmpty() || who.length() > 200 || who.chars().anyMatch(Character::isISOControl)) {
      return denied("the issuer's token has no " + settings.whoClaim() + " to name you by");
    }
    JsonNode groups = claims.path(settings.groupsClaim());
    Set<String> own =
        (groups.isString() ? Stream.of(groups) : groups.valueStream())
            .map(one -> one.asString(""))
            .filter(name -> !name.isBlank() && name.length() <= GROUP_CHARACTERS)
            .limit(MAX_GROUPS)
            .collect(Collectors.toSet());
    Set<ConsoleRole> roles = EnumSet.noneOf(ConsoleRole.class);
    settings
        .groups()
        .forEach((role, names) -> {
          boolean isIn =
              groups.isString()
                  ? names.contains(groups.stringValue())
                  : groups.valueStream().anyMatch(one -> names.contains(one.asString("")));
          if (isIn) {
            roles.add(role);
          }
        });
    return roles.isEmpty()
        ? denied("you are logged in, but none of your groups has a role here")
        : Result.done(new ConsoleSession(who, roles, own, Way.OIDC, Optional.empty(), endMs));
  }

  private Result<Metadata> metadata() {
    synchronized (this) {
      if (metadata.isPresent() && metadata.get().untilMs() > clockMs.getAsLong()) {
        return Result.done(metadata.get());
      }
    }
    String issuer = settings.issuer().toString();
    try {
      JsonNode said =
          send(
              HttpRequest.newBuilder(
                      URI.create(issuer.replaceAll("/$", "") + "/.well-known/openid-configuration"))
                  .timeout(TIMEOUT)
                  .build());
      Metadata fresh =
          new Metadata(
              address(said, "authorization_endpoint"),
              address(said, "token_endpoint"),
              address(said, "jwks_uri"),
              clockMs.getAsLong() + METADATA_MS);
      if (!said.path("issuer").asString("").equals(issuer)) {
        return Result.refused(
            Result.Kind.UNAVAILABLE, "issuer_gone", "what answers there is another issuer");
      }
      synchronized (this) {
        metadata = Optional.of(fresh);
      }
      return Result.done(fresh);
    } catch (IOException e) {
      return Result.refused(Result.Kind.UNAVAILABLE, "issuer_gone", text(e));
    }
  }

  private static URI address(JsonNode said, String name) throws IOException {
    try {
      URI address = URI.create(said.path(name).asString(""));
      if (OidcSettings.isSafe(address)) {
        return address;
      }
    } catch (IllegalArgumentException _) {
      // said below
    }
    throw new IOException("the issuer names no https address as " + name);
  }

  private JsonNode send(HttpRequest request) throws IOException {
    try {
      HttpResponse<byte[]> answer =
          http.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
      if (answer.statusCode() != 200) {
        throw new IOException("the issuer answered " + answer.statusCode());
      }
      return JsonMapper.shared().readTree(answer.body());
    } catch (JacksonException e) {
      throw new IOException("the issuer's answer is not JSON", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String text(IOException e) {
    String message = e.getMessage();
    return "the issuer cannot be asked: " + (message == null ? "no connection" : message);
  }

  private static String form(Map<String, String> members) {
    StringBuilder text = new StringBuilder();
    members.forEach((name, value) ->
        text.append(text.isEmpty() ? "" : "&").append(name).append('=').append(encode(value)));
    return text.toString();
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
