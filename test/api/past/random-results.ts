import { randomUUID } from 'node:crypto';
import { derivedId } from '../../../domain/identity.ts';
import { instantOf, SECOND_MS } from '../../../domain/time.ts';
import type { Random } from '../../contracts/random.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import type { Service } from '../service.ts';

/** The end of the results log, in a form for which readers wait. */
export const endOfResults = async ({ stores }: Service): Promise<{ appended: Map<string, bigint> }> => {
  const events = await stores.results.readAll({ after: 0n, limit: 10_000 });
  return { appended: new Map([['results', events.at(-1)?.position ?? 0n]]) };
};

const REGIONS = [
  ['RU, Moscow', 'ru-central1'],
  ['EU, West', 'eu-west1'],
] as const;

/** Stores results of a check as runners do: also results that arrive late, twice, or that do not count. */
export const storeResults = async (service: Service, random: Random, checkId: string): Promise<void> => {
  for (let number = 1 + random.below(3); number > 0; number--) {
    const [region, alias] = random.pick(REGIONS);
    const status = random.pick(['ok', 'ok', 'down', 'failed'] as const);
    const delay = random.oneIn(4) ? random.below(200) * SECOND_MS : 0;
    const event = resultOf(checkId, service.time.now, {
      organization_id: service.first.id,
      result_id: derivedId(`result ${service.time.now} ${number}`),
      run_id: derivedId(`run ${service.time.now} ${number}`),
      region,
      status,
      response_time: status === 'down' ? null : 10 + random.below(900),
      error_message: status === 'ok' ? null : 'It failed.',
      slot: instantOf(service.time.now - delay - SECOND_MS),
      ...(delay > 0 && { ran_at: instantOf(service.time.now - delay) }),
      ...(delay > 100_000 && { late: true as const }),
      ...(random.oneIn(8) && { outdated: true as const }),
      ...(random.oneIn(8) && { suspect: true as const }),
    });
    await service.stores.results.append(`check_results-${alias}`, [event], 'any');
    if (random.oneIn(6))
      await service.stores.results.append(`check_results-${alias}`, [{ ...event, id: randomUUID() }], 'any');
  }
  await service.readers.waitFor(['check_results', 'check_activity'], await endOfResults(service));
};
