package dev.parlance.console;

import dev.parlance.policy.text.Sha256;
import dev.parlance.service.http.HttpReply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pages: files of this jar, and those of libraries that they load out of WebJars. */
final class StaticFiles {
  private static final String FOLDER = "/dev/parlance/console/web";
  private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*)+");
  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png");

  /** What the pages load of libraries; the rest of their jars is not served. */
  private static final Map<String, String> LIBRARIES =
      Map.of(
          "/lib/preact/dist/preact.module.js", "preact",
          "/lib/preact/hooks/dist/hooks.module.js", "preact",
          "/lib/uplot/dist/uPlot.esm.js", "uplot",
          "/lib/uplot/dist/uPlot.min.css", "uplot");

  private final Map<String, Optional<HttpReply>> known = new ConcurrentHashMap<>();

  /** The file at a path, or nothing. */
  Optional<HttpReply> at(String path) {
    String name = path.equals("/") ? "/index.html" : path;
    if (!PATH.matcher(name).matches() || !TYPES.containsKey(extension(name))) {
      return Optional.empty();
    }
    Optional<HttpReply> found = known.get(name);
    if (found == null) {
      found = load(name);
      if (found.isPresent()) { // what is not there would fill the memory
        known.put(name, found);
      }
    }
    return found;
  }

  private static String extension(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static Optional<HttpReply> load(String name) {
    String library = LIBRARIES.get(name);
    String resource =
        library == null
            ? FOLDER + name
            : "/META-INF/resources/webjars/%s/%s%s"
                .formatted(
                    library, version(library), name.substring("/lib/".length() + library.length()));
    return read(resource).map(bytes -> reply(name, bytes));
  }

  private static String version(String library) {
    Properties properties = new Properties();
    try (InputStream in =
        StaticFiles.class.getResourceAsStream(
            "/META-INF/maven/org.webjars.npm/" + library + "/pom.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a jar cannot be read", e);
    }
    return properties.getProperty("version", "");
  }

  private static Optional<byte[]> read(String resource) {
    try (InputStream in = StaticFiles.class.getResourceAsStream(resource)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("a jar cannot be read", e);
    }
  }

  private static HttpReply reply(String name, byte[] bytes) {
    SequencedMap<String, String> fields = new LinkedHashMap<>();
    fields.put("cache-control", "no-cache");
    fields.put("x-content-type-options", "nosniff");
    fields.put("referrer-policy", "no-referrer");
    fields.put("cross-origin-resource-policy", "same-origin");
    fields.put("cross-origin-opener-policy", "same-origin");
    fields.put("permissions-policy", "camera=(), geolocation=(), microphone=()");
    fields.put("content-security-policy", policy(name, bytes));
    return new HttpReply(200, TYPES.getOrDefault(extension(name), ""), fields, bytes);
  }

  /** Scripts and styles of this origin only, and the one inline map of imports by its digest. */
  private static String policy(String name, byte[] bytes) {
    String inline = "";
    if (name.endsWith(".html")) {
      Matcher map = IMPORT_MAP.matcher(new String(bytes, StandardCharsets.UTF_8));
      if (map.find()) {
        inline = " 'sha256-" + sha256(map.group(1)) + "'";
      }
    }
    return "default-src 'none'; script-src 'self'"
        + inline
        + "; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
        + " form-action 'none'; frame-ancestors 'none'";
  }

  private static String sha256(String text) {
    return Base64.getEncoder().encodeToString(Sha256.of(text));
  }
}
