package dev.parlance.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.config.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IoWordsTest {
  @Test
  void aFileThatIsNotThere_isNamed_withWhatIsTheMatter(@TempDir Path folder) {
    Path none = folder.resolve("token");
    try {
      Files.readString(none);
    } catch (IOException e) {
      assertThat(e.getMessage()).isEqualTo(none.toString()); // which says nothing
      assertThat(IoWords.withFile(e)).isEqualTo(none + ": not found");
    }
    assertThat(IoWords.withFile(new IOException("the disk is full"))).isEqualTo("the disk is full");
    assertThat(IoWords.why(new FileSystemException("/a", null, null))).isEqualTo("cannot be used");
    assertThat(IoWords.why(new NoSuchFileException("/a"))).isEqualTo("not found");
  }

  @Test
  void aCallThatFailed_hasTheReasonBelowIt() {
    var refused =
        new ConnectException("finishConnect(..) failed with error(-111): Connection refused: /::1");
    assertThat(IoWords.ofCall("io exception", refused)).isEqualTo("connection refused");
    assertThat(IoWords.ofCall(null, refused)).isEqualTo("connection refused");
    assertThat(IoWords.ofCall("no such plan", refused)).isEqualTo("no such plan");
    assertThat(IoWords.ofCall(null, null)).isNotBlank().doesNotContain("null");
  }

  @Test
  void anAddress_isWrittenAsItIsRead() {
    for (String address : new String[] {"127.0.0.1:9", "[::1]:7070", "control.example"}) {
      assertThat(HostPort.parse(address)).get().hasToString(address);
    }
  }
}
