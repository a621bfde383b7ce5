package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.grpc.GrpcFramingTest;
import dev.parlance.wire.grpc.GrpcStatus;
import dev.parlance.wire.json.JsonPointers;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the cases of {@code bypass/grpc.txt}; what its columns mean stands there. */
class GrpcBypassTest {
  private static final int LEAST_CASES = 60;

  record Case(
      String name, String side, String call, String framing, String message, String outcome) {
    String path() {
      String service = call.startsWith("1.0 ") ? GrpcWire.CURRENT : GrpcWire.OLD;
      return service + call.substring(4);
    }

    Optional<String> option(String key) {
      return Arrays.stream(framing.split(" ", -1))
          .filter(word -> word.startsWith(key + "="))
          .map(word -> word.substring(key.length() + 1))
          .findFirst();
    }

    boolean has(String word) {
      return List.of(framing.split(" ", -1)).contains(word);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** What became of a case: what was judged and what nobody read, or why it went no further. */
  private record Result(String stopped, String judged, List<String> unread) {
    static Result of(Reading<?> reading) {
      return switch (reading) {
        case Reading.Malformed<?>(WireFault fault, String _) ->
            stopped("malformed:" + fault.code());
        case Reading.Unjudged<?>(String what) -> stopped("unjudged:" + what);
        case Reading.Readable<?>(RequestView view) -> read(view.message(), view.unread());
        case Reading.Readable<?>(ResponseView view) when view.failure().isPresent() ->
            read(view.message(), List.of(words(view.failure().get())));
        case Reading.Readable<?>(ResponseView view) -> read(view.message(), view.unread());
        case Reading.Readable<?> other -> throw new AssertionError(other);
      };
    }

    static String words(AgentError error) {
      return "error:" + error.words().orElseThrow();
    }

    static Result stopped(String why) {
      return new Result(why, "", List.of());
    }

    static Result read(Optional<AgentMessage> message, List<String> unread) {
      return new Result("", message.map(said -> said.answer().toString()).orElse(""), unread);
    }
  }

  static Stream<Case> cases() {
    try (InputStream in = GrpcBypassTest.class.getResourceAsStream("/bypass/grpc.txt")) {
      if (in == null) {
        throw new IllegalStateException("no cases");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.split(" \\| ", -1))
              .map(column ->
                  new Case(column[0], column[1], column[2], column[3], column[4], column[5]))
              .toList()
              .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void casesHaveNamesOfTheirOwn() {
    Set<String> names = new HashSet<>();
    cases().forEach(one -> assertThat(names.add(one.name())).as(one.name()).isTrue());
    assertThat(names).hasSizeGreaterThan(LEAST_CASES);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void nothingGetsPastUnjudged(Case one) {
    Result result =
        switch (one.side()) {
          case "ask" -> Result.of(ask(one));
          case "answer" -> Result.of(answer(one));
          case "stream" -> stream(one);
          default -> throw new IllegalArgumentException(one.side());
        };
    boolean held =
        !result.stopped().isEmpty() || !result.unread().isEmpty() || hasHalves(result.judged());
    assertThat(held).as("held back: %s", result).isTrue();
    String outcome = one.outcome();
    if (outcome.equals("judged")) {
      assertThat(result.judged()).contains(GrpcRecipe.SENTENCE);
    } else if (outcome.equals("error")) {
      assertThat(result.unread())
          .anyMatch(text -> text.startsWith("error:") && text.contains(GrpcRecipe.SENTENCE));
    } else if (outcome.startsWith("unread:")) {
      assertThat(result.unread()).contains(outcome.substring("unread:".length()));
    } else if (outcome.startsWith("malformed") || outcome.startsWith("unjudged")) {
      assertThat(result.stopped()).startsWith(outcome);
    } else {
      assertThat(outcome).isEqualTo("pieces");
      assertThat(hasHalves(result.judged())).isTrue();
    }
  }

  private static boolean hasHalves(String judged) {
    return judged.contains(GrpcRecipe.FIRST_HALF) && judged.contains(GrpcRecipe.SECOND_HALF);
  }

  private static Reading<RequestView> ask(Case one) {
    RequestHead head = GrpcWire.head(one.path(), fields(one));
    return Wire.CODECS.read("auto", JsonPointers.NONE, head, body(one));
  }

  private static Reading<ResponseView> answer(Case one) {
    return asker(one).readResponse(head(one), body(one));
  }

  private static RequestView asker(Case one) {
    boolean sends = one.call().contains(" Send");
    String message =
        one.call().startsWith("1.0") ? "2:{1:\"m\" 5:{1:\"Why?\"}}" : "1:{5:{1:\"Why?\"}}";
    String other = one.call().startsWith("1.0") ? "2:\"t\"" : "1:\"tasks/t\"";
    return GrpcWire.asked(one.path(), GrpcRecipe.message(sends ? message : other));
  }

  private static Map<String, String> fields(Case one) {
    Map<String, String> fields = new HashMap<>();
    fields.put("content-type", one.option("type").orElse("application/grpc"));
    boolean gzip = one.has("gzip") || one.has("gzip-unflagged");
    one.option("encoding")
        .or(() -> gzip ? Optional.of("gzip") : Optional.empty())
        .ifPresent(encoding -> fields.put("grpc-encoding", encoding));
    return fields;
  }

  private static ResponseHead head(Case one) {
    return new ResponseHead(
        200,
        Wire.fields(fields(one)),
        Relayed.NOTHING,
        ResponseHead.EVENT_BYTES,
        Wire.fields(trailers(one)));
  }

  private static Map<String, String> trailers(Case one) {
    if (one.has("no-status")) {
      return Map.of("x-other", "1");
    }
    Map<String, String> trailers = new HashMap<>();
    trailers.put("grpc-status", one.option("status").orElse("0"));
    for (String event : one.message().split(" ; ", -1)) {
      int colon = event.indexOf(':');
      String text = event.substring(colon + 1);
      if (event.startsWith("words:")) {
        trailers.put("grpc-message", GrpcStatus.percentEncoded(GrpcRecipe.filled(text)));
      } else if (event.startsWith("plain-details:")) {
        trailers.put("grpc-status-details-bin", GrpcRecipe.filled(text));
      } else if (event.startsWith("details:")) {
        byte[] status = GrpcRecipe.message(text);
        trailers.put("grpc-status-details-bin", Base64.getEncoder().encodeToString(status));
      }
    }
    return trailers;
  }

  private static byte[] body(Case one) {
    if (one.has("empty")) {
      return new byte[0];
    }
    return framed(one, GrpcRecipe.message(one.has("ok") ? "2:{5:{1:\"ok\"}}" : one.message()));
  }

  private static byte[] framed(Case one, byte[] message) {
    if (one.has("gzip")) {
      return GrpcFramingTest.frame(1, GrpcFramingTest.gzip(message));
    }
    if (one.has("gzip-unflagged")) {
      return GrpcFraming.framed(GrpcFramingTest.gzip(message));
    }
    int flag = one.option("flag").map(Integer::parseInt).orElse(0);
    byte[] frame = GrpcFramingTest.frame(flag, message);
    if (one.option("length").isPresent()) {
      int length = Integer.parseUnsignedInt(one.option("length").get());
      System.arraycopy(GrpcFraming.lengthBytes(length), 0, frame, 1, 4);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (one.has("after-empty")) {
      out.writeBytes(GrpcFraming.framed(new byte[0]));
    }
    out.writeBytes(one.has("cut") ? Arrays.copyOf(frame, frame.length - 1) : frame);
    if (one.has("twice")) {
      out.writeBytes(frame);
    }
    if (one.has("trailing")) {
      out.write('x');
    }
    return out.toByteArray();
  }

  private static Result stream(Case one) {
    StreamReader reader = asker(one).readStream(head(one)).orElseThrow();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (String event : one.message().split(" ; ", -1)) {
      if (!event.startsWith("words:")) {
        out.writeBytes(framed(one, GrpcRecipe.message(event)));
      }
    }
    byte[] stream = out.toByteArray();
    int step = one.has("bytewise") ? 1 : stream.length;
    List<String> unread = new ArrayList<>();
    for (int at = 0; at < stream.length; at += step) {
      int length = Math.min(step, stream.length - at);
      Optional<StreamFraming.Fault> fault =
          reader.framing().feed(Unpooled.wrappedBuffer(stream, at, length));
      if (fault.isPresent()) {
        return Result.stopped("malformed:" + fault.get().fault().code());
      }
      for (Optional<Frame> next = reader.framing().next();
          next.isPresent();
          next = reader.framing().next()) {
        Optional<Result> stopped = hear(reader.read(next.get()), unread);
        if (stopped.isPresent()) {
          return stopped.get();
        }
      }
    }
    Optional<StreamFraming.Fault> fault = reader.framing().end();
    if (fault.isPresent()) {
      return Result.stopped("malformed:" + fault.get().fault().code());
    }
    reader.trailers(Wire.fields(trailers(one))).ifPresent(event -> hear(event, unread));
    return Result.read(Optional.of(reader.said()), unread);
  }

  private static Optional<Result> hear(StreamEvent event, List<String> unread) {
    return switch (event) {
      case StreamEvent.Malformed(WireFault fault, String _) ->
          Optional.of(Result.stopped("malformed:" + fault.code()));
      case StreamEvent.Unjudged(String what) -> Optional.of(Result.stopped("unjudged:" + what));
      case StreamEvent.Foreign(String what) -> Optional.of(Result.stopped("foreign:" + what));
      case StreamEvent.Said said -> {
        unread.addAll(said.unread());
        yield Optional.empty();
      }
      case StreamEvent.Failed failed -> {
        unread.add(Result.words(failed.error()));
        yield Optional.empty();
      }
      case StreamEvent.Silent _, StreamEvent.Aside _ -> Optional.empty();
    };
  }
}
