package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.bad;
import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.noneBad;
import static dev.parlance.cli.cluster.check.CheckFinding.skipped;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;
import static dev.parlance.cli.cluster.check.Kinds.text;

import dev.parlance.cli.cluster.check.Checkup.Look;
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
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Checks of the injector and its file, of what the API server has been told of its webhook, and
 * whether it can believe it.
 */
final class InjectorChecks {
  private static final String NAME = "parlance-injector";
  private static final String POLICY = "parlance-sidecar-present";
  private static final int DNS_NAME = 2;

  private InjectorChecks() {}

  static void into(Map<String, Look> looks) {
    looks.put(
        "injector-workload", cluster -> Kinds.replicas(workload(cluster), "Deployment " + NAME));
    looks.put("injector-steady", cluster -> ControlPlaneChecks.steady(cluster, "injector"));
    looks.put("injector-service", cluster -> ControlPlaneChecks.endpoints(cluster, NAME));
    looks.put("injector-settings", InjectorChecks::settings);
    looks.put("injector-core-keys", InjectorChecks::coreKeys);
    looks.put("injector-image", InjectorChecks::image);
    looks.put("webhook-present", InjectorChecks::present);
    looks.put("webhook-service", InjectorChecks::service);
    looks.put(
        "webhook-certificate-present",
        withLeaf(
            (_, leaf) -> good(leaf.getSubjectX500Principal().getName()),
            bad("there is none in tls.crt")));
    CheckFinding none = skipped("there is no certificate");
    looks.put("webhook-ca-bundle", withLeaf(InjectorChecks::bundle, none));
    looks.put("webhook-certificate-names", withLeaf(InjectorChecks::names, none));
    looks.put("webhook-certificate-expiry", withLeaf(InjectorChecks::expiry, none));
    looks.put("webhook-exclusions", InjectorChecks::exclusions);
    looks.put("webhook-failure-policy", InjectorChecks::failurePolicy);
    looks.put(
        "admission-policy",
        cluster -> hasPolicy(cluster) ? good(POLICY) : warning("there is no policy " + POLICY));
    looks.put("admission-policy-bound", InjectorChecks::bound);
  }

  static JsonNode workload(Cluster cluster) throws IOException {
    return cluster.own(Kinds.APPS, "deployments", NAME);
  }

  private static JsonNode file(Cluster cluster) throws IOException {
    return cluster.file(NAME, "injector.yaml");
  }

  /** True if the injector is there and gives sidecars no control plane. */
  static boolean isWithoutControl(Cluster cluster) throws IOException {
    JsonNode file = file(cluster);
    return !file.isMissingNode() && text(file, "/sidecar/control/target").isEmpty();
  }

  private static CheckFinding settings(Cluster cluster) throws IOException {
    try {
      return file(cluster).path("version").asInt(0) == 1
          ? good("version 1")
          : bad("it holds none of version 1");
    } catch (IOException e) {
      if (Cluster.words(e).contains("YAML")) {
        return bad(Cluster.words(e));
      }
      throw e;
    }
  }

  private static CheckFinding coreKeys(Cluster cluster) throws IOException {
    JsonNode control = file(cluster).at("/sidecar/control");
    if (text(control, "/target").isEmpty()) {
      return skipped("sidecars have no control plane");
    }
    int keys = control.path("keys").size();
    return keys == 0 ? bad("none is set") : good(keys == 1 ? "one key" : keys + " keys");
  }

  private static CheckFinding image(Cluster cluster) throws IOException {
    String sidecars = text(file(cluster), "/image/reference");
    String own = text(workload(cluster), "/spec/template/spec/containers/0/image");
    if (sidecars.isEmpty() || own.isEmpty()) {
      return skipped("one of the two is not known");
    }
    return sidecars.equals(own) ? good(own) : warning("sidecars " + sidecars + ", injector " + own);
  }

  static List<JsonNode> webhooks(Cluster cluster) throws IOException {
    return cluster
        .get(Kinds.ADMISSION + "/mutatingwebhookconfigurations/" + NAME)
        .path("webhooks")
        .valueStream()
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
    return noneBad(
        webhooks(cluster).stream()
            .filter(one -> {
              JsonNode to = one.at("/clientConfig/service");
              return !text(to, "/name").equals(NAME)
                  || !text(to, "/namespace").equals(cluster.namespace())
                  || service
                      .at("/spec/ports")
                      .valueStream()
                      .noneMatch(port -> port.path("port").asInt(0) == to.path("port").asInt(443));
            })
            .map(one -> text(one, "/name"))
            .toList(),
        "elsewhere",
        "they do");
  }

  /** A look at the injector's certificate. */
  @FunctionalInterface
  private interface LeafLook {
    CheckFinding at(Cluster cluster, X509Certificate leaf) throws IOException;
  }

  private static Look withLeaf(LeafLook look, CheckFinding none) {
    return cluster -> {
      String name = file(cluster).at("/certificate/secret").asString("parlance-injector-tls");
      JsonNode data = cluster.own(Kinds.CORE, "secrets", name).path("data");
      List<X509Certificate> found = certificates(data.path("tls.crt").asString(""));
      return found.isEmpty() ? none : look.at(cluster, found.getFirst());
    };
  }

  private static CheckFinding bundle(Cluster cluster, X509Certificate leaf) throws IOException {
    return noneBad(
        webhooks(cluster).stream()
            .filter(one -> !isIssuedBy(leaf, certificates(text(one, "/clientConfig/caBundle"))))
            .map(one -> text(one, "/name"))
            .toList(),
        "not that of",
        "it has");
  }

  private static CheckFinding names(Cluster cluster, X509Certificate leaf) {
    String wanted = NAME + "." + cluster.namespace() + ".svc";
    List<String> names = dnsNames(leaf).toList();
    return names.contains(wanted)
        ? good(wanted)
        : bad("it is for " + CheckFinding.some(names) + ", not for " + wanted);
  }

  /** A tenth of its life before the end somebody should have acted. */
  private static CheckFinding expiry(Cluster cluster, X509Certificate leaf) {
    Instant now = cluster.setting().now();
    Instant begin = leaf.getNotBefore().toInstant();
    Instant end = leaf.getNotAfter().toInstant();
    Duration rest = Duration.between(now, end);
    if (rest.isNegative()) {
      return bad("it ended at " + end);
    }
    if (now.isBefore(begin)) {
      return bad("it begins at " + begin);
    }
    return rest.compareTo(Duration.between(begin, end).dividedBy(10)) < 0
        ? warning("until " + end + ", and it should have been renewed by now")
        : good("until " + end);
  }

  /** Certificates as Kubernetes keeps them, PEM in base64; none if it holds none. */
  private static List<X509Certificate> certificates(String base64) {
    try {
      byte[] pem = Base64.getDecoder().decode(base64);
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(pem))
          .stream()
          .filter(X509Certificate.class::isInstance)
          .map(X509Certificate.class::cast)
          .toList();
    } catch (CertificateException | IllegalArgumentException e) {
      return List.of();
    }
  }

  private static boolean isIssuedBy(X509Certificate leaf, List<X509Certificate> authorities) {
    return authorities.stream()
        .filter(one -> one.getSubjectX500Principal().equals(leaf.getIssuerX500Principal()))
        .anyMatch(one -> {
          try {
            leaf.verify(one.getPublicKey());
            return true;
          } catch (GeneralSecurityException e) {
            return false;
          }
        });
  }

  private static Stream<String> dnsNames(X509Certificate leaf) {
    try {
      Collection<List<?>> names = leaf.getSubjectAlternativeNames();
      return Stream.ofNullable(names)
          .flatMap(Collection::stream)
          .filter(name -> Objects.equals(name.get(0), DNS_NAME))
          .map(name -> String.valueOf(name.get(1)));
    } catch (CertificateException e) {
      return Stream.empty();
    }
  }

  private static CheckFinding exclusions(Cluster cluster) throws IOException {
    List<String> apart = List.of("kube-system", cluster.namespace());
    return noneBad(
        webhooks(cluster).stream()
            .flatMap(one ->
                apart.stream()
                    .filter(name -> !isExcluding(one.path("namespaceSelector"), name))
                    .map(name -> text(one, "/name") + " reaches " + name))
            .toList(),
        "not excluded",
        "they do");
  }

  /** True if a selector of namespaces leaves out the one of this name, by its name. */
  private static boolean isExcluding(JsonNode selector, String namespace) {
    return selector
        .path("matchExpressions")
        .valueStream()
        .filter(one -> text(one, "/key").equals("kubernetes.io/metadata.name"))
        .anyMatch(one -> {
          boolean isNamed =
              one.path("values").valueStream().anyMatch(v -> v.asString("").equals(namespace));
          return switch (text(one, "/operator")) {
            case "NotIn" -> isNamed;
            case "In" -> !isNamed;
            default -> false;
          };
        });
  }

  private static CheckFinding failurePolicy(Cluster cluster) throws IOException {
    List<JsonNode> webhooks = webhooks(cluster);
    if (webhooks.isEmpty()) {
      return skipped("there is no webhook");
    }
    int replicas = workload(cluster).at("/spec/replicas").asInt(1);
    if (webhooks.stream()
        .anyMatch(one -> one.path("failurePolicy").asString("Fail").equals("Fail"))) {
      return replicas < 2
          ? warning("Fail with one replica: while it restarts no labelled pod can start")
          : good("Fail with " + replicas + " replicas");
    }
    return hasPolicy(cluster)
        ? good("Ignore, with the admission policy behind it")
        : warning("Ignore without admission policy: pods can start without a sidecar");
  }

  private static boolean hasPolicy(Cluster cluster) throws IOException {
    String path = Kinds.ADMISSION + "/validatingadmissionpolicies/" + POLICY;
    return !cluster.get(path).isMissingNode();
  }

  private static CheckFinding bound(Cluster cluster) throws IOException {
    if (!hasPolicy(cluster)) {
      return skipped("there is no policy");
    }
    boolean denies =
        cluster.list(Kinds.ADMISSION + "/validatingadmissionpolicybindings").stream()
            .filter(one -> text(one, "/spec/policyName").equals(POLICY))
            .flatMap(one -> one.at("/spec/validationActions").valueStream())
            .anyMatch(action -> action.asString("").equals("Deny"));
    return denies ? good("it is") : warning("nothing is denied");
  }
}
