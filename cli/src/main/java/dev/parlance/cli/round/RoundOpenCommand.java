package dev.parlance.cli.round;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.client.ControlClient;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.Round;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "open")
final class RoundOpenCommand extends ControlPlaneCommand<Round> {
  private static final int MOST_SUBJECT_BYTES = 64 << 10;

  @Mixin RoundCommand.RoundName round = new RoundCommand.RoundName();

  @Option(
      names = {"-m", "--member"},
      paramLabel = "AGENT",
      split = ",",
      required = true,
      description = "who may propose; may stand several times, or several with commas")
  List<String> members = new ArrayList<>();

  @Option(
      names = {"-f", "--faults"},
      paramLabel = "N",
      required = true,
      description = "most members that may be faulty; n members stand at most (n-1)/3")
  int faults;

  @Option(
      names = "--deadline",
      paramLabel = "MS",
      description = "how long proposals are taken, in ms (default: the control plane's)")
  int deadlineMs;

  @Option(
      names = "--cos-min",
      paramLabel = "X",
      description = "smallest cosine within a semantic core (default: the encoder's)")
  Optional<Double> cosMin = Optional.empty();

  @Option(
      names = "--extra-margin",
      paramLabel = "N",
      description = "what a verdict commit asks for beyond the safe margin (default: 0)")
  int extraMargin;

  @Option(
      names = "--agreement",
      paramLabel = "RULE",
      description =
          "what makes two members mean the same: critical, near vectors and nothing critical"
              + " between their texts; vectors, near vectors alone. Default: the control plane's.")
  String agreement = "";

  @Option(
      names = "--signatures",
      paramLabel = "RULE",
      description =
          "whether members sign what they propose and the outcome: offered, those that have a key"
              + " do; required, a proposal without signature is refused. Default: the control"
              + " plane's.")
  String signatures = "";

  @Option(names = "--strict", description = "no verdict commit: a semantic commit or an abort")
  boolean strict;

  @Option(names = "--without-encoder", description = "verdicts only, no semantic commit")
  boolean withoutEncoder;

  @Option(
      names = "--subject-file",
      paramLabel = "FILE",
      description = "what is decided about, UTF-8, at most 64 KiB; - is standard input")
  Optional<String> subjectFile = Optional.empty();

  @Override
  protected void check() {
    for (String member : members) {
      if (!RoundNames.isName(member)) {
        throw CommandProblem.usage(
            "--member: not an id of an agent: " + TerminalEscaper.shortened(member, 80));
      }
    }
    if (faults < 0 || deadlineMs < 0 || extraMargin < 0) {
      throw CommandProblem.usage(
          "--faults, --deadline and --extra-margin: expected no negative number");
    }
    round.check();
  }

  @Override
  protected Round ask(ControlClient client) throws IOException {
    var request =
        OpenRoundRequest.newBuilder()
            .setRound(round.name)
            .setEpoch(round.epoch)
            .addAllMembers(members)
            .setFaults(faults)
            .setDeadlineMs(deadlineMs)
            .setExtraMargin(extraMargin)
            .setStrictSemantic(strict)
            .setAgreement(agreement)
            .setSignatures(signatures)
            .setWithoutEncoder(withoutEncoder)
            .setSubject(subjectFile.isPresent() ? subject(subjectFile.get()) : "");
    cosMin.ifPresent(request::setCosMin);
    return client.rounds().ask(stub -> stub.openRound(request.build()));
  }

  private String subject(String file) throws IOException {
    byte[] bytes;
    if (file.equals("-")) {
      bytes = terminal.in().readNBytes(MOST_SUBJECT_BYTES + 1);
    } else {
      try (InputStream in = Files.newInputStream(Path.of(file))) {
        bytes = in.readNBytes(MOST_SUBJECT_BYTES + 1);
      }
    }
    if (bytes.length > MOST_SUBJECT_BYTES) {
      throw new IOException(
          TerminalEscaper.line(file) + " has more than " + MOST_SUBJECT_BYTES + " bytes");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException(TerminalEscaper.line(file) + " is not UTF-8", e);
    }
  }

  @Override
  protected void text(Round opened) {
    terminal.line(
        "round %s, epoch %s, is %s; encoder %s, %s ms left",
        opened.getRound(),
        opened.getEpoch(),
        opened.getState(),
        opened.getEncoder(),
        opened.getLeftMs());
    terminal.line("  parlance round watch " + opened.getRound());
  }
}
