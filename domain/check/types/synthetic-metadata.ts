import { Type, type Static } from '@sinclair/typebox';
import { orNull } from './metadata.ts';
import { Logs, ResultFile, ScriptNotes, TestCounts, TestOutcome, TestStep } from './script.ts';

/** Maximum number of requests of a page in a result (docs/reference/scripts.md#limits-of-a-run). */
const MAX_REQUESTS = 50;

const milliseconds = Type.Number();
const Headers = Type.Record(Type.String(), Type.String());

const DocumentRequest = Type.Object({
  method: Type.String(),
  requestHeaders: Headers,
  responseHeaders: Headers,
  /** null without a response */
  statusCode: orNull(Type.Integer()),
  /**
   * `startTime` is a time since 1970. The other times are relative to `startTime`, or -1 if the phase did not happen.
   */
  timing: Type.Object({
    connectEnd: milliseconds,
    connectStart: milliseconds,
    domainLookupEnd: milliseconds,
    domainLookupStart: milliseconds,
    requestStart: milliseconds,
    responseEnd: milliseconds,
    responseStart: milliseconds,
    secureConnectionStart: milliseconds,
    startTime: milliseconds,
  }),
  url: Type.String(),
});

const NetworkRequest = Type.Object({
  method: Type.String(),
  requestHeaders: Headers,
  resourceType: Type.String(),
  responseHeaders: Headers,
  statusCode: orNull(Type.Integer()),
  time: milliseconds,
  url: Type.String(),
  /** since the start of the document request; shown in the legacy format only */
  start: Type.Optional(milliseconds),
  /** size of the response in bytes; shown in the legacy format only */
  size: Type.Optional(orNull(Type.Number())),
});

const Page = Type.Object({
  /** null if the script set the content of the page instead of loading it */
  documentRequest: orNull(DocumentRequest),
  duration: milliseconds,
  network: Type.Array(NetworkRequest, { maxItems: MAX_REQUESTS }),
  networkSummary: Type.Object({ count: Type.Integer(), truncated: Type.Boolean() }),
  url: Type.String(),
  webVitals: Type.Object({ FCP: orNull(milliseconds), LCP: orNull(milliseconds), TTFB: orNull(milliseconds) }),
  /** since the start of the document request; shown in the legacy format only */
  domContentLoaded: Type.Optional(orNull(milliseconds)),
  /** since the start of the document request; shown in the legacy format only */
  load: Type.Optional(orNull(milliseconds)),
});

/**
 * The stored `check_metadata` of synthetic results. It contains the fields of the current format, and a few additional
 * ones for the legacy format (synthetic-formats.ts).
 */
export const SyntheticMetadata = Type.Object({
  /** milliseconds */
  execution_time: Type.Number(),
  logs: Logs,
  pages: Type.Array(Page),
  response_version: Type.Literal(2),
  test_results: Type.Array(
    Type.Object({
      ...TestOutcome,
      steps: Type.Array(TestStep),
      browser_metadata: Type.Object({
        /** name and version of the browser */
        browser: Type.String(),
        screenshots: Type.Array(ResultFile),
        videos: Type.Array(ResultFile),
      }),
    }),
  ),
  test_summary: Type.Object(TestCounts),
  ...ScriptNotes,
});
export type SyntheticMetadata = Static<typeof SyntheticMetadata>;
