package dev.parlance.image;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whole folders: copied, removed, given one time. Links are kept as links. */
final class Trees {
  private Trees() {}

  static void remove(Path tree) throws IOException {
    if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem)
              throws IOException {
            if (problem != null) {
              throw problem;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  static void copy(Path from, Path to) throws IOException {
    for (Path source : inOrder(from)) {
      Path target = to.resolve(from.relativize(source).toString());
      if (Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectories(target);
      } else {
        copyFile(source, target);
      }
    }
  }

  /** A file with its permissions, a link as a link; makes the folders above it. */
  static void copyFile(Path from, Path to) throws IOException {
    Path folder = to.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.copy(
        from,
        to,
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.COPY_ATTRIBUTES,
        LinkOption.NOFOLLOW_LINKS);
  }

  /** Everything below the folder and itself, in an order that only names decide. */
  static List<Path> inOrder(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      return all.sorted((a, b) -> a.toString().compareTo(b.toString())).toList();
    }
  }

  /** Gives everything below the folder one time of change. */
  static void stamp(Path tree, FileTime time) throws IOException {
    for (Path path : inOrder(tree)) {
      if (!Files.isSymbolicLink(path)) {
        Files.getFileAttributeView(path, BasicFileAttributeView.class).setTimes(time, null, null);
      }
    }
  }
}
