package dev.parlance.inject.webhook;

import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.pod.PodOutcome.PodFinding;
import dev.parlance.inject.pod.PodReason;
import dev.parlance.service.SyntaxFault;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code AdmissionReview} of {@code admission.k8s.io/v1}: the request in, the response out. */
final class Review {
  /** Kubernetes may cut warnings behind this many characters. */
  private static final int MAX_WARNING = 256;

  /** Two names of at most 253 characters. */
  private static final int MAX_SUBJECT = 512;

  private static final int UNPROCESSABLE = 422;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Review() {}

  /** What came of a review. */
  sealed interface Result {
    /**
     * An answer.
     *
     * @param review the review with its response
     * @param subject namespace and name of the pod, for the log
     * @param outcome what became of the pod
     */
    record Answered(ObjectNode review, String subject, PodOutcome outcome) implements Result {}

    /**
     * Nobody can tell what was asked; the API server goes by its failure policy.
     *
     * @param message why
     */
    record Unreadable(String message) implements Result {}
  }

  static Result of(byte[] body, PodInjector injector) {
    JsonNode review;
    try {
      review = JSON.readTree(body);
    } catch (JacksonException e) {
      return new Result.Unreadable(SyntaxFault.json(e));
    }
    if (!review.path("apiVersion").asString("").equals("admission.k8s.io/v1")
        || !review.path("kind").asString("").equals("AdmissionReview")) {
      return new Result.Unreadable("expected an AdmissionReview of admission.k8s.io/v1");
    }
    JsonNode request = review.path("request");
    String uid = request.path("uid").asString("");
    JsonNode kind = request.path("kind");
    if (uid.isEmpty()) {
      return new Result.Unreadable("the request has no uid");
    }
    if (!kind.path("group").asString("").isEmpty()
        || !kind.path("version").asString("").equals("v1")
        || !kind.path("kind").asString("").equals("Pod")
        || !request.path("subResource").asString("").isEmpty()) {
      return new Result.Unreadable("expected a v1 Pod, got " + kind);
    }
    PodOutcome outcome = outcome(request, injector);
    return new Result.Answered(answer(uid, outcome), subject(request), outcome);
  }

  private static String subject(JsonNode request) {
    JsonNode metadata = request.path("object").path("metadata");
    String name = metadata.path("name").asString(metadata.path("generateName").asString("?"));
    String whole = request.path("namespace").asString("?") + "/" + name;
    return whole
        .substring(0, Math.min(whole.length(), MAX_SUBJECT))
        .replaceAll("[^A-Za-z0-9./?-]", "_");
  }

  private static PodOutcome outcome(JsonNode request, PodInjector injector) {
    String operation = request.path("operation").asString("");
    if (!operation.equals("CREATE")) {
      return new PodOutcome.Unchanged(
          new PodFinding(PodReason.NOT_CREATED, operation + " adds no sidecar"));
    }
    return request.path("object") instanceof ObjectNode pod
        ? injector.inject(pod)
        : new PodOutcome.Refused(
            java.util.List.of(
                new PodFinding(PodReason.MALFORMED_POD, "the request has no object")));
  }

  private static ObjectNode answer(String uid, PodOutcome outcome) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    ObjectNode response = review.putObject("response").put("uid", uid);
    ObjectNode audit = JsonNodeFactory.instance.objectNode();
    switch (outcome) {
      case PodOutcome.Injected injected -> {
        response.put("allowed", true).put("patchType", "JSONPatch");
        response.put("patch", base64(injected.patch()));
        if (!injected.warnings().isEmpty()) {
          ArrayNode warnings = response.putArray("warnings");
          injected.warnings().forEach(finding -> warnings.add(warning(finding)));
        }
        audit.put("outcome", "injected");
      }
      case PodOutcome.Unchanged(PodFinding why) -> {
        response.put("allowed", true);
        audit.put("outcome", "unchanged").put("reason", why.reason().code());
      }
      case PodOutcome.Refused refused -> {
        response
            .put("allowed", false)
            .putObject("status")
            .put("code", UNPROCESSABLE)
            .put("message", refused.message());
        audit
            .put("outcome", "refused")
            .put("reason", refused.problems().getFirst().reason().code());
      }
    }
    response.set("auditAnnotations", audit);
    return review;
  }

  private static String warning(PodFinding finding) {
    String text = "parlance: " + finding;
    return text.length() <= MAX_WARNING ? text : text.substring(0, MAX_WARNING - 1) + "…";
  }

  private static String base64(ArrayNode patch) {
    return Base64.getEncoder().encodeToString(patch.toString().getBytes(StandardCharsets.UTF_8));
  }
}
