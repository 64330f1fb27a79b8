// Enough of C to colour a line: comments, texts, keywords, numbers.  Comments may go on over lines; `state` says so.
const keywords = new Set(("auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short " +
  "signed sizeof static struct switch typedef union unsigned void volatile while _Atomic _Bool _Thread_local bool true false NULL " +
  "begin end decl skip assume thread shared init process when may").split(" "));
const token = /\/\*|\/\/.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_]\w*|\d[\w.]*|\s+|./gs;

export function highlight(line, state) {
  const parts = [];
  let rest = line;
  if (state.comment) {
    const end = rest.indexOf("*/");
    if (end < 0) return [["c", rest]];
    parts.push(["c", rest.slice(0, end + 2)]);
    rest = rest.slice(end + 2);
    state.comment = false;
  }
  token.lastIndex = 0;
  for (let match; (match = token.exec(rest)) !== null;) {
    const text = match[0];
    if (text === "/*") {
      const end = rest.indexOf("*/", match.index + 2);
      state.comment = end < 0;
      const stop = end < 0 ? rest.length : end + 2;
      parts.push(["c", rest.slice(match.index, stop)]);
      token.lastIndex = stop;
      if (stop >= rest.length) break;
      continue;
    }
    parts.push([kindOf(text), text]);
  }
  return parts;
}

function kindOf(text) {
  if (text.startsWith("//")) return "c";
  if (text[0] === '"' || text[0] === "'") return "s";
  if (/^\d/.test(text)) return "n";
  return keywords.has(text) ? "k" : "";
}
