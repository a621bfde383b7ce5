package dev.parlance.image;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Writes an archive in the ustar format of POSIX.1-1988: blocks of 512 bytes, a header before each
 * file, two empty blocks at the end. Nothing of the machine gets in but names, contents and whether
 * a file is executable: owners, times and modes are given.
 *
 * @param mtime of every entry, in seconds since 1970
 */
record TarWriter(OutputStream out, long mtime) implements AutoCloseable {
  private static final int BLOCK = 512;
  private static final int NAME = 100;
  private static final int PREFIX = 155;

  /** A file, folder or link as it lies there, owned by the user. */
  void add(Path root, Path fromRoot, Owner owner) throws IOException {
    Path path = root.resolve(fromRoot.toString());
    String name = fromRoot.toString();
    if (Files.isSymbolicLink(path)) {
      header(name, '2', 0777, 0, Files.readSymbolicLink(path).toString(), Owner.ROOT);
    } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      header(name + "/", '5', owner.folderMode(), 0, "", owner);
    } else {
      long size = Files.size(path);
      header(name, '0', Files.isExecutable(path) ? 0755 : 0644, size, "", owner);
      long copied = Files.copy(path, out);
      if (copied != size) {
        throw new IOException(path + " changed while it was read");
      }
      pad(size);
    }
  }

  /** A file of these bytes. */
  void add(String name, byte[] bytes) throws IOException {
    header(name, '0', 0644, bytes.length, "", Owner.ROOT);
    out.write(bytes);
    pad(bytes.length);
  }

  /** Who owns an entry. */
  enum Owner {
    ROOT(0, 0755),
    /** The user of the image; anybody may write there, for a volume may make it another's. */
    PARLANCE(BaseFiles.UID, 01777);

    private final int id;
    private final int folderMode;

    Owner(int id, int folderMode) {
      this.id = id;
      this.folderMode = folderMode;
    }

    int folderMode() {
      return folderMode;
    }
  }

  private void header(String name, char type, int mode, long size, String link, Owner owner)
      throws IOException {
    byte[] block = new byte[BLOCK];
    putName(block, name);
    octal(block, 100, 8, mode);
    octal(block, 108, 8, owner.id);
    octal(block, 116, 8, owner.id);
    octal(block, 124, 12, size);
    octal(block, 136, 12, mtime);
    block[156] = (byte) type;
    text(block, 157, NAME, link);
    text(block, 257, 6, "ustar");
    block[263] = '0';
    block[264] = '0';
    octal(block, 329, 8, 0);
    octal(block, 337, 8, 0);
    // the sum counts its own field as blanks
    Arrays.fill(block, 148, 156, (byte) ' ');
    int sum = 0;
    for (byte b : block) {
      sum += Byte.toUnsignedInt(b);
    }
    octal(block, 148, 7, sum);
    out.write(block);
  }

  /** A long name is divided at a slash: what is before it goes into a field of its own. */
  private static void putName(byte[] block, String name) {
    if (name.getBytes(UTF_8).length <= NAME) {
      text(block, 0, NAME, name);
      return;
    }
    // a folder's own slash, the last character, stays with its name
    int cut = name.lastIndexOf('/', Math.min(PREFIX, name.length() - 2));
    if (cut <= 0) {
      throw new IllegalArgumentException("too long for an archive: " + name);
    }
    text(block, 0, NAME, name.substring(cut + 1));
    text(block, 345, PREFIX, name.substring(0, cut));
  }

  private static void text(byte[] block, int at, int length, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    if (bytes.length > length) {
      throw new IllegalArgumentException("too long for an archive: " + text);
    }
    System.arraycopy(bytes, 0, block, at, bytes.length);
  }

  private static void octal(byte[] block, int at, int length, long value) {
    String digits = Long.toOctalString(value);
    if (value < 0 || digits.length() > length - 1) {
      throw new IllegalArgumentException("too large for an archive: " + value);
    }
    byte[] bytes = ("0".repeat(length - 1 - digits.length()) + digits).getBytes(US_ASCII);
    System.arraycopy(bytes, 0, block, at, bytes.length);
    block[at + length - 1] = 0;
  }

  private void pad(long size) throws IOException {
    int rest = (int) (size % BLOCK);
    if (rest != 0) {
      out.write(new byte[BLOCK - rest]);
    }
  }

  /** Writes the end; the stream below stays open. */
  @Override
  public void close() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.flush();
  }
}
