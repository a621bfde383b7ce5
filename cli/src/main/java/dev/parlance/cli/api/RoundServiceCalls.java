package dev.parlance.cli.api;

import com.google.protobuf.ByteString;
import dev.parlance.cli.Json;
import dev.parlance.cli.TextDigest;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.ListRoundsRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a control plane is asked about rounds. */
public final class RoundServiceCalls {
  private RoundServiceCalls() {}

  /**
   * A round that is to be opened.
   *
   * @param deadlineMs how long proposals are taken; 0: the control plane's
   * @param cosMin smallest cosine within a core; absent: the encoder's
   * @param subject what is decided about; may be empty
   */
  public record Opening(
      String round,
      long epoch,
      List<String> members,
      int faults,
      int deadlineMs,
      Optional<Double> cosMin,
      int extraMargin,
      boolean strict,
      boolean withoutEncoder,
      String subject) {}

  /** The newest rounds; nothing of them is checked. */
  public static List<RoundInfo> list(ControlClient client, int limit, boolean unfinished) {
    var request = ListRoundsRequest.newBuilder().setLimit(limit).setUnfinished(unfinished);
    return client.askRounds(stub ->
        stub.listRounds(request.build()).getRoundsList().stream()
            .map(RoundInfo::unchecked)
            .toList());
  }

  /** One round, checked; epoch 0 is the newest. */
  public static RoundInfo get(
      ControlClient client, String name, long epoch, boolean texts, List<VerifierKey> keys) {
    return RoundInfo.checked(getRound(client, name, epoch, texts), keys);
  }

  /** One round once it has ended, checked. */
  public static RoundInfo watch(
      ControlClient client,
      String name,
      long epoch,
      List<VerifierKey> keys,
      Consumer<RoundInfo> onChange) {
    var following = new ControlClient.Following<Round>("round");
    Round ended =
        following.follow(
            () -> {
              // whichever epoch it was, that one is watched on
              long watched = following.last().map(Round::getEpoch).orElse(epoch);
              client.watchRounds(stub ->
                  stub.watchRound(request(name, watched, false))
                      .forEachRemaining(round -> {
                        following.changed(round);
                        onChange.accept(RoundInfo.unchecked(round));
                      }));
            },
            Round::hasResult);
    return RoundInfo.checked(ended, keys);
  }

  /** Opens a round, or gives back the one that is open with the same values. */
  public static RoundInfo open(ControlClient client, Opening opening) {
    var request =
        OpenRoundRequest.newBuilder()
            .setRound(opening.round())
            .setEpoch(opening.epoch())
            .addAllMembers(opening.members())
            .setFaults(opening.faults())
            .setDeadlineMs(opening.deadlineMs())
            .setExtraMargin(opening.extraMargin())
            .setStrictSemantic(opening.strict())
            .setWithoutEncoder(opening.withoutEncoder())
            .setSubject(opening.subject());
    opening.cosMin().ifPresent(request::setCosMin);
    return client.askRounds(stub -> RoundInfo.unchecked(stub.openRound(request.build())));
  }

  /** A round as a line that {@code parlance commit} reads; empty if it has not ended. */
  public static Optional<ObjectNode> export(ControlClient client, String name, long epoch) {
    Round round = getRound(client, name, epoch, true);
    return round.hasResult() ? Optional.of(line(round)) : Optional.empty();
  }

  private static Round getRound(ControlClient client, String name, long epoch, boolean texts) {
    return client.askRounds(stub -> stub.getRound(request(name, epoch, texts)));
  }

  private static GetRoundRequest request(String name, long epoch, boolean texts) {
    return GetRoundRequest.newBuilder().setRound(name).setEpoch(epoch).setTexts(texts).build();
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
    ObjectNode node = Json.MAPPER.createObjectNode();
    node.put("agent", proposal.getAgent());
    node.put("verdict", proposal.getVerdict());
    String textSha256 = hex(proposal.getTextSha256());
    node.put("textSha256", textSha256);
    // An empty text is as good as none over this interface; its digest says which of both it is.
    if (TextDigest.sha256(proposal.getText()).equals(textSha256)) {
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
