package dev.parlance.cli.cluster.check;

import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The injector and its file. */
final class InjectorChecks {
  static final String NAME = "parlance-injector";

  private static final int RESTARTS_MAX = 3;

  private InjectorChecks() {}

  static Checkup.Section section() {
    return new Checkup.Section(
        "Injector",
        List.of(
            new Check(
                "injector-workload",
                "the injector runs with all its replicas",
                "kubectl -n NAMESPACE describe deployment parlance-injector, and its pods' logs",
                cluster -> Kinds.replicas(workload(cluster), "Deployment " + NAME)),
            new Check(
                "injector-steady",
                "its pods are not started again and again",
                "kubectl -n NAMESPACE logs POD --previous; a refused injector.yaml ends it at the"
                    + " start",
                cluster ->
                    Kinds.noneBad(
                        Kinds.unsteady(
                            ControlPlaneChecks.ofComponent(cluster, "injector"), RESTARTS_MAX),
                        "unsteady",
                        "they are not")),
            new Check(
                "injector-service",
                "its Service has ready endpoints",
                "the Service's selector must match the pods, and a pod must be ready",
                cluster -> ControlPlaneChecks.endpoints(cluster, NAME)),
            new Check(
                "injector-settings",
                "its ConfigMap holds an injector.yaml",
                "render the chart again; the key is injector.yaml",
                InjectorChecks::settings),
            new Check(
                "injector-core-keys",
                "sidecars are given the key that cores are signed with",
                "print it by `parlance control keys` and set sidecar.control.keys: without it no"
                    + " core is believed",
                InjectorChecks::coreKeys),
            new Check(
                "injector-image",
                "new sidecars get the image that the injector runs",
                "set one image for both; a sidecar of another version is a version skew",
                InjectorChecks::image)));
  }

  static JsonNode workload(Cluster cluster) throws IOException {
    return cluster.own(Kinds.APPS, "deployments", NAME);
  }

  static JsonNode file(Cluster cluster) throws IOException {
    return ConfigMapYaml.parse(
        cluster.own(Kinds.CORE, "configmaps", NAME).at("/data/injector.yaml").asString(""));
  }

  /** True if the injector is there and gives sidecars no control plane. */
  static boolean isWithoutControl(Cluster cluster) throws IOException {
    JsonNode file = file(cluster);
    return !file.isMissingNode()
        && file.at("/sidecar/control").path("target").asString("").isEmpty();
  }

  private static CheckFinding settings(Cluster cluster) throws IOException {
    try {
      return file(cluster).path("version").asInt(0) == 1
          ? new CheckFinding.Good("version 1")
          : new CheckFinding.Bad("it holds none of version 1");
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      if (why.contains("YAML")) {
        return new CheckFinding.Bad(why);
      }
      throw e;
    }
  }

  private static CheckFinding coreKeys(Cluster cluster) throws IOException {
    JsonNode control = file(cluster).at("/sidecar/control");
    if (control.path("target").asString("").isEmpty()) {
      return new CheckFinding.Skipped("sidecars have no control plane");
    }
    int keys = control.path("keys").size();
    return keys == 0
        ? new CheckFinding.Bad("none is set")
        : new CheckFinding.Good(keys == 1 ? "one key" : keys + " keys");
  }

  private static CheckFinding image(Cluster cluster) throws IOException {
    String sidecars = file(cluster).at("/image/reference").asString("");
    String own =
        workload(cluster).at("/spec/template/spec/containers").path(0).path("image").asString("");
    if (sidecars.isEmpty() || own.isEmpty()) {
      return new CheckFinding.Skipped("one of the two is not known");
    }
    return sidecars.equals(own)
        ? new CheckFinding.Good(own)
        : new CheckFinding.Warning("sidecars " + sidecars + ", injector " + own);
  }
}
