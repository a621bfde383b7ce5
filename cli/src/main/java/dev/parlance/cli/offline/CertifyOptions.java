package dev.parlance.cli.offline;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Multiplicity;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The constants of Algorithm 1 as options. */
final class CertifyOptions {
  @Option(
      names = "--tau",
      paramLabel = "RATE",
      description = "largest tolerable contradiction rate, in (0,1) (default: 0.05)")
  double tau = CertificationParams.DEFAULT.tau();

  @Option(
      names = "--delta",
      paramLabel = "P",
      description =
          "probability at most which a term worse than tau is certified, in (0,0.5] "
              + "(default: 0.05)")
  double delta = CertificationParams.DEFAULT.delta();

  @Option(
      names = "--rho-min",
      paramLabel = "SHARE",
      description = "least coverage k / n_aud, in [0,1] (default: 0.1)")
  double rhoMin = CertificationParams.DEFAULT.rhoMin();

  @Option(
      names = "--bound",
      paramLabel = "BOUND",
      description =
          "exact (Clopper-Pearson, default), wilson (the paper's) or anytime (holds "
              + "however often one looks)")
  Bound bound = CertificationParams.DEFAULT.bound();

  @Option(
      names = "--multiplicity",
      paramLabel = "WHAT",
      description =
          "per_term (default): delta is each term's; family: delta is the probability that "
              + "the core holds any term worse than tau")
  Multiplicity multiplicity = Multiplicity.PER_TERM;

  @Spec(Spec.Target.MIXEE)
  CommandSpec command = CommandSpec.create();

  /** The constants; a value out of range is a wrong command line. */
  CertificationParams params() {
    try {
      return new CertificationParams(tau, delta, rhoMin, bound);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          command.commandLine(), String.valueOf(e.getMessage()).replace("rhoMin", "rho-min"));
    }
  }
}
