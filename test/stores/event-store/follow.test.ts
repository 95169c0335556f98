import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../domain/event.ts';
import { createGrowth, followLog, type LogScan } from '../../../stores/event-store/follow.ts';
import { StoreUnavailable } from '../../../stores/event-store/port.ts';
import { event } from '../../contracts/event-store/events.ts';
import { rejects } from '../../rejects.ts';

const test = suite('following a log');

const at = (position: bigint): RecordedEvent => ({ ...event(), stream: 'ship-1', revision: position, position });
type Found = Omit<LogScan, 'atEnd'> & Partial<Pick<LogScan, 'atEnd'>>;

const nothing: Found = { events: [], upTo: 0n };

/** Follows a log whose scans return the given results one after another. Stops after the last result. */
const followThrough = async (scans: ((grow: () => void) => Found | Error)[]): Promise<bigint[]> => {
  const ending = new AbortController();
  const growth = createGrowth();
  const seen: bigint[] = [];
  let next = 0;
  const scan = async (after: bigint): Promise<LogScan> => {
    const found = scans[next++]?.(growth.grew) ?? nothing;
    if (next >= scans.length) ending.abort();
    // The result arrives late, as over a network, and does not contain events appended during the scan.
    await new Promise(setImmediate);
    if (found instanceof Error) throw found;
    return { atEnd: false, ...found, upTo: found.upTo > after ? found.upTo : after };
  };
  for await (const page of followLog(scan, growth, { after: 0n, signal: ending.signal })) {
    seen.push(...page.map(({ position }) => position));
  }
  return seen;
};

test('follow scans again if the log grew during a scan', async () => {
  const seen = await followThrough([
    (grow) => {
      setImmediate(grow);
      grow();
      return nothing;
    },
    () => ({ events: [at(3n)], upTo: 3n }),
  ]);
  assert.equal(seen, [3n]);
});

test('follow continues to scan when a filter matches no event in several scans', async () => {
  const seen = await followThrough([
    () => ({ events: [], upTo: 10_000n }),
    () => ({ events: [], upTo: 20_000n }),
    () => ({ events: [at(20_001n)], upTo: 20_001n }),
  ]);
  assert.equal(seen, [20_001n]);
});

test('follow waits at the end of the log without another scan', async () => {
  const growth = createGrowth();
  const ending = new AbortController();
  let scans = 0;
  let scansBefore = 0;
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
  };
  const scan = async (after: bigint): Promise<LogScan> => ({
    events: [at(after + 1n)],
    upTo: after + 1n,
    atEnd: ++scans !== 1,
  });
  const seen: bigint[] = [];
  for await (const page of followLog(scan, growth, { after: 0n, signal: ending.signal })) {
    seen.push(...page.map(({ position }) => position));
    if (scans === 2) {
      void turns(10).then(() => {
        scansBefore = scans;
        growth.grew();
      });
    }
    if (scans === 3) ending.abort();
  }
  assert.equal(seen, [1n, 2n, 3n]);
  assert.is(scansBefore, 2);
});

test('follow misses no event appended to the end while a page is handled', async () => {
  const growth = createGrowth();
  const ending = new AbortController();
  const log = [1n];
  const scan = async (after: bigint): Promise<LogScan> => {
    const events = log.filter((position) => position > after).map(at);
    return { events, upTo: events.at(-1)?.position ?? after, atEnd: true };
  };
  const seen: bigint[] = [];
  for await (const page of followLog(scan, growth, { after: 0n, signal: ending.signal })) {
    seen.push(...page.map(({ position }) => position));
    if (seen.length === 3) ending.abort();
    log.push(BigInt(log.length + 1));
    growth.grew();
  }
  assert.equal(seen, [1n, 2n, 3n]);
});

test('follow retries while the store is unavailable', async () => {
  const seen = await followThrough([
    () => ({ events: [at(1n)], upTo: 1n }),
    () => new StoreUnavailable('connection lost'),
    () => ({ events: [at(2n)], upTo: 2n }),
  ]);
  assert.equal(seen, [1n, 2n]);
});

test('follow throws an error that is caused by a bug', async () => {
  await rejects(followThrough([() => new TypeError('undefined is not a function'), () => nothing]), TypeError);
});

test('follow watches for growth only while it has waiters', async () => {
  let watching = 0;
  const growth = createGrowth(() => {
    watching++;
    return () => watching--;
  });
  const { signal } = new AbortController();
  const waiting = [growth.changed(growth.count, signal), growth.changed(growth.count, signal)];
  assert.is(watching, 1);
  growth.grew();
  await Promise.all(waiting);
  assert.is(watching, 0);
  await growth.changed(growth.count - 1, signal);
  assert.is(watching, 0);
});

test.run();
