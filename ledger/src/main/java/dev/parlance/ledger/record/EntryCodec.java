package dev.parlance.ledger.record;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;

/**
 * Bytes of entries. Each entry has exactly one text, so that its digest is one: a JSON object on
 * one line (without the newline), {@code type} first, members in a fixed order ({@link
 * RecordForm}), no blanks, no escape that need not be, doubles as {@link Double#toString(double)}
 * writes them. {@link #decode} takes nothing else.
 */
public final class EntryCodec {
  /** Most bytes of an entry: what the log's bundles have room for. */
  public static final int MAX_BYTES = 65_535;

  private static final Map<String, Class<? extends Entry>> TYPES =
      Map.ofEntries(
          Map.entry("plan", Entry.Plan.class),
          Map.entry("plan_part", Entry.PlanPart.class),
          Map.entry("audit_part", Entry.AuditPart.class),
          Map.entry("opened", Entry.Opened.class),
          Map.entry("taken_over", Entry.TakenOver.class),
          Map.entry("test", Entry.Test.class),
          Map.entry("unanswered", Entry.Unanswered.class),
          Map.entry("renegotiated", Entry.Renegotiated.class),
          Map.entry("decided", Entry.Decided.class),
          Map.entry("core_issued", Entry.CoreIssued.class),
          Map.entry("closed", Entry.Closed.class),
          Map.entry("round_opened", RoundEntry.Opened.class),
          Map.entry("round_proposal", RoundEntry.Proposed.class),
          Map.entry("round_sealed", RoundEntry.Sealed.class),
          Map.entry("round_decided", RoundEntry.Decided.class),
          Map.entry("round_signed", RoundEntry.Signed.class),
          Map.entry("party_key", PactEntry.PartyKey.class),
          Map.entry("pact_template", PactEntry.TemplatePut.class),
          Map.entry("pact_attested", PactEntry.Attested.class),
          Map.entry("pact_observed", PactEntry.Observed.class),
          Map.entry("pact_dissolved", PactEntry.Dissolved.class),
          Map.entry("pact_reported", PactEntry.Reported.class),
          Map.entry("board_opened", LexiconEntry.BoardOpened.class),
          Map.entry("term_used", LexiconEntry.Used.class),
          Map.entry("term_coined", LexiconEntry.Coined.class),
          Map.entry("term_challenged", LexiconEntry.Challenged.class),
          Map.entry("term_repaired", LexiconEntry.Repaired.class),
          Map.entry("term_shared", LexiconEntry.Shared.class),
          Map.entry("term_promoted", LexiconEntry.Promoted.class),
          Map.entry("term_retired", LexiconEntry.Retired.class),
          Map.entry("turn_retracted", LexiconEntry.Retracted.class),
          Map.entry("review_decided", Entry.ReviewDecided.class));

  private static final Map<Class<? extends Entry>, String> NAMES =
      TYPES.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

  private EntryCodec() {}

  /** What came of reading an entry. */
  public sealed interface Decoded {
    /** An entry. */
    record Read(Entry entry) implements Decoded {}

    /**
     * Not an entry.
     *
     * @param reason stable code: too_large, not_utf8, malformed_json (duplicate names and depth
     *     included), unknown_type, bad_member (missing or of another type), impossible_value,
     *     not_canonical (extra members, another order, blanks, another form of a number)
     */
    record Unreadable(String reason) implements Decoded {}
  }

  /**
   * The entry's bytes.
   *
   * @throws IllegalArgumentException if it is too large; {@link #planEntries} and {@link
   *     #openedEntries} cut what may be
   */
  public static byte[] encode(Entry entry) {
    byte[] bytes = line(entry).getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "expected an entry of at most " + MAX_BYTES + " bytes, got " + bytes.length);
    }
    return bytes;
  }

  /** Reads what {@link #encode} writes, and nothing else; whatever the bytes, it does not throw. */
  public static Decoded decode(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      return new Decoded.Unreadable("too_large");
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      return new Decoded.Unreadable("not_utf8");
    }
    try {
      Entry entry = entry(JsonMembers.of(text));
      return Arrays.equals(encode(entry), bytes)
          ? new Decoded.Read(entry)
          : new Decoded.Unreadable("not_canonical");
    } catch (JacksonException malformed) {
      return new Decoded.Unreadable("malformed_json");
    } catch (JsonMembers.BadMember bad) {
      return new Decoded.Unreadable(bad.code());
    } catch (IllegalArgumentException impossible) {
      return new Decoded.Unreadable("impossible_value");
    }
  }

  /** The entry's text, however long. */
  static String line(Entry entry) {
    StringBuilder out = new StringBuilder(256);
    JsonLine line = new JsonLine(out).text("type", NAMES.getOrDefault(entry.getClass(), ""));
    RecordForm.write(line, (Record) entry).end();
    return out.toString();
  }

  private static Entry entry(JsonMembers members) throws JsonMembers.BadMember {
    String name = members.text("type");
    Class<? extends Entry> type = TYPES.get(name);
    if (type == null) {
      throw new JsonMembers.BadMember("unknown_type", name);
    }
    return RecordForm.read(type, members);
  }

  /** The plan as entries in order, each small enough; one, if it fits. */
  public static List<Entry> planEntries(Entry.Plan plan) {
    return EntryParts.of(plan);
  }

  /** The opening as entries in order, each small enough; one, if it fits. */
  public static List<Entry> openedEntries(Entry.Opened opened) {
    return EntryParts.of(opened);
  }
}
