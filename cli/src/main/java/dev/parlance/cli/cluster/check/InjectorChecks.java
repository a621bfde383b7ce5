package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.bad;
import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.skipped;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;

import java.io.IOException;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The injector and its file. */
final class InjectorChecks {
  static final String NAME = "parlance-injector";

  private static final int RESTARTS_MAX = 3;

  private InjectorChecks() {}

  static void addTo(Map<String, Check.Look> looks) {
    looks.put(
        "injector-workload", cluster -> Kinds.replicas(workload(cluster), "Deployment " + NAME));
    looks.put(
        "injector-steady",
        cluster ->
            Kinds.noneBad(
                Kinds.unsteady(ControlPlaneChecks.ofComponent(cluster, "injector"), RESTARTS_MAX),
                "unsteady",
                "they are not"));
    looks.put("injector-service", cluster -> ControlPlaneChecks.endpoints(cluster, NAME));
    looks.put("injector-settings", InjectorChecks::settings);
    looks.put("injector-core-keys", InjectorChecks::coreKeys);
    looks.put("injector-image", InjectorChecks::image);
  }

  static JsonNode workload(Cluster cluster) throws IOException {
    return cluster.own(Kinds.APPS, "deployments", NAME);
  }

  static JsonNode file(Cluster cluster) throws IOException {
    return Cluster.yaml(
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
          ? good("version 1")
          : bad("it holds none of version 1");
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      if (why.contains("YAML")) {
        return bad(why);
      }
      throw e;
    }
  }

  private static CheckFinding coreKeys(Cluster cluster) throws IOException {
    JsonNode control = file(cluster).at("/sidecar/control");
    if (control.path("target").asString("").isEmpty()) {
      return skipped("sidecars have no control plane");
    }
    int keys = control.path("keys").size();
    return keys == 0 ? bad("none is set") : good(keys == 1 ? "one key" : keys + " keys");
  }

  private static CheckFinding image(Cluster cluster) throws IOException {
    String sidecars = file(cluster).at("/image/reference").asString("");
    String own =
        workload(cluster).at("/spec/template/spec/containers").path(0).path("image").asString("");
    if (sidecars.isEmpty() || own.isEmpty()) {
      return skipped("one of the two is not known");
    }
    return sidecars.equals(own) ? good(own) : warning("sidecars " + sidecars + ", injector " + own);
  }
}
