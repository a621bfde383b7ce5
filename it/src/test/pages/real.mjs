// The pages against a real console, driven by a test in Java over standard input and output, one JSON object a line. The link
// that logs in is the first argument. Commands: {"do":"keys","decide":20}, {"do":"axe","pages":[..]}, {"do":"open","page":"cores"}, {"do":"gone"}, {"do":"live"}.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { launch } from "./browser.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const [, , link] = process.argv;
const origin = new URL(link).origin;
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
page.setDefaultTimeout(120_000);
const errors = [];
page.on("pageerror", (error) => errors.push(error.message));
page.on("console", (message) => {
  if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) errors.push(message.text());
});
await page.goto(link);
await page.waitForSelector("nav");

const standing = () => document.querySelector("article strong")?.textContent ?? "";

/** Decides so many items by keys alone; gives the ids, in order. Passes those that were decided a moment ago and can still be undone. */
async function keys({ decide }) {
  await page.goto(`${origin}/#/review`);
  await page.waitForSelector(".queue li");
  const ids = [];
  let at = "";
  while (ids.length < decide) {
    await page.keyboard.press("j");
    const next = await page.waitForFunction((before) => {
      const id = location.hash.split("/").slice(2).join("/");
      const row = document.querySelector(".queue [aria-current]")?.id === `q-${id}`;
      const state = document.querySelector("article strong")?.textContent ?? "";
      const ready = [...document.querySelectorAll(".act button")].some((button) => button.textContent.startsWith("Release") && !button.disabled);
      return id && id !== before && row && state && (!state.startsWith("Pending") || ready) ? { id, waits: state.startsWith("Pending") } : undefined;
    }, at);
    const { id, waits } = await next.jsonValue();
    at = id;
    if (!waits) continue;
    await page.keyboard.press(ids.length % 2 ? "r" : "a");
    ids.push(id);
    await page.waitForFunction(() => /^(Decided|Released|Rejected)/.test(document.querySelector("article strong")?.textContent ?? ""));
  }
  return { ids, said: await page.evaluate(standing) };
}

async function axe({ pages }) {
  const found = [];
  for (const each of pages) {
    await page.goto(`${origin}/#/${each}`);
    await page.waitForFunction((name) => document.title.toLowerCase().startsWith(name) && !document.querySelector("main").textContent.includes("Loading"), each.split("/")[0]);
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
    found.push(...violations.map((each) => `${each.id}: ${each.nodes[0].target}`));
  }
  return { found };
}

/** A page as it reads, and where it leads. */
async function open({ page: name }) {
  await page.goto(`${origin}/#/${name}`);
  await page.waitForFunction((kind) => document.title.toLowerCase().startsWith(kind) && !document.querySelector("main").textContent.includes("Loading"), name.split("/")[0]);
  return page.evaluate(() => ({
    text: document.querySelector("main").innerText,
    links: [...document.querySelectorAll("main a[href^='#/']")].map((link) => link.getAttribute("href").slice(2)),
  }));
}

/** One item: its marks, and whether anything of its text has acted. */
async function item({ sidecar, id }) {
  await page.goto(`${origin}/#/review/${sidecar}/${id}`);
  await page.waitForSelector("#item");
  return page.evaluate(() => ({
    marked: [...document.querySelectorAll(".words .nowhere")].map((mark) => mark.firstChild.textContent),
    words: [...document.querySelectorAll(".words")].map((words) => words.textContent.slice(0, 500)),
    hidden: [...document.querySelectorAll(".words .hidden")].map((each) => each.textContent),
    harmed: String(window.harmed),
  }));
}

/** Waits until the Live page has counted so many decisions. */
async function live({ least }) {
  await page.goto(`${origin}/#/live`);
  await page.waitForFunction((many) => Number(/of ([\d,]+) decisions/.exec(document.querySelector("main").textContent)?.[1].replaceAll(",", "") ?? 0) >= many, least);
  return { rows: await page.locator("tbody tr").count() };
}

/** Waits until the page says in words that the sidecar does not answer. */
async function gone() {
  await page.goto(`${origin}/#/sidecars`);
  await page.waitForFunction(() => document.querySelector("main").textContent.includes("does not answer"), undefined, { polling: 200 });
  return { said: await page.locator("main").textContent() };
}

const commands = { keys, axe, open, item, live, gone };
console.log(JSON.stringify({ ready: true }));
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  try {
    console.log(JSON.stringify({ ...(await commands[command.do](command)), errors }));
  } catch (error) {
    const seen = await page.locator("body").innerText().catch(() => "");
    console.log(JSON.stringify({ failed: error.message, seen, errors }));
  }
}
await browser.close();
