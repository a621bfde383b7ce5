package dev.parlance.cli.api;

import com.google.protobuf.ByteString;
import dev.parlance.cli.CommandProblem;
import dev.parlance.proto.v1.DecideRequest;
import dev.parlance.proto.v1.GetPactRequest;
import dev.parlance.proto.v1.GetPartyRequest;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.ListTemplatesRequest;
import dev.parlance.proto.v1.PutTemplateRequest;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.ScorePartiesRequest;
import java.util.List;

/** What a control plane is asked about pacts. */
public final class PactServiceCalls {
  private PactServiceCalls() {}

  /**
   * The newest pacts.
   *
   * @param party only of this one; empty: of all
   */
  public static List<PactInfo> list(
      ControlClient client, String party, boolean unfinished, int limit) {
    var request =
        ListPactsRequest.newBuilder().setParty(party).setUnfinished(unfinished).setLimit(limit);
    return client.askPacts(
        stub -> stub.listPacts(request.build()).getPactsList().stream().map(PactInfo::of).toList());
  }

  /** One pact. */
  public static PactInfo get(ControlClient client, String pact) {
    var request = GetPactRequest.newBuilder().setPact(pact).build();
    return client.askPacts(stub -> PactInfo.of(stub.getPact(request)));
  }

  /** The keys of a party that count now. */
  public static List<String> keys(ControlClient client, String party) {
    var request = GetPartyRequest.newBuilder().setParty(party).build();
    return client.askPacts(stub -> stub.getParty(request).getVkeysList());
  }

  /**
   * Makes a key of an author count, if it has none; the token is the author's then. A key that a
   * party has is never replaced, for what its sidecar signs would not count any more.
   */
  public static void registerIfUnknown(ControlClient client, String party, String vkey) {
    List<String> known;
    try {
      known = keys(client, party);
    } catch (ControlClient.Refused e) {
      if (!e.isNotFound()) {
        throw e;
      }
      known = List.of();
    }
    if (!known.isEmpty() && !known.contains(vkey)) {
      throw CommandProblem.failed(
          party + " has another key there, which must go on counting; remedy: sign with that key");
    }
    if (known.isEmpty()) {
      var request = RegisterKeyRequest.newBuilder().setParty(party).setVkey(vkey).build();
      var _ = client.askPacts(stub -> stub.registerKey(request));
    }
  }

  /** Decides a disputed pact by the signed word of its arbiter. */
  public static PactInfo decide(ControlClient client, byte[] note) {
    var request = DecideRequest.newBuilder().setNote(ByteString.copyFrom(note)).build();
    return client.askPacts(stub -> PactInfo.of(stub.decide(request)));
  }

  /** Publishes a signed template. */
  public static PactInfo.TemplateInfo put(ControlClient client, byte[] note) {
    var request = PutTemplateRequest.newBuilder().setNote(ByteString.copyFrom(note)).build();
    return client.askPacts(stub -> PactInfo.TemplateInfo.of(stub.putTemplate(request)));
  }

  /**
   * Published templates, newest first.
   *
   * @param names only these; empty: all
   * @param version only this one; 0: all
   */
  public static List<PactInfo.TemplateInfo> templates(
      ControlClient client, List<String> names, int version, int limit) {
    var request =
        ListTemplatesRequest.newBuilder().addAllNames(names).setVersion(version).setLimit(limit);
    return client.askPacts(stub ->
        stub.listTemplates(request.build()).getTemplatesList().stream()
            .map(PactInfo.TemplateInfo::of)
            .toList());
  }

  /**
   * How parties have kept their pacts.
   *
   * @param parties only these; empty: all
   */
  public static List<PactInfo.Score> scores(ControlClient client, List<String> parties) {
    var request = ScorePartiesRequest.newBuilder().addAllParties(parties).build();
    return client.askPacts(stub ->
        stub.scoreParties(request).getScoresList().stream().map(PactInfo.Score::of).toList());
  }
}
