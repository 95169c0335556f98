import type { Outcome } from '../../../../probes/engine/check-type.ts';
import type { ScriptKind } from '../../../../probes/script/protocol.ts';
import type { HostileTargets } from './targets.ts';

/** A hostile script, and what must be true after its run. */
export interface HostileScript {
  type: ScriptKind;
  /** title of the test, such as `a script can't reach private networks` */
  title: string;
  script: string | ((places: HostileTargets) => string);
  /** timeout in seconds; the default suffices for scripts that end on their own */
  timeout?: number;
  secrets?: Record<string, string>;
  parameters?: Record<string, unknown>;
  /** a script that runs concurrently, with a secret of its own ({@link OTHERS_SECRET}) */
  beside?: string;
  expectation: (ran: Ran, places: HostileTargets) => void;
}

/** The result of a hostile script's run. */
export interface Ran {
  outcome: Outcome;
  /** the values that the script reported with `found`, in order */
  found: unknown[];
  /** messages of the script's log, including those of the proxy */
  logs: string[];
  /** the error message; empty if there is none */
  message: string;
  /** everything that users are shown of the result, including its text files */
  text: string;
  /** outcome of the concurrent run; the script's own outcome if there was none */
  beside: Outcome;
}

/** A secret of the service, in its environment. */
export const SERVICE_SECRET = 'a-key-that-only-the-service-has';
/** A secret in the data folder. */
export const DATA_SECRET = 'an-event-that-only-the-service-has';
/** A secret of another check, which runs concurrently. */
export const OTHERS_SECRET = 'a-token-that-only-another-check-has';
/** The response of a server that scripts must not reach. */
export const INNER_SECRET = 'an-answer-that-only-the-service-gets';

/**
 * Returns a script with one test. The test can use `found(…)` to report values, `real(…)` to load modules that scripts
 * may not import, and `attempt(…)` for calls that may throw. `attempt` returns the value, or the code or message of the
 * error.
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

/** Returns a script with one test that uses the page of a browser. */
export const inPage = (body: string): string => inTest(body).replace('({ request })', '({ page, context, browser })');
