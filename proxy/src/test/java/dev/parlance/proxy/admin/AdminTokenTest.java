package dev.parlance.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminTokenTest {
  @TempDir Path dir = Path.of("");

  private Path file() {
    return dir.resolve("data").resolve(AdminToken.FILE_NAME);
  }

  private AdminToken opened() throws IOException {
    return AdminToken.open(dir.resolve("data"));
  }

  @Test
  void token_is32RandomBytes_inAFileOnlyItsOwnerReads_andIsKept() throws IOException {
    AdminToken first = opened();
    assertThat(first.text()).matches("[A-Za-z0-9_-]{43}");
    assertThat(Files.readString(file())).isEqualTo(first.text() + "\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    assertThat(opened().text()).isEqualTo(first.text());
    assertThat(AdminToken.open(dir.resolve("other")).text()).isNotEqualTo(first.text());
    try (var files = Files.list(dir.resolve("data"))) {
      assertThat(files).containsExactly(file());
    }
  }

  @Test
  void tokenThatOthersCouldRead_isReplaced() throws IOException {
    AdminToken first = opened();
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(opened().text()).isNotEqualTo(first.text());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void fileThatHoldsNoToken_isReplaced() throws IOException {
    opened();
    Files.writeString(file(), "short\n");
    assertThat(opened().text()).hasSize(43);
  }

  @Test
  void symbolicLink_isNotFollowed() throws IOException {
    Files.createDirectories(dir.resolve("data"));
    Files.createSymbolicLink(file(), dir.resolve("elsewhere"));
    assertThatThrownBy(this::opened)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected a regular file");
  }

  @Test
  void token_isNotInItsOwnText() throws IOException {
    AdminToken token = opened();
    assertThat(token.toString()).doesNotContain(token.text());
  }
}
