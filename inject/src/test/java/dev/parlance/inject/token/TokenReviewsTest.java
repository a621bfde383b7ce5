package dev.parlance.inject.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.inject.FakeApiServer;
import dev.parlance.inject.kube.KubeClient;
import dev.parlance.service.Result;
import dev.parlance.service.identity.ServiceAccountTokens;
import dev.parlance.service.identity.ServiceAccountTokens.ServiceAccount;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Tokens of service accounts, against an API server over HTTPS. */
final class TokenReviewsTest {
  private static final String TOKEN = "head.body.signature";

  private FakeApiServer api;
  private TokenReviews reviews;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    api = new FakeApiServer(folder);
    reviews = new TokenReviews(new KubeClient(api.access(), Clock.systemUTC()));
  }

  @AfterEach
  void stop() {
    reviews.close();
    api.close();
  }

  /** What an API server makes of it that knows audiences. */
  private static ObjectNode reviewed(ObjectNode review, String user, String audience) {
    boolean isMeant = review.at("/spec/audiences/0").asString("").equals(audience);
    assertThat(review.at("/spec/token").asString("")).isEqualTo(TOKEN);
    ObjectNode status = review.putObject("status").put("authenticated", isMeant);
    if (isMeant) {
      status.putObject("user").put("username", user);
      status.putArray("audiences").add(audience);
    }
    return review;
  }

  private static String reason(Result<ServiceAccount> result) {
    return result instanceof Result.Refused<ServiceAccount> refused ? refused.reason() : "done";
  }

  @Test
  void goodToken_isThatOfItsServiceAccount() {
    api.onCreate = review -> reviewed(review, "system:serviceaccount:shop:buyer", "control");
    assertThat(reviews.review(TOKEN, "control"))
        .isEqualTo(Result.done(new ServiceAccount("shop", "buyer")));
    assertThat(api.requests).containsExactly("POST /apis/authentication.k8s.io/v1/tokenreviews");
    assertThat(new ServiceAccount("shop", "buyer").id("mesh.example"))
        .hasToString("spiffe://mesh.example/ns/shop/sa/buyer");
  }

  @Test
  void T9_otherAudience_isRefused_alsoByAServerThatLooksAtNone() {
    api.onCreate = review -> reviewed(review, "system:serviceaccount:shop:buyer", "vault");
    assertThat(reason(reviews.review(TOKEN, "control"))).isEqualTo("token_wrong");
    api.onCreate =
        review -> {
          review
              .putObject("status")
              .put("authenticated", true)
              .putObject("user")
              .put("username", "system:serviceaccount:shop:buyer");
          return review;
        };
    assertThat(reason(reviews.review(TOKEN, "control"))).isEqualTo("token_wrong");
  }

  @ParameterizedTest
  @CsvSource({
    "alice",
    "system:serviceaccount:shop",
    "system:serviceaccount::buyer",
    "system:serviceaccount:shop:",
    "system:serviceaccount:shop:a:b",
    "system:serviceaccount:shop:../prod",
    "system:node:shop:buyer",
  })
  void whoIsNoServiceAccount_isRefused(String user) {
    api.onCreate = review -> reviewed(review, user, "control");
    assertThat(reason(reviews.review(TOKEN, "control"))).isEqualTo("token_wrong");
  }

  @Test
  void whatIsNoToken_isNotAskedFor() {
    assertThat(reason(reviews.review("attach-token", "control"))).isEqualTo("token_wrong");
    assertThat(reason(reviews.review("a.b." + "c".repeat(10_000), "control")))
        .isEqualTo("token_wrong");
    assertThat(api.requests).isEmpty();
  }

  @Test
  void apiServerThatIsAway_isNoJudgement() {
    api.failures.set(1);
    assertThat(reason(reviews.review(TOKEN, "control"))).isEqualTo("token_review_unavailable");
  }

  @Test
  void provider_isFoundByTheControlPlane() {
    assertThat(ServiceLoader.load(ServiceAccountTokens.Provider.class))
        .hasAtLeastOneElementOfType(TokenReviews.Provider.class);
  }
}
