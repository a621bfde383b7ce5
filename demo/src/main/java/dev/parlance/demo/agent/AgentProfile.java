package dev.parlance.demo.agent;

import dev.parlance.demo.license.DemoJson;
import io.a2a.spec.AgentCapabilities;
import io.a2a.spec.AgentCard;
import io.a2a.spec.AgentExtension;
import io.a2a.spec.AgentInterface;
import io.a2a.spec.AgentSkill;
import java.util.List;

/** What a card says of an agent. */
record AgentProfile(String name, String description, List<Extension> extensions, Skill skill) {
  private static final List<AgentProfile> ALL =
      DemoJson.script(AgentProfile.class, "cards.json", AgentProfile[].class);

  AgentProfile {
    extensions = List.copyOf(extensions);
  }

  record Extension(String uri, String description) {
    private AgentExtension toCard() {
      return new AgentExtension.Builder().uri(uri).description(description).build();
    }
  }

  record Skill(String id, String name, String example) {}

  /** The profile of that name, else that of an agent on a panel. */
  static AgentProfile of(String name) {
    AgentProfile panel = ALL.getLast();
    return ALL.stream()
        .filter(one -> one.name.equals(name))
        .findFirst()
        .orElseGet(() -> new AgentProfile(name, panel.description, panel.extensions, panel.skill));
  }

  /** The card of an agent that is talked to in this way; JSON-RPC is what it prefers. */
  AgentCard card(Talk talk, String url, List<AgentInterface> others) {
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
                .extensions(extensions.stream().map(Extension::toCard).toList())
                .build())
        .defaultInputModes(List.of("text/plain"))
        .defaultOutputModes(List.of("text/plain"))
        .skills(
            List.of(
                new AgentSkill.Builder()
                    .id(skill.id)
                    .name(skill.name)
                    .description(skill.name)
                    .tags(List.of("license"))
                    .examples(List.of(skill.example))
                    .build()))
        .build();
  }
}
