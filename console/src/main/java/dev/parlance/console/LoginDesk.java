package dev.parlance.console;

import dev.parlance.console.login.ConsoleSession;
import dev.parlance.console.login.LoginCodes;
import dev.parlance.console.login.Sessions;
import dev.parlance.service.http.HttpReply;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import tools.jackson.databind.node.ObjectNode;

/** Where people log in and out: codes in, cookies out. */
final class LoginDesk {
  /** Browsers take a cookie of such a name only over TLS, from this host, for all of it. */
  private static final String COOKIE = "parlance_session";

  private final Sessions sessions;
  private final LoginCodes codes;
  private final String who;
  private final LongSupplier clockMs;

  LoginDesk(Sessions sessions, LoginCodes codes, String who, LongSupplier clockMs) {
    this.sessions = sessions;
    this.codes = codes;
    this.who = who;
    this.clockMs = clockMs;
  }

  /** True if people log in at an issuer. */
  boolean isOidc() {
    return false;
  }

  /** The secret of a request's session; empty if it has none. */
  String secret(Map<String, String> cookies) {
    return cookies.getOrDefault(COOKIE, "");
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
    return codes.redeem(code)
        ? begin(
            new ConsoleSession(
                who,
                ConsoleSession.allRoles(),
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

  HttpReply beginOidc() {
    return ConsoleReply.problem(404, "no_feature", "people log in with a link here");
  }

  HttpReply endOidc(Map<String, String> query, Map<String, String> cookies) {
    return ConsoleReply.problem(404, "no_feature", "people log in with a link here");
  }
}
