package dev.parlance.cli.round;

import com.google.protobuf.ByteString;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlOptions;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.offline.CommitTexts;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.ListRoundsRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "export",
    description = {
      "Writes ended rounds as JSON Lines, oldest first: what `parlance commit` reads.",
      "Each proposal has its quantised vector (q) and, where it is still stored, its",
      "text, so that a third party can encode it once more. The member `decided` has",
      "what the control plane says came of it."
    },
    footer = {"", "Example:", "  parlance round export release/7 | parlance commit"})
final class RoundExportCommand implements Callable<Integer> {
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

  private final Terminal terminal;

  RoundExportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws java.io.IOException {
    for (String name : names) {
      Optional<String> problem = RoundName.problem(name);
      if (problem.isPresent()) {
        return terminal.complain(ExitStatus.USAGE, problem.get());
      }
    }
    if (limit < 1 || limit > MOST) {
      return terminal.complain(
          ExitStatus.USAGE, "--limit: expected a number from 1 to 1000, got " + limit);
    }
    return switch (control.find()) {
      case ControlOptions.Found.Missing(String message) ->
          terminal.complain(ExitStatus.FAILED, message);
      case ControlOptions.Found.Address address -> {
        try (var client = new ControlClient(address)) {
          yield export(client);
        }
      }
    };
  }

  private int export(ControlClient client) {
    List<GetRoundRequest> wanted = new ArrayList<>();
    if (names.isEmpty()) {
      ControlReply<List<Round>> listed =
          client.askRounds(stub ->
              stub.listRounds(ListRoundsRequest.newBuilder().setLimit(limit).build())
                  .getRoundsList());
      switch (listed) {
        case ControlReply.Failed<List<Round>>(Status.Code _, String message) -> {
          return terminal.complain(ExitStatus.FAILED, message);
        }
        case ControlReply.Answered<List<Round>>(List<Round> rounds) ->
            rounds.reversed().stream()
                .filter(Round::hasResult)
                .forEach(round -> wanted.add(request(round.getRound(), round.getEpoch())));
      }
    } else {
      names.forEach(name -> wanted.add(request(name, 0)));
    }
    int status = ExitStatus.OK;
    for (GetRoundRequest request : wanted) {
      switch (client.askRounds(stub -> stub.getRound(request))) {
        case ControlReply.Failed<Round>(Status.Code _, String message) ->
            status = terminal.complain(ExitStatus.FAILED, message);
        case ControlReply.Answered<Round>(Round round) -> {
          if (round.hasResult()) {
            terminal.out().println(Json.text(line(round)));
          } else {
            status =
                terminal.complain(
                    ExitStatus.FAILED, "round " + round.getRound() + " has not ended");
          }
        }
      }
    }
    return status;
  }

  private static GetRoundRequest request(String name, long epoch) {
    return GetRoundRequest.newBuilder().setRound(name).setEpoch(epoch).setTexts(true).build();
  }

  private static ObjectNode line(Round round) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
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
    ArrayNode proposals = line.putArray("proposals");
    round.getProposalsList().forEach(one -> proposals.add(proposal(one)));
    ObjectNode decided = line.putObject("decided");
    decided.put("outcome", round.getResult().getOutcome());
    if (!round.getResult().getReason().isEmpty()) {
      decided.put("reason", round.getResult().getReason());
    }
    if (!round.getResult().getDigest().isEmpty()) {
      decided.put("digest", hex(round.getResult().getDigest()));
    }
    return line;
  }

  private static ObjectNode proposal(RoundProposal proposal) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("agent", proposal.getAgent());
    node.put("verdict", proposal.getVerdict());
    String textSha256 = hex(proposal.getTextSha256());
    node.put("textSha256", textSha256);
    // An empty text is as good as none over this interface; its digest says which of both it is.
    if (CommitTexts.sha256(proposal.getText()).equals(textSha256)) {
      node.put("text", proposal.getText());
    }
    if (proposal.getMeaning().equals("vector")) {
      node.put("q", Base64.getEncoder().encodeToString(proposal.getVector().toByteArray()));
    } else {
      node.put("fault", proposal.getMeaning());
    }
    return node;
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }
}
