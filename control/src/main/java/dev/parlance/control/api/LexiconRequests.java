package dev.parlance.control.api;

import dev.parlance.control.lexicon.ReportedTurn;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnText;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.TermCoinage;
import dev.parlance.proto.v1.TermDirective;
import dev.parlance.proto.v1.TermRequest;
import dev.parlance.service.Result;
import dev.parlance.service.config.Quoted;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Checks the requests of the lexicon service and turns them into plain records. */
final class LexiconRequests {
  private static final int DIGEST_BYTES = 32;
  private static final int MOST_LINES = 256;

  private LexiconRequests() {}

  /** A turn with its lines. */
  static Result<ReportedTurn> coining(LexiconTurn turn) {
    if (turn.getDirectivesCount() + turn.getCoinagesCount() > MOST_LINES) {
      return bad("expected at most " + MOST_LINES + " lines");
    }
    return turn(turn, true);
  }

  /** A turn without its lines, which have no effect. */
  static Result<ReportedTurn> reported(LexiconTurn turn) {
    return turn(turn, false);
  }

  /** Turns without their lines. */
  static Result<List<ReportedTurn>> reported(List<LexiconTurn> turns) {
    List<ReportedTurn> all = new ArrayList<>();
    for (LexiconTurn turn : turns) {
      switch (reported(turn)) {
        case Result.Done<ReportedTurn>(ReportedTurn good) -> all.add(good);
        case Result.Refused<ReportedTurn>(Result.Kind kind, String reason, String message) -> {
          return Result.refused(kind, reason, "turn " + all.size() + ": " + message);
        }
      }
    }
    return Result.done(all);
  }

  private static Result<ReportedTurn> turn(LexiconTurn turn, boolean isWithLines) {
    if (turn.getDigest().size() != DIGEST_BYTES) {
      return bad("got a digest of " + turn.getDigest().size() + " bytes, expected 32");
    }
    try {
      ReportedTurn read =
          new ReportedTurn(
              new LexiconEntry.TurnId(
                  turn.getBoard(),
                  HexFormat.of().formatHex(turn.getDigest().toByteArray()),
                  turn.getSpeaker(),
                  turn.getChannel()),
              turn.getNumber(),
              turn.getAfter(),
              new TurnFacts(
                  turn.getSpeaker(),
                  channel(turn.getChannel()),
                  turn.getTokens(),
                  turn.getCheckpoint(),
                  turn.getUsesList().stream()
                      .map(use ->
                          new TurnFacts.Use(
                              term(use.getVisibility(), use.getKey()), use.getTimes()))
                      .toList(),
                  isWithLines
                      ? turn.getDirectivesList().stream().map(LexiconRequests::directed).toList()
                      : List.of(),
                  isWithLines
                      ? turn.getCoinagesList().stream().map(LexiconRequests::coined).toList()
                      : List.of()));
      LexiconEntry.Used _ = read.used(0); // refuses what can be on no ledger
      return Result.done(read);
    } catch (IllegalArgumentException impossible) {
      return bad(String.valueOf(impossible.getMessage()));
    }
  }

  private static TurnFacts.Directed directed(TermDirective line) {
    TurnText.Request request =
        switch (line.getRequest()) {
          case "challenge" -> TurnText.Request.CHALLENGE;
          case "repair" -> TurnText.Request.REPAIR;
          case String other ->
              throw new IllegalArgumentException("expected challenge or repair, got " + other);
        };
    return new TurnFacts.Directed(
        line.getLine(),
        request,
        line.getKey(),
        Optional.of(term(line.getVisibility(), line.getKey())),
        Optional.of(line.getBody()));
  }

  private static TurnFacts.Coined coined(TermCoinage line) {
    return new TurnFacts.Coined(
        line.getLine(),
        line.getTerm(),
        BoardRules.key(line.getTerm()),
        line.getDefinition(),
        Optional.empty());
  }

  /** A term of a board; without visibility a public one. */
  static Result<TurnFacts.TermRef> term(TermRequest request) {
    String visibility = request.getVisibility();
    return Channel.of(visibility.isEmpty() ? Channel.PUBLIC.toString() : visibility)
        .map(channel -> Result.done(new TurnFacts.TermRef(channel, request.getKey())))
        .orElseGet(() ->
            Result.refused(
                Result.Kind.NOT_FOUND, "term_unknown", "expected public or faction:NAME"));
  }

  private static TurnFacts.TermRef term(String visibility, String key) {
    return new TurnFacts.TermRef(channel(visibility), key);
  }

  private static Channel channel(String name) {
    return Channel.of(name)
        .orElseThrow(
            () -> new IllegalArgumentException("expected public or faction:NAME, got " + name));
  }

  private static <T> Result<T> bad(String why) {
    return Result.refused(Result.Kind.INVALID, "bad_turn", Quoted.cut(why));
  }
}
