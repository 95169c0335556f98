import { execFile } from 'node:child_process';
import type { EchoMetadata, EchoParameters } from '../../domain/check/types/echo.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import { allowedAddresses } from '../../network/open-connection.ts';
import type { Outcome, RunContext, RunnableCheck } from '../engine/check-type.ts';
import { timeoutFailure } from '../engine/connection-failure.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import { withTimeout } from '../engine/with-timeout.ts';

/** Sends a text to an echo server with the program `echoer`, and checks that the server returns the same text. */
export const runEcho = (check: RunnableCheck, context: RunContext): Promise<Outcome> => {
  const { text = '' } = check.parameters as EchoParameters;
  const host = check.host ?? '';
  const port = check.port ?? 0;
  const began = context.clock.monotonic();

  const outcome = (failure: ProbeFailure | null, echoed: boolean | null): Outcome => {
    const check_metadata: EchoMetadata = { host, port, echoed };
    return {
      status: failure?.status ?? 'ok',
      reason: failure?.reason ?? null,
      response_time: echoed === null ? null : Math.round(context.clock.monotonic() - began),
      error_message: failure?.message ?? null,
      check_metadata,
    };
  };

  const attempt = async (limited: RunContext): Promise<Outcome> => {
    const [{ address }] = await allowedAddresses(host, port, limited);
    const output = await echoOf(text, [address, port.toString()], limited.signal);
    const same = output === text;
    return outcome(same ? null : new ProbeFailure('failed', 'content', 'The server returned a different text.'), same);
  };

  return withTimeout(check.timeout, context, attempt, {
    timedOut: () => timeoutFailure(check.timeout, 'first_byte', host, 0),
    outcome: (failure) => outcome(failure, null),
  });
};

const echoOf = (text: string, target: readonly string[], signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile('echoer', target, { signal }, (error, stdout) => {
      if (!error) resolve(stdout);
      else if (signal.aborted) reject(signal.reason as Error);
      else reject(new LocalFailure('The program echoer failed.', { cause: error }));
    });
    child.stdin?.on('error', () => undefined).end(text);
  });
