package dev.parlance.wire.json;

import dev.parlance.wire.bytes.Texts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The interned member names of A2A. The scanner tells them apart once, when it meets them, and
 * notes the code on the tape; from then on a name is a number and a set of names is a bit mask. No
 * two of them are equal when case is ignored.
 */
public enum MemberName {
  JSONRPC("jsonrpc"),
  ID("id"),
  METHOD("method"),
  PARAMS("params"),
  RESULT("result"),
  ERROR("error"),
  CODE("code"),
  MESSAGE("message"),
  TASK("task"),
  STATUS_UPDATE("statusUpdate"),
  ARTIFACT_UPDATE("artifactUpdate"),
  PARTS("parts"),
  CONTENT("content"),
  METADATA("metadata"),
  EXTENSIONS("extensions"),
  MESSAGE_ID("messageId"),
  CONTEXT_ID("contextId"),
  TASK_ID("taskId"),
  ROLE("role"),
  KIND("kind"),
  REFERENCE_TASK_IDS("referenceTaskIds"),
  ARTIFACTS("artifacts"),
  STATUS("status"),
  HISTORY("history"),
  STATE("state"),
  TIMESTAMP("timestamp"),
  ARTIFACT("artifact"),
  NAME("name"),
  DESCRIPTION("description"),
  ARTIFACT_ID("artifactId"),
  FINAL("final"),
  APPEND("append"),
  LAST_CHUNK("lastChunk"),
  TEXT("text"),
  DATA("data"),
  RAW("raw"),
  URL("url"),
  FILE("file"),
  MEDIA_TYPE("mediaType"),
  FILENAME("filename"),
  MIME_TYPE("mimeType"),
  BYTES("bytes"),
  URI("uri"),
  FILE_WITH_BYTES("fileWithBytes"),
  FILE_WITH_URI("fileWithUri"),
  TASKS("tasks"),
  CONFIGURATION("configuration"),
  TENANT("tenant"),
  REQUEST("request"),
  HISTORY_LENGTH("historyLength"),
  VERDICT("https://w3id.org/parlance/ext/asp/v1"),
  ROUND("https://w3id.org/parlance/ext/round/v1"),
  LEXICON("https://w3id.org/parlance/ext/lexicon/v1"),
  EVIDENCE("https://w3id.org/parlance/ext/evidence/v1"),
  ADK("adk_grounding_metadata"),
  AGENT_STACK("https://a2a-extensions.agentstack.beeai.dev/ui/citation/v1"),
  QUESTION("question"),
  CONTEXT("context"),
  CITATIONS("citations"),
  CONFIDENCE("confidence"),
  ASSUMPTIONS("assumptions"),
  BASIS("basis"),
  TAG("tag");

  /** The code of a name that is none of these. */
  static final int UNKNOWN = 0;

  /** Added to the code of a name that differs from one of these in case only. */
  static final int VARIANT = 0x80;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOWER = 0x2020202020202020L;
  private static final long MIX = 0x9e3779b97f4a7c15L;
  private static final int TABLE_BITS = 8;
  private static final MemberName[] ALL = values();

  /** Their bytes, by code. */
  private static final byte[][] NAMES = names();

  /** Longest name, in bytes. */
  private static final int LONGEST = longest();

  /** Most bytes that a character takes which some receiver reads as an ASCII letter. */
  private static final int MAX_VARIANT_BYTES = 3;

  /** Codes by hash, one after the other where hashes are equal; 0 is a free place. */
  private static final byte[] TABLE = table();

  private final String text;

  MemberName(String text) {
    this.text = text;
  }

  /** The name itself. */
  public String text() {
    return text;
  }

  /** The number on the tape, from 1. */
  @SuppressWarnings("EnumOrdinal") // lives no longer than a document; nothing keeps it
  int code() {
    return ordinal() + 1;
  }

  /** The member with this code. */
  static MemberName ofCode(int code) {
    return ALL[code - 1];
  }

  /** A set of members: bit {@link #code()} stands for each. */
  public static long set(MemberName... members) {
    long set = 0;
    for (MemberName member : members) {
      set |= 1L << member.code();
    }
    return set;
  }

  /**
   * The code of a name without escapes and of ASCII only, {@link #VARIANT} added where the case
   * differs, or {@link #UNKNOWN}.
   */
  static int codeOf(byte[] body, int from, int to) {
    int length = to - from;
    if (length > LONGEST) {
      return UNKNOWN;
    }
    int slot = slot(body, from, to);
    for (int code = TABLE[slot]; code != 0; code = TABLE[slot]) {
      byte[] name = NAMES[code];
      if (name.length == length) {
        if (Arrays.equals(name, 0, length, body, from, to)) {
          return code;
        }
        if (equalsIgnoreCase(name, body, from)) {
          return code | VARIANT;
        }
      }
      slot = (slot + 1) & (TABLE.length - 1);
    }
    return UNKNOWN;
  }

  /** The same for any name, from its unescaped bytes. */
  static int codeOf(byte[] unescaped, int length) {
    if (length > LONGEST * MAX_VARIANT_BYTES) {
      return UNKNOWN;
    }
    String name = new String(unescaped, 0, length, StandardCharsets.UTF_8);
    for (MemberName member : ALL) {
      if (name.equals(member.text)) {
        return member.code();
      }
      if (name.equalsIgnoreCase(member.text)) {
        return member.code() | VARIANT;
      }
    }
    return UNKNOWN;
  }

  private static boolean equalsIgnoreCase(byte[] name, byte[] body, int from) {
    for (int i = 0; i < name.length; i++) {
      if (lower(name[i]) != lower(body[from + i])) {
        return false;
      }
    }
    return true;
  }

  private static int lower(byte b) {
    return b >= 'A' && b <= 'Z' ? b | 0x20 : b;
  }

  /** Equal for names that differ in case only. */
  private static int slot(byte[] body, int from, int to) {
    int length = to - from;
    long first;
    long last;
    if (length >= Long.BYTES) {
      first = (long) LONGS.get(body, from);
      last = (long) LONGS.get(body, to - Long.BYTES);
    } else {
      first = 0;
      for (int i = to - 1; i >= from; i--) {
        first = first << 8 | (body[i] | 0x20);
      }
      last = 0;
    }
    long hash = ((first | LOWER) ^ Long.rotateLeft(last | LOWER, 23) ^ length) * MIX;
    return (int) (hash >>> (Long.SIZE - TABLE_BITS));
  }

  private static byte[][] names() {
    byte[][] names = new byte[ALL.length + 1][];
    names[UNKNOWN] = new byte[0];
    for (MemberName member : ALL) {
      names[member.code()] = Texts.utf8(member.text);
    }
    return names;
  }

  private static byte[] table() {
    byte[] table = new byte[1 << TABLE_BITS];
    for (int code = 1; code < NAMES.length; code++) {
      int slot = slot(NAMES[code], 0, NAMES[code].length);
      while (table[slot] != 0) {
        slot = (slot + 1) & (table.length - 1);
      }
      table[slot] = (byte) code;
    }
    return table;
  }

  private static int longest() {
    int longest = 0;
    for (byte[] name : NAMES) {
      longest = Math.max(longest, name.length);
    }
    return longest;
  }
}
