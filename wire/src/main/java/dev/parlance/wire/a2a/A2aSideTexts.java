package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.metadata.LexiconReader;
import dev.parlance.wire.metadata.RoundReader;

/**
 * Finds texts where A2A has no place for them: members that the schema does not know, metadata that
 * is no evidence, ids that are sentences. A lenient receiver may show them, so they are judged.
 *
 * <p>Every string in an unknown member counts. In metadata a string counts if it is longer than
 * {@value #LONG_BYTES} bytes; in an id, a URI, a media type or a state if it holds white space or
 * is longer than {@value #LONG_ID_BYTES} bytes. A name counts where it is longer than {@value
 * #LONG_BYTES} bytes.
 */
record A2aSideTexts(JsonDocument json, A2aTranscript transcript, A2aTextSites sites) {
  static final int LONG_BYTES = 64;
  static final int LONG_ID_BYTES = 256;

  /** No members. */
  static final long NONE = MemberName.set();

  /** Members of metadata that are read as what they are: evidence, and verdicts of sidecars. */
  private static final long NO_WORDS = EvidenceReader.CARRIERS | MemberName.set(MemberName.VERDICT);

  /** Leads from one page of a list to the next, and is an id wherever it stands. */
  private static final String PAGE_TOKEN = "nextPageToken";

  /**
   * Reads the members of an object that nobody else reads.
   *
   * @param read members that are read elsewhere
   * @param quiet members that hold ids, URIs, states and the like
   */
  void members(int object, long read, long quiet) {
    int name = json.isObject(object) ? json.first(object) : JsonDocument.NONE;
    while (name != JsonDocument.NONE) {
      if (!json.isAmong(name, read)) {
        member(object, name, quiet);
      }
      name = json.nextName(object, name);
    }
  }

  private void member(int object, int name, long quiet) {
    int value = name + 1;
    if (json.isAmong(name, quiet) || json.nameEquals(name, PAGE_TOKEN)) {
      quiet(value, LONG_ID_BYTES);
    } else if (json.is(name, MemberName.METADATA) && json.isObject(value)) {
      sites.noticed(object);
      metadata(object, value);
    } else {
      name(name);
      every(value);
    }
  }

  /** Reads one {@code metadata} object without the evidence and the verdicts in it. */
  private void metadata(int object, int metadata) {
    int name = json.first(metadata);
    while (name != JsonDocument.NONE) {
      if (json.is(name, MemberName.ROUND)) {
        if (sites.staysIn(object, name + 1)) {
          round(name + 1);
        }
      } else if (json.is(name, MemberName.LEXICON)) {
        lexicon(object, name + 1);
      } else if (!json.isAmong(name, NO_WORDS)) {
        longTexts(name, json.skip(name + 1));
      }
      name = json.nextName(metadata, name);
    }
  }

  /** A rationale is words of the agent, however short; a signed outcome is none of its words. */
  private void round(int statement) {
    int rationale = RoundReader.rationale(json, statement);
    if (json.isString(rationale)) {
      transcript.side(A2aTranscript.Side.OTHER, json.text(rationale));
    }
    int note = RoundReader.note(json, statement);
    for (int node = statement; node < json.skip(statement); node++) {
      if (node != note) {
        longTextOrName(node);
      }
    }
  }

  /** Terms and definitions are words of the agent, however short; what a sidecar shows is cut. */
  private void lexicon(int object, int statement) {
    A2aTranscript.Side side =
        sites.doesSpeak(object) ? A2aTranscript.Side.LEXICON : A2aTranscript.Side.OTHER;
    int known = json.nameOf(statement, LexiconReader.KNOWN);
    for (int node = statement; node < json.skip(statement); node++) {
      if (node == known) {
        node = json.skip(known + 1) - 1;
      } else if (json.isString(node)) {
        transcript.side(side, json.text(node));
      } else if (json.isName(node)) {
        name(node);
      }
    }
  }

  /** Reads every string of a value. */
  void every(int value) {
    for (int node = value; node < json.skip(value); node++) {
      if (json.isString(node)) {
        transcript.side(A2aTranscript.Side.OTHER, json.text(node));
      } else if (json.isName(node)) {
        name(node);
      }
    }
  }

  /** Reads the strings of a value that are long and hold white space, names included. */
  void sentences(int value) {
    for (int node = value; node < json.skip(value); node++) {
      if ((json.isString(node) || json.isName(node)) && isLong(node) && hasSpace(json.text(node))) {
        longText(node);
      }
    }
  }

  private void longTexts(int from, int to) {
    for (int node = from; node < to; node++) {
      longTextOrName(node);
    }
  }

  private void longTextOrName(int node) {
    if (json.isName(node)) {
      name(node);
    } else if (json.isString(node)) {
      longText(node);
    }
  }

  /** Reads a name of data; it is a text if it is long. */
  void name(int node) {
    transcript.name(json.text(node));
    longText(node);
  }

  /** Reads a string or a name if it is long. */
  private void longText(int node) {
    if (isLong(node)) {
      int room = json.isEscaped(node) ? transcript.room() : 0;
      Utf8Span text = room == 0 ? json.text(node) : json.text(node, room);
      int before = transcript.news();
      if (text.length() > LONG_BYTES) {
        transcript.side(A2aTranscript.Side.OTHER, text, room);
      }
      if (room > 0 && transcript.news() == before) {
        json.forget(text, room); // as long as the answer, and as often as there are texts
      }
    }
  }

  private boolean isLong(int node) {
    return json.end(node) - json.start(node) - 2 > LONG_BYTES;
  }

  /** Reads those strings of a value that are no ids: longer than this, or with white space. */
  void quiet(int value, int longBytes) {
    for (int node = value; node < json.skip(value); node++) {
      if (json.isString(node) || json.isName(node)) {
        Utf8Span text = json.text(node);
        if (text.length() > longBytes || hasSpace(text)) {
          transcript.side(A2aTranscript.Side.OTHER, text);
        }
      }
    }
  }

  private static boolean hasSpace(Utf8Span text) {
    for (int i = 0; i < text.length(); i++) {
      byte b = text.byteAt(i);
      if (b < 0) {
        return text.toString()
            .chars()
            .anyMatch(c -> Character.isWhitespace(c) || Character.isSpaceChar(c));
      }
      if (b <= ' ' && Character.isWhitespace(b)) {
        return true;
      }
    }
    return false;
  }
}
