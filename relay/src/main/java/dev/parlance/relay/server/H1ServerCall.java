package dev.parlance.relay.server;

import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.WholeResponse;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One call on a client's connection; a new one for every request, so a late one hits nobody. */
final class H1ServerCall extends AcceptedCall {
  private final H1ServerConnection connection;
  private final List<Runnable> onAbort = new ArrayList<>(1);
  private Consumer<Boolean> onSent = _ -> {};
  private boolean responded;
  private boolean aborted;

  H1ServerCall(H1ServerConnection connection) {
    super(connection.channel());
    this.connection = connection;
  }

  @Override
  public boolean isOpen() {
    return !aborted && connection.isWaiting(this);
  }

  @Override
  public void respond(WholeResponse response, boolean close) {
    try {
      claim(response.status());
    } catch (IllegalStateException | IllegalArgumentException e) {
      response.body().release();
      throw e;
    }
    connection.send(this, response, close);
  }

  @Override
  public void onSent(Consumer<Boolean> action) {
    onSent = action;
  }

  /** What became of its response. */
  void sent(boolean whole) {
    onSent.accept(whole);
  }

  @Override
  public void interim(int status, HttpHeaders headers) {
    connection.interim(this, status, headers);
  }

  @Override
  public ResponseStream begin(int status, HttpHeaders headers) {
    claim(status);
    return connection.begin(this, status, headers);
  }

  private void claim(int status) {
    if (!loop().inEventLoop()) {
      throw new IllegalStateException("an exchange is answered on its loop");
    }
    if (responded) {
      throw new IllegalStateException("an exchange has exactly one response");
    }
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("expected a final status, got " + status);
    }
    responded = true;
  }

  @Override
  public HttpProtocol protocol() {
    return HttpProtocol.HTTP1;
  }

  @Override
  public void onAbort(Runnable action) {
    if (aborted) {
      action.run();
    } else {
      onAbort.add(action);
    }
  }

  /** The client has gone. */
  void abort() {
    aborted = true;
    List<Runnable> actions = List.copyOf(onAbort);
    onAbort.clear();
    actions.forEach(Runnable::run);
  }
}
