package dev.parlance.wire.a2a;

import dev.parlance.wire.api.HeldAnswer;
import dev.parlance.wire.api.TaskListing;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoScanner;
import dev.parlance.wire.proto.ProtoWriter;
import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * ListTasks of A2A v1.0 in each binding: what it asks for, and tasks that are put into its page.
 */
abstract sealed class A2aTaskListing implements TaskListing
    permits A2aTaskListing.OfJson, A2aTaskListing.OfProto {
  private static final String PAGE_SIZE = "pageSize";
  private static final String TOTAL_SIZE = "totalSize";
  private static final String AFTER = "statusTimestampAfter";
  private static final String CONTEXT_ID = "contextId";

  final JsonScanner.Limits limits;

  /**
   * What is asked for.
   *
   * @param isFirst true for the first page
   * @param pageSize as many tasks at most
   * @param isOfWorking true if tasks at work are asked for
   * @param contextId of one conversation alone
   * @param afterMs that have changed since, in milliseconds since the epoch
   */
  record Asked(
      boolean isFirst,
      int pageSize,
      boolean isOfWorking,
      Optional<String> contextId,
      long afterMs) {}

  private A2aTaskListing(JsonScanner.Limits limits) {
    this.limits = limits;
  }

  abstract Asked asked();

  abstract Optional<Smaller> asking(int tasks);

  @Override
  public final boolean asksFor(HeldAnswer held, long sinceMs) {
    Asked asked = asked();
    return asked.isOfWorking()
        && sinceMs >= asked.afterMs()
        && asked.contextId().filter(id -> !id.equals(task(held).contextId())).isEmpty();
  }

  @Override
  public final Optional<Smaller> smaller(int others) {
    return asked().isFirst() ? asking(Math.max(1, asked().pageSize() - others)) : Optional.empty();
  }

  /** A held answer as a task of the conversation that it says it is of. */
  final A2aSidecarTask task(HeldAnswer held) {
    Optional<String> contextId =
        A2aHeldPayload.of(A2aFormat.CURRENT, held, limits)
            .flatMap(own ->
                own.json().optionalString(own.json().member(own.payload().node(), CONTEXT_ID)));
    return A2aSidecarTask.ofIds(Optional.empty(), contextId, held.notice());
  }

  private static long millis(String time) {
    try {
      return Instant.parse(time).toEpochMilli();
    } catch (DateTimeParseException notOne) {
      return Long.MIN_VALUE; // the agent says what is wrong with it
    }
  }

  private static long number(String digits) {
    return digits.matches("[0-9]{1,9}") ? Long.parseLong(digits) : 0;
  }

  /** Over JSON-RPC and HTTP+JSON. */
  static final class OfJson extends A2aTaskListing {
    private final A2aBinding binding;
    private final JsonDocument request;
    private final int params;
    private final Optional<String> target;

    /**
     * A request.
     *
     * @param params the object with what is asked for, if there is one
     * @param target where it is in the query instead
     */
    OfJson(
        A2aBinding binding,
        JsonDocument request,
        int params,
        Optional<String> target,
        JsonScanner.Limits limits) {
      super(limits);
      this.binding = binding;
      this.request = request;
      this.params = params;
      this.target = target;
    }

    private Optional<String> asked(String name) {
      Optional<String> text =
          target.isPresent()
              ? parameters(query -> query.startsWith(name + "="))
                  .map(found -> decoded(found.substring(name.length() + 1)))
              : request.scalarText(request.present(params, name));
      return text.filter(value -> !value.isEmpty());
    }

    private Optional<String> parameters(Function<String, Boolean> which) {
      return query().stream().filter(which::apply).findFirst();
    }

    private List<String> query() {
      String all = target.orElse("");
      int at = all.indexOf('?');
      return at < 0 ? List.of() : List.of(all.substring(at + 1).split("&", -1));
    }

    private static String decoded(String value) {
      try {
        return URLDecoder.decode(value, StandardCharsets.UTF_8);
      } catch (IllegalArgumentException notEncoded) {
        return value;
      }
    }

    @Override
    Asked asked() {
      return new Asked(
          asked("pageToken").isEmpty(),
          TaskListing.page(number(asked(PAGE_SIZE).orElse(""))),
          asked("status")
              .filter(state -> !state.endsWith("_WORKING") && !state.endsWith("_UNSPECIFIED"))
              .isEmpty(),
          asked(CONTEXT_ID),
          asked(AFTER).map(A2aTaskListing::millis).orElse(Long.MIN_VALUE));
    }

    @Override
    Optional<Smaller> asking(int tasks) {
      if (target.isPresent()) {
        String path = target.get();
        int at = path.indexOf('?');
        String others =
            query().stream()
                .filter(each -> !each.isEmpty() && !each.startsWith(PAGE_SIZE + "="))
                .map(each -> each + "&")
                .collect(Collectors.joining());
        return Optional.of(
            new Smaller(
                (at < 0 ? path : path.substring(0, at)) + "?" + others + PAGE_SIZE + "=" + tasks,
                Optional.empty()));
      }
      JsonEdits edits = new JsonEdits(request);
      String member = "\"" + PAGE_SIZE + "\":" + tasks;
      int size = request.member(params, PAGE_SIZE);
      if (size != JsonDocument.NONE) {
        edits.replace(size, Integer.toString(tasks));
      } else if (request.isObject(params)) {
        edits.addMembers(params, member);
      } else {
        return Optional.empty();
      }
      return Optional.of(new Smaller("", Optional.of(request.edited(edits.sorted()))));
    }

    @Override
    public Optional<byte[]> with(List<HeldAnswer> held, byte[] answer) {
      if (!(JsonScanner.scan(answer, limits) instanceof JsonScanner.Scanned(JsonDocument json))
          || !(binding.find(json, 200) instanceof A2aBinding.Found.Result(int result))
          || !json.isObject(result)) {
        return Optional.empty();
      }
      JsonEdits edits = new JsonEdits(json);
      if (asked().isFirst()) {
        String tasks =
            held.stream()
                .map(one -> task(one).jsonListed(A2aFormat.CURRENT))
                .collect(Collectors.joining(","));
        int own = json.member(result, MemberName.TASKS);
        if (own == JsonDocument.NONE) {
          edits.addMembers(result, "\"tasks\":[" + tasks + "]");
        } else if (json.first(own) == JsonDocument.NONE) {
          edits.replace(own, "[" + tasks + "]");
        } else {
          edits.insertBefore(json.first(own), tasks);
        }
        set(json, edits, json.member(result, PAGE_SIZE), asked().pageSize());
      }
      int total = json.member(result, TOTAL_SIZE);
      json.scalarText(total).ifPresent(size -> set(json, edits, total, number(size) + held.size()));
      return Optional.of(json.edited(edits.sorted()));
    }

    private static void set(JsonDocument json, JsonEdits edits, int node, long value) {
      if (json.isNumber(node)) {
        edits.replace(node, Long.toString(value));
      }
    }
  }

  /** Over gRPC. */
  static final class OfProto extends A2aTaskListing {
    private final A2aMethod.OverGrpc called;
    private final ProtoMessage request;

    OfProto(A2aMethod.OverGrpc called, ProtoMessage request, JsonScanner.Limits limits) {
      super(limits);
      this.called = called;
      this.request = request;
    }

    @Override
    Asked asked() {
      long state = request.number("status");
      return new Asked(
          request.string("pageToken").isEmpty(),
          TaskListing.page(request.number(PAGE_SIZE)),
          state == 0 || state == A2aSidecarTask.State.WORKING.number(),
          request.string(CONTEXT_ID),
          request
              .message("after")
              .map(after -> after.number("seconds") * 1000)
              .orElse(Long.MIN_VALUE));
    }

    @Override
    Optional<Smaller> asking(int tasks) {
      byte[] size = new ProtoWriter().number(request.type().number(PAGE_SIZE), tasks).toBytes();
      byte[] message = without(request, PAGE_SIZE);
      return Optional.of(
          new Smaller("", Optional.of(GrpcFraming.framed(joined(List.of(message, size))))));
    }

    @Override
    public Optional<byte[]> with(List<HeldAnswer> held, byte[] answer) {
      return A2aGrpcRequest.normal(answer)
          .map(framed -> Arrays.copyOfRange(framed, GrpcFraming.PREFIX_BYTES, framed.length))
          .flatMap(message -> with(message, held));
    }

    private Optional<byte[]> with(byte[] message, List<HeldAnswer> held) {
      if (!(ProtoScanner.scan(message, called.answerType(), limits.tokens())
          instanceof ProtoScanner.Scanned(ProtoMessage list, var _))) {
        return Optional.empty();
      }
      List<byte[]> fields = new ArrayList<>();
      ProtoWriter sizes = new ProtoWriter();
      if (asked().isFirst()) {
        held.forEach(one ->
            fields.add(
                new ProtoWriter()
                    .message(list.type().number("tasks"), task(one).protoListed(called.schema()))
                    .toBytes()));
        sizes.number(list.type().number(PAGE_SIZE), asked().pageSize());
      }
      fields.add(without(list, TOTAL_SIZE, asked().isFirst() ? PAGE_SIZE : TOTAL_SIZE));
      sizes.number(list.type().number(TOTAL_SIZE), list.number(TOTAL_SIZE) + held.size());
      fields.add(sizes.toBytes());
      return Optional.of(GrpcFraming.framed(joined(fields)));
    }

    /** A message without fields, each of which may stand there once. */
    private static byte[] without(ProtoMessage message, String... members) {
      List<Edit> cuts =
          message.fields().stream()
              .filter(field -> List.of(members).contains(field.known().name()))
              .map(field -> new Edit(field.tagStart(), field.end() - field.tagStart(), new byte[0]))
              .toList();
      return Splicer.applyToBytes(message.body(), cuts);
    }

    private static byte[] joined(List<byte[]> parts) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      parts.forEach(all::writeBytes);
      return all.toByteArray();
    }
  }
}
