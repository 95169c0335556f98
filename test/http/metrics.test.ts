import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRegistry } from '../../http/metrics.ts';
import { eventually, realPause } from '../waiting.ts';

const test = suite('event loop metrics');

const KINDS = ['min', 'max', 'mean', 'p50', 'p90', 'p99'] as const;

const lags = async (registry: ReturnType<typeof createRegistry>): Promise<number[]> => {
  const text = await registry.metrics();
  return KINDS.map((kind) => {
    const found = new RegExp(`^nodejs_eventloop_lag_${kind}_seconds (\\S+)$`, 'm').exec(text);
    if (!found) throw new Error(`There is no ${kind}.`);
    return Number(found[1]);
  });
};

test('the event loop lag is 0 without measurements', async () => {
  assert.equal(await lags(createRegistry()), [0, 0, 0, 0, 0, 0]);
});

test('the event loop lag does not include the measuring interval', async () => {
  const registry = createRegistry();
  const [least = 0, ...others] = await eventually(async () => {
    await realPause(600, 'the loop is measured in real time');
    const shown = await lags(registry);
    // A busy machine can delay some measurements, but the smallest one is realistic after a few attempts.
    return shown.some((lag) => lag > 0) && (shown[0] ?? 1) < 0.025 && shown;
  });
  for (const lag of others) assert.ok(lag >= least);
});

test('the event loop lag shows a blocked event loop', async () => {
  const registry = createRegistry();
  await eventually(async () => {
    await realPause(300, 'a measurement comes first');
    const end = performance.now() + 600;
    while (performance.now() < end);
    await realPause(10, 'the late measurement comes');
    const [, most = 0] = await lags(registry);
    return most > 0.1;
  });
});

test.run();
