import { createPublicKey } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { verifiedSender } from '../../../../queries/organizations/email-domain.ts';
import { startService } from '../../service.ts';
import { createStatusPage, invalidFields } from '../pages/status-page.ts';
import { MINUTE_MS } from '../../../../domain/time.ts';

interface EmailDomain {
  page_id: string;
  domain: string;
  from_email: string;
  status: string;
  last_checked_at: string | null;
  verified_at: string | null;
  records: {
    purpose: string;
    type: string;
    name: string;
    value: string;
    status: string;
    error_message: string | null;
  }[];
}

const NOW = Date.UTC(2026, 10, 20, 12);
const at = (minutes: number): string => `${new Date(NOW + minutes * MINUTE_MS).toISOString().slice(0, -1)}000`;

const test = suite('the e-mail domain of a page');
const service = await startService({ now: NOW });
const { request, first, second, dns, keys, readers, stores } = service;
test.after(() => service.stop());
const after = (minutes: number): void => {
  service.time.now = NOW + minutes * MINUTE_MS;
};
test.before.each(() => {
  after(0);
  dns.clear();
});

const EXAMPLE = { domain: 'Example.com', from_email: 'status@example.com' };

const aPage = async () => {
  const page = await createStatusPage(service);
  const path = `${page.path}/email-domain`;
  const send = async (method: string, below: string, body: object | undefined, status: number) => {
    const reply = await request(method, `${path}${below}`, body && { body });
    assert.is(reply.status, status, reply.text);
    return reply.json() as EmailDomain;
  };
  return {
    page,
    path,
    configure: (body: object = EXAMPLE, status = 201) => send('POST', '/records', body, status),
    verify: (status = 200) => send('POST', '/verify', undefined, status),
    read: (status = 200) => send('GET', '', undefined, status),
  };
};

/** Publishes all DNS records of a domain, except those for the purposes in `without`. */
const publish = ({ records }: EmailDomain, without: string[] = []): void => {
  for (const { purpose, name, value } of records) {
    dns.set(name, { known: true, texts: without.includes(purpose) ? [] : [value] });
  }
};
const outcomes = ({ records }: EmailDomain) => records.map(({ purpose, status }) => `${purpose} ${status}`);

const sender = (pageId: string, organizationId = first.id) =>
  verifiedSender({ read: readers.for({ appended: new Map() }), organizationId, keys }, pageId);

test('a page has no e-mail domain before one is set', async () => {
  const { read, verify, path } = await aPage();
  await read(404);
  await verify(404);
  assert.equal(invalidFields(await request('POST', `${path}/records`)), ['domain', 'from_email']);
  const wrong = { domain: 'example.com', from_email: 'status@example.org' };
  assert.equal(invalidFields(await request('POST', `${path}/records`, { body: wrong })), ['from_email']);
  const both = { domain: 'localhost', from_email: 5 };
  assert.equal(invalidFields(await request('POST', `${path}/records`, { body: both })), ['domain', 'from_email']);
  const hostile = { domain: 'example.com', from_email: 'status@example.com\r\nBcc: all@example.com' };
  assert.equal(invalidFields(await request('POST', `${path}/records`, { body: hostile })), ['from_email']);
  await read(404);
});

test('an e-mail domain has a key of its own and DNS records to publish', async () => {
  const { page, path, configure, read } = await aPage();
  const reply = await request('POST', `${path}/records`, { body: EXAMPLE });
  assert.equal([reply.status, reply.headers.location], [201, path]);
  const domain = reply.json() as EmailDomain;
  const { records, ...rest } = domain;
  assert.equal(rest, {
    page_id: page.id,
    domain: 'example.com',
    from_email: 'status@example.com',
    status: 'pending',
    last_checked_at: null,
    verified_at: null,
  });
  assert.equal(
    records.map(({ purpose, type, status, error_message }) => [purpose, type, status, error_message]),
    ['dkim', 'spf', 'dmarc', 'ownership'].map((purpose) => [purpose, 'TXT', 'pending', null]),
  );
  const [dkim, spf, dmarc, ownership] = records;
  assert.match(dkim?.name ?? '', /^uptrail-[a-z0-9]{12}\._domainkey\.example\.com$/);
  const key = /^v=DKIM1; k=rsa; p=([A-Za-z0-9+/=]+)$/.exec(dkim?.value ?? '')?.[1] ?? '';
  const { asymmetricKeyDetails } = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  assert.is(asymmetricKeyDetails?.modulusLength, 2_048);
  assert.equal([spf?.name, spf?.value], ['example.com', 'v=spf1 include:mail.example.com ~all']);
  assert.equal([dmarc?.name, dmarc?.value], ['_dmarc.example.com', 'v=DMARC1; p=none']);
  assert.match(ownership?.value ?? '', /^uptrail-verification=[\w-]{32}$/);
  assert.equal(await read(), domain);
  assert.equal(await configure(), domain);
});

test('the private key of an e-mail domain is in no response and no event', async () => {
  const { configure, read } = await aPage();
  await configure();
  const seen = [JSON.stringify(await read()), (await request('GET', '/v1/audit', { key: first.keys.admin })).text];
  const events = await stores.main.readAll({ after: 0n, limit: 10_000 });
  for (const text of [...seen, ...events.map(({ data }) => JSON.stringify(data))]) {
    assert.not.match(text, /PRIVATE KEY/);
  }
});

test('an e-mail domain is verified when the records of ownership and key are found, and is used for e-mail afterwards', async () => {
  const { page, configure, verify, read } = await aPage();
  publish(await configure(), ['spf', 'dmarc']);
  assert.is(await sender(page.id), null);
  after(1);
  const domain = await verify();
  assert.equal([domain.status, domain.verified_at, domain.last_checked_at], ['verified', at(1), at(1)]);
  assert.equal(outcomes(domain), ['dkim verified', 'spf failed', 'dmarc failed', 'ownership verified']);
  assert.is(domain.records[1]?.error_message, 'There is no SPF record at example.com.');
  assert.equal(await read(), domain);

  const found = await sender(page.id);
  assert.equal([found?.from_email, found?.domain], ['status@example.com', 'example.com']);
  assert.is(`${found?.selector ?? ''}._domainkey.example.com`, domain.records[0]?.name);
  const published = createPublicKey(found?.privateKey ?? '').export({ type: 'spki', format: 'der' });
  assert.is(domain.records[0]?.value, `v=DKIM1; k=rsa; p=${published.toString('base64')}`);
  assert.is(await sender(page.id, second.id), null);
  await keys.forget(`email_domain-${page.id}`);
  assert.is(await sender(page.id), null);
});

test('an e-mail domain stays pending while the record that proves its ownership is missing, or while DNS lookups fail', async () => {
  const { page, configure, verify } = await aPage();
  const domain = await configure();
  publish(domain, ['ownership']);
  assert.is((await verify()).status, 'pending');
  for (const { name } of domain.records) dns.set(name, { known: false, reason: 'No answer from 127.0.0.1:53.' });
  after(1);
  const unsure = await verify();
  assert.is(unsure.status, 'pending');
  assert.equal(outcomes(unsure), ['dkim verified', 'spf verified', 'dmarc verified', 'ownership failed']);
  assert.is(unsure.records[0]?.error_message, 'No answer from 127.0.0.1:53.');
  assert.is(await sender(page.id), null);
});

test('an e-mail domain is looked up at most every 15 seconds', async () => {
  const { configure, verify } = await aPage();
  const domain = await configure();
  assert.is((await verify()).status, 'pending');
  publish(domain);
  after(0.2);
  const again = await verify();
  assert.equal([again.status, again.last_checked_at], ['pending', at(0)]);
  after(0.25);
  assert.is((await verify()).status, 'verified');
});

test('a change to another address at the same e-mail domain keeps the key, and a change to another domain starts over with a new key', async () => {
  const { page, configure, verify, read } = await aPage();
  publish(await configure());
  const verified = await verify();
  assert.is(verified.status, 'verified');
  const moved = await configure({ domain: 'example.com', from_email: 'news@example.com' });
  assert.equal(moved, { ...verified, from_email: 'news@example.com' });
  assert.is((await sender(page.id))?.from_email, 'news@example.com');

  const other = await configure({ domain: 'example.net', from_email: 'status@example.net' });
  assert.equal([other.status, other.domain, other.verified_at], ['pending', 'example.net', null]);
  assert.is.not(other.records[0]?.name.split('.')[0], verified.records[0]?.name.split('.')[0]);
  assert.is(await sender(page.id), null);
  await configure();
  const { records } = await read();
  assert.is.not(records[3]?.value, verified.records[3]?.value);
});

test('each page must verify its e-mail domain separately', async () => {
  const [one, other] = [await aPage(), await aPage()];
  const [mine, theirs] = [await one.configure(), await other.configure()];
  publish(mine);
  assert.is((await one.verify()).status, 'verified');
  assert.is((await other.verify()).status, 'pending');
  const ownership = [mine, theirs].map(({ records }) => records[3]);
  dns.set('_uptrail.example.com', { known: true, texts: ownership.map((record) => record?.value ?? '') });
  const [dkim] = theirs.records;
  dns.set(dkim?.name ?? '', { known: true, texts: [dkim?.value ?? ''] });
  after(1);
  assert.equal([(await one.verify()).status, (await other.verify()).status], ['verified', 'verified']);
});

test('a viewer can read but not change an e-mail domain', async () => {
  const { path, configure } = await aPage();
  await configure();
  const key = first.keys.viewer;
  assert.is((await request('GET', path, { key })).status, 200);
  assert.is((await request('POST', `${path}/verify`, { key })).status, 403);
  assert.is((await request('POST', `${path}/records`, { key, body: EXAMPLE })).status, 403);
});

test('an e-mail domain is deleted with its page', async () => {
  const { page, configure, verify, read } = await aPage();
  publish(await configure());
  assert.is((await verify()).status, 'verified');
  await request('DELETE', page.path);
  await read(404);
  await verify(404);
  await configure(EXAMPLE, 404);
  assert.is(await sender(page.id), null);
});

test('the audit log shows who set an e-mail domain and when it was verified', async () => {
  const { page, configure, verify } = await aPage();
  publish(await configure());
  after(1);
  await verify();
  const reply = await request('GET', `/v1/audit?resource_type=email_domain&resource_id=${page.id}`, {
    key: first.keys.admin,
  });
  const { audit_logs: entries } = reply.json() as { audit_logs: { action: string; resource_name: string }[] };
  assert.equal(
    entries.map(({ action, resource_name }) => [action, resource_name]),
    [
      ['email_domain.verified', 'example.com'],
      ['email_domain.configured', 'example.com'],
    ],
  );
});

test.run();
