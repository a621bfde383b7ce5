package dev.parlance.demo.agent;

import io.a2a.spec.AgentCapabilities;
import io.a2a.spec.AgentCard;
import io.a2a.spec.AgentExtension;
import io.a2a.spec.AgentSkill;
import java.util.List;

/** The cards of the agents in a round: JSON-RPC, text, the round extension. */
final class AgentCards {
  private AgentCards() {}

  static AgentCard of(String name, String description, String url) {
    return new AgentCard.Builder()
        .name(name)
        .description(description)
        .url(url)
        .version("1")
        .protocolVersion("0.3.0")
        .preferredTransport(Binding.JSONRPC.transport())
        .capabilities(
            new AgentCapabilities.Builder()
                .streaming(false)
                .pushNotifications(false)
                .stateTransitionHistory(false)
                .extensions(
                    List.of(
                        new AgentExtension.Builder()
                            .uri(Extensions.ROUND)
                            .description("Proposals in rounds and what came of them.")
                            .required(false)
                            .build()))
                .build())
        .defaultInputModes(List.of("text/plain"))
        .defaultOutputModes(List.of("text/plain"))
        .skills(
            List.of(
                new AgentSkill.Builder()
                    .id("decide-claim")
                    .name("Decides a claim about the licence")
                    .description("Says whether a claim about the licence is right, and why.")
                    .tags(List.of("license"))
                    .examples(List.of("round r1 epoch 1: The licence may be revoked."))
                    .build()))
        .build();
  }
}
