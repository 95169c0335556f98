/**
 * Looks at what the pages of a browser load, without ever holding up or breaking a script: whatever goes wrong in here
 * is missing from the record, and nothing else.
 */
import type { Said, SaidPage, SaidRequest } from '../protocol.ts' with { 'resolution-mode': 'import' };
type Context = import('playwright-core').BrowserContext;
type Page = import('playwright-core').Page;
type Request = import('playwright-core').Request;

/** What `require('./pages.cjs')` gives. */
export interface PagesModule {
  watchPages: (say: (said: Said) => void, currentTest: () => number) => WatchedPages;
}

export interface WatchedPages {
  /** Looks at the pages of a new context, those to come included. */
  watch: (context: Context) => Promise<void>;
  /** Says what is known of all pages that have changed since, after a short wait for what is under way. */
  flush: () => Promise<void>;
}

const MOST_PAGES = 20;
const MOST_REQUESTS = 50;
const LONGEST_HEADER = 4_096;
const MOST_HEADERS = 100;
const LONGEST_URL = 2_048;
/** How long answers of the browser that are under way are waited for, milliseconds. */
const PATIENCE_MS = 250;

const BINDING = '__uptrail_page_vitals__';

/** What a page tells of itself. */
interface Told {
  FCP?: number;
  LCP?: number;
  TTFB?: number;
  domContentLoaded?: number;
  load?: number;
}

/** Runs in every document of a page, before anything of its own. */
const MEASURE = `(() => {
  const tell = globalThis[${JSON.stringify(BINDING)}];
  if (typeof tell !== 'function' || globalThis !== globalThis.top) return;
  try { delete globalThis[${JSON.stringify(BINDING)}]; } catch {}
  const known = {};
  const say = () => { try { void tell(known); } catch {} };
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
  };
  addEventListener('DOMContentLoaded', () => { navigation(); say(); });
  addEventListener('load', () => { setTimeout(() => { navigation(); say(); }, 0); });
})();`;

interface Watched {
  number: number;
  said: SaidPage;
  /** when its document was asked for, milliseconds since 1970 */
  began: number;
  changed: boolean;
}

const watchPages = (say: (said: Said) => void, currentTest: () => number): WatchedPages => {
  let count = 0;
  const open = new Map<Page, Watched>();
  const all: Watched[] = [];
  const requests = new WeakMap<Request, { watched: Watched; said: SaidRequest; began: number }>();
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
    if (watched.said.load === null) {
      watched.said.duration = Date.now() - watched.began;
      watched.changed = true;
    }
    tell(watched);
  };

  /** A document begins to load in a page. */
  const arrive = (page: Page, request: Request): Watched | null => {
    leave(page);
    if (count >= MOST_PAGES) return null;
    const watched: Watched = {
      number: count++,
      began: Date.now(),
      changed: true,
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

  const onRequest =
    (page: Page) =>
    (request: Request): void => {
      const isDocument = request.isNavigationRequest() && request.frame() === page.mainFrame();
      const watched = isDocument && request.redirectedFrom() === null ? arrive(page, request) : open.get(page);
      if (!watched) return;
      watched.said.requests += 1;
      watched.changed = true;
      if (watched.said.network.length >= MOST_REQUESTS) return;
      const began = Date.now();
      const said: SaidRequest = {
        method: request.method(),
        url: cut(request.url()),
        resourceType: request.resourceType(),
        requestHeaders: headersOf(request.headers()),
        responseHeaders: {},
        statusCode: null,
        time: 0,
        start: began - watched.began,
        size: null,
      };
      watched.said.network.push(said);
      requests.set(request, { watched, said, began });
    };

  const onEnd =
    (page: Page) =>
    (request: Request): void => {
      const known = requests.get(request);
      if (!known) return;
      const { watched, said, began } = known;
      const timing = request.timing();
      said.time = timing.responseEnd > 0 ? timing.responseEnd : Date.now() - began;
      watched.changed = true;
      later(
        (async () => {
          const response = await request.response();
          if (!response) return;
          said.statusCode = response.status();
          said.responseHeaders = headersOf(response.headers());
          if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
            watched.said.url = cut(request.url());
            watched.said.documentRequest = {
              ...said,
              timing: {
                startTime: timing.startTime,
                domainLookupStart: timing.domainLookupStart,
                domainLookupEnd: timing.domainLookupEnd,
                connectStart: timing.connectStart,
                secureConnectionStart: timing.secureConnectionStart,
                connectEnd: timing.connectEnd,
                requestStart: timing.requestStart,
                responseStart: timing.responseStart,
                responseEnd: timing.responseEnd,
              },
            };
          }
          watched.changed = true;
          const { responseBodySize } = await request.sizes();
          said.size = responseBodySize;
          if (watched.said.documentRequest?.url === said.url) watched.said.documentRequest.size = responseBodySize;
          watched.changed = true;
        })(),
      );
    };

  const take = (page: Page, told: Told): void => {
    const watched = open.get(page);
    if (!watched) return;
    const { said } = watched;
    for (const name of ['FCP', 'LCP', 'TTFB'] as const)
      said.webVitals[name] = numberOr(told[name], said.webVitals[name]);
    said.domContentLoaded = numberOr(told.domContentLoaded, said.domContentLoaded);
    said.load = numberOr(told.load, said.load);
    if (said.load !== null) said.duration = said.load;
    watched.changed = true;
  };

  const watchPage = (page: Page): void => {
    page.on('request', safely(onRequest(page)));
    page.on('requestfinished', safely(onEnd(page)));
    page.on('requestfailed', safely(onEnd(page)));
    page.on('close', () => {
      leave(page);
    });
  };

  return {
    watch: async (context) => {
      try {
        context.on('page', watchPage);
        await context.exposeBinding(BINDING, ({ page, frame }, told: Told) => {
          if (frame === page.mainFrame()) take(page, told);
        });
        await context.addInitScript({ content: MEASURE });
      } catch {
        // It was closed meanwhile.
      }
    },
    flush: async () => {
      const waited = new Promise((done) => setTimeout(done, PATIENCE_MS));
      await Promise.race([Promise.all(underWay), waited]);
      for (const watched of all) {
        if (watched.said.load === null)
          watched.said.duration = Math.max(watched.said.duration, Date.now() - watched.began);
        tell(watched);
      }
    },
  };
};

const safely =
  (look: (request: Request) => void) =>
  (request: Request): void => {
    try {
      look(request);
    } catch {
      // A frame or page that is gone.
    }
  };

const numberOr = (value: unknown, otherwise: number | null): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;

const cut = (url: string): string => url.slice(0, LONGEST_URL);

const headersOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, MOST_HEADERS)
      .map(([name, value]) => [name.slice(0, LONGEST_HEADER), value.slice(0, LONGEST_HEADER)]),
  );

module.exports = { watchPages } satisfies PagesModule;
