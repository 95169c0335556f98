import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { endPrograms, serve, uptrail } from '../program.ts';
import { eventually } from '../../waiting.ts';

interface Payment {
  id: string;
  status: string;
  invoice_number: string | null;
  confirmation_url: string | null;
}

const test = suite('payments of a running service');
test.after.each(endPrograms);

const limits = { checks: 10 };
const plan = (id: string, value: string) => ({
  id,
  name: id,
  price: { value, currency: 'EUR' },
  duration: 30,
  limits,
  ...(id === 'free' && { default: true }),
});

test(
  'a plan is ordered, invoiced, settled and takes effect, and invoice numbers have no gaps in spite of kill -9',
  inTemporaryFolder(async (DATA_DIR) => {
    const file = (name: string, content: unknown): string => {
      const path = join(DATA_DIR, '..', `${name}-${process.pid}.json`);
      writeFileSync(path, JSON.stringify(content));
      return path;
    };
    const names = Array.from({ length: 6 }, (_, index) => `plan-${index}`);
    const environment = {
      DATA_DIR,
      PLANS_FILE: file('plans', [plan('free', '0.00'), ...names.map((name) => plan(name, '49.90'))]),
      INVOICE_SELLER_FILE: file('seller', { name: 'Uptrail Hosting', payment_details: 'IBAN DE02' }),
    };
    let program = await serve(environment);
    const key = readFileSync(join(DATA_DIR, 'admin-api-key'), 'utf8').trim();
    const request = async (method: string, path: string, body?: object): Promise<Response> =>
      fetch(program.address + path, {
        method,
        headers: {
          authorization: key,
          ...(body && { 'content-type': 'application/json', 'idempotency-key': JSON.stringify(body) }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const payments = async (): Promise<Payment[]> =>
      ((await (await request('GET', '/v1/payments')).json()) as { payments: Payment[] }).payments;

    for (const name of names) {
      const reply = await request('POST', '/v1/payments', { plan_id: name });
      assert.is(reply.status, 201, await reply.text());
      if (name === 'plan-2' || name === 'plan-4') {
        await program.end('SIGKILL');
        program = await serve(environment);
      }
    }
    const all = await eventually(async () => {
      const found = await payments();
      return found.every(({ invoice_number }) => invoice_number !== null) && found;
    });
    const year = new Date().getUTCFullYear().toString();
    assert.equal(
      all.map(({ invoice_number }) => invoice_number).sort(),
      names.map((_, index) => `${year}-${(index + 1).toString().padStart(6, '0')}`),
    );

    const [payment] = all;
    assert.ok(payment);
    const invoice = await fetch(program.address + (payment.confirmation_url ?? ''));
    assert.is(invoice.headers.get('content-type'), 'application/pdf');
    assert.is((await invoice.text()).slice(0, 5), '%PDF-');

    const settled = await uptrail(environment, 'payments', 'settle', payment.id);
    assert.is(settled.stdout, `The payment ${payment.id} is settled.\n`, settled.stderr);
    const again = await uptrail(environment, 'payments', 'settle', payment.id);
    assert.is(again.code, 1);
    assert.match(again.stderr, /was already settled/);
    const organization = async () => {
      const [own] = (await (await request('GET', '/v1/organizations')).json()) as { id: string }[];
      const reply = await request('GET', `/v1/organizations/${own?.id ?? ''}/subscriptions`);
      return (await reply.json()) as { plan: { id: string } }[];
    };
    await eventually(async () => (await organization()).length > 0);
    assert.is((await organization())[0]?.plan.id, 'plan-5');
    const pending = await uptrail(environment, 'payments', 'list', '--pending', '--json');
    assert.is(pending.stdout.trim().split('\n').length, names.length - 1);
  }),
);

test.run();
