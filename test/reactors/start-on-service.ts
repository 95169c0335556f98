import { createHandle, type Handle } from '../../commands/engine/handle.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { startService } from '../api/service.ts';
import { reactorsOf, type TestParts } from './context.ts';
import { startReactor } from './start-reactor.ts';

type Service = Pick<Awaited<ReturnType<typeof startService>>, 'stores' | 'readers' | 'statuses' | 'time'>;
type Parts = Omit<TestParts, 'handle' | 'main' | 'results' | 'readers' | 'statuses'>;

interface Process {
  coordination: Coordination;
  /** receives the log lines of the reactor, such as `warn: …` */
  logged: string[];
  /**
   * true: the process receives no response to any append to the main log; a kill point: the process dies at that append
   */
  dies: boolean | KillPoint;
}

/** The append to the main log, counted from 1, at which a process is killed. The process appends nothing afterwards. */
export interface KillPoint {
  append: number;
  /** whether that append is still stored */
  stored: boolean;
  happened?: true;
}

/**
 * Starts a reactor that acts on the main log of a service.
 *
 * @param parts dependencies of the reactor beyond the stores and read models, or a function that creates them with the
 * handle of the process
 * @returns a function that stops the reactor
 */
export const startOnService = (
  { stores: { main, results }, readers, statuses, time }: Service,
  name: string,
  { coordination, logged, dies }: Process,
  parts: Parts | ((handle: Handle) => Parts),
): (() => Promise<void>) => {
  const clock = () => time.now;
  let appends = 0;
  const append: typeof main.append = async (...given) => {
    const death = typeof dies === 'object' && ++appends >= dies.append ? dies : null;
    if (death && (death.happened || !death.stored)) throw killed(death);
    const appended = await main.append(...given);
    if (death) throw killed(death);
    if (dies === true) throw new Error('The process was killed.');
    return appended;
  };
  const handle = createHandle({ store: { ...main, readStream: main.readStream.bind(main), append }, clock });
  const reactors = reactorsOf({
    clock,
    ...(typeof parts === 'function' ? parts(handle) : parts),
    handle,
    main,
    results,
    readers,
    statuses,
  });
  return startReactor(reactors, name, { coordination, clock, timings: { clockCheck: 5 }, logged });
};

const killed = (death: KillPoint): Error => {
  death.happened = true;
  return new Error('The process was killed.');
};
