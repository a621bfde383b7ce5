/**
 * Link: the one item of a signed link, without the rest of the console.
 * @import {ItemRef, ReviewItem, Session} from "../types.js"
 */
import { h } from "preact";
import { segment } from "../api.js";
import { dateTime } from "../format.js";
import { useLoaded } from "../parts/hooks.js";
import { Item, doAct } from "../parts/item.js";
import { loadedPart, inert } from "../parts/ui.js";

/** @param {{session: Session}} props */
export function LinkPage({ session }) {
  const { sidecar, id } = /** @type {ItemRef} */ (session.item);
  /** @type {import("../parts/hooks.js").Loaded<ReviewItem>} */
  const loaded = useLoaded(`/review/${segment(sidecar)}/${segment(id)}`);
  return h(
    "main",
    { id: "page" },
    h(
      "div",
      { class: "title" },
      h("h1", null, "Parlance: one held message"),
      h("p", null, "Opened by a link as ", inert(session.who), `, until ${dateTime(session.expiresAtMs)}`),
    ),
    loadedPart({
      loaded,
      what: "the message",
      children: (/** @type {ReviewItem} */ item) =>
        h(Item, {
          item,
          tries: session.features.includes("judgement") && session.roles.includes("reviewer"),
          keys: false,
          onAct: async (act, note) => {
            const result = await doAct(item, act, note);
            loaded.reload();
            return result.ok ? undefined : result.problem;
          },
        }),
    }),
  );
}
