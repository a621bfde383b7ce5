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
import io.a2a.spec.TextPart;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
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
 * Sends text to one agent with the SDK's own client and HTTP client, through a proxy if it is told
 * of one; nothing here knows about sidecars.
 */
public final class AgentCaller implements AutoCloseable {
  private static final long ANSWER_MS = 60_000;

  private final Way way;
  private final Client client;
  private final List<ManagedChannel> channels;
  // The SDK's HTTP client sets no time limit of its own, so calls run on threads that can be left.
  private final ExecutorService threads;

  private AgentCaller(
      Way way, Client client, List<ManagedChannel> channels, ExecutorService threads) {
    this.way = way;
    this.client = client;
    this.channels = channels;
    this.threads = threads;
  }

  /**
   * Where an agent is and how it is reached.
   *
   * @param url where its card is
   * @param path below the address that the card names
   * @param talk in which form
   * @param proxy through which all of it goes; empty: what the JVM is configured with
   */
  public record Way(String url, String path, Talk talk, Optional<InetSocketAddress> proxy) {
    /** Straight to the address that the card names, over JSON-RPC. */
    public static Way to(String url) {
      return new Way(url, "", Talk.PLAIN, Optional.empty());
    }

    /** To a path below it. */
    public Way below(String other) {
      return new Way(url, other, talk, proxy);
    }

    /** In this form. */
    public Way over(Talk other) {
      return new Way(url, path, other, proxy);
    }

    /** Through an HTTP proxy on this port of this machine. */
    public Way through(int port) {
      return new Way(
          url,
          path,
          talk,
          Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    }
  }

  /** Reads the agent's card and follows it. */
  public static AgentCaller find(Way way) throws IOException {
    JdkA2AHttpClient http = http(way.proxy());
    List<ManagedChannel> channels = new ArrayList<>();
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    Future<Client> client =
        threads.submit(() -> {
          AgentCard read = A2A.getAgentCard(http, way.url());
          AgentCard card = new AgentCard.Builder(read).url(read.url() + way.path()).build();
          return client(way, Client.builder(card), http, channels);
        });
    try {
      return new AgentCaller(way, client.get(ANSWER_MS, TimeUnit.MILLISECONDS), channels, threads);
    } catch (ExecutionException | TimeoutException e) {
      threads.shutdownNow();
      throw new IOException(Listening.describe(e), e);
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /**
   * The SDK's client has no setting for a proxy: it keeps the selector that is set when it is made.
   */
  private static synchronized JdkA2AHttpClient http(Optional<InetSocketAddress> proxy) {
    ProxySelector before = ProxySelector.getDefault();
    proxy.ifPresent(address -> ProxySelector.setDefault(ProxySelector.of(address)));
    try {
      return new JdkA2AHttpClient();
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  private static Client client(
      Way way, ClientBuilder builder, JdkA2AHttpClient http, List<ManagedChannel> channels)
      throws Exception {
    builder.clientConfig(
        ClientConfig.builder().setStreaming(way.talk().delivery() == Delivery.STREAMED).build());
    switch (way.talk().binding()) {
      case JSONRPC ->
          builder.withTransport(JSONRPCTransport.class, new JSONRPCTransportConfig(http));
      case REST -> builder.withTransport(RestTransport.class, new RestTransportConfig(http));
      case GRPC ->
          builder.withTransport(
              GrpcTransport.class,
              new GrpcTransportConfig(target -> {
                channels.add(channel(way.proxy(), target));
                return channels.getLast();
              }));
    }
    return builder.build();
  }

  /**
   * A channel to {@code host:port}, or to the proxy with that as authority: so a proxy for HTTP/2
   * without TLS is told where a call goes.
   */
  private static ManagedChannel channel(Optional<InetSocketAddress> proxy, String target) {
    int colon = target.lastIndexOf(':');
    InetSocketAddress origin =
        new InetSocketAddress(
            target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
    return NettyChannelBuilder.forAddress(proxy.orElse(origin))
        .overrideAuthority(target)
        .proxyDetector(address -> null)
        .usePlaintext()
        .build();
  }

  /** Sends {@code text} within a conversation and waits for what comes back. */
  public AgentReply send(String text, String conversation) {
    return ask(text, conversation).reply();
  }

  /** As {@link #send}, with metadata, whose names are those of extensions. */
  public AgentReply send(String text, String conversation, Map<String, Object> metadata) {
    return ask(new Message.Builder(A2A.createUserTextMessage(text, conversation, null))
            .metadata(metadata)
            .extensions(List.copyOf(metadata.keySet()))
            .build())
        .reply();
  }

  /** As {@link #send}, with data beside the words. */
  public AgentReply send(String text, Map<String, Object> data, String conversation) {
    return ask(new Message.Builder(A2A.createUserTextMessage(text, conversation, null))
            .parts(new TextPart(text), new DataPart(data))
            .build())
        .reply();
  }

  /** As {@link #send}, and says how the answer came. */
  public Heard ask(String text, String conversation) {
    return ask(A2A.createUserTextMessage(text, conversation, null));
  }

  private Heard ask(Message message) {
    Listening listening = new Listening(way.talk().delivery());
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
      return listening.await(ANSWER_MS);
    } finally {
      call.cancel(true);
    }
  }

  @Override
  public void close() {
    client.close();
    channels.forEach(ManagedChannel::shutdownNow);
    threads.shutdownNow();
  }

  /**
   * What came back for a message, and how.
   *
   * @param reply what came back
   * @param stream how it was streamed; empty if it came whole, or not at all
   */
  public record Heard(AgentReply reply, Optional<Receipt.StreamTiming> stream) {}
}
