package dev.parlance.control.api;

import com.google.protobuf.UnsafeByteOperations;
import dev.parlance.control.lexicon.BoardHappening;
import dev.parlance.control.lexicon.BoardTurns.Coinage;
import dev.parlance.control.lexicon.BoardTurns.Reported;
import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardMetrics;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.BoardSummary;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.RefusedLine;
import dev.parlance.proto.v1.ReportTurnsResponse;
import dev.parlance.proto.v1.SignedBoard;
import dev.parlance.proto.v1.TermView;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** Boards as messages. */
final class LexiconMessages {
  private LexiconMessages() {}

  static SignedBoard signed(PublishedBoard board) {
    return SignedBoard.newBuilder()
        .setBoard(board.board())
        .setRevision(board.revision())
        .setNote(UnsafeByteOperations.unsafeWrap(board.note()))
        .build();
  }

  static CoinResponse coined(Coinage coined, Optional<PublishedBoard> board) {
    CoinResponse.Builder response =
        CoinResponse.newBuilder().addAllAccepted(coined.accepted().stream().sorted().toList());
    coined
        .refused()
        .forEach((line, reason) ->
            response.addRefused(RefusedLine.newBuilder().setLine(line).setReason(reason)));
    board.map(LexiconMessages::signed).ifPresent(response::setBoard);
    return response.build();
  }

  static ReportTurnsResponse reported(Reported reported) {
    return ReportTurnsResponse.newBuilder()
        .setCounted(reported.counted())
        .setRepeatedTurns(reported.repeated())
        .setIgnored(reported.ignored())
        .build();
  }

  static BoardSummary summary(BoardRecord board) {
    return BoardSummary.newBuilder()
        .setBoard(board.id())
        .setTerms(board.board().entries().size() - board.retired().size())
        .setTurns(board.board().turns())
        .setReuse(board.board().entries().stream().mapToLong(BoardEntry::reuse).sum())
        .setChangedAtMs(board.changedAtMs())
        .setWaiting(
            (int)
                board.board().entries().stream()
                    .filter(entry -> board.status(entry) == CoinedStatus.WAITING)
                    .count())
        .build();
  }

  /**
   * A board with everything that is known of it.
   *
   * @param standings of the terms that are in plans
   * @param compression of its turns
   */
  static BoardView view(
      BoardRecord board, Map<TermRef, String> standings, OptionalDouble compression) {
    BoardView.Builder view = BoardView.newBuilder().setSummary(summary(board));
    for (BoardEntry entry : board.board().entries()) {
      TermView.Builder term =
          TermView.newBuilder()
              .setTerm(entry.term())
              .setKey(entry.key())
              .setDefinition(entry.definition())
              .setVersion(entry.version())
              .setStatus(board.status(entry).code())
              .setBy(entry.by())
              .setTurn(entry.turn())
              .setVisibility(entry.visibility().toString())
              .setLeaked(entry.leaked())
              .setReuse(entry.reuse())
              .setOccurrences(entry.occurrences())
              .addAllSpeakers(entry.speakers());
      Optional.ofNullable(board.promoted().get(entry.ref()))
          .map(LexiconEntry.Promoted::plan)
          .ifPresent(term::setPlan);
      Optional.ofNullable(standings.get(entry.ref())).ifPresent(term::setStanding);
      view.addTerms(term);
    }
    SortedMap<String, Double> metrics = metrics(board.board().metrics());
    put(metrics, "compression", compression);
    return view.putAllMetrics(metrics).build();
  }

  /** The measures under the names of {@code lexicon replay}; one without data is left out. */
  private static SortedMap<String, Double> metrics(BoardMetrics board) {
    SortedMap<String, Double> metrics = new TreeMap<>();
    metrics.put("terms", (double) board.terms());
    metrics.put("public_terms", (double) board.publicTerms());
    metrics.put("private_terms", (double) board.privateTerms());
    metrics.put("reuse", (double) board.reuse());
    metrics.put("occurrences", (double) board.occurrences());
    put(metrics, "uptake", board.uptake());
    metrics.put("public_reuse", (double) board.publicReuse());
    metrics.put("private_reuse", (double) board.privateReuse());
    put(metrics, "public_reuse_share", board.publicReuseShare());
    put(metrics, "public_entry_share", board.publicEntryShare());
    put(metrics, "public_advantage", board.publicAdvantage());
    metrics.put("cross_speaker", (double) board.crossSpeaker());
    metrics.put("used_in_public", (double) board.usedInPublic());
    put(metrics, "mean_public_speakers", board.meanPublicSpeakers());
    metrics.put("lexicon_tokens", (double) board.lexiconTokens());
    put(metrics, "reuse_per_100_lexicon_tokens", board.reusePer100LexiconTokens());
    metrics.put("public_log_tokens", (double) board.publicLogTokens());
    put(metrics, "footprint", board.footprint());
    put(metrics, "persistence", board.persistence());
    return metrics;
  }

  private static void put(SortedMap<String, Double> metrics, String name, OptionalDouble value) {
    value.ifPresent(number -> metrics.put(name, number));
  }

  static BoardChange change(BoardHappening happening) {
    return BoardChange.newBuilder()
        .setBoard(happening.board())
        .setType(happening.type())
        .setTerm(happening.term())
        .setBy(happening.by())
        .setAtMs(happening.atMs())
        .build();
  }
}
