package dev.parlance.demo.agent;

import io.a2a.spec.AgentCapabilities;
import io.a2a.spec.AgentCard;
import io.a2a.spec.AgentExtension;
import io.a2a.spec.AgentInterface;
import io.a2a.spec.AgentSkill;
import java.util.List;

/** The cards of the agents: JSON-RPC and perhaps another binding, text, extensions. */
final class AgentCards {
  private AgentCards() {}

  /** The card of an agent in a round. */
  static AgentCard ofRound(String name, String description, String url) {
    return of(
        name,
        description,
        url,
        List.of(),
        Talk.PLAIN,
        List.of(extension(Extensions.ROUND, "Proposals in rounds and what came of them.")),
        skill(
            "decide-claim",
            "Decides a claim about the licence",
            "round r1 epoch 1: The licence may be revoked."));
  }

  static AgentCard of(
      String name,
      String description,
      String url,
      List<AgentInterface> others,
      Talk talk,
      List<AgentExtension> extensions,
      AgentSkill skill) {
    return new AgentCard.Builder()
        .name(name)
        .description(description)
        .url(url)
        .version("1")
        .protocolVersion("0.3.0")
        .preferredTransport(Talk.Binding.JSONRPC.transport())
        .additionalInterfaces(others)
        .capabilities(
            new AgentCapabilities.Builder()
                .streaming(talk.delivery() == Talk.Delivery.STREAMED)
                .pushNotifications(false)
                .stateTransitionHistory(false)
                .extensions(extensions)
                .build())
        .defaultInputModes(List.of("text/plain"))
        .defaultOutputModes(List.of("text/plain"))
        .skills(List.of(skill))
        .build();
  }

  static AgentSkill skill(String id, String name, String example) {
    return new AgentSkill.Builder()
        .id(id)
        .name(name)
        .description(name)
        .tags(List.of("license"))
        .examples(List.of(example))
        .build();
  }

  static AgentExtension extension(String uri, String description) {
    return new AgentExtension.Builder().uri(uri).description(description).required(false).build();
  }
}
