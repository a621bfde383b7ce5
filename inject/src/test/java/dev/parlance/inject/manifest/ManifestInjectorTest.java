package dev.parlance.inject.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.inject.Samples;
import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.yaml.YamlDocuments;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ManifestInjectorTest {
  private static final PodInjector INJECTOR = new PodInjector(Samples.settings("{}"), "0.1.0");

  @Test
  void aKindThatIsNotKnownAndHasATemplateOfPodsIsRefused() {
    String rollout =
        """
        apiVersion: deploy.example/v1
        kind: Rollout
        metadata: {name: shop}
        spec:
          template:
            spec: {containers: [{name: a, image: "a:1"}]}
        """;
    assertThat(refusals(rollout))
        .singleElement()
        .asString()
        .startsWith(
            "kind_unknown: Rollout of deploy.example/v1 shop has a pod template at /spec/template");
    assertThat(refusals(rollout.replace("Rollout", "Deployment"))).hasSize(1);
    assertThat(
            refusals(
                """
                apiVersion: jobs.example/v1
                kind: Training
                spec:
                  roles:
                  - template: {spec: {containers: [{image: "a:1"}]}}
                  - {name: none}
                  - template: {spec: {containers: [{image: "b:1"}]}}
                """))
        .hasSize(2);
    assertThat(
            refusals(
                rollout.replace(
                    "  template:\n",
                    "  template:\n    metadata: {annotations: {parlance.dev/inject: disabled}}\n")))
        .isEmpty();
    assertThat(refusals("apiVersion: v1\nkind: ConfigMap\ndata: {containers: x}\n")).isEmpty();
    assertThat(refusals("kind: Deployment\nspec: {}\n")).isEmpty();
  }

  private static List<String> refusals(String manifest) {
    return ManifestInjector.inject(manifest, INJECTOR) instanceof ManifestInjector.Result.Done done
        ? done.pods().stream()
            .filter(pod -> pod.outcome() instanceof PodOutcome.Refused)
            .map(pod -> ((PodOutcome.Refused) pod.outcome()).message())
            .toList()
        : List.of("unreadable");
  }

  /**
   * What people really write: comments, odd spacing, lists at the parent's column, several kinds.
   */
  private static final String MANIFEST =
      """
      # The agents of the shop.
      apiVersion: v1
      kind: Service
      metadata: {name: alice}   # no pods in here
      spec:
        ports: [{port: 8080}]
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: alice
        namespace: agents
      spec:
        replicas: 2 # two are enough
        template:
          metadata:
            # looked for by the service
            labels: { app: alice }
          spec:
            # one container
            containers:
            - name: agent   # the agent itself
              image: "registry.example/alice:1"
              ports:
              - containerPort: 8080
              # asked every ten seconds
              readinessProbe:
                httpGet: { path: /ready, port: 8080 }
                periodSeconds: 10   # that is the default

              # not root
              securityContext:
                runAsNonRoot: true
            terminationGracePeriodSeconds: 30 # seconds

      ---
      # every night
      apiVersion: batch/v1
      kind: CronJob
      metadata:
        name: nightly
      spec:
        schedule: "0 3 * * *"
        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                volumes:
                  - name: work   # scratch
                    emptyDir: {}
                initContainers:
                  # first
                  - name: fetch
                    image: registry.example/fetch:1
                    securityContext: {runAsNonRoot: true}
                containers:
                  - {name: job, image: "registry.example/job:1", securityContext: {runAsNonRoot: true}}
      """;

  private static ManifestInjector.Result.Done done(ManifestInjector.Result result) {
    return switch (result) {
      case ManifestInjector.Result.Done done -> done;
      case ManifestInjector.Result.Unreadable(String problem) -> throw new AssertionError(problem);
    };
  }

  private static List<JsonNode> trees(String text) {
    return switch (YamlDocuments.read(text)) {
      case YamlDocuments.Result.Read(YamlDocuments documents) -> documents.trees();
      case YamlDocuments.Result.Bad(String problem) -> throw new AssertionError(problem);
    };
  }

  @Test
  void everyPodOfAManifestIsInjectedAndEveryCommentStays() {
    ManifestInjector.Result.Done result = done(ManifestInjector.inject(MANIFEST, INJECTOR));
    assertThat(result.pods())
        .extracting(ManifestInjector.Pod::name)
        .containsExactly("Deployment agents/alice", "CronJob nightly");
    assertThat(result.pods()).allMatch(pod -> pod.outcome() instanceof PodOutcome.Injected);
    MANIFEST
        .lines()
        .filter(line -> line.contains("#"))
        .map(line -> line.substring(line.indexOf('#')))
        .forEach(comment -> assertThat(result.text()).contains(comment));
    List<JsonNode> before = trees(MANIFEST);
    List<JsonNode> after = trees(result.text());
    assertThat(after.getFirst()).isEqualTo(before.getFirst());
    PodOutcome.Injected deployment = (PodOutcome.Injected) result.pods().getFirst().outcome();
    assertThat(after.get(1).at("/spec/template")).isEqualTo(deployment.pod());
    assertThat(
            after
                .get(2)
                .at("/spec/jobTemplate/spec/template/spec/initContainers/2/name")
                .asString())
        .isEqualTo("parlance-sidecar");
  }

  @Test
  void injectingTwiceIsOnceAndUninjectingGivesTheManifestBack() {
    String once = done(ManifestInjector.inject(MANIFEST, INJECTOR)).text();
    ManifestInjector.Result.Done twice = done(ManifestInjector.inject(once, INJECTOR));
    assertThat(twice.text()).isEqualTo(once);
    assertThat(twice.pods()).allMatch(pod -> pod.outcome() instanceof PodOutcome.Unchanged);
    ManifestInjector.Result.Done back = done(ManifestInjector.uninject(once));
    assertThat(trees(back.text())).isEqualTo(trees(MANIFEST));
    MANIFEST
        .lines()
        .filter(line -> line.contains("#"))
        .map(line -> line.substring(line.indexOf('#')))
        .forEach(comment -> assertThat(back.text()).contains(comment));
    assertThat(done(ManifestInjector.uninject(MANIFEST)).text()).isEqualTo(MANIFEST);
  }

  @Test
  void manifestsThatCannotBeEditedInPlaceAreWrittenAnewAndStayTheSameObjects() {
    List<String> odd =
        List.of(
            "{\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"b\"}]}}",
            """
            kind: Pod
            spec: {containers: [{name: a, image: b}]}\
            """,
            """
            kind: Pod
            spec:
              containers:
              - &c
                name: a
                image: b
                env: &e []
              - name: d
                image: b
                env: *e
            """,
            """
            kind: Pod
            spec:
              containers:
              -
                name: a
                image: b
            """,
            """
            kind: Pod
            spec:
              containers:
                - name: a
                  image: |
                    b
            """,
            """
            kind: List
            items:
            - kind: Pod
              metadata:
                name: p
              spec:
                containers:
                - {name: a, image: b}
            - kind: ConfigMap
            """,
            """
            ---
            # nothing
            ---
            kind: Pod # \uD83D\uDE00
            spec:
              containers:
              - name: ä
                image: b\
            """,
            """
            kind: Pod
            spec:
              containers:
              - name: a
                image: b
            """
                .replace("\n", "\r\n"));
    for (String text : odd) {
      ManifestInjector.Result.Done result = done(ManifestInjector.inject(text, INJECTOR));
      assertThat(result.pods()).as(text).isNotEmpty();
      ManifestInjector.Pod pod = result.pods().getFirst();
      if (pod.outcome() instanceof PodOutcome.Refused refused) {
        throw new AssertionError(text + refused);
      }
      assertThat(trees(result.text()).toString()).as(text).contains("parlance-sidecar");
      assertThat(trees(done(ManifestInjector.uninject(result.text())).text()))
          .as(text)
          .isEqualTo(trees(text));
    }
  }

  @Test
  void aRefusedPodStaysAsItIsAndTheOthersAreInjected() {
    String text =
        """
        kind: Pod
        metadata: {name: a}
        spec: {hostNetwork: true, containers: [{name: a}]}
        ---
        kind: Pod
        metadata: {name: b}
        spec: {containers: [{name: a}]}
        """;
    ManifestInjector.Result.Done result = done(ManifestInjector.inject(text, INJECTOR));
    assertThat(result.pods().getFirst().outcome()).isInstanceOf(PodOutcome.Refused.class);
    assertThat(result.pods().getLast().outcome()).isInstanceOf(PodOutcome.Injected.class);
    assertThat(trees(result.text()).getFirst()).isEqualTo(trees(text).getFirst());
  }

  @Test
  void whatIsNoYamlIsSaidWithItsPlace() {
    assertThat(ManifestInjector.inject("kind: Pod\n  spec: x\n", INJECTOR))
        .isInstanceOfSatisfying(
            ManifestInjector.Result.Unreadable.class,
            bad -> assertThat(bad.problem()).startsWith("2:"));
  }

  @Test
  void theDifferenceIsWhatDiffWouldPrint() {
    String from =
        Stream.iterate(1, n -> n + 1)
            .limit(20)
            .map(n -> "line " + n + "\n")
            .reduce("", String::concat);
    String to = from.replace("line 3\n", "").replace("line 15\n", "line 15\nnew\n");
    assertThat(UnifiedDiff.of("a", "b", from, to))
        .isEqualTo(
            """
            --- a
            +++ b
            @@ -1,6 +1,5 @@
             line 1
             line 2
            -line 3
             line 4
             line 5
             line 6
            @@ -13,6 +12,7 @@
             line 13
             line 14
             line 15
            +new
             line 16
             line 17
             line 18
            """);
    assertThat(UnifiedDiff.of("a", "b", from, from)).isEmpty();
  }
}
