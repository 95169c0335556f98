/**
 * What is said between a run of a script inside its sandbox and the process outside, over one stream (file descriptor
 * {@link CONTROL_FD} inside). Everything that comes out may be made up by the script: it is read as hostile input
 * (record/reading.ts), and says something about that run only.
 *
 * A frame is a length (4 bytes, big-endian, of what follows), a kind (1 byte: `J` or `B`), and its content: a message as
 * JSON in UTF-8, or bytes of the file that was announced last.
 */
export const CONTROL_FD = 3;

/** Longest frame, bytes. */
export const MAX_FRAME = 1_048_576;

/** The check types that run scripts. */
export type ScriptKind = 'multistep' | 'synthetic';

/** The first message in, to a sandbox that is warming up. All paths are as seen inside. */
export interface Boot {
  type: 'boot';
  kind: ScriptKind;
  /** socket of the proxy that judges every connection */
  proxySocket: string;
  /** writable, empty: where the script's files are */
  folder: string;
  /** folder that has the `node_modules` that a script may import from */
  modules: string;
  /** the browser; null for multistep */
  chromium: string | null;
  /** records videos; null where there is none */
  ffmpeg: string | null;
  /** file of certificates (PEM) that are trusted besides the usual ones */
  extraCertificates: string | null;
}

/** The second and last message in. */
export interface Begin {
  type: 'begin';
  script: string;
  /** the values of the check's secrets by environment variable */
  environment: Record<string, string>;
  /** milliseconds until the run is killed from outside */
  timeout: number;
  recordVideo: boolean;
  /** the check's own URL, which `page.goto('/path')` is relative to */
  url: string | null;
}

/** Output of the script; levels are those of `console`: `log`, `info`, `warn`, `error`, `debug`. */
export interface SaidLog {
  type: 'log';
  level: string;
  message: string;
  /** ISO 8601 */
  timestamp: string;
}

/** An error as Playwright tells it; colours and stacks are taken off outside. */
export interface SaidError {
  message: string;
  /** of the script; from 1 */
  line: number | null;
  column: number | null;
}

/** Messages out. Tests are told apart by `test`, which counts from 0, their steps by `step`, also from 0 in each test. */
export type Said =
  /** it is warm, and waits for {@link Begin} */
  | { type: 'ready'; browser: string | null }
  | SaidLog
  /** titles from the outermost `describe` to the test itself */
  | { type: 'testBegin'; test: number; titles: string[]; line: number }
  /** `parent`: the step that it is a part of; null for those of the test itself */
  | {
      type: 'stepBegin';
      test: number;
      step: number;
      parent: number | null;
      /** `test.step`, `pw:api`, `expect`, `hook`, `fixture` */
      category: string;
      name: string;
      line: number | null;
    }
  /** milliseconds */
  | { type: 'stepEnd'; test: number; step: number; duration: number; error: SaidError | null }
  | {
      type: 'testEnd';
      test: number;
      /** as expected (`test.fail` included), or not */
      status: 'passed' | 'failed' | 'timedOut' | 'skipped' | 'interrupted';
      /** milliseconds */
      duration: number;
      errors: SaidError[];
      /** those of `expect.soft`, which are among `errors` too */
      softErrors: SaidError[];
    }
  /** a page that was opened or navigated, as far as it is known: a later one with the same number replaces it */
  | ({ type: 'page'; page: number } & SaidPage)
  /** its bytes follow in frames `B` */
  | {
      type: 'file';
      /** null: of no test */
      test: number | null;
      role: 'screenshot' | 'video';
      name: string;
      contentType: string;
      size: number;
    }
  /** it could not be compiled or loaded, or broke outside of its tests */
  | { type: 'fatal'; error: SaidError; compiling: boolean }
  /** everything was said; `tests`: how many the script has */
  | { type: 'done'; tests: number };

/** When something happened on the way of a request: milliseconds since 1970 for `startTime`, otherwise since it; -1: it did not. */
export interface SaidTiming {
  startTime: number;
  domainLookupStart: number;
  domainLookupEnd: number;
  connectStart: number;
  secureConnectionStart: number;
  connectEnd: number;
  requestStart: number;
  responseStart: number;
  responseEnd: number;
}

export interface SaidRequest {
  method: string;
  url: string;
  resourceType: string;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
  /** null: no answer came */
  statusCode: number | null;
  /** milliseconds from its start to its end */
  time: number;
  /** milliseconds from the start of the page's document */
  start: number;
  /** bytes of the body as they were sent; null if unknown */
  size: number | null;
}

export interface SaidPage {
  /** the test that opened it */
  test: number;
  url: string;
  /** milliseconds from the document's request until the page had loaded, or was left before */
  duration: number;
  /** null: it has none, such as `about:blank` */
  documentRequest: (SaidRequest & { timing: SaidTiming }) | null;
  /** the first 50 requests, that of the document included */
  network: SaidRequest[];
  /** all requests */
  requests: number;
  /** milliseconds; null: not measured */
  webVitals: { FCP: number | null; LCP: number | null; TTFB: number | null };
  /** milliseconds from the document's start; null: it did not happen */
  domContentLoaded: number | null;
  load: number | null;
}
