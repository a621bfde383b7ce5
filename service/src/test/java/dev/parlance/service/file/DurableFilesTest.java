package dev.parlance.service.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DurableFilesTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("log");
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  @Test
  void appendLines_afterATornLine_beginsALineOfItsOwn() throws IOException {
    Files.writeString(file, "one\ntw");
    try (AppendLog log = AppendLog.open(file, Disk.REAL)) {
      log.appendLines(bytes("three\n"));
      log.appendLines(bytes("four\n"));
      assertThat(log.size()).isEqualTo(Files.size(file));
    }
    assertThat(file).hasContent("one\ntw\nthree\nfour\n");
  }

  @Test
  void appendLines_thatFails_leavesWholeLines_andSaysWhich() throws IOException {
    Disk full =
        new Disk() {
          @Override
          public void write(FileChannel channel, ByteBuffer lines) throws IOException {
            ByteBuffer half = lines.slice(lines.position(), 6);
            lines.position(lines.position() + channel.write(half));
            throw new IOException("No space left on device");
          }
        };
    Files.writeString(file, "one\n");
    try (AppendLog log = AppendLog.open(file, full)) {
      ByteBuffer lines = bytes("two\nthree\n");
      assertThatThrownBy(() -> log.appendLines(lines)).hasMessageContaining("No space");
      assertThat(lines.position()).isEqualTo("two\n".length());
      assertThat(log.size()).isEqualTo("one\ntwo\n".length());
    }
    assertThat(file).hasContent("one\ntwo\n");
  }

  @Test
  void cut_dropsWhatIsBehindAPlace_andAppendGoesOnThere() throws IOException {
    Files.writeString(file, "recordrec");
    try (AppendLog log = AppendLog.open(file, Disk.REAL)) {
      log.cut(6);
      log.append(bytes("RECORD"));
    }
    assertThat(file).hasContent("recordRECORD");
  }

  @Test
  void rename_takesThePlaceOfAnotherLog_whichIsInPlaceNoMore() throws IOException {
    try (AppendLog old = AppendLog.open(file, Disk.REAL);
        AppendLog fresh = AppendLog.create(folder.resolve("log.new"), Disk.REAL)) {
      old.append(bytes("old"));
      fresh.append(bytes("new"));
      assertThat(old.isInPlace()).isTrue();
      fresh.rename(file);
      assertThat(old.isInPlace()).isFalse();
      assertThat(fresh.isInPlace()).isTrue();
    }
    assertThat(file).hasContent("new");
  }

  @Test
  void replace_isForItsOwnerOnly_andLeavesNoDraft() throws IOException {
    SafeFile.replace(file, "one");
    SafeFile.replace(file, "two");
    assertThat(file).hasContent("two");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void create_byManyAtOnce_hasOneWinnerWhoseContentStays() throws Exception {
    Path deep = folder.resolve("a/b/secret");
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      int winner = -1;
      for (Future<Integer> one :
          threads.invokeAll(
              IntStream.range(0, 8)
                  .<Callable<Integer>>mapToObj(
                      i -> () -> SafeFile.create(deep, new byte[] {(byte) i}) ? i : -1)
                  .toList())) {
        if (one.get() >= 0) {
          assertThat(winner).isEqualTo(-1);
          winner = one.get();
        }
      }
      assertThat(Files.readAllBytes(deep)).containsExactly(winner);
    }
    assertThat(SafeFile.create(deep, new byte[9])).isFalse();
  }
}
