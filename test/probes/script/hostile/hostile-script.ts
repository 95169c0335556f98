import type { Outcome } from '../../../../probes/engine/check-type.ts';
import type { ScriptKind } from '../../../../probes/script/protocol.ts';
import type { HostileTargets } from './targets.ts';

/** A hostile script with its expectation: a script that `tries` this `doesNotGet` that. */
export interface HostileScript {
  type: ScriptKind;
  /** continues `a script that`: `reads /etc/shadow` */
  tries: string;
  /** continues `does not get`: `a line of it` */
  doesNotGet: string;
  script: string | ((places: HostileTargets) => string);
  /** seconds; the default suffices for scripts that end themselves */
  timeout?: number;
  secrets?: Record<string, string>;
  parameters?: Record<string, unknown>;
  /** a concurrent run with its own secret ({@link OTHERS_SECRET}) */
  beside?: string;
  expectation: (ran: Ran, places: HostileTargets) => void;
}

/** What came of a run. */
export interface Ran {
  outcome: Outcome;
  /** what the script reported with `found`, in order */
  found: unknown[];
  /** messages of its logs, including the proxy's */
  logs: string[];
  /** the error message; empty: none */
  message: string;
  /** all that a person is shown of it, and the files that are text */
  text: string;
  /** of the run at the same time; itself where there was none */
  beside: Outcome;
}

/** The service's own, in its environment. */
export const SERVICE_SECRET = 'a-key-that-only-the-service-has';
/** In the data folder. */
export const DATA_SECRET = 'an-event-that-only-the-service-has';
/** Of another check, whose run is under way at the same time. */
export const OTHERS_SECRET = 'a-token-that-only-another-check-has';
/** The response of a server that must not be reachable. */
export const INNER_SECRET = 'an-answer-that-only-the-service-gets';

/**
 * A script with one test. It has `found(…)` to report results, `real(…)` for Node.js modules that scripts may not
 * import, and `attempt(…)` for calls that may throw: it returns the value, the error's code, or its message.
 */
export const inTest = (body: string): string => `
const { test, expect } = require('@playwright/test');
const fs = require('node:fs');
const real = (name) => process.getBuiltinModule(name);
const found = (...what) => { for (const one of what) console.log('found ' + JSON.stringify(one ?? null)); };
const attempt = async (doing) => { try { return await doing(); } catch (error) { return error.code ?? error.cause?.message ?? error.message; } };
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
test('hostile', async ({ request }) => {
${body}
});`;

/** The same with a browser's page. */
export const inPage = (body: string): string => inTest(body).replace('({ request })', '({ page, context, browser })');
