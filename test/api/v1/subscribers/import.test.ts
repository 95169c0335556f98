import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unsubscribe } from '../../../../commands/pages/subscribers.ts';
import { commandContext, derivedUuid } from '../../../../commands/engine/context.ts';
import { importSubscribers } from '../../../../api/v1/subscribers/import/import.ts';
import { SELF_HOSTED } from '../../../../domain/organization/plans.ts';
import { instantOf } from '../../../../domain/time.ts';
import { subscribers } from '../../../../projections/subscribers/projection.ts';
import { findPage } from '../../../../queries/pages/pages.ts';
import { eventually } from '../../../waiting.ts';
import { startService, type ServiceRequest } from '../../service.ts';

const test = suite('import and export of subscribers');
const service = await startService({ signUps: { smsPerDay: 2 } });
const { first, second } = service;
test.after(() => service.stop());

const LINE = {
  mode: 'email',
  phone_number: null,
  phone_country: null,
  endpoint: null,
  component_ids: null,
  incident_id: null,
  deliver_notifications: true,
  skip_confirmation_notification: null,
  status: '',
} as const;

interface Imported {
  results: {
    line: number;
    id: string | null;
    status: number;
    error: { message: string; errors: Record<string, string[]> } | null;
  }[];
  counts: { added: number; unchanged: number; refused: number };
}
type Shown = Record<string, unknown> & { id: string };

const ADMIN: ServiceRequest = { key: first.keys.admin };

let pages = 0;
const newPage = async (settings: object = {}): Promise<string> => {
  const body = { name: `Page ${pages++}`, allow_sms_subscribers: true, ...settings };
  return String((await service.request('POST', '/v1/pages', { body })).headers.location);
};

const send = (page: string, csv: string, query = '', { headers, ...ask }: ServiceRequest = {}) =>
  service.request('POST', `${page}/subscribers/import${query}`, {
    ...ask,
    body: csv,
    headers: { 'content-type': 'text/csv', ...headers },
  });

const imported = async (page: string, csv: string, query = ''): Promise<Imported> => {
  const reply = await send(page, csv, query);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Imported;
};
const statuses = ({ results }: Imported): number[] => results.map(({ status }) => status);

const listed = async (page: string, query = ''): Promise<Shown[]> =>
  (await service.request('GET', `${page}/subscribers${query}`)).json() as Shown[];
const known = async (page: string, count: number): Promise<Shown[]> => {
  await eventually(async () => (await listed(page)).length === count);
  return listed(page);
};

const exported = async (page: string, query = ''): Promise<string[][]> => {
  const reply = await service.request('GET', `${page}/subscribers/export${query}`, ADMIN);
  assert.is(reply.status, 200, reply.text);
  assert.match(String(reply.headers['content-type']), /^text\/csv/);
  return reply.text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
};

let commands = 0;
const ownContext = () =>
  commandContext({
    actor: { kind: 'system', id: 'test', role: null },
    organizationId: first.id,
    correlationId: 'test',
    commandId: derivedUuid(`import ${commands++}`),
    repeatable: false,
    now: instantOf(service.time.now),
  });
const ends = async (id: string): Promise<void> => {
  const context = ownContext();
  await service.commands.bind(unsubscribe)(id, 1, context);
  await service.readers.waitFor([subscribers.name], context);
};

test('each line of an import becomes a subscriber who receives a confirmation request', async () => {
  const page = await newPage();
  const csv = [
    'mode,email,phone_number,phone_country,endpoint',
    'email,ivan@example.com,,,',
    'sms,,+7 912 345-67-89,RU,',
    'webhook,anna@example.com,,,https://hooks.example.com/a',
  ].join('\n');
  const { results, counts } = await imported(page, csv);
  assert.equal(counts, { added: 3, unchanged: 0, refused: 0 });
  assert.equal(
    results.map(({ line, status, error }) => [line, status, error]),
    [
      [2, 201, null],
      [3, 201, null],
      [4, 201, null],
    ],
  );
  const all = await known(page, 3);
  assert.equal(new Set(all.map(({ id }) => id)), new Set(results.map(({ id }) => id)));
  assert.ok(all.every(({ has_pending_verification }) => has_pending_verification === true));
});

test('an import can skip the confirmation for all lines or for single lines', async () => {
  const page = await newPage();
  const csv =
    'email,skip_confirmation_notification,status\na@example.com,,\nb@example.com,no,\nc@example.com,,pending\n';
  assert.is((await imported(page, csv, '?skip_confirmation_notification=true')).counts.added, 3);
  const all = await known(page, 3);
  assert.equal(
    new Map(all.map((one) => [one['email'], one['is_verified']])),
    new Map([
      ['a***@example.com', true],
      ['b***@example.com', false],
      ['c***@example.com', false],
    ]),
  );
});

test('importing the same file again changes nothing', async () => {
  const page = await newPage();
  const csv = 'email\nivan@example.com\nanna@example.com\nIVAN@example.com\n';
  assert.equal(statuses(await imported(page, csv)), [201, 201, 200]);
  const before = await known(page, 2);
  assert.equal(statuses(await imported(page, csv)), [200, 200, 200]);
  assert.equal(await listed(page), before);
  // A later file does not change confirmed subscribers.
  assert.equal(statuses(await imported(page, csv, '?skip_confirmation_notification=true')), [201, 201, 200]);
  assert.equal(statuses(await imported(page, csv, '?skip_confirmation_notification=true')), [200, 200, 200]);
});

test('subscribers who have unsubscribed receive no new confirmation request from an import', async () => {
  const page = await newPage();
  const csv = 'email\nivan@example.com\n';
  const [one] = (await imported(page, csv, '?skip_confirmation_notification=true')).results;
  await ends(one?.id ?? '');
  const { results } = await imported(page, csv, '?skip_confirmation_notification=true');
  assert.equal(results, [
    {
      line: 2,
      id: one?.id ?? '',
      status: 409,
      error: { message: 'The receiver has ended this subscription.', errors: {} },
    },
  ]);
  assert.equal(await listed(page), []);
});

test('a line is imported if an earlier line for the same subscriber was refused', async () => {
  const page = await newPage();
  const csv = 'email\nivan@example.com\n';
  const [one] = (await imported(page, csv, '?skip_confirmation_notification=true')).results;
  await ends(one?.id ?? '');
  assert.equal(statuses(await imported(page, `${csv}Ivan@example.com\nIVAN@example.com\n`)), [409, 409, 409]);
});

test('an address that starts like an escaped formula survives export and import', async () => {
  const emails = ["'=cmd@example.com", "''+cmd@example.com", "'ivan@example.com", '=cmd@example.com'];
  const page = await newPage();
  for (const email of emails) {
    const body = { mode: 'email', email, skip_confirmation_notification: true };
    assert.is((await service.request('POST', `${page}/subscribers`, { body })).status, 201, email);
  }
  await known(page, emails.length);
  const { text } = await service.request('GET', `${page}/subscribers/export`, ADMIN);
  const other = await newPage();
  await imported(other, text, '?skip_confirmation_notification=true');
  await known(other, emails.length);
  const again = await exported(other);
  const at = again[0]?.indexOf('email') ?? 0;
  assert.equal(
    again
      .slice(1)
      .map((line) => line[at])
      .sort(),
    ["''=cmd@example.com", "'''+cmd@example.com", "'ivan@example.com", "'=cmd@example.com"].sort(),
  );
});

test('a line of an import for a subscriber who wants no messages is not imported', async () => {
  const page = await newPage();
  const csv = 'email,state\na@example.com,unsubscribed\nb@example.com,Quarantined\n';
  assert.equal(statuses(await imported(page, csv)), [409, 409]);
});

test('files of Statuspage can be imported, with a header and without', async () => {
  const page = await newPage();
  const template =
    'email,ivan@example.com,yes\nsms,9123456789,RU\nwebhook,https://hooks.example.com/b,anna@example.com\n';
  assert.equal(statuses(await imported(page, template)), [201, 201, 201]);
  const all = await known(page, 3);
  assert.is(all.find(({ mode }) => mode === 'email')?.['is_verified'], true);
  const other = await newPage();
  const file = 'Type;Email;Country Code;Created At\nemail;ivan@example.com;;2020-01-01\nslack;;;\n';
  const { results } = await imported(other, file);
  assert.equal(
    results.map(({ status, error }) => [status, error?.errors ?? null]),
    [
      [201, null],
      [422, { mode: ['Must be one of email, sms, webhook.'] }],
    ],
  );
});

test('the error for an invalid line of an import names the invalid columns, and all other lines are imported', async () => {
  const page = await newPage();
  const csv = [
    'mode,email,phone_number,phone_country,component_ids,deliver_notifications',
    'email,nobody,,,,',
    'sms,,12,RU,,',
    'email,a@example.com,,,k3v9x0q2m7ab,',
    'email,a@example.com,,,,perhaps',
    'email,a***@example.com,,,,',
    'email,a@example.com,,,,no',
  ].join('\n');
  const { results, counts } = await imported(page, csv);
  assert.equal(counts, { added: 1, unchanged: 0, refused: 5 });
  assert.equal(
    results.map(({ status, error }) => [status, Object.keys(error?.errors ?? {})]),
    [
      [422, ['email']],
      [422, ['phone_number']],
      [422, ['component_ids']],
      [422, ['deliver_notifications']],
      [422, ['email']],
      [201, []],
    ],
  );
  const [one] = await known(page, 1);
  assert.is(one?.['deliver_notifications'], false);
});

test('a cell longer than any address is refused without validating its format', async () => {
  const page = await newPage();
  const long = 'a.'.repeat(5_000);
  const csv = [
    'mode,email,phone_number,phone_country,endpoint',
    `email,${long}@example.com,,,`,
    `sms,,+${'1'.repeat(101)},RU,`,
    `webhook,,,,https://hooks.example.com/${long}`,
  ].join('\n');
  const { results } = await imported(page, csv);
  assert.equal(
    results.map(({ error }) => error?.errors),
    [
      { email: ['Must have at most 1,000 characters.'] },
      { phone_number: ['Must have at most 100 characters.'] },
      { endpoint: ['Must have at most 2,048 characters.'] },
    ],
  );
});

test('a line of an import with a mode that the page does not accept is 403, and a line beyond the SMS limit is 429', async () => {
  const page = await newPage({ allow_webhook_subscribers: false });
  // Earlier tests have already sent two confirmation requests by SMS.
  const csv = 'mode,endpoint,phone_number,phone_country\nwebhook,https://hooks.example.com/,,\nsms,,+79123456788,RU\n';
  assert.equal(statuses(await imported(page, csv)), [403, 429]);
});

test('lines of an import can name components', async () => {
  const page = await newPage();
  const component = (
    (await service.request('POST', `${page}/components`, { body: { name: 'Web' } })).json() as { id: string }
  ).id;
  await imported(page, `email,components\nivan@example.com,"${component}, ${component}"\n`);
  assert.equal((await known(page, 1))[0]?.['component_ids'], [component]);
});

test('an import that is repeated with its Idempotency-Key gets the first response', async () => {
  const page = await newPage();
  const ask = { headers: { 'idempotency-key': 'import' } };
  const before = await send(page, 'email\nivan@example.com\n', '', ask);
  const again = await send(page, 'email\nivan@example.com\n', '', ask);
  assert.is(again.text, before.text);
  assert.is(again.headers['idempotent-replayed'], 'true');
});

test('a file of several batches can be imported, and subscribers that earlier imports have stored count as unchanged', async () => {
  const page = await newPage();
  const csv = `email\n${Array.from({ length: 250 }, (_, n) => `user${n}@example.com`).join('\n')}\n`;
  assert.equal((await imported(page, csv)).counts, { added: 250, unchanged: 0, refused: 0 });
  assert.equal((await imported(page, csv)).counts, { added: 0, unchanged: 250, refused: 0 });
});

test('lines of an import beyond the time limit are reported as not imported, and are imported when the file is sent again', async () => {
  const page = await newPage();
  const id = page.split('/').at(-1) ?? '';
  const context = ownContext();
  const now = instantOf(service.time.now);
  const { readers, keys, commands } = service;
  const read = readers.for(context);
  const scope = { read, organizationId: first.id, now, resultsFrom: () => now, plans: SELF_HOSTED, keys };
  const found = await findPage(scope, id);
  const call = { commands, context, scope, found, signal: new AbortController().signal };
  const lines = Array.from({ length: 201 }, (_, n) => ({
    line: n + 1,
    read: { ...LINE, email: `user${n}@example.com` },
  }));
  let batches = 0;
  const results = await importSubscribers(call, lines, { skips: true, hasTime: () => batches++ < 2 });
  assert.equal(
    results.map(({ line, status }) => [line, status]),
    lines.map(({ line }) => [line, line <= 200 ? 201 : 503]),
  );
  const again = await importSubscribers(call, lines, { skips: true, hasTime: () => true });
  assert.equal(
    again
      .map(({ status }) => status)
      .sort()
      .slice(-2),
    [200, 201],
  );
});

test('an import of an unreadable file is refused as a whole', async () => {
  const page = await newPage();
  const lines = 'a@example.com\n'.repeat(10_001);
  for (const [csv, status, sentence] of [
    ['', 422, 'The file contains no subscribers.'],
    ['email\n', 422, 'The file contains no subscribers.'],
    ['name,address\nIvan,ivan@example.com\n', 422, 'The first line must name the columns, such as mode,email.'],
    [
      'mode,email,email\nemail,ivan@example.com,olga@example.com\n',
      422,
      'The first line names the column email twice. Remove one of the two.',
    ],
    [
      'note,email,Email Address\n,ivan@example.com,olga@example.com\n',
      422,
      'The columns email and Email Address mean the same. Remove one of the two.',
    ],
    [`email\n${lines}`, 422, 'Must have at most 10,000 lines.'],
    ['email\n"ivan@example.com\n', 400, null],
  ] as const) {
    const reply = await send(page, csv);
    assert.is(reply.status, status, reply.text);
    const { errors } = reply.json() as { errors: { json?: { _schema?: string[] } } };
    if (sentence !== null) assert.equal(errors.json?._schema, [sentence]);
  }
  const json = await send(page, '{}', '', { headers: { 'content-type': 'application/json' } });
  assert.is(json.status, 415);
  const long = await send(page, `email\n${'x'.repeat(1_048_576)}`);
  assert.is(long.status, 413);
  assert.equal(await listed(page), []);
});

test('editors can import subscribers and admins can export them, each only in their own organization', async () => {
  const page = await newPage();
  for (const [role, imports, exports] of [
    ['viewer', 403, 403],
    ['billing', 403, 403],
    ['editor', 200, 403],
    ['admin', 200, 200],
  ] as const) {
    const key = first.keys[role];
    assert.is((await send(page, 'email\na@example.com\n', '', { key })).status, imports, role);
    assert.is((await service.request('GET', `${page}/subscribers/export`, { key })).status, exports, role);
  }
  assert.is((await send(page, 'email\na@example.com\n', '', { key: null })).status, 401);
  const theirs = { key: second.keys.admin };
  assert.is((await send(page, 'email\na@example.com\n', '', theirs)).status, 404);
  assert.is((await service.request('GET', `${page}/subscribers/export`, theirs)).status, 404);
});

test('an export has unmasked addresses, is safe for spreadsheets, and can be imported elsewhere', async () => {
  const page = await newPage();
  const csv = [
    'mode,email,phone_number,phone_country,endpoint',
    'email,ivan@example.com,,,',
    'email,=cmd@example.com,,,',
    'webhook,anna@example.com,,,https://hooks.example.com/secret',
  ].join('\n');
  await imported(page, csv, '?skip_confirmation_notification=true');
  await service.request('POST', `${page}/subscribers`, {
    body: { mode: 'sms', phone_number: '+79123456789', phone_country: 'RU', skip_confirmation_notification: true },
  });
  await known(page, 4);
  const reply = await service.request('GET', `${page}/subscribers/export`, ADMIN);
  assert.is(reply.headers['content-disposition'], 'attachment; filename="subscribers.csv"');
  assert.is(reply.headers['cache-control'], 'no-store');
  const [header = [], ...lines] = await exported(page);
  assert.is(header.join(','), HEADER);
  const cells = (name: string): (string | undefined)[] => lines.map((line) => line[header.indexOf(name)]).sort();
  assert.equal(cells('email'), ['', "'=cmd@example.com", 'anna@example.com', 'ivan@example.com']);
  assert.equal(cells('phone_number'), ['', '', '', "'+79123456789"]);
  assert.equal(cells('status'), ['active', 'active', 'active', 'pending']);
  const other = await newPage();
  const { counts } = await imported(other, reply.text, '?skip_confirmation_notification=true');
  assert.equal(counts, { added: 4, unchanged: 0, refused: 0 });
  assert.equal((await known(other, 4)).map(({ mode, is_verified }) => [mode, is_verified]).sort(), [
    ['email', true],
    ['email', true],
    ['sms', true],
    ['webhook', false],
  ]);
});

const HEADER =
  'mode,email,phone_number,phone_country,endpoint,component_ids,incident_id,deliver_notifications,status,id,created_at,updated_at,verified_at,quarantined_at';

test('an export can be filtered and is recorded in the audit log', async () => {
  const page = await newPage();
  await imported(page, 'email,skip_confirmation_notification\na@example.com,yes\nb@example.com,no\n');
  await known(page, 2);
  const [, ...lines] = await exported(page, '?status=active&mode=email');
  assert.is(lines.length, 1);
  const id = page.split('/').at(-1) ?? '';
  await eventually(async () => {
    const reply = await service.request('GET', `/v1/audit?resource_id=${id}&action=page.subscribers_exported`, ADMIN);
    const { audit_logs: logs } = reply.json() as { audit_logs: Record<string, unknown>[] };
    const [entry] = logs;
    if (!entry) return false;
    assert.is(entry['actor_type'], 'api_key');
    assert.equal(entry['changes'], {
      mode: { old: null, new: ['email'] },
      status: { old: null, new: ['active'] },
    });
    return true;
  });
});

test.run();
