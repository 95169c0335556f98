/**
 * The protocol between a script's run inside its sandbox and the outer process, over one stream (file descriptor {@link
 * CONTROL_FD} inside). The script can forge everything that the sandbox sends, so the outer process reads it as hostile
 * input (probes/script/record.ts), and applies it to that run only.
 *
 * A frame consists of a length (4 bytes, big-endian, of the rest), a kind (1 byte: `J` or `B`), and its content: a
 * message as JSON in UTF-8, or bytes of the file announced last.
 */
export const CONTROL_FD = 3;

/** Maximum size of a frame, bytes. */
export const MAX_FRAME = 1_048_576;

/** The check types that run scripts. */
export type ScriptKind = 'multistep' | 'synthetic';

/** The first message to a sandbox, which makes it warm up. All paths are as seen inside. */
export interface BootMessage {
  type: 'boot';
  kind: ScriptKind;
  /** socket of the proxy through which all connections go */
  proxySocket: string;
  /** writable, empty: the folder for the script's files */
  folder: string;
  /** folder with the `node_modules` that a script may import from */
  modules: string;
  /** the browser; null for multistep */
  chromium: string | null;
  /** records videos; null if not installed */
  ffmpeg: string | null;
  /** file of certificates (PEM) that are trusted besides the default ones */
  extraCertificates: string | null;
}

/** The second and last message to a sandbox. */
export interface BeginMessage {
  type: 'begin';
  script: string;
  /** the values of the check's secrets by environment variable */
  environment: Record<string, string>;
  /** milliseconds until the outer process kills the run */
  timeout: number;
  recordVideo: boolean;
  /** the check's URL, the base of `page.goto('/path')` */
  url: string | null;
}

/** Output of the script, with the levels of `console`: `log`, `info`, `warn`, `error`, `debug`. */
export interface LogMessage {
  type: 'log';
  level: string;
  message: string;
  /** ISO 8601 */
  timestamp: string;
}

/** An error as Playwright reports it; the outer process removes colours and stacks. */
export interface ScriptError {
  message: string;
  /** in the script; from 1 */
  line: number | null;
  column: number | null;
}

/** Messages from a sandbox. `test` numbers the tests from 0, `step` the steps of each test from 0. */
export type SandboxMessage =
  /** the sandbox is warm, and waits for {@link BeginMessage} */
  | { type: 'ready'; browser: string | null }
  | LogMessage
  /** titles from the outermost `describe` to the test itself */
  | { type: 'testBegin'; test: number; titles: string[]; line: number }
  /** `parent`: the enclosing step; null for top-level steps */
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
  | { type: 'stepEnd'; test: number; step: number; duration: number; error: ScriptError | null }
  | {
      type: 'testEnd';
      test: number;
      /** `passed`: as expected, which includes the failure of a `test.fail`; `failed`: otherwise */
      status: 'passed' | 'failed' | 'timedOut' | 'skipped' | 'interrupted';
      /** milliseconds */
      duration: number;
      errors: ScriptError[];
      /** errors of `expect.soft`, which `errors` also contains */
      softErrors: ScriptError[];
    }
  /** a page that was opened or navigated, as far as known; a later message with the same number replaces it */
  | ({ type: 'page'; page: number } & PageRecord)
  /** its bytes follow in `B` frames */
  | {
      type: 'file';
      /** null: belongs to no test */
      test: number | null;
      role: 'screenshot' | 'video';
      name: string;
      contentType: string;
      size: number;
    }
  /** the script failed to compile or load, or failed outside of its tests */
  | { type: 'fatal'; error: ScriptError; compiling: boolean }
  /** everything was sent; `tests`: number of tests in the script */
  | { type: 'done'; tests: number };

/** Times of a request: milliseconds since 1970 for `startTime`, otherwise since `startTime`; -1: it did not happen. */
export interface RequestTiming {
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

export interface PageRequest {
  method: string;
  url: string;
  resourceType: string;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
  /** null: no response */
  statusCode: number | null;
  /** milliseconds from its start to its end */
  time: number;
  /** milliseconds from the start of the page's document */
  start: number;
  /** size of the body before decompression, bytes; null if unknown */
  size: number | null;
}

export interface PageRecord {
  /** the test that opened it */
  test: number;
  url: string;
  /** milliseconds from the document's request until the page had loaded, or was left */
  duration: number;
  /** null: none, as for `about:blank` */
  documentRequest: (PageRequest & { timing: RequestTiming }) | null;
  /** the first 50 requests, including the document's */
  network: PageRequest[];
  /** number of all requests */
  requests: number;
  /** milliseconds; null: not measured */
  webVitals: { FCP: number | null; LCP: number | null; TTFB: number | null };
  /** milliseconds from the document's start; null: it did not happen */
  domContentLoaded: number | null;
  load: number | null;
}
