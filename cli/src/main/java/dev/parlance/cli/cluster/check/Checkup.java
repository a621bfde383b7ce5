package dev.parlance.cli.cluster.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All checks, in the order in which they are made. */
public final class Checkup {
  /**
   * Checks that belong together.
   *
   * @param title heading
   * @param checks in order
   */
  public record Section(String title, List<Check> checks) {
    /** Copies the list. */
    public Section {
      checks = List.copyOf(checks);
    }
  }

  /**
   * What one check found.
   *
   * @param section heading it stands under
   * @param check which one
   * @param finding what it found
   */
  public record Result(String section, Check check, CheckFinding finding) {}

  private Checkup() {}

  /** What must hold before anything is installed. */
  public static List<Section> before() {
    return List.of(ApiChecks.section(), NodeChecks.section(), PermissionChecks.section());
  }

  /** What must hold afterwards. */
  public static List<Section> after() {
    return List.of(
        ApiChecks.section(),
        NodeChecks.section(),
        ControlPlaneChecks.section(),
        InjectorChecks.section(),
        WebhookChecks.section(),
        WorkloadChecks.section(),
        SidecarChecks.section(),
        ObservationChecks.section());
  }

  /** Every check there is, each once. */
  public static List<Check> all() {
    Set<String> seen = new HashSet<>();
    return Stream.concat(before().stream(), after().stream())
        .flatMap(section -> section.checks().stream())
        .filter(check -> seen.add(check.id()))
        .toList();
  }

  /**
   * Makes the checks of these sections. Where the cluster cannot be reached at all, what comes
   * after is skipped.
   */
  public static List<Result> run(List<Section> sections, Cluster cluster) {
    List<Result> results = new ArrayList<>();
    boolean reachable = true;
    for (Section section : sections) {
      for (Check check : section.checks()) {
        CheckFinding finding =
            reachable
                ? look(check, cluster)
                : new CheckFinding.Skipped("the cluster is out of reach");
        results.add(new Result(section.title(), check, finding));
        if (ApiChecks.decidesAll(check) && finding instanceof CheckFinding.Bad) {
          reachable = false;
        }
      }
    }
    return results;
  }

  private static CheckFinding look(Check check, Cluster cluster) {
    try {
      return check.look().at(cluster);
    } catch (IOException e) {
      String why = e.getMessage();
      return new CheckFinding.Skipped(why == null ? e.toString() : why);
    }
  }
}
