package dev.parlance.cli.cluster.check;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What the API server has been told of the injector, and whether it can believe it. */
final class WebhookChecks {
  private static final String NAME = "parlance-injector";
  private static final String POLICY = "parlance-sidecar-present";

  private WebhookChecks() {}

  static Checkup.Section section() {
    return new Checkup.Section(
        "Webhook",
        List.of(
            new Check(
                "webhook-present",
                "the API server knows the injector's webhooks",
                "render and apply the chart again, with injector.enabled",
                WebhookChecks::present),
            new Check(
                "webhook-service",
                "the webhooks lead to the injector's Service",
                "render and apply the chart again; somebody has changed the configuration",
                WebhookChecks::service),
            new Check(
                "webhook-certificate-present",
                "the injector's certificate is in its Secret",
                "restart the injector; with cert-manager see the Certificate parlance-injector",
                WebhookChecks::certificatePresent),
            new Check(
                "webhook-ca-bundle",
                "the webhooks' caBundle has signed the injector's certificate",
                "restart the injector, which writes it; with cert-manager see the annotation"
                    + " cert-manager.io/inject-ca-from",
                WebhookChecks::bundle),
            new Check(
                "webhook-certificate-names",
                "the injector's certificate is for the Service's name",
                "set certificate.dnsNames of the injector to parlance-injector.NAMESPACE.svc",
                WebhookChecks::names),
            new Check(
                "webhook-certificate-expiry",
                "the injector's certificate is good for a while",
                "docs/runbooks.md, ParlanceInjectorCertificateExpiring",
                WebhookChecks::expiry),
            new Check(
                "webhook-exclusions",
                "the webhooks leave kube-system and the injector's own namespace alone",
                "render and apply the chart again: an injector that is down must not keep the"
                    + " cluster or itself from starting",
                WebhookChecks::exclusions),
            new Check(
                "webhook-failure-policy",
                "what becomes of pods while the injector is down is meant so",
                "Fail needs injector.replicas of 2 or more; Ignore needs"
                    + " admissionPolicy.enabled=true, or pods start without a sidecar",
                WebhookChecks::failurePolicy),
            new Check(
                "admission-policy",
                "labelled pods without a sidecar are refused by the API server itself",
                "set admissionPolicy.enabled=true",
                WebhookChecks::policy),
            new Check(
                "admission-policy-bound",
                "that policy is bound and denies",
                "set admissionPolicy.actions=[Deny]",
                WebhookChecks::bound)));
  }

  private static List<JsonNode> webhooks(Cluster cluster) throws IOException {
    return cluster.get(Kinds.ADMISSION + "/mutatingwebhookconfigurations/" + NAME).stream()
        .flatMap(found -> found.path("webhooks").valueStream())
        .toList();
  }

  private static CheckFinding present(Cluster cluster) throws IOException {
    int count = webhooks(cluster).size();
    return count == 0
        ? new CheckFinding.Bad("it knows none: no pod gets a sidecar")
        : new CheckFinding.Good(count == 1 ? "one webhook" : count + " webhooks");
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
        .<CheckFinding>map(leaf -> new CheckFinding.Good(leaf.getSubjectX500Principal().getName()))
        .orElseGet(() -> new CheckFinding.Bad("there is none in tls.crt"));
  }

  private static final CheckFinding NO_LEAF = new CheckFinding.Skipped("there is no certificate");

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
        ? new CheckFinding.Good(wanted)
        : new CheckFinding.Bad("it is for " + Kinds.some(names) + ", not for " + wanted);
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
                    .filter(name -> !Selectors.excludes(one.path("namespaceSelector"), name))
                    .map(name -> one.path("name").asString("") + " reaches " + name))
            .toList();
    return Kinds.noneBad(bad, "not excluded", "they do");
  }

  private static CheckFinding failurePolicy(Cluster cluster) throws IOException {
    List<JsonNode> webhooks = webhooks(cluster);
    if (webhooks.isEmpty()) {
      return new CheckFinding.Skipped("there is no webhook");
    }
    boolean fails =
        webhooks.stream()
            .anyMatch(one -> one.path("failurePolicy").asString("Fail").equals("Fail"));
    int replicas = InjectorChecks.workload(cluster).at("/spec/replicas").asInt(1);
    if (fails) {
      return replicas < 2
          ? new CheckFinding.Warning(
              "Fail with one replica: while it restarts no labelled pod can start")
          : new CheckFinding.Good("Fail with " + replicas + " replicas");
    }
    return policyIn(cluster).isEmpty()
        ? new CheckFinding.Warning(
            "Ignore without admission policy: pods can start without a sidecar")
        : new CheckFinding.Good("Ignore, with the admission policy behind it");
  }

  private static Optional<JsonNode> policyIn(Cluster cluster) throws IOException {
    return cluster.get(Kinds.ADMISSION + "/validatingadmissionpolicies/" + POLICY);
  }

  private static CheckFinding policy(Cluster cluster) throws IOException {
    return policyIn(cluster).isEmpty()
        ? new CheckFinding.Warning("there is no policy " + POLICY)
        : new CheckFinding.Good(POLICY);
  }

  private static CheckFinding bound(Cluster cluster) throws IOException {
    if (policyIn(cluster).isEmpty()) {
      return new CheckFinding.Skipped("there is no policy");
    }
    boolean denies =
        cluster.list(Kinds.ADMISSION + "/validatingadmissionpolicybindings").stream()
            .filter(one -> one.at("/spec/policyName").asString("").equals(POLICY))
            .flatMap(one -> one.at("/spec/validationActions").valueStream())
            .anyMatch(action -> action.asString("").equals("Deny"));
    return denies ? new CheckFinding.Good("it is") : new CheckFinding.Warning("nothing is denied");
  }
}
