package dev.parlance.console.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.service.Result;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class OidcLoginTest {
  private final AtomicLong aheadMs = new AtomicLong();
  private FakeIssuer issuer;
  private OidcLogin login;

  @BeforeEach
  void start() throws Exception {
    issuer = new FakeIssuer();
    login = login("reviewers");
  }

  private OidcLogin login(String group) {
    return new OidcLogin(
        new OidcSettings(
            issuer.issuer(),
            FakeIssuer.CLIENT,
            Optional.empty(),
            "email",
            "groups",
            Map.of(ConsoleRole.REVIEWER, Set.of(group), ConsoleRole.OPERATOR, Set.of("admins"))),
        URI.create("http://127.0.0.1:1/api/v1/session/oidc/callback"),
        () -> System.currentTimeMillis() + aheadMs.get());
  }

  @AfterEach
  void stop() {
    login.close();
    issuer.close();
  }

  private static OidcLogin.Begun begin(OidcLogin login) {
    return ((Result.Done<OidcLogin.Begun>) login.begin()).value();
  }

  private Result<ConsoleSession> logIn() {
    OidcLogin.Begun begun = begin(login);
    return login.end(issuer.logIn(begun.location()), begun.state(), 9);
  }

  @Test
  void whoIsLoggedInThere_isLoggedInHere_withTheRolesOfItsGroups() {
    for (String algorithm : Set.of("RS256", "ES256")) {
      issuer.algorithm = algorithm;
      assertThat(logIn())
          .isEqualTo(
              Result.done(
                  new ConsoleSession(
                      "ada@example.org",
                      Set.of(ConsoleRole.REVIEWER),
                      Set.of("reviewers", "staff"),
                      ConsoleSession.Way.OIDC,
                      Optional.empty(),
                      9)));
    }
  }

  @Test
  void whoHasNoRole_isNobodyHere() {
    login.close();
    login = login("others");
    assertThat(logIn())
        .isInstanceOf(Result.Refused.class)
        .asString()
        .contains("none of your groups");
  }

  @Test
  void aTokenThatIsForgedOrForSomebodyElse_isRefused() {
    refused(one -> one.put("iss", "http://127.0.0.1:9"), "another issuer");
    refused(one -> one.put("aud", "other"), "somebody else");
    refused(one -> one.put("azp", "other"), "somebody else");
    refused(one -> one.put("nonce", "other"), "another log-in");
    refused(one -> one.put("exp", 1), "does not hold now");
    refused(one -> one.without("exp"), "does not hold now");
    refused(one -> one.put("email", ""), "to name you by");
    issuer.claims = one -> one;
    forged(token -> token.substring(0, token.lastIndexOf('.') + 1), "cannot be read");
    forged(token -> "a" + token, "cannot be read");
    forged(token -> token.replaceAll("\\..*\\.", "." + claims("{}") + "."), "signature is bad");
    forged(
        token -> claims("{\"alg\":\"none\"}") + token.substring(token.indexOf('.')),
        "no key of the issuer");
    forged(
        token -> claims("{\"alg\":\"HS256\",\"kid\":\"r\"}") + token.substring(token.indexOf('.')),
        "no key of the issuer");
    forged(
        token -> claims("{\"alg\":\"ES256\",\"kid\":\"r\"}") + token.substring(token.indexOf('.')),
        "no key of the issuer");
  }

  private static String claims(String json) {
    return FakeIssuer.base64(json.getBytes(StandardCharsets.UTF_8));
  }

  private void refused(UnaryOperator<ObjectNode> change, String why) {
    issuer.claims = change;
    assertThat(logIn()).isInstanceOf(Result.Refused.class).asString().contains(why);
  }

  private void forged(UnaryOperator<String> change, String why) {
    issuer.token = change;
    assertThat(logIn()).isInstanceOf(Result.Refused.class).asString().contains(why);
  }

  @Test
  void aLogInEndsOnce_inTheBrowserThatBeganIt_inTime() {
    OidcLogin.Begun begun = begin(login);
    Map<String, String> back = issuer.logIn(begun.location());
    assertThat(login.end(back, "", 9)).asString().contains("not begun in this browser");
    assertThat(login.end(back, begin(login).state(), 9))
        .asString()
        .contains("not begun in this browser");
    assertThat(login.end(back, begun.state(), 9)).isInstanceOf(Result.Done.class);
    assertThat(login.end(back, begun.state(), 9)).asString().contains("ended already");
    OidcLogin.Begun late = begin(login);
    Map<String, String> lateBack = issuer.logIn(late.location());
    aheadMs.set(OidcLogin.PENDING_MS + 1);
    assertThat(login.end(lateBack, late.state(), 9)).asString().contains("took too long");
  }

  @Test
  void whatTheIssuerRefuses_andAnAnswerOfAnotherIssuer_logNobodyIn() {
    OidcLogin.Begun begun = begin(login);
    assertThat(
            login.end(Map.of("error", "access_denied", "state", begun.state()), begun.state(), 9))
        .asString()
        .contains("refused the log-in");
    OidcLogin.Begun other = begin(login);
    Map<String, String> back = new LinkedHashMap<>(issuer.logIn(other.location()));
    back.put("iss", "https://other.example");
    assertThat(login.end(back, other.state(), 9)).asString().contains("another issuer");
  }

  @Test
  void anIssuerThatIsGone_isSaid_andOneInPlainTextElsewhereIsRefused() {
    issuer.close();
    assertThat(login.begin()).asString().contains("issuer_gone");
    assertThatThrownBy(() ->
            new OidcSettings(
                URI.create("http://issuer.example"),
                "c",
                Optional.empty(),
                "email",
                "groups",
                Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
