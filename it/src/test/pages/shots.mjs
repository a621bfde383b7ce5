// Pictures of the pages with fixed data: node shots.mjs FOLDER [light|dark]
import { chromium } from "playwright-core";
import { startServer } from "./server.mjs";

const [, , folder = ".", scheme = "light"] = process.argv;
const server = await startServer();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
const page = await browser.newPage({ viewport: { width: 1360, height: 860 }, colorScheme: scheme });
page.on("console", (message) => console.log(message.type(), message.text()));
page.on("pageerror", (error) => console.log("ERROR", error.message));
await page.goto(`${server.url}/#code=code-ada`);
await page.waitForSelector("h1");
for (let i = 0; i < 8; i++) {
  server.decide(30);
  await page.waitForTimeout(400);
}
const pages = ["live", "review/billing-0/r-0000", "review/billing-0/r-0042", "review/support-0/r-0040", "message/billing-0/d-0000", "cores", "cores/k1", "rounds/r1", "pacts", "pacts/p-1", "pacts/case/support/n-7kq2", "lexicon/b1", "ledger", "ledger/7", "sidecars", "sidecars/legal-0"];
for (const each of pages) {
  await page.goto(`${server.url}/#/${each}`);
  await page.waitForTimeout(900);
  await page.screenshot({ path: `${folder}/${each.replaceAll("/", "-")}-${scheme}.png` });
}
await browser.close();
server.close();
