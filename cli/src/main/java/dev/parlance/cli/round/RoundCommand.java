package dev.parlance.cli.round;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlOptions;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.ListCommand;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TimeText;
import dev.parlance.client.CallRefused;
import dev.parlance.client.CheckedRound;
import dev.parlance.client.ControlClient;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.policy.text.Sha256;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.ListRoundsRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Everything about rounds that a control plane is asked for. */
@Command(
    name = "round",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RoundOpenCommand.class,
      RoundCommand.RoundShowCommand.class,
      RoundCommand.RoundListCommand.class,
      RoundCommand.RoundWatchCommand.class,
      RoundCommand.RoundExportCommand.class
    })
public final class RoundCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("round", RoundCommand.class);
  }

  @Command(name = "list")
  static final class RoundListCommand extends ListCommand.Limited<Round> {
    @Option(names = "--unfinished", description = "only rounds that have not ended")
    boolean unfinished;

    RoundListCommand() {
      super(
          "round, >epoch, state, >opened, >proposed, outcome, verdict",
          "no rounds (parlance round open NAME opens one)");
    }

    @Override
    protected List<Round> ask(ControlClient client) throws IOException {
      return list(client, limit, unfinished);
    }

    static List<Round> list(ControlClient client, int limit, boolean unfinished)
        throws IOException {
      var request =
          ListRoundsRequest.newBuilder().setLimit(limit).setUnfinished(unfinished).build();
      return client.rounds().ask(stub -> stub.listRounds(request)).getRoundsList();
    }

    @Override
    protected Object[] row(Round round) {
      return new Object[] {
        round.getRound(),
        round.getEpoch(),
        round.getState(),
        TimeText.since(round.getOpenedAtMs(), nowMs),
        RoundText.progress(round),
        new RoundText(terminal).outcome(round.getResult()),
        round.getResult().getVerdict()
      };
    }
  }

  /** Which round, and which epoch of it. */
  static final class RoundName {
    @Parameters(paramLabel = "ROUND", description = "name of the round")
    String name = "";

    @Option(
        names = "--epoch",
        paramLabel = "N",
        description = "this attempt at it (default: the newest)")
    long epoch;

    GetRoundRequest.Builder request(long epoch) {
      return GetRoundRequest.newBuilder().setRound(name).setEpoch(epoch);
    }

    /** Refuses what names no round. */
    void check() {
      check(name);
      if (epoch < 0) {
        throw CommandProblem.usage("--epoch: expected 1 or more, got " + epoch);
      }
    }

    /** Refuses what is no name of a round. */
    static void check(String name) {
      if (!RoundNames.isName(name) || name.length() > RoundId.MAX_ROUND_LENGTH) {
        throw CommandProblem.usage(
            "expected the name of a round, at most %s letters, digits and ._:/-, got %s"
                .formatted(RoundId.MAX_ROUND_LENGTH, TerminalEscaper.shortened(name, 80)));
      }
    }
  }

  /** A command that shows one round, checked; exit status 1 if something speaks against it. */
  abstract static class OneRound extends ControlPlaneCommand<CheckedRound> {
    @Mixin RoundName round = new RoundName();
    @Mixin ControlOptions.VerifyKeyOption verify = new ControlOptions.VerifyKeyOption();

    @Override
    protected void check() {
      round.check();
      verify.check();
    }

    @Override
    protected Object json(CheckedRound found) {
      return RoundText.view(found);
    }

    @Override
    protected void text(CheckedRound found) {
      new RoundText(terminal).print(found);
    }

    @Override
    protected int status(CheckedRound found) {
      return found.problems().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
    }
  }

  @Command(name = "show")
  static final class RoundShowCommand extends OneRound {
    @Option(names = "--texts", description = "also the words of the proposals")
    boolean texts;

    @Override
    protected CheckedRound ask(ControlClient client) throws IOException {
      var request = round.request(round.epoch).setTexts(texts).build();
      return CheckedRound.of(
          client.rounds().ask(stub -> stub.getRound(request)), verify.keys(control));
    }
  }

  @Command(name = "watch")
  static final class RoundWatchCommand extends OneRound {
    @Override
    protected CheckedRound ask(ControlClient client) throws IOException {
      Round ended =
          client
              .rounds()
              .follow(
                  "round",
                  // whichever epoch it was, that one is watched on
                  (stub, last) ->
                      stub.watchRound(
                          round.request(last.map(Round::getEpoch).orElse(round.epoch)).build()),
                  now -> {
                    terminal.note("  %s, %s proposed", now.getState(), RoundText.progress(now));
                    return now.hasResult();
                  });
      return CheckedRound.of(ended, verify.keys(control));
    }
  }

  @Command(name = "export")
  static final class RoundExportCommand extends TerminalCommand {
    private static final int MOST = 1_000;

    @Mixin ControlOptions control = new ControlOptions();

    @Parameters(
        paramLabel = "ROUND",
        arity = "0..*",
        description = "rounds, the newest epoch of each (default: the newest rounds, all epochs)")
    List<String> names = new ArrayList<>();

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "without names: how many at most, 1 to 1000 (default: 1000)")
    int limit = MOST;

    @Override
    public Integer call() throws IOException {
      names.forEach(RoundCommand.RoundName::check);
      CommandProblem.checkRange("--limit", limit, 1, MOST);
      try (var client = new ControlClient(control.find())) {
        return export(client);
      }
    }

    private int export(ControlClient client) throws IOException {
      List<GetRoundRequest> wanted = new ArrayList<>();
      for (String name : names) {
        wanted.add(GetRoundRequest.newBuilder().setRound(name).setTexts(true).build());
      }
      if (names.isEmpty()) {
        RoundListCommand.list(client, limit, false).reversed().stream()
            .filter(Round::hasResult)
            .forEach(round ->
                wanted.add(
                    GetRoundRequest.newBuilder()
                        .setRound(round.getRound())
                        .setEpoch(round.getEpoch())
                        .setTexts(true)
                        .build()));
      }
      int status = ExitStatus.OK;
      for (GetRoundRequest one : wanted) {
        try {
          Round round = client.rounds().ask(stub -> stub.getRound(one));
          if (round.hasResult()) {
            terminal.println(Json.text(line(round)));
          } else {
            status = terminal.fail("round " + one.getRound() + " has not ended");
          }
        } catch (CallRefused e) {
          status = terminal.fail(String.valueOf(e.getMessage()));
        }
      }
      return status;
    }

    private static ObjectNode line(Round round) {
      ObjectNode line = Json.MAPPER.createObjectNode();
      String bound = round.getRound() + ":" + round.getEpoch();
      line.put("id", bound);
      line.put("round", bound);
      line.put("n", round.getMembersCount());
      line.put("f", round.getFaults());
      ArrayNode members = line.putArray("members");
      round.getMembersList().forEach(members::add);
      line.put("encoder", round.getEncoder());
      line.put("dim", round.getDim());
      line.put("cos_min", round.getCosMin());
      line.put("extra_margin", round.getExtraMargin());
      line.put("verdict_fallback", !round.getStrictSemantic());
      if (round.getAgreement().equals(Agreement.CRITICAL.code())) {
        line.put("agreement", round.getAgreement());
        line.put(
            "differs",
            CriticalDifference.text(
                round.getDifferencesList().stream()
                    .map(one ->
                        new CriticalDifference(one.getFirst(), one.getSecond(), one.getKind()))
                    .toList()));
        if (!round.getListed().isEmpty()) {
          line.put("listed", round.getListed());
        }
      }
      ArrayNode proposals = line.putArray("proposals");
      round.getProposalsList().forEach(one -> proposals.add(proposal(one)));
      ObjectNode decided = line.putObject("decided");
      decided.put("outcome", round.getResult().getOutcome());
      if (!round.getResult().getReason().isEmpty()) {
        decided.put("reason", round.getResult().getReason());
      }
      if (!round.getResult().getDigest().isEmpty()) {
        decided.put("digest", CheckedRound.hex(round.getResult().getDigest()));
      }
      return line;
    }

    private static ObjectNode proposal(RoundProposal proposal) {
      ObjectNode node = Json.MAPPER.createObjectNode();
      node.put("agent", proposal.getAgent());
      node.put("verdict", proposal.getVerdict());
      String textSha256 = CheckedRound.hex(proposal.getTextSha256());
      node.put("textSha256", textSha256);
      // An empty text is as good as none over this interface; its digest says which of both it is.
      if (Sha256.hex(proposal.getText()).equals(textSha256)) {
        node.put("text", proposal.getText());
      }
      if (proposal.getMeaning().equals("vector")) {
        node.put("q", Base64.getEncoder().encodeToString(proposal.getVector().toByteArray()));
      } else {
        node.put("fault", proposal.getMeaning());
      }
      return node;
    }
  }
}
