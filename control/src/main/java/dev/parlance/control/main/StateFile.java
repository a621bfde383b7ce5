package dev.parlance.control.main;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * {@code control.json} in the data folder, by which tools on this machine find the control plane; a
 * reader sees the old or the new one whole.
 */
final class StateFile {
  static final String NAME = "control.json";

  private StateFile() {}

  static void write(Path folder, String grpc, String http, String coreVkey, String ledgerVkey)
      throws IOException {
    String json =
        "{\"grpc\":\"%s\",\"http\":\"%s\",\"pid\":%d,\"coreKey\":\"%s\",\"ledgerKey\":\"%s\"}\n"
            .formatted(grpc, http, ProcessHandle.current().pid(), coreVkey, ledgerVkey);
    Path draft = Files.createTempFile(folder, "." + NAME, ".tmp");
    Files.write(draft, json.getBytes(StandardCharsets.UTF_8));
    Files.move(
        draft,
        folder.resolve(NAME),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }
}
