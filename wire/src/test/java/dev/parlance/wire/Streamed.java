package dev.parlance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.sse.SseFrame;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Runs streamed answers through their readers, cut in every way. */
public final class Streamed {
  public static final ResponseHead EVENTS = Wire.reply("text/event-stream");

  private Streamed() {}

  /**
   * What came of a stream.
   *
   * @param reader as it is at the end
   * @param events one for each frame with a payload
   */
  public record Heard(StreamReader reader, List<StreamEvent> events) {
    public String said() {
      return reader.said().answer().toString();
    }

    public boolean complete() {
      return events.stream()
          .anyMatch(event -> event instanceof StreamEvent.Said said && said.complete());
    }
  }

  public static byte[] file(String name) {
    try (InputStream in = Streamed.class.getResourceAsStream("/wire/" + name)) {
      if (in == null) {
        throw new IllegalArgumentException("no recorded body " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static StreamReader reader(RequestView request) {
    return request.readStream(EVENTS).orElseThrow();
  }

  /** Feeds a stream in pieces of at most so many bytes; 0 draws each length. */
  public static Heard hear(StreamReader reader, byte[] stream, int mostBytes, Random random) {
    StreamFraming framing = reader.framing();
    List<StreamEvent> events = new ArrayList<>();
    int at = 0;
    while (at < stream.length) {
      int most = mostBytes > 0 ? mostBytes : 1 + random.nextInt(40);
      int to = Math.min(stream.length, at + most);
      assertThat(framing.feed(Unpooled.wrappedBuffer(stream, at, to - at))).isEmpty();
      drain(reader, events);
      at = to;
    }
    assertThat(framing.end()).isEmpty();
    drain(reader, events);
    return new Heard(reader, events);
  }

  /** Feeds a stream in two pieces. */
  public static Heard hearInTwo(StreamReader reader, byte[] stream, int at) {
    StreamFraming framing = reader.framing();
    List<StreamEvent> events = new ArrayList<>();
    assertThat(framing.feed(Unpooled.wrappedBuffer(stream, 0, at))).isEmpty();
    drain(reader, events);
    assertThat(framing.feed(Unpooled.wrappedBuffer(stream, at, stream.length - at))).isEmpty();
    drain(reader, events);
    assertThat(framing.end()).isEmpty();
    drain(reader, events);
    return new Heard(reader, events);
  }

  public static Heard hear(StreamReader reader, byte[] stream) {
    return hear(reader, stream, Math.max(1, stream.length), new Random(1));
  }

  public static Heard hear(StreamReader reader, String... payloads) {
    return hear(reader, events(payloads));
  }

  private static void drain(StreamReader reader, List<StreamEvent> events) {
    for (Optional<Frame> next = reader.framing().next();
        next.isPresent();
        next = reader.framing().next()) {
      if (next.get().payload().isPresent()) {
        events.add(reader.read(next.get()));
      }
    }
  }

  /** A stream of these payloads. */
  public static byte[] events(String... payloads) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (String payload : payloads) {
      out.writeBytes(Wire.bytes("data: " + payload + "\n\n"));
    }
    return out.toByteArray();
  }

  /** The payloads of a stream with the edits made that its reader asks for at the end. */
  public static List<String> annotated(StreamReader reader, byte[] stream, VerdictHeader verdict) {
    assertThat(reader.framing().feed(Unpooled.wrappedBuffer(stream))).isEmpty();
    assertThat(reader.framing().end()).isEmpty();
    List<String> payloads = new ArrayList<>();
    for (Optional<Frame> next = reader.framing().next();
        next.isPresent();
        next = reader.framing().next()) {
      Frame frame = next.get();
      if (frame.payload().isPresent()) {
        List<Edit> edits =
            switch (reader.read(frame)) {
              case StreamEvent.Said said when said.complete() -> said.edits().annotate(verdict);
              case StreamEvent.Said said -> said.edits().strip();
              case StreamEvent.Silent silent -> silent.edits().strip();
              case StreamEvent.Aside aside -> aside.edits().annotate(verdict);
              case StreamEvent.Failed failed -> failed.edits().strip();
              case StreamEvent.Unjudged unjudged -> throw new AssertionError(unjudged);
              case StreamEvent.Foreign foreign -> throw new AssertionError(foreign);
              case StreamEvent.Malformed malformed -> throw new AssertionError(malformed);
            };
        Frame edited = new SseFrame(frame.edited(edits));
        payloads.add(new String(edited.payload().orElseThrow(), StandardCharsets.UTF_8));
      }
    }
    return payloads;
  }
}
