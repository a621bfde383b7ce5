package dev.parlance.policy.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEvent;
import dev.parlance.policy.lexicon.BoardMetrics;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.CoinRefusal;
import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.policy.lexicon.TurnText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The vectors of boards, of their measures, and of terms on the wire. */
class LexiconVectorsTest {
  static Stream<Golden.Vector> transcripts() {
    return Golden.vectors("cogent-transcripts");
  }

  static Stream<Golden.Vector> compressions() {
    return Golden.vectors("cogent-metrics").filter(one -> one.in().has("warm"));
  }

  static Stream<Golden.Vector> counts() {
    return Golden.vectors("cogent-metrics").filter(one -> !one.in().has("warm"));
  }

  static Stream<Golden.Vector> blocks() {
    return Golden.vectors("lexicon-wire").filter(one -> one.in().has("board"));
  }

  static Stream<Golden.Vector> judged() {
    return Golden.vectors("lexicon-wire").filter(one -> one.in().has("text"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("transcripts")
  void transcript_leadsToTheBoard_itsEventsAndItsMeasures(Golden.Vector vector) {
    Board board = Board.empty(rules(vector.in()));
    List<BoardEvent> events = new ArrayList<>();
    List<CoinRefusal> refusals = new ArrayList<>();
    for (JsonNode turn : vector.in().path("turns")) {
      Board.Step step = board.step(turn(turn));
      board = step.next();
      events.addAll(step.events());
      refusals.addAll(step.refusals());
    }
    JsonNode out = vector.out();
    assertThat(board.entries().stream().map(LexiconVectorsTest::entry).toList())
        .isEqualTo(
            out.path("board")
                .valueStream()
                .map(one ->
                    List.of(
                        text(one, "term"),
                        text(one, "key"),
                        text(one, "definition"),
                        one.path("version").asInt(),
                        text(one, "status"),
                        text(one, "by"),
                        one.path("turn").asInt(),
                        text(one, "visibility"),
                        one.path("leaked").asBoolean(),
                        one.path("reuse").asInt(),
                        one.path("occ").asLong(),
                        texts(one.path("speakers"))))
                .toList());
    assertThat(
            refusals.stream()
                .map(one -> List.<Object>of(one.turn(), one.term(), one.reason().code())))
        .containsExactlyElementsOf(
            out.path("rejected")
                .valueStream()
                .map(one ->
                    List.<Object>of(
                        one.path("turn").asInt(), text(one, "term"), text(one, "reason")))
                .toList());
    assertThat(
            events.stream()
                .map(one ->
                    Arrays.<Object>asList(
                        one.turn(), one.type().code(), one.term().orElse(null), one.by())))
        .containsExactlyElementsOf(
            out.path("events")
                .valueStream()
                .map(one ->
                    Arrays.<Object>asList(
                        one.path("turn").asInt(),
                        text(one, "type"),
                        one.path("term").isNull() ? null : text(one, "term"),
                        text(one, "by")))
                .toList());
    measures(board.metrics(), out.path("metrics"));
  }

  private static List<Object> entry(dev.parlance.policy.lexicon.BoardEntry one) {
    return List.of(
        one.term(),
        one.key(),
        one.definition(),
        one.version(),
        one.contested() ? "contested" : "active",
        one.by(),
        one.turn(),
        one.visibility().toString(),
        one.leaked(),
        one.reuse(),
        one.occurrences(),
        one.speakers());
  }

  private static void measures(BoardMetrics found, JsonNode expected) {
    Map<String, Object> names = new HashMap<>();
    names.put("terms", found.terms());
    names.put("public_terms", found.publicTerms());
    names.put("private_terms", found.privateTerms());
    names.put("reuse", found.reuse());
    names.put("occurrences", found.occurrences());
    names.put("uptake", found.uptake());
    names.put("public_reuse", found.publicReuse());
    names.put("private_reuse", found.privateReuse());
    names.put("public_reuse_share", found.publicReuseShare());
    names.put("public_entry_share", found.publicEntryShare());
    names.put("public_advantage", found.publicAdvantage());
    names.put("cross_speaker", found.crossSpeaker());
    names.put("used_in_public", found.usedInPublic());
    names.put("mean_public_speakers", found.meanPublicSpeakers());
    names.put("lexicon_tokens", found.lexiconTokens());
    names.put("reuse_per_100_lexicon_tokens", found.reusePer100LexiconTokens());
    names.put("public_log_tokens", found.publicLogTokens());
    names.put("footprint", found.footprint());
    names.put("persistence", found.persistence());
    assertThat(names.keySet()).containsExactlyInAnyOrderElementsOf(expected.propertyNames());
    expected
        .properties()
        .forEach(one -> {
          switch (names.get(one.getKey())) {
            case OptionalDouble ratio -> ratio(ratio, one.getValue(), one.getKey());
            case Long count ->
                assertThat(count).as(one.getKey()).isEqualTo(one.getValue().asLong());
            case null, default -> throw new AssertionError(one.getKey());
          }
        });
  }

  private static void ratio(OptionalDouble found, JsonNode expected, String name) {
    assertThat(found.isEmpty()).as(name).isEqualTo(expected.isNull());
    found.ifPresent(
        value -> assertThat(value).as(name).isCloseTo(expected.asDouble(), within(1e-12)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("compressions")
  void compression_isTheShareOfTokens(Golden.Vector vector) {
    ratio(
        BoardMetrics.compression(
            vector.in().path("initial").valueStream().map(JsonNode::asLong).toList(),
            vector.in().path("warm").valueStream().map(JsonNode::asLong).toList()),
        vector.out().path("cr"),
        "cr");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("counts")
  void ratios_areThoseOfThePaper(Golden.Vector vector) {
    JsonNode in = vector.in();
    long terms = in.path("terms").asLong();
    BoardMetrics found =
        new BoardMetrics(
            terms,
            in.path("public_terms").asLong(),
            in.path("reuse").asLong(),
            in.path("reuse").asLong(),
            in.path("public_reuse").asLong(),
            in.path("cross").asLong(),
            terms,
            terms,
            in.path("lexicon_tokens").asLong(),
            0,
            0,
            0);
    JsonNode out = vector.out();
    assertThat(found.privateTerms()).isEqualTo(in.path("private_terms").asLong());
    assertThat(found.privateReuse()).isEqualTo(in.path("private_reuse").asLong());
    ratio(found.uptake(), out.path("uptake"), "uptake");
    ratio(found.publicEntryShare(), out.path("public_entry_share"), "public_entry_share");
    ratio(found.publicReuseShare(), out.path("public_reuse_share"), "public_reuse_share");
    ratio(found.publicAdvantage(), out.path("public_advantage"), "public_advantage");
    ratio(found.reusePer100LexiconTokens(), out.path("reuse_per_100"), "reuse_per_100");
    ratio(found.crossSpeakerShare(), out.path("cross"), "cross");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("blocks")
  void block_showsWhatIsSafe_asFarAsThereIsRoom(Golden.Vector vector) {
    KnownTerms found =
        KnownTerms.of(
            vector
                .in()
                .path("board")
                .valueStream()
                .map(one ->
                    new KnownTerms.Term(
                        text(one, "term"),
                        text(one, "key"),
                        text(one, "definition"),
                        one.path("reuse").asLong(),
                        one.path("turn").asLong(),
                        text(one, "by"),
                        text(one, "status").equals("contested")))
                .toList());
    assertThat(found.text()).isEqualTo(text(vector.out(), "text"));
    assertThat(found.left().stream().map(one -> List.of(one.key(), one.why().code())))
        .containsExactlyElementsOf(
            vector
                .out()
                .path("left")
                .valueStream()
                .map(one -> List.of(text(one, "key"), text(one, "why")))
                .toList());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("judged")
  void judgedText_isWhatIsNeitherCoinageNorDirective(Golden.Vector vector) {
    assertThat(TurnText.of(text(vector.in(), "text")).judged())
        .isEqualTo(text(vector.out(), "judged"));
  }

  private static BoardRules rules(JsonNode in) {
    Map<String, Set<String>> factions = new HashMap<>();
    in.path("factions")
        .properties()
        .forEach(one -> factions.put(one.getKey(), new HashSet<>(texts(one.getValue()))));
    return new BoardRules(
        factions,
        in.has("blocklist")
            ? new HashSet<>(texts(in.path("blocklist")))
            : BoardRules.DEFAULT.blocked(),
        in.has("markers") ? texts(in.path("markers")) : BoardRules.DEFAULT.markers());
  }

  private static Turn turn(JsonNode turn) {
    return new Turn(
        text(turn, "speaker"),
        Channel.of(text(turn, "channel")).orElseThrow(),
        text(turn, "text"),
        turn.path("checkpoint").asBoolean(false));
  }

  private static String text(JsonNode object, String name) {
    return object.path(name).asString();
  }

  private static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::asString).toList();
  }
}
