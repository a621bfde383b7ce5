package dev.parlance.demo.agent;

import java.io.IOException;

/** An agent that takes a free loopback port of this process first, and begins to answer later. */
public abstract class HostedAgent implements AutoCloseable {
  private final String name;
  private final AgentServer server;

  HostedAgent(String name) throws IOException {
    this.name = name;
    this.server = AgentServer.bind(0, Talk.Binding.JSONRPC);
  }

  /** Its id. */
  public final String name() {
    return name;
  }

  /** Where the agent itself listens. */
  public final int port() {
    return server.port();
  }

  /** The same as an address. */
  public final String url() {
    return server.url();
  }

  /** Begins to answer; others are to send to {@code advertisedUrl}. */
  final void begin(String description, String advertisedUrl, AnsweringAgent agent)
      throws IOException {
    server.start(AgentCards.ofRound(name, description, advertisedUrl), agent);
  }

  @Override
  public void close() {
    server.close();
  }
}
