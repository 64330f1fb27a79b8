// Makes src/report/html/report.html, the page that the program carries: the style and all scripts in one file.  The hash of the
// sources stands in it, so that a test sees where somebody changed them and did not build.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const read = (name) => readFileSync(join(here, name), "utf8");

// As tests/report/asset.py does it.
function hashOfSources() {
  const names = ["page.html", "style.css", "package-lock.json", ...readdirSync(join(here, "src")).map((name) => `src/${name}`)].sort();
  const hash = createHash("sha256");
  for (const name of names) hash.update(`${name}\n`).update(read(name));
  return hash.digest("hex");
}

const bundled = await build({
  entryPoints: [join(here, "src/main.js")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  write: false,
});
const style = await build({ entryPoints: [join(here, "style.css")], minify: true, write: false });
const script = bundled.outputFiles[0].text.trim().replaceAll("</", "<\\/");
const page = read("page.html")
  .replace("@SOURCES@", () => hashOfSources())
  .replace("@STYLE@", () => style.outputFiles[0].text.trim())
  .replace("@SCRIPT@", () => script);
writeFileSync(join(here, "../../src/report/html/report.html"), page);
console.log(`report.html: ${page.length} bytes`);
