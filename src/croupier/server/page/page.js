// The plain page of the floor.
//
// It decides no rule: the server says what may be wagered and done, and what happened. What a
// table looks like follows from its view and its events. A command has a key of its own and is
// sent again with the same key until it is answered, so that it is done once. Text of people goes
// into the page as text and never as markup.

const PATIENCE = 30_000; // milliseconds for which a house that does not answer is asked again
const SILENCE = 45_000; // without a sign of life after which a stream is taken up anew
const QUIET = 1500; // a line that is lost for less is not worth telling of
const OFTEN = 150; // between two looks at a table
const AGAIN = new Set([421, 429, 502, 503, 504]); // nothing was done, and may be in a moment
const CHIPS = [100, 500, 2500, 10_000, 50_000, 100_000];
const FEW = 4; // amounts that have a button each
const PIT = ["floorperson", "supervisor"];
const STORED = "croupier.";

// Elements.

const $ = (id) => document.getElementById(id);

function h(tag, given, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(
    ...inside.flat(2).filter((each) => each !== null && each !== undefined && each !== false),
  );
  return made;
}

/** Show rows of [key, facts, make]: those whose facts are as before stay, and so does the focus. */
function show(parent, rows) {
  const had = new Map([...parent.children].map((each) => [each.dataset.key, each]));
  const active = parent.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.closest("[data-key]")?.dataset.key;
  rows.forEach(([name, facts, make], at) => {
    const text = JSON.stringify(facts);
    let row = had.get(name);
    if (row?.facts !== text) {
      row = make(facts);
      row.dataset.key = name;
      row.facts = text;
    }
    had.get(name) !== row && had.get(name)?.replaceWith(row);
    if (parent.children[at] !== row) parent.insertBefore(row, parent.children[at] ?? null);
  });
  while (parent.children.length > rows.length) parent.lastElementChild.remove();
  if (active && document.activeElement !== active) {
    const row = [...parent.children].find((each) => each.dataset.key === key);
    const again = active.dataset.act && row?.querySelector(`[data-act="${active.dataset.act}"]`);
    again?.focus({ preventScroll: true });
  }
}

function one(parent, facts, make) {
  show(parent, facts === null ? [] : [["one", facts, make]]);
}

function say(text) {
  $("spoken").textContent = text;
}

/** A sentence at the top, until it is read or has been there for a while. */
function note(text, citation = "", mood = "good") {
  const row = h(
    "p",
    { class: `strip note ${mood}` },
    h("span", null, sentence(text), citation ? cited(citation) : null),
    h(
      "button",
      { type: "button", class: "quiet", "aria-label": "Dismiss", onclick: () => row.remove() },
      "×",
    ),
  );
  $("notes").append(row);
  while ($("notes").children.length > 3) $("notes").firstChild.remove();
  setTimeout(() => row.remove(), 15_000);
}

function complain(error) {
  if (error instanceof Gone) return;
  const violations = (error.violations ?? []).map(
    (each) => `${sentence(each.message)} [${each.citation}]`,
  );
  if (violations.length) note(violations.join(" "), "", "bad");
  else note(error.message, error.citation, "bad");
}

addEventListener("error", (event) =>
  complain(new Error(`this page broke (${event.message}); reload it`)),
);
addEventListener("unhandledrejection", (event) =>
  complain(event.reason ?? new Error("something broke")),
);

// Words.

const setOf = (words) => new Set(words.trim().split(/\s+/));

function dollars(cents) {
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = Math.abs(cents) % 100;
  return `${cents < 0 ? "−" : ""}$${whole}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

/** Whole cents of what somebody typed, or null; never by way of a fraction. */
function cents(text) {
  const said = /^\s*(-?)\$?\s*(\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!said) return null;
  const amount = Number(said[2].replaceAll(",", "")) * 100 + Number((said[3] ?? "").padEnd(2, "0"));
  return said[1] ? -amount : amount;
}

const plain = (id) => String(id).replaceAll("_", " ");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const sentence = (text) => capital(text) + (/[.!?]$/.test(text) ? "" : ".");
const moment = (at) => new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
const cited = (citation) => h("cite", null, ` [${citation}]`);

const SUITS = {
  c: ["♣", "clubs"],
  d: ["♦", "diamonds"],
  h: ["♥", "hearts"],
  s: ["♠", "spades"],
};
const RANKS = {
  T: ["10", "ten"],
  J: ["J", "jack"],
  Q: ["Q", "queen"],
  K: ["K", "king"],
  A: ["A", "ace"],
};
const CARD = /^(?:([2-9TJQKA])([cdhs])|Jk)$/;

function cardName(text) {
  const card = CARD.exec(text);
  if (!card) return String(text);
  return card[1] ? `${RANKS[card[1]]?.[1] ?? card[1]} of ${SUITS[card[2]][1]}` : "joker";
}

function cardText(text) {
  const card = CARD.exec(text);
  if (!card) return String(text);
  return card[1] ? `${RANKS[card[1]]?.[0] ?? card[1]}${SUITS[card[2]][0]}\ufe0e` : "★";
}

function cardFace(text) {
  if (text === null)
    return h("span", { class: "playing back", role: "img", "aria-label": "face down" });
  const card = CARD.exec(text);
  const color = card?.[2] === "d" || card?.[2] === "h" ? "red" : "black";
  const corner = card?.[1]
    ? [h("b", null, RANKS[card[1]]?.[0] ?? card[1]), h("i", null, `${SUITS[card[2]][0]}\ufe0e`)]
    : [h("b", null, "★")];
  return h(
    "span",
    { class: `playing ${color}`, role: "img", "aria-label": cardName(text) },
    ...corner,
  );
}

const outcomeText = (outcome) => (Array.isArray(outcome) ? outcome.join("-") : cardText(outcome));

function outcomeFace(outcome) {
  if (Array.isArray(outcome)) {
    const total = outcome.reduce((sum, face) => sum + face, 0);
    return h(
      "span",
      { class: "thrown" },
      outcome.map((face) => h("span", { class: "die" }, String(face))),
      h("span", { class: "total" }, `= ${total}`),
    );
  }
  return CARD.test(outcome) ? cardFace(outcome) : h("span", { class: "stop" }, String(outcome));
}

// The house.

class Refused extends Error {
  constructor(status, said) {
    super(said.message ?? `the house answered ${status}`);
    Object.assign(this, {
      status,
      fault: said.fault,
      citation: said.citation,
      violations: said.violations,
    });
  }
}
class Unreachable extends Error {}
class Gone extends Error {} // whoever asked is not there any more

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const stored = (key) => JSON.parse(localStorage.getItem(STORED + key) ?? "null");
const store = (key, value) => localStorage.setItem(STORED + key, JSON.stringify(value));

function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

let me = null; // who is logged in
let ahead = 0; // milliseconds by which the house's clock is ahead of ours

/** Ask the house; for as long as `patience` says, if it does not answer. */
async function ask(method, path, { body, key, patience = 0, atDoor = false } = {}) {
  const headers = {
    ...(body && { "Content-Type": "application/json" }),
    ...(key && { "Idempotency-Key": key }),
  };
  const until = performance.now() + patience;
  let doubted = false; // another tab may just have renewed the session
  for (let wait = 200; ; wait = Math.min(2 * wait, 2000)) {
    let later = wait;
    try {
      const answer = await fetch(`/api${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      });
      ahead = Date.parse(answer.headers.get("Date") ?? "") - Date.now() || ahead;
      const said = await answer.json();
      if (answer.ok) return said;
      if (answer.status === 401 && !atDoor && !doubted) {
        doubted = true;
        await sleep(wait);
        continue;
      }
      if (!AGAIN.has(answer.status)) throw new Refused(answer.status, said);
      later = Math.max(wait, 1000 * Number(answer.headers.get("Retry-After") ?? 0));
    } catch (error) {
      if (error instanceof Refused) {
        if (error.status !== 401 || atDoor) throw error;
        leaveTheHouse(error.message);
        throw new Gone();
      }
    }
    if (performance.now() > until)
      throw new Unreachable("the house does not answer; try again in a moment");
    await sleep(later);
  }
}

function admit(session) {
  me = session;
  const life = Date.parse(session.expires_at) - Date.now() - ahead;
  store("session", { until: Date.now() + life, life });
  if (session.message) sessionStorage.setItem(STORED + "message", session.message);
  dress();
}

/** The token is renewed when half its life is over, by one tab for all. */
async function renew() {
  const due = () => {
    const { until, life } = stored("session") ?? { until: 0, life: 0 };
    return Date.now() > until - life / 2;
  };
  const go = async () => due() && me && admit(await ask("POST", "/session/renew"));
  if (!me || !due()) return;
  await (navigator.locks ? navigator.locks.request(`${STORED}renew`, go) : go());
}
setInterval(() => renew().catch(() => {}), 5000);

function leaveTheHouse(why = "") {
  me = null;
  localStorage.removeItem(STORED + "session");
  dress();
  route();
  $("farewell").hidden = !why;
  $("farewell").textContent = why && sentence(why);
}

function dress() {
  $("who").textContent = me ? (me.role === "patron" ? me.name : `${me.name}, ${me.role}`) : "";
  $("log-out").hidden = $("keys-open").hidden = !me;
  $("about-gambling").textContent = sessionStorage.getItem(STORED + "message") ?? "";
}

// Where we are.

let table = null; // the table that is shown

function asked() {
  const said = new URLSearchParams(location.hash.slice(1));
  const id = said.get("table") ?? "";
  return { id: /^[\w-]{1,40}$/.test(id) ? id : "", link: said.get("link") };
}

function route() {
  const { id, link } = asked();
  if (link && me?.guest_of === id) return location.replace(`#table=${id}`);
  const where = !me || link ? "door" : id ? "table" : "lobby";
  for (const each of ["door", "lobby", "table"]) $(each).hidden = each !== where;
  if (table && (where !== "table" || table.id !== id)) {
    table.close();
    table = null;
  }
  $("lost").hidden = true;
  if (me) $("farewell").hidden = true;
  $("be-guest").hidden = !link;
  if (where === "lobby") lookAround();
  if (where === "table" && !table) {
    table = new Table(id);
    table.open();
  }
  document.title = where === "table" ? "Table · Croupier" : "Croupier";
  $(`${where}-title`).focus({ preventScroll: true });
}
addEventListener("hashchange", route);

// The door.

$("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const said = new FormData(event.target, event.submitter);
  const body = { name: said.get("name"), password: said.get("password") };
  busy(event.target, async () => {
    const opened = said.get("do") === "open";
    if (opened) await ask("POST", "/accounts", { body, atDoor: true });
    welcome(await ask("POST", "/session", { body, atDoor: true }), opened);
    event.target.reset();
  });
});

$("be-guest").addEventListener("submit", (event) => {
  event.preventDefault();
  const { id, link } = asked();
  const name = new FormData(event.target).get("name");
  busy(event.target, async () => {
    const session = await ask("POST", `/tables/${id}/guests`, {
      body: { name, link },
      atDoor: true,
    });
    history.replaceState(null, "", `#table=${id}`);
    welcome(session, true);
  });
});

$("log-out").addEventListener("click", async () => {
  try {
    const { message } = await ask("DELETE", "/session", { patience: 3000 });
    for (const key of Object.keys(localStorage))
      key.startsWith(`${STORED}link.`) && localStorage.removeItem(key);
    leaveTheHouse(`you are logged out. ${message}`);
  } catch (error) {
    complain(error);
  }
});

function welcome(session, first) {
  admit(session);
  const before = session.previous_login_at;
  const last = before
    ? `You were last here on ${moment(before)}.`
    : first
      ? ""
      : "You are here for the first time.";
  $("welcome").textContent = `Welcome, ${session.name}. ${last} ${session.message}`;
  $("welcome").hidden = false;
  say($("welcome").textContent);
  const { id, link } = asked();
  if (link) history.replaceState(null, "", `#table=${id}`);
  route();
}

/** One thing at a time with this form. */
async function busy(form, work) {
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  try {
    await work();
  } catch (error) {
    complain(error);
  } finally {
    form.ariaBusy = "false";
  }
}

// The lobby.

let tables = [];
let games = null;

async function lookAround() {
  if ($("lobby").hidden || document.hidden) return;
  $("opening").hidden = me.guest_of !== null || !["patron", ...PIT].includes(me.role);
  $("private-choice").hidden = !PIT.includes(me.role);
  try {
    tables = await ask("GET", "/tables");
    unreached(false);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    unreached(true);
  }
  showTables();
}
setInterval(() => me && lookAround().catch(complain), 4000);

function unreached(lost) {
  $("lost").hidden = !lost;
  if (lost) $("lost").textContent = "The house does not answer. Trying again …";
}

function showTables() {
  const words = $("find-table").value.toLowerCase().split(/\s+/);
  const found = tables
    .filter((each) =>
      words.every((word) => `${each.title} ${each.name}`.toLowerCase().includes(word)),
    )
    .sort(
      (one, other) => one.title.localeCompare(other.title) || one.name.localeCompare(other.name),
    );
  show(
    $("tables"),
    found.length
      ? found.map((each) => [each.id, each, inLobby])
      : [
          [
            "none",
            tables.length,
            () =>
              h(
                "p",
                { class: "fine" },
                tables.length ? "No table is called so." : "No table is open.",
              ),
          ],
        ],
  );
}

function inLobby(each) {
  const free = each.seats - each.taken;
  const limits = each.least === null ? "" : `${dollars(each.least)} to ${dollars(each.most)}`;
  const seats = free ? `${free} of ${each.seats} seats free` : "no seat free";
  return h(
    "a",
    { class: "in-lobby", href: `#table=${each.id}`, "data-act": "go" },
    h("strong", null, each.title),
    each.name === each.title ? null : h("span", null, each.name),
    h("span", { class: "fine" }, limits, each.private ? " · private" : ""),
    h("span", { class: "fine" }, `${seats} · ${each.phase ?? each.status}`),
  );
}

$("find-table").addEventListener("input", showTables);

$("opening").addEventListener("toggle", async () => {
  if (games || !$("opening").open) return;
  games = await ask("GET", "/games", { patience: PATIENCE });
  games.sort((one, other) => one.title.localeCompare(other.title));
  $("open-table").game.replaceChildren(
    ...games.map((each) => h("option", { value: each.id }, each.title)),
  );
});

$("open-table").addEventListener("submit", (event) => {
  event.preventDefault();
  const said = new FormData(event.target);
  const secret = newSecret();
  const isPrivate = me.role === "patron" || said.has("private");
  busy(event.target, async () => {
    const body = {
      game: said.get("game"),
      name: said.get("name"),
      terms: { dealer: said.get("dealer") },
      ...(isPrivate && { link: secret }),
    };
    const reply = await ask("POST", "/tables", { body, key: newSecret(), patience: PATIENCE });
    if (isPrivate) store(`link.${reply.table}`, secret);
    location.hash = `#table=${reply.table}`;
  });
});

// A table.

/** The card that was dealt last, face down, is looked at. */
function lookAt(hand, card) {
  const at = hand.lastIndexOf(null);
  hand[at < 0 ? hand.length : at] = card;
}

/** Cards are turned. Some may be known already, and a shoe of many decks holds the same twice. */
function turnUp(hand, cards) {
  const known = hand.filter((each) => each !== null);
  cards.forEach((card, at) => {
    const down = hand.filter((each) => each === null).length;
    if (down < cards.length - at && known.includes(card)) known.splice(known.indexOf(card), 1);
    else hand[down ? hand.indexOf(null) : hand.length] = card;
  });
}

/** Hands and outcomes on the layout after these events; a card that lies face down is null. */
function laidOut(events) {
  const hands = new Map();
  const outcomes = [];
  const hand = (name) => hands.get(name) ?? hands.set(name, []).get(name);
  for (const event of events) {
    if (event.kind === "look" && !event.seat) lookAt(hand(event.to), event.outcome);
    else if (event.kind === "look") turnUp(hand(event.to ?? event.seat), [event.outcome]);
    else if (event.kind === "reveal") turnUp(hand(event.hand), event.cards);
    else if (event.to && event.face_down) hand(event.to).push(null);
    else if (event.to && CARD.test(event.outcome)) hand(event.to).push(event.outcome);
    else if ("outcome" in event) outcomes.push(event.outcome);
  }
  return { hands: [...hands], outcomes };
}

const LAID = (event) => "outcome" in event || event.face_down || event.kind === "reveal";
// What may happen while the betting is open.
const BEFORE = setOf(`
  opened seated leaving left control dealer ready betting_closes betting_goes_on buy_in cash_out
  wager reduce take_down vigorish notice options_changed notice_withdrawn software frozen thawed
  correction dispute closing
`);
// What says how much lies on a wager from then on.
const SETS = setOf("wager reduce take_down");
// What is said aloud.
const ALOUD = setOf(`
  announce spin throw reveal look betting_closes dealer irregularity time_up notice frozen thawed
  closing closed
`);

class Table {
  view = null;
  game = null;
  openings = [];
  told = []; // events, by number
  numbers = new Set();
  heard = 0; // the last number that the stream has told
  own = new Set(); // numbers of events that our own commands caused
  seat = ""; // for which we wager
  undone = []; // what to set wagers back to
  elsewhere = false; // another session plays our seats
  tab = navigator.locks ? "asking" : "ours"; // or "other": another tab of this browser plays
  queue = Promise.resolve();
  looked = -Infinity; // when
  stop = new AbortController();

  constructor(id) {
    this.id = id;
  }

  get gone() {
    return this.stop.signal.aborted;
  }

  get seats() {
    return Object.entries(this.view.seats)
      .filter(([, chair]) => chair.yours)
      .map(([seat]) => seat);
  }

  get isOurs() {
    return !this.elsewhere && this.tab !== "other";
  }

  async open() {
    $("table").classList.add("loading");
    $("table-title").textContent = "The table is being looked up …";
    try {
      const view = await this.ask("GET", "", { patience: PATIENCE });
      this.game = await ask("GET", `/games/${view.game}`, { patience: PATIENCE });
      await this.recallEvents(Math.max(0, Math.min(view.round_began, view.number - 250)));
      this.heard = view.number;
      await this.look();
      await renderRounds();
      this.follow();
    } catch (error) {
      complain(error);
      if (!this.gone && me) location.replace("#");
    }
  }

  close() {
    this.stop.abort();
    this.waiting?.abort();
    this.release?.();
  }

  async ask(method, path, given) {
    const said = await ask(method, `/tables/${this.id}${path}`, given);
    if (this.gone) throw new Gone();
    return said;
  }

  async recallEvents(after) {
    for (let page; page?.length !== 0 && !(page?.length < 1000); after = page.at(-1)?.number) {
      page = await this.ask("GET", `/events?after=${after}&limit=1000`, { patience: PATIENCE });
      this.add(page);
    }
  }

  /** Events, each once and in order. Returns those that are new. */
  add(events) {
    const fresh = events.filter((each) => !this.numbers.has(each.number));
    for (const event of fresh) {
      this.numbers.add(event.number);
      this.told.push(event);
    }
    if (fresh.length) this.told.sort((one, other) => one.number - other.number);
    if (this.told.length > 4000) this.told.splice(0, 2000);
    return fresh;
  }

  hear(events) {
    const fresh = this.add(events);
    if (!fresh.length) return;
    this.speak(fresh);
    if (fresh.some((each) => each.kind === "round_over")) {
      this.undone = [];
      renderRounds().catch(complain);
    }
    this.look();
    render();
  }

  /** Look at the table anew, not too often, and once for all that happens meanwhile. */
  look() {
    this.wanted = true;
    this.looking ??= this.lookUntilSeen().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  async lookUntilSeen() {
    while (this.wanted && !this.gone) {
      await sleep(Math.max(0, this.looked + OFTEN - performance.now()));
      this.looked = performance.now();
      this.wanted = false;
      try {
        await this.lookOnce();
      } catch (error) {
        if (error instanceof Gone || error instanceof Unreachable) return;
        if (error.status === 404) location.replace("#");
        if (error.status !== 403) throw error; // the seat was left between the two looks
      }
      render();
    }
  }

  async lookOnce() {
    const view = await this.ask("GET", "");
    this.view = view;
    this.deadline =
      view.seconds_left === null ? null : performance.now() + 1000 * view.seconds_left;
    const { seats } = this;
    if (!seats.includes(this.seat)) this.seat = seats[0] ?? "";
    const here = seats.map((seat) => view.seats[seat].here);
    if (here.some((each) => each !== undefined)) this.elsewhere = here.includes(false);
    if (seats.length) this.hold();
    const betting = this.seat && view.phase === "betting";
    this.openings = betting ? await this.ask("GET", `/openings?seat=${this.seat}`) : [];
  }

  /** Listen, for as long as the table is shown, over as many connections as that takes. */
  async follow() {
    for (let wait = 0; !this.gone; wait = Math.min(2 * wait || 250, 2000)) {
      try {
        await this.listen(() => {
          wait = 0;
          this.connected(true);
        });
      } catch (error) {
        if (this.gone) return;
        if (error.status === 401) await ask("GET", "/session").catch(() => {});
      }
      this.connected(false);
      await sleep(wait);
    }
  }

  async listen(begun) {
    const line = new AbortController();
    const end = () => line.abort();
    this.stop.signal.addEventListener("abort", end);
    let silence = setTimeout(end, SILENCE);
    try {
      const answer = await fetch(`/api/tables/${this.id}/stream`, {
        headers: { Accept: "text/event-stream", "Last-Event-ID": String(this.heard) },
        cache: "no-store",
        signal: line.signal,
      });
      if (!answer.ok) throw new Refused(answer.status, {});
      begun();
      this.look();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE);
        const messages = (text + value).split("\n\n");
        text = messages.pop();
        const events = messages.map(eventOf).filter(Boolean);
        this.heard = Math.max(this.heard, ...events.map((each) => each.number));
        this.hear(events);
      }
    } finally {
      clearTimeout(silence);
      this.stop.signal.removeEventListener("abort", end);
    }
  }

  connected(now) {
    if (this.gone) return;
    this.isConnected = now;
    clearTimeout(this.telling);
    if (now) this.found();
    else this.telling = this.soonLost("Your seat and your wagers are kept; reconnecting …");
  }

  soonLost(what) {
    return setTimeout(() => {
      $("lost").textContent = `The connection is lost. ${what}`;
      $("lost").hidden = this.gone;
    }, QUIET);
  }

  found() {
    if (!$("lost").hidden) say("The connection is back.");
    $("lost").hidden = true;
  }

  // Two tabs of a browser are one session to the house: that only one plays, they agree among
  // themselves.

  hold(steal = false) {
    if (!navigator.locks || (this.waiting && !steal)) return;
    this.waiting?.abort();
    const waiting = new AbortController();
    this.waiting = waiting;
    setTimeout(() => {
      if (this.tab === "asking") this.tab = "other";
      render();
    }, 500);
    const given = steal ? { steal } : { signal: waiting.signal };
    const until = () => {
      this.tab = "ours";
      this.elsewhere = false;
      this.look();
      return new Promise((resolve) => {
        this.release = resolve;
      });
    };
    navigator.locks.request(`${STORED}${me.account}.${this.id}`, given, until).catch(() => {
      if (this.gone || this.waiting !== waiting) return;
      this.tab = "other";
      this.waiting = null;
      this.hold();
      render();
    });
  }

  async takeControl() {
    if (this.tab === "other") this.hold(true);
    for (const seat of this.seats) {
      if (await this.command({ do: "take_control", seat })) this.elsewhere = false;
    }
    render();
  }

  // Commands.

  /** Do something, after what was asked for before; a function is called when its turn comes. */
  command(body) {
    this.queue = this.queue.then(() => this.send(body));
    return this.queue;
  }

  async send(body) {
    const telling = this.soonLost("What you asked for is sent until it is answered …");
    try {
      const said = typeof body === "function" ? body() : body;
      if (!said || this.gone) return null;
      const reply = await this.ask("POST", "/commands", {
        body: said,
        key: newSecret(),
        patience: PATIENCE,
      });
      reply.events.forEach((each) => this.own.add(each.number));
      this.hear(reply.events);
      const onlyWagers = reply.events.every((each) => SETS.has(each.kind));
      if (!onlyWagers) await this.look(); // the next command is about what stands here now
      return reply;
    } catch (error) {
      if (error.fault === "not_controlling") {
        this.elsewhere = true;
        render();
      } else {
        complain(error);
        if (!this.gone) this.look();
      }
      return null;
    } finally {
      clearTimeout(telling);
      if (!this.gone && this.isConnected) this.found();
    }
  }

  // Wagers.

  title(label) {
    const [, id, spot = ""] = /^([^:]*):?(.*)$/s.exec(label);
    const title = this.game?.wagers.find((each) => each.id === id)?.title ?? plain(id);
    return `${title} ${spot.split("-").map(cardText).join("-")}`.trim();
  }

  /** What lies on the layout: as the view says, and what was told since. */
  bets() {
    const lying = new Map(this.view.bets.map((each) => [`${each.seat} ${each.wager}`, each]));
    const seen = this.told.findLastIndex((each) => each.number <= this.view.number);
    for (const event of this.told.slice(seen + 1)) {
      if (!SETS.has(event.kind)) continue;
      const key = `${event.seat} ${event.wager}`;
      if (event.stake) lying.set(key, { seat: event.seat, wager: event.wager, stake: event.stake });
      else lying.delete(key);
    }
    return [...lying.values()];
  }

  stake(label) {
    return this.bets().find((each) => each.seat === this.seat && each.wager === label)?.stake ?? 0;
  }

  mine() {
    return this.bets().filter((each) => each.seat === this.seat);
  }

  /** Set wagers, as they are to be when their turn comes. */
  async bet(change, { keeps = true } = {}) {
    const { seat } = this;
    let before = null;
    const reply = await this.command(() => {
      const wagers = change();
      const labels = Object.keys(wagers);
      if (!labels.length) return null;
      before = Object.fromEntries(labels.map((label) => [label, this.stake(label)]));
      return { do: "bet", seat, wagers, round: this.view.round };
    });
    if (reply && keeps) this.undone.push(before);
    render();
  }

  put(label, amount) {
    const opening = this.openings.find((each) => each.wager === label);
    const fixed = opening && opening.low === opening.high;
    this.bet(() => ({ [label]: fixed ? opening.low : this.stake(label) + amount }));
  }

  takeOff(label, amount) {
    const opening = this.openings.find((each) => each.wager === label);
    this.bet(() => {
      const left = this.stake(label) - amount;
      return { [label]: left < (opening?.low ?? 1) ? 0 : left };
    });
  }

  undo() {
    this.bet(
      () => {
        const before = Object.entries(this.undone.pop() ?? {});
        return Object.fromEntries(before.filter(([label, stake]) => stake !== this.stake(label)));
      },
      { keeps: false },
    );
  }

  clear() {
    const removable = new Set(
      this.openings.filter((each) => each.removable).map((each) => each.wager),
    );
    this.bet(() =>
      Object.fromEntries(
        this.mine()
          .filter((each) => removable.has(each.wager))
          .map((each) => [each.wager, 0]),
      ),
    );
  }

  double() {
    const open = new Set(this.openings.map((each) => each.wager));
    this.bet(() =>
      Object.fromEntries(
        this.mine()
          .filter((each) => open.has(each.wager))
          .map((each) => [each.wager, 2 * each.stake]),
      ),
    );
  }

  /** What this seat had wagered when the betting on the last round was closed. */
  lastWagers() {
    const round = this.told.findLast(
      (each) => each.kind === "round_over" && each.settlements.some((s) => s.seat === this.seat),
    )?.round;
    const wagers = {};
    for (const event of this.told) {
      if (event.round !== round) continue;
      if (!BEFORE.has(event.kind)) break;
      if (SETS.has(event.kind) && event.seat === this.seat) wagers[event.wager] = event.stake;
    }
    return Object.entries(wagers).filter(([, stake]) => stake);
  }

  rebet() {
    this.bet(() =>
      Object.fromEntries(this.lastWagers().filter(([label, stake]) => this.stake(label) < stake)),
    );
  }

  ready() {
    this.command({ do: "ready", seat: this.seat, round: this.view.round });
  }

  async move(asked, move) {
    if (this.answered === asked.number) return;
    this.answered = asked.number;
    const reply = await this.command({ do: "move", seat: asked.seat, move, asked: asked.number });
    if (!reply) this.answered = 0;
  }

  // What is said aloud, once.

  speak(fresh) {
    const mine = this.view ? this.seats : [];
    for (const event of fresh) {
      if (event.kind === "control" && mine.includes(event.seat) && !this.own.has(event.number))
        this.elsewhere = true;
    }
    const said = fresh
      .filter((each) => ALOUD.has(each.kind) || (each.kind === "draw" && "outcome" in each))
      .map((each) => this.words(each, cardName));
    for (const event of fresh) {
      if (event.kind === "asked" && mine.includes(event.seat))
        said.push(`You are asked: ${event.question}`);
      if (event.kind === "round_over") said.push(this.summary(event).text);
    }
    if (said.length) say(said.filter(Boolean).join(" "));
  }

  /** How a round ended for us, or for everybody if we had no part in it. */
  summary(over) {
    const mine = this.view ? this.seats : [];
    const own = over.settlements.filter((each) => mine.includes(each.seat));
    const rows = mine.length ? own : over.settlements;
    const net = own.reduce((sum, each) => sum + each.net, 0);
    const what = over.void
      ? `is void [${over.void}]; wagers are returned`
      : !mine.length || !own.length
        ? "is over"
        : net > 0
          ? `: you win ${dollars(net)}`
          : net < 0
            ? `: you lose ${dollars(-net)}`
            : own.every((each) => each.result === "standing")
              ? ": your wagers stand"
              : ": you break even";
    return { rows, net, text: `Round ${over.round}${what.startsWith(":") ? "" : " "}${what}.` };
  }

  // Words for what happened.

  whose(seat) {
    if (this.view && this.seats.includes(seat))
      return this.seats.length > 1 ? `You (seat ${seat})` : "You";
    return this.hand(seat);
  }

  hand(name) {
    return /^\d+$/.test(name) ? `Seat ${name}` : capital(plain(name));
  }

  words(event, card = cardText) {
    const tell = WORDS[event.kind];
    return tell
      ? tell(event, this, (each) => (Array.isArray(each) ? each.join("-") : card(each)))
      : capital(plain(event.kind));
  }
}

function eventOf(message) {
  const data = message
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5))
    .join("\n");
  return data ? JSON.parse(data) : null;
}

const of = (e, t) =>
  t.view && t.seats.includes(e.seat) ? t.title(e.wager) : `${t.title(e.wager)} of seat ${e.seat}`;
const shownTo = (e, t, card) => {
  const what = "outcome" in e ? card(e.outcome) : "face down";
  return e.to ? `${t.whose(e.to)}: ${what}` : capital(`${plain(e.kind)}: ${what}`);
};
const changes = (options) =>
  Object.entries(options)
    .map(
      ([id, value]) =>
        `${plain(id)} ${/_(min|max)/.test(id) ? dollars(value) : JSON.stringify(value)}`,
    )
    .join(", ");

const WORDS = {
  announce: (e) => `“${e.text}”`,
  step: (e) => sentence(e.text),
  spin: shownTo,
  throw: shownTo,
  draw: shownTo,
  look: shownTo,
  set_aside: (e, t, card) => `${shownTo(e, t, card)}, which was set aside`,
  reveal: (e, t, card) => `${t.whose(e.hand)}: ${e.cards.map(card).join(", ")}`,
  decision: (e, t) => {
    const amount = e.amount ? ` ${dollars(e.amount)}` : e.cards ? ` at card ${e.cards}` : "";
    const question = e.question.endsWith("?") ? e.question : `${e.question}:`;
    return `${t.whose(e.seat)}, ${question} ${capital(plain(e.move))}${amount}.`;
  },
  irregularity: (e) => `${capital(e.what)}: ${e.resolution}.`,
  wager: (e, t) => `${dollars(e.stake)} on ${of(e, t)}.`,
  reduce: (e, t) => `${dollars(e.stake)} is left on ${of(e, t)}.`,
  take_down: (e, t) => `${of(e, t)} is taken down.`,
  collect: (e, t) => {
    const rest = e.returned ? ` and returns ${dollars(e.returned)}` : "";
    return `The dealer takes ${dollars(e.amount)}${rest}: ${of(e, t)}.`;
  },
  pay: (e, t) => `The dealer pays ${dollars(e.amount)}: ${of(e, t)}${e.odds ? `, ${e.odds}` : ""}.`,
  return: (e, t) => `The dealer returns ${of(e, t)}.`,
  refund: (e, t) => `The dealer returns ${dollars(e.amount)} of ${of(e, t)}.`,
  vigorish: (e, t) => {
    const what = `vigorish of ${dollars(e.amount)}`;
    if (e.how === "collected") return `The dealer collects ${what} from seat ${e.seat}.`;
    return `The dealer ${e.how === "taken" ? "takes" : "marks"} ${what}: ${of(e, t)}.`;
  },
  complimentary_vigorish: (e) =>
    `Vigorish of ${dollars(e.amount)} is not collected: form ${e.form}.`,
  score: (e, t) => `${of(e, t)} has ${e.to.replaceAll("-", ", ")}.`,
  travel: (e, t) => `${of(e, t)} moves to ${t.title(e.to)}.`,
  opened: (e) => `The table ${e.name} is opened.`,
  seated: (e) => `${e.name} takes seat ${e.seat}.`,
  leaving: (e) => {
    const why = e.idle ? "was idle, and " : "";
    return `Seat ${e.seat} ${why}leaves as soon as nothing of it is on the layout.`;
  },
  left: (e) => `${e.name} leaves seat ${e.seat} with ${dollars(e.cash)}.`,
  control: (e) => `Seat ${e.seat} is played from another place now.`,
  dealer: (e) => (e.name ? `${e.name} deals.` : "The dealer's chair is free."),
  ready: (e, t) => `${t.whose(e.seat)}: ready.`,
  betting_closes: (e) => `No more bets in ${e.seconds} seconds.`,
  betting_goes_on: () => "The betting goes on.",
  time_up: (e, t) => `Time is up for ${t.whose(e.seat).toLowerCase()}: ${plain(e.move)}.`,
  asked: (e, t) => `${t.whose(e.seat)}: ${e.question}`,
  round_over: (e) => (e.void ? `Round ${e.round} is void.` : `Round ${e.round} is over.`),
  notice: (e) => `Notice: from ${moment(e.at)} on, ${changes(e.options)}.`,
  options_changed: () => "The rules on the notice are in force.",
  notice_withdrawn: (e) => `The notice is withdrawn: ${e.why}`,
  software: () => "The table is run by other software now.",
  frozen: (e) => `The table is frozen: ${e.why}`,
  thawed: (e) => `The table goes on: ${e.why}`,
  dispute: (e) => `Round ${e.about} is disputed: ${e.why}`,
  correction: (e, t) => {
    const to = t.hand(e.account).toLowerCase();
    return `Correction of round ${e.about}: ${dollars(e.amount)} to ${to}: ${e.why}`;
  },
  closing: (e) => `The table is closing: ${e.why}`,
  closed: () => "The table is closed.",
  buy_in: (e, t) => `${t.whose(e.seat)}: buys in for ${dollars(e.amount)}.`,
  cash_out: (e, t) => `${t.whose(e.seat)}: cashes out ${dollars(e.amount)}.`,
};

// Showing a table.

let painting = null;

function render() {
  painting ??= setTimeout(() => {
    painting = null;
    if (table?.view && !$("table").hidden) paint();
  }, 0);
}

function paint() {
  const had = document.activeElement;
  const { view } = table;
  $("table").classList.remove("loading");
  paintHead(view);
  paintPhase(view);
  paintFelt(view);
  paintResult();
  paintQuestion(view);
  paintPlay(view);
  paintSeats(view);
  paintStaff(view);
  paintLog();
  paintRules(view);
  if (had !== document.body && (!had.isConnected || had.closest("[hidden]"))) {
    const next = !$("question").hidden
      ? "question-text"
      : !$("play").hidden
        ? "play-title"
        : "table-title";
    $(next).tabIndex = -1;
    $(next).focus({ preventScroll: true });
  }
}

function paintHead(view) {
  const { options } = view;
  const name = view.name === view.title ? view.title : `${view.name}: ${view.title}`;
  document.title = `${name} · Croupier`;
  if ($("table-title").textContent !== name) $("table-title").textContent = name;
  const limits = options.table_min
    ? `${dollars(options.table_min)} to ${dollars(options.table_max)}`
    : null;
  const dealer =
    view.terms.dealer === "house"
      ? "the house deals"
      : view.dealer
        ? `${view.dealer} deals`
        : "no dealer yet";
  const notice =
    view.notice && `notice: from ${moment(view.notice.at)} on, ${changes(view.notice.options)}`;
  const facts = [table.game.citation, limits, `round ${view.round}`, dealer, notice];
  $("table-facts").textContent = facts.filter(Boolean).join(" · ");
  const secret = stored(`link.${table.id}`);
  $("invitation").hidden = !secret;
  if (secret) $("link").value = `${location.origin}/#table=${table.id}&link=${secret}`;
  $("elsewhere").hidden = !table.seats.length || table.isOurs;
}

function paintPhase(view) {
  const mine = view.asked && table.seats.includes(view.asked.seat);
  $("phase-text").textContent = phaseText(view, mine);
  $("phase").className = `phase ${view.status} ${mine ? "mine" : view.phase}`;
  const { bet_seconds, move_seconds, offer_seconds } = view.terms;
  $("left").max = !view.asked ? bet_seconds : view.asked.offer ? offer_seconds : move_seconds;
  tick();
}

function phaseText(view, mine) {
  const reason = table.told.findLast((each) => each.kind === "frozen")?.why;
  if (view.status === "frozen")
    return `The table is frozen${reason ? `: ${reason}` : ""}. Nothing is lost.`;
  if (view.status === "closed") return "The table is closed.";
  if (view.asked)
    return mine
      ? "Your decision"
      : `${table.hand(view.asked.seat)} (${view.seats[view.asked.seat]?.name ?? "gone"}) decides`;
  if (view.phase !== "betting")
    return view.dealer ? `No more bets. ${view.dealer} deals.` : "No more bets.";
  if (view.status === "closing") return "The table is closing: no more wagers.";
  return "Place your wagers";
}

function tick() {
  const left =
    table?.view && table.deadline ? Math.max(0, table.deadline - performance.now()) / 1000 : null;
  $("clock").textContent =
    left === null
      ? ""
      : `${Math.floor(Math.ceil(left) / 60)}:${String(Math.ceil(left) % 60).padStart(2, "0")}`;
  $("left").hidden = left === null;
  if (left === null) return;
  $("left").value = left;
  const mine = table.view.asked && table.seats.includes(table.view.asked.seat);
  if (mine && left < 10 && table.warned !== table.view.asked.number) {
    table.warned = table.view.asked.number;
    say(`Ten seconds left; then: ${plain(table.view.asked.default)}.`);
  }
}
setInterval(tick, 250);

// What stands at a table and nobody needs to be told of.
const HOUSEKEEPING = setOf(`
  batch cutter pack uncounted face_up decided results spins seated may_not_turn meter staked wins
`);

function paintFelt(view) {
  const laid = table.told.findLast(LAID);
  const events = laid ? table.told.filter((each) => each.round === laid.round) : [];
  const { hands, outcomes } = laidOut(events);
  const came = { title: `Round ${laid?.round}`, outcomes };
  const shown = [
    ...(outcomes.length ? [["outcomes", came, outcomesOf]] : []),
    ...hands.map(([name, cards]) => [
      name,
      { title: handTitle(name, view), cards, mine: table.seats.includes(name) },
      handOf,
    ]),
  ];
  show(
    $("hands"),
    shown.length
      ? shown
      : [["none", 0, () => h("p", { class: "fine" }, "Nothing has been dealt yet.")]],
  );
  const facts = standing(view);
  show(
    $("standing"),
    facts.map((text) => [text, text, () => h("span", null, capital(text))]),
  );
  const lately = recently(view);
  one($("lately"), lately.length ? lately : null, (rows) =>
    h(
      "p",
      null,
      h("span", { class: "fine" }, "Lately "),
      rows.map((each) => h("span", { class: "road" }, each)),
    ),
  );
}

const OF_SEATS = setOf("shooter banker curator shaker"); // a seat holds them
const IN_CENTS = setOf("bank");

/** What stands between rounds: the point, who has the dice, the meter, vigorish that is owed. */
function standing(view) {
  const facts = [];
  for (const [key, value] of Object.entries(view.state)) {
    if (!["number", "string"].includes(typeof value) || value === 0 || HOUSEKEEPING.has(key))
      continue;
    const seat = OF_SEATS.has(key) && table.whose(String(value)).toLowerCase();
    facts.push(`${plain(key)}: ${seat || (IN_CENTS.has(key) ? dollars(value) : value)}`);
  }
  if (view.meter !== null) facts.push(`progressive meter: ${dollars(view.meter)}`);
  for (const [seat, owed] of Object.entries(view.vigorish_owed))
    facts.push(`seat ${seat} owes vigorish of ${dollars(owed)}`);
  return facts;
}

/** The last outcomes, newest first: spins and throws that were told, or what the shoe has given. */
function recently(view) {
  if (view.state.results?.length) {
    return view.state.results
      .slice(-15)
      .reverse()
      .map((each) => (typeof each === "string" ? each : capital(String(each.winner)).charAt(0)));
  }
  return table.told
    .filter((each) => ["spin", "throw"].includes(each.kind))
    .slice(-15)
    .reverse()
    .map((each) => outcomeText(each.outcome));
}

function handTitle(name, view) {
  const chair = view.seats[name];
  return chair ? `${table.hand(name)}, ${chair.yours ? "you" : chair.name}` : table.hand(name);
}

function outcomesOf({ title, outcomes }) {
  return h(
    "div",
    { class: "hand wide" },
    h("h3", null, title),
    h("div", { class: "cards" }, outcomes.map(outcomeFace)),
  );
}

function handOf({ title, cards, mine }) {
  const down = cards.filter((each) => each === null).length;
  const few = down > 5 ? [...cards.filter((each) => each !== null), null] : cards;
  return h(
    "div",
    { class: mine ? "hand mine" : "hand" },
    h("h3", null, title),
    h(
      "div",
      { class: "cards" },
      few.map(cardFace),
      down > 5 ? h("span", { class: "total" }, `× ${down}`) : null,
    ),
  );
}

function paintResult() {
  const over = table.told.findLast((each) => each.kind === "round_over");
  const { rows, net, text } = over ? table.summary(over) : { rows: [] };
  $("result").hidden = !rows.length;
  if (!rows.length) return;
  $("result-title").textContent = text;
  $("result").dataset.net = Math.sign(net);
  show($("settled"), [
    ...rows.map((each, at) => [`${over.round}/${at}`, { ...each, round: over.round }, settledRow]),
    [`${over.round}/dispute`, over.round, () => h("li", null, disputeButton(over.round))],
  ]);
}

const RESULTS = {
  win: "won",
  lose: "lost",
  push: "pushed",
  void: "returned",
  surrender: "surrendered",
  standing: "stands",
};

function settledRow(each) {
  const whose =
    table.seats.includes(each.seat) && table.seats.length < 2 ? "" : `Seat ${each.seat}, `;
  const line = each.line === each.result ? "" : ` on ${plain(each.line)}`;
  const odds = each.pays ? ` at ${each.pays}` : "";
  const vigorish = each.vigorish ? `, vigorish ${dollars(each.vigorish)}` : "";
  const net =
    each.result === "standing" ? "" : each.net > 0 ? `+${dollars(each.net)}` : dollars(each.net);
  return h(
    "li",
    { class: "settled", "data-result": each.result },
    h(
      "span",
      { class: "what" },
      `${whose}${table.title(each.wager)} ${dollars(each.stake)} `,
      h("em", null, `${RESULTS[each.result]}${line}${odds}${vigorish}`),
    ),
    h("strong", { class: "net" }, net),
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "data-act": "why",
        onclick: () => explain(each),
        "aria-label": `Why? ${table.title(each.wager)}`,
      },
      "Why?",
    ),
  );
}

async function explain({ round, seat, wager }) {
  try {
    const told = await table.ask(
      "GET",
      `/rounds/${round}/why?seat=${seat}&wager=${encodeURIComponent(wager)}`,
      { patience: PATIENCE },
    );
    $("why-title").textContent = `Round ${round}, seat ${seat}: ${table.title(wager)}`;
    $("why-text").replaceChildren(
      ...told.settlements.map((each) => h("p", { class: "arithmetic" }, each.sentence)),
      h("ol", { class: "plain log" }, told.events.map(logRow)),
    );
    $("why").showModal();
  } catch (error) {
    complain(error);
  }
}

function disputeButton(round) {
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      "data-act": "dispute",
      onclick: async () => {
        const why = await reason(`Dispute round ${round}: what should be looked into?`);
        const reply = why && (await table.command({ do: "dispute", about: round, why }));
        if (reply)
          note(
            `round ${round} is disputed, as event ${reply.number} of table ${table.id}; ` +
              "a floorperson looks into it",
          );
      },
    },
    "Dispute this round",
  );
}

/** Ask for a reason; empty if there is none after all. */
function reason(title) {
  $("reason-title").textContent = title;
  $("reason-text").value = "";
  $("reason").returnValue = "";
  $("reason").showModal();
  return new Promise((resolve) => {
    $("reason").addEventListener(
      "close",
      () => resolve($("reason").returnValue && $("reason-text").value.trim()),
      { once: true },
    );
  });
}

// The question.

let moveKeys = new Map(); // the buttons of the moves

function paintQuestion(view) {
  const { asked: question } = view;
  const mine =
    Boolean(question) &&
    table.seats.includes(question.seat) &&
    table.isOurs &&
    view.status !== "frozen";
  $("question").hidden = !mine;
  if (!mine) {
    moveKeys = new Map();
    return;
  }
  const seat = table.seats.length > 1 ? `Seat ${question.seat}: ` : "";
  $("question-text").textContent = seat + capital(question.question);
  $("question-default").replaceChildren(
    `If you do not answer in time: ${plain(question.default)}.`,
    cited(question.citation),
  );
  const keys = new Set();
  const choices = question.moves.flatMap(choicesOf).map((choice) => {
    const key =
      [...choice.text.toUpperCase()].find((letter) => /[A-Z]/.test(letter) && !keys.has(letter)) ??
      "";
    keys.add(key);
    return { ...choice, key };
  });
  show(
    $("moves"),
    choices.map((choice) => [
      `${question.number}/${choice.text}`,
      choice,
      (facts) => (facts.said ? moveButton : moveField)(question, facts),
    ]),
  );
  moveKeys = new Map(
    [...$("moves").querySelectorAll("[data-keyed]")].map((button) => [
      button.dataset.keyed,
      button,
    ]),
  );
}

const measured = (move, amount) =>
  move.unit === "cents" ? dollars(amount) : `${amount} ${move.unit}`;

/** A move as choices to click: one for each of a few amounts; one without `said` has a field. */
function choicesOf(move) {
  const name = capital(plain(move.move));
  if (!move.high)
    return [
      { text: move.costs ? `${name} (${measured(move, move.costs)})` : name, said: move.move },
    ];
  const count = Math.floor((move.high - move.low) / move.step) + 1;
  if (count > FEW) return [{ text: name, move }];
  return Array.from({ length: count }, (_, at) => move.low + at * move.step).map((amount) => ({
    text: `${name} ${measured(move, amount)}`,
    said: { [move.move]: amount },
  }));
}

function moveButton(question, { text, said, key }, go = () => table.move(question, said)) {
  return h(
    "button",
    { type: "button", class: "main", "data-act": "go", "data-keyed": key, onclick: go },
    text,
    " ",
    h("kbd", null, key),
  );
}

function moveField(question, { text, move, key }) {
  const least = move.unit === "cents" ? dollars(move.low).slice(1) : move.low;
  const input = h("input", {
    inputmode: "decimal",
    "data-act": "amount",
    value: least,
    "aria-label": `${text}: ${move.unit === "cents" ? "dollars" : move.unit}`,
  });
  const go = () => {
    const amount =
      move.unit === "cents"
        ? cents(input.value)
        : /^\d{1,9}$/.test(input.value)
          ? Number(input.value)
          : null;
    if (amount === null) complain(new Error(`${input.value || "nothing"} is no amount`));
    else table.move(question, { [move.move]: amount });
  };
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    go();
  });
  const steps = move.step > 1 ? ` in steps of ${measured(move, move.step)}` : "";
  return h(
    "span",
    { class: "row with-amount" },
    input,
    moveButton(question, { text, key }, go),
    h(
      "span",
      { class: "fine" },
      `${measured(move, move.low)} to ${measured(move, move.high)}${steps}`,
    ),
  );
}

$("question").addEventListener("submit", (event) => event.preventDefault());

// Wagering.

let inHand = 2500; // the amount that a click adds

function paintPlay(view) {
  const chair = view.seats[table.seat];
  const open = view.phase === "betting" && view.status === "open" && !chair?.waiting;
  $("play").hidden =
    !chair || !table.isOurs || Boolean(view.asked && table.seats.includes(view.asked.seat));
  if (!chair) return;
  const waits = chair.waiting ? ", from the next round on" : "";
  $("play-title").textContent = `Your seat ${table.seat}: ${dollars(chair.stack)}${waits}`;
  $("which-seat").hidden = table.seats.length < 2;
  show(
    $("my-seat"),
    table.seats.map((seat) => [seat, seat, () => h("option", { value: seat }, seat)]),
  );
  $("my-seat").value = table.seat;
  const mine = table.mine();
  const total = mine.reduce((sum, each) => sum + each.stake, 0);
  show(
    $("mine"),
    mine.length
      ? [
          ...mine.map((each) => [
            each.wager,
            each,
            (facts) =>
              h(
                "li",
                { class: "bet" },
                h("span", null, table.title(facts.wager)),
                " ",
                h("b", null, dollars(facts.stake)),
              ),
          ]),
          [
            "total",
            total,
            () =>
              h(
                "li",
                { class: "bet all" },
                h("span", null, "In all"),
                " ",
                h("b", null, dollars(total)),
              ),
          ],
        ]
      : [["none", 0, () => h("li", { class: "fine" }, "You have no wager on the layout.")]],
  );
  $("betting").hidden = $("bet-actions").hidden = !open;
  if (!open) return;
  const names = table.openings
    .filter((each, at, all) => all[at - 1]?.title !== each.title)
    .slice(0, 3);
  $("find-wager").placeholder =
    `${names.map((each) => each.title).join(", ")} … Enter bets on the first`;
  paintWagers();
  $("undo").disabled = !table.undone.length;
  $("clear").disabled = $("double").disabled = !mine.length;
  $("rebet").disabled = !table.lastWagers().length;
  $("ready").ariaPressed = String(chair.ready);
  const label = chair.ready
    ? "Ready: waiting for the others "
    : view.terms.dealer === "house"
      ? "Ready (deal) "
      : "Ready ";
  one($("ready"), label, () => h("span", null, label, h("kbd", null, "D")));
}

function paintWagers() {
  const found = findWagers($("find-wager").value);
  const stakes = new Map(table.mine().map((each) => [each.wager, each.stake]));
  show(
    $("wagers"),
    found.map((opening) => [
      opening.wager,
      { ...opening, stake: stakes.get(opening.wager) ?? 0 },
      wagerRow,
    ]),
  );
  if (found.length) return;
  const spotted = table.openings.find((each) => each.wager.includes(":"))?.wager;
  const hint = spotted ? ` One that is not in the list is written out, as in ${spotted}` : "";
  one($("wagers"), hint, () => h("li", { class: "fine" }, `No wager is called so.${hint}`));
}

const tokens = (text) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9$']+/)
    .filter(Boolean);

/** The wagers that words mean, the best first. One with spots of its own may be written out. */
function findWagers(text) {
  const words = tokens(text);
  if (!words.length) return table.openings;
  const fits = (word, all) =>
    all.some((each) => (/^\d+$/.test(word) ? each === word : each.startsWith(word)));
  const ranked = table.openings
    .map((opening) => ({
      opening,
      spot: opening.wager.split(":")[1] ?? "",
      all: tokens(`${opening.title} ${opening.wager}`),
    }))
    .filter(({ all }) => words.every((word) => fits(word, all)))
    .map((each) => ({ ...each, far: Number(each.spot !== text.trim()) + each.all.length / 100 }))
    .sort((one, other) => one.far - other.far);
  const wager = text.trim();
  const written =
    /^\w+:\S+$/.test(wager) && !table.openings.some((each) => each.wager === wager)
      ? [{ wager, title: "", low: 1, high: Infinity, step: 1, removable: false, citation: "" }]
      : [];
  return [...ranked.map((each) => each.opening), ...written];
}

const limits = (opening) =>
  opening.high === Infinity
    ? "as written"
    : opening.low === opening.high
      ? dollars(opening.low)
      : `${dollars(opening.low)}–${dollars(opening.high)}`;

function wagerRow(opening) {
  const name = table.title(opening.wager);
  const less = () => table.takeOff(opening.wager, inHand);
  return h(
    "li",
    {
      class: opening.stake ? "wager staked" : "wager",
      onfocusin: () => about(opening),
      onmouseenter: () => about(opening),
    },
    h(
      "button",
      {
        type: "button",
        class: "put",
        "data-act": "put",
        onclick: () => table.put(opening.wager, inHand),
        oncontextmenu: (event) => {
          event.preventDefault();
          if (opening.stake) less();
        },
      },
      h("span", { class: "name" }, name),
      opening.stake
        ? h("span", { class: "stake" }, dollars(opening.stake))
        : h("span", { class: "fine" }, limits(opening)),
    ),
    opening.stake
      ? h(
          "button",
          {
            type: "button",
            class: "less",
            "data-act": "less",
            "aria-label": `Take chips off ${name}`,
            onclick: less,
          },
          "−",
        )
      : null,
  );
}

function about(opening) {
  const steps = opening.step > 1 ? ` in steps of ${dollars(opening.step)}` : "";
  const by = opening.citation ? ` [${opening.citation}]` : "";
  $("about-wager").textContent = `${table.title(opening.wager)}: ${limits(opening)}${steps}${by}`;
}

function choose(amount) {
  inHand = amount;
  $("amount").value = dollars(amount).slice(1);
  $("amount-bad").textContent = "";
  for (const chip of $("chips").children)
    chip.ariaPressed = String(Number(chip.dataset.cents) === amount);
}

$("chips").append(
  ...CHIPS.map((amount, at) =>
    h(
      "button",
      {
        type: "button",
        class: `chip chip-${at + 1}`,
        "data-cents": amount,
        "aria-pressed": "false",
        title: `${dollars(amount)} (key ${at + 1})`,
        onclick: () => choose(amount),
      },
      dollars(amount).replace(",000", "K"),
    ),
  ),
);
choose(inHand);

$("amount").addEventListener("input", () => {
  const amount = cents($("amount").value);
  const good = amount !== null && amount > 0;
  $("amount-bad").textContent = good ? "" : "dollars, such as 5 or 12.50";
  if (!good) return;
  inHand = amount;
  for (const chip of $("chips").children)
    chip.ariaPressed = String(Number(chip.dataset.cents) === amount);
});
$("find-wager").addEventListener("input", () => {
  if (table?.view) paintWagers();
});
$("find-wager").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !table?.view) return;
  event.preventDefault();
  const [first] = findWagers(event.target.value);
  if (!first) return;
  table.put(first.wager, inHand);
  event.target.select();
});
$("my-seat").addEventListener("change", (event) => {
  table.seat = event.target.value;
  table.undone = [];
  table.look();
});
for (const name of ["undo", "clear", "double", "rebet", "ready"])
  $(name).addEventListener("click", () => table[name]());

// Seats.

function paintSeats(view) {
  const bets = table.bets();
  const taken = Object.entries(view.seats);
  show(
    $("seats"),
    taken.length
      ? taken.map(([seat, chair]) => {
          const lying = bets.filter((each) => each.seat === seat);
          return [seat, { seat, ...chair, lying, asked: view.asked?.seat === seat }, seatRow];
        })
      : [["none", 0, () => h("li", { class: "fine" }, "Nobody sits here yet.")]],
  );
  const free = view.positions.filter((seat) => !view.seats[seat]);
  const first = !table.seats.length;
  const sitting = $("sitting");
  const fresh = sitting.dataset.of !== `${table.id} ${first}`;
  if (fresh) {
    sitting.dataset.of = `${table.id} ${first}`;
    sitting.classList.toggle("first", first);
    sitting.open = first;
  }
  sitting.hidden = me.role !== "patron" || !free.length || view.status !== "open";
  const { seat } = $("sit");
  const chosen = fresh ? free[0] : seat.value;
  show(
    seat,
    free.map((each) => [each, each, () => h("option", { value: each }, each)]),
  );
  seat.value = free.includes(chosen) ? chosen : free[0];
  const chair = view.seats[table.seat];
  $("buy-in").hidden = !chair || !table.isOurs;
  if (chair)
    $("leave").textContent = chair.leaving ? "Leaving …" : `Leave with ${dollars(chair.stack)}`;
}

function seatRow({ seat, name, stack, ready, leaving, waiting, yours, lying, asked: decides }) {
  const total = lying.reduce((sum, each) => sum + each.stake, 0);
  const status = [
    decides && "decides",
    ready && "ready",
    leaving && "leaving",
    waiting && "waits for the next round",
  ]
    .filter(Boolean)
    .join(", ");
  return h(
    "li",
    { class: `seat${yours ? " mine" : ""}${decides ? " acting" : ""}` },
    h("span", { class: "number", "aria-label": `Seat ${seat}` }, seat),
    h(
      "span",
      { class: "what" },
      h("strong", null, yours ? `${name} (you)` : name),
      h(
        "span",
        { class: "fine" },
        [status, total && `${dollars(total)} on the layout`].filter(Boolean).join(" · "),
      ),
    ),
    h("b", null, dollars(stack)),
  );
}

function amountOf(form, name = "amount") {
  const amount = cents(form[name].value);
  if (amount === null)
    complain(
      new Error(`${form[name].value || "nothing"} is no amount: write dollars, such as 5 or 12.50`),
    );
  return amount;
}

$("sit").addEventListener("submit", (event) => {
  event.preventDefault();
  const amount = amountOf(event.target);
  if (amount !== null) table.command({ do: "sit", seat: event.target.seat.value, buy_in: amount });
});
$("buy-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const amount = amountOf(event.target);
  if (amount !== null) table.command({ do: "buy_in", seat: table.seat, amount });
});
$("leave").addEventListener("click", () => table.command({ do: "leave", seat: table.seat }));
$("take-control").addEventListener("click", () => table.takeControl());
$("copy-link").addEventListener("click", async () => {
  $("link").select();
  await navigator.clipboard?.writeText($("link").value).catch(() => {});
  say("The link is copied.");
});

// Those who work here.

function paintStaff(view) {
  const dealer = me.role === "dealer" && view.terms.dealer === "person";
  const inPit = PIT.includes(me.role);
  const deals = dealer && view.dealer === me.name;
  $("dealing").hidden = !dealer;
  for (const button of $("dealing").querySelectorAll("[data-do]")) {
    button.hidden = (button.dataset.do === "take_dealer") === deals;
  }
  const real = view.terms.equipment === "real";
  $("came").hidden = !deals || !real;
  $("reporting").hidden = !deals && !inPit;
  const kinds = Object.entries(view.irregularities);
  show(
    $("report").irregularity,
    kinds.map(([kind, rule]) => [
      kind,
      rule.trigger,
      () => h("option", { value: kind }, capital(rule.trigger)),
    ]),
  );
  showResolution();
  $("pit").hidden = !inPit;
  $("pit").querySelector("[data-why=thaw]").hidden = $("correct").hidden = me.role !== "supervisor";
}

function showResolution() {
  const rule = table?.view?.irregularities[$("report").irregularity.value];
  $("resolution").replaceChildren(
    ...(rule ? [sentence(rule.resolution), cited(rule.citation)] : []),
  );
}
$("report").irregularity.addEventListener("change", showResolution);

$("dealing").addEventListener("click", ({ target }) => {
  const button = target.closest("[data-do]");
  if (button)
    table.command({
      do: button.dataset.do,
      ...(button.dataset.count && { count: Number(button.dataset.count) }),
    });
});
$("came").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = event.target.outcome.value.trim();
  const outcome = /^\d+([- ]\d+)+$/.test(text)
    ? text.split(/[- ]/).map(Number)
    : /^(0|[1-9]\d*)$/.test(text)
      ? Number(text)
      : text;
  table.command({ do: "deal", outcome }).then((reply) => reply && event.target.reset());
});
$("report").addEventListener("submit", (event) => {
  event.preventDefault();
  const said = Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value));
  table.command({ do: "report", ...said });
});
$("pit").addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-why]");
  if (!button) return;
  const why = await reason(`${button.textContent} the table?`);
  if (why) table.command({ do: button.dataset.why, why });
});
$("notice").addEventListener("submit", (event) => {
  event.preventDefault();
  const said = [...new FormData(event.target)].filter(([, value]) => value);
  const options = Object.fromEntries(said.map(([name]) => [name, amountOf(event.target, name)]));
  if (said.length && !Object.values(options).includes(null))
    table.command({ do: "post_notice", options });
});
$("correct").addEventListener("submit", (event) => {
  event.preventDefault();
  const { about: round, seat, why } = Object.fromEntries(new FormData(event.target));
  const amount = amountOf(event.target, "cents");
  if (amount === null || !/^\d+$/.test(round)) return;
  table.command({ do: "correct", about: Number(round), cents: amount, why, ...(seat && { seat }) });
});

// What happened.

function paintLog() {
  const { seats } = table;
  show(
    $("log"),
    table.told
      .slice(-150)
      .reverse()
      .map((each) => [String(each.number), [each.kind, seats], () => logRow(each)]),
  );
}

function logRow(event) {
  return h("li", null, table.words(event), event.citation ? cited(event.citation) : null);
}

async function renderRounds() {
  if (!table || !$("recall").open) return;
  $("rounds-json").href = `/api/tables/${table.id}/rounds?last=100`;
  const rounds = await table.ask("GET", "/rounds?last=10", { patience: PATIENCE });
  show(
    $("rounds"),
    rounds
      .filter((each) => !each.open)
      .reverse()
      .map((each) => [String(each.round), each, roundRow]),
  );
}
$("recall").addEventListener("toggle", () => renderRounds().catch(complain));

const inWords = (cards) => cards.map((each) => (each ? cardText(each) : "face down")).join(" ");

function roundRow({ round, ended, settlements, void: isVoid, events }) {
  const { hands, outcomes } = laidOut(events);
  const { rows, text } = table.summary({ round, settlements, void: isVoid });
  const zip = ["supervisor", "surveillance"].includes(me.role)
    ? h("a", { href: `/api/house/disputes/${table.id}/${round}` }, "Everything about it, as a file")
    : null;
  return h(
    "li",
    null,
    h(
      "details",
      null,
      h("summary", { "data-act": "open" }, text, " ", h("span", { class: "fine" }, moment(ended))),
      outcomes.length ? h("p", null, outcomes.map(outcomeText).join(", ")) : null,
      hands.map(([name, cards]) => h("p", null, `${table.hand(name)}: ${inWords(cards)}`)),
      h(
        "ul",
        { class: "plain" },
        rows.map((each) => settledRow({ ...each, round })),
      ),
      h("p", { class: "row" }, disputeButton(round), zip),
    ),
  );
}

function paintRules(view) {
  if (!$("posted").open) return;
  const known = new Map(table.game.options.map((each) => [each.id, each]));
  show(
    $("options"),
    Object.entries(view.options).map(([id, value]) => {
      const { title, lawful = "", citation = "" } = known.get(id) ?? {};
      return [
        id,
        [title || plain(id), optionText(value, lawful), citation],
        ([name, text, where]) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, capital(name.replace(/, in cents$/, ""))),
            h("td", null, text),
            h("td", { class: "fine" }, where),
          ),
      ];
    }),
  );
  show(
    $("irregularities"),
    Object.entries(view.irregularities).map(([kind, rule]) => [
      kind,
      rule,
      () =>
        h(
          "div",
          null,
          h("dt", null, capital(rule.trigger)),
          h("dd", null, sentence(rule.resolution), cited(rule.citation)),
        ),
    ]),
  );
  $("rules").textContent = view.rules.slice(0, 16);
}
$("posted").addEventListener("toggle", render);

function optionText(value, lawful) {
  if (typeof value === "number" && lawful.includes("cent")) return dollars(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value) : plain(value);
}

// Keys.

const KEYS = {
  "1 to 6": "choose a chip",
  "/": "find a wager; Enter bets on the first",
  D: "ready: deal, spin, throw",
  R: "rebet",
  U: "undo",
  C: "clear",
  X: "double",
  "a letter": "the move that shows it",
  "?": "this list",
};
const DOES = { D: "ready", R: "rebet", U: "undo", C: "clear", X: "double" };

$("keys-list").append(
  ...Object.entries(KEYS).map(([key, what]) =>
    h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, what)),
  ),
);
$("keys-on").checked = stored("keys") ?? true;
$("keys-on").addEventListener("change", () => store("keys", $("keys-on").checked));
$("keys-open").addEventListener("click", () => $("keys").showModal());

addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, select, textarea, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !me) return;
  if (event.key === "?") return $("keys").showModal();
  if (!table?.view || !$("keys-on").checked) return;
  const key = event.key.toUpperCase();
  const press = (button) => {
    event.preventDefault();
    button.click();
  };
  if (moveKeys.has(key)) {
    press(moveKeys.get(key));
  } else if ($("play").hidden || $("betting").hidden) {
    return;
  } else if (DOES[key]) {
    if (!$(DOES[key]).disabled) press($(DOES[key]));
  } else if (CHIPS[Number(key) - 1]) {
    press($("chips").children[Number(key) - 1]);
  } else if (key === "/") {
    event.preventDefault();
    $("find-wager").focus();
  }
});

// Coming in.

async function begin() {
  dress();
  if (stored("session")) {
    try {
      me = await retried(() => ask("GET", "/session"));
      dress();
      await renew();
    } catch (error) {
      complain(error);
    }
  }
  route();
}

/** For as long as it takes. */
async function retried(work) {
  for (;;) {
    try {
      const found = await work();
      unreached(false);
      return found;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      unreached(true);
      await sleep(1000);
    }
  }
}

begin();
