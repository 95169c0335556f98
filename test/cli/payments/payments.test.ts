import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeHistory } from '../../../cli/history/history.ts';
import { cancel, listPayments, settle } from '../../../cli/payments/payments.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import { invoiceProvider } from '../../../commands/payments/invoices.ts';
import { IllegalState, NotFound } from '../../../domain/errors.ts';
import { instantOf } from '../../../domain/time.ts';
import { existing, paymentDecider } from '../../../domain/payment/state.ts';
import { storePayment } from '../../api/payments.ts';
import { startService } from '../../api/service.ts';
import { rejects } from '../../rejects.ts';
import { forTeam, ORDERED_AT, SELLER } from '../../payments.ts';
import { collectLines } from '../../service/lines.ts';

const test = suite('uptrail payments');
const service = await startService();
const { first, second, stores, time } = service;
test.after(() => service.stop());

const handle = createHandle({ store: stores.main, clock: () => time.now });

const one = await storePayment(service, first.id);
const other = await storePayment(service, second.id, {
  created_at: '2026-11-21T15:00:00.000000',
  payment: forTeam({ description: 'Team\u001b[2J', amount: { amount: 1_234, currency: 'KWD' } }),
});
const context = service.context(first.id, randomUUID());
await invoiceProvider({ handle }, SELLER).begin(existing(await handle.load(one, paymentDecider, context)), context);

const caughtUp = async (): Promise<void> => {
  const last = (await stores.main.readAll({ after: 0n })).at(-1);
  await service.readers.waitFor(['payments'], { appended: new Map([['main', last?.position ?? 0n]]) });
};

const listed = async (options: { pending?: boolean; json?: boolean } = {}): Promise<string[]> => {
  await caughtUp();
  const collected = collectLines();
  await listPayments(
    service.readers.for({ appended: new Map() }),
    { pending: false, json: false, ...options },
    collected,
  );
  return collected.lines;
};

const ran = async (command: typeof settle, id: string): Promise<string[]> => {
  const output = collectLines();
  await command({ handle }, id, output);
  return output.lines;
};

test('uptrail payments list lists the payments of all organizations, newest first, and escapes control characters', async () => {
  const [, ...lines] = await listed();
  assert.equal(
    lines.map((line) => line.split(/ {2,}/)),
    [
      [other, second.id, 'pending', 'none yet', '1.234 KWD', 'Team\ufffd[2J', '2026-11-21T15:00:00'],
      [one, first.id, 'pending', '2026-000001', '49.90 EUR', 'Team, 30 days', ORDERED_AT.slice(0, 19)],
    ],
  );
});

test('uptrail payments settles or cancels a payment of any organization once, and lists pending payments', async () => {
  assert.equal(await ran(settle, one), [`The payment ${one} is settled.`]);
  await rejects(ran(settle, one), IllegalState, /was already settled/);
  await rejects(ran(cancel, one), IllegalState, /was settled on .*, so it can't be canceled/);
  assert.equal(
    (await listed({ pending: true, json: true })).map((line) => (JSON.parse(line) as { id: string }).id),
    [other],
  );
  assert.equal(await ran(cancel, other), [`The payment ${other} is canceled.`]);
  await rejects(ran(settle, other), IllegalState, /was canceled on .*, so it can't be settled/);
  assert.equal(await listed({ pending: true, json: true }), []);
  await rejects(ran(settle, 'nobodys00001'), NotFound);
});

test('uptrail payments list --json shows a payment without its signed link', async () => {
  const printed = collectLines();
  const selection = { kind: 'payment', id: one, at: instantOf(time.now + 1_000), json: true };
  await writeHistory(selection, { main: stores.main, keys: service.keys }, printed);
  const { id, invoice_number } = JSON.parse(printed.lines.join('')) as { id: string; invoice_number: string };
  assert.equal([id, invoice_number], [one, '2026-000001']);
});

test('uptrail payments list --json shows the same fields as the API, except the link', async () => {
  const [, line = ''] = await listed({ json: true });
  const path = `/v1/payments/${one}`;
  const shown = (await service.request('GET', path, { key: first.keys.billing })).json() as Record<string, unknown>;
  delete shown['confirmation_url'];
  assert.equal(JSON.parse(line), shown);
});

test.run();
