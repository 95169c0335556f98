import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 50;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended, or is another user's.
    return '';
  }
};

/** Children by their parent. */
const families = (): Map<number, number[]> => {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The name of the program, in brackets, may have spaces.
    const parent = Number(/\) \S (\d+) /.exec(read(`/proc/${name}/stat`))?.[1]);
    if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
};

/** What a process holds, its share of what is shared, bytes. */
const heldBy = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid.toString()}/smaps_rollup`))?.[1] ?? 0) * 1_024;

const heldByTree = (pid: number, children: ReadonlyMap<number, readonly number[]>): number =>
  heldBy(pid) + (children.get(pid) ?? []).reduce((sum, child) => sum + heldByTree(child, children), 0);

/**
 * The most memory that a child of a process held, together with all processes below it, while something was done.
 *
 * @param but children that are not looked at
 */
export const peakBelow = async (
  parent: number,
  but: readonly number[],
  done: () => Promise<unknown>,
): Promise<number> => {
  let peak = 0;
  const ending = new AbortController();
  const looking = (async () => {
    while (!ending.signal.aborted) {
      const children = families();
      for (const child of children.get(parent) ?? [])
        if (!but.includes(child)) peak = Math.max(peak, heldByTree(child, children));
      await sleep(LOOK_MS);
    }
  })();
  try {
    await done();
  } finally {
    ending.abort();
    await looking;
  }
  return peak;
};
