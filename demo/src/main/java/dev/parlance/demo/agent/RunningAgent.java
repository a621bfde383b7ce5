package dev.parlance.demo.agent;

import dev.parlance.demo.license.DemoJson;
import dev.parlance.demo.license.Usage;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.spec.AgentExtension;
import io.a2a.spec.AgentInterface;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** One of the two agents on its port: first it takes the port, then it is told who it is. */
public final class RunningAgent implements AutoCloseable {
  private final AgentServer server;
  private final Talk talk;
  private Optional<Usage> usage = Optional.empty();

  private RunningAgent(AgentServer server, Talk talk) {
    this.server = server;
    this.talk = talk;
  }

  /** Takes a loopback port (0: any free one); connections wait until the agent starts. */
  public static RunningAgent bind(int port) throws IOException {
    return bind(port, Talk.PLAIN);
  }

  /** As above, for an agent that is talked to in this way. */
  public static RunningAgent bind(int port, Talk talk) throws IOException {
    return new RunningAgent(AgentServer.bind(port, talk.binding()), talk);
  }

  /** The port taken. */
  public int port() {
    return server.port();
  }

  /** The port for gRPC, which is one of its own; empty if it is not spoken. */
  public Optional<Integer> grpcPort() {
    return server.grpcPort();
  }

  /** Where the agent itself listens, which is not what it has to advertise. */
  public String ownUrl() {
    return server.url();
  }

  /** From the start on the agent answers for its use of words; to be said before it starts. */
  public void using(Usage words) {
    usage = Optional.of(words);
  }

  /**
   * Becomes agent A, which knows the audit extension.
   *
   * @param advertisedUrl where others are to send; an address that is not its own takes gRPC on the
   *     same port
   */
  public void startScholar(Scholar scholar, String advertisedUrl) throws IOException {
    List<AgentExtension> extensions = new ArrayList<>();
    extensions.add(
        AgentCards.extension(Extensions.EVIDENCE, "The passages that an answer was written from."));
    if (usage.isPresent()) {
      extensions.add(AgentCards.extension(Extensions.AUDIT, "Questions about the use of words."));
    }
    server.start(
        AgentCards.of(
            "license-scholar",
            "Answers questions about the Apache License 2.0 from its text.",
            advertisedUrl,
            otherInterfaces(advertisedUrl),
            talk,
            extensions,
            AgentCards.skill(
                "ask-license", "Question about the licence", "What does \"Contributor\" mean?")),
        witness(new ScholarExecutor(scholar, talk.delivery()), WitnessExecutor.Form.EXTENSION));
  }

  /**
   * Becomes agent B, which knows no audit extension and answers in words, asks {@code scholar} and
   * writes every receipt to {@code out} as a JSON line.
   */
  public void startOfficer(AgentCaller scholar, String advertisedUrl, PrintStream out)
      throws IOException {
    server.start(
        AgentCards.of(
            "license-officer",
            "Classifies licence provisions as HIGH, MODERATE or LOW RISK.",
            advertisedUrl,
            otherInterfaces(advertisedUrl),
            talk,
            List.of(
                AgentCards.extension(Extensions.RECEIPT, "What the officer received and decided.")),
            AgentCards.skill(
                "assess", "Risk of a provision", "ask: What does \"Contributor\" mean?")),
        witness(
            new OfficerExecutor(
                scholar,
                receipt ->
                    out.println(JsonMapper.shared().writeValueAsString(DemoJson.members(receipt)))),
            WitnessExecutor.Form.PLAIN));
  }

  private AgentExecutor witness(AgentExecutor own, WitnessExecutor.Form form) {
    return usage.<AgentExecutor>map(words -> new WitnessExecutor(own, words, form)).orElse(own);
  }

  private List<AgentInterface> otherInterfaces(String url) {
    Talk.Binding binding = talk.binding();
    return switch (binding) {
      case JSONRPC -> List.of();
      case REST -> List.of(new AgentInterface(binding.transport(), url));
      case GRPC -> {
        String own = "127.0.0.1:" + grpcPort().orElseThrow();
        String authority = url.equals(ownUrl()) ? own : URI.create(url).getAuthority();
        yield List.of(new AgentInterface(binding.transport(), authority));
      }
    };
  }

  @Override
  public void close() {
    server.close();
  }
}
