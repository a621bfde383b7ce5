package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The bill of materials of the image, in CycloneDX: what Maven's plugin says of the libraries, and
 * beside them what no Maven knows of, the Java runtime and the packages of Debian.
 */
final class Sbom {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern NATIVE_HELM =
      Pattern.compile("pkg:maven/com\\.marcnuri\\.helm-java/(linux|darwin|windows)-.*");

  private Sbom() {}

  /**
   * Writes it.
   *
   * @param maven the plugin's document about the class path; where it is not there, because the
   *     plugin does nothing without network, the jars are named by their files
   * @param jars folder of the class path
   */
  static void write(Optional<Path> maven, Path jars, List<LockedPackage> packages, Path target)
      throws IOException {
    ObjectNode document =
        maven.isPresent()
            ? (ObjectNode) JSON.readTree(Files.readAllBytes(maven.get()))
            : fromFiles(jars);
    ArrayNode components = document.withArray("components");
    for (int i = components.size() - 1; i >= 0; i--) {
      if (NATIVE_HELM.matcher(components.get(i).path("purl").asString("")).matches()) {
        components.remove(i);
      }
    }
    components.add(runtime());
    packages.forEach(one -> components.add(component(one)));
    Files.write(
        target,
        (JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n")
            .getBytes(UTF_8));
  }

  private static ObjectNode fromFiles(Path jars) throws IOException {
    ObjectNode document = JSON.createObjectNode();
    document.put("bomFormat", "CycloneDX");
    document.put("specVersion", "1.6");
    document.put("version", 1);
    ArrayNode components = document.putArray("components");
    try (Stream<Path> all = Files.list(jars)) {
      for (Path jar : all.sorted().toList()) {
        ObjectNode component = components.addObject();
        String name = String.valueOf(jar.getFileName());
        component.put("type", "library");
        component.put("bom-ref", name);
        component.put("name", name);
        hash(component, Hashes.of(jar));
      }
    }
    return document;
  }

  private static void hash(ObjectNode component, String sha256) {
    ObjectNode hash = component.putArray("hashes").addObject();
    hash.put("alg", "SHA-256");
    hash.put("content", sha256);
  }

  private static JsonNode runtime() throws IOException {
    Properties release = new Properties();
    Path file = Path.of(System.getProperty("java.home"), "release");
    try (var reader = Files.newBufferedReader(file)) {
      release.load(reader);
    }
    String version = release.getProperty("JAVA_RUNTIME_VERSION", "").replace("\"", "");
    ObjectNode component = JSON.createObjectNode();
    component.put("type", "platform");
    component.put("bom-ref", "java-runtime");
    component.putObject("supplier").put("name", unquoted(release, "IMPLEMENTOR"));
    component.put("name", "openjdk");
    component.put("version", version);
    component.put("description", "jlink runtime of " + String.join(", ", JavaRuntime.MODULES));
    licence(component, "GPL-2.0-only WITH Classpath-exception-2.0");
    component.put("purl", "pkg:generic/openjdk@" + version.replace("+", "%2B"));
    return component;
  }

  private static String unquoted(Properties release, String key) {
    return release.getProperty(key, "").replace("\"", "");
  }

  private static void licence(ObjectNode component, String expression) {
    component.putArray("licenses").addObject().put("expression", expression);
  }

  private static JsonNode component(LockedPackage one) {
    ObjectNode component = JSON.createObjectNode();
    component.put("type", "library");
    component.put("bom-ref", one.url());
    component.put("name", one.name());
    component.put("version", one.version());
    hash(component, one.sha256());
    component.put("purl", one.url());
    return component;
  }
}
