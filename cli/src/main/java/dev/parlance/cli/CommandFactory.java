package dev.parlance.cli;

import java.lang.reflect.Constructor;
import picocli.CommandLine;

/** Makes commands and their subcommands, each with the terminal if its constructor takes one. */
record CommandFactory(Terminal terminal) implements CommandLine.IFactory {
  @Override
  public <K> K create(Class<K> type) throws Exception {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (constructor.getParameterCount() == 1
          && constructor.getParameterTypes()[0] == Terminal.class) {
        constructor.setAccessible(true);
        return type.cast(constructor.newInstance(terminal));
      }
    }
    return CommandLine.defaultFactory().create(type);
  }
}
