/**
 * Records what the pages of a browser load. Recording must not break a script: errors here only make the record
 * incomplete.
 */
import type { SandboxMessage, PageRecord, PageRequest, RequestTiming } from '../protocol.ts' with {
  'resolution-mode': 'import',
};
type Context = import('playwright-core').BrowserContext;
type Page = import('playwright-core').Page;
type Request = import('playwright-core').Request;
type Quiet = import('./internals.cts').Quiet;

/** The exports of `pages.cjs`. */
export interface PagesModule {
  watchPages: (say: (said: SandboxMessage) => void, currentTest: () => number) => WatchedPages;
}

export interface WatchedPages {
  /** Records all pages of a new context. */
  watch: (context: Context) => Promise<void>;
  /** Queries a page that is about to be closed for measurements that it has not reported yet. */
  ask: (page: Page) => Promise<void>;
  /** Waits shortly for pending responses, then reports all pages that have changed. */
  flush: () => Promise<void>;
}

/** One more than the outer process stores (../reading/recording.ts), so that the outer process notices a surplus. */
const MOST_PAGES = 21;
const MOST_REQUESTS = 50;
const LONGEST_HEADER = 4_096;
const MOST_HEADERS = 100;
/** Maximum number of characters of all headers of a page, so that the page fits into one message. */
const MOST_OF_HEADERS = 200_000;
const LONGEST_URL = 2_048;
/** Timeout for pending responses of the browser, in milliseconds. */
const PATIENCE_MS = 250;
/** Timeout for the measurements of a page that is about to be closed, in milliseconds. */
const ASKING_MS = 150;

const BINDING = '__uptrail_page_vitals__';

/** The measurements that a page reports. */
interface Told {
  FCP?: number;
  LCP?: number;
  TTFB?: number;
  domContentLoaded?: number;
  load?: number;
}

/** Source of a script that collects measurements in `known`, and calls `say` when there are new ones. */
const GATHER = `
  const known = {};
  const observe = (type, take) => {
    try {
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) take(entry); say(); }).observe({ type, buffered: true });
    } catch {}
  };
  observe('paint', (entry) => { if (entry.name === 'first-contentful-paint') known.FCP = entry.startTime; });
  observe('largest-contentful-paint', (entry) => { known.LCP = entry.startTime; });
  const navigation = () => {
    const [entry] = performance.getEntriesByType('navigation');
    if (!entry) return;
    if (entry.responseStart > 0) known.TTFB = entry.responseStart;
    if (entry.domContentLoadedEventEnd > 0) known.domContentLoaded = entry.domContentLoadedEventEnd;
    if (entry.loadEventEnd > 0) known.load = entry.loadEventEnd;
  };`;

/** Source of a script that runs in every document before the scripts of the document. */
const TELL = `(() => {
  const tell = globalThis[${JSON.stringify(BINDING)}];
  if (typeof tell !== 'function' || globalThis !== globalThis.top) return;
  try { delete globalThis[${JSON.stringify(BINDING)}]; } catch {}
  const say = () => { try { void tell(known); } catch {} };
  ${GATHER}
  addEventListener('DOMContentLoaded', () => { navigation(); say(); });
  addEventListener('load', () => { setTimeout(() => { navigation(); say(); }, 0); });
})();`;

/**
 * Source of a script that runs in a page that is about to be closed, and returns its measurements. Waits for the paint
 * measurements, which are available after at most one frame.
 */
const ASK = `new Promise((resolve) => {
  const say = () => { if (known.FCP !== undefined && known.LCP !== undefined) { navigation(); resolve(known); } };
  ${GATHER}
  setTimeout(() => { navigation(); resolve(known); }, ${(ASKING_MS - 50).toString()});
})`;

interface Watched {
  number: number;
  said: PageRecord;
  /** time at which the document was requested, in milliseconds since 1970 */
  began: number;
  changed: boolean;
  /** whether no document was received; the error page that the browser shows is not measured */
  isMissing: boolean;
  /** remaining characters for headers */
  room: number;
}

/** A request whose page is known. */
interface Known {
  watched: Watched;
  said: PageRequest | null;
  began: number;
  isDocument: boolean;
}

const watchPages: PagesModule['watchPages'] = (say, currentTest) => {
  let count = 0;
  const open = new Map<Page, Watched>();
  const all: Watched[] = [];
  const requests = new WeakMap<Request, Known>();
  const underWay = new Set<Promise<unknown>>();

  const later = (doing: Promise<unknown>): void => {
    const settled = doing.catch(() => undefined).finally(() => underWay.delete(settled));
    underWay.add(settled);
  };

  const tell = (watched: Watched): void => {
    if (!watched.changed) return;
    watched.changed = false;
    say({ type: 'page', page: watched.number, ...watched.said });
  };

  const leave = (page: Page): void => {
    const watched = open.get(page);
    if (!watched) return;
    open.delete(page);
    untilNow(watched);
  };

  /** Sets the duration of a page that is still loading to the time until now. */
  const untilNow = (watched: Watched): void => {
    if (watched.said.load !== null || watched.isMissing) return;
    watched.said.duration = since(watched.began);
    watched.changed = true;
  };

  /** Called when a page starts to load a document. */
  const arrive = (page: Page, request: Request): Watched | null => {
    leave(page);
    if (count >= MOST_PAGES) return null;
    const watched: Watched = {
      number: count++,
      began: Date.now(),
      changed: true,
      isMissing: false,
      room: MOST_OF_HEADERS,
      said: {
        test: currentTest(),
        url: cut(request.url()),
        duration: 0,
        documentRequest: null,
        network: [],
        requests: 0,
        webVitals: { FCP: null, LCP: null, TTFB: null },
        domContentLoaded: null,
        load: null,
      },
    };
    open.set(page, watched);
    all.push(watched);
    return watched;
  };

  const headersOf = (watched: Watched, headers: Readonly<Record<string, string>>): Record<string, string> => {
    const kept = Object.entries(headers)
      .slice(0, MOST_HEADERS)
      .map(([name, value]) => [name.slice(0, LONGEST_HEADER), value.slice(0, LONGEST_HEADER)] as const);
    const size = kept.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    if (size > watched.room) return {};
    watched.room -= size;
    return Object.fromEntries(kept);
  };

  /** Assigns a request to its page. Returns null if the request has no page, or the page is not recorded. */
  const place = (request: Request): Known | null => {
    const known = requests.get(request);
    if (known) return known;
    const frame = request.frame();
    const page = frame.page();
    const isDocument = request.isNavigationRequest() && frame.parentFrame() === null;
    const watched = isDocument && request.redirectedFrom() === null ? arrive(page, request) : open.get(page);
    if (!watched) return null;
    watched.said.requests += 1;
    watched.changed = true;
    const began = Date.now();
    const fits = watched.said.network.length < MOST_REQUESTS;
    const said: PageRequest | null =
      fits || isDocument
        ? {
            method: request.method(),
            url: cut(request.url()),
            resourceType: request.resourceType(),
            requestHeaders: headersOf(watched, request.headers()),
            responseHeaders: {},
            statusCode: null,
            time: 0,
            start: since(watched.began),
            size: null,
          }
        : null;
    if (said && fits) watched.said.network.push(said);
    const placed: Known = { watched, said, began, isDocument };
    requests.set(request, placed);
    return placed;
  };

  const onEnd = (request: Request): void => {
    const known = place(request);
    if (!known?.said) return;
    const { watched, said, began, isDocument } = known;
    const timing = request.timing();
    said.time = timing.responseEnd > 0 ? timing.responseEnd : since(began);
    const document = isDocument ? { ...said, timing: timingOf(timing) } : null;
    if (document) {
      watched.said.url = said.url;
      watched.said.documentRequest = document;
      watched.isMissing = request.failure() !== null;
      if (watched.isMissing) watched.said.duration = said.time;
    }
    watched.changed = true;
    later(
      (async () => {
        const response = await request.response();
        if (!response) return;
        const more = { statusCode: response.status(), responseHeaders: headersOf(watched, response.headers()) };
        Object.assign(said, more);
        if (document) Object.assign(document, more);
        watched.changed = true;
        const { responseBodySize } = await request.sizes();
        said.size = numberOr(responseBodySize, null);
        if (document) document.size = said.size;
        watched.changed = true;
      })(),
    );
  };

  const take = (page: Page, told: Told): void => {
    const watched = open.get(page);
    if (!watched || watched.isMissing) return;
    const { said } = watched;
    for (const name of ['FCP', 'LCP', 'TTFB'] as const)
      said.webVitals[name] = numberOr(told[name], said.webVitals[name]);
    said.domContentLoaded = numberOr(told.domContentLoaded, said.domContentLoaded);
    said.load = numberOr(told.load, said.load);
    if (said.load !== null) said.duration = said.load;
    watched.changed = true;
  };

  return {
    watch: async (context) => {
      try {
        context.on('request', safely(place));
        context.on('requestfinished', safely(onEnd));
        context.on('requestfailed', safely(onEnd));
        context.on('page', (page) => {
          page.on('close', () => {
            leave(page);
          });
        });
        await quietly(context, async () => {
          await context.exposeBinding(BINDING, ({ page, frame }, told: Told) => {
            if (frame === page.mainFrame()) take(page, told);
          });
          await context.addInitScript({ content: TELL });
        });
      } catch {
        // The context was closed in the meantime.
      }
    },
    ask: async (page) => {
      const said = open.get(page)?.said;
      if (!said || (said.load !== null && said.webVitals.FCP !== null && said.webVitals.LCP !== null)) return;
      const asked = quietly(page, () => page.evaluate(ASK))
        .then((told) => {
          take(page, told as Told);
        })
        .catch(() => undefined);
      await Promise.race([asked, wait(ASKING_MS)]);
    },
    flush: async () => {
      if (underWay.size > 0) await Promise.race([Promise.all(underWay), wait(PATIENCE_MS)]);
      for (const watched of open.values()) if (watched.changed) untilNow(watched);
      for (const watched of all) tell(watched);
    },
  };
};

/** Calls the browser without creating a step of the test. */
const quietly = <T,>(client: object, call: () => Promise<T>): Promise<T> =>
  (client as Quiet)._wrapApiCall(call, { internal: true });

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const since = (began: number): number => Math.max(0, Date.now() - began);

const timingOf = (timing: RequestTiming): RequestTiming => ({
  startTime: timing.startTime,
  domainLookupStart: timing.domainLookupStart,
  domainLookupEnd: timing.domainLookupEnd,
  connectStart: timing.connectStart,
  secureConnectionStart: timing.secureConnectionStart,
  connectEnd: timing.connectEnd,
  requestStart: timing.requestStart,
  responseStart: timing.responseStart,
  responseEnd: timing.responseEnd,
});

/** Ignores errors of `look`: the frame or page of a request may be closed, or may not exist before the request ends. */
const safely =
  (look: (request: Request) => unknown) =>
  (request: Request): void => {
    try {
      look(request);
    } catch {
      // The values remain unknown.
    }
  };

const numberOr = <T,>(value: unknown, otherwise: T): number | T =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;

const cut = (url: string): string => url.slice(0, LONGEST_URL);

module.exports = { watchPages } satisfies PagesModule;
