package dev.parlance.image;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The machine that the image is for: the one that builds it. */
enum Platform {
  AMD64("amd64", "x86_64-linux-gnu", "lib64/ld-linux-x86-64.so.2", "linux-x64", "x86_64", "x86_64"),
  ARM64(
      "arm64",
      "aarch64-linux-gnu",
      "lib/ld-linux-aarch64.so.1",
      "linux-aarch64",
      "aarch64",
      "aarch_64");

  private final String debian;
  private final String triplet;
  private final String loader;
  private final String onnx;
  private final String sqlite;
  private final String netty;

  Platform(String debian, String triplet, String loader, String onnx, String sqlite, String netty) {
    this.debian = debian;
    this.triplet = triplet;
    this.loader = loader;
    this.onnx = onnx;
    this.sqlite = sqlite;
    this.netty = netty;
  }

  /** Of this machine; empty where there is no image. */
  static Optional<Platform> current() {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      return Optional.empty();
    }
    return switch (System.getProperty("os.arch", "").toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64" -> Optional.of(AMD64);
      case "aarch64" -> Optional.of(ARM64);
      default -> Optional.empty();
    };
  }

  /** Debian's name, which is OCI's too. */
  String debian() {
    return debian;
  }

  /** As archives for people are called. */
  String archive() {
    return this == AMD64 ? "linux-x64" : "linux-arm64";
  }

  String triplet() {
    return triplet;
  }

  /** The dynamic loader, from the root. */
  Path loader() {
    return Path.of(loader);
  }

  /** Where this entry of a jar goes if it is a native library for this machine. */
  Optional<String> nativeName(String entry) {
    String name = entry.substring(entry.lastIndexOf('/') + 1);
    boolean mine =
        (entry.startsWith("ai/onnxruntime/native/" + onnx + "/") && name.endsWith(".so"))
            || entry.equals("org/sqlite/native/Linux/" + sqlite + "/libsqlitejdbc.so")
            || (entry.startsWith("META-INF/native/libnetty_")
                && name.endsWith("_" + netty + ".so"));
    return mine ? Optional.of(name) : Optional.empty();
  }

  /** Whether this entry of a jar is a native library, for whatever machine, or belongs to one. */
  static boolean isNative(String entry) {
    return !entry.endsWith("/")
        && (entry.startsWith("ai/onnxruntime/native/")
            || entry.startsWith("org/sqlite/native/")
            || entry.startsWith("META-INF/native/libnetty_"));
  }
}
