package dev.parlance.ledger.pact;

import dev.parlance.ledger.pact.PactMembers.BadMember;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Offer;
import dev.parlance.ledger.tree.StrictBase64;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Body;
import dev.parlance.policy.pact.PactEvent.Response;
import dev.parlance.policy.pact.PactTemplate;
import dev.parlance.policy.pact.Predicate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Reads one event of a negotiation from its JSON. Where a member is missing the machine gets what
 * is empty, and refuses that with its own code; a member of another type is refused here.
 */
final class PactMessageReader {
  private final JsonNode node;
  private final PactMembers in;

  PactMessageReader(JsonNode node) throws BadMember {
    this.node = node;
    this.in = PactMembers.of(node);
    if (!PactJson.isCanonical(node)) {
      throw new BadMember("it: expected whole numbers of 53 bits and Unicode texts");
    }
  }

  /** An event of a trace; the signatures that say {@code ok} hold. */
  PactEvent event() throws BadMember {
    if (in.text("type").equals("CLOCK")) {
      return new PactEvent.Clock(time(), in.optionalText("unreachable"));
    }
    Map<String, Boolean> holding = new HashMap<>();
    in.textByName("signatures").forEach((party, text) -> holding.put(party, text.equals("ok")));
    return message(holding);
  }

  /** A message of another sidecar; none of its signatures holds before somebody has checked it. */
  Incoming incoming() throws BadMember {
    if (in.text("type").equals("CLOCK")) {
      throw new BadMember("type: expected a message, got CLOCK");
    }
    Map<String, Boolean> unchecked = new HashMap<>();
    var signatures = in.textByName("signatures");
    signatures.keySet().forEach(party -> unchecked.put(party, false));
    PactEvent.Message message = message(unchecked);
    long kinds =
        Stream.of("template", "escalate", "accept_all", "responses").filter(in::has).count();
    if (message.body() instanceof PactEvent.Counter && kinds > 1) {
      throw new BadMember("it: expected a counter of one kind");
    }
    checkNames(message);
    return new Incoming(
        message,
        message.body() instanceof PactEvent.Invocation ? offer() : Optional.empty(),
        signatures,
        message.body() instanceof PactEvent.Dissolution ? note() : Optional.empty());
  }

  private long time() throws BadMember {
    long atMs = in.number("t");
    if (atMs < 0) {
      throw new BadMember("t: expected 0 or more, got " + atMs);
    }
    return atMs;
  }

  private PactEvent.Message message(Map<String, Boolean> signatures) throws BadMember {
    return new PactEvent.Message(
        time(), text(in, "from"), PactJson.ascii(node), body(in.text("type"), signatures));
  }

  private static String text(PactMembers members, String name) throws BadMember {
    return members.optionalText(name).orElse("");
  }

  private long number(String name) throws BadMember {
    return in.optionalNumber(name).orElse(0);
  }

  private Body body(String type, Map<String, Boolean> signatures) throws BadMember {
    String negotiation = text(in, "negotiation");
    return switch (type) {
      case "INVOCATION" ->
          new PactEvent.Invocation(
              negotiation,
              text(in, "source"),
              text(in, "target"),
              number("timeout_ms"),
              number("max_duration_ms"),
              in.texts("templates"));
      case "PROPOSAL" ->
          new PactEvent.Proposal(negotiation, predicates(in), in.optionalNumber("deadline"));
      case "COUNTER" -> counter(negotiation);
      case "RATIFICATION" -> {
        List<Long> validity = in.numbers("validity");
        if (!validity.isEmpty() && validity.size() != 2) {
          throw new BadMember("validity: expected start and end");
        }
        yield new PactEvent.Ratification(
            negotiation,
            text(in, "pact"),
            text(in, "predicates_hash"),
            text(in, "history"),
            validity.isEmpty() ? 0 : validity.getFirst(),
            validity.isEmpty() ? 0 : validity.getLast(),
            signatures);
      }
      case "WALKAWAY" -> new PactEvent.Walkaway(negotiation, text(in, "reason"));
      case "DISSOLUTION" ->
          new PactEvent.Dissolution(
              text(in, "pact"),
              text(in, "reason"),
              in.optionalText("failure_predicate"),
              in.optionalNumber("effective"));
      default -> new PactEvent.Unknown(type);
    };
  }

  private Body counter(String negotiation) throws BadMember {
    Optional<PactMembers> template = in.object("template");
    boolean escalates = in.flag("escalate");
    boolean acceptsAll = in.flag("accept_all");
    List<Response> responses = new ArrayList<>();
    for (PactMembers one : in.objects("responses")) {
      responses.add(
          new Response(
              text(one, "id"),
              text(one, "action"),
              text(one, "category"),
              text(one, "body"),
              text(one, "rationale")));
    }
    OptionalLong deadline = in.optionalNumber("deadline");
    if (template.isPresent()) {
      return new PactEvent.TemplateChoice(
          negotiation,
          text(template.get(), "ref"),
          text(template.get(), "decision"),
          text(template.get(), "rationale"));
    }
    if (escalates) {
      return new PactEvent.Escalation(negotiation);
    }
    return acceptsAll
        ? new PactEvent.AcceptAll(negotiation)
        : new PactEvent.Position(negotiation, responses, deadline);
  }

  private static List<Predicate> predicates(PactMembers members) throws BadMember {
    List<Predicate> predicates = new ArrayList<>();
    for (PactMembers one : members.objects("predicates")) {
      predicates.add(new Predicate(text(one, "id"), text(one, "category"), text(one, "body")));
    }
    return predicates;
  }

  /** A template as it stands beside a trace. */
  PactTemplate template() throws BadMember {
    OptionalLong counters = in.optionalNumber("max_counters");
    if (counters.isPresent() && (counters.getAsLong() < 0 || counters.getAsLong() > 1_000_000)) {
      throw new BadMember("max_counters: expected 0 to 1000000");
    }
    try {
      return new PactTemplate(
          predicates(in),
          counters.isPresent() ? OptionalInt.of((int) counters.getAsLong()) : OptionalInt.empty());
    } catch (IllegalArgumentException impossible) {
      throw new BadMember("predicates: " + impossible.getMessage());
    }
  }

  private Optional<Offer> offer() throws BadMember {
    if (!in.has("pact")) {
      return Optional.empty();
    }
    Offer offer =
        new Offer(
            in.text("pact"),
            in.number("validity_ms"),
            in.textByName("template_sha256"),
            in.optionalText("replaces"),
            in.textByName("private"));
    check("pact", offer.pact());
    for (String salt : offer.salts().values()) {
      if (!PactDocument.isSalt(salt)) {
        throw new BadMember("private: expected 64 hex digits for each predicate");
      }
    }
    if (offer.replaces().isPresent()) {
      check("replaces", offer.replaces().get());
    }
    return Optional.of(offer);
  }

  private Optional<String> note() throws BadMember {
    Optional<String> note = in.optionalText("note");
    if (note.isPresent() && StrictBase64.decode(note.get()).isEmpty()) {
      throw new BadMember("note: expected base64");
    }
    return note;
  }

  private static void checkNames(PactEvent.Message message) throws BadMember {
    check("from", message.from());
    switch (message.body()) {
      case PactEvent.Invocation one -> {
        check("source", one.source());
        check("target", one.target());
      }
      case PactEvent.Proposal one -> checkIds(one.predicates().stream().map(Predicate::id));
      case PactEvent.Position one -> checkIds(one.responses().stream().map(Response::id));
      case PactEvent.Ratification one -> check("pact", one.pact());
      case PactEvent.Dissolution one -> check("pact", one.pact());
      case PactEvent.TemplateChoice _,
          PactEvent.Escalation _,
          PactEvent.AcceptAll _,
          PactEvent.Walkaway _,
          PactEvent.Unknown _ -> {}
    }
    if (message.body() instanceof PactEvent.Negotiating one) {
      check("negotiation", one.negotiation());
    }
  }

  private static void checkIds(Stream<String> ids) throws BadMember {
    List<String> all = ids.toList();
    if (all.size() > PactMessages.MAX_PREDICATES) {
      throw new BadMember(
          "it: expected at most %d predicates, got %d"
              .formatted(PactMessages.MAX_PREDICATES, all.size()));
    }
    for (String id : all) {
      check("id", id);
    }
  }

  private static void check(String member, String name) throws BadMember {
    if (!RoundNames.isName(name)) {
      throw new BadMember(member + ": expected [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}");
    }
  }
}
