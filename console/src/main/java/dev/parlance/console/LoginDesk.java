package dev.parlance.console;

import dev.parlance.console.login.ConsoleSession;
import dev.parlance.console.login.LoginCodes;
import dev.parlance.console.login.OidcLogin;
import dev.parlance.console.login.Sessions;
import dev.parlance.service.Result;
import dev.parlance.service.http.HttpReply;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where people log in and out: codes in, cookies out.
 *
 * @param who in whose name holders of a code act
 * @param groups in which groups they do
 * @param oidc where people log in; empty: by codes
 * @param isSecure true if browsers come over TLS
 */
record LoginDesk(
    Sessions sessions,
    LoginCodes codes,
    String who,
    Set<String> groups,
    LongSupplier clockMs,
    Optional<OidcLogin> oidc,
    boolean isSecure) {
  private static final String COOKIE = "parlance_session";

  /** Browsers take a cookie of such a name only over TLS, from this host, for all of it. */
  private static final String SECURE_COOKIE = "__Host-" + COOKIE;

  /** Ties a log-in at the issuer to the browser that began it; goes along when it comes back. */
  private static final String STATE_COOKIE = "parlance_login";

  /** True if people log in at an issuer. */
  boolean isOidc() {
    return oidc.isPresent();
  }

  private String cookieName() {
    return isSecure ? SECURE_COOKIE : COOKIE;
  }

  /** The secret of a request's session; empty if it has none. */
  String secret(Map<String, String> cookies) {
    return cookies.getOrDefault(cookieName(), "");
  }

  Optional<ConsoleSession> find(Map<String, String> cookies) {
    return sessions.find(secret(cookies));
  }

  /** When a session ends that begins now and must not outlive this. */
  long endMs(long mostMs) {
    return Math.min(mostMs, clockMs.getAsLong() + Sessions.LIFE_MS);
  }

  /** Logs in whoever has this code. */
  HttpReply logIn(String code, Function<ConsoleSession, ObjectNode> view) {
    return oidc.isEmpty() && codes.redeem(code)
        ? begin(
            new ConsoleSession(
                who,
                ConsoleSession.allRoles(),
                groups,
                ConsoleSession.Way.CODE,
                Optional.empty(),
                endMs(Long.MAX_VALUE)),
            view)
        : ConsoleReply.problem(
            403,
            "code_used",
            "the code was used already, or is none; have a new link printed where the console"
                + " runs");
  }

  /** Begins a session: the view of it, with its cookie. */
  HttpReply begin(ConsoleSession session, Function<ConsoleSession, ObjectNode> view) {
    return ConsoleReply.json(view.apply(session))
        .with("set-cookie", cookie(sessions.begin(session), session.expiresAtMs()));
  }

  HttpReply logOut(Map<String, String> cookies) {
    sessions.end(secret(cookies));
    return ConsoleReply.empty().with("set-cookie", cookie("", 0));
  }

  private String cookie(String secret, long expiresAtMs) {
    long seconds = Math.max(0, (expiresAtMs - clockMs.getAsLong()) / 1000);
    return "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict"
        .formatted(COOKIE, secret, seconds);
  }

  /** Sends the browser to the issuer; may block. */
  HttpReply beginOidc() {
    if (oidc.isEmpty()) {
      return noIssuer();
    }
    return switch (oidc.get().begin()) {
      case Result.Done<OidcLogin.Begun>(OidcLogin.Begun begun) ->
          ConsoleReply.redirect(begun.location())
              .with("set-cookie", stateCookie(begun.state(), OidcLogin.PENDING_MS / 1000));
      case Result.Refused<OidcLogin.Begun>(Result.Kind kind, String code, String message) ->
          ConsoleReply.problem(ConsoleReply.status(kind), code, message);
    };
  }

  /** The browser is back; may block. */
  HttpReply endOidc(Map<String, String> query, Map<String, String> cookies) {
    if (oidc.isEmpty()) {
      return noIssuer();
    }
    String state = cookies.getOrDefault(STATE_COOKIE, "");
    return switch (oidc.get().end(query, state, endMs(Long.MAX_VALUE))) {
      case Result.Done<ConsoleSession>(ConsoleSession session) ->
          ConsoleReply.redirect("/")
              .with("set-cookie", cookie(sessions.begin(session), session.expiresAtMs()));
      case Result.Refused<ConsoleSession>(Result.Kind kind, String code, String message) ->
          ConsoleReply.problem(ConsoleReply.status(kind), code, message);
    };
  }

  private String stateCookie(String state, long seconds) {
    return "%s=%s; Path=/api/v1/session/oidc; Max-Age=%d; HttpOnly; SameSite=Lax%s"
        .formatted(STATE_COOKIE, state, seconds, isSecure ? "; Secure" : "");
  }

  private static HttpReply noIssuer() {
    return ConsoleReply.problem(404, "no_feature", "people log in with a link here");
  }
}
