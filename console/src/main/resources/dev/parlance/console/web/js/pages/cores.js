/**
 * Cores: certified terms of a pair of agents with their bounds, and two versions compared.
 * @import {Core, CoreSummary, CoreTerm} from "../types.js"
 */
import { h } from "preact";
import { useState } from "preact/hooks";
import { query, segment } from "../api.js";
import { capital, count, number, plural, words } from "../format.js";
import { useLoaded } from "../parts/hooks.js";
import { Choice, Empty, Facts, loadedPart, Table, Time, inert } from "../parts/ui.js";
import { address } from "../route.js";

const EVERY_MS = 30_000;

/** @param {{parts: string[]}} props */
export function CoresPage({ parts }) {
  const key = parts[1];
  return key ? h(One, { id: key, key }) : h(All, null);
}

function All() {
  /** @type {import("../parts/hooks.js").Loaded<{cores: CoreSummary[]}>} */
  const loaded = useLoaded("/cores", EVERY_MS);
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, "Certified cores"), h("p", null, "Terms that two agents are known to understand alike")),
    loadedPart({
      loaded,
      what: "the cores",
      children: (/** @type {{cores: CoreSummary[]}} */ { cores }) =>
        cores.length === 0
          ? h(Empty, { title: "No core yet." }, "The control plane issues one when a pair of agents has been tested: ", h("code", null, "parlance core certify"), ".")
          : h(Table, {
              caption: plural(cores.length, "core"),
              columns: [{ name: "Domain" }, { name: "Agents" }, { name: "Version", number: true }, { name: "Terms" }, { name: "Issued" }],
              rows: cores.map((core) => ({
                key: core.key,
                cells: [
                  h("a", { href: address("cores", core.key) }, inert(core.domain)),
                  inert(core.agents.join(" + ")),
                  count(core.version),
                  Object.entries(core.terms ?? {}).map(([status, many]) => `${many} ${words(status)}`).join(", ") || "–",
                  h(Time, { ms: core.issuedAtMs }),
                ],
              })),
            }),
    }),
  );
}

/** @param {{id: string}} props */
function One({ id }) {
  const [version, setVersion] = useState("");
  const [other, setOther] = useState("");
  /** @type {import("../parts/hooks.js").Loaded<Core>} */
  const loaded = useLoaded(`/cores/${segment(id)}${query({ version, with: other })}`);
  const versions = (loaded.value?.versions ?? []).map((each) => /** @type {[string, string]} */ ([String(each), `version ${each}`]));
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, loaded.value ? inert(loaded.value.domain) : "Core"), h("p", null, h("a", { href: address("cores") }, "All cores"))),
    h(
      "div",
      { class: "bar" },
      h(Choice, { label: "Version", value: version, all: "the latest", options: versions, onChange: setVersion }),
      h(Choice, { label: "Compared with", value: other, all: "none", options: versions, onChange: setOther }),
    ),
    loadedPart({ loaded, what: "the core", children: (/** @type {Core} */ core) => h(Terms, { core, compared: other !== "" }) }),
  );
}

/** @param {{core: Core, compared: boolean}} props */
function Terms({ core, compared }) {
  const changes = core.list.filter((term) => term.change).length;
  return h(
    "div",
    null,
    h(
      "section",
      { class: "panel" },
      h(Facts, {
        rows: [
          ["Agents", inert(core.agents.join(" + "))],
          ["Version", String(core.version)],
          ["Issued", h(Time, { ms: core.issuedAtMs })],
          ["Certified when", core.tau === undefined ? undefined : `the upper bound of contradictions is at most ${number(core.tau, 3)} and coverage at least ${number(core.rhoMin, 2)} (confidence ${number(core.delta === undefined ? undefined : 1 - core.delta, 2)})`],
          ["Changes", compared ? plural(changes, "term differs", "terms differ") : undefined],
        ],
      }),
    ),
    core.list.length === 0
      ? h(Empty, { title: "This core has no terms." }, "Nothing of this domain may be used on a consequential route.")
      : h(Table, {
          caption: plural(core.list.length, "term"),
          columns: [
            { name: "Term" },
            { name: "Status" },
            { name: "Upper bound", number: true },
            { name: "Coverage", number: true },
            { name: "Audited", number: true },
            { name: "Contradictions", number: true },
            ...(compared ? [{ name: "Change" }] : []),
          ],
          rows: core.list.map((term) => ({
            key: term.term,
            cells: [
              inert(term.term),
              h("span", { class: term.status === "certified" ? "good" : "soft" }, term.status === "certified" ? "✓ " : "", words(term.status), term.instead ? h("span", null, ", instead: ", inert(term.instead)) : null),
              number(term.upper, 3),
              number(term.coverage, 2),
              count(term.audited),
              count(term.contradictions),
              ...(compared ? [changeOf(term)] : []),
            ],
          })),
        }),
  );
}

/** @param {CoreTerm} term */
function changeOf(term) {
  if (!term.change) return "–";
  const before = term.before;
  const was = before ? [before.status ? words(before.status) : "", before.upper === undefined ? "" : `upper bound ${number(before.upper, 3)}`].filter(Boolean).join(", ") : "";
  return `${capital(term.change)}${was ? `; was ${was}` : ""}`;
}
