/**
 * Sidecars: version, configuration in force or refused with its line, cores.
 * @import {Session, Sidecar} from "../types.js"
 */
import { h } from "preact";
import { segment } from "../api.js";
import { ago, capital, count, duration, plural, words } from "../format.js";
import { useEvent, useLoaded, useNow } from "../parts/hooks.js";
import { Empty, Facts, loadedPart, Note, Table, inert } from "../parts/ui.js";
import { address } from "../route.js";

const EVERY_MS = 15_000;

/** @typedef {{sidecars: Sidecar[]}} Sidecars */
/** @typedef {{config: Record<string, unknown>, generation: number, refusals: number, lastRefusal?: {at: string, reason: string, problems: string[]}}} Config */

/** @param {{session: Session, parts: string[]}} props */
export function SidecarsPage({ session, parts }) {
  /** @type {import("../parts/hooks.js").Loaded<Sidecars>} */
  const loaded = useLoaded("/sidecars", EVERY_MS);
  useEvent("sidecar", loaded.reload);
  const id = parts[1];
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, "Sidecars"), h("p", null, id ? h("a", { href: address("sidecars") }, "All sidecars") : "One beside each agent")),
    loadedPart({ loaded, what: "the sidecars", children: (/** @type {Sidecars} */ { sidecars }) => (id ? h(One, { sidecar: sidecars.find((each) => each.id === id), session, key: id }) : h(All, { sidecars })) }),
  );
}

/** @param {Sidecar} sidecar */
function standing(sidecar) {
  if (!sidecar.attached) return h("span", { class: "bad" }, "✕ does not answer");
  if (sidecar.ready === false) return h("span", { class: "bad" }, "! not ready");
  return h("span", { class: "good" }, "✓ ready");
}

/** @param {{sidecars: Sidecar[]}} props */
function All({ sidecars }) {
  const now = useNow(10_000);
  if (sidecars.length === 0) return h(Empty, { title: "No sidecar is attached." }, "A sidecar whose configuration names this control plane appears here when it starts.");
  const refused = sidecars.filter((each) => each.config.refused);
  return h(
    "div",
    null,
    refused.length ? h(Note, { kind: "warning", title: `${plural(refused.length, "sidecar has", "sidecars have")} refused a configuration` }, h("p", null, inert(refused.map((each) => each.id).join(", ")), ": an earlier one is in force.")) : null,
    h(Table, {
      caption: plural(sidecars.length, "sidecar"),
      columns: [{ name: "Sidecar" }, { name: "Agent" }, { name: "Standing" }, { name: "Mode" }, { name: "Version" }, { name: "Configuration" }, { name: "Cores" }, { name: "Waiting", number: true }, { name: "Last seen" }],
      rows: sidecars.map((each) => ({
        key: each.id,
        cells: [
          h("a", { href: address("sidecars", each.id) }, inert(each.id)),
          inert(each.agent),
          standing(each),
          each.enforcing === undefined ? "–" : each.enforcing ? "enforces" : "observes only",
          inert(each.version ?? "–"),
          each.config.refused ? h("span", { class: "bad" }, "✕ refused") : h("span", { class: "good" }, "✓ in force"),
          plural(each.cores.length, "core"),
          count(each.waiting),
          ago(each.lastSeenMs, now),
        ],
      })),
    }),
  );
}

/** @param {{sidecar: Sidecar | undefined, session: Session}} props */
function One({ sidecar, session }) {
  if (!sidecar) return h(Empty, { title: "There is no such sidecar." }, "It may have ended; the list shows those that are known.");
  const { config, cores, why = [] } = sidecar;
  const reads = session.roles.includes("auditor") || session.roles.includes("operator");
  return h(
    "div",
    null,
    config.refused
      ? h(Note, { kind: "error", title: "The last configuration was refused; an earlier one is in force." }, h("p", null, inert(config.reason ?? "")), h("ul", null, (config.problems ?? []).map((each, i) => h("li", { key: i }, h("code", null, inert(each))))))
      : null,
    why.length ? h(Note, { kind: "warning", title: "What an operator should see to" }, h("ul", null, why.map((each, i) => h("li", { key: i }, inert(each))))) : null,
    h(
      "section",
      { class: "panel" },
      h("h2", null, inert(sidecar.id)),
      h(Facts, {
        rows: [
          ["Agent", inert(sidecar.agent)],
          ["Node", inert(sidecar.node)],
          ["Standing", standing(sidecar)],
          ["Mode", sidecar.enforcing === undefined ? undefined : sidecar.enforcing ? "enforces" : "observes only: it blocks nothing"],
          ["Version", sidecar.version ? inert(sidecar.version) : undefined],
          ["Configuration", config.revision ? inert(`revision ${config.revision}`) : undefined],
          ["Waiting", count(sidecar.waiting)],
        ],
      }),
    ),
    cores.length
      ? h(Table, {
          caption: "Cores that it has",
          columns: [{ name: "Core" }, { name: "Version", number: true }, { name: "State" }, { name: "Confirmed" }, { name: "Refused" }],
          rows: cores.map((core) => ({
            key: core.id,
            cells: [
              inert(core.id),
              `${core.version}${core.latestVersion !== undefined && core.latestVersion !== core.version ? ` (latest ${core.latestVersion})` : ""}`,
              h("span", { class: core.state === "fresh" ? "good" : "bad" }, core.state === "fresh" ? "✓ " : "✕ ", capital(words(core.state))),
              core.ageMs === undefined ? "–" : `${duration(core.ageMs)} ago`,
              core.refused ? inert(core.refused) : "–",
            ],
          })),
        })
      : h(Empty, { title: "It has no core." }, "Only routes that are consequential need one."),
    reads ? h(InForce, { id: sidecar.id }) : null,
  );
}

/** @param {{id: string}} props */
function InForce({ id }) {
  const path = `/sidecars/${segment(id)}/config`;
  /** @type {import("../parts/hooks.js").Loaded<Config>} */
  const loaded = useLoaded(path);
  return loadedPart({
    loaded,
    what: "the configuration",
    children: (/** @type {Config} */ value) =>
      h("details", { class: "panel" }, h("summary", null, `Configuration in force, ${plural(value.generation, "change")} so far, ${value.refusals} refused`), h("pre", null, inert(JSON.stringify(value.config, null, 2)))),
  });
}
