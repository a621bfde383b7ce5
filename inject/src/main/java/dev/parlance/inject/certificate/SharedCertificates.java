package dev.parlance.inject.certificate;

import dev.parlance.inject.kube.KubeClient;
import dev.parlance.inject.kube.KubeClient.KubeAnswer;
import dev.parlance.inject.settings.InjectorSettings.CertificateSettings;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An authority and certificate of the injector's own, which all replicas share by a Secret. Whoever
 * comes second finds the other's work: a change counts only if the Secret is still the one it was
 * made from ({@code resourceVersion}).
 */
public final class SharedCertificates implements CertificateSource {
  /** How often a replica that was too late looks again at once. */
  private static final int ATTEMPTS = 5;

  private static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/";

  private final KubeClient kube;
  private final CertificateSettings settings;
  private final Clock clock;
  private final Rotation rotation;
  private Optional<TlsState> state = Optional.empty();
  private boolean announced;

  /** A source over an API server. */
  public SharedCertificates(KubeClient kube, CertificateSettings settings, Clock clock) {
    this.kube = kube;
    this.settings = settings;
    this.clock = clock;
    this.rotation =
        new Rotation(
            settings.dnsNames(),
            Duration.ofDays(settings.leafDays()),
            Duration.ofDays(settings.caDays()));
  }

  @Override
  public Look look() {
    Optional<String> failure = share();
    if (failure.isEmpty() && state.isPresent()) {
      failure = announce(state.get().bundle());
    }
    return new Look(state.map(TlsState::leaf), announced, failure);
  }

  private String secrets() {
    return "/api/v1/namespaces/" + settings.namespace() + "/secrets";
  }

  private Optional<String> share() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      KubeAnswer answer = kube.get(secrets() + "/" + settings.secret());
      KubeAnswer written;
      TlsState next;
      Instant now = clock.instant();
      switch (answer) {
        case KubeAnswer.NotFound() -> {
          next = rotation.first(now);
          written = kube.create(secrets(), secret(next, JsonNodeFactory.instance.objectNode()));
        }
        case KubeAnswer.Done(JsonNode found) -> {
          Optional<TlsState> read = TlsState.of(found);
          boolean known = announced && sameBundle(read);
          Optional<TlsState> due =
              read.isEmpty()
                  ? Optional.of(rotation.first(now))
                  : rotation.next(read.get(), now, known);
          if (due.isEmpty()) {
            take(read.orElseThrow());
            return Optional.empty();
          }
          next = due.get();
          written =
              kube.replace(secrets() + "/" + settings.secret(), secret(next, (ObjectNode) found));
        }
        case KubeAnswer.Conflict() -> throw new IllegalStateException("a reader has no rivals");
        case KubeAnswer.Refused refused -> {
          return Optional.of("secret " + settings.secret() + " refused: " + refused.message());
        }
        case KubeAnswer.Unreachable(String message) -> {
          return Optional.of("API server: " + message);
        }
      }
      switch (written) {
        case KubeAnswer.Done _ -> {
          take(next);
          return Optional.empty();
        }
        // Another replica was faster, or somebody deleted it: look at what is there now.
        case KubeAnswer.Conflict _, KubeAnswer.NotFound _ -> {}
        case KubeAnswer.Refused refused -> {
          return Optional.of("secret " + settings.secret() + " not written: " + refused.message());
        }
        case KubeAnswer.Unreachable(String message) -> {
          return Optional.of("API server: " + message);
        }
      }
    }
    return Optional.of("secret " + settings.secret() + " changed " + ATTEMPTS + " times meanwhile");
  }

  private void take(TlsState next) {
    if (!sameBundle(Optional.of(next))) {
      announced = false;
    }
    state = Optional.of(next);
  }

  private boolean sameBundle(Optional<TlsState> other) {
    return state.isPresent()
        && other.isPresent()
        && state.get().bundle().equals(other.get().bundle());
  }

  private ObjectNode secret(TlsState next, ObjectNode old) {
    ObjectNode secret = old.deepCopy();
    secret.put("apiVersion", "v1").put("kind", "Secret");
    if (!secret.path("metadata").isObject()) {
      secret
          .putObject("metadata")
          .put("name", settings.secret())
          .put("namespace", settings.namespace());
    }
    // A Secret that is there keeps its type: it cannot be changed.
    if (!secret.has("type")) {
      secret.put("type", "Opaque");
    }
    ObjectNode data =
        secret.path("data") instanceof ObjectNode there ? there : secret.putObject("data");
    data.setAll(next.data());
    return secret;
  }

  /** Brings every webhook of the configuration to believe these authorities. */
  private Optional<String> announce(String bundle) {
    String wanted = Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.US_ASCII));
    String path = WEBHOOKS + settings.webhook();
    return switch (kube.get(path)) {
      case KubeAnswer.Done(JsonNode found) -> {
        ArrayNode patch = patch(found, wanted);
        if (patch.size() == 1) {
          announced = true;
          yield Optional.empty();
        }
        KubeAnswer answer = kube.patch(path, patch);
        announced = answer instanceof KubeAnswer.Done;
        yield announced
            ? Optional.empty()
            : Optional.of(
                "webhook configuration " + settings.webhook() + " not changed: " + answer);
      }
      case KubeAnswer.NotFound() -> {
        announced = false;
        yield Optional.of("there is no webhook configuration " + settings.webhook());
      }
      case KubeAnswer.Refused refused ->
          Optional.of("webhook configuration refused: " + refused.message());
      case KubeAnswer.Conflict() -> throw new IllegalStateException("a reader has no rivals");
      case KubeAnswer.Unreachable(String message) -> Optional.of("API server: " + message);
    };
  }

  /** The test that nobody changed it meanwhile, then what has to change. */
  private static ArrayNode patch(JsonNode found, String wanted) {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    patch
        .addObject()
        .put("op", "test")
        .put("path", "/metadata/resourceVersion")
        .set("value", found.path("metadata").path("resourceVersion"));
    int number = 0;
    for (JsonNode webhook : found.path("webhooks")) {
      if (!webhook.path("clientConfig").path("caBundle").asString("").equals(wanted)) {
        patch
            .addObject()
            .put("op", "add")
            .put("path", "/webhooks/" + number + "/clientConfig/caBundle")
            .put("value", wanted);
      }
      number++;
    }
    return patch;
  }
}
