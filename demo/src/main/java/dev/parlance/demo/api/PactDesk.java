package dev.parlance.demo.api;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.proto.v1.DecideRequest;
import dev.parlance.proto.v1.GetPactRequest;
import dev.parlance.proto.v1.PactServiceGrpc.PactServiceBlockingStub;
import dev.parlance.proto.v1.PutTemplateRequest;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.ScorePartiesRequest;
import io.grpc.ClientInterceptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** The operator's side of pacts: templates out, what stands on the ledger in, disputes decided. */
public final class PactDesk {
  private final PactServiceBlockingStub stub;
  private final ClientInterceptor operator;

  PactDesk(PactServiceBlockingStub stub, ClientInterceptor operator) {
    this.stub = stub;
    this.operator = operator;
  }

  /**
   * A pact as the ledger has it.
   *
   * @param pact its id
   * @param initiator who asked for it
   * @param state active, in_dispute or dissolved
   * @param reason why it has ended; empty while it holds
   * @param responsible who answers for its end; empty if nobody
   */
  public record Standing(
      String pact,
      String initiator,
      String state,
      Optional<String> reason,
      Optional<String> responsible) {
    private static Standing of(dev.parlance.proto.v1.Pact pact) {
      return new Standing(
          pact.getPact(),
          pact.getParties(0),
          pact.getState(),
          Optional.of(pact.getReason()).filter(text -> !text.isEmpty()),
          Optional.of(pact.getResponsible()).filter(text -> !text.isEmpty()));
    }
  }

  /**
   * How a party has kept its pacts.
   *
   * @param party its id
   * @param scopeHonesty in [0,1]; empty without messages
   * @param reliability in [0,1]; empty without pacts that have ended
   * @param counted pacts that count
   */
  public record Kept(
      String party, OptionalDouble scopeHonesty, OptionalDouble reliability, int counted) {}

  private PactServiceBlockingStub asOperator() {
    return stub.withInterceptors(operator)
        .withDeadlineAfter(OperatorClient.CALL_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Publishes a template, and its author's key before it.
   *
   * @param authorToken attach token of the author
   */
  public void publish(PactStatement.Template template, SignerKey author, String authorToken)
      throws IOException {
    register(author, authorToken);
    PutTemplateRequest put =
        PutTemplateRequest.newBuilder()
            .setNote(ByteString.copyFrom(PactStatementNote.sign(template, author)))
            .build();
    OperatorClient.call("publish the template", () -> asOperator().putTemplate(put));
  }

  /** One pact. */
  public Standing pact(String id) throws IOException {
    GetPactRequest request = GetPactRequest.newBuilder().setPact(id).build();
    return Standing.of(OperatorClient.call("show a pact", () -> asOperator().getPact(request)));
  }

  private void register(SignerKey key, String token) throws IOException {
    RegisterKeyRequest request =
        RegisterKeyRequest.newBuilder()
            .setParty(key.name())
            .setVkey(key.verifier().format())
            .build();
    OperatorClient.call(
        "take the key of " + key.name(),
        () ->
            stub.withInterceptors(OperatorClient.bearer(token))
                .withDeadlineAfter(OperatorClient.CALL_SECONDS, TimeUnit.SECONDS)
                .registerKey(request));
  }

  /**
   * Decides a disputed pact: one party has violated it.
   *
   * @param arbiter key of whom the pact names
   * @param arbiterToken its attach token
   */
  public Standing decide(String id, SignerKey arbiter, String arbiterToken, String responsible)
      throws IOException {
    register(arbiter, arbiterToken);
    PactStatement.Decision said =
        new PactStatement.Decision(
            id,
            arbiter.name(),
            Ending.VIOLATED,
            Optional.of(responsible),
            System.currentTimeMillis());
    DecideRequest request =
        DecideRequest.newBuilder()
            .setNote(ByteString.copyFrom(PactStatementNote.sign(said, arbiter)))
            .build();
    return Standing.of(
        OperatorClient.call("decide the dispute", () -> asOperator().decide(request)));
  }

  /** How these parties have kept their pacts, in their order. */
  public List<Kept> kept(List<String> parties) throws IOException {
    ScorePartiesRequest request = ScorePartiesRequest.newBuilder().addAllParties(parties).build();
    List<Kept> kept = new ArrayList<>();
    OperatorClient.call("score the parties", () -> asOperator().scoreParties(request))
        .getScoresList()
        .forEach(one ->
            kept.add(
                new Kept(
                    one.getParty(),
                    one.hasScopeHonesty()
                        ? OptionalDouble.of(one.getScopeHonesty())
                        : OptionalDouble.empty(),
                    one.hasReliability()
                        ? OptionalDouble.of(one.getReliability())
                        : OptionalDouble.empty(),
                    one.getCounted())));
    return kept;
  }
}
