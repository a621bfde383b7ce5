package dev.parlance.demo.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.function.Function;

/** Writes events as server-sent events, one at a time, as they come. */
final class EventWriter<T> implements Flow.Subscriber<T> {
  private final OutputStream out;
  private final Function<T, String> payload;
  private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();

  private EventWriter(OutputStream out, Function<T, String> payload) {
    this.out = out;
    this.payload = payload;
  }

  /** Returns when the last event has been written. */
  static <T> void write(HttpAnswer.Events<T> events, OutputStream out) throws IOException {
    EventWriter<T> writer = new EventWriter<>(out, events.payload());
    events.source().subscribe(writer);
    try {
      writer.end.get();
    } catch (ExecutionException e) {
      throw new IOException("the stream broke off", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription made) {
    subscription.complete(made);
    made.request(1);
  }

  @Override
  public void onNext(T event) {
    try {
      out.write(("data: " + payload.apply(event) + "\n\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      subscription.join().request(1);
    } catch (IOException e) {
      subscription.join().cancel();
      end.completeExceptionally(e);
    }
  }

  @Override
  public void onError(Throwable failure) {
    end.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    end.complete(true);
  }
}
