package dev.parlance.demo.agent;

import dev.parlance.demo.agent.Talk.Delivery;
import io.a2a.A2A;
import io.a2a.client.Client;
import io.a2a.client.ClientBuilder;
import io.a2a.client.config.ClientConfig;
import io.a2a.client.http.JdkA2AHttpClient;
import io.a2a.client.transport.grpc.GrpcTransport;
import io.a2a.client.transport.grpc.GrpcTransportConfig;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.jsonrpc.JSONRPCTransportConfig;
import io.a2a.client.transport.rest.RestTransport;
import io.a2a.client.transport.rest.RestTransportConfig;
import io.a2a.spec.AgentCard;
import io.a2a.spec.DataPart;
import io.a2a.spec.Message;
import io.a2a.spec.Part;
import io.a2a.spec.TextPart;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends text to one agent with the SDK's own client and HTTP client. Where the JVM has a proxy
 * configured, the client uses it; nothing here knows about sidecars.
 */
public final class AgentCaller implements AutoCloseable {
  private final Client client;
  private final Delivery delivery;
  private final Channels channels;
  private final long answerTimeoutMs;
  // The SDK's HTTP client sets no time limit of its own, so calls run on threads that can be left.
  private final ExecutorService threads;

  private AgentCaller(
      Client client,
      Delivery delivery,
      Channels channels,
      long answerTimeoutMs,
      ExecutorService threads) {
    this.client = client;
    this.delivery = delivery;
    this.channels = channels;
    this.answerTimeoutMs = answerTimeoutMs;
    this.threads = threads;
  }

  /** What came of looking an agent up. */
  public sealed interface Lookup {
    /**
     * Found.
     *
     * @param caller sends to it; to be closed
     */
    record Found(AgentCaller caller) implements Lookup {}

    /**
     * Not found.
     *
     * @param why what the client says
     */
    record Missing(String why) implements Lookup {}
  }

  /** Reads the card at {@code baseUrl} and follows it, over JSON-RPC. */
  public static Lookup find(String baseUrl, long answerTimeoutMs) {
    return find(baseUrl, "", Talk.PLAIN, answerTimeoutMs);
  }

  /** Reads the card at {@code baseUrl} and follows it to the address for the binding. */
  public static Lookup find(String baseUrl, Talk talk, long answerTimeoutMs) {
    return find(baseUrl, "", talk, answerTimeoutMs);
  }

  /**
   * Reads the card at {@code baseUrl} and sends to {@code path} below the address that it names,
   * over JSON-RPC.
   */
  public static Lookup find(String baseUrl, String path, long answerTimeoutMs) {
    return find(baseUrl, path, Talk.PLAIN, answerTimeoutMs);
  }

  /** Reads the card at {@code baseUrl} and follows it, all of it through an HTTP proxy. */
  public static Lookup findThrough(InetSocketAddress proxy, String baseUrl, long answerTimeoutMs) {
    return findThrough(proxy, baseUrl, "", answerTimeoutMs);
  }

  /**
   * Reads the card at {@code baseUrl} and sends to {@code path} below the address that it names,
   * all of it through an HTTP proxy.
   */
  public static Lookup findThrough(
      InetSocketAddress proxy, String baseUrl, String path, long answerTimeoutMs) {
    return find(through(proxy), baseUrl, path, Talk.PLAIN, answerTimeoutMs);
  }

  /**
   * The SDK's client has no setting for a proxy: it keeps the selector that is set when it is made.
   */
  private static synchronized JdkA2AHttpClient through(InetSocketAddress proxy) {
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(ProxySelector.of(proxy));
    try {
      return new JdkA2AHttpClient();
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  private static Lookup find(String baseUrl, String path, Talk talk, long answerTimeoutMs) {
    return find(new JdkA2AHttpClient(), baseUrl, path, talk, answerTimeoutMs);
  }

  private static Lookup find(
      JdkA2AHttpClient http, String baseUrl, String path, Talk talk, long answerTimeoutMs) {
    Channels channels = new Channels();
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    Future<Client> client =
        threads.submit(() -> {
          AgentCard read = A2A.getAgentCard(http, baseUrl);
          AgentCard card = new AgentCard.Builder(read).url(read.url() + path).build();
          return with(talk, Client.builder(card), http, channels);
        });
    try {
      return new Lookup.Found(
          new AgentCaller(
              client.get(answerTimeoutMs, TimeUnit.MILLISECONDS),
              talk.delivery(),
              channels,
              answerTimeoutMs,
              threads));
    } catch (ExecutionException | TimeoutException e) {
      threads.shutdownNow();
      return new Lookup.Missing(Listening.describe(e));
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
      return new Lookup.Missing("interrupted");
    }
  }

  private static Client with(
      Talk talk, ClientBuilder builder, JdkA2AHttpClient http, Channels channels) throws Exception {
    builder.clientConfig(
        ClientConfig.builder().setStreaming(talk.delivery() == Delivery.STREAMED).build());
    switch (talk.binding()) {
      case JSONRPC ->
          builder.withTransport(JSONRPCTransport.class, new JSONRPCTransportConfig(http));
      case REST -> builder.withTransport(RestTransport.class, new RestTransportConfig(http));
      case GRPC ->
          builder.withTransport(GrpcTransport.class, new GrpcTransportConfig(channels::to));
    }
    return builder.build();
  }

  /** Sends {@code text} within the conversation {@code contextId} and waits for what comes back. */
  public AgentReply send(String text, String contextId) {
    return ask(text, contextId).reply();
  }

  /** As {@link #send}, with metadata, whose names are those of extensions. */
  public AgentReply send(String text, String contextId, Map<String, Object> metadata) {
    Message message =
        new Message.Builder(A2A.createUserTextMessage(text, contextId, null))
            .metadata(metadata)
            .extensions(List.copyOf(metadata.keySet()))
            .build();
    return ask(message).reply();
  }

  /** As {@link #send}, with data beside the words. */
  public AgentReply send(String text, Map<String, Object> data, String contextId) {
    List<Part<?>> parts = List.of(new TextPart(text), new DataPart(data));
    return ask(new Message.Builder(A2A.createUserTextMessage(text, contextId, null))
            .parts(parts)
            .build())
        .reply();
  }

  /** As {@link #send}, and says how the answer came. */
  public Heard ask(String text, String contextId) {
    return ask(A2A.createUserTextMessage(text, contextId, null));
  }

  private Heard ask(Message message) {
    Listening listening = new Listening(delivery);
    Future<?> call =
        threads.submit(() -> {
          try {
            client.sendMessage(
                message,
                List.of((received, card) -> listening.event(received)),
                listening::failed,
                null);
          } catch (RuntimeException e) {
            listening.failed(e);
          }
        });
    try {
      return listening.await(answerTimeoutMs);
    } finally {
      call.cancel(true);
    }
  }

  @Override
  public void close() {
    client.close();
    channels.close();
    threads.shutdownNow();
  }

  /**
   * gRPC channels of one client. Where the JVM has a proxy for HTTP configured they lead there,
   * with the origin as authority: that is how a proxy for HTTP/2 without TLS is told where a call
   * goes.
   */
  static final class Channels implements AutoCloseable {
    private static final long STOP_MS = 2_000;

    private final List<ManagedChannel> opened = new ArrayList<>();

    /** A channel to {@code host:port}. */
    synchronized ManagedChannel to(String target) {
      String next = proxy().orElse(target);
      int colon = next.lastIndexOf(':');
      ManagedChannel channel =
          NettyChannelBuilder.forAddress(
                  new InetSocketAddress(
                      next.substring(0, colon), Integer.parseInt(next.substring(colon + 1))))
              .overrideAuthority(target)
              .proxyDetector(address -> null)
              .usePlaintext()
              .build();
      opened.add(channel);
      return channel;
    }

    private static Optional<String> proxy() {
      String host = System.getProperty("http.proxyHost");
      String port = System.getProperty("http.proxyPort");
      return host == null || port == null ? Optional.empty() : Optional.of(host + ":" + port);
    }

    @Override
    public synchronized void close() {
      opened.forEach(ManagedChannel::shutdownNow);
      try {
        for (ManagedChannel channel : opened) {
          channel.awaitTermination(STOP_MS, TimeUnit.MILLISECONDS);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * What came back for a message, and how.
   *
   * @param reply what came back
   * @param stream how it was streamed; empty if it came whole, or not at all
   */
  public record Heard(AgentReply reply, Optional<Receipt.StreamTiming> stream) {}
}
