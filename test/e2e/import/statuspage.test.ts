import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient, type Client } from '../../../cli/apply/client.ts';
import type { Fields } from '../../../domain/fields.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { statuspageExport } from '../../cli/import-from/statuspage/sample.ts';
import { lacking, openMailbox, type Mailbox } from '../../notifiers/email/mailbox.ts';
import { endPrograms, serve, uptrail } from '../program.ts';
import { mailingEnvironment, nextMail, waitUntilNotifying } from '../subscribing.ts';

const test = suite('moving in from Statuspage');
test.after.each(endPrograms);

const missing = lacking();
if (missing !== null) console.log(`skipped: ${missing}`);

interface Summary {
  page: Fields;
  status: Fields;
  components: Fields[];
  incidents: Fields[];
  scheduled_maintenances: Fields[];
}

type Export = ReturnType<typeof statuspageExport>;

/** Returns a time without its zone, in UTC. */
const utc = (time: unknown): string => new Date(String(time)).toISOString();

const namesOf = (components: readonly Fields[]): Map<unknown, unknown> =>
  new Map(components.map(({ id, name }) => [id, name]));

/** Returns what an incident shows, with names instead of ids. */
const shownIncident = (incident: Fields) => ({
  name: incident['name'],
  status: incident['status'],
  impact: incident['impact'],
  created_at: utc(incident['created_at']),
  updates: (incident['incident_updates'] as Fields[]).map((update) => ({
    status: update['status'],
    body: update['body'],
    display_at: utc(update['display_at']),
    affected: (update['affected_components'] as Fields[]).map(({ new_status, name }) => [name, new_status]),
  })),
});

const shownComponent =
  (names: ReadonlyMap<unknown, unknown>) =>
  ({ name, status, description, group, group_id, position, showcase, start_date }: Fields) => ({
    ...{ name, description, group, position, showcase },
    // The status of a group follows from its components.
    ...(group === false && { status, start_date }),
    group_of: names.get(group_id) ?? null,
  });

/** Sorts components, whose order in the interface of Statuspage differs from that of the public one. */
const sorted = <T>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const assertSame = (summary: Summary, content: Export): void => {
  const groups = content.component_groups.map((group) => ({ ...group, group: true, showcase: true, group_id: null }));
  const exported: Fields[] = [...content.components, ...groups];
  assert.equal(
    sorted(summary.components.map(shownComponent(namesOf(summary.components)))),
    sorted(exported.map(shownComponent(namesOf(exported)))),
  );
  const open = content.incidents.filter(({ status }) => status === 'identified');
  assert.equal(summary.incidents.map(shownIncident), open.map(shownIncident));
  const planned = content.incidents.find(({ status }) => status === 'scheduled') as Fields;
  const [maintenance] = summary.scheduled_maintenances;
  assert.is(summary.scheduled_maintenances.length, 1);
  assert.equal(shownIncident(maintenance ?? {}), shownIncident(planned));
  assert.is(utc(maintenance?.['scheduled_for']), utc(planned['scheduled_for']));
};

const story = async (folder: string, mailbox: Mailbox, client: Client, environment: Record<string, string>) => {
  const content = statuspageExport(Date.now());
  const file = join(folder, 'export.json');
  writeFileSync(file, JSON.stringify(content));
  const importing = {
    ...environment,
    UPTRAIL_URL: environment['PUBLIC_URL'] ?? '',
    UPTRAIL_API_KEY: environment['ADMIN_API_KEY'] ?? '',
  };
  const imported = await uptrail(importing, 'import-from', 'statuspage', file);
  assert.is(imported.code, 0, imported.stdout + imported.stderr);
  assert.match(imported.stdout, /^created 4 incidents$/m);
  assert.match(imported.stdout, /^created 2 subscribers$/m);

  const summary = async (): Promise<Summary> => {
    const response = await fetch(`${environment['PUBLIC_URL'] ?? ''}/status/acme-status/api/v2/summary.json`);
    assert.is(response.status, 200);
    return (await response.json()) as Summary;
  };
  const first = await summary();
  assertSame(first, content);
  assert.equal(first.status, { indicator: 'critical', description: 'Major Service Outage' });

  const again = await uptrail(importing, 'import-from', 'statuspage', file);
  assert.match(again.stdout, /: 0 created, 0 changed, \d+ unchanged\./);
  assert.equal(await summary(), first);

  // The first message that anybody gets is about an update that is written here.
  const [page] = await client.list('/v1/pages', 'pages');
  const path = `/v1/pages/${String(page?.['id'])}/incidents`;
  const body = { status: 'monitoring', body: 'Written in Uptrail.' };
  await client.write('POST', `${path}/${String(first.incidents[0]?.['id'])}/incident_updates`, body);
  const mail = await nextMail(mailbox);
  assert.match(mail.text ?? '', 'Written in Uptrail.');
  assert.is(mailbox.mails[0]?.to[0], 'ida@example.com');

  const copy = await uptrail(environment, 'export', 'incidents', 'acme-status', '--format', 'statuspage');
  assert.is(copy.code, 0, copy.stderr);
  assert.is((JSON.parse(copy.stdout) as Summary).incidents.length, 4);
  const subscribers = await uptrail(environment, 'export', 'subscribers', 'Acme');
  assert.match(subscribers.stdout, /^\uFEFFmode,email,.*\r\n/);
  assert.match(subscribers.stdout, /email,ivan@example\.com,/);
};

const runStory = inTemporaryFolder(async (folder) => {
  const mailbox = await openMailbox();
  const environment = await mailingEnvironment(folder, mailbox);
  await serve(environment);
  await waitUntilNotifying(environment);
  const client = createClient({ server: new URL(environment.PUBLIC_URL), key: environment.ADMIN_API_KEY });
  try {
    await story(folder, mailbox, client, environment);
  } finally {
    await client.close();
    await mailbox.close();
  }
});

const title = 'an export becomes a page with the same components and incidents, and nobody is notified';
if (missing === null) test(title, runStory);
else test.skip(title, runStory);

test.run();
