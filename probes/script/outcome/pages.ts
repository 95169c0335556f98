import { MASKED_TEXT } from '../../../domain/masking.ts';
import type { SyntheticMetadata } from '../../../domain/check/types/synthetic-metadata.ts';
import { isNeverStored } from '../../engine/credential-headers.ts';
import type { PageRecord, PageRequest } from '../protocol.ts';
import { rounded } from './steps.ts';
import type { ShowText } from './texts.ts';

type Page = SyntheticMetadata['pages'][number];

/** Maximum number of requests of a page in a result (docs/reference/scripts.md#limits-of-a-run). */
const MOST_REQUESTS = 50;
/** Maximum number of headers per request, as for web checks (probes/web/headers.ts). */
const MOST_HEADERS = 64;
const LONGEST_HEADER = 512;
const ALL_HEADERS = 8_192;
/** Maximum number of characters of headers in all pages. This is more than a result can contain. */
const HEADERS_OF_RUN = 1_000_000;
const LONGEST_URL = 2_048;
const LONGEST_WORD = 40;

/** Converts the pages of a run for its result. Omits pages that loaded nothing, such as `about:blank`. */
export const pagesOf = (said: readonly PageRecord[], shown: ShowText): { pages: Page[]; cut: boolean } => {
  const loaded = said.filter(({ documentRequest, requests }) => documentRequest !== null || requests > 0);
  const headers = createHeaders(shown);
  return { pages: loaded.map((page) => pageOf(page, headers, shown)), cut: headers.areCut() };
};

type HeadersOfRun = ReturnType<typeof createHeaders>;

const pageOf = (page: PageRecord, headers: HeadersOfRun, shown: ShowText): Page => {
  const { documentRequest: document, network, requests, webVitals } = page;
  const kept = network.slice(0, MOST_REQUESTS);
  return {
    documentRequest: document && {
      method: shown(document.method, LONGEST_WORD),
      requestHeaders: headers.always(document.requestHeaders),
      responseHeaders: headers.always(document.responseHeaders),
      statusCode: document.statusCode,
      timing: {
        connectEnd: rounded(document.timing.connectEnd),
        connectStart: rounded(document.timing.connectStart),
        domainLookupEnd: rounded(document.timing.domainLookupEnd),
        domainLookupStart: rounded(document.timing.domainLookupStart),
        requestStart: rounded(document.timing.requestStart),
        responseEnd: rounded(document.timing.responseEnd),
        responseStart: rounded(document.timing.responseStart),
        secureConnectionStart: rounded(document.timing.secureConnectionStart),
        startTime: rounded(document.timing.startTime),
      },
      url: shown(document.url, LONGEST_URL),
    },
    duration: rounded(page.duration),
    network: kept.map((request) => requestOf(request, headers, shown)),
    networkSummary: { count: Math.max(requests, network.length), truncated: requests > kept.length },
    url: shown(page.url, LONGEST_URL),
    webVitals: { FCP: measured(webVitals.FCP), LCP: measured(webVitals.LCP), TTFB: measured(webVitals.TTFB) },
    domContentLoaded: measured(page.domContentLoaded),
    load: measured(page.load),
  };
};

const measured = (milliseconds: number | null): number | null => milliseconds && rounded(milliseconds);

const requestOf = (request: PageRequest, headers: HeadersOfRun, shown: ShowText): Page['network'][number] => ({
  method: shown(request.method, LONGEST_WORD),
  requestHeaders: headers.whileRoom(request.requestHeaders),
  resourceType: shown(request.resourceType, LONGEST_WORD),
  responseHeaders: headers.whileRoom(request.responseHeaders),
  statusCode: request.statusCode,
  time: rounded(request.time),
  url: shown(request.url, LONGEST_URL),
  start: rounded(request.start),
  size: request.size,
});

const createHeaders = (shown: ShowText) => {
  let room = HEADERS_OF_RUN;
  return {
    always: (headers: Readonly<Record<string, string>>) => headersOf(headers, shown),
    whileRoom: (headers: Readonly<Record<string, string>>): Record<string, string> => {
      if (room <= 0) return {};
      const stored = headersOf(headers, shown);
      for (const [name, value] of Object.entries(stored)) room -= name.length + value.length;
      return stored;
    },
    areCut: (): boolean => room <= 0,
  };
};

/**
 * Returns the headers to store in a result. Masks credentials and secrets, also in the names of headers. Shortens long
 * values and long lists.
 */
const headersOf = (headers: Readonly<Record<string, string>>, shown: ShowText): Record<string, string> => {
  const stored: [string, string][] = [];
  let total = 0;
  for (const [given, value] of Object.entries(headers).slice(0, MOST_HEADERS)) {
    const name = shown(given, LONGEST_HEADER);
    const text = isNeverStored(given) ? MASKED_TEXT : shown(value, LONGEST_HEADER);
    total += name.length + text.length;
    if (total > ALL_HEADERS) break;
    stored.push([name, text]);
  }
  return Object.fromEntries(stored);
};
