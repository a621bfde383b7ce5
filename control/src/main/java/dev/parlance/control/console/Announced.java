package dev.parlance.control.console;

import dev.parlance.console.source.AnnouncedSidecar;
import dev.parlance.control.publish.HeldItem;
import dev.parlance.control.publish.SidecarDirectory;
import dev.parlance.control.publish.SidecarDirectory.ItemChanges;
import dev.parlance.control.publish.SidecarDirectory.Seat;
import dev.parlance.control.publish.SidecarDirectory.Standing;
import dev.parlance.control.publish.api.SidecarReport.ConfigState;
import dev.parlance.control.publish.api.SidecarReport.CoreInForce;
import dev.parlance.control.store.Store.CoreKey;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the directory has of one sidecar, in the words of the console's and the admin API.
 *
 * @param id how the console calls it
 */
record Announced(SidecarDirectory directory, Seat seat, String id)
    implements AnnouncedSidecar.Announcements {
  private static final long LEAST_LOOK_MS = 500;

  /** A hundred sidecars are asked twice a second, a thousand every five seconds. */
  private static final long LOOK_MS_A_SIDECAR = 5;

  @Override
  public ObjectNode sidecar() {
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    view.put("id", id).put("agent", seat.agent()).put("node", seat.node());
    Optional<Standing> known = directory.standing(seat);
    view.put("attached", known.filter(Standing::attached).isPresent());
    ObjectNode config = view.putObject("config").put("refused", false);
    ArrayNode cores = view.putArray("cores");
    known.ifPresent(now -> {
      view.put("version", now.version()).put("lastSeenMs", now.lastSeenMs());
      view.put("enforcing", now.report().enforcing()).put("waiting", now.waiting());
      state(now.config(), config);
      now.report().cores().forEach(core -> cores.add(core(core)));
      if (now.attached() && !now.answers()) {
        view.putArray("why").add("it answers no console: review.console is false");
      }
    });
    return view;
  }

  private static void state(ConfigState state, ObjectNode view) {
    view.put("revision", state.revision()).put("refused", state.isRefused());
    if (state.isRefused()) {
      view.put("reason", state.refusedReason());
      view.putArray("problems").add(state.refusedDetail());
    }
  }

  private static ObjectNode core(CoreInForce core) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("id", CoreKey.of(core.id()))
        .put("version", core.version())
        .put("ageMs", core.ageMs())
        .put("state", core.state());
  }

  @Override
  public boolean isReachable() {
    return directory.standing(seat).filter(now -> now.attached() && now.answers()).isPresent();
  }

  @Override
  public boolean holdsNothing() {
    return directory
        .standing(seat)
        .filter(now -> now.open() > 0 || (now.attached() && now.answers() && !now.isWhole()))
        .isEmpty();
  }

  @Override
  public List<JsonNode> open() {
    return directory.open(seat).stream().map(Announced::item).toList();
  }

  @Override
  public AnnouncedSidecar.Changes changes(long since) {
    ItemChanges changed = directory.changes(seat, since);
    return new AnnouncedSidecar.Changes(
        changed.items().stream().map(Announced::item).toList(), Math.max(0, changed.until()));
  }

  @Override
  public long decisionsEveryMs() {
    return Math.max(LEAST_LOOK_MS, LOOK_MS_A_SIDECAR * directory.count(true));
  }

  /** As the admin API lists it, without words. */
  private static JsonNode item(HeldItem held) {
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    view.put("id", held.id()).put("state", held.state()).put("heldAtMs", held.heldAtMs());
    view.put("textSha256", held.textSha256()).put("routeRule", held.route());
    held.reasons().forEach(view.putArray("reasons")::add);
    view.put("asp", held.asp());
    view.put("direction", held.place().direction()).put("kind", held.place().kind());
    view.put("protocol", held.place().protocol()).put("caller", held.place().caller());
    view.put("destination", held.place().destination());
    ObjectNode review = view.putObject("review");
    review.put("phase", held.phase());
    review.put("queue", held.queue().isEmpty() ? "default" : held.queue());
    review.put("escalations", held.escalations());
    review.put("people", held.people()).put("voted", held.voted());
    held.claim()
        .ifPresent(claim ->
            review.putObject("claim").put("who", claim.who()).put("untilMs", claim.untilMs()));
    held.countsAtMs().ifPresent(at -> review.put("countsAtMs", at));
    return view;
  }
}
