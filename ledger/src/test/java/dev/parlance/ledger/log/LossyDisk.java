package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFiles.FileOps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A disk that loses its power at a chosen call: what was forced is there afterwards; of everything
 * else any part may be, contents and names each by itself, contents torn at sectors.
 */
final class LossyDisk implements FileOps {
  private static final int SECTOR = 512;

  /** The process is gone: nothing it does counts any more. */
  static final class PowerLost extends IOException {
    private static final long serialVersionUID = 1;

    PowerLost() {
      super("the power is gone");
    }
  }

  /** A file's content, or a directory. */
  private static final class Node {
    private final boolean isDirectory;
    private byte[] now = {};
    private byte[] durable = {};

    Node(boolean isDirectory) {
      this.isDirectory = isDirectory;
    }
  }

  private final Path root;
  private final Map<Path, Node> names = new HashMap<>();
  private final Map<Path, Node> durableNames = new HashMap<>();
  private final Map<FileChannel, Node> opened = new IdentityHashMap<>();

  /** Calls until the power is lost; negative: it is not. */
  private int left = -1;

  private boolean isLost;

  /**
   * A disk.
   *
   * @param root the directory that everything happens in
   */
  LossyDisk(Path root) {
    this.root = root;
  }

  /** Takes what is there for durable. */
  synchronized void knows() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(one -> !one.equals(root)).toList()) {
        Node node = new Node(Files.isDirectory(file));
        if (!node.isDirectory) {
          node.now = Files.readAllBytes(file);
          node.durable = node.now.clone();
        }
        names.put(file, node);
        durableNames.put(file, node);
      }
    }
  }

  /** Loses the power at a call from now on, from 0. */
  synchronized void loseAt(int call) {
    left = call;
  }

  synchronized boolean isLost() {
    return isLost;
  }

  private void call() throws PowerLost {
    if (!isLost && left >= 0) {
      isLost = left == 0;
      left--;
    }
    if (isLost) {
      throw new PowerLost();
    }
  }

  @Override
  public synchronized FileChannel open(Path file) throws IOException {
    FileChannel channel = FileOps.REAL.open(file);
    opened.put(channel, named(file));
    return channel;
  }

  private Node named(Path file) {
    return Optional.ofNullable(names.get(file))
        .orElseThrow(() -> new IllegalStateException("nobody has made " + file));
  }

  @Override
  public synchronized int write(FileChannel channel, ByteBuffer bytes) throws IOException {
    Node node = opened.get(channel);
    byte[] written = new byte[bytes.remaining()];
    bytes.get(bytes.position(), written);
    System.arraycopy(written, 0, node.now, Math.toIntExact(channel.position()), written.length);
    call(); // after it: some of the bytes may be on the disk
    return FileOps.REAL.write(channel, bytes);
  }

  @Override
  public synchronized void write(Path file, byte[] content) throws IOException {
    names.computeIfAbsent(file, _ -> new Node(false)).now = content.clone();
    call();
    FileOps.REAL.write(file, content);
  }

  @Override
  public synchronized void forceData(FileChannel channel) throws IOException {
    call();
    Node node = opened.get(channel);
    node.durable = node.now.clone();
  }

  @Override
  public synchronized void forceAt(Path path) throws IOException {
    call();
    Node node = names.get(path);
    if (node == null || node.isDirectory) {
      Set<Path> all = new HashSet<>(names.keySet());
      all.addAll(durableNames.keySet());
      for (Path name : all) {
        if (path.equals(name.getParent())) {
          set(durableNames, name, names.get(name));
        }
      }
    } else {
      node.durable = node.now.clone();
    }
  }

  private static void set(Map<Path, Node> map, Path name, @Nullable Node node) {
    if (node == null) {
      map.remove(name);
    } else {
      map.put(name, node);
    }
  }

  @Override
  public synchronized void createDirectory(Path directory) throws IOException {
    names.put(directory, new Node(true));
    call();
    FileOps.REAL.createDirectory(directory);
  }

  @Override
  public synchronized void delete(Path path) throws IOException {
    names.remove(path);
    call();
    FileOps.REAL.delete(path);
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    names.put(to, named(from));
    names.remove(from);
    call();
    FileOps.REAL.rename(from, to);
  }

  /** Writes what the disk may have after the power has come back. */
  synchronized void comesBack(Path into, Random random) throws IOException {
    Set<Path> all = new TreeSet<>(names.keySet());
    all.addAll(durableNames.keySet());
    Files.createDirectories(into);
    for (Path name : all) {
      Node node = (random.nextBoolean() ? names : durableNames).get(name);
      Path file = into.resolve(root.relativize(name).toString());
      if (node != null && Files.isDirectory(file.getParent())) {
        if (node.isDirectory) {
          Files.createDirectories(file);
        } else {
          Files.write(file, survives(node, random));
        }
      }
    }
  }

  private static byte[] survives(Node node, Random random) {
    if (Arrays.equals(node.now, node.durable)) {
      return node.now;
    }
    int length = random.nextBoolean() ? node.now.length : node.durable.length;
    byte[] mixed = new byte[length];
    int whole = random.nextInt(4); // 0: all new, 1: all old, else a mixture
    for (int at = 0; at < length; at += SECTOR) {
      byte[] from = whole == 0 || (whole > 1 && random.nextBoolean()) ? node.now : node.durable;
      int bytes = Math.min(Math.min(SECTOR, length - at), from.length - at);
      if (bytes > 0) {
        System.arraycopy(from, at, mixed, at, bytes);
      }
    }
    return mixed;
  }
}
