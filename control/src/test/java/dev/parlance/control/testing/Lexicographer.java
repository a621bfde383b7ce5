package dev.parlance.control.testing;

import com.google.protobuf.ByteString;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.ledger.record.BoardNote;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnText;
import dev.parlance.proto.v1.CoinRequest;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc;
import dev.parlance.proto.v1.LexiconServiceGrpc.LexiconServiceBlockingStub;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.ReportTurnsRequest;
import dev.parlance.proto.v1.ReportTurnsResponse;
import dev.parlance.proto.v1.SignedBoard;
import dev.parlance.proto.v1.TermCoinage;
import dev.parlance.proto.v1.TermDirective;
import dev.parlance.proto.v1.TermUse;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Calls about boards as sidecars make them: texts are read here, facts are sent. */
public final class Lexicographer implements AutoCloseable {
  /** The board that most tests are about. */
  public static final String BOARD = "b-" + "0".repeat(31) + "1";

  private final ManagedChannel channel;
  private final Function<String, String> tokens;
  private final List<VerifierKey> keys;
  private final Map<String, LexiconServiceBlockingStub> stubs = new ConcurrentHashMap<>();

  /** Calls a replica on this machine. */
  public Lexicographer(int port, Function<String, String> tokens, VerifierKey key) {
    this.channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    this.tokens = tokens;
    this.keys = List.of(key);
  }

  /** Calls this one. */
  public static Lexicographer at(ControlReplica plane) {
    return new Lexicographer(plane.grpcAddress().port(), plane::attachToken, plane.coreKey());
  }

  /** Calls with the token of an agent. */
  public LexiconServiceBlockingStub as(String agent) {
    return stubs.computeIfAbsent(agent, one -> with(tokens.apply(one)));
  }

  /** Calls with this token. */
  public LexiconServiceBlockingStub with(String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return LexiconServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** What a signed board says; its signature must hold. */
  public BoardDocument read(SignedBoard board) {
    if (BoardNote.read(board.getNote().toByteArray(), keys)
        instanceof BoardNote.BoardReading.Good(BoardDocument document)) {
      return document;
    }
    throw new IllegalStateException("no board: " + board.getNote().toStringUtf8());
  }

  /** The board, as the sidecar of an agent is told it. */
  public BoardDocument board(String agent, String id) {
    return read(as(agent).getBoard(GetBoardRequest.newBuilder().setBoard(id).build()));
  }

  /** Somebody says something in public on a board without terms. */
  public static LexiconTurn first(String speaker, String text) {
    return turn(
        BOARD,
        Board.empty(BoardRules.DEFAULT),
        0,
        1,
        new Turn(speaker, Channel.PUBLIC, text, false));
  }

  /** Somebody says something on a channel, read with the board that is there now. */
  public LexiconTurn next(String speaker, String channelName, String text) {
    BoardDocument board = board(speaker, BOARD);
    return turn(
        BOARD,
        board.readableBy(speaker),
        board.changes(),
        board.number() + 1,
        new Turn(speaker, Channel.of(channelName).orElseThrow(), text, false));
  }

  /** The same in public. */
  public LexiconTurn next(String speaker, String text) {
    return next(speaker, "public", text);
  }

  /** A turn that is read with a board, as a sidecar reports it. */
  public static LexiconTurn turn(String id, Board board, long after, long number, Turn turn) {
    TurnFacts facts = board.read(turn);
    LexiconTurn.Builder told =
        LexiconTurn.newBuilder()
            .setBoard(id)
            .setDigest(digest(id + number + turn.speaker() + turn.text()))
            .setSpeaker(turn.speaker())
            .setChannel(turn.channel().toString())
            .setNumber(number)
            .setAfter(after)
            .setTokens(facts.tokens())
            .setCheckpoint(turn.checkpoint());
    for (TurnFacts.Use use : facts.uses()) {
      told.addUses(
          TermUse.newBuilder()
              .setVisibility(use.term().visibility().toString())
              .setKey(use.term().key())
              .setTimes(use.times()));
    }
    for (TurnFacts.Directed line : facts.directives()) {
      if (line.term().isPresent() && line.body().isPresent()) {
        told.addDirectives(
            TermDirective.newBuilder()
                .setLine(line.line())
                .setRequest(line.request() == TurnText.Request.CHALLENGE ? "challenge" : "repair")
                .setVisibility(line.term().get().visibility().toString())
                .setKey(line.term().get().key())
                .setBody(line.body().get()));
      }
    }
    for (TurnFacts.Coined line : facts.coinages()) {
      if (line.refusal().isEmpty()) {
        told.addCoinages(
            TermCoinage.newBuilder()
                .setLine(line.line())
                .setTerm(line.term())
                .setDefinition(line.definition()));
      }
    }
    return told.build();
  }

  private static ByteString digest(String text) {
    try {
      return ByteString.copyFrom(
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Puts a turn with coinage on the ledger, as the sidecar of its speaker. */
  public CoinResponse coin(LexiconTurn turn) {
    return as(turn.getSpeaker()).coin(CoinRequest.newBuilder().setTurn(turn).build());
  }

  /** Reports turns, as the sidecar of an agent. */
  public ReportTurnsResponse report(String agent, LexiconTurn... turns) {
    return as(agent).report(ReportTurnsRequest.newBuilder().addAllTurns(List.of(turns)).build());
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
