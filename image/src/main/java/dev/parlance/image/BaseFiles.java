package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What stands below the JVM: the C and C++ libraries, {@code nft} with its own, names of protocols
 * and ports, certificates of public authorities, users. Only the files that are used are taken from
 * the packages, with every package's licence. There is no shell and no other program.
 *
 * @param packages a folder of unpacked packages
 */
record BaseFiles(Path packages, Platform platform) {
  /** Uid and gid that the image runs as; no image that we know of uses it. */
  static final int UID = 2717;

  private static final List<String> LIBRARIES =
      List.of(
          "libc.so.6",
          "libm.so.6",
          "libdl.so.2",
          "libpthread.so.0",
          "librt.so.1",
          "libresolv.so.2",
          "libz.so.1",
          "libgcc_s.so.1",
          "libstdc++.so.6",
          "libnftables.so.1",
          "libnftnl.so.11",
          "libmnl.so.0",
          "libxtables.so.12",
          "libjansson.so.4",
          "libgmp.so.10",
          "libedit.so.2",
          "libtinfo.so.6",
          "libbsd.so.0",
          "libmd.so.0");

  /** Writes them below the root. */
  void writeTo(Path root) throws IOException {
    Path libraries = Files.createDirectories(root.resolve("usr/lib").resolve(platform.triplet()));
    for (String name : LIBRARIES) {
      Trees.copyFile(library(name).toRealPath(), libraries.resolve(name));
    }
    // The loader's name is compiled into every program; the folders are one, as on Debian itself.
    Path loader = platform.loader();
    Trees.copyFile(
        packages.resolve("libc6").resolve(loader.toString()).toRealPath(),
        root.resolve("usr").resolve(loader.toString()));
    link(root, "lib", "usr/lib");
    if (loader.startsWith("lib64")) {
      link(root, "lib64", "usr/lib64");
    }
    Trees.copyFile(
        packages.resolve("nftables/usr/sbin/nft"),
        Files.createDirectories(root.resolve("usr/sbin")).resolve("nft"));
    link(root, "sbin", "usr/sbin");
    Trees.copy(
        packages.resolve("libc-bin/usr/lib/locale/C.utf8"), root.resolve("usr/lib/locale/C.utf8"));
    for (String name : List.of("protocols", "services")) {
      Trees.copyFile(
          packages.resolve("netbase/etc").resolve(name), root.resolve("etc").resolve(name));
    }
    writeCertificates(root);
    writeLicences(root);
    writeUsers(root);
    for (String mountPoint : List.of("dev", "proc", "sys")) {
      Files.createDirectories(root.resolve(mountPoint));
    }
    for (String writable : List.of("tmp", "var/lib/parlance")) {
      // a sticky bit, which Files knows no name for
      Files.setAttribute(Files.createDirectories(root.resolve(writable)), "unix:mode", 01777);
    }
  }

  private Path library(String name) throws IOException {
    try (Stream<Path> all = Files.walk(packages, 7)) {
      Optional<Path> found =
          all.filter(path -> path.endsWith(Path.of(platform.triplet(), name)))
              .filter(Files::exists)
              .findFirst();
      return found.orElseThrow(() -> new IOException("no package of the lock has " + name));
    }
  }

  private static void link(Path root, String name, String target) throws IOException {
    Files.createSymbolicLink(root.resolve(name), Path.of(target));
  }

  /** All authorities that Debian ships, in one file where OpenSSL and others look for it. */
  private void writeCertificates(Path root) throws IOException {
    var bundle = new ByteArrayOutputStream();
    for (Path file : Trees.inOrder(packages.resolve("ca-certificates/usr/share/ca-certificates"))) {
      if (file.toString().endsWith(".crt")) {
        bundle.writeBytes(Files.readAllBytes(file));
      }
    }
    Path folder = Files.createDirectories(root.resolve("etc/ssl/certs"));
    Files.write(folder.resolve("ca-certificates.crt"), bundle.toByteArray());
  }

  private void writeLicences(Path root) throws IOException {
    try (Stream<Path> all = Files.list(packages)) {
      for (Path one : all.sorted().toList()) {
        String name = String.valueOf(one.getFileName());
        Path notice = one.resolve("usr/share/doc").resolve(name).resolve("copyright");
        if (!Files.exists(notice)) {
          // a link into the package it was built with
          notice = packages.resolve("gcc-12-base/usr/share/doc/gcc-12-base/copyright");
        }
        Trees.copyFile(
            notice.toRealPath(), root.resolve("usr/share/doc").resolve(name).resolve("copyright"));
      }
    }
    Trees.copy(
        packages.resolve("base-files/usr/share/common-licenses"),
        root.resolve("usr/share/common-licenses"));
  }

  private static void writeUsers(Path root) throws IOException {
    write(
        root,
        "etc/passwd",
        """
        root:x:0:0:root:/:/nonexistent
        parlance:x:%1$d:%1$d:Parlance:/var/lib/parlance:/nonexistent
        nobody:x:65534:65534:nobody:/nonexistent:/nonexistent
        """
            .formatted(UID));
    write(
        root,
        "etc/group",
        """
        root:x:0:
        parlance:x:%d:
        nogroup:x:65534:
        """
            .formatted(UID));
    write(root, "etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
  }

  private static void write(Path root, String name, String text) throws IOException {
    Files.write(root.resolve(name), text.getBytes(UTF_8));
  }
}
