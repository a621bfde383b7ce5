/**
 * The frame: who is logged in, which page is shown, whether the server is heard.
 * @import {Problem, Session} from "./types.js"
 * @import {ComponentType} from "preact"
 */
import { h, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { get, onSessionLost, post, remove } from "./api.js";
import { connect, connection, disconnect, onConnection } from "./events.js";
import { setLetters, KEYS, lettersOn } from "./keys.js";
import { useKeys } from "./parts/hooks.js";
import { Button, Empty, Note, ProblemNote, inert, say } from "./parts/ui.js";
import { CoresPage } from "./pages/cores.js";
import { LedgerPage } from "./pages/ledger.js";
import { LexiconPage } from "./pages/lexicon.js";
import { LinkPage } from "./pages/link.js";
import { LivePage } from "./pages/live.js";
import { MessagePage } from "./pages/message.js";
import { PactsPage } from "./pages/pacts.js";
import { ReviewPage } from "./pages/review.js";
import { RoundsPage } from "./pages/rounds.js";
import { SidecarsPage } from "./pages/sidecars.js";
import { credential, partsOf } from "./route.js";

/** @typedef {{session: Session, parts: string[]}} PageProps */

/** @type {{id: string, name: string, feature: string, roles?: string[], page: ComponentType<PageProps>}[]} */
const PAGES = [
  { id: "live", name: "Live", feature: "decisions", page: LivePage },
  { id: "review", name: "Review", feature: "review", roles: ["reviewer", "auditor"], page: ReviewPage },
  { id: "cores", name: "Cores", feature: "cores", page: CoresPage },
  { id: "rounds", name: "Rounds", feature: "rounds", page: RoundsPage },
  { id: "pacts", name: "Pacts", feature: "pacts", page: PactsPage },
  { id: "lexicon", name: "Lexicon", feature: "lexicon", page: LexiconPage },
  { id: "ledger", name: "Ledger", feature: "ledger", page: LedgerPage },
  { id: "sidecars", name: "Sidecars", feature: "sidecars", page: SidecarsPage },
];
const MESSAGE = { id: "message", name: "Message", feature: "decisions", page: MessagePage };

function App() {
  const [session, setSession] = useState(/** @type {Session | undefined} */ (undefined));
  const [problem, setProblem] = useState(/** @type {Problem | undefined} */ (undefined));
  const [parts, setParts] = useState(partsOf(location.hash));

  const enter = async () => {
    const given = credential(location.hash);
    // the code works once, and belongs neither into the history nor into a screenshot
    if (given) history.replaceState(null, "", location.pathname);
    const result = given ? await post("/session", given) : await get("/session");
    setParts(partsOf(location.hash));
    if (result.ok) {
      setProblem(undefined);
      setSession(/** @type {Session} */ (result.value));
    } else {
      setSession(undefined);
      setProblem(result.problem);
    }
  };

  useEffect(() => {
    onSessionLost((lost) => {
      setSession(undefined);
      setProblem(lost);
    });
    const moved = () => {
      if (credential(location.hash)) enter();
      else setParts(partsOf(location.hash));
    };
    window.addEventListener("hashchange", moved);
    enter();
    return () => window.removeEventListener("hashchange", moved);
  }, []);

  if (!session) return h(Outside, { problem, again: enter });
  if (session.item) return h(LinkPage, { session });
  return h(Frame, { session, parts });
}

/** @param {{problem: Problem | undefined, again: () => void}} props */
function Outside({ problem, again }) {
  return h(
    "main",
    { id: "page" },
    h("div", { class: "title" }, h("h1", null, "Parlance")),
    problem === undefined
      ? h("p", null, "Asking who is logged in …")
      : problem.code === "not_logged_in"
        ? h(LogIn, { problem })
        : h(ProblemNote, { problem, again }),
  );
}

/** @param {{problem: Problem}} props */
function LogIn({ problem }) {
  return h(
    Note,
    { title: "Nobody is logged in." },
    h("p", null, inert(problem.title)),
    problem.login === "oidc"
      ? h("p", null, h("a", { href: "/api/v1/session/oidc" }, "Log in with your organisation's account"))
      : h(
          "p",
          null,
          "Open the link that the console printed when it started. It works once; ",
          h("code", null, "parlance console"),
          " prints a new one at each start.",
        ),
  );
}

/** @param {{session: Session, parts: string[]}} props */
function Frame({ session, parts }) {
  const pages = PAGES.filter(
    (each) => session.features.includes(each.feature) && (each.roles?.some((role) => session.roles.includes(role)) ?? true),
  );
  const [id = pages[0]?.id] = parts;
  const here = [...pages, MESSAGE].find((each) => each.id === id);
  const [heard, setHeard] = useState(connection());
  const [help, setHelp] = useState(false);
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  const first = useRef(true);

  useEffect(() => {
    const end = onConnection((state) => {
      setHeard(state);
      if (state === "lost") say("The connection to the server is lost. What is shown may be old.");
      if (state === "open") say("Connected.");
    });
    connect();
    return () => {
      end();
      disconnect();
    };
  }, []);

  // a new page begins at its top, for the eye and for the focus
  useEffect(() => {
    document.title = `${here?.name ?? "No such page"} – Parlance`;
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [id]);

  useKeys({ help: () => setHelp((open) => !open) });

  const logOut = async () => {
    await remove("/session");
    location.reload();
  };

  return h(
    "div",
    null,
    h("a", { class: "skip", href: "#page", onClick: (/** @type {Event} */ event) => (event.preventDefault(), main.current?.focus()) }, "Skip to the page"),
    h(
      "header",
      { class: "top" },
      h("span", { class: "name" }, "Parlance"),
      h(
        "nav",
        { "aria-label": "Pages" },
        h(
          "ul",
          null,
          pages.map((each) =>
            h("li", { key: each.id }, h("a", { href: `#/${each.id}`, "aria-current": each.id === id ? "page" : undefined }, each.name)),
          ),
        ),
      ),
      h(
        "div",
        { class: "who" },
        h(Heard, { state: heard }),
        h("span", { title: `Roles: ${session.roles.join(", ")}. Console ${session.version}` }, inert(session.who)),
        h(Button, { label: "Keys", act: "help", onClick: () => setHelp(true) }),
        h(Button, { label: "Log out", onClick: logOut }),
      ),
    ),
    h(
      "main",
      { id: "page", tabIndex: -1, ref: main },
      here ? h(here.page, { session, parts, key: here.id }) : h(Empty, { title: "There is no such page." }, "Choose one above."),
    ),
    help ? h(Keys, { close: () => setHelp(false) }) : null,
  );
}

/** @param {{state: import("./events.js").Connection}} props */
function Heard({ state }) {
  if (state === "open") return h("span", { class: "good" }, h("span", { "aria-hidden": "true" }, "● "), "live");
  if (state === "connecting") return h("span", null, "○ connecting …");
  return h(
    "span",
    { class: "bad", title: "What is shown may be old. The console tries again by itself." },
    h("span", { "aria-hidden": "true" }, "✕ "),
    "connection lost, trying again",
  );
}

/** @param {{close: () => void}} props */
function Keys({ close }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const [letters, setOn] = useState(lettersOn());
  useEffect(() => dialog.current?.showModal(), []);
  return h(
    "dialog",
    { ref: dialog, onClose: close, "aria-labelledby": "keys" },
    h("h2", { id: "keys" }, "Keys"),
    h(
      "dl",
      { class: "facts" },
      KEYS.map((row) => h("div", { key: row.key }, h("dt", null, h("kbd", null, row.shown)), h("dd", null, row.what))),
    ),
    h(
      "label",
      { class: "tick" },
      h("input", {
        type: "checkbox",
        checked: letters,
        onChange: (/** @type {Event} */ event) => {
          const on = /** @type {HTMLInputElement} */ (event.currentTarget).checked;
          setLetters(on);
          setOn(on);
        },
      }),
      "Single letters are keys (switch off if you dictate)",
    ),
    h("p", null, h(Button, { label: "Close", onClick: () => dialog.current?.close() })),
  );
}

const root = document.getElementById("app");
if (root) {
  root.textContent = "";
  render(h(App, null), root);
}
