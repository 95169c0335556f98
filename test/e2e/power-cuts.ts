import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import { makeDataDirectory } from '../../service/embedded/data-directory.ts';
import { openLog } from '../../service/embedded/stores.ts';
import type { Random } from '../contracts/random.ts';
import { callApi, serve, uptrail, type RunningProgram } from './program.ts';
import {
  CHANNEL,
  CHECK,
  createModel,
  type ExpectedResource,
  type ReferencedIds,
  type PlannedWrite,
} from './power-cuts-model.ts';
import { eventually, realPause } from '../waiting.ts';

export interface CutsOptions {
  /** after every `backlogEach` cuts, the read models start with a backlog of thousands of events */
  backlogEach?: number;
  /** whether every read model is compared with its rebuild at the end */
  verify?: boolean;
  say?: (line: string) => void;
}

export interface CutsTally {
  cuts: number;
  acknowledged: number;
  /** number of requests that were repeated with their keys because their responses were lost */
  repeated: number;
  /** number of responses that were compared with the model */
  compared: number;
  /** number of cuts after which `/health/ready` was 503 at first */
  unready: number;
}

interface Reply {
  status: number;
  body: unknown;
  retryAfter: string | null;
}

const WRITERS = 6;
/** Number of recently changed resources that are compared after each cut. */
const LOOKED_AT = 150;
/**
 * Number of events in a backlog. They are folded in several pages, so the API responds before the read models have
 * caught up.
 */
const BACKLOG = 12_000;
const APPENDED_AT_ONCE = 500;
/** The statuses of successful writes. */
const DONE = { POST: [200, 201, 202], PATCH: [200, 202], DELETE: [200, 202, 204] };
const KEY = 'power-cut-admin-key-00';

const readModelsIn = (directory: string): string => join(directory, 'read-models');
/** Returns the folder with the saved state of the read models. A power cut can revert them to this state. */
const keptIn = (directory: string): string => join(directory, 'kept');

/**
 * Returns whether a kill interrupted a checkpoint, according to the index that SQLite stores beside the WAL
 * (sqlite.org/walformat.html, 2.1). In this case the database contains some pages of the WAL, so SQLite has
 * synchronised the WAL to the disk.
 */
const isInCheckpoint = (wal: string): boolean => {
  const shm = wal.replace(/-wal$/, '-shm');
  if (!existsSync(shm)) return false;
  const index = readFileSync(shm);
  return index.length > 132 && index.readUInt32LE(128) > index.readUInt32LE(96);
};

/**
 * Removes the data that a power cut may destroy: everything that SQLite had not synchronised to the disk
 * (`synchronous=NORMAL`).
 *
 * @param all whether to revert the read models to the saved state
 */
const cutPower = (directory: string, all: boolean): void => {
  const readModels = readModelsIn(directory);
  if (all) {
    rmSync(readModels, { recursive: true });
    renameSync(keptIn(directory), readModels);
  }
  const files = [
    ...readdirSync(readModels).map((name) => join(readModels, name)),
    ...readdirSync(directory)
      .filter((name) => name.startsWith('coordination.db'))
      .map((name) => join(directory, name)),
  ];
  for (const wal of files.filter((file) => file.endsWith('-wal') && !isInCheckpoint(file))) rmSync(wal);
  for (const shm of files.filter((file) => file.endsWith('-shm'))) rmSync(shm);
};

/** Appends events to the log of a stopped service, for the read models to fold later. */
const appendBacklog = async (directory: string, pageId: string, organizationId: string): Promise<void> => {
  const log = await openLog(makeDataDirectory(directory), 'main', 'appender');
  const now = instantOf(Date.now());
  const renamed = (number: number) =>
    systemEvent(
      {
        type: 'PageUpdated',
        data: {
          page_id: pageId,
          changed_at: now,
          changes: { name: `Name ${number}` },
          previous: { name: `Name ${number - 1}` },
          claims: {},
        },
      } as const,
      { id: randomUUID(), by: 'test', organizationId, now },
    );
  try {
    for (let from = 0; from < BACKLOG; from += APPENDED_AT_ONCE) {
      const events = Array.from({ length: APPENDED_AT_ONCE }, (_, index) => renamed(from + index + 1));
      await log.append(`page-${pageId}`, events, 'any');
    }
  } finally {
    await log.close();
  }
};

/**
 * Simulates power cuts at random moments while resources of all kinds are created, changed and deleted. Each cut kills
 * the program, and removes the data of read models and coordination that was not yet on the disk. After each start,
 * from the first response on, no acknowledged write may be missing, outdated or undone. Requests whose responses were
 * lost are repeated with their `Idempotency-Key`, and must succeed.
 *
 * @param random chooses the writes and the moments of the cuts
 */
export const powerCuts = async (
  environment: { DATA_DIR: string } & Record<string, string>,
  cuts: number,
  random: Random,
  { backlogEach = 10, verify = true, say = () => undefined }: CutsOptions = {},
): Promise<CutsTally> => {
  const { DATA_DIR } = environment;
  const start = (): Promise<RunningProgram> => serve({ ...environment, ADMIN_API_KEY: KEY });
  let program = await start();
  const tally: CutsTally = { cuts, acknowledged: 0, repeated: 0, compared: 0, unready: 0 };

  const send = async (method: string, path: string, { key, body }: { key?: string; body?: object } = {}) => {
    const request = {
      method,
      headers: {
        authorization: KEY,
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    const first = fetch(program.address + path, request);
    // The server may close an idle connection just when it is reused, so a GET is sent again (RFC 9110, 9.2.2).
    const response = await (method === 'GET' ? first.catch(() => fetch(program.address + path, request)) : first).catch(
      (error: unknown) => {
        if (error instanceof Error)
          error.message += ` (${method} ${path}): ${String(error.cause)}; ${program.output.stderr}`;
        throw error;
      },
    );
    const text = await response.text();
    const reply: Reply = {
      status: response.status,
      body: text === '' ? null : (JSON.parse(text) as unknown),
      retryAfter: response.headers.get('retry-after'),
    };
    return reply;
  };
  /**
   * Repeats a request while the response is 503, which must say when to retry, or 409 because an earlier attempt is
   * still in flight.
   */
  const sendUntilHandled = async (...request: Parameters<typeof send>): Promise<Reply> => {
    for (;;) {
      const reply = await send(...request);
      const isUnderWay = reply.status === 409 && JSON.stringify(reply.body).includes('still in flight');
      if (reply.status !== 503 && !isUnderWay) return reply;
      assert.ok(isUnderWay || reply.retryAfter, `503 says when to retry: ${JSON.stringify(reply.body)}`);
      await realPause(100, 'the service has asked for a pause');
    }
  };
  const describe = (what: string, { status, body }: Reply): string => `${what}: ${status} ${JSON.stringify(body)}`;

  const made = async (path: string, body: object): Promise<{ id: string; organization_id: string }> => {
    const reply = await sendUntilHandled('POST', path, { body });
    assert.ok(DONE.POST.includes(reply.status), describe(path, reply));
    return reply.body as { id: string; organization_id: string };
  };
  const page = await made('/v1/pages', { name: 'Power' });
  const places: ReferencedIds = {
    page: page.id,
    check: (await made('/v1/checks', CHECK)).id,
    channel: (await made('/v1/alerts/channels', CHANNEL)).id,
  };
  const model = createModel(places, random);

  /** @param repeated whether the write may already have been applied */
  const perform = async (item: ExpectedResource, wanted: PlannedWrite, repeated: boolean): Promise<void> => {
    const { method, body } = wanted;
    const what = `${repeated ? 'repeated ' : ''}${method} ${wanted.path}`;
    const reply = await sendUntilHandled(method, wanted.path, { key: wanted.key, ...(body && { body }) });
    // The power cut removed the idempotency record, but the deletion itself is stored.
    const isGone = repeated && method === 'DELETE' && reply.status === 404;
    assert.ok(isGone || DONE[method].includes(reply.status), describe(what, reply));
    model.acknowledge(item, wanted, (reply.body as { id?: string } | null)?.id);
    tally.acknowledged += 1;
  };

  /** Writes until the program is killed. Any error other than a lost connection fails the test. */
  const write = async (writer: number, dying: AbortSignal): Promise<void> => {
    for (;;) {
      const { item, wanted } = model.next(writer);
      try {
        await perform(item, wanted, false);
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof SyntaxError) || !dying.aborted) throw error;
        return;
      }
    }
  };

  const compare = async (item: ExpectedResource): Promise<void> => {
    if (!item.path) return;
    const reply = await sendUntilHandled('GET', item.path);
    const { expected } = item;
    if (expected === null) assert.is(reply.status, 404, describe(`${item.path}, which was deleted`, reply));
    else {
      assert.is(reply.status, 200, describe(`${item.path}, which exists`, reply));
      assert.is(item.kind.shown(reply.body as Record<string, unknown>), expected, item.path);
    }
    tally.compared += 1;
  };

  const repeat = async (item: ExpectedResource, wanted: PlannedWrite): Promise<void> => {
    await perform(item, wanted, true);
    tally.repeated += 1;
    await compare(item);
  };

  const look = async (): Promise<void> => {
    const ready = send('GET', '/health/ready').then(({ status, body }) => {
      if (status === 200) return;
      tally.unready += 1;
      const { parts } = body as { parts: { name: string; ready: boolean }[] };
      const unready = parts.filter((part) => !part.ready).map(({ name }) => name);
      assert.ok(unready.every((name) => name.startsWith('projection ')) && unready.length > 0, unready.join());
    });
    const pending = model.pending();
    const settled = model.recent(LOOKED_AT).filter((item) => !item.pending);
    await Promise.all([
      ready,
      ...pending.map(({ item, wanted }) => repeat(item, wanted)),
      ...settled.map((item) => compare(item)),
    ]);
    await eventually(async () => (await send('GET', '/health/ready')).status === 200);
  };

  for (let cut = 1; cut <= cuts; cut++) {
    const isBehind = (cut - 1) % backlogEach === 0;
    if (isBehind) {
      assert.is((await program.end('SIGTERM')).code, 0);
      cpSync(readModelsIn(DATA_DIR), keptIn(DATA_DIR), { recursive: true });
      await appendBacklog(DATA_DIR, page.id, page.organization_id);
      program = await start();
    }
    const dying = new AbortController();
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer, dying.signal));
    const failed = Promise.all(writers);
    await Promise.race([failed, realPause(50 + random.below(600), 'the power is cut at any moment')]);
    dying.abort();
    await program.end('SIGKILL');
    await failed;
    cutPower(DATA_DIR, isBehind);
    program = await start();
    await look();
    say(`cut ${cut}: ${tally.acknowledged} acknowledged, ${tally.compared} compared`);
  }

  for (const item of model.all()) await compare(item);
  assert.is((await callApi(program, KEY, 'GET', '/health/ready')).status, 200);
  assert.is((await program.end('SIGTERM')).code, 0);
  if (verify) {
    const verified = await uptrail(environment, 'rebuild', '--all', '--verify');
    assert.is(verified.code, 0, verified.stdout + verified.stderr);
  }
  return tally;
};
