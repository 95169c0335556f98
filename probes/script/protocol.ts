/**
 * The protocol between the program in a sandbox and the outer process, over one stream (inside, file descriptor {@link
 * CONTROL_FD}). The script can forge everything that the sandbox sends, so the outer process treats messages as hostile
 * input (probes/script/reading/), and applies them to this run only.
 *
 * A frame consists of three parts. The first is the number of bytes that follow (4 bytes, big-endian). The second is
 * the kind (1 byte: `J` or `B`). The third is the content: a message as JSON in UTF-8 (`J`), or bytes of the file that
 * the previous message has announced (`B`).
 */
export const CONTROL_FD = 3;

/** Maximum size of a frame, in bytes. */
export const MAX_FRAME = 1_048_576;

/** The check types that run scripts. */
export type ScriptKind = 'multistep' | 'synthetic';

/** The first message to a sandbox. It makes the program warm up. All paths are paths inside the sandbox. */
export interface BootMessage {
  type: 'boot';
  kind: ScriptKind;
  /** path of the proxy's socket; all connections use this proxy */
  proxySocket: string;
  /** folder for the files of the script; it is writable and empty */
  folder: string;
  /** folder whose `node_modules` contains the packages that a script may import */
  modules: string;
  /** path of the browser; null for multistep */
  chromium: string | null;
  /** path of ffmpeg, which records videos; null if not installed */
  ffmpeg: string | null;
  /** path of a file with certificates (PEM) that are trusted in addition to the default ones */
  extraCertificates: string | null;
}

/** The second and final message to a sandbox. */
export interface BeginMessage {
  type: 'begin';
  script: string;
  /** the values of the check's secrets, by environment variable */
  environment: Record<string, string>;
  /** time until the outer process kills the run, in milliseconds */
  timeout: number;
  recordVideo: boolean;
  /** the URL of the check, to which `page.goto('/path')` is relative */
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

/** An error as Playwright reports it. The outer process removes colours and stacks. */
export interface ScriptError {
  message: string;
  /** line of the script, counted from 1 */
  line: number | null;
  column: number | null;
}

/**
 * Messages from a sandbox. `test` is the number of a test, and `step` is the number of a step within its test; both
 * begin at 0.
 */
export type SandboxMessage =
  /** the sandbox is warm, and waits for {@link BeginMessage} */
  | { type: 'ready'; browser: string | null }
  | LogMessage
  /** a test has begun; `titles` lead from the outermost `describe` to the test itself */
  | { type: 'testBegin'; test: number; titles: string[]; line: number }
  /** a step has begun; `parent` is the enclosing step, or null for top-level steps */
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
  /** a step has ended; `duration` is in milliseconds */
  | { type: 'stepEnd'; test: number; step: number; duration: number; error: ScriptError | null }
  | {
      type: 'testEnd';
      test: number;
      /** `passed` if the test ended as expected, which includes a `test.fail` that failed */
      status: 'passed' | 'failed' | 'timedOut' | 'skipped' | 'interrupted';
      /** in milliseconds */
      duration: number;
      errors: ScriptError[];
      /** errors of `expect.soft`, which `errors` also contains */
      softErrors: ScriptError[];
    }
  /** what is known about a page so far; a later message with the same `page` replaces this one */
  | ({ type: 'page'; page: number } & PageRecord)
  /** announces a file, whose bytes follow in `B` frames */
  | {
      type: 'file';
      /** null if the file belongs to no test */
      test: number | null;
      role: 'screenshot' | 'video';
      name: string;
      contentType: string;
      size: number;
    }
  /** the script failed to compile or load, or failed outside of its tests */
  | { type: 'fatal'; error: ScriptError; compiling: boolean }
  /** the final message; `tests` is the number of tests in the script */
  | { type: 'done'; tests: number };

/**
 * Times of a request. `startTime` is in milliseconds since 1970, the others are in milliseconds since `startTime`. A
 * time is -1 if its event did not happen.
 */
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
  /** null if there was no response */
  statusCode: number | null;
  /** duration, in milliseconds */
  time: number;
  /** start, in milliseconds since the page's document was requested */
  start: number;
  /** size of the body before decompression, in bytes; null if unknown */
  size: number | null;
}

export interface PageRecord {
  /** number of the test that opened the page */
  test: number;
  url: string;
  /** milliseconds from the request for the document until the page had loaded or was left */
  duration: number;
  /** the request for the document; null if the page was opened without a request, as for `about:blank` */
  documentRequest: (PageRequest & { timing: RequestTiming }) | null;
  /** the first 50 requests, including that for the document */
  network: PageRequest[];
  /** number of all requests */
  requests: number;
  /** in milliseconds; null if not measured */
  webVitals: { FCP: number | null; LCP: number | null; TTFB: number | null };
  /** milliseconds since the document was requested; null if the event did not happen */
  domContentLoaded: number | null;
  /** milliseconds since the document was requested; null if the event did not happen */
  load: number | null;
}
