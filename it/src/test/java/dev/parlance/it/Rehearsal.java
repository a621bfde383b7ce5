package dev.parlance.it;

import dev.parlance.cli.Main;
import dev.parlance.control.testing.Kit;
import dev.parlance.service.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a control plane and two sidecars do in their first seconds, in one process, so that {@link
 * ChildJvm} learns their classes.
 */
final class Rehearsal {
  private Rehearsal() {}

  /**
   * @param args the folder in which to work
   */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    try (Kit kit = Kit.start(folder.resolve("control"));
        PactPair pair = new PactPair(Files.createDirectory(folder.resolve("pair")), kit)) {
      int status = pair.send("{\"name\":\"Ada\",\"company\":\"Acme\"}").statusCode();
      if (status != 200) {
        throw new IllegalStateException("it was answered with " + status);
      }
    }
    // what runs beside an agent; it ends this process
    Main.main(new String[] {"run", "--agent-port", "9", "--", "true"});
  }
}
