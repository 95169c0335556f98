import type { EventOf } from '../../../domain/event-types.ts';
import { derivedId, derivedUuid } from '../../../domain/identity.ts';
import { systemEvent } from '../../../domain/system-event.ts';
import { instantOf } from '../../../domain/time.ts';
import type { Service } from '../../api/service.ts';
import { resultOf, SERVER } from '../../domain/check-result/examples.ts';

/** Functions that store results as regions do, for tests of the check screen. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const MOSCOW = 'RU, Moscow';
export const WEST = 'EU, West';

type Fields = Parameters<typeof resultOf>[2];

export const createCheck = async (service: Service, body: object): Promise<string> => {
  const reply = await service.request('POST', '/v1/checks', { body: { interval: 60, ...body } });
  if (reply.status !== 201) throw new Error(reply.text);
  return (reply.json() as { id: string }).id;
};

/** Stores results and waits until the read model contains them. @returns the ids of the results */
export const storeResults = async (
  service: Service,
  checkId: string,
  results: readonly [at: number, fields?: Fields][],
): Promise<string[]> => {
  const events = results.map(([at, fields]) => {
    const region = fields?.region ?? MOSCOW;
    const check_server = { ...SERVER, id: derivedId(region), region, country: region.slice(0, 2) };
    return resultOf(checkId, at, { organization_id: service.first.id, check_server, ...fields });
  });
  const { position } = await service.stores.results.append('check_results-ru-central1', events, 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
  return events.map(({ data }) => data.result_id);
};

let facts = 0;

/** Stores events of a check or a job. */
export const storeFacts = async (
  service: Service,
  stream: string,
  ...stored: EventOf<'CheckWentDown' | 'CheckCameUp' | 'CheckRecovered' | 'JobStarted' | 'JobCompleted'>[]
): Promise<void> => {
  for (const fact of stored) {
    const event = systemEvent(fact, {
      id: derivedUuid(`console fact ${facts++}`),
      by: 'test',
      organizationId: service.first.id,
      now: instantOf(service.time.now),
    });
    await service.stores.main.append(stream, [event], 'any');
  }
};

const verdictAt = (check_id: string, at: number) => ({
  check_id,
  result_id: derivedId(`verdict ${check_id} ${at}`),
  run_id: derivedId(`run ${check_id} ${at}`),
  slot: instantOf(at),
  region: MOSCOW,
  at: instantOf(at),
});

export const goesUp = (service: Service, checkId: string, at: number): Promise<void> =>
  storeFacts(service, `check-${checkId}`, { type: 'CheckCameUp', data: verdictAt(checkId, at) });

export const goesDown = (service: Service, checkId: string, at: number, error_message: string): Promise<void> =>
  storeFacts(service, `check-${checkId}`, {
    type: 'CheckWentDown',
    data: { ...verdictAt(checkId, at), error_message },
  });

export const recovers = (service: Service, checkId: string, at: number): Promise<void> =>
  storeFacts(service, `check-${checkId}`, { type: 'CheckRecovered', data: verdictAt(checkId, at) });

/** Stores a day of results from two regions, with an outage of half an hour that ended an hour ago. */
export const storeDay = async (service: Service, checkId: string, now: number): Promise<void> => {
  const results: [number, Fields][] = [];
  for (let at = now - 24 * HOUR; at < now; at += 5 * MINUTE) {
    const isDown = at > now - 90 * MINUTE && at <= now - HOUR;
    const wave = 120 + 40 * Math.sin(at / HOUR) + ((at / MINUTE) % 7) * 4;
    for (const [index, region] of [MOSCOW, WEST].entries()) {
      const response_time = Math.round(wave * (1 + index / 2)) + (at % (4 * HOUR) < 5 * MINUTE ? 400 : 0);
      results.push([
        at + index,
        isDown
          ? {
              region,
              status: 'down',
              reason: 'connect',
              response_time: null,
              error_message: 'Connection refused by 127.0.0.1:443.',
              check_metadata: { connected: false, host: 'shop.example', port: 443, status_code: null },
            }
          : { region, response_time },
      ]);
    }
  }
  await storeResults(service, checkId, results);
  await goesUp(service, checkId, now - 24 * HOUR);
  await goesDown(service, checkId, now - 90 * MINUTE, 'Connection refused by 127.0.0.1:443.');
  await recovers(service, checkId, now - HOUR);
};
