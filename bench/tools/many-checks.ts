/** Writes very many checks with results to the logs of a running service. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { eventTypes, type EventOf, type EventType } from '../../domain/event-types.ts';
import { defaultRegionOf, REGIONS } from '../../domain/check/regions.ts';
import { NO_GROUP } from '../../domain/check/state.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { HOUR_MS, instantOf } from '../../domain/time.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Program } from './program.ts';
import { webResult } from './result-samples.ts';

const REGION = defaultRegionOf(REGIONS);

export type Logs = Record<'main' | 'results', EventStore>;

/** Opens the logs in the data folder of a running service. */
export const openLogs = async (folder: string): Promise<Logs> => {
  const open = async (name: 'main' | 'results', file: string): Promise<EventStore> =>
    createCheckedStore(await openSqliteEventStore({ file: join(folder, file), name, mode: 'appender' }));
  return { main: await open('main', 'events.db'), results: await open('results', 'results.db') };
};

export const closeLogs = async (logs: Logs): Promise<void> => {
  await Promise.all(Object.values(logs).map((log) => log.close()));
};

const recorded = <T extends EventType>(
  { type, data }: EventOf<T>,
  organization_id: string,
  at: number,
): NewEvent<EventOf<T>> => {
  const id = derivedUuid(JSON.stringify(data));
  return {
    id,
    type,
    data,
    metadata: {
      $correlationId: id,
      $causationId: id,
      command_id: id,
      actor: { kind: 'system', id: 'bench', role: null },
      organization_id,
      recorded_at: instantOf(at),
      schema_version: versionOf(type),
    },
  };
};

const versionOf = (type: EventType): number => {
  const definitions = Object.values(eventTypes) as unknown as Record<string, { version: number }>[];
  return definitions.find((events) => type in events)?.[type]?.version ?? 1;
};

const isDown = (number: number): boolean => number % 50 === 0;

/**
 * Creates the events of a check that is created and then goes up or down. A parked check does not run during the
 * measurement. A check that is not parked runs once a day.
 */
const checkEvents = (
  id: string,
  number: number,
  { organization_id, now, parked }: { organization_id: string; now: number; parked: boolean },
): NewEvent[] => {
  const created: EventOf<'CheckCreated'> = {
    type: 'CheckCreated',
    data: {
      check_id: id,
      organization_id,
      name: `Shop ${number}`,
      type: 'web',
      active: true,
      interval: 86_400,
      timeout: 10,
      host: null,
      url: `https://127.0.0.1:9/shop-${number}`,
      port: null,
      parameters: {},
      tags: ['team:shop'],
      secrets: [],
      ...NO_GROUP,
    },
  };
  const at = now - randomInt(30 * 24 * HOUR_MS);
  const [run_id, slot] = [derivedId(`run of ${id}`), instantOf(at)];
  const verdict = {
    check_id: id,
    result_id: derivedId(`verdict of ${id}`),
    run_id,
    slot,
    region: REGION.id,
    at: instantOf(at + 300),
  };
  const error_message = 'The server answered 503 Service Unavailable.';
  return [
    recorded(created, organization_id, now - 40 * 24 * HOUR_MS),
    ...(parked
      ? [
          recorded(
            { type: 'CheckParked', data: { check_id: id, run_id, region: REGION.id, at: slot, cause: 'it was ended' } },
            organization_id,
            at,
          ),
        ]
      : []),
    isDown(number)
      ? recorded({ type: 'CheckWentDown', data: { ...verdict, error_message } }, organization_id, at)
      : recorded({ type: 'CheckCameUp', data: verdict }, organization_id, at),
  ];
};

/** Creates a result with a response time near `usual`, in milliseconds. */
const resultAt = (check_id: string, organization_id: string, at: number, usual: number, failed: boolean): NewEvent => {
  const { data, metadata, ...event } = webResult(check_id, at);
  return {
    ...event,
    data: {
      ...data,
      organization_id,
      status: failed ? 'failed' : 'ok',
      response_time: usual + randomInt(Math.ceil(usual / 5)),
    },
    metadata: { ...metadata, organization_id },
  };
};

const ORGANIZATION_PAGE = { name: 'Overview' };

type Address = Pick<Program, 'address' | 'key'>;

export interface FillOptions {
  /** numbers of the checks: from `from` (inclusive) to `to` (exclusive) */
  from: number;
  to: number;
  /** number of past hours in which each check has a result */
  hours: number;
  /** whether the checks are parked, so that none of them runs; default: true */
  parked?: boolean;
}

/**
 * Creates checks with results, and waits until the read models contain the results.
 *
 * @returns the organization and the ids of the checks
 */
export const fillChecks = async (
  program: Address,
  logs: Logs,
  { from, to, hours, parked = true }: FillOptions,
): Promise<{ organization_id: string; ids: string[] }> => {
  const made = await fetch(`${program.address}/v1/pages`, {
    method: 'POST',
    headers: { authorization: program.key, 'content-type': 'application/json' },
    body: JSON.stringify(ORGANIZATION_PAGE),
  });
  const { organization_id } = (await made.json()) as { organization_id: string };
  const now = Date.now();
  const ids = Array.from({ length: to - from }, (_, index) => derivedId(`check ${from + index}`));
  for (let first = 0; first < ids.length; first += 500) {
    const some = ids.slice(first, first + 500);
    await Promise.all(
      some.map((id, index) =>
        logs.main.append(
          `check-${id}`,
          checkEvents(id, from + first + index, { organization_id, now, parked }),
          'no_stream',
        ),
      ),
    );
  }
  const stream = `check_results-${REGION.aliases[0]}`;
  const usual = ids.map(() => 20 + randomInt(400));
  for (let hour = hours; hour >= 0; hour--) {
    const at = now - hour * HOUR_MS;
    for (let first = 0; first < ids.length; first += 500) {
      const some = ids.slice(first, first + 500);
      const events = some.map((id, offset) => {
        const index = first + offset;
        // The newest result agrees with the status of the check, so that no status changes during the measurement.
        const failed = hour === 0 ? isDown(from + index) : randomInt(100) === 0;
        return resultAt(id, organization_id, at + randomInt(1_000) - 1_000, usual[index] ?? 0, failed);
      });
      await logs.results.append(stream, events, 'any');
    }
  }
  await untilRead(program, to, hours);
  return { organization_id, ids };
};

/** Waits until the API returns all checks with results. */
const untilRead = async (program: Address, checks: number, hours: number): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    const reply = await fetch(`${program.address}/v1/checks/overview?sort=uptime_24h&page_size=5000`, {
      headers: { authorization: program.key },
    });
    if (reply.ok) {
      const { pagination, checks: rows } = (await reply.json()) as {
        pagination: { total_items: number };
        checks: { hours: (number | null)[] }[];
      };
      const isRead = rows.every(
        ({ hours: shown }) => shown.filter((hour) => hour !== null).length >= Math.min(hours, 24) - 1,
      );
      if (pagination.total_items === checks && isRead) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  throw new Error('The checks are not shown.');
};

/** Takes a check down, with the events that a runner would cause. */
export const takeDown = async (logs: Logs, organization_id: string, check_id: string): Promise<void> => {
  const at = Date.now();
  const run_id = derivedId(`run of ${check_id} at ${at}`);
  const data = {
    check_id,
    result_id: derivedId(`verdict of ${run_id}`),
    run_id,
    slot: instantOf(at),
    region: REGION.id,
    at: instantOf(at),
    error_message: 'The server answered 503 Service Unavailable.',
  };
  await logs.main.append(`check-${check_id}`, [recorded({ type: 'CheckWentDown', data }, organization_id, at)], 'any');
};
