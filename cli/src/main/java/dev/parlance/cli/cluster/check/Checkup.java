package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.skipped;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.dataformat.yaml.YAMLMapper;

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

  /** What {@code checks.yaml} says of a section. */
  private record Listed(String section, String when, List<ListedCheck> checks) {}

  /** What it says of a check. */
  private record ListedCheck(String id, String title, String remedy) {}

  private Checkup() {}

  /** What must hold before anything is installed. */
  public static List<Section> before() {
    return sections("before");
  }

  /** What must hold afterwards. */
  public static List<Section> after() {
    return sections("after");
  }

  private static List<Section> sections(String when) {
    Map<String, Check.Look> looks = new HashMap<>();
    ApiChecks.addTo(looks);
    NodeChecks.addTo(looks);
    ControlPlaneChecks.addTo(looks);
    InjectorChecks.addTo(looks);
    WebhookChecks.addTo(looks);
    WorkloadChecks.addTo(looks);
    SidecarChecks.addTo(looks);
    ObservationChecks.addTo(looks);
    return listed().stream()
        .filter(section -> section.when().equals(when) || section.when().equals("both"))
        .map(section ->
            new Section(
                section.section(),
                section.checks().stream()
                    .map(one ->
                        new Check(
                            one.id(),
                            one.title(),
                            one.remedy(),
                            Objects.requireNonNull(looks.get(one.id()), one.id())))
                    .toList()))
        .toList();
  }

  private static List<Listed> listed() {
    try (InputStream in = Checkup.class.getResourceAsStream("checks.yaml")) {
      return List.of(YAMLMapper.shared().readValue(in, Listed[].class));
    } catch (IOException e) {
      throw new UncheckedIOException("checks.yaml in the jar cannot be read", e);
    }
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
            reachable ? look(check, cluster) : skipped("the cluster is out of reach");
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
      return skipped(why == null ? e.toString() : why);
    }
  }
}
