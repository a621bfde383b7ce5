package dev.parlance.cli.lexicon;

import dev.parlance.cli.LineFault;
import dev.parlance.cli.LinesCommand;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardEvent;
import dev.parlance.policy.lexicon.BoardMetrics;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.CoinRefusal;
import dev.parlance.policy.lexicon.Turn;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "replay")
final class LexiconReplayCommand extends LinesCommand {
  LexiconReplayCommand() {
    super("lexicon replay");
  }

  @Override
  protected void answer(ObjectNode members, ObjectNode line) {
    Board board = Board.empty(rules(members));
    ArrayNode entries = line.putArray("board");
    ArrayNode rejected = line.putArray("rejected");
    ArrayNode events = line.putArray("events");
    for (Turn turn : list(members, "turns", "", LexiconReplayCommand::turn)) {
      Board.Step step = board.step(turn);
      board = step.next();
      step.refusals().forEach(one -> write(one, rejected.addObject()));
      step.events().forEach(one -> write(one, events.addObject()));
    }
    board.entries().forEach(one -> write(one, entries.addObject()));
    write(board.metrics(), line.putObject("metrics"));
  }

  private static BoardRules rules(ObjectNode members) {
    Map<String, Set<String>> factions = new HashMap<>();
    for (Map.Entry<String, JsonNode> one : members(members, "factions", "")) {
      ObjectNode faction = members.objectNode();
      faction.set(one.getKey(), one.getValue());
      factions.put(
          one.getKey(), Set.copyOf(list(faction, one.getKey(), "factions.", Element::text)));
    }
    return new BoardRules(
        factions,
        optional(members, "blocklist").isEmpty()
            ? BoardRules.DEFAULT.blocked()
            : new HashSet<>(list(members, "blocklist", "", Element::text)),
        optional(members, "markers").isEmpty()
            ? BoardRules.DEFAULT.markers()
            : list(members, "markers", "", Element::text));
  }

  private static Turn turn(Element one) {
    String speaker = one.text("speaker");
    if (speaker.isEmpty()) {
      throw LineFault.BAD_VALUE.problem(one.where() + ".speaker is empty");
    }
    Channel channel =
        Channel.of(one.text("channel"))
            .orElseThrow(() ->
                LineFault.BAD_VALUE.problem(
                    one.where() + ".channel: expected public or faction:NAME"));
    boolean checkpoint =
        optional(one.node(), "checkpoint")
            .map(node -> {
              if (!node.isBoolean()) {
                throw LineFault.BAD_TYPE.problem(one.where() + ".checkpoint: expected a boolean");
              }
              return node.booleanValue();
            })
            .orElse(false);
    return new Turn(speaker, channel, one.text("text"), checkpoint);
  }

  private static void write(BoardEntry entry, ObjectNode node) {
    node.put("term", entry.term())
        .put("key", entry.key())
        .put("definition", entry.definition())
        .put("version", entry.version())
        .put("status", entry.contested() ? "contested" : "active")
        .put("by", entry.by())
        .put("turn", entry.turn())
        .put("visibility", entry.visibility().toString())
        .put("leaked", entry.leaked())
        .put("reuse", entry.reuse())
        .put("occ", entry.occurrences());
    entry.speakers().forEach(node.putArray("speakers")::add);
  }

  private static void write(CoinRefusal refusal, ObjectNode node) {
    node.put("turn", refusal.turn())
        .put("term", refusal.term())
        .put("reason", refusal.reason().code());
  }

  private static void write(BoardEvent event, ObjectNode node) {
    node.put("turn", event.turn())
        .put("type", event.type().code())
        .put("term", event.term().orElse(null))
        .put("by", event.by());
  }

  private static void write(BoardMetrics metrics, ObjectNode node) {
    node.put("terms", metrics.terms())
        .put("public_terms", metrics.publicTerms())
        .put("private_terms", metrics.privateTerms())
        .put("reuse", metrics.reuse())
        .put("occurrences", metrics.occurrences());
    put(node, "uptake", metrics.uptake());
    node.put("public_reuse", metrics.publicReuse()).put("private_reuse", metrics.privateReuse());
    put(node, "public_reuse_share", metrics.publicReuseShare());
    put(node, "public_entry_share", metrics.publicEntryShare());
    put(node, "public_advantage", metrics.publicAdvantage());
    node.put("cross_speaker", metrics.crossSpeaker()).put("used_in_public", metrics.usedInPublic());
    put(node, "mean_public_speakers", metrics.meanPublicSpeakers());
    node.put("lexicon_tokens", metrics.lexiconTokens());
    put(node, "reuse_per_100_lexicon_tokens", metrics.reusePer100LexiconTokens());
    node.put("public_log_tokens", metrics.publicLogTokens());
    put(node, "footprint", metrics.footprint());
    put(node, "persistence", metrics.persistence());
  }

  private static void put(ObjectNode node, String name, OptionalDouble value) {
    value.ifPresentOrElse(number -> node.put(name, number), () -> node.putNull(name));
  }
}
