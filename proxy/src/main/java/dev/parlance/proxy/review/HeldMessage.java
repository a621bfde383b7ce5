package dev.parlance.proxy.review;

import dev.parlance.policy.text.Coded;
import java.util.List;
import java.util.Optional;

/**
 * A message that waits for a person: what was asked, what was answered and by which evidence, why
 * it is held, and the bytes to deliver if it is released.
 *
 * <p>The arrays are owned by the record: whoever creates it hands them over and never writes to
 * them again, and whoever reads them only reads. Records with equal arrays are equal only if the
 * arrays are the same.
 *
 * @param decisionId id under which the decision log holds the verdict
 * @param origin the exchange that it belongs to
 * @param content what is read, and what is delivered
 * @param cause why it is held
 * @param heldAtMs when it was held, in milliseconds since the epoch
 */
public record HeldMessage(
    String decisionId, Origin origin, Content content, Cause cause, long heldAtMs) {
  /** Objects and references of one held message, beside its texts and bytes. */
  private static final int OVERHEAD_BYTES = 1024;

  private static final int OVERHEAD_OF_STRING_BYTES = 64;

  /** What is held: half of an exchange, or a coined term. */
  public enum Kind implements Coded {
    /** A request on its way to the agent. */
    REQUEST,
    /** A response on its way back. */
    RESPONSE,
    /** A term that waits on its board; nothing is to be delivered. */
    TERM
  }

  /**
   * One header field.
   *
   * @param name field name
   * @param value field value
   */
  public record Field(String name, String value) {}

  /**
   * The exchange that a message belongs to.
   *
   * @param direction inbound or outbound
   * @param kind what is held
   * @param protocol protocol name, e.g. {@code a2a-1.0}
   * @param routeRule name of the configured rule that matched
   * @param flow flow id
   * @param keys what it is recognised by
   * @param caller address that it came from
   * @param destination where it goes
   */
  public record Origin(
      String direction,
      Kind kind,
      String protocol,
      String routeRule,
      String flow,
      Keys keys,
      String caller,
      String destination) {}

  /**
   * What a held message is recognised by; digests all.
   *
   * @param caller who asked; empty for what an older version held
   * @param questions who asked, in which conversation, and what; the first is as it was asked, the
   *     others as the same conversation may go on; at least one
   * @param texts the text that was judged, in each of these conversations; none for what an older
   *     version held
   * @param tasks the task of the agent that a held answer is about, if it is about one
   * @param shared what the sidecar opposite recognises the text by, if that is known
   */
  public record Keys(
      String caller,
      List<String> questions,
      List<String> texts,
      List<String> tasks,
      Optional<Shared> shared) {
    /** Takes copies; refuses a message that could not be recognised. */
    public Keys {
      questions = List.copyOf(questions);
      texts = List.copyOf(texts);
      tasks = List.copyOf(tasks);
      if (questions.isEmpty() || questions.contains("")) {
        throw new IllegalArgumentException("a held message has the key of a question");
      }
    }
  }

  /**
   * What both sidecars between which a message passes recognise its text by.
   *
   * @param peer id of the agent opposite
   * @param texts the text in each of its conversations; digests
   */
  public record Shared(String peer, List<String> texts) {
    /** Takes a copy. */
    public Shared {
      texts = List.copyOf(texts);
    }
  }

  /**
   * What is read, and what is delivered.
   *
   * @param status HTTP status code of a held response, 0 for a request
   * @param contentType media type of the body; may be empty
   * @param headers header fields to deliver with the body
   * @param question UTF-8 text of what was asked; may be empty
   * @param answer UTF-8 text that was judged; may be empty
   * @param material what a person decides by, beside the two
   * @param body the exact bytes to deliver
   */
  @SuppressWarnings("ArrayRecordComponent") // several MB of content are not copied on each read
  public record Content(
      int status,
      String contentType,
      List<Field> headers,
      byte[] question,
      byte[] answer,
      Material material,
      byte[] body) {
    private static final byte[] NOTHING = {};

    /** Copies the fields; refuses what is no status. */
    public Content {
      headers = List.copyOf(headers);
      if (status < 0 || status > 999) {
        throw new IllegalArgumentException("expected a status in 0-999, got " + status);
      }
    }
  }

  /**
   * What a person decides by, beside question and answer.
   *
   * @param drafts what was judged before for the same question, and thrown away; oldest first
   * @param backing what the held text was judged against
   */
  public record Material(List<EarlierDraft> drafts, Backing backing) {
    /** None. */
    public static final Material NONE = new Material(List.of(), Backing.NONE);

    /** Takes a copy. */
    public Material {
      drafts = List.copyOf(drafts);
    }
  }

  /**
   * A draft before the one that is held.
   *
   * @param text what it said
   * @param backing what it was judged against; empty where that is what the held one was
   */
  public record EarlierDraft(String text, Optional<Backing> backing) {}

  /**
   * What a draft was judged against, as far as it is kept.
   *
   * @param chunks ids, and as values the texts
   * @param citations what was cited beside the text
   * @param isCut true if there was more than is kept
   */
  public record Backing(List<Field> chunks, List<String> citations, boolean isCut) {
    /** Nothing. */
    public static final Backing NONE = new Backing(List.of(), List.of(), false);

    /** Takes copies. */
    public Backing {
      chunks = List.copyOf(chunks);
      citations = List.copyOf(citations);
    }

    private long memoryBytes() {
      long sum = 0;
      for (Field chunk : chunks) {
        sum += HeldMessage.memoryBytes(chunk.name()) + HeldMessage.memoryBytes(chunk.value());
      }
      for (String citation : citations) {
        sum += HeldMessage.memoryBytes(citation);
      }
      return sum;
    }
  }

  /**
   * Why a message is held.
   *
   * @param asp ASP header text; empty if nothing could be measured
   * @param reasons reason codes, most important first, at least one
   * @param verdictJson the verdict as one JSON object, for people
   * @param attempts drafts judged so far in this flow, at least 1
   */
  public record Cause(String asp, List<String> reasons, String verdictJson, int attempts) {
    /** Copies the reasons; refuses a message without reason or attempt. */
    public Cause {
      reasons = List.copyOf(reasons);
      if (reasons.isEmpty() || attempts < 1) {
        throw new IllegalArgumentException(
            "a held message has at least one reason and attempts >= 1, got " + attempts);
      }
    }
  }

  /** Estimated memory in bytes, never less than the content. */
  long memoryBytes() {
    long sum =
        OVERHEAD_BYTES
            + (long) content.question.length
            + content.answer.length
            + content.body.length;
    for (String text :
        List.of(
            decisionId,
            origin.direction,
            origin.protocol,
            origin.routeRule,
            origin.flow,
            origin.keys.caller,
            origin.caller,
            origin.destination,
            content.contentType,
            cause.asp,
            cause.verdictJson)) {
      sum += memoryBytes(text);
    }
    for (Field field : content.headers) {
      sum += memoryBytes(field.name()) + memoryBytes(field.value());
    }
    sum += content.material.backing.memoryBytes();
    for (EarlierDraft draft : content.material.drafts) {
      sum += memoryBytes(draft.text) + draft.backing.map(Backing::memoryBytes).orElse(0L);
    }
    for (List<String> texts :
        List.of(
            cause.reasons,
            origin.keys.questions,
            origin.keys.texts,
            origin.keys.tasks,
            origin.keys.shared.map(Shared::texts).orElse(List.of()))) {
      for (String text : texts) {
        sum += memoryBytes(text);
      }
    }
    return sum;
  }

  private static long memoryBytes(String text) {
    return OVERHEAD_OF_STRING_BYTES + 2L * text.length();
  }

  /** The same message without anything to deliver: header fields and body. */
  HeldMessage withoutBody() {
    return with(
        new Content(
            content.status,
            content.contentType,
            List.of(),
            content.question,
            content.answer,
            content.material,
            Content.NOTHING));
  }

  /** The same message without anything to deliver or to read. */
  HeldMessage withoutContent() {
    return with(
        new Content(
            content.status,
            content.contentType,
            List.of(),
            Content.NOTHING,
            Content.NOTHING,
            Material.NONE,
            Content.NOTHING));
  }

  /**
   * Another draft in the place of this one: it waits since then, and under the same questions and
   * tasks.
   */
  HeldMessage redrafted(HeldMessage by) {
    Keys now =
        new Keys(
            origin.keys.caller,
            origin.keys.questions,
            by.origin.keys.texts,
            origin.keys.tasks,
            by.origin.keys.shared);
    return new HeldMessage(
        by.decisionId,
        new Origin(
            origin.direction,
            origin.kind,
            origin.protocol,
            origin.routeRule,
            origin.flow,
            now,
            origin.caller,
            origin.destination),
        by.content,
        by.cause,
        heldAtMs);
  }

  /** The same message with another body to deliver. */
  public HeldMessage with(String contentType, byte[] body) {
    return with(
        new Content(
            content.status,
            contentType,
            content.headers,
            content.question,
            content.answer,
            content.material,
            body));
  }

  private HeldMessage with(Content other) {
    return new HeldMessage(decisionId, origin, other, cause, heldAtMs);
  }
}
