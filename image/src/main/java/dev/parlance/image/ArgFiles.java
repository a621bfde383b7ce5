package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM's argument files: flags, class path and main class, so that a container's arguments are
 * {@code @/opt/parlance/proxy.args proxy --config FILE} and nothing else.
 *
 * <p>Sizes of memory stand in files of their own, named with {@code -XX:Flags}: the JVM reads those
 * before its command line, so that {@code JDK_JAVA_OPTIONS}, which counts as the beginning of the
 * command line, wins over them. In the argument files it would lose.
 *
 * @param home the folder that becomes /opt/parlance
 */
record ArgFiles(Path home) {
  /** Where everything lies in the image. */
  static final String HOME = "/opt/parlance";

  private static final List<String> COMMON =
      List.of(
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Dio.netty.jfr.enabled=false",
          "-Dfile.encoding=UTF-8",
          "-Djdk.reflect.useNativeAccessorOnly=true");

  /** Native libraries where they lie; nothing is unpacked at run time. */
  private static final List<String> NATIVES =
      List.of(
          "-Djava.library.path=" + HOME + "/native",
          "-Dorg.sqlite.lib.path=" + HOME + "/native",
          "-Donnxruntime.native.path=" + HOME + "/native");

  /** Where an image with encoders beside the built-in one has them. */
  private static final String MODELS = "-Dparlance.models=" + HOME + "/models";

  /** Flags of bin/proxy-flags that are not for every start of every container. */
  private static final List<String> NOT_FIXED =
      List.of("-Xmx", "-XX:MaxDirectMemorySize=", "-Dio.netty.processId=");

  /**
   * Writes them.
   *
   * @param sidecar what bin/proxy-flags says for the memory limit that the injector sets by default
   * @param classPath of a sidecar, names below the folder
   */
  void write(List<String> sidecar, List<String> classPath) throws IOException {
    writeSidecar(sidecar, classPath);
    String all = HOME + "/parlance-cli.jar:" + HOME + "/lib/*";
    List<String> control = new ArrayList<>(COMMON);
    control.addAll(NATIVES);
    control.add(MODELS);
    control.add("-XX:MinRAMPercentage=50");
    control.add("-XX:MaxRAMPercentage=50");
    // What outlives two collections is the ledger's state; copying it fifteen times is a pause.
    control.add("-XX:MaxTenuringThreshold=2");
    control.add("-XX:+ExitOnOutOfMemoryError");
    control.add("-Dparlance.log.level=info");
    write("control.args", control, all, "dev.parlance.cli.Main");
    List<String> command = new ArrayList<>(COMMON);
    command.addAll(NATIVES);
    command.add(MODELS);
    command.add("-XX:MinRAMPercentage=50");
    command.add("-XX:MaxRAMPercentage=50");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+ExitOnOutOfMemoryError");
    write("cli.args", command, all, "dev.parlance.cli.Main");
  }

  private void writeSidecar(List<String> sidecar, List<String> classPath) throws IOException {
    List<String> flags = new ArrayList<>();
    List<String> sizes = new ArrayList<>();
    for (String flag : sidecar) {
      if (flag.startsWith("-Xmx")) {
        sizes.add("MaxHeapSize=" + bytes(flag.substring("-Xmx".length())));
      } else if (flag.startsWith("-XX:MaxDirectMemorySize=")) {
        sizes.add("MaxDirectMemorySize=" + bytes(flag.substring(flag.indexOf('=') + 1)));
      } else if (NOT_FIXED.stream().noneMatch(flag::startsWith)) {
        flags.add(flag);
      }
    }
    if (sizes.size() != 2) {
      throw new IllegalArgumentException("bin/proxy-flags names no sizes: " + sidecar);
    }
    Files.write(home.resolve("proxy.flags"), (String.join("\n", sizes) + "\n").getBytes(UTF_8));
    flags.add("-XX:Flags=" + HOME + "/proxy.flags");
    flags.addAll(NATIVES);
    // the first process of a container; its ids of channels need to differ only within itself
    flags.add("-Dio.netty.processId=1");
    flags.add("-XX:AOTCache=" + HOME + "/proxy.aot");
    String path = String.join(":", classPath.stream().map(jar -> HOME + "/" + jar).toList());
    write("proxy.args", flags, path, "dev.parlance.cli.run.ProxyMain");
  }

  private void write(String name, List<String> flags, String classPath, String main)
      throws IOException {
    List<String> lines = new ArrayList<>(flags);
    lines.add("-cp");
    lines.add(classPath);
    lines.add(main);
    // quoted, for # begins a comment and blanks divide
    String text = String.join("\n", lines.stream().map(line -> '"' + line + '"').toList()) + "\n";
    Files.write(home.resolve(name), text.getBytes(UTF_8));
  }

  /** Of a size such as 48m. */
  private static long bytes(String size) {
    long unit =
        switch (size.charAt(size.length() - 1)) {
          case 'k' -> 1L << 10;
          case 'm' -> 1L << 20;
          case 'g' -> 1L << 30;
          default -> throw new IllegalArgumentException("no size with a unit: " + size);
        };
    return Math.multiplyExact(Long.parseLong(size, 0, size.length() - 1, 10), unit);
  }
}
