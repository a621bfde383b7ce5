package dev.parlance.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The packages of the lock file, by {@code apt-get download} and with nothing installed. A package
 * is what the lock says or it is not used: apt checks who signed it, we check its hash.
 *
 * @param cache where package files stay between builds
 */
record DebianPackages(Path cache, Program program) {
  /** What came of it. */
  sealed interface Fetched {
    /** Everything is there, unpacked: a folder for each package, by its name. */
    record Unpacked(Path folder, List<LockedPackage> packages) implements Fetched {}

    /** It cannot be had here. */
    record Missing(String why) implements Fetched {}
  }

  Fetched fetch(Path lock, Path folder) throws IOException, InterruptedException {
    if (!Program.isThere("dpkg-deb")) {
      return new Fetched.Missing("there is no dpkg-deb (Debian's package tools)");
    }
    if (!Files.isReadable(lock)) {
      return new Fetched.Missing("there is no lock of packages for this machine: " + lock);
    }
    List<LockedPackage> packages = LockedPackage.read(lock);
    Files.createDirectories(cache);
    List<LockedPackage> wanted = packages.stream().filter(p -> !isCached(p)).toList();
    if (!wanted.isEmpty()) {
      List<LockedPackage> missing = download(wanted);
      if (!missing.isEmpty()) {
        return new Fetched.Missing(
            "apt-get cannot fetch %s of %s with the hash it says; is the network there? If Debian has moved on, 'image/lock-packages' writes a new lock"
                .formatted(
                    String.join(", ", missing.stream().map(LockedPackage::name).toList()), lock));
      }
    }
    Trees.remove(folder);
    for (LockedPackage one : packages) {
      Path into = Files.createDirectories(folder.resolve(one.name()));
      program.mustRun(
          folder,
          Map.of(),
          List.of("dpkg-deb", "-x", cache.resolve(one.fileName()).toString(), into.toString()));
    }
    return new Fetched.Unpacked(folder, packages);
  }

  private boolean isCached(LockedPackage one) {
    Path file = cache.resolve(one.fileName());
    try {
      return Files.isRegularFile(file) && Hashes.of(file).equals(one.sha256());
    } catch (IOException e) {
      return false; // as good as not there: it is fetched again
    }
  }

  /** Those that could not be had. */
  private List<LockedPackage> download(List<LockedPackage> wanted)
      throws IOException, InterruptedException {
    if (!Program.isThere("apt-get")) {
      return wanted;
    }
    Path folder = Files.createTempDirectory(cache, "fetch");
    try {
      List<LockedPackage> rest = download(folder, List.of(), wanted);
      if (rest.isEmpty()) {
        return rest;
      }
      // Lists of our own, so that neither root nor a fresh list of the machine is needed.
      List<String> own = ownState(folder);
      int updated = program.run(folder, Map.of(), command(own, List.of("update")));
      return updated == 0 ? download(folder, own, rest) : rest;
    } finally {
      Trees.remove(folder);
    }
  }

  private List<LockedPackage> download(
      Path folder, List<String> options, List<LockedPackage> wanted)
      throws IOException, InterruptedException {
    List<String> names = wanted.stream().map(p -> p.name() + "=" + p.version()).toList();
    List<String> words = new ArrayList<>(List.of("download"));
    words.addAll(names);
    // One unknown version fails them all at once, so what is there counts, not the status.
    program.run(folder, Map.of(), command(options, words));
    for (LockedPackage one : wanted) {
      Path file = folder.resolve(one.fileName());
      if (Files.isRegularFile(file) && Hashes.of(file).equals(one.sha256())) {
        Files.move(file, cache.resolve(one.fileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return wanted.stream().filter(p -> !isCached(p)).toList();
  }

  private static List<String> command(List<String> options, List<String> words) {
    List<String> command = new ArrayList<>(List.of("apt-get", "-q"));
    // No sandbox user, who could not write to the folder; the build runs as whoever it runs as.
    command.addAll(List.of("-o", "APT::Sandbox::User=" + System.getProperty("user.name")));
    command.addAll(options);
    command.addAll(words);
    return command;
  }

  private static List<String> ownState(Path folder) throws IOException {
    Path lists = Files.createDirectories(folder.resolve("lists/partial"));
    Path archives = Files.createDirectories(folder.resolve("archives/partial"));
    return List.of(
        "-o", "Dir::State::Lists=" + lists.getParent(),
        "-o", "Dir::Cache=" + folder,
        "-o", "Dir::Cache::Archives=" + archives.getParent());
  }
}
