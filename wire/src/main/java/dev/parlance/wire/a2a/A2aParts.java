package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.FileText;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.MemberName;
import java.util.List;
import java.util.Optional;

/**
 * Reads A2A parts, of both generations and of every JSON binding, into an {@link A2aTranscript}.
 * Parts are told apart by their members, not by {@code kind}: a part that says one thing and holds
 * another is read for all it holds. Of structured data every string, number and boolean is read; of
 * files those that are text, whatever their media type says. Nothing is ever fetched.
 */
final class A2aParts {
  private static final long MEMBERS =
      MemberName.set(
          MemberName.TEXT,
          MemberName.DATA,
          MemberName.RAW,
          MemberName.URL,
          MemberName.FILE,
          MemberName.KIND,
          MemberName.METADATA,
          MemberName.MEDIA_TYPE,
          MemberName.FILENAME);
  private static final long QUIET =
      MemberName.set(
          MemberName.KIND, MemberName.MEDIA_TYPE, MemberName.FILENAME, MemberName.MIME_TYPE);
  private static final long CONTENT =
      MemberName.set(
          MemberName.TEXT, MemberName.DATA, MemberName.RAW, MemberName.URL, MemberName.FILE);
  private static final long FILE_MEMBERS =
      MemberName.set(
          MemberName.BYTES,
          MemberName.URI,
          MemberName.FILE_WITH_BYTES,
          MemberName.FILE_WITH_URI,
          MemberName.MIME_TYPE,
          MemberName.MEDIA_TYPE,
          MemberName.NAME);
  private static final long FILE_CONTENT =
      MemberName.set(
          MemberName.BYTES, MemberName.URI, MemberName.FILE_WITH_BYTES, MemberName.FILE_WITH_URI);
  private static final long FILE_QUIET =
      MemberName.set(
          MemberName.MIME_TYPE, MemberName.MEDIA_TYPE, MemberName.NAME, MemberName.FILENAME);

  /** Links of a message that pass unread. */
  private static final int LINK_BYTES = 4096;

  private static final List<MemberName> FILE_BYTES =
      List.of(MemberName.BYTES, MemberName.FILE_WITH_BYTES);
  private static final List<MemberName> FILE_TYPES =
      List.of(MemberName.MIME_TYPE, MemberName.MEDIA_TYPE);

  private final JsonDocument json;
  private final A2aTranscript transcript;
  private final A2aSideTexts sideTexts;
  private final A2aTextSites sites;
  private int linkBytes;
  private boolean unreadPart;
  private Optional<String> fault = Optional.empty();

  A2aParts(
      JsonDocument json, A2aTranscript transcript, A2aSideTexts sideTexts, A2aTextSites sites) {
    this.json = json;
    this.transcript = transcript;
    this.sideTexts = sideTexts;
    this.sites = sites;
  }

  /**
   * Reads a {@code parts} array, which may be missing.
   *
   * @param unit the artifact or message in the transcript
   * @param running true if text parts continue one another, as in artifacts
   */
  void read(int parts, String unit, boolean running) {
    if (!json.isArray(parts)) {
      if (parts != JsonDocument.NONE && !json.isNull(parts)) {
        fault = Optional.of("parts is not an array");
      }
      return;
    }
    int part = json.first(parts);
    while (part != JsonDocument.NONE && fault.isEmpty()) {
      readPart(parts, part, unit, running);
      part = json.nextElement(parts, part);
    }
  }

  private void readPart(int parts, int part, String unit, boolean running) {
    fault = faultOf(part);
    if (fault.isPresent()) {
      return;
    }
    boolean read = false;
    int text = json.present(part, MemberName.TEXT);
    if (text != JsonDocument.NONE) {
      read = true;
      Utf8Span said = sites.knownTerms().without(parts, part, text);
      if (sites.knownTerms().goes(parts, part)) {
        return;
      }
      if (running) {
        transcript.run(unit, said);
      } else {
        transcript.line(unit, said);
      }
    }
    int data = json.present(part, MemberName.DATA);
    if (data != JsonDocument.NONE) {
      read = true;
      readData(data, unit);
    }
    int raw = json.present(part, MemberName.RAW);
    if (raw != JsonDocument.NONE) {
      read |= readFile(raw, json.member(part, MemberName.MEDIA_TYPE), unit);
    }
    int file = json.present(part, MemberName.FILE);
    if (file != JsonDocument.NONE) {
      read |= readFileObject(file, unit);
    }
    unreadPart |= link(json.present(part, MemberName.URL)) || !read;
    sideTexts.members(part, CONTENT, QUIET);
    sites.stripped(part);
  }

  private Optional<String> faultOf(int part) {
    if (!json.isObject(part)) {
      return Optional.of("a part is not an object");
    }
    Optional<MemberName> misspelt = json.misspelt(part, MEMBERS);
    if (misspelt.isPresent()) {
      return Optional.of("a part spells its member " + misspelt.get().text() + " in other case");
    }
    int text = json.present(part, MemberName.TEXT);
    return text != JsonDocument.NONE && !json.isString(text)
        ? Optional.of("the text of a part is not a string")
        : Optional.empty();
  }

  private void readData(int data, String textUnit) {
    String unit = A2aTranscript.behind(textUnit);
    transcript.gap(textUnit);
    for (int node = data; node < json.skip(data); node++) {
      if (json.isString(node)) {
        transcript.line(unit, json.text(node));
      } else if (json.isNumber(node) || json.isBoolean(node)) {
        transcript.line(unit, json.bytes(node));
      } else if (json.isName(node)) {
        sideTexts.name(node);
      }
    }
  }

  /** True if everything in a v0.3 file object was read. */
  private boolean readFileObject(int file, String unit) {
    if (!json.isObject(file)) {
      return false;
    }
    Optional<MemberName> misspelt = json.misspelt(file, FILE_MEMBERS);
    if (misspelt.isPresent()) {
      fault = Optional.of("a file spells its member " + misspelt.get().text() + " in other case");
      return false;
    }
    sideTexts.members(file, FILE_CONTENT, FILE_QUIET);
    sites.stripped(file);
    int type = firstOf(file, FILE_TYPES);
    boolean read = false;
    boolean all = true;
    for (MemberName name : FILE_BYTES) {
      int bytes = json.present(file, name);
      if (bytes != JsonDocument.NONE) {
        boolean textual = readFile(bytes, type, unit);
        read |= textual;
        all &= textual;
      }
    }
    unreadPart |= link(json.present(file, MemberName.URI)) || !all;
    unreadPart |= link(json.present(file, MemberName.FILE_WITH_URI));
    return read;
  }

  private int firstOf(int object, List<MemberName> names) {
    for (MemberName name : names) {
      int value = json.present(object, name);
      if (value != JsonDocument.NONE) {
        return value;
      }
    }
    return JsonDocument.NONE;
  }

  /** What may be no text at all is judged and speaks to nobody. */
  private void said(Utf8Span text, String unit, boolean isSure) {
    if (isSure) {
      transcript.gap(unit);
      transcript.line(A2aTranscript.behind(unit), text);
    } else {
      transcript.side(A2aTranscript.Side.OTHER, text);
    }
  }

  /** True if there is a link. Links that are many or long could say something, and are read. */
  private boolean link(int url) {
    if (json.isString(url)) {
      linkBytes += json.end(url) - json.start(url);
      sideTexts.quiet(url, linkBytes > LINK_BYTES ? 0 : LINK_BYTES);
      FileText.inline(json.text(url))
          .flatMap(FileText::text)
          .ifPresent(found -> said(found, "", /* isSure= */ false));
    }
    return url != JsonDocument.NONE;
  }

  /** True if a file's bytes were text. */
  private boolean readFile(int bytes, int mediaType, String unit) {
    if (!json.isString(bytes)) {
      return false;
    }
    FileText file = FileText.of(json.text(bytes), isTextual(mediaType));
    file.text().ifPresent(found -> said(found, unit, file.isRead()));
    unreadPart |= !file.isRead();
    return file.isRead();
  }

  private boolean isTextual(int mediaType) {
    return json.optionalString(mediaType)
        .map(MediaType::parse)
        .filter(type -> type.<Object>charsetFault().isEmpty())
        .map(MediaType::essence)
        .filter(type ->
            type.startsWith("text/")
                || type.equals("application/json")
                || type.equals("application/xml")
                || type.endsWith("+json")
                || type.endsWith("+xml"))
        .isPresent();
  }

  /** True if there was a part, or something in one, that nobody can read as text. */
  boolean unreadPart() {
    return unreadPart;
  }

  /** What makes the parts no A2A parts at all. */
  Optional<String> fault() {
    return fault;
  }
}
