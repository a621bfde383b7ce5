// The pages in a browser, against fixed data. What a person does is done here with keys and clicks; what is checked is what the
// person sees and what the server was told.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, beforeEach, afterEach, test } from "node:test";
import { launch } from "./browser.mjs";
import { startServer } from "./server.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAGES = ["live", "review", "review/billing-0/r-0000", "message/billing-0/d-0000", "cores", "cores/k1", "rounds", "rounds/r1", "pacts", "pacts/p-1", "pacts/case/support/n-7kq2", "lexicon", "lexicon/b1", "ledger", "ledger/7", "sidecars", "sidecars/legal-0"];

let browser;
let server;
let errors;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());
beforeEach(async () => {
  server = await startServer();
  errors = [];
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  server.close();
  assert.deepEqual(errors, [], "errors in the browser");
});

/** A person at a browser of their own. */
async function person(who, { credential = `code=code-${who}`, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: false, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    // a status that a page answers for in words is logged by the browser as well
    const network = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !network) errors.push(message.text());
  });
  await page.goto(`${server.url}/#${credential}`);
  await page.waitForSelector("h1");
  return page;
}

/** Opens a page of its own, and waits until it has what it shows. */
async function show(page, address) {
  await page.goto(`${server.url}/#/${address}`);
  const [kind, , id] = address.split("/");
  if (id && kind === "review") await page.waitForSelector("#item");
  await page.waitForFunction((name) => document.title.toLowerCase().startsWith(name) && !document.querySelector("main").textContent.includes("Loading"), kind);
}

const item = (id) => server.items.find((each) => each.id === id);

async function axe(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  return violations.map((each) => `${each.id}: ${each.nodes.map((node) => `${node.target} ${node.failureSummary}`).slice(0, 3).join(" | ")}`);
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing on any page, ${colorScheme}`, async () => {
    const page = await person("ada", { colorScheme });
    server.decide(30);
    for (const address of PAGES) {
      await show(page, address);
      assert.deepEqual(await axe(page), [], address);
    }
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open]");
    assert.deepEqual(await axe(page), [], "the keys");
  });
}

test("no page scrolls sideways at 200 % of 1280 pixels, nor at 320 pixels", async () => {
  const page = await person("ada");
  for (const width of [640, 320]) {
    await page.setViewportSize({ width, height: 512 });
    for (const address of PAGES) {
      await show(page, address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${address}: ${wide} of ${width} pixels`);
    }
  }
});

test("twenty of five hundred items are decided by keyboard alone, and the last one is undone", async () => {
  const page = await person("ada");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the page");
  await show(page, "review");
  await page.waitForSelector(".queue li");
  const decided = [];
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("j");
    const id = await page.waitForFunction((known) => {
      const now = location.hash.split("/")[3];
      return now && !known.includes(now) && document.querySelector("#item") && !document.querySelector(".act button:disabled:nth-of-type(2)") && document.querySelector(".queue [aria-current]")?.id.endsWith(now) ? now : undefined;
    }, decided);
    decided.push(await id.jsonValue());
    await page.waitForFunction(() => [...document.querySelectorAll(".act button")].some((button) => button.textContent.startsWith("Release") && !button.disabled));
    assert.ok(!(await page.evaluate(() => document.activeElement.closest(".act"))), "no button is chosen beforehand");
    await page.keyboard.press(i % 2 ? "r" : "a");
    await page.waitForFunction(() => document.querySelector("article strong")?.textContent.startsWith("Decided"));
  }
  for (const [i, id] of decided.entries()) {
    assert.equal(item(id).decision?.act, i % 2 ? "reject" : "release", id);
    assert.equal(item(id).decision.who, "ada");
  }
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelector("article strong")?.textContent.startsWith("Pending"));
  assert.equal(item(decided.at(-1)).state, "pending");
  assert.equal(server.items.filter((each) => each.decision).length, 19);
});

test("two reviewers at one item: a claim is seen at once, and the other one cannot decide", async () => {
  const [ada, bob] = [await person("ada"), await person("bob")];
  for (const page of [ada, bob]) await show(page, "review/billing-0/r-0000");
  await ada.keyboard.press("c");
  await bob.waitForFunction(() => document.querySelector("article strong")?.textContent.includes("claimed by ada"));
  await bob.keyboard.press("a");
  assert.equal(item("r-0000").state, "pending");
  await ada.waitForFunction(() => document.querySelector("article strong")?.textContent.includes("claimed by you"));
  await ada.keyboard.press("a");
  await bob.waitForFunction(() => document.querySelector("article strong")?.textContent.includes("release by ada"));
  assert.equal(item("r-0000").decision.who, "ada");
});

test("who decides a moment too late is told who was first, and sees the item as it stands", async () => {
  const [ada, bob] = [await person("ada"), await person("bob")];
  await show(bob, "review/billing-0/r-0003");
  await show(ada, "review/billing-0/r-0003");
  // bob hears of nothing meanwhile
  await bob.route("**/api/v1/events", (route) => route.abort());
  await ada.keyboard.press("a");
  await ada.waitForFunction(() => document.querySelector("article strong")?.textContent.startsWith("Decided"));
  await bob.evaluate(async () => {
    await fetch("/api/v1/review/billing-0/r-0003/reject", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  });
  await bob.waitForFunction(() => document.querySelector("article strong")?.textContent.includes("release by ada"));
  assert.equal(item("r-0003").decision.act, "release");
});

test("a sidecar that ends meanwhile is named, its item says so, and the others go on", async () => {
  const page = await person("ada");
  await show(page, "review/support-0/r-0001");
  server.kill("support-0");
  await page.waitForFunction(() => document.querySelector("main").textContent.includes("sidecar does not answer"), undefined, { polling: 200 });
  await page.keyboard.press("a");
  await page.waitForFunction(() => document.querySelector(".act .note")?.textContent.includes("does not answer"));
  assert.equal(item("r-0001").state, "pending");
  await show(page, "review/billing-0/r-0006");
  await page.keyboard.press("r");
  await page.waitForFunction(() => document.querySelector("article strong")?.textContent.startsWith("Decided"));
});

test("200 decisions a second are all counted, in a table that does not grow; paused, nothing moves", async () => {
  const page = await person("ada");
  await show(page, "live");
  await page.waitForSelector("tbody tr");
  const shown = () => page.evaluate(() => Number(/of ([\d,]+) decisions/.exec(document.querySelector("main").textContent)[1].replace(",", "")));
  const first = await shown();
  for (let tenth = 0; tenth < 50; tenth++) {
    server.decide(20);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await page.waitForFunction((all) => document.querySelector("main").textContent.includes(`of ${all.toLocaleString("en-GB")} decisions`), first + 1_000);
  assert.ok((await page.locator("tbody tr").count()) <= 60);
  await page.getByRole("button", { name: "Pause" }).click();
  const top = await page.locator("tbody tr th").first().textContent();
  server.decide(300);
  await page.getByRole("button", { name: /Go on \(300 more\)/ }).waitFor();
  assert.equal(await page.locator("tbody tr th").first().textContent(), top);
  await page.getByRole("button", { name: /Go on/ }).click();
  await page.waitForFunction((all) => document.querySelector("main").textContent.includes(`of ${all.toLocaleString("en-GB")} decisions`), first + 1_300);
});

test("filters leave what fits, and what is looked for stands in no address", async () => {
  const page = await person("ada");
  await show(page, "live");
  await page.keyboard.press("/");
  await page.keyboard.type("plann");
  await page.waitForFunction(() => [...document.querySelectorAll("tbody tr")].length > 0 && [...document.querySelectorAll("tbody tr")].every((row) => row.textContent.includes("planner")));
  await show(page, "review");
  await page.keyboard.press("/");
  await page.keyboard.type("unicorns");
  await page.waitForFunction(() => [...document.querySelectorAll(".queue li")].every((row) => row.textContent.includes("Unicorns")));
  const asked = server.asked.join("\n") + page.url();
  for (const word of ["plann", "unicorns", "code-ada"]) assert.ok(!asked.includes(word), word);
});

test("scripts in a text are letters", async () => {
  const page = await person("ada");
  await show(page, "review/support-0/r-0040");
  assert.ok((await page.locator(".words").allTextContents()).join("").includes("<script>") || (await page.locator("main").textContent()).includes("<script"));
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  assert.equal(await page.locator("main img, main script, main a[href^=javascript]").count(), 0);
});

test("characters that turn or hide text are named, and turn nothing around them", async () => {
  const page = await person("ada");
  await show(page, "review/legal-0/r-0041");
  const named = await page.locator(".words .hidden").allTextContents();
  for (const code of ["U+202E", "U+202C", "U+2066", "U+2067", "U+200B", "U+0000", "U+001B"]) assert.ok(named.includes(code), code);
  assert.ok(!/[\u202a-\u202e\u2066-\u2069]/.test(await page.locator("body").innerText()));
  await show(page, "review/billing-0/r-0042");
  assert.equal(await page.locator(".words").nth(1).evaluate((element) => getComputedStyle(element).unicodeBidi), "isolate");
});

test("a megabyte of text is cut, and unfolds on demand to its end", async () => {
  const page = await person("ada");
  await show(page, "review/support-0/r-0043");
  const words = page.locator(".words").nth(1);
  await words.waitFor();
  assert.ok((await words.innerHTML()).length < 200_000);
  const size = await words.evaluate((element) => element.innerText.length);
  assert.ok(size < 40_000, `${size} characters with what is said about the marks`);
  for (let clicks = 0; clicks < 6 && !(await words.textContent()).endsWith("The end."); clicks++) {
    await page.getByRole("button", { name: "Show more" }).first().click();
  }
  assert.ok((await words.textContent()).endsWith("The end."));
});

test("a click on a sentence marks where it stands in the evidence, and words that stand nowhere are marked", async () => {
  const page = await person("ada");
  await show(page, "review/billing-0/r-0000");
  const held = page.locator(".words").nth(1);
  assert.ok((await held.locator(".nowhere").allTextContents()).some((text) => text.startsWith("too")));
  await held.locator(".claim").first().click();
  await page.waitForSelector(".words .near");
  assert.ok((await page.locator(".words .near").allTextContents()).join("").includes("30"));
  assert.ok((await page.locator(".words .exact").count()) > 3);
});

test("other words are judged, and nothing is decided by it", async () => {
  const page = await person("ada");
  await show(page, "review/billing-0/r-0000");
  await page.getByText("Try other words").click();
  await page.getByLabel("Other words").fill("Refunds are paid within 30 days.");
  await page.getByRole("button", { name: "Judge" }).click();
  await page.getByText("Judged, not sent").waitFor();
  assert.equal(item("r-0000").state, "pending");
});

test("identical texts are decided at once, and only they", async () => {
  const page = await person("ada");
  await show(page, "review/billing-0/r-0009");
  await page.getByLabel(/with this very text at once/).check();
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  await page.waitForFunction(() => document.querySelector("article strong")?.textContent.startsWith("Decided"));
  const decided = server.items.filter((each) => each.decision);
  assert.ok(decided.length > 1);
  assert.ok(decided.every((each) => each.textSha256 === item("r-0009").textSha256));
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelector("article strong")?.textContent.startsWith("Pending"));
  assert.ok(decided.every((each) => each.state === "pending"), "what was decided at once is undone at once");
});

test("a key that comes while an act is under way counts once that has ended, for the item that was open", async () => {
  const page = await person("ada");
  await show(page, "review/billing-0/r-0000");
  const state = (word) => page.waitForFunction((start) => document.querySelector("article strong")?.textContent.startsWith(start), word);
  let answer;
  // others hear of the act before its answer is here
  await page.route("**/r-0000/reject", async (route) => {
    const response = await route.fetch();
    await new Promise((resolve) => (answer = resolve));
    await route.fulfill({ response });
  });
  await page.keyboard.press("r");
  await state("Decided");
  await page.keyboard.press("u");
  answer();
  await state("Pending");
  assert.equal(item("r-0000").state, "pending");
  await page.keyboard.press("r");
  await state("Decided");
  await page.keyboard.press("c");
  await page.keyboard.press("j");
  await page.waitForFunction(() => !location.hash.endsWith("r-0000"));
  await state("Pending");
  answer();
  await page.getByText(/counts in \d+ s/).waitFor();
  assert.equal(server.items.filter((each) => each.claim).length, 0, "the claim was meant for another item");
});

test("the open row stays, and keys go on from it, when it or its sidecar falls out of the list", async () => {
  const page = await person("ada");
  await show(page, "review");
  await page.waitForSelector(".queue li");
  for (let i = 0; i < 4; i++) await page.keyboard.press("j");
  await page.waitForFunction(() => document.querySelector(".queue [aria-current]") !== null);
  const here = await page.evaluate(() => location.hash);
  const after = await page.evaluate(() => document.querySelector(".queue [aria-current]").closest("li").nextSibling.querySelector("a").getAttribute("href"));
  const [, , sidecar, id] = here.split("/");
  item(id).state = "released"; // by somebody else: it waits no more
  server.kill(sidecar);
  await page.getByText("do not answer").or(page.getByText("does not answer")).first().waitFor();
  assert.equal(await page.evaluate(() => document.querySelector(".queue [aria-current]")?.getAttribute("href")), here);
  await page.keyboard.press("j");
  await page.waitForFunction((next) => location.hash === next, after);
});

test("sending back needs a note, and the note goes with it", async () => {
  const page = await person("ada");
  await show(page, "review/billing-0/r-0000");
  await page.getByRole("button", { name: "Send back" }).click();
  await page.waitForFunction(() => document.activeElement?.id === "note");
  assert.equal(item("r-0000").state, "pending");
  await page.keyboard.type("Take the number from the policy.");
  await page.getByRole("button", { name: "Send back" }).click();
  await page.waitForFunction(() => document.querySelector("article strong")?.textContent.startsWith("Decided"));
  assert.equal(item("r-0000").decision.note, "Take the number from the policy.");
});

test("letters in a field decide nothing, and can be switched off everywhere", async () => {
  const page = await person("ada");
  await show(page, "review/billing-0/r-0000");
  await page.locator("#note").fill("");
  await page.locator("#note").press("a");
  assert.equal(await page.locator("#note").inputValue(), "a");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByLabel(/Single letters are keys/).uncheck();
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.keyboard.press("a");
  await page.keyboard.press("r");
  assert.equal(item("r-0000").state, "pending");
});

test("a lost connection is said in words, and comes back by itself", async () => {
  const page = await person("ada");
  await show(page, "sidecars");
  await page.locator(".who .good").waitFor();
  server.down(true);
  await page.getByText("connection lost, trying again").waitFor();
  server.down(false);
  await page.locator(".who .good").waitFor();
});

test("a signed link shows its one item, without the rest of the console", async () => {
  const page = await person("", { credential: "/link/token-billing-0-r-0000" });
  await page.getByRole("button", { name: "Reject" }).waitFor();
  assert.equal(await page.locator("nav").count(), 0);
  assert.ok(!page.url().includes("token"), "the link does not stay in the address");
  assert.deepEqual(await axe(page), []);
  await page.getByRole("button", { name: "Reject" }).click();
  await page.waitForFunction(() => document.querySelector("article strong")?.textContent.startsWith("Decided"));
});

test("a viewer is shown no words, and is told who may see them", async () => {
  const page = await person("viewer");
  assert.ok(!(await page.locator("nav").first().textContent()).includes("Review"));
  await show(page, "message/billing-0/d-0000");
  assert.ok((await page.locator("main").textContent()).includes("shown to reviewers and auditors"));
  await show(page, "ledger");
  assert.ok((await page.locator("main").textContent()).includes("Entries are shown to auditors"));
  assert.ok(!server.asked.some((each) => /v1.(review|ledger.entries)/.test(each)));
});

test("a link that was used says so, with what helps", async () => {
  const page = await person("", { credential: "code=used" });
  assert.ok((await page.locator("main").textContent()).includes("Ask for a new one"));
});

test("nothing moves for who wants less motion", async () => {
  for (const [reducedMotion, animation] of [["no-preference", "fresh"], ["reduce", "none"]]) {
    const page = await person("ada", { reducedMotion });
    await show(page, "live");
    await page.waitForSelector("tbody tr");
    // a row is fresh until the next drawing: what it looks like is read in the frame in which it is found
    const seen = page.waitForFunction(() => {
      const row = document.querySelector("tr.fresh th");
      return row ? getComputedStyle(row).animationName : undefined;
    });
    const ticking = setInterval(() => server.decide(2), 400);
    try {
      assert.equal(await (await seen).jsonValue(), animation);
    } finally {
      clearInterval(ticking);
    }
  }
});
