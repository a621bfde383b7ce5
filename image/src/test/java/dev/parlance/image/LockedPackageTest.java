package dev.parlance.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockedPackageTest {
  private static final String HASH = "0123456789abcdef".repeat(4);

  @Test
  void linesAreReadAndCommentsAreNot(@TempDir Path folder) throws Exception {
    Path lock = folder.resolve("lock");
    Files.writeString(lock, "# a comment\n\nlibstdc++6 1:12.2+b~1 amd64 " + HASH + " # another\n");
    assertThat(LockedPackage.read(lock))
        .containsExactly(new LockedPackage("libstdc++6", "1:12.2+b~1", "amd64", HASH));
  }

  @Test
  void aptsFileNameAndThePackageUrlEscapeWhatTheyMust() {
    var one = new LockedPackage("libstdc++6", "1:12.2+b", "amd64", HASH);
    assertThat(one.fileName()).isEqualTo("libstdc++6_1%3a12.2+b_amd64.deb");
    assertThat(one.url()).isEqualTo("pkg:deb/debian/libstdc%2B%2B6@1%3A12.2%2Bb?arch=amd64");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "libc6 2.36 amd64",
        "libc6 2.36 amd64 0123",
        "../libc6 2.36 amd64 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "libc6 2.36 amd64 0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
        "libc6 2.36 amd64 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef more"
      })
  void whatIsNoPackageWithItsHashIsRefused(String line, @TempDir Path folder) throws Exception {
    Path lock = Files.writeString(folder.resolve("lock"), line + "\n");
    assertThatThrownBy(() -> LockedPackage.read(lock)).isInstanceOf(IllegalArgumentException.class);
  }

  /** The two locks of the repository name the same packages, for two kinds of machines. */
  @Test
  void everyKindOfMachineHasTheSamePackages() throws Exception {
    List<String> amd = names("debian-amd64.lock");
    assertThat(amd).contains("libc6", "nftables", "libstdc++6").doesNotHaveDuplicates();
    assertThat(names("debian-arm64.lock")).isEqualTo(amd);
  }

  private static List<String> names(String lock) throws Exception {
    return LockedPackage.read(Path.of(lock)).stream().map(LockedPackage::name).toList();
  }
}
