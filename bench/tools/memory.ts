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

/** Child processes by parent. */
const families = (): Map<number, number[]> => {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The name of the program, in brackets, may contain spaces.
    const parent = Number(/\) \S (\d+) /.exec(read(`/proc/${name}/stat`))?.[1]);
    if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
};

/** Proportional memory of a process: shared pages count in part. Bytes. */
const proportionalMemoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1_024;

const heldByTree = (pid: number, children: ReadonlyMap<number, readonly number[]>): number =>
  proportionalMemoryOf(pid) + (children.get(pid) ?? []).reduce((sum, child) => sum + heldByTree(child, children), 0);

/**
 * Peak memory of a child of a process, together with all processes below it, during an operation.
 *
 * @param but children to ignore
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
