package dev.parlance.wire.openai;

import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.bytes.FileText;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonTextExtractor;
import dev.parlance.wire.openai.GeneratedText.Place;
import dev.parlance.wire.openai.GeneratedText.Tier;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Extracts every word of answers of the OpenAI protocols and puts it where it belongs, see {@link
 * GeneratedText}. What is common to chat completions and responses is here: members by name, and
 * whatever nobody knows, which is judged with the answer.
 */
class OpenAiTextExtractor {
  /** Members that hold names, types and ids; what does not look like one is read. */
  private static final Set<String> LABELS =
      Set.of(
          "id",
          "object",
          "model",
          "system_fingerprint",
          "service_tier",
          "role",
          "type",
          "phase",
          "finish_reason",
          "native_finish_reason",
          "provider",
          "name",
          "namespace",
          "call_id",
          "item_id",
          "file_id",
          "container_id",
          "response_id",
          "previous_response_id",
          "conversation",
          "status",
          "reason",
          "url",
          "detail",
          "usage",
          "format",
          "obfuscation",
          "safety_identifier",
          "prompt_cache_key",
          "prompt_cache_retention",
          "truncation",
          "tool_choice",
          "execution",
          "user");

  /** What only the model's own server can read; anything but one long token is words. */
  private static final Set<String> OPAQUE = Set.of("encrypted_content", "signature");

  /** Pictures, sounds and what else is base64. */
  private static final Set<String> BINARY =
      Set.of("data", "b64_json", "partial_image_b64", "image_url", "file_data", "result");

  /** What says that an object is an answer, or a part of one. */
  private static final List<String> OF_ANSWERS =
      List.of("choices", "object", "output", "type", "response");

  private static final String TOP = "top_logprobs";

  /** Tokens of a chat and of a refusal in it, and those of a completion. */
  private static final List<String> TOKEN_LISTS = List.of("content", "refusal", "tokens");

  private static final Set<String> LOGPROBS =
      Set.of("content", "refusal", "tokens", TOP, "token_logprobs", "text_offset");
  private static final Set<String> TOKEN = Set.of("token", "bytes", "logprob", TOP);
  private static final Utf8Span LINK = Utf8Span.of("http");
  private static final int MAX_LINK_BYTES = 4096;

  /** Members of annotations that name a source. */
  private static final List<String> CITING = List.of("file_id", "filename", "url");

  private static final int MAX_CITATION_BYTES = 2048;

  final JsonDocument json;
  final GeneratedText spoken;
  final boolean pieces;
  private final Set<String> unread = new LinkedHashSet<>();
  private final Set<String> cited = new LinkedHashSet<>();
  private boolean acts;
  private boolean misplaced;
  private Optional<AgentError> failure = Optional.empty();

  /**
   * A reader of one body or event.
   *
   * @param pieces true if strings are pieces to be added, false if they are whole
   */
  OpenAiTextExtractor(JsonDocument json, GeneratedText spoken, boolean pieces) {
    this.json = json;
    this.spoken = spoken;
    this.pieces = pieces;
  }

  /** What the annotations of the answer cite: ids of files, URLs. */
  Set<String> cited() {
    return cited;
  }

  /** Reads annotations, beside the answer. */
  void annotations(Place place, int annotations) {
    int entry = json.firstElement(annotations);
    while (entry != JsonDocument.NONE) {
      annotation(entry);
      entry = json.nextElement(annotations, entry);
    }
    sweep(place, annotations);
  }

  /**
   * {@code file_citation}, {@code container_file_citation}, {@code file_path}, {@code
   * url_citation}: with their members beside the type or below a member that is named by it.
   */
  void annotation(int annotation) {
    int type = json.member(annotation, "type");
    int below = json.isString(type) ? json.member(annotation, json.string(type)) : type;
    for (String member : CITING) {
      int value = json.member(json.isObject(below) ? below : annotation, member);
      if (json.isString(value)
          && json.text(value).length() <= MAX_CITATION_BYTES
          && cited.size() < Evidence.MAX_CHUNKS) {
        cited.add(json.string(value));
      }
    }
  }

  /** Codes of what was found and nobody can read. */
  Set<String> unread() {
    return unread;
  }

  /** True if the model calls a tool, or its server has called one. */
  boolean acts() {
    return acts;
  }

  void noteCall() {
    acts = true;
  }

  void noteUnread(String code) {
    unread.add(code);
  }

  /** A text whose place is known. */
  void put(Place place, Utf8Span text) {
    if (pieces) {
      spoken.append(place, text);
    } else {
      spoken.whole(place, text);
    }
  }

  static Place answer(int major, int minor, String path) {
    return new Place(Tier.ANSWER, major, minor, path);
  }

  static Place side(int major, int minor, String path) {
    return new Place(Tier.SIDE, major, minor, path);
  }

  static Place beside(int major, int minor, String path) {
    return new Place(Tier.BESIDE, major, minor, path);
  }

  /** A name, a type or a code, which is read if it is more than that. */
  void label(Place place, int node) {
    if (!json.isString(node) || !JsonTextExtractor.isLabel(json.text(node))) {
      sweep(place, node);
    }
  }

  /** A text that is a string where it should be; anything else that stands there is swept. */
  void text(Place place, int node) {
    if (json.isString(node)) {
      put(place, json.text(node));
    } else {
      sweep(new Place(Tier.SIDE, place.major(), place.minor(), place.path()), node);
    }
  }

  /** Reads whatever is in a value; it may be missing. */
  void sweep(Place place, int node) {
    sweep(place, node, false);
  }

  /** Reads whatever is in an object but for the members that somebody else reads. */
  void sweepOthers(Place place, int object, Set<String> known) {
    if (!json.isObject(object)) {
      sweep(place, object);
      return;
    }
    for (int at = json.first(object); at != JsonDocument.NONE; at = json.nextName(object, at)) {
      if (!known.contains(json.string(at))) {
        member(place, at, false);
      }
    }
  }

  // Recursion is bounded by the depth of the document, which the scanner bounds.
  private void sweep(Place place, int node, boolean label) {
    if (json.isObject(node)) {
      for (int at = json.first(node); at != JsonDocument.NONE; at = json.nextName(node, at)) {
        member(place, at, label);
      }
    } else if (json.isArray(node)) {
      int position = 0;
      int at = json.first(node);
      while (at != JsonDocument.NONE) {
        sweep(under(place, number(json.member(at, "index"), position)), at, label);
        at = json.nextElement(node, at);
        position++;
      }
    } else if (json.isString(node)) {
      Utf8Span text = json.text(node);
      if (!(label && JsonTextExtractor.isLabel(text))) {
        put(place, text);
      }
    }
  }

  private void member(Place place, int nameNode, boolean label) {
    String name = json.string(nameNode);
    int value = nameNode + 1;
    if (spoken.hasWordyNames(json.text(nameNode))) {
      unread.add("data_names");
    }
    if (JsonTextExtractor.isProse(json.text(nameNode))) {
      spoken.whole(under(place, 0, "name"), json.text(nameNode));
    }
    if (name.equals("logprobs")) {
      logprobs(place, value, pieces);
    } else if (BINARY.contains(name)
        && json.isString(value)
        && isOpaque(value)
        && json.text(value).length() > JsonTextExtractor.MAX_LABEL_BYTES) {
      file(place, value);
    } else if (!(OPAQUE.contains(name) && json.isString(value) && isOpaque(value))) {
      sweep(
          new Place(place.tier(), place.major(), place.minor(), place.path() + "/" + name),
          value,
          label || LABELS.contains(name));
    }
  }

  private void file(Place place, int value) {
    Utf8Span data = json.text(value);
    boolean isLink = data.slice(0, LINK.length()).equals(LINK) && data.length() <= MAX_LINK_BYTES;
    if (!isLink) {
      FileText.inline(data)
          .orElseGet(() -> FileText.of(data, /* isDeclared= */ false))
          .text()
          .ifPresent(words -> put(place, words));
    }
    unread.add(MessageView.BINARY_PART);
  }

  /**
   * Probabilities of the words that were said: they are the answer once more, and what differs from
   * it is judged with it. Other words that might have been said are for no reader.
   *
   * @param isPiece true if they are those of one more piece
   */
  void logprobs(Place place, int node, boolean isPiece) {
    if (json.isArray(node)) {
      tokens(place, node, isPiece);
    } else if (json.isObject(node)) {
      for (String list : TOKEN_LISTS) {
        tokens(
            new Place(Tier.SIDE, place.major(), place.minor(), list),
            json.member(node, list),
            isPiece);
      }
      noteAlternatives(json.firstElement(json.member(node, TOP)));
      sweepOthers(place, node, LOGPROBS);
    }
  }

  private void tokens(Place place, int list, boolean isPiece) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    for (int at = json.firstElement(list);
        at != JsonDocument.NONE;
        at = json.nextElement(list, at)) {
      int token = json.isString(at) ? at : json.member(at, "token");
      if (json.isString(token)) {
        token(json.text(token), json.member(at, "bytes"), said);
      }
      if (!json.isString(at)) {
        noteAlternatives(json.firstElement(json.member(at, TOP)));
        sweepOthers(place, at, TOKEN);
      }
    }
    Utf8Span text = Utf8Span.of(said.toByteArray());
    if (isPiece) {
      spoken.append(place, text);
    } else {
      spoken.whole(place, text);
    }
  }

  /** A token; one that is a part of a character has its bytes beside it. */
  private void token(Utf8Span token, int bytes, ByteArrayOutputStream said) {
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    for (int at = json.firstElement(bytes);
        at != JsonDocument.NONE;
        at = json.nextElement(bytes, at)) {
      raw.write(number(at, '?'));
    }
    byte[] shown = token.toByteArray();
    boolean isPart =
        Utf8.firstInvalid(raw.toByteArray()) >= 0
            && shown.length <= JsonTextExtractor.MAX_LABEL_BYTES;
    if (!isPart) {
      said.writeBytes(shown);
    }
    if (isPart || !(raw.size() == 0 || Arrays.equals(shown, raw.toByteArray()))) {
      said.writeBytes(raw.toByteArray());
    }
  }

  private void noteAlternatives(int first) {
    if (first != JsonDocument.NONE && !json.isNull(first)) {
      unread.add(MessageView.BINARY_PART);
    }
  }

  private boolean isOpaque(int node) {
    return JsonTextExtractor.isToken(json.text(node));
  }

  private static Place under(Place place, int index) {
    return under(place, index, "");
  }

  private static Place under(Place place, int index, String name) {
    // Padded, so that places sort by number.
    String digits = Integer.toString(index);
    String padded = "0".repeat(Math.max(0, 6 - digits.length())) + digits;
    return new Place(
        place.tier(), place.major(), place.minor(), place.path() + "/" + padded + name);
  }

  /** A path as {@link #sweep} gives it to an element of an array. */
  static Place element(Place place, int index) {
    return under(place, index);
  }

  /** The number of a text's place, or what to take where none is given. */
  int index(int object, String member, int otherwise) {
    int node = json.present(object, member);
    int index = number(node, -1);
    misplaced |= node != JsonDocument.NONE && index < 0;
    return index < 0 ? otherwise : index;
  }

  /** True if a place has a number that readers write in several ways, or none of them has. */
  boolean isMisplaced() {
    return misplaced;
  }

  /** A small number, or what to take instead. */
  int number(int node, int otherwise) {
    if (!json.isNumber(node) || json.end(node) - json.start(node) > 6) {
      return otherwise;
    }
    String digits = json.raw(node);
    return digits.chars().allMatch(c -> c >= '0' && c <= '9')
        ? Integer.parseInt(digits)
        : otherwise;
  }

  /**
   * A protocol error, which is no part of the answer.
   *
   * @param all what belongs to it
   */
  void error(int all, int error) {
    failure = Optional.of(AgentError.of(json, all, error));
  }

  /**
   * The object with the code of the error that a body or event is or holds: its member of that
   * name, or itself if it says so, or is what frameworks say of an error ({@code detail} alone);
   * {@link JsonDocument#NONE} for any other.
   */
  static int errorIn(JsonDocument json) {
    int root = json.root();
    int stated = statedErrorIn(json);
    boolean isDetail =
        json.present(root, "detail") != JsonDocument.NONE
            && OF_ANSWERS.stream()
                .allMatch(member -> json.member(root, member) == JsonDocument.NONE);
    return stated == JsonDocument.NONE && isDetail ? root : stated;
  }

  /** As {@link #errorIn}, of what calls itself an error. */
  static int statedErrorIn(JsonDocument json) {
    int root = json.root();
    int error = json.present(root, "error");
    return error != JsonDocument.NONE || !(isError(json, "object") || isError(json, "type"))
        ? error
        : root;
  }

  private static boolean isError(JsonDocument json, String member) {
    int node = json.member(json.root(), member);
    return json.isString(node) && json.textEquals(node, "error");
  }

  /** The error in the body or event. */
  Optional<AgentError> failure() {
    return failure;
  }
}
