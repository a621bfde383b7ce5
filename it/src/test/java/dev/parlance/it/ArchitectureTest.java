package dev.parlance.it;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who may import whom: bytes, message, signals, decision, action, one way only. */
class ArchitectureTest {
  private static JavaClasses product = new ClassFileImporter().importClasses(List.of());

  @BeforeAll
  static void readClasses() {
    product =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.parlance");
  }

  /** A rule over nothing holds always; so the parts must really have been read. */
  @Test
  void everyPartWasReadSoThatNoRuleHoldsOverNothing() {
    Map<String, Long> sizes =
        product.stream()
            .filter(type -> type.getPackageName().startsWith("dev.parlance."))
            .collect(
                Collectors.groupingBy(
                    type -> type.getPackageName().split("\\.", -1)[2],
                    TreeMap::new,
                    Collectors.counting()));
    assertThat(sizes.keySet())
        .contains(
            "policy",
            "proto",
            "ledger",
            "service",
            "wire",
            "relay",
            "sim",
            "encoder",
            "onnx",
            "proxy",
            "control",
            "inject",
            "client",
            "console",
            "cli",
            "demo",
            "loadtest");
    assertThat(sizes.get("policy")).isGreaterThan(30L);
    assertThat(sizes.get("ledger")).isGreaterThan(30L);
    assertThat(sizes.get("control")).isGreaterThan(30L);
    assertThat(sizes.get("proxy")).isGreaterThan(100L);
    assertThat(sizes.get("wire")).isGreaterThan(80L);
    assertThat(sizes.get("relay")).isGreaterThan(40L);
    assertThat(sizes.get("inject")).isGreaterThan(40L);
  }

  @Test
  void policyKnowsTheJdkAndItselfOnly() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.parlance.policy..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.parlance.policy..", "java..", "org.jspecify.annotations.."));
  }

  @Test
  void policyHasNoClockThreadFileSocketOrRandom() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.policy..")
            // reads what stands beside it in the jar
            .and()
            .doNotHaveFullyQualifiedName("dev.parlance.policy.claim.TableFile")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "java.io..",
                "java.nio.file..",
                "java.nio.channels..",
                "java.net..",
                "java.time..",
                "java.util.concurrent..",
                "java.util.logging..",
                "java.util.random..")
            .orShould()
            // A digest is a pure function; the rest of that package draws, signs or keeps keys.
            .dependOnClassesThat(
                resideInAPackage("java.security..")
                    .and(not(type(MessageDigest.class)))
                    .and(not(type(NoSuchAlgorithmException.class))))
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Random")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.Thread")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Math.class, "random"));
  }

  @Test
  void insidePolicyProxyAndControlImportsGoDown() {
    inOrder(
        "dev.parlance.policy.", "text message header signal claim core lexicon pact commit route");
    inOrder(
        "dev.parlance.proxy.",
        "config audit trace review admin destination gate entailment identity metrics probe stream"
            + " exchange verdict round lexicon pact control main");
    inOrder(
        "dev.parlance.control.",
        "store config metrics embed http identity publish console certify lexicon pact round api"
            + " main");
  }

  @Test
  void theLedgerKnowsTheJdkAndItselfOnly_andTheArithmeticOfItsSignatures() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.parlance.ledger.note..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.ledger..",
                "java..",
                "org.jspecify.annotations..",
                "org.bouncycastle.math.ec.rfc7748..",
                "org.bouncycastle.math.ec.rfc8032.."));
    check(
        classes()
            .that()
            .resideInAPackage("dev.parlance.ledger..")
            .and()
            .resideOutsideOfPackages(
                "dev.parlance.ledger.note..",
                "dev.parlance.ledger.pact..",
                "dev.parlance.ledger.record..",
                "dev.parlance.ledger.round..",
                "dev.parlance.ledger.verdict..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.parlance.ledger..", "java..", "org.jspecify.annotations.."));
    inOrder("dev.parlance.ledger.", "tree note verdict tile log verify pact record round");
  }

  @Test
  void treesAndTilesKnowNoFileClockOrThread() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("dev.parlance.ledger.tree..", "dev.parlance.ledger.tile..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "java.nio.file..",
                "java.nio.channels..",
                "java.net..",
                "java.time..",
                "java.util.concurrent.."));
  }

  @Test
  void evidenceIsRecomputedWithoutTheControlPlane() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                "dev.parlance.ledger.pact..",
                "dev.parlance.ledger.record..",
                "dev.parlance.ledger.round..",
                "dev.parlance.sim..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.control..",
                "dev.parlance.proto..",
                "dev.parlance.proxy..",
                "dev.parlance.cli.."));
  }

  /** What makes the model is in the build only. */
  @Test
  void theEncoderKnowsTheJdkAndNotItsTrainer() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.parlance.encoder")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.parlance.encoder", "java..", "org.jspecify.annotations.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.proxy..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parlance.encoder.."));
  }

  /** Who runs no model loads no native library. */
  @Test
  void theRuntimeOfModelsStandsBehindOneRoom() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.parlance.onnx")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.onnx",
                "dev.parlance.policy..",
                "ai.onnxruntime..",
                "tools.jackson..",
                "java..",
                "org.jspecify.annotations.."));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.parlance.onnx", "dev.parlance.control.embed", "dev.parlance.encoder.train")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("ai.onnxruntime.."));
  }

  @Test
  void sidecarAndControlPlaneMeetInTheProtocolOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.proxy..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.control..",
                "dev.parlance.ledger.log..",
                "dev.parlance.ledger.verify..",
                "dev.parlance.sim.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.control..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parlance.proxy.."));
  }

  /** A sidecar without a control plane must not pay for gRPC, and the gate must not wait for it. */
  @Test
  void onlySyncAndTheWiringKnowTheControlPlanesProtocol() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.proxy..")
            .and()
            .resideOutsideOfPackages("dev.parlance.proxy.control..", "dev.parlance.proxy.main..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "dev.parlance.proto.."));
  }

  @Test
  void codecsKnowNoSocketsAndNoDecisions() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.wire..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.relay..",
                "dev.parlance.proxy.gate..",
                "dev.parlance.proxy.exchange..",
                "dev.parlance.proxy.admin..",
                "dev.parlance.proxy.config..",
                "io.netty.channel..",
                "dev.parlance.policy.route..",
                "dev.parlance.policy.signal.."));
  }

  @Test
  void connectionsKnowNoMeaning() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.relay..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.policy..",
                "dev.parlance.wire..",
                "dev.parlance.proxy.gate..",
                "dev.parlance.proxy.exchange..",
                "dev.parlance.proxy.admin.."));
  }

  @Test
  void theGateDecidesAndTouchesNeitherSocketsNorQueues() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.proxy.gate..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.relay..",
                "dev.parlance.proxy.exchange..",
                "dev.parlance.proxy.review..",
                "dev.parlance.proxy.audit..",
                "dev.parlance.proxy.admin..",
                "io.netty.channel..",
                "java.io..",
                "java.nio.file.."));
  }

  @Test
  void adminSeesTheProductThroughItsPortsOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.proxy.admin..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.relay..",
                "dev.parlance.proxy.gate..",
                "dev.parlance.proxy.exchange..",
                "dev.parlance.wire.."));
  }

  @Test
  void nothingButTheWiringKnowsTheWiring() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.proxy..")
            .and()
            .resideOutsideOfPackage("dev.parlance.proxy.main..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parlance.proxy.main.."));
  }

  /** The API server is asked by a few processes; none of what they are for is known here. */
  @Test
  void theClientOfTheApiServerKnowsTheJdkAndJsonOnly() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.parlance.inject.kube..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.inject.kube..",
                "java..",
                "javax.net.ssl..",
                "org.jspecify.annotations..",
                "org.slf4j..",
                "tools.jackson.."));
  }

  @Test
  void theOperatorsClientKnowsTheProtocolAndNeitherProcess() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.parlance.client..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.client..",
                "dev.parlance.proto..",
                "dev.parlance.ledger..",
                "dev.parlance.policy..",
                "com.google.protobuf..",
                "io.grpc..",
                "io.netty.handler.ssl..",
                "tools.jackson..",
                "java..",
                "org.jspecify.annotations.."));
  }

  /** It asks both processes as an operator's tools do, and is nothing of them. */
  @Test
  void theConsoleKnowsTheClientAndNeitherProcess() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.parlance.console..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.console..",
                "dev.parlance.client..",
                "dev.parlance.proto..",
                "dev.parlance.service..",
                "dev.parlance.ledger..",
                "dev.parlance.policy..",
                "com.google.protobuf..",
                "io.grpc..",
                "io.netty..",
                "org.slf4j..",
                "tools.jackson..",
                "java..",
                "javax.net.ssl..",
                "org.jspecify.annotations.."));
  }

  /** Of the sidecar the injector knows its file, and nothing that runs. */
  @Test
  void theInjectorKnowsOfTheSidecarItsFileOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.parlance.inject..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.parlance.proxy..")
                    .and(not(resideInAPackage("dev.parlance.proxy.config.."))))
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.parlance.control..", "dev.parlance.cli.."));
  }

  /**
   * The same pod and settings always give the same outcome: so no clock, no file, no API server.
   */
  @Test
  void whatBecomesOfAPodIsComputedFromThePodAndTheSettings() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("dev.parlance.inject.pod..", "dev.parlance.inject.patch..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.parlance.inject.kube..",
                "dev.parlance.inject.certificate..",
                "dev.parlance.inject.webhook..",
                "dev.parlance.inject.main..",
                "dev.parlance.inject.manifest..",
                "java.net..",
                "java.time..",
                "java.util.concurrent..",
                "io.netty..")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.nio.file.Files"));
    inOrder("dev.parlance.inject.", "yaml patch settings certificate pod webhook main");
  }

  @Test
  void noPackageHasMoreThanFortyFiles() {
    Map<String, Long> large =
        written()
            .collect(
                Collectors.groupingBy(
                    JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
    assertThat(large).hasSizeGreaterThan(60);
    large.values().removeIf(files -> files <= 40);
    assertThat(large).isEmpty();
  }

  @Test
  void noSimpleNameStandsInTwoModules() {
    Map<String, Set<String>> modules = new TreeMap<>();
    written()
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .forEach(type ->
            modules
                .computeIfAbsent(type.getSimpleName(), name -> new TreeSet<>())
                .add(type.getPackageName().split("\\.", -1)[2]));
    assertThat(modules).hasSizeGreaterThan(700);
    modules.values().removeIf(names -> names.size() == 1);
    assertThat(modules).isEmpty();
  }

  /**
   * What travels between processes is translated where it arrives, and nowhere behind that.
   * Programs that only show what the client got show the messages themselves.
   */
  @Test
  void generatedTypesStayInProtoAndApiPackages_andAreShownAsTheyAre() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.parlance.proto..",
                "dev.parlance..api..",
                "dev.parlance.client..",
                "dev.parlance.cli..",
                "dev.parlance.demo..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parlance.proto.."));
  }

  /** The types that stand at the top of a file of ours. */
  private static Stream<JavaClass> written() {
    return product.stream()
        .filter(type ->
            type.getPackageName().startsWith("dev.parlance.")
                && !type.getPackageName().endsWith(".jmh_generated")
                && !type.getPackageName().startsWith("dev.parlance.proto.")
                && type.isTopLevelClass());
  }

  @Test
  void packagesFormNoCircles() {
    check(slices().matching("dev.parlance.policy.(*)..").should().beFreeOfCycles());
    check(slices().matching("dev.parlance.ledger.(*)..").should().beFreeOfCycles());
    check(slices().matching("dev.parlance.control.(*)..").should().beFreeOfCycles());
    check(slices().matching("dev.parlance.proxy.(*)..").should().beFreeOfCycles());
    check(slices().matching("dev.parlance.wire.(*)..").should().beFreeOfCycles());
    check(slices().matching("dev.parlance.relay.(*)..").should().beFreeOfCycles());
    check(slices().matching("dev.parlance.service.(*)..").should().beFreeOfCycles());
    check(slices().matching("dev.parlance.inject.(*)..").should().beFreeOfCycles());
    check(slices().matching("dev.parlance.console.(*)..").should().beFreeOfCycles());
    check(slices().matching("dev.parlance.(*)..").should().beFreeOfCycles());
  }

  @Test
  void theSidecarDoesNotCarryTheDemonstrationOrItsSdk() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("dev.parlance.policy..", "dev.parlance.proxy..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.a2a..", "dev.parlance.demo..", "dev.parlance.cli..", "picocli.."));
  }

  @Test
  void everyPackageIsNullMarked() {
    DescribedPredicate<JavaClass> ours =
        DescribedPredicate.describe(
            "are ours",
            type ->
                type.getPackageName().startsWith("dev.parlance.")
                    // What the JMH processor and the protocol compiler write.
                    && !type.getPackageName().endsWith(".jmh_generated")
                    && !type.getPackageName().startsWith("dev.parlance.proto."));
    List<String> unmarked =
        product.that(ours).stream()
            .map(JavaClass::getPackage)
            .distinct()
            .filter(place -> !place.isAnnotatedWith(NullMarked.class))
            .map(place -> place.getName())
            .toList();
    assertThat(unmarked).isEmpty();
  }

  private static void inOrder(String prefix, String names) {
    List<String> bottomToTop = List.of(names.split(" "));
    for (int i = 0; i < bottomToTop.size(); i++) {
      List<String> above =
          bottomToTop.subList(i + 1, bottomToTop.size()).stream()
              .map(name -> prefix + name + "..")
              .toList();
      if (!above.isEmpty()) {
        check(
            noClasses()
                .that()
                .resideInAPackage(prefix + bottomToTop.get(i) + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above.toArray(String[]::new)));
      }
    }
  }

  @Test
  void whatIsDeployedIsRenderedForTheCommandLineOnly() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages("dev.parlance.deploy..", "dev.parlance.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parlance.deploy.."));
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.parlance.deploy.HelmChart")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.marcnuri.."));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(false).check(product);
  }
}
