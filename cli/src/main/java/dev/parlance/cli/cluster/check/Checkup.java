package dev.parlance.cli.cluster.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * All checks, in the order in which they are made: the table {@code checks.yaml} says what must
 * hold and what to do if it does not, the classes {@code ...Checks} how each is looked at.
 */
public final class Checkup {
  /**
   * One thing that must hold.
   *
   * @param id stable name
   * @param title what holds, if all is well
   * @param remedy what to do if it does not
   */
  public record Check(String id, String title, String remedy) {}

  /** How a check looks. */
  @FunctionalInterface
  interface Look {
    /**
     * Looks once.
     *
     * @throws IOException if the cluster cannot be asked; the check is then skipped, with the words
     */
    CheckFinding at(Cluster cluster) throws IOException;
  }

  /**
   * Checks that belong together.
   *
   * @param title heading
   * @param times {@code before} or {@code after} installation, or both
   * @param checks in order
   */
  public record Section(String title, Set<String> times, List<Check> checks) {}

  /**
   * What one check found.
   *
   * @param section heading it stands under
   * @param check which one
   * @param finding what it found
   */
  public record Result(String section, Check check, CheckFinding finding) {}

  /** Where one of these is bad, nothing after it can be looked at. */
  private static final Set<String> DECISIVE = Set.of("kubectl-present", "api-reachable");

  private static final List<Section> SECTIONS = read();
  private static final Map<String, Look> LOOKS = new HashMap<>();

  static {
    ClusterChecks.into(LOOKS);
    ControlPlaneChecks.into(LOOKS);
    InjectorChecks.into(LOOKS);
    AgentChecks.into(LOOKS);
    SidecarChecks.into(LOOKS);
    for (Check check : all()) {
      if (!LOOKS.containsKey(check.id()) || check.title().isBlank() || check.remedy().isBlank()) {
        throw new IllegalStateException("a check needs a title, a remedy and a look: " + check);
      }
    }
  }

  private Checkup() {}

  private static List<Section> read() {
    try (InputStream in = Checkup.class.getResourceAsStream("checks.yaml")) {
      return Cluster.YAML
          .readTree(Objects.requireNonNull(in))
          .valueStream()
          .map(Checkup::section)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Section section(JsonNode section) {
    List<Check> checks = new ArrayList<>();
    for (JsonNode one : section.path("checks")) {
      String remedy = one.path("remedy").asString(section.path("remedy").asString(""));
      checks.add(new Check(one.path("id").asString(""), one.path("title").asString(""), remedy));
    }
    List<String> times = section.path("when").valueStream().map(JsonNode::asString).toList();
    return new Section(section.path("section").asString(""), Set.copyOf(times), checks);
  }

  /** What must hold before anything is installed. */
  public static List<Section> before() {
    return SECTIONS.stream().filter(section -> section.times().contains("before")).toList();
  }

  /** What must hold afterwards. */
  public static List<Section> after() {
    return SECTIONS.stream().filter(section -> section.times().contains("after")).toList();
  }

  /** Every check there is, each once. */
  public static List<Check> all() {
    return SECTIONS.stream().flatMap(section -> section.checks().stream()).toList();
  }

  /**
   * Makes the checks of these sections. Where the cluster cannot be reached at all, what comes
   * after is skipped.
   */
  public static List<Result> run(List<Section> sections, Cluster cluster) {
    List<Result> results = new ArrayList<>();
    boolean isReachable = true;
    for (Section section : sections) {
      for (Check check : section.checks()) {
        CheckFinding finding =
            isReachable
                ? look(check, cluster)
                : CheckFinding.skipped("the cluster is out of reach");
        results.add(new Result(section.title(), check, finding));
        isReachable &= !(finding instanceof CheckFinding.Bad && DECISIVE.contains(check.id()));
      }
    }
    return results;
  }

  private static CheckFinding look(Check check, Cluster cluster) {
    try {
      return Objects.requireNonNull(LOOKS.get(check.id())).at(cluster);
    } catch (IOException e) {
      return CheckFinding.skipped(Cluster.words(e));
    }
  }
}
