package dev.parlance.inject.token;

import dev.parlance.inject.kube.KubeAccess;
import dev.parlance.inject.kube.KubeClient;
import dev.parlance.inject.kube.KubeClient.KubeAnswer;
import dev.parlance.service.Result;
import dev.parlance.service.Result.Kind;
import dev.parlance.service.identity.ServiceAccountTokens;
import java.time.Clock;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Has the API server review tokens ({@code TokenReview}). */
public final class TokenReviews implements ServiceAccountTokens {
  private static final String PATH = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final String USER = "system:serviceaccount:";
  private static final int MAX_CHARS = 8 * 1024;

  private final KubeClient kube;

  TokenReviews(KubeClient kube) {
    this.kube = kube;
  }

  /** Finds the API server of the cluster that this process runs in. */
  public static final class Provider implements ServiceAccountTokens.Provider {
    @Override
    public Optional<ServiceAccountTokens> inCluster() {
      return KubeAccess.inCluster(System.getenv(), KubeAccess.FOLDER)
          .map(access -> new TokenReviews(new KubeClient(access, Clock.systemUTC())));
    }
  }

  @Override
  public Result<ServiceAccount> review(String token, String audience) {
    // What is no JSON web token is not worth a call.
    if (token.length() > MAX_CHARS || token.chars().filter(c -> c == '.').count() != 2) {
      return refused("not the token of a service account");
    }
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenReview");
    review.putObject("spec").put("token", token).putArray("audiences").add(audience);
    return switch (kube.create(PATH, review)) {
      case KubeAnswer.Done(JsonNode object) -> account(object.path("status"), audience);
      case KubeAnswer.Refused(int status, String message) ->
          unavailable("the API server reviews no tokens: " + status + " " + message);
      case KubeAnswer.Unreachable(String message) -> unavailable(message);
      case KubeAnswer.NotFound _, KubeAnswer.Conflict _ ->
          unavailable("the API server knows no TokenReview");
    };
  }

  /** A server that says nothing of audiences has not looked at them. */
  private static Result<ServiceAccount> account(JsonNode status, String audience) {
    boolean isMeant =
        status.path("audiences").valueStream().anyMatch(one -> audience.equals(one.asString("")));
    if (!status.path("authenticated").asBoolean(false) || !isMeant) {
      return refused("the token is not good for audience " + audience);
    }
    String user = status.path("user").path("username").asString("");
    int colon = user.indexOf(':', USER.length());
    return (user.startsWith(USER) && colon > 0
            ? ServiceAccount.of(user.substring(USER.length(), colon), user.substring(colon + 1))
            : Optional.<ServiceAccount>empty())
        .map(Result::done)
        .orElseGet(() -> refused("the token is not that of a service account"));
  }

  private static Result<ServiceAccount> refused(String message) {
    return Result.refused(Kind.DENIED, "token_wrong", message);
  }

  private static Result<ServiceAccount> unavailable(String message) {
    return Result.refused(Kind.UNAVAILABLE, "token_review_unavailable", message);
  }

  @Override
  public void close() {
    kube.close();
  }
}
