package dev.parlance.demo.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.parlance.demo.agent.Talk.Delivery;
import dev.parlance.demo.usage.Usage;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.spec.AgentCapabilities;
import io.a2a.spec.AgentCard;
import io.a2a.spec.AgentExtension;
import io.a2a.spec.AgentInterface;
import io.a2a.spec.AgentSkill;
import io.a2a.util.Utils;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    return "http://127.0.0.1:" + port() + "/";
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
    extensions.add(extension(Extensions.EVIDENCE, "The passages that an answer was written from."));
    if (usage.isPresent()) {
      extensions.add(extension(Extensions.AUDIT, "Questions about the use of words."));
    }
    AgentCard card =
        card(
            "license-scholar",
            "Answers questions about the Apache License 2.0 from its text.",
            advertisedUrl,
            skill("ask-license", "Question about the licence", "What does \"Contributor\" mean?"),
            extensions);
    start(
        card,
        witness(new ScholarExecutor(scholar, talk.delivery()), WitnessExecutor.Form.EXTENSION));
  }

  /**
   * Becomes agent B, which knows no audit extension and answers in words, asks {@code scholar} and
   * writes every receipt to {@code out} as a JSON line.
   */
  public void startOfficer(AgentCaller scholar, String advertisedUrl, PrintStream out)
      throws IOException {
    AgentCard card =
        card(
            "license-officer",
            "Classifies licence provisions as HIGH, MODERATE or LOW RISK.",
            advertisedUrl,
            skill("assess", "Risk of a provision", "ask: What does \"Contributor\" mean?"),
            List.of(extension(Extensions.RECEIPT, "What the officer received and decided.")));
    start(
        card,
        witness(
            new OfficerExecutor(scholar, receipt -> out.println(json(receipt))),
            WitnessExecutor.Form.PLAIN));
  }

  private AgentExecutor witness(AgentExecutor own, WitnessExecutor.Form form) {
    return usage.<AgentExecutor>map(words -> new WitnessExecutor(own, words, form)).orElse(own);
  }

  private void start(AgentCard card, AgentExecutor executor) throws IOException {
    server.start(card, executor);
  }

  private static String json(Receipt receipt) {
    try {
      return Utils.OBJECT_MAPPER.writeValueAsString(receipt.toMap());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("strings, numbers and lists always become JSON", e);
    }
  }

  private AgentCard card(
      String name,
      String description,
      String url,
      AgentSkill skill,
      List<AgentExtension> extensions) {
    return new AgentCard.Builder()
        .name(name)
        .description(description)
        .url(url)
        .version("1")
        .protocolVersion("0.3.0")
        .preferredTransport(Binding.JSONRPC.transport())
        .additionalInterfaces(otherInterfaces(url))
        .capabilities(
            new AgentCapabilities.Builder()
                .streaming(talk.delivery() == Delivery.STREAMED)
                .pushNotifications(false)
                .stateTransitionHistory(false)
                .extensions(extensions)
                .build())
        .defaultInputModes(List.of("text/plain"))
        .defaultOutputModes(List.of("text/plain"))
        .skills(List.of(skill))
        .build();
  }

  private List<AgentInterface> otherInterfaces(String url) {
    Binding binding = talk.binding();
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

  private static AgentSkill skill(String id, String name, String example) {
    return new AgentSkill.Builder()
        .id(id)
        .name(name)
        .description(name)
        .tags(List.of("license"))
        .examples(List.of(example))
        .build();
  }

  private static AgentExtension extension(String uri, String description) {
    return new AgentExtension.Builder().uri(uri).description(description).required(false).build();
  }

  @Override
  public void close() {
    server.close();
  }
}
