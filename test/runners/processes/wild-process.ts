/**
 * A probe process that crashes, hangs or is harmed in another way by its checks. The path of a check's URL selects the
 * harm.
 */
import { RunAborted, type Outcome, type Run } from '../../../probes/engine/check-type.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { serveProbes } from '../../../runners/processes/serve.ts';
import { eventually, realPause } from '../../waiting.ts';

const found = (check_metadata: Record<string, unknown>): Outcome => ({
  status: 'ok',
  reason: null,
  response_time: 1,
  error_message: null,
  check_metadata,
});

const deeds: Record<string, Run> = {
  well: async () => found({ pid: process.pid }),
  slowly: async () => {
    await realPause(300, 'a run that takes a while');
    return found({ pid: process.pid });
  },
  environment: async () => found({ ...process.env }),
  policy: async (_, { policy, trust }) => found({ refusal: policy.refusal('127.0.0.1', null), trust }),
  'policy-before-and-after': async (_, { policy }) => {
    const before = policy.refusal('8.8.8.8', 443);
    await eventually(() => policy.refusal('8.8.8.8', 443) !== before);
    return found({ before, after: policy.refusal('8.8.8.8', 443), ports: policy.reservedPorts('8.8.8.8') });
  },
  abort: async () => process.abort(),
  throw: async () => {
    setImmediate(() => {
      throw new Error('Nothing expected this.');
    });
    return new Promise(() => undefined);
  },
  loop: async () => {
    for (;;);
  },
  gigabyte: async () => {
    const stored: Buffer[] = [];
    for (;;) {
      stored.push(Buffer.alloc(16 * 1_024 * 1_024, stored.length));
      await realPause(5, 'the memory watch must be able to see it grow');
    }
  },
  never: async () => new Promise(() => undefined),
  wait: async (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new RunAborted());
      });
    }),
  trouble: async () => {
    throw new LocalFailure('The runner has no more sockets.');
  },
};

const web: Run = (check, context) => {
  const { pathname } = new URL(check.url ?? '');
  const deed = deeds[pathname.slice(1)];
  if (!deed) throw new LocalFailure(`The deed ${pathname} does not exist.`);
  return deed(check, context);
};

serveProbes(async () => ({
  runs: new Map([
    ['web', web],
    ['portscan', web],
  ]),
}));
