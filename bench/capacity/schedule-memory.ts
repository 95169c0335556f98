import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { derivedId } from '../../domain/identity.ts';
import { createSchedule } from '../../runners/scheduler/schedule.ts';

const INTERVAL = 60;
/** Number of checks per organization. */
const OF_ORGANIZATION = 1_000;

const heapUsed = (): number => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
};

/** Returns the number of heap bytes per check in the schedule, including the id of the check. */
export const bytesOfCheck = (checks: number): number => {
  const before = heapUsed();
  const schedule = createSchedule();
  const now = Date.now();
  for (let index = 0; index < checks; index++) {
    const organizationId = `org${Math.floor(index / OF_ORGANIZATION)}`;
    const timing = {
      id: derivedId(`check ${index}`),
      organizationId,
      active: true,
      parked: false,
      group: null,
    };
    schedule.add({ ...timing, interval: INTERVAL }, now, false);
  }
  const used = heapUsed() - before;
  if (schedule.size() !== checks) throw new Error('Ids of checks are not unique.');
  return used / checks;
};
