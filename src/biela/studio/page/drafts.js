// What is kept in this browser: the text of every mechanism that was changed, and how the page was set.

const PREFIX = "biela-studio:";

function read(key) {
  try { return JSON.parse(localStorage.getItem(PREFIX + key)); } catch { return null; }
}

function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key); else localStorage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch { return false; } // full, or forbidden
}

export class Drafts {
  constructor(folder) { this.folder = folder; }

  key(id) { return "draft:" + (id.startsWith("library:") ? "" : this.folder) + ":" + id; }
  get(id) { return read(this.key(id)); }
  put(id, draft) { return write(this.key(id), draft); }
  drop(id) { write(this.key(id), null); }

  // Another page of this browser has changed the same draft.
  onOther(f) {
    addEventListener("storage", (e) => { if (e.key && e.key.startsWith(PREFIX + "draft:")) f(e.key.slice(PREFIX.length)); });
  }
}

export const settings = {
  get: (name, otherwise) => read("setting:" + name) ?? otherwise,
  put: (name, value) => write("setting:" + name, value),
};

// This page's own: which mechanism is open here, even if another page has another one.
export const page = {
  get open() { return sessionStorage.getItem(PREFIX + "open"); },
  set open(id) { sessionStorage.setItem(PREFIX + "open", id); write("setting:open", id); },
};
