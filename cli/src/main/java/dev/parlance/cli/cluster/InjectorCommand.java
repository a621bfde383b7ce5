package dev.parlance.cli.cluster;

import dev.parlance.cli.BuildInfo;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.inject.kube.KubeAccess;
import dev.parlance.inject.main.Injector;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.service.IoWords;
import dev.parlance.service.Lifecycle;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The admission webhook as a process. */
@Command(name = "injector")
final class InjectorCommand extends TerminalCommand {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "the injector's file (docs/injection.md)")
  Path config = Path.of("");

  @Option(
      names = "--drain",
      paramLabel = "MS",
      defaultValue = "5000",
      description = "time for API servers to hear that it is not ready (default: 5000)")
  int drainMs;

  @Override
  public Integer call() throws InterruptedException {
    if (drainMs < 0 || drainMs > 600_000) {
      return terminal.usage("injector: --drain: expected 0 to 600000, got " + drainMs);
    }
    return switch (SettingsReader.load(config)) {
      case ConfigResult.Refused<InjectorSettings> refused -> {
        refused.problems().forEach(problem -> terminal.note(config + ": " + problem));
        yield ExitStatus.USAGE;
      }
      case ConfigResult.Loaded<InjectorSettings>(InjectorSettings settings) -> run(settings);
    };
  }

  private int run(InjectorSettings settings) throws InterruptedException {
    Injector injector;
    try {
      injector =
          Injector.start(
              config,
              settings,
              BuildInfo.load().version(),
              KubeAccess.inCluster(System.getenv(), KubeAccess.FOLDER),
              Clock.systemUTC(),
              Injector.Intervals.DEFAULT);
    } catch (IOException e) {
      return terminal.fail("injector: cannot start: " + IoWords.withFile(e));
    }
    Lifecycle.closeOnSignal(() -> drain(injector), () -> ExitStatus.OK);
    terminal.println(
        "parlance injector: webhook port %s, health port %s",
        injector.port(), injector.healthPort());
    terminal.out().flush();
    new CountDownLatch(1).await();
    return ExitStatus.OK;
  }

  private void drain(Injector injector) {
    injector.drain();
    try {
      Thread.sleep(drainMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    injector.close();
  }
}
