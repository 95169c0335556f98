import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { emailDomains } from '../../projections/email-domains/projection.ts';
import { domainLogLine, type EmailDomainChange } from '../../reactors/email-domains.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { startService } from '../api/service.ts';
import { createStatusPage } from '../api/v1/pages/status-page.ts';
import { startOnService } from './start-on-service.ts';
import { shortPause } from './reactor-harness.ts';
import { eventually } from '../waiting.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';

const test = suite('the email-domains reactor');

const START = Date.UTC(2026, 10, 20, 12);

interface EmailDomain {
  status: string;
  last_checked_at: string | null;
  records: { name: string; value: string }[];
}

/** Starts a service with a page that has an e-mail domain. The reactor can be started and killed. */
const stage = async () => {
  const service = await startService({ now: START });
  const { stores, readers, time, dns, request } = service;
  const coordination = createMemoryCoordination();
  const page = await createStatusPage(service);
  const path = `${page.path}/email-domain`;
  const body = { domain: 'example.com', from_email: 'status@example.com' };
  const { records } = (await request('POST', `${path}/records`, { body })).json() as EmailDomain;
  const logged: string[] = [];
  let lookups = 0;

  const start = ({ dies = false } = {}) =>
    startOnService(
      service,
      'email-domains',
      { coordination, logged, dies },
      {
        lookUpTexts: async (name) => {
          lookups += 1;
          return dns.get(name) ?? { known: true, texts: [] };
        },
      },
    );

  const document = async () => {
    const found = await readers.for({ appended: new Map() })(emailDomains).email_domains.get(page.id);
    if (!found) throw new Error('There is no domain.');
    return found;
  };
  return {
    time,
    dns,
    logged,
    start,
    page,
    path,
    request,
    document,
    publish: (without: readonly string[] = []): void => {
      for (const { name, value } of records) {
        const gone = without.some((part) => name.includes(part));
        dns.set(name, { known: true, texts: gone ? [] : [value] });
      }
    },
    trouble: (): void => {
      for (const { name } of records) dns.set(name, { known: false, reason: 'No answer.' });
    },
    asked: () => lookups,
    /** Sets the clock, and waits until the domain was looked up at that time. */
    checkedAt: async (now: number) => {
      time.now = now;
      const at = `${new Date(now).toISOString().slice(0, -1)}000`;
      return eventually(async () => {
        const found = await document();
        return found.last_checked_at === at && found;
      });
    },
    checks: async (): Promise<number> =>
      (await stores.main.readAll({ after: 0n })).filter(({ type }) => type === 'EmailDomainChecked').length,
    stop: service.stop,
  };
};

test('an e-mail domain is looked up every day, and its verification and failure are recorded', async () => {
  const { start, publish, trouble, checkedAt, document, time, asked, stop } = await stage();
  const end = start();
  time.now = START + DAY_MS - 1;
  for (let pauses = 0; pauses < 5; pauses++) await shortPause();
  assert.is(asked(), 0);
  publish();
  assert.is((await checkedAt(START + DAY_MS)).status, 'verified');
  publish(['_domainkey']);
  assert.is((await checkedAt(START + 2 * DAY_MS)).status, 'verified');
  assert.is((await checkedAt(START + 3 * DAY_MS)).status, 'verified');
  // The lookup at the end of the three days gives no result, so the domain does not fail yet.
  trouble();
  assert.is((await checkedAt(START + 4 * DAY_MS)).status, 'verified');
  assert.is((await checkedAt(START + 4 * DAY_MS + 6 * HOUR_MS)).status, 'verified');
  publish(['_domainkey']);
  const failed = await checkedAt(START + 5 * DAY_MS);
  assert.is(failed.status, 'failed');
  publish();
  assert.is((await checkedAt(START + 6 * DAY_MS)).status, 'verified');
  assert.is((await document()).verified_at, '2026-11-26T12:00:00.000000');
  await end();
  await stop();
});

test('the lookup of an e-mail domain that was due while the service was down is made once', async () => {
  const { start, publish, checkedAt, checks, stop } = await stage();
  publish();
  const end = start();
  await checkedAt(START + DAY_MS);
  await end();
  const again = start();
  await checkedAt(START + 9 * DAY_MS);
  await again();
  const third = start();
  for (let pauses = 0; pauses < 5; pauses++) await shortPause();
  await third();
  assert.is(await checks(), 2);
  await stop();
});

test('the lookup of an e-mail domain is recorded once, even if the process dies before it receives the response to the append', async () => {
  const { start, publish, checkedAt, checks, time, stop } = await stage();
  publish();
  const end = start({ dies: true });
  assert.is((await checkedAt(START + DAY_MS)).status, 'verified');
  await end();
  const again = start();
  time.now = START + DAY_MS + HOUR_MS;
  for (let pauses = 0; pauses < 5; pauses++) await shortPause();
  assert.is(await checks(), 1);
  await again();
  await stop();
});

test('an e-mail domain that was looked up on request is not looked up again until a day later', async () => {
  const { start, publish, path, request, time, asked, checkedAt, stop } = await stage();
  publish();
  time.now = START + DAY_MS - HOUR_MS;
  await request('POST', `${path}/verify`);
  const end = start();
  time.now = START + DAY_MS;
  for (let pauses = 0; pauses < 5; pauses++) await shortPause();
  assert.is(asked(), 0);
  await checkedAt(START + 2 * DAY_MS - HOUR_MS);
  await end();
  await stop();
});

test('the e-mail domain of a deleted page is not looked up any more', async () => {
  const { start, page, request, time, asked, logged, stop } = await stage();
  const end = start();
  await request('DELETE', page.path);
  time.now = START + DAY_MS;
  for (let pauses = 0; pauses < 5; pauses++) await shortPause();
  assert.is(asked(), 0);
  assert.equal(logged, []);
  await end();
  await stop();
});

test('the verification and the failure of an e-mail domain are logged for operators', () => {
  const lines: string[] = [];
  const tell = (change: EmailDomainChange): void => {
    const [level, , line] = domainLogLine(change);
    lines.push(`${level}: ${line}`);
  };
  const page_id = 'page00000001';
  tell({ type: 'EmailDomainVerified', data: { page_id, domain: 'example.com', verified_at: '' } });
  tell({
    type: 'EmailDomainFailed',
    data: { page_id, domain: 'example.com', failed_at: '', problems: ['It is gone.'] },
  });
  assert.equal(lines, [
    'info: E-mail domain example.com is verified.',
    'warn: E-mail domain example.com failed, so mail about its page is sent from MAIL_FROM: It is gone.',
  ]);
});

test.run();
