package dev.parlance.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.SocketException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class OpenFilesTest {
  @Test
  void wantOfDescriptors_isSeen_howeverDeepItIs() {
    SocketException socket = new SocketException("Too many open files");
    assertThat(OpenFiles.areUsedUp(socket)).isTrue();
    assertThat(OpenFiles.areUsedUp(new FileSystemException("a", null, "Too many open files")))
        .isTrue();
    // as a channel is opened by its constructor
    assertThat(
            OpenFiles.areUsedUp(
                new IllegalStateException(
                    "no channel",
                    new InvocationTargetException(new IllegalStateException("no", socket)))))
        .isTrue();
  }

  @Test
  void otherFailures_areOthers() {
    assertThat(OpenFiles.areUsedUp(new IOException("Permission denied", new IOException())))
        .isFalse();
    assertThat(OpenFiles.areUsedUp(new IllegalStateException())).isFalse();
    IOException first = new IOException("a");
    IOException second = new IOException("b", first);
    first.initCause(second);
    assertThat(OpenFiles.areUsedUp(second)).isFalse();
  }
}
