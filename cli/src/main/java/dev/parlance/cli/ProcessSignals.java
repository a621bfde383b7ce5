package dev.parlance.cli;

import java.lang.reflect.Proxy;

/**
 * ProcessSignals of the operating system that a command does something of its own with. By
 * reflection: the compiler warns of the JDK's only class for signals, and cannot be told not to.
 */
public final class ProcessSignals {
  private ProcessSignals() {}

  /**
   * Has a signal do this instead of what it does to a JVM. Nothing changes where there are no
   * signals, or where whoever started this process has it ignored (nohup, a shell's background).
   *
   * @param name without SIG, such as {@code HUP}
   * @param action runs on a thread of its own
   */
  public static void handle(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object handling =
          Proxy.newProxyInstance(
              ProcessSignals.class.getClassLoader(),
              new Class<?>[] {handler},
              (_, method, arguments) -> {
                if (method.getName().equals("handle") && arguments.length == 1) {
                  action.run();
                }
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), handling);
    } catch (ReflectiveOperationException _) {
      // it does what it did before
    }
  }
}
