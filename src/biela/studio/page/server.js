// Questions to the server. Short ones give an answer; jobs tell how they get on, and can be cancelled.

export class Refused extends Error {
  constructor(status, problems, data) {
    super(problems.map((p) => p.what).join("; ") || "refused");
    Object.assign(this, { status, problems, data });
  }
}

const session = sessionStorage.getItem("biela-session") || Math.random().toString(36).slice(2);
sessionStorage.setItem("biela-session", session);

const GONE = { what: "the studio does not answer", cure: "is `biela studio` still running? Your text is kept in this browser" };

async function post(name, data, signal) {
  let answer;
  try {
    answer = await fetch("api/" + name, { method: "POST", body: JSON.stringify(data), headers: { "Content-Type": "application/json" }, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, [GONE]);
  }
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({}));
    throw new Refused(answer.status, told.problems || [{ what: "the studio refused this (" + answer.status + ")" }], told);
  }
  return answer;
}

export async function ask(name, data = {}) {
  return (await post(name, data)).json();
}

const load = Math.random().toString(36).slice(2, 10); // a page that was loaded anew, or doubled, has the session of before
let count = 0;

// A job: { result: a promise of its last message, cancel() }. `told` hears of its progress.
export function job(name, data, told = () => {}) {
  const id = session + "-" + load + "-" + ++count;
  const result = (async () => {
    const answer = await post(name, { ...data, job: id, session });
    const reader = answer.body.getReader(), decoder = new TextDecoder();
    let rest = "", last = null;
    for (;;) {
      const { done, value } = await reader.read().catch(() => { throw new Refused(0, [GONE]); });
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.kind !== "progress") last = message; else if (!message.beat) told(message);
      }
      if (done) break;
    }
    if (!last) throw new Refused(0, [{ what: "the connection to the studio was lost during this request" }]);
    if (last.kind === "refused") throw new Refused(422, last.problems);
    return last;
  })();
  return { id, result, cancel: () => ask("cancel", { job: id }).catch(() => {}) };
}
