import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The modules of one checkout as {@code bin/dev} compiles them: without checks, into {@code
 * target/dev}, and only what has changed. Class paths and everything that is no Java source come
 * from Maven ({@code bin/dev} runs it when a pom or an input of a plugin has changed).
 *
 * <p>A unit is the main or the test classes of a module. Three things can happen to it:
 *
 * <pre>
 *   nothing of it and no shape upstream has changed      nothing
 *   sources have changed, none came or went              those alone; if a shape has changed: all
 *   else                                                 all of it
 * </pre>
 *
 * A shape is what other classes can see of a class ({@link ClassShape}), so a changed method body
 * costs one file, whoever depends on it.
 */
final class DevModules {
  private static final Pattern MODULE = Pattern.compile("<module>([a-z]+)</module>");

  private final Path root;
  private final BiFunction<List<String>, PrintWriter, Integer> javac;
  private final Map<String, Unit> units = new LinkedHashMap<>();

  DevModules(Path root, BiFunction<List<String>, PrintWriter, Integer> javac) {
    this.root = root;
    this.javac = javac;
  }

  /**
   * Brings units up to date, after all that they depend on.
   *
   * @param wanted "policy" for main and tests, "policy:main"; empty for everything
   * @param out what the compiler says
   * @return true if all of it compiles
   */
  boolean update(List<String> wanted, PrintWriter out) throws IOException {
    if (units.isEmpty()) {
      Matcher modules = MODULE.matcher(Files.readString(root.resolve("pom.xml")));
      while (modules.find()) {
        for (String kind : List.of("main", "test")) {
          Unit unit = new Unit(modules.group(1), kind);
          units.put(unit.name, unit);
        }
      }
    }
    Collection<String> open = new TreeSet<>();
    for (String name : wanted.isEmpty() ? units.keySet() : wanted) {
      need(name.contains(":") ? name : name + ":test", open);
    }
    for (Unit unit : units.values()) {
      if (open.contains(unit.name) && !unit.update(out)) {
        return false;
      }
    }
    return true;
  }

  private void need(String name, Collection<String> open) throws IOException {
    Unit unit = units.get(name);
    if (unit == null) {
      throw new IllegalArgumentException("there is no module " + name);
    }
    if (open.add(name)) {
      for (Unit upstream : unit.upstream()) {
        need(upstream.name, open);
      }
    }
  }

  /** What a source was when it was compiled. */
  private record Stamp(long modifiedMs, long bytes) {}

  private final class Unit {
    final String name;
    private final Path module;
    private final Path target;
    private final Path classes;
    private final String kind;
    private Map<String, Stamp> sources = new TreeMap<>();
    private Map<String, String> shapes = new TreeMap<>();
    private String upstreamHash = "";

    Unit(String module, String kind) throws IOException {
      this.name = module + ":" + kind;
      this.kind = kind;
      this.module = root.resolve(module);
      this.target = this.module.resolve("target/dev");
      this.classes = target.resolve(kind.equals("main") ? "classes" : "test-classes");
      load();
    }

    private List<String> classpath() throws IOException {
      Path file = target.resolve("classpath.test");
      if (!Files.exists(file)) {
        return List.of();
      }
      List<String> entries = new ArrayList<>(List.of(Files.readString(file).strip().split(":")));
      entries.removeIf(String::isEmpty);
      if (kind.equals("test")) {
        entries.addFirst(target.resolve("classes").toString());
      }
      return entries;
    }

    List<Unit> upstream() throws IOException {
      List<Unit> upstream = new ArrayList<>();
      for (String entry : classpath()) {
        Path path = Path.of(entry);
        if (path.startsWith(root) && path.endsWith("classes")) {
          upstream.add(units.get(root.relativize(path).getName(0) + ":main"));
        } else if (path.startsWith(root) && path.endsWith("test-classes")) {
          upstream.add(units.get(root.relativize(path).getName(0) + ":test"));
        }
      }
      return upstream;
    }

    boolean update(PrintWriter out) throws IOException {
      copyResources();
      Map<String, Stamp> now = list();
      String upstreamNow = upstreamNow();
      if (now.equals(sources) && upstreamNow.equals(upstreamHash)) {
        return true;
      }
      if (now.keySet().equals(sources.keySet()) && upstreamNow.equals(upstreamHash)) {
        List<String> changed = new ArrayList<>();
        now.forEach((source, stamp) -> {
          if (!stamp.equals(sources.get(source))) {
            changed.add(source);
          }
        });
        Map<String, String> before = new TreeMap<>(shapes);
        forget(changed);
        if (!compile(changed, out)) {
          return false;
        }
        readShapes();
        if (shapes.equals(before)) {
          sources = now;
          save();
          return true;
        }
      }
      forget(sources.keySet());
      deleteClasses();
      if (!now.isEmpty() && !compile(List.copyOf(now.keySet()), out)) {
        return false;
      }
      readShapes();
      sources = now;
      upstreamHash = upstreamNow;
      save();
      return true;
    }

    /** A compilation that fails or is cut off begins with these sources again. */
    private void forget(Collection<String> changed) throws IOException {
      for (String source : changed) {
        sources.put(source, new Stamp(0, 0));
      }
      save();
    }

    private Map<String, Stamp> list() throws IOException {
      Map<String, Stamp> found = new TreeMap<>();
      list(module.resolve("src").resolve(kind).resolve("java"), found);
      if (kind.equals("main")) {
        list(target.resolve("generated-sources"), found);
      }
      return found;
    }

    private static void list(Path folder, Map<String, Stamp> found) throws IOException {
      if (!Files.isDirectory(folder)) {
        return;
      }
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (file.toString().endsWith(".java")) {
                found.put(
                    file.toString(),
                    new Stamp(attributes.lastModifiedTime().toMillis(), attributes.size()));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    }

    private String upstreamNow() throws IOException {
      List<String> parts = new ArrayList<>(classpath());
      for (Unit upstream : upstream()) {
        parts.add(upstream.name + upstream.shapes);
      }
      return ClassShape.hash(parts.toString());
    }

    private boolean compile(List<String> files, PrintWriter out) throws IOException {
      Files.createDirectories(classes);
      List<String> args = new ArrayList<>();
      args.addAll(List.of("-proc:none", "-Xlint:none", "-nowarn", "-g", "-encoding", "UTF-8"));
      args.addAll(List.of("-implicit:none", "-Xmaxerrs", "30", "-d", classes.toString()));
      args.addAll(List.of("-cp", classes + ":" + String.join(":", classpath())));
      args.addAll(files);
      StringWriter said = new StringWriter();
      long startNs = System.nanoTime();
      boolean good = javac.apply(args, new PrintWriter(said)) == 0;
      out.printf(
          "  %s: %d %s, %.1f s%n",
          name,
          files.size(),
          files.size() == 1 ? "file" : "files",
          (System.nanoTime() - startNs) / 1e9);
      if (!good) {
        // paths as they are seen from the checkout
        out.print(said.toString().replace(root + "/", ""));
      }
      out.flush();
      return good;
    }

    private void deleteClasses() throws IOException {
      if (!Files.isDirectory(classes)) {
        return;
      }
      try (Stream<Path> all = Files.walk(classes)) {
        for (Path file : all.filter(path -> path.toString().endsWith(".class")).toList()) {
          Files.delete(file);
        }
      }
    }

    private void readShapes() throws IOException {
      shapes = new TreeMap<>();
      if (!Files.isDirectory(classes)) {
        return;
      }
      try (Stream<Path> all = Files.walk(classes)) {
        for (Path file : all.filter(path -> path.toString().endsWith(".class")).toList()) {
          ClassShape.of(Files.readAllBytes(file))
              .ifPresent(shape -> shapes.put(shape.name(), shape.hash()));
        }
      }
    }

    /** Resources that have changed since Maven put them there; special ones are left to it. */
    private void copyResources() throws IOException {
      Path from = module.resolve("src").resolve(kind).resolve("resources");
      if (!Files.isDirectory(from)) {
        return;
      }
      try (Stream<Path> all = Files.walk(from)) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          Path to = classes.resolve(from.relativize(file).toString());
          if (!Files.exists(to)
              || Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(to)) > 0) {
            Files.createDirectories(to.getParent());
            Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
          }
        }
      }
    }

    // ---- kept over restarts of the server ----

    private Path stateFile() {
      return target.resolve(kind + ".state");
    }

    private void save() throws IOException {
      StringBuilder text = new StringBuilder();
      text.append("upstream\t").append(upstreamHash).append('\n');
      sources.forEach((file, stamp) ->
          text.append("source\t" + file + "\t" + stamp.modifiedMs + "\t" + stamp.bytes + "\n"));
      shapes.forEach((type, hash) -> text.append("shape\t" + type + "\t" + hash + "\n"));
      Files.createDirectories(target);
      Files.writeString(stateFile(), text);
    }

    private void load() throws IOException {
      if (!Files.exists(stateFile())) {
        return;
      }
      for (String line : Files.readAllLines(stateFile())) {
        String[] parts = line.split("\t", -1);
        switch (parts[0]) {
          case "upstream" -> upstreamHash = parts[1];
          case "source" ->
              sources.put(parts[1], new Stamp(Long.parseLong(parts[2]), Long.parseLong(parts[3])));
          case "shape" -> shapes.put(parts[1], parts[2]);
          default -> throw new UncheckedIOException(new IOException("odd line in " + stateFile()));
        }
      }
    }
  }
}
