package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.bad;
import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.skipped;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** What the API server has been told of the injector, and whether it can believe it. */
final class WebhookChecks {
  private static final String NAME = "parlance-injector";
  private static final String POLICY = "parlance-sidecar-present";

  private WebhookChecks() {}

  static void addTo(Map<String, Check.Look> looks) {
    looks.put("webhook-present", WebhookChecks::present);
    looks.put("webhook-service", WebhookChecks::service);
    looks.put("webhook-certificate-present", WebhookChecks::certificatePresent);
    looks.put("webhook-ca-bundle", WebhookChecks::bundle);
    looks.put("webhook-certificate-names", WebhookChecks::names);
    looks.put("webhook-certificate-expiry", WebhookChecks::expiry);
    looks.put("webhook-exclusions", WebhookChecks::exclusions);
    looks.put("webhook-failure-policy", WebhookChecks::failurePolicy);
    looks.put("admission-policy", WebhookChecks::policy);
    looks.put("admission-policy-bound", WebhookChecks::bound);
  }

  private static List<JsonNode> webhooks(Cluster cluster) throws IOException {
    return cluster.get(Kinds.ADMISSION + "/mutatingwebhookconfigurations/" + NAME).stream()
        .flatMap(found -> found.path("webhooks").valueStream())
        .toList();
  }

  private static CheckFinding present(Cluster cluster) throws IOException {
    int count = webhooks(cluster).size();
    return count == 0
        ? bad("it knows none: no pod gets a sidecar")
        : good(count == 1 ? "one webhook" : count + " webhooks");
  }

  private static CheckFinding service(Cluster cluster) throws IOException {
    JsonNode service = cluster.own(Kinds.CORE, "services", NAME);
    List<String> astray =
        webhooks(cluster).stream()
            .filter(one -> {
              JsonNode to = one.at("/clientConfig/service");
              return !to.path("name").asString("").equals(NAME)
                  || !to.path("namespace").asString("").equals(cluster.namespace())
                  || service
                      .at("/spec/ports")
                      .valueStream()
                      .noneMatch(port -> port.path("port").asInt(0) == to.path("port").asInt(443));
            })
            .map(one -> one.path("name").asString(""))
            .toList();
    return Kinds.noneBad(astray, "elsewhere", "they do");
  }

  private static JsonNode secret(Cluster cluster) throws IOException {
    String name =
        InjectorChecks.file(cluster).at("/certificate/secret").asString("parlance-injector-tls");
    return cluster.own(Kinds.CORE, "secrets", name);
  }

  private static Optional<X509Certificate> leaf(Cluster cluster) throws IOException {
    return Certificates.parse(secret(cluster).path("data").path("tls.crt").asString("")).stream()
        .findFirst();
  }

  private static CheckFinding certificatePresent(Cluster cluster) throws IOException {
    return leaf(cluster)
        .map(leaf -> good(leaf.getSubjectX500Principal().getName()))
        .orElseGet(() -> bad("there is none in tls.crt"));
  }

  private static final CheckFinding NO_LEAF = skipped("there is no certificate");

  private static CheckFinding bundle(Cluster cluster) throws IOException {
    Optional<X509Certificate> leaf = leaf(cluster);
    if (leaf.isEmpty()) {
      return NO_LEAF;
    }
    List<String> strangers =
        webhooks(cluster).stream()
            .filter(one ->
                !Certificates.isIssuedBy(
                    leaf.get(), Certificates.parse(one.at("/clientConfig/caBundle").asString(""))))
            .map(one -> one.path("name").asString(""))
            .toList();
    return Kinds.noneBad(strangers, "not that of", "it has");
  }

  private static CheckFinding names(Cluster cluster) throws IOException {
    Optional<X509Certificate> leaf = leaf(cluster);
    if (leaf.isEmpty()) {
      return NO_LEAF;
    }
    String wanted = NAME + "." + cluster.namespace() + ".svc";
    List<String> names = Certificates.names(leaf.get()).toList();
    return names.contains(wanted)
        ? good(wanted)
        : bad("it is for " + Kinds.some(names) + ", not for " + wanted);
  }

  private static CheckFinding expiry(Cluster cluster) throws IOException {
    return leaf(cluster)
        .map(leaf -> Certificates.expiry(leaf, cluster.setting().now()))
        .orElse(NO_LEAF);
  }

  private static CheckFinding exclusions(Cluster cluster) throws IOException {
    List<String> apart = List.of("kube-system", cluster.namespace());
    List<String> bad =
        webhooks(cluster).stream()
            .flatMap(one ->
                apart.stream()
                    .filter(name -> !excludes(one.path("namespaceSelector"), name))
                    .map(name -> one.path("name").asString("") + " reaches " + name))
            .toList();
    return Kinds.noneBad(bad, "not excluded", "they do");
  }

  private static CheckFinding failurePolicy(Cluster cluster) throws IOException {
    List<JsonNode> webhooks = webhooks(cluster);
    if (webhooks.isEmpty()) {
      return skipped("there is no webhook");
    }
    boolean fails =
        webhooks.stream()
            .anyMatch(one -> one.path("failurePolicy").asString("Fail").equals("Fail"));
    int replicas = InjectorChecks.workload(cluster).at("/spec/replicas").asInt(1);
    if (fails) {
      return replicas < 2
          ? warning("Fail with one replica: while it restarts no labelled pod can start")
          : good("Fail with " + replicas + " replicas");
    }
    return policyIn(cluster).isEmpty()
        ? warning("Ignore without admission policy: pods can start without a sidecar")
        : good("Ignore, with the admission policy behind it");
  }

  private static Optional<JsonNode> policyIn(Cluster cluster) throws IOException {
    return cluster.get(Kinds.ADMISSION + "/validatingadmissionpolicies/" + POLICY);
  }

  private static CheckFinding policy(Cluster cluster) throws IOException {
    return policyIn(cluster).isEmpty() ? warning("there is no policy " + POLICY) : good(POLICY);
  }

  private static CheckFinding bound(Cluster cluster) throws IOException {
    if (policyIn(cluster).isEmpty()) {
      return skipped("there is no policy");
    }
    boolean denies =
        cluster.list(Kinds.ADMISSION + "/validatingadmissionpolicybindings").stream()
            .filter(one -> one.at("/spec/policyName").asString("").equals(POLICY))
            .flatMap(one -> one.at("/spec/validationActions").valueStream())
            .anyMatch(action -> action.asString("").equals("Deny"));
    return denies ? good("it is") : warning("nothing is denied");
  }

  /** True if a selector of namespaces leaves out the one of this name, by its name. */
  private static boolean excludes(JsonNode selector, String namespace) {
    return selector
        .path("matchExpressions")
        .valueStream()
        .filter(one -> one.path("key").asString("").equals("kubernetes.io/metadata.name"))
        .anyMatch(one -> {
          boolean named =
              one.path("values")
                  .valueStream()
                  .anyMatch(value -> value.asString("").equals(namespace));
          return switch (one.path("operator").asString("")) {
            case "NotIn" -> named;
            case "In" -> !named;
            default -> false;
          };
        });
  }

  /** Certificates as Kubernetes keeps them: PEM in base64. */
  static final class Certificates {
    private static final int DNS_NAME = 2;

    private Certificates() {}

    /** Certificates in order; none if it holds none. */
    static List<X509Certificate> parse(String base64) {
      try {
        return CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(Base64.getDecoder().decode(base64)))
            .stream()
            .filter(X509Certificate.class::isInstance)
            .map(X509Certificate.class::cast)
            .toList();
      } catch (CertificateException | IllegalArgumentException e) {
        return List.of();
      }
    }

    /** True if one of these issued the certificate. */
    static boolean isIssuedBy(X509Certificate leaf, List<X509Certificate> authorities) {
      return authorities.stream()
          .filter(one -> one.getSubjectX500Principal().equals(leaf.getIssuerX500Principal()))
          .anyMatch(one -> isSignedBy(leaf, one));
    }

    private static boolean isSignedBy(X509Certificate leaf, X509Certificate authority) {
      try {
        leaf.verify(authority.getPublicKey());
        return true;
      } catch (GeneralSecurityException e) {
        return false;
      }
    }

    /** DNS names that it is good for. */
    static Stream<String> names(X509Certificate leaf) {
      try {
        Collection<List<?>> names = leaf.getSubjectAlternativeNames();
        return names == null
            ? Stream.empty()
            : names.stream()
                .filter(name -> Objects.equals(name.get(0), DNS_NAME))
                .map(name -> String.valueOf(name.get(1)));
      } catch (CertificateException e) {
        return Stream.empty();
      }
    }

    /**
     * How it stands at this time: a tenth of its life before the end somebody should have acted.
     */
    static CheckFinding expiry(X509Certificate leaf, Instant now) {
      Instant end = leaf.getNotAfter().toInstant();
      Duration life = Duration.between(leaf.getNotBefore().toInstant(), end);
      Duration rest = Duration.between(now, end);
      if (rest.isNegative()) {
        return bad("it ended at " + end);
      }
      if (now.isBefore(leaf.getNotBefore().toInstant())) {
        return bad("it begins at " + leaf.getNotBefore().toInstant());
      }
      String detail = "until " + end;
      return rest.compareTo(life.dividedBy(10)) < 0
          ? warning(detail + ", and it should have been renewed by now")
          : good(detail);
    }
  }
}
