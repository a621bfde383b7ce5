package dev.parlance.control.testing;

import com.google.protobuf.ByteString;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactDocument.Term;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.AttestRequest;
import dev.parlance.proto.v1.DecideRequest;
import dev.parlance.proto.v1.DissolveRequest;
import dev.parlance.proto.v1.GetPactRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PactServiceGrpc;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.ReportRequest;
import dev.parlance.proto.v1.ReportResponse;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Two parties of pacts, their keys and an operator, over real gRPC with one replica. */
public final class Signatory implements AutoCloseable {
  /** Who asks for pacts. */
  public static final String BUYER = "org1/buyer";

  /** Who is asked. */
  public static final String SELLER = "org2/seller";

  /** Key of {@link #BUYER}, the same in every test of a run. */
  public static final SignerKey BUYER_KEY = SignerKey.generate(BUYER, KeyType.ED25519);

  /** Key of {@link #SELLER}. */
  public static final SignerKey SELLER_KEY = SignerKey.generate(SELLER, KeyType.ED25519);

  /** Key of the arbiter that {@link #document} names. */
  public static final SignerKey BOARD_KEY = SignerKey.generate("board-1", KeyType.ED25519);

  private final ManagedChannel channel;
  private final String operatorToken;
  private final UnaryOperator<String> attachToken;

  private Signatory(int port, String operatorToken, UnaryOperator<String> attachToken) {
    channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    this.operatorToken = operatorToken;
    this.attachToken = attachToken;
  }

  /** Connects to a replica of this process. */
  public static Signatory at(ControlReplica plane) {
    return new Signatory(plane.grpcAddress().port(), plane.operatorToken(), plane::attachToken);
  }

  /** Connects to a replica of another process. */
  public static Signatory at(int port, String operatorToken, UnaryOperator<String> attachToken) {
    return new Signatory(port, operatorToken, attachToken);
  }

  private static Metadata bearer(String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return headers;
  }

  /** Calls with a token. */
  public PactServiceGrpc.PactServiceBlockingStub with(String token) {
    return PactServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(bearer(token)));
  }

  /** Calls of the operator. */
  public PactServiceGrpc.PactServiceBlockingStub operator() {
    return with(operatorToken);
  }

  /** Calls of an agent's sidecar. */
  public PactServiceGrpc.PactServiceBlockingStub as(String agent) {
    return with(attachToken.apply(agent));
  }

  /** Streams of an agent's sidecar. */
  public PactServiceGrpc.PactServiceStub streaming(String agent) {
    return PactServiceGrpc.newStub(channel)
        .withInterceptors(
            MetadataUtils.newAttachHeadersInterceptor(bearer(attachToken.apply(agent))));
  }

  private static SignerKey keyOf(String party) {
    return List.of(BUYER_KEY, SELLER_KEY, BOARD_KEY).stream()
        .filter(key -> key.name().equals(party))
        .findFirst()
        .orElseThrow();
  }

  /** Registers the keys of both, and of the arbiter. */
  public Signatory register() {
    register(BUYER, BUYER_KEY);
    register(SELLER, SELLER_KEY);
    register(BOARD_KEY.name(), BOARD_KEY);
    return this;
  }

  /**
   * Hands a case of the buyer's to its arbiter.
   *
   * @param other whose signature stands beside the buyer's; empty: nobody's
   */
  public String handOver(PactCase open, List<Predicate> clauses, Optional<SignerKey> other) {
    List<PactStatement.Detail> offers =
        clauses.stream()
            .map(one -> new PactStatement.Detail(one.id(), "", one.body(), "max_kb=5"))
            .toList();
    PactStatement.Report said = PactStatement.Report.escalating(open, clauses, offers, 5);
    byte[] note = PactStatementNote.sign(said, BUYER_KEY);
    byte[] both =
        other
            .map(key -> PartyProof.sign(said, key))
            .flatMap(line -> PactStatementNote.cosigned(note, open.responder(), line))
            .orElse(note);
    return as(BUYER)
        .report(
            ReportRequest.newBuilder().setParty(BUYER).setNote(ByteString.copyFrom(both)).build())
        .getResult();
  }

  /** Registers a key. */
  public void register(String party, SignerKey key) {
    var _ =
        as(party)
            .registerKey(
                RegisterKeyRequest.newBuilder()
                    .setParty(party)
                    .setVkey(key.verifier().format())
                    .build());
  }

  /** A pact with a clause in each category, that begins now. */
  public static PactDocument document(String pact, long lastsMs) {
    List<Term> terms = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      String body =
          switch (category) {
            case TERMINATION -> "notice_ms=1000";
            case DISPUTE -> "arbiter=board-1";
            default -> "x";
          };
      terms.add(new Term.Open(new Predicate("q." + category.code(), category.code(), body)));
    }
    long now = System.currentTimeMillis();
    return new PactDocument(
        pact, "n-" + pact, BUYER, SELLER, "ab".repeat(32), now, now + lastsMs, terms);
  }

  /** The note of a pact with the signatures of these keys. */
  public static byte[] note(PactDocument document, SignerKey buyer, SignerKey seller) {
    return PactNote.bytes(
        document, PactNote.sign(document, buyer), PactNote.sign(document, seller));
  }

  /** The same, signed as it must be. */
  public static byte[] note(PactDocument document) {
    return note(document, BUYER_KEY, SELLER_KEY);
  }

  /** Attests. */
  public Pact attest(String party, byte[] note) {
    return as(party)
        .attest(
            AttestRequest.newBuilder().setParty(party).setNote(ByteString.copyFrom(note)).build());
  }

  /** Attests a pact of a minute. */
  public Pact attest(String pact) {
    return attest(BUYER, note(document(pact, 60_000)));
  }

  /** One party's word that a pact ends. */
  public Pact dissolve(String party, String pact, String reason) {
    long now = System.currentTimeMillis();
    PactStatement.Dissolution said =
        new PactStatement.Dissolution(
            pact,
            party,
            Ending.ofCode(reason).orElseThrow(),
            now,
            reason.equals("work_failed") ? Optional.of("q.failure") : Optional.empty(),
            reason.equals("party_withdrew") ? OptionalLong.of(now + 20_000) : OptionalLong.empty(),
            reason.equals("violated")
                ? Optional.of(party.equals(BUYER) ? SELLER : BUYER)
                : Optional.empty());
    return as(party)
        .dissolve(
            DissolveRequest.newBuilder()
                .setParty(party)
                .setNote(ByteString.copyFrom(PactStatementNote.sign(said, keyOf(party))))
                .build());
  }

  /** Somebody's word on a dispute. */
  public Pact decide(String by, String pact, String ending, Optional<String> responsible) {
    PactStatement.Decision said =
        new PactStatement.Decision(
            pact, by, Ending.ofCode(ending).orElseThrow(), responsible, System.currentTimeMillis());
    return as(by)
        .decide(
            DecideRequest.newBuilder()
                .setNote(ByteString.copyFrom(PactStatementNote.sign(said, keyOf(by))))
                .build());
  }

  /** Counts of one party's sidecar that go on. */
  public ReportResponse observe(
      String observer, String pact, long sequence, long messages, long scope) {
    return observe(observer, pact, sequence, messages, scope, PactStatement.Progress.GOING_ON);
  }

  /** Counts of one party's sidecar. */
  public ReportResponse observe(
      String observer,
      String pact,
      long sequence,
      long messages,
      long scope,
      PactStatement.Progress progress) {
    TreeMap<PactCategory, Long> violations = new TreeMap<>();
    if (scope > 0) {
      violations.put(PactCategory.SCOPE, scope);
    }
    PactStatement.Observed said =
        new PactStatement.Observed(
            pact,
            observer,
            observer.equals(BUYER) ? SELLER : BUYER,
            sequence,
            progress,
            messages,
            new TreeMap<>(),
            violations);
    return as(observer)
        .report(
            ReportRequest.newBuilder()
                .setParty(observer)
                .setNote(ByteString.copyFrom(PactStatementNote.sign(said, keyOf(observer))))
                .build());
  }

  /** A pact as it is. */
  public Pact get(String pact) {
    return operator().getPact(GetPactRequest.newBuilder().setPact(pact).build());
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
