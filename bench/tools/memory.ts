import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 50;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
};

/** Returns the ids of child processes by the id of their parent. */
const families = (): Map<number, number[]> => {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The name of the program is in brackets and may contain spaces.
    const parent = Number(/\) \S (\d+) /.exec(read(`/proc/${name}/stat`))?.[1]);
    if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
};

/** Returns the proportional memory (PSS) of a process in bytes, in which a page shared by n processes counts as 1/n. */
const proportionalMemoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1_024;

const heldByTree = (pid: number, children: ReadonlyMap<number, readonly number[]>): number =>
  proportionalMemoryOf(pid) + (children.get(pid) ?? []).reduce((sum, child) => sum + heldByTree(child, children), 0);

/**
 * Returns the peak memory of a process's child during an operation. The memory of a child includes that of all its
 * descendants.
 *
 * @param but ids of children to ignore
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
