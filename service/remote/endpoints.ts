import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { isCheckType } from '../../domain/check/types/index.ts';
import type { PreparedResponse } from '../../http/response.ts';
import type { Endpoint } from '../../http/app.ts';
import { readBody } from '../../http/body.ts';
import { networkOf } from '../../http/client-address.ts';
import { HttpError, methodNotAllowed } from '../../http/errors.ts';
import { JSON_BODY } from '../../http/media/body-types.ts';
import { parseJson, type ParsedBody } from '../../http/media/json-body.ts';
import { EVENT_STREAM } from '../../http/media/media-types.ts';
import type { RateLimit, RefusalLimit } from '../../http/rate-limit.ts';
import {
  OLDEST_PROTOCOL,
  PROTOCOL,
  PROTOCOL_HEADER,
  ROOT,
  type Receipt,
  type Report,
  type Welcome,
} from '../../runners/remote/protocol.ts';
import { RUN_LIMITS } from '../../stores/artifacts/limits.ts';
import { regionNamed, type Hub } from './hub.ts';
import type { KnownRunner, RunnerSource } from '../../api/runner-source.ts';
import { isHello, isReport } from './schemas.ts';
import { reporterElsewhere, type Reporter, type Session } from './session.ts';
import type { StagedFiles } from './staged-files.ts';

/**
 * Milliseconds without data after which a runner considers its stream broken. While the stream works, data is sent
 * every 10 seconds (orders.ts).
 */
const SILENCE_MS = 40_000;
/**
 * Interval in which a runner reports, in milliseconds. It is less than half of the time after which a silent runner
 * counts as gone (hub.ts).
 */
const HEARTBEAT_MS = 3_000;
/**
 * Maximum number of results in one report. Each result has up to some hundred values, and a body may have at most
 * 20,000 (http/media/json-bounds.ts).
 */
const RESULTS = 50;
const REPORT_BYTES = 1_000_000;

export interface RemoteEndpointsOptions {
  hub: Hub;
  source: Pick<RunnerSource, 'find'>;
  /** limits the number of wrong tokens per address */
  refusals: RefusalLimit;
  /**
   * Limits the number of sessions per runner, because each session may add an event to the log.
   *
   * @throws HttpError 429
   */
  admit: RateLimit;
  /** Records that a runner has used its token. */
  confirm: (runner: KnownRunner, tokenHash: string) => Promise<void>;
  takeReport: (session: Reporter, report: Report) => Promise<Receipt>;
  files: StagedFiles;
  /** whether sessions may be in other processes */
  isOneOfSeveral: boolean;
  /** version of this release */
  release: string;
  /** returns milliseconds since 1970 */
  clock: () => number;
}

interface Caller {
  runner: KnownRunner;
  tokenHash: string;
}

/**
 * Creates the endpoints for requests of remote runners (runners/remote/protocol.ts). They are not part of the API, so
 * their paths are not documented.
 */
export const remoteEndpoints = (options: RemoteEndpointsOptions): readonly Endpoint[] => {
  const { hub, source, refusals, admit, confirm, takeReport, files, isOneOfSeveral, release, clock } = options;

  const callerOf = async (request: Request): Promise<Caller> => {
    requireProtocol(request, release);
    const token = /^Bearer (upr_[\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1];
    const network = networkOf(request.ip ?? '');
    const tokenHash = token === undefined ? null : hash('sha256', token);
    const runner = tokenHash === null ? null : await source.find(tokenHash);
    if (runner && tokenHash !== null) return { runner, tokenHash };
    refusals.check(network);
    refusals.count(network);
    throw new HttpError(401, 'The token of this runner is unknown or was revoked.');
  };
  const sessionOf = async (request: Request): Promise<Session> => {
    const session = hub.session(named(request, 'session'), (await callerOf(request)).runner.id);
    if (!session) throw noSession();
    return session;
  };

  const connect = async (request: Request): Promise<PreparedResponse> => {
    const { runner, tokenHash } = await callerOf(request);
    const { value: hello, unstorable, crowded } = await bodyOf(request);
    if ((unstorable ?? crowded) !== null || !isHello(hello))
      throw new HttpError(400, 'The runner has sent an invalid hello message.');
    // A runner of another release may have check types that this release does not know.
    const types = hello.types.filter(isCheckType);
    const lacking = hello.lacking.flatMap(({ type, reason }) => (isCheckType(type) ? [{ type, reason }] : []));
    admit(runner.id);
    await confirm(runner, tokenHash);
    const session = hub.connect(runner, { ...hello, types, lacking }, { address: request.ip ?? null, tokenHash });
    const welcome: Welcome = {
      session: session.id,
      runner: { id: runner.id, name: runner.name, region: session.region.id, private: runner.private },
      clock: clock(),
      silence_ms: SILENCE_MS,
      heartbeat_ms: HEARTBEAT_MS,
      limits: { results: RESULTS, report_bytes: REPORT_BYTES, file_bytes: RUN_LIMITS.runBytes },
    };
    return answered(200, welcome);
  };

  const work = async (request: Request): Promise<PreparedResponse> => {
    const session = await sessionOf(request);
    return {
      status: 200,
      // This header makes nginx forward data immediately. Other proxies forward data immediately because of the content
      // type `text/event-stream`.
      headers: { 'X-Accel-Buffering': 'no' },
      body: {
        attach: (response, stopping) => {
          if (stopping) endWith(stopping, response);
          hub.stream(session, response);
        },
      },
      type: EVENT_STREAM,
      once: true,
    };
  };

  const report = async (request: Request): Promise<PreparedResponse> => {
    const { runner } = await callerOf(request);
    const id = named(request, 'session');
    const session = hub.session(id, runner.id);
    if (!session && !isOneOfSeveral) throw noSession();
    const { value: body } = await bodyOf(request);
    if (!isReport(body)) throw new HttpError(400, 'The runner has sent an invalid report.');
    const sent = body as Report;
    return answered(200, await takeReport(session ?? elsewhere(request, id, runner, sent), sent));
  };

  const upload = async (request: Request): Promise<PreparedResponse> => {
    const session = await sessionOf(request);
    const delivery = named(request, 'delivery');
    if (!session.has(delivery)) throw new HttpError(404, 'This delivery is not in progress.');
    if (!session.leavesFiles(delivery)) throw new HttpError(400, 'Runs of checks of this type produce no files.');
    return answered(201, { staged: await files.take(session.id, delivery, request) });
  };

  const leave = async (request: Request): Promise<PreparedResponse> => {
    hub.leave(await sessionOf(request), 'stopped');
    return { status: 204, headers: {}, body: null };
  };

  const at = (path: string, method: string, serve: (request: Request) => Promise<PreparedResponse>): Endpoint => ({
    path: `${ROOT}${path}`,
    level: 'debug',
    serve: async (request) => {
      if (request.method !== method) throw methodNotAllowed(method);
      return { answered: await serve(request), caller: null };
    },
  });
  return [
    at('/sessions', 'POST', connect),
    at('/sessions/{session}', 'DELETE', leave),
    at('/sessions/{session}/work', 'GET', work),
    at('/sessions/{session}/results', 'POST', report),
    at('/sessions/{session}/files/{delivery}', 'PUT', upload),
  ];
};

/**
 * Refuses runners that use another version of the protocol.
 *
 * @throws HttpError 426 the message says whether to update the service or the runner
 */
const requireProtocol = ({ headers }: Request, release: string): void => {
  const version = Number(headers[PROTOCOL_HEADER]);
  if (version >= OLDEST_PROTOCOL && version <= PROTOCOL) return;
  const what =
    version > PROTOCOL
      ? `Update the service (release ${release}), or use a runner of its release.`
      : `Update the runner to the release of the service, ${release}.`;
  const spoken = [...new Set([OLDEST_PROTOCOL, PROTOCOL])].join(' to ');
  throw new HttpError(
    426,
    `The runner speaks version ${Number.isNaN(version) ? 'unknown' : version.toString()} of the protocol, the service ${spoken}. ${what}`,
    { headers: { Upgrade: `uptrail-runner/${PROTOCOL}` } },
  );
};

const bodyOf = async (request: Request): Promise<ParsedBody> => parseJson((await readBody(request, [JSON_BODY])).bytes);

/**
 * Ends a stream when the service stops. If the stream ends first, removes the listener, so that listeners do not
 * accumulate.
 */
const endWith = (stopping: AbortSignal, response: ServerResponse): void => {
  const end = (): void => {
    response.end();
  };
  stopping.addEventListener('abort', end, { once: true });
  response.once('close', () => {
    stopping.removeEventListener('abort', end);
  });
};

const noSession = (): HttpError => new HttpError(404, 'The session does not exist; connect again.');

/**
 * Returns the reporter for a report whose session is in another process. A proxy has sent such a report to this
 * process. The tickets in the report prove that the results are from this runner.
 */
const elsewhere = (request: Request, id: string, runner: KnownRunner, { clock_offset_ms }: Report): Reporter =>
  reporterElsewhere(id, runner, regionNamed(runner), { address: request.ip ?? null, clock_offset_ms });

const named = ({ params }: Request, name: string): string => {
  const value = params[name];
  return typeof value === 'string' ? value : '';
};

const answered = (status: number, body: object): PreparedResponse => ({
  status,
  headers: {},
  body: JSON.stringify(body),
  once: true,
});
