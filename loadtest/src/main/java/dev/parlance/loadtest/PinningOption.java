package dev.parlance.loadtest;

import picocli.CommandLine.Option;

/** Option of the commands that bind processes to cores. */
final class PinningOption {
  @Option(names = "--no-pinning", description = "Do not bind processes to cores.")
  private boolean noPinning;

  Cores cores() {
    return noPinning ? Cores.UNPINNED : Cores.here();
  }
}
