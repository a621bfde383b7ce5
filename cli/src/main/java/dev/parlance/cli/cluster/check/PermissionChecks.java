package dev.parlance.cli.cluster.check;

import java.util.Optional;
import java.util.stream.Stream;

/** What the one who installs must be allowed to do, asked of the API server. */
final class PermissionChecks {
  private static final String REMEDY =
      "install as somebody who may, or ask for a role with that verb; see"
          + " `kubectl auth can-i --list`";

  private PermissionChecks() {}

  static Checkup.Section section() {
    return new Checkup.Section(
        "Permissions to install",
        Stream.concat(
                Stream.of(
                    anywhere("namespaces", "", "namespaces"),
                    anywhere("cluster-roles", "rbac.authorization.k8s.io", "clusterroles"),
                    anywhere(
                        "cluster-role-bindings",
                        "rbac.authorization.k8s.io",
                        "clusterrolebindings"),
                    anywhere(
                        "webhooks",
                        "admissionregistration.k8s.io",
                        "mutatingwebhookconfigurations")),
                Stream.of(
                    inside("deployments", "apps", "deployments"),
                    inside("stateful-sets", "apps", "statefulsets"),
                    inside("services", "", "services"),
                    inside("service-accounts", "", "serviceaccounts"),
                    inside("config-maps", "", "configmaps"),
                    inside("secrets", "", "secrets"),
                    inside("roles", "rbac.authorization.k8s.io", "roles"),
                    inside("role-bindings", "rbac.authorization.k8s.io", "rolebindings"),
                    inside("network-policies", "networking.k8s.io", "networkpolicies"),
                    inside("disruption-budgets", "policy", "poddisruptionbudgets")))
            .toList());
  }

  private static Check anywhere(String id, String group, String resource) {
    return new Check(
        "may-create-" + id,
        "you may create " + resource,
        REMEDY,
        cluster -> said(cluster.may("create", group, resource, Optional.empty())));
  }

  private static Check inside(String id, String group, String resource) {
    return new Check(
        "may-create-" + id,
        "you may create " + resource + " in the namespace of Parlance",
        REMEDY,
        cluster -> said(cluster.may("create", group, resource, Optional.of(cluster.namespace()))));
  }

  private static CheckFinding said(boolean may) {
    return may ? new CheckFinding.Good("you may") : new CheckFinding.Bad("you may not");
  }
}
