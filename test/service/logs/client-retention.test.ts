import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientKey } from '../../../domain/client-key.ts';
import { readClientRetention, startClientRetention } from '../../../service/logs/client-retention.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { CLIENT_RETENTION_CONFIRMED } from '../../../stores/coordination/port.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { FORGOTTEN, KeysUnavailable, type MovableKeys } from '../../../stores/keys/port.ts';

const test = suite('the retention of client addresses');

const NOW = Date.parse('2026-11-20T17:00:00Z');
const YEAR = 365 * 86_400_000;
const ORGANIZATIONS = ['org1', 'org2'];
const MONTHS = ['2025-09', '2025-10', '2025-11', '2026-10', '2026-11'];

interface Round {
  now?: number;
  logTime?: number;
  months?: number;
  using?: MovableKeys;
}

/** Creates keys for clients and visitors of two organizations in some months, and an unrelated key. */
const stage = async () => {
  const keys = createMemoryKeys();
  const coordination = createMemoryCoordination();
  const lines: string[] = [];
  const log = (...words: unknown[]): void => void lines.push(words.map((word) => JSON.stringify(word)).join(' '));
  const sealed = async (month: string, organizationId: string, kind: 'clients' | 'visitors' = 'clients') => {
    const place = { organizationId, field: 'client_address' };
    return { text: await keys.seal(clientKey(kind, organizationId, `${month}-05T00:00:00.000000`), 'x', place), place };
  };
  for (const month of MONTHS) {
    for (const organization of ORGANIZATIONS) {
      await sealed(month, organization);
      await sealed(month, organization, 'visitors');
    }
  }
  await keys.seal('check-2020-01', 'x', { organizationId: 'org1', field: 'x' });
  /** Runs retention once, as a start of the service does. */
  const round = async ({ now = NOW, logTime, months = 13, using = keys }: Round = {}): Promise<void> => {
    const retention = await startClientRetention({
      coordination,
      keys: using,
      months,
      logger: { info: log, warn: log },
      clock: () => now,
      logTime: { now: () => logTime ?? now, trust: () => undefined },
    });
    await retention.firstRound;
    await retention.stop();
  };
  const left = async (): Promise<string[]> => {
    const names = await Promise.all(
      ['clients-', 'visitors-'].map((prefix) => keys.names({ prefix, after: '', limit: 100 })),
    );
    return [...new Set(names.flat().map((name) => name.slice(-7)))].sort();
  };
  return { keys, coordination, lines, round, left, sealed };
};

test('client addresses older than the configured months are deleted in every organization, and the deletion is logged', async () => {
  const { round, left, lines, sealed, keys } = await stage();
  const { text, place } = await sealed('2025-09', 'org2');
  await round();
  assert.equal(await left(), MONTHS.slice(1));
  assert.is(await keys.open(text, place), FORGOTTEN);
  assert.is(lines.length, 1);
  assert.match(lines[0] ?? '', '{"before":"2025-10","keys":4}');
  await round();
  assert.is(lines.length, 1);
});

test('client addresses past retention are deleted immediately when the service starts again after a long time', async () => {
  const { round, left } = await stage();
  await round();
  await round({ now: Date.parse('2027-01-02T00:00:00Z') });
  assert.equal(await left(), ['2026-10', '2026-11']);
});

test('client addresses are never deleted if retention is unlimited', async () => {
  const { round, left } = await stage();
  await round({ months: 0 });
  assert.equal(await left(), MONTHS);
});

test('an interrupted deletion of client addresses is completed in the next round', async () => {
  const { keys, round, left } = await stage();
  let forgets = 0;
  const failing: typeof keys = {
    ...keys,
    forget: async (name) => {
      if (++forgets > 2) throw new KeysUnavailable('The disk is full.');
      return keys.forget(name);
    },
  };
  await round({ using: failing });
  assert.equal(await left(), MONTHS);
  await round();
  assert.equal(await left(), MONTHS.slice(1));
});

test('client addresses of an already deleted month are deleted in the next round if they were stored after the clock was set back', async () => {
  const { round, left, sealed, coordination } = await stage();
  await round();
  const back = NOW - 2 * YEAR;
  let refused = false;
  await sealed('2025-09', 'org1').catch(() => (refused = true));
  assert.ok(refused);
  await sealed('2025-08', 'org1');
  await round({ now: back });
  assert.equal(await left(), MONTHS.slice(1));
  assert.is((await readClientRetention(coordination))?.from, '2025-10-01T00:00:00.000000');
});

test('a clock that is years ahead causes no deletion of client addresses until a person confirms the time', async () => {
  const { round, left, lines, coordination } = await stage();
  await round();
  await round({ now: NOW + 2 * YEAR, logTime: NOW });
  assert.equal(await left(), MONTHS.slice(1));
  assert.match(lines.at(-1) ?? '', 'If the clock is right, run uptrail retention confirm.');
  const wanted = (await readClientRetention(coordination))?.wanted ?? '';
  assert.is(wanted, '2027-10-01T00:00:00.000000');
  await coordination.write(CLIENT_RETENTION_CONFIRMED, wanted);
  await round({ now: NOW + 2 * YEAR, logTime: NOW });
  assert.equal(await left(), []);
});

test('retention of client addresses moves by at most one month in total even if the log also has times that are years ahead', async () => {
  const { round, left } = await stage();
  await round();
  for (let start = 0; start < 5; start++) await round({ now: NOW + 2 * YEAR });
  assert.equal(await left(), MONTHS.slice(2));
});

test.run();
