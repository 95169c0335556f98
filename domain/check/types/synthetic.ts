import { Type, type Static } from '@sinclair/typebox';
import { defineCheckType } from './check-type.ts';
import { orNull } from './metadata.ts';
import { Logs, SCRIPT_TARGET, ScriptParameters, TestCounts, TestOutcome } from './script.ts';

/** Maximum number of a page's requests that a result keeps (spec.md: Limits). */
const MAX_REQUESTS = 50;

const milliseconds = Type.Number();
const Headers = Type.Record(Type.String(), Type.String());

const DocumentRequest = Type.Object({
  method: Type.String(),
  requestHeaders: Headers,
  responseHeaders: Headers,
  statusCode: orNull(Type.Integer()),
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
});

const Page = Type.Object({
  documentRequest: DocumentRequest,
  duration: milliseconds,
  network: Type.Array(NetworkRequest, { maxItems: MAX_REQUESTS }),
  networkSummary: Type.Object({ count: Type.Integer(), truncated: Type.Boolean() }),
  url: Type.String(),
  webVitals: Type.Object({ FCP: orNull(milliseconds), LCP: orNull(milliseconds), TTFB: orNull(milliseconds) }),
});

/** `check_metadata` of synthetic results, in the format of checks created since 9 July 2025: no check here is older. */
export const SyntheticMetadata = Type.Object({
  /** milliseconds */
  execution_time: Type.Number(),
  logs: Logs,
  pages: Type.Array(Page),
  response_version: Type.Literal(2),
  test_results: Type.Array(
    Type.Object({
      ...TestOutcome,
      steps: Type.Array(Type.Unknown()),
      browser_metadata: Type.Object({
        browser: Type.String(),
        screenshots: Type.Array(Type.Object({ contentType: Type.String(), name: Type.String(), url: Type.String() })),
        videos: Type.Array(Type.Unknown()),
      }),
    }),
  ),
  test_summary: Type.Object(TestCounts),
});
export type SyntheticMetadata = Static<typeof SyntheticMetadata>;

export const synthetic = defineCheckType({
  name: 'synthetic',
  target: SCRIPT_TARGET,
  parameters: ScriptParameters,
  requiredParameters: ['pw_script'],
  metadata: SyntheticMetadata,
  credits: 10,
  ownQueue: true,
  tools: ['chromium'],
  maxTimeout: 120,
});
