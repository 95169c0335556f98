/**
 * Updates an open status page live. The page works without this script. The page contains:
 *
 * - `<main data-events="./events" data-version="token">`: the event stream, relative to the page's URL, and the version
 * of the page that was rendered (`version.token` in site/pages/cache/cached-page.ts).
 * - `[data-live="banner"]`: a part of the page. When its content changes, it is replaced by the new part of the same
 * name. Elements in it with an `id` or a `data-key` keep their identity when they move. Focus, open `<details>` and
 * typed text are preserved.
 * - `[data-announce]`, with `aria-live="polite"` and outside of all parts: after each change it shows the value of its
 * own attribute, `Updated: {summary}`, where `{summary}` is the text of `[data-summary]`.
 * - `[data-connection]`, outside of all parts: shows `data-updated="Updated {ago}"` while connected, otherwise
 * `data-reconnecting="Reconnecting, last update {ago}"`. Its `data-state` is `live`, `polling` or `lost`.
 * - `<time datetime="…" data-relative>`: shows the relative time in the language of the page.
 *
 * After each replacement the document receives a `live:updated` event, so that other scripts can prepare the new parts.
 */
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
const main = document.querySelector<HTMLElement>('[data-events]');
const all = (selector: string, within: ParentNode = document): HTMLElement[] => [
  ...within.querySelectorAll<HTMLElement>(selector),
];

/** Time without data after which the stream is considered dead. The server sends data at least every 15 seconds. */
const SILENCE = 45 * SECOND_MS;
const FIRST_POLL = 15 * SECOND_MS;
const LAST_POLL = 5 * MINUTE_MS;
/**
 * Maximum random delay before the page is requested after a change, in milliseconds. It spreads the requests of all
 * visitors.
 */
const SPREAD = 800;

const relative = new Intl.RelativeTimeFormat(document.documentElement.lang || 'en', {
  numeric: 'auto',
  style: 'short',
});
const UNITS = [
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

/** Returns how long ago a time was, in whole units: `3 min. ago`. */
const ago = (at: number): string => {
  const difference = at - Date.now();
  const [unit, length] = UNITS.find(([, one]) => Math.abs(difference) >= one) ?? (['second', SECOND_MS] as const);
  return relative.format(Math.trunc(difference / length), unit);
};

const setText = (element: Element, text: string): void => {
  if (element.textContent !== text) element.textContent = text;
};

let lastContactAt = Date.now();
let state: 'live' | 'polling' | 'lost' = 'live';

const showTimes = (): void => {
  for (const element of all('time[data-relative]')) {
    const at = Date.parse(element.getAttribute('datetime') ?? '');
    if (!Number.isNaN(at)) setText(element, ago(at));
  }
  for (const element of all('[data-connection]')) {
    const words = state === 'lost' ? element.dataset['reconnecting'] : element.dataset['updated'];
    element.dataset['state'] = state;
    setText(element, (words ?? '').replace('{ago}', ago(lastContactAt)));
  }
};

const markContact = (now: typeof state): void => {
  lastContactAt = Date.now();
  state = now;
  showTimes();
};

/** Attributes that the visitor's actions change. Updates must not overwrite them. */
const OWN = new Set(['open', 'value', 'checked', 'data-state']);

const keyOf = (node: Node): string | null =>
  node instanceof Element ? node.id || node.getAttribute('data-key') : null;

const isSame = (a: Node, b: Node): boolean => a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

/** Changes the node `from` so that it equals the node `to`. Replaces as few parts of it as possible. */
const morph = (from: Node, to: Node): void => {
  if (from.isEqualNode(to)) return;
  if (!(from instanceof Element) || !(to instanceof Element)) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  for (const { name } of [...from.attributes]) if (!OWN.has(name) && !to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of [...to.attributes])
    if (!OWN.has(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  let next = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const found = [...from.childNodes].slice(next ? [...from.childNodes].indexOf(next) : from.childNodes.length);
    const like = found.find((one) => isSame(one, wanted));
    if (!like) from.insertBefore(document.importNode(wanted, true), next);
    else {
      // If this node contains the focus, remove the nodes before it instead of moving it. Moving a node would lose the
      // focus.
      if (like !== next && like.contains(document.activeElement)) {
        while (next && next !== like) {
          const gone: ChildNode = next;
          next = next.nextSibling;
          gone.remove();
        }
      } else if (like !== next) from.insertBefore(like, next);
      if (like === next) next = next.nextSibling;
      morph(like, wanted);
    }
  }
  for (; next;) {
    const rest: ChildNode = next;
    next = next.nextSibling;
    rest.remove();
  }
};

const summary = (within: ParentNode): string => within.querySelector('[data-summary]')?.textContent.trim() ?? '';

const replaceParts = (page: Document, isChange: boolean): void => {
  for (const part of all('[data-live]')) {
    const name = CSS.escape(part.dataset['live'] ?? '');
    const now = page.querySelector(`[data-live="${name}"]`);
    if (now) morph(part, now);
  }
  document.title = page.title;
  // First, other scripts convert absolute times to the visitor's time zone. Only after that, update the relative times.
  document.dispatchEvent(new Event('live:updated'));
  showTimes();
  if (!isChange) return;
  for (const region of all('[data-announce]'))
    region.textContent = (region.dataset['announce'] ?? '{summary}').replace('{summary}', summary(document));
};

let version = main?.dataset['version'];
let tag: string | null = null;

/** The number of requests for the page that were sent, and the number of the request whose response is shown. */
let sent = 0;
let shown = 0;

/** Fetches the page. @returns whether the response, or that to a later request, is shown */
const refresh = async (token?: string): Promise<boolean> => {
  const own = ++sent;
  const address = new URL(location.href);
  // The token makes the URL unique, so that no cache between browser and server returns the previous version.
  if (token) address.searchParams.set('live', token);
  try {
    const response = await fetch(address, { cache: 'no-cache', headers: { accept: 'text/html' } });
    // The page was deleted, or the visitor has lost access. Reload to show the server's response.
    if ([401, 403, 404, 410].includes(response.status)) location.reload();
    const text = await response.text();
    // Responses can arrive in another order than that of their requests. An earlier state must not replace a later one.
    if (own < shown) return true;
    if (!response.ok) return false;
    shown = own;
    const now = response.headers.get('etag');
    if (now === null || now !== tag) {
      const page = new DOMParser().parseFromString(text, 'text/html');
      replaceParts(page, token !== undefined || tag !== null);
      version = page.querySelector<HTMLElement>('[data-events]')?.dataset['version'] ?? token;
    }
    tag = now;
    return true;
  } catch {
    return own < shown;
  }
};

let stream: EventSource | null = null;
let pollAfter = FIRST_POLL;
let timer = 0;

const later = (call: () => void, milliseconds: number): void => {
  clearTimeout(timer);
  timer = window.setTimeout(call, milliseconds);
};
const markLost = (): void => {
  state = 'lost';
  showTimes();
};
/** While there is no stream, fetches the page periodically and tries to open the stream again. */
const poll = async (): Promise<void> => {
  if (await refresh()) markContact('polling');
  else markLost();
  later(connect, pollAfter * (0.75 + Math.random() / 2));
  pollAfter = Math.min(LAST_POLL, pollAfter * 2);
};

const disconnect = (): void => {
  stream?.close();
  stream = null;
};

/** Closes the stream, and soon polls the page. The delay is random, to spread the requests of all visitors. */
const pollSoon = (): void => {
  disconnect();
  markLost();
  later(() => void poll(), Math.random() * pollAfter);
};

/** The newest event whose page has not been requested yet; null: none. */
let awaited: string | null = null;

const connect = (): void => {
  disconnect();
  if (document.hidden || !main) return;
  const address = new URL(main.dataset['events'] ?? 'events', location.href);
  if (version) address.searchParams.set('since', version);
  const own = (stream = new EventSource(address));
  const isAlive = (): void => {
    markContact('live');
    later(connect, SILENCE);
  };
  const follow = async (token?: string): Promise<void> => {
    // The pauses grow as long as the page can't be loaded, even if each new stream opens.
    if (await refresh(token)) pollAfter = FIRST_POLL;
    else if (stream === own) pollSoon();
  };
  own.addEventListener('ready', () => {
    isAlive();
    pollAfter = FIRST_POLL;
    // The page may have changed between its rendering and the opening of the stream. Without a version, the server
    // can't detect this change, so fetch the page.
    if (!version) void follow();
  });
  own.addEventListener('beat', isAlive);
  own.addEventListener('changed', ({ lastEventId }: MessageEvent<string>) => {
    isAlive();
    // One request is enough for all changes before it is sent.
    if (awaited === null)
      window.setTimeout(() => {
        const token = awaited ?? undefined;
        awaited = null;
        void follow(token);
      }, Math.random() * SPREAD);
    awaited = lastEventId;
  });
  own.addEventListener('error', () => {
    if (stream !== own) return;
    // Browsers reconnect automatically after a network failure, but not after a response that is not a stream.
    if (own.readyState === EventSource.CLOSED) pollSoon();
    else {
      markLost();
      later(() => void poll(), FIRST_POLL);
    }
  });
  later(connect, SILENCE);
};

if (main) {
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (document.hidden) disconnect();
    else connect();
  });
  connect();
}
showTimes();
setInterval(() => {
  if (!document.hidden) showTimes();
}, 5 * SECOND_MS);
