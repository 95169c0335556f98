import { readAsked } from '../../reactors/engine/checkpoint.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

/** How often it is looked whether a command has asked reactors for something, milliseconds. */
const LOOK_MS = 10_000;

/**
 * Tells reactors of this process that a command, in any process, has asked one of them for something: one look at
 * `Coordination` for all of them, while any of them listens.
 *
 * @param every milliseconds between two looks; tests wait less
 * @returns calls back soon, and whenever somebody has asked since. It returns what ends that
 */
export const watchReactorsAsked = (
  coordination: Pick<Coordination, 'read'>,
  every = LOOK_MS,
): ((callback: () => void) => () => void) => {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;
  let known: string | null | undefined;
  let underWay = false;

  const look = async (): Promise<void> => {
    if (underWay) return;
    underWay = true;
    try {
      const asked = await readAsked(coordination);
      if (asked === known) return;
      known = asked;
      for (const listener of [...listeners]) listener();
    } catch {
      // The store does not answer, which others report; the next look may find it.
    } finally {
      underWay = false;
    }
  };

  return (callback) => {
    // The same function may listen twice.
    const own = (): void => {
      callback();
    };
    listeners.add(own);
    // Somebody may have asked before this one listened.
    known = undefined;
    timer ??= setInterval(() => void look(), every);
    return () => {
      listeners.delete(own);
      if (listeners.size > 0 || !timer) return;
      clearInterval(timer);
      timer = null;
    };
  };
};
