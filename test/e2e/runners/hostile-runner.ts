import * as assert from 'uvu/assert';
import { eventsIn } from '../../../runners/remote/event-stream.ts';
import {
  PROTOCOL,
  PROTOCOL_HEADER,
  ROOT,
  type HandedRun,
  type Order,
  type Receipt,
  type Welcome,
} from '../../../runners/remote/protocol.ts';
import type { RunningProgram } from '../program.ts';

/** The service's response to a request of a runner. */
export interface RunnerResponse {
  status: number;
  /** the parsed JSON; null if there is no body, or if the body is not JSON */
  body: unknown;
}

/** A runner whose messages are chosen by the test. */
export interface HostileRunner {
  welcome: Welcome;
  /** the orders received up to now */
  orders: readonly Order[];
  /** Returns the runs that were assigned to the runner up to now. */
  runs: () => HandedRun[];
  /** Sends a report with the given lists, and with valid values for all other fields. */
  report: (lists: object) => Promise<RunnerResponse>;
  /**
   * Sends a report, and asserts that the service accepts or refuses each result individually.
   *
   * @returns the reason of each refusal, null for a stored result; first for `results`, then for `offline`
   */
  reportJudged: (lists: { results?: unknown[]; offline?: unknown[] }) => Promise<(string | null)[]>;
  upload: (
    delivery: string,
    content: Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ) => Promise<RunnerResponse>;
  leave: () => Promise<RunnerResponse>;
  /** Closes the stream of orders, and stops the reports. */
  closeStream: () => void;
}

export const headersOf = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  [PROTOCOL_HEADER]: PROTOCOL.toString(),
});

/** Sends a request to the service's endpoints for runners. */
export const sendTo = async (
  { address }: Pick<RunningProgram, 'address'>,
  token: string,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<RunnerResponse> => {
  const response = await fetch(`${address}${ROOT}${path}`, {
    method,
    headers: { ...headers, ...headersOf(token) },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) as unknown };
  } catch {
    return { status: response.status, body: null };
  }
};

export const messageOf = ({ body }: RunnerResponse): string => (body as { message?: string } | null)?.message ?? '';

/** Returns the body of the request with which a runner connects. */
export const greeting = (instance: string): Record<string, unknown> => ({
  protocol: PROTOCOL,
  release: '0.0.0',
  instance,
  region: null,
  types: ['web', 'multistep'],
  lacking: [],
  capacity: 50,
  clock: Date.now(),
});

export const outcomeWith = (changes: object = {}): object => ({
  status: 'ok',
  reason: null,
  response_time: 12,
  error_message: null,
  check_metadata: {},
  ...changes,
});

export const connectHostile = async (
  service: Pick<RunningProgram, 'address'>,
  token: string,
  instance: string,
): Promise<HostileRunner> => {
  const { status, body } = await sendTo(service, token, 'POST', '/sessions', JSON.stringify(greeting(instance)));
  assert.is(status, 200, JSON.stringify(body));
  const welcome = body as Welcome;
  const path = `/sessions/${welcome.session}`;
  const dropped = new AbortController();
  const stream = await fetch(`${service.address}${ROOT}${path}/work`, {
    headers: headersOf(token),
    signal: dropped.signal,
  });
  assert.is(stream.status, 200);
  const orders: Order[] = [];
  const read = async (): Promise<void> => {
    for await (const text of eventsIn(stream.body as AsyncIterable<Uint8Array>)) orders.push(JSON.parse(text) as Order);
  };
  read().catch(() => undefined);

  const report = (lists: object): Promise<RunnerResponse> => {
    const around = {
      clock: Date.now(),
      clock_offset_ms: 0,
      load: { in_flight: 0, unsent: 0 },
      results: [],
      offline: [],
    };
    return sendTo(service, token, 'POST', `${path}/results`, JSON.stringify({ ...around, ...lists }));
  };
  // The service considers a runner disconnected if it reports nothing for some seconds.
  const beat = setInterval(() => void report({}).catch(() => undefined), welcome.heartbeat_ms).unref();
  return {
    welcome,
    orders,
    runs: () => orders.flatMap((order) => (order.kind === 'run' ? [order.run] : [])),
    report,
    reportJudged: async (lists) => {
      const answer = await report(lists);
      assert.is(answer.status, 200, JSON.stringify(answer.body));
      const { refused } = answer.body as Receipt;
      const of = (list: 'results' | 'offline'): (string | null)[] =>
        (lists[list] ?? []).map(
          (_, at) => refused.find((one) => one.list === list && one.index === at)?.reason ?? null,
        );
      return [...of('results'), ...of('offline')];
    },
    upload: (delivery, content, headers = { 'content-type': 'image/png' }) =>
      sendTo(service, token, 'PUT', `${path}/files/${delivery}`, content, headers),
    leave: () => sendTo(service, token, 'DELETE', path),
    closeStream: () => {
      clearInterval(beat);
      dropped.abort();
    },
  };
};
