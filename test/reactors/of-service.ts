import { createHandle } from '../../commands/handle.ts';
import { reactorsOf } from '../../service/parts/reactors.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { startService } from '../api/service.ts';
import { startNamed } from './named.ts';

type Service = Pick<Awaited<ReturnType<typeof startService>>, 'stores' | 'readers' | 'statuses' | 'time'>;
type Parts = Omit<
  Parameters<typeof reactorsOf>[0],
  'handle' | 'main' | 'results' | 'startRun' | 'readers' | 'statuses'
>;

interface Process {
  coordination: Coordination;
  /** gets the lines that it logs: `warn: …` */
  logged: string[];
  /** the process loses the answer of each append to the main log */
  dies: boolean;
}

/**
 * Lets one of the reactors work that act on the main log of a service.
 *
 * @param parts what it needs beyond the stores and read models
 * @returns ends that
 */
export const startOf = (
  { stores: { main, results }, readers, statuses, time }: Service,
  name: string,
  { coordination, logged, dies }: Process,
  parts: Parts,
): (() => Promise<void>) => {
  const clock = () => time.now;
  const append: typeof main.append = async (...given) => {
    const appended = await main.append(...given);
    if (dies) throw new Error('The process was killed.');
    return appended;
  };
  const handle = createHandle({ store: { ...main, readStream: main.readStream.bind(main), append }, clock });
  const startRun = () => Promise.reject(new Error('Nothing is started here.'));
  const reactors = reactorsOf({ clock, ...parts, handle, main, results, startRun, readers, statuses });
  return startNamed(reactors, name, { coordination, clock, timings: { look: 5 }, logged });
};
