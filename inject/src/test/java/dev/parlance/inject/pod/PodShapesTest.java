package dev.parlance.inject.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parlance.inject.Samples;
import dev.parlance.inject.patch.JsonPatch;
import dev.parlance.inject.patch.Patched;
import dev.parlance.inject.pod.PodOutcome.PodFinding;
import dev.parlance.inject.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Each {@code shapes/NAME.pod.yaml} gives {@code shapes/NAME.out.yaml}. With {@code
 * -Dparlance.golden=write} the second are written anew; read the difference before you commit it.
 */
class PodShapesTest {
  private static final Path SHAPES = Path.of("src/test/resources/dev/parlance/inject/pod/shapes");

  private static final boolean WRITE = "write".equals(System.getProperty("parlance.golden"));

  @BeforeAll
  static void writeAnewIfAsked() throws IOException {
    if (WRITE) {
      for (Shape shape : shapes()) {
        Files.writeString(shape.expected(), Yaml.write(shown(shape.outcome())));
      }
    }
  }

  private record Shape(String name, ObjectNode pod, PodInjector injector) {
    PodOutcome outcome() {
      return injector.inject(pod);
    }

    Path expected() {
      return SHAPES.resolve(name + ".out.yaml");
    }
  }

  private static List<Shape> shapes() throws IOException {
    try (Stream<Path> files = Files.list(SHAPES)) {
      return files
          .filter(file -> file.toString().endsWith(".pod.yaml"))
          .sorted()
          .map(PodShapesTest::shape)
          .toList();
    }
  }

  private static Shape shape(Path file) {
    try {
      String text = Files.readString(file);
      String changes =
          text.startsWith("# settings: ")
              ? text.lines().findFirst().orElseThrow().substring("# settings: ".length())
              : "{}";
      String name = file.getFileName().toString().replace(".pod.yaml", "");
      return new Shape(
          name, Samples.tree(text), new PodInjector(Samples.settings(changes), "0.1.0-test"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static ObjectNode shown(PodOutcome outcome) {
    ObjectNode out = JsonNodeFactory.instance.objectNode();
    switch (outcome) {
      case PodOutcome.Injected injected -> {
        out.put("outcome", "injected");
        findings(out.putArray("warnings"), injected.warnings());
        out.set("patch", injected.patch());
      }
      case PodOutcome.Unchanged(PodFinding why) ->
          out.put("outcome", "unchanged").put("why", why.toString());
      case PodOutcome.Refused refused -> {
        out.put("outcome", "refused");
        findings(out.putArray("problems"), refused.problems());
      }
    }
    return out;
  }

  private static void findings(ArrayNode into, List<PodFinding> findings) {
    findings.forEach(finding -> into.add(finding.toString()));
  }

  @TestFactory
  Stream<DynamicTest> eachShapeGivesItsPatchOrItsRefusal() throws IOException {
    return shapes().stream()
        .map(shape ->
            DynamicTest.dynamicTest(
                shape.name(),
                () -> {
                  String actual = Yaml.write(shown(shape.outcome()));
                  assertThat(actual).isEqualTo(Files.readString(shape.expected()));
                }));
  }

  @Test
  void everyReasonThatAPodCanHaveHasAShape() throws IOException {
    TreeSet<String> seen = new TreeSet<>();
    for (Shape shape : shapes()) {
      String text = Files.readString(shape.expected());
      for (PodReason reason : PodReason.values()) {
        if (text.contains(reason.code() + ": ")) {
          seen.add(reason.code());
        }
      }
    }
    TreeSet<String> all = new TreeSet<>();
    Stream.of(PodReason.values()).map(PodReason::code).forEach(all::add);
    // These belong to requests, to manifests or to second looks; other tests have them.
    all.removeAll(
        List.of(
            PodReason.ALREADY_INJECTED.code(),
            PodReason.KIND_UNKNOWN.code(),
            PodReason.NOT_CREATED.code(),
            PodReason.NOT_INJECTED.code(),
            PodReason.CONFIG_TOO_LARGE.code()));
    assertThat(seen).containsAll(all);
  }

  @TestFactory
  Stream<DynamicTest> thePatchMakesThePodAndTwiceIsOnceAndBackAgain() throws IOException {
    return shapes().stream()
        .filter(shape -> shape.outcome() instanceof PodOutcome.Injected)
        .map(shape ->
            DynamicTest.dynamicTest(
                shape.name(),
                () -> {
                  PodOutcome.Injected injected = (PodOutcome.Injected) shape.outcome();
                  assertThat(Patched.apply(shape.pod(), injected.patch()))
                      .isEqualTo(injected.pod());
                  assertThat(shape.injector().inject(injected.pod()))
                      .isInstanceOfSatisfying(
                          PodOutcome.Unchanged.class,
                          again ->
                              assertThat(again.why().reason())
                                  .isEqualTo(PodReason.ALREADY_INJECTED));
                  if (!shape.name().equals("forged")) {
                    assertThat(PodUninjector.bare(injected.pod())).isEqualTo(shape.pod());
                  }
                }));
  }

  /** kubectl's library applies the same patch to the same pod; it has nothing of ours. */
  @Test
  void kubectlAppliesThePatchesToTheSamePods(@TempDir Path dir) throws Exception {
    assumeTrue(onPath("kubectl"), "SKIPPED: no kubectl on the PATH");
    int applied = 0;
    for (String name : List.of("probes", "classic-init", "proxy-env-same", "attached", "forged")) {
      Shape shape = shape(SHAPES.resolve(name + ".pod.yaml"));
      PodOutcome.Injected injected = (PodOutcome.Injected) shape.outcome();
      Path pod = Files.writeString(dir.resolve(name + ".json"), shape.pod().toString());
      Path patch = Files.writeString(dir.resolve(name + ".patch"), injected.patch().toString());
      Path out = dir.resolve(name + ".out");
      Process kubectl =
          new ProcessBuilder(
                  "kubectl",
                  "patch",
                  "--local",
                  "--type=json",
                  "-o",
                  "json",
                  "-f",
                  pod.toString(),
                  "--patch-file",
                  patch.toString())
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      assertThat(kubectl.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(kubectl.exitValue()).isZero();
      assertThat(JsonMapper.shared().readTree(Files.readString(out))).isEqualTo(injected.pod());
      applied++;
    }
    assertThat(applied).isEqualTo(5);
  }

  private static boolean onPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  @Test
  void theSidecarIsWhatPodSecurityRestrictedAsksForAndOnlyTheInitStepIsNot() throws IOException {
    int sidecars = 0;
    for (Shape shape : shapes()) {
      if (!(shape.outcome() instanceof PodOutcome.Injected injected)) {
        continue;
      }
      for (String list : List.of("initContainers", "containers")) {
        for (JsonNode container : injected.pod().path("spec").path(list)) {
          JsonNode security = container.path("securityContext");
          if (container.path("name").asString().equals(SidecarNames.SIDECAR)) {
            assertThat(security.path("runAsNonRoot").asBoolean()).isTrue();
            assertThat(security.path("runAsUser").intValue()).isEqualTo(2717);
            assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
            assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
            assertThat(security.path("capabilities").toString()).isEqualTo("{\"drop\":[\"ALL\"]}");
            assertThat(security.path("seccompProfile").path("type").asString())
                .isEqualTo("RuntimeDefault");
            sidecars++;
          } else if (container.path("name").asString().equals(SidecarNames.INTERCEPT)) {
            assertThat(security.path("capabilities").toString())
                .isEqualTo("{\"drop\":[\"ALL\"],\"add\":[\"NET_ADMIN\"]}");
            assertThat(security.path("privileged").asBoolean(true)).isFalse();
          }
        }
      }
    }
    assertThat(sidecars).isGreaterThan(25);
  }

  @Test
  void theSamePodAlwaysGivesTheSameOutcome() throws IOException {
    for (Shape shape : shapes()) {
      ObjectNode before = shape.pod().deepCopy();
      assertThat(shown(shape.outcome())).isEqualTo(shown(shape.outcome()));
      assertThat(shape.pod()).isEqualTo(before);
    }
  }

  @Test
  void aFileTooLargeForAnnotationsIsRefused() {
    ObjectNode pod = Samples.tree("spec: {containers: [{name: a, image: b}]}");
    ObjectNode metadata = pod.putObject("metadata");
    metadata.putObject("annotations").put("notes", "x".repeat(200 * 1024));
    assertThat(new PodInjector(Samples.settings("{}"), "1").inject(pod))
        .isInstanceOfSatisfying(
            PodOutcome.Refused.class,
            refused ->
                assertThat(refused.problems().getFirst().reason())
                    .isEqualTo(PodReason.CONFIG_TOO_LARGE));
  }

  @Test
  void treesThatDifferEverywhereAreMadeOfEachOtherByTheirPatch() {
    ObjectNode from =
        Samples.tree("{a: 1, 'b/c': {x: [1, 2, 3]}, l: [{name: p, v: 1}, {name: q}], n: null}");
    ObjectNode to =
        Samples.tree(
            "{'b/c': {x: [2, 3, 4, 5], '~': []}, l: [{name: o}, {name: p, v: 2}, {name: q}], z:"
                + " {}}");
    assertThat(Patched.apply(from, JsonPatch.between(from, to))).isEqualTo(to);
    assertThat(Patched.apply(to, JsonPatch.between(to, from))).isEqualTo(from);
    assertThat(JsonPatch.between(to, to)).isEmpty();
  }
}
