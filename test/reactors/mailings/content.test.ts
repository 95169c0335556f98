import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderTexts } from '../../../messages/mail/texts.ts';
import { mailings } from '../../../projections/mailings/projection.ts';
import type { CauseContext } from '../../../reactors/delivery/cause.ts';
import { readMailingContent, cacheBriefly, type MailingContent } from '../../../reactors/mailings/content.ts';
import {
  added,
  appended,
  at,
  changed,
  deleted,
  drafted,
  edited,
  moved,
  opened,
  published,
  reminded,
  removed,
  scheduled,
  setManually,
  update,
  withheld,
} from '../../domain/incident/examples.ts';
import { configured, on, verified } from '../../domain/email-domain/examples.ts';
import { componentRemoved, PAGE, pageCreated, pageDeleted } from '../../domain/page/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { scopeOf } from '../../queries/engine/scope.ts';

const test = suite('the content of a mailing');

const DRAFT = { body_draft: 'A **disk**.', notify_subscribers: true };

const PAGE_FACTS: readonly Fact[] = [
  pageCreated({ notifications_from_email: 'team@acme.example', domain: 'status.acme.example' }),
  added('group', { group: true }),
  added('api', { name: 'API', group_id: 'group', position: 2 }),
  added('web', { name: 'Web', position: 1 }),
];

/**
 * Returns the content of the newest mailing that `facts` cause. The content is composed after the events in `later`.
 */
const content = async (facts: readonly Fact[], ...later: Fact[]): Promise<MailingContent | null> => {
  const newest = await scopeOf([...PAGE_FACTS, ...facts])
    .read(mailings)
    .mailings.find({ sort: { changed_position: -1 }, limit: 1 });
  const [mailing] = newest;
  assert.ok(mailing);
  const { read } = scopeOf([...PAGE_FACTS, ...facts, ...later]);
  const keys = { open: async () => 'the private key', fingerprint: async () => '' };
  const shownIncident: CauseContext['shownIncident'] = ({ incident: { id, incident_updates } }) => ({
    id,
    texts: incident_updates.map(({ body }) => body),
  });
  return readMailingContent(mailing, {
    readAfter: () => read,
    shownIncident,
    keys,
    renderTexts: async (texts) => renderTexts(texts),
  });
};

test('a mailing contains the text of its update, with the components of the incident by position', async () => {
  const more = appended(update('u2', '11:00', { status: 'identified', components: { web: 'partial_outage' } }));
  const found = await content([opened(), more]);
  assert.ok(found);
  const { notice, sender, notification } = found;
  assert.equal(notice.incident, {
    id: 'incident',
    name: 'No answer',
    kind: 'regular',
    status: 'identified',
    impact: 'critical',
    scheduled_for: null,
    scheduled_until: null,
    object: { id: 'incident', texts: ['It is 11:00.', 'It is 10:00.'] },
  });
  assert.equal([notice.event, notice.at, notice.body], ['incident.updated', at('11:00'), 'It is 11:00.']);
  assert.equal(notice.components, [
    { id: 'web', name: 'Web', status: 'partial_outage' },
    { id: 'api', name: 'API', status: 'major_outage' },
  ]);
  assert.equal(
    [notice.page.id, notice.page.name, notice.page.url, notice.page.component_statuses.length],
    [PAGE, 'Acme', 'https://status.acme.example', 2],
  );
  assert.equal([...notification.components].sort(), ['api', 'group', 'web']);
  assert.equal(sender, { name: 'Acme', from: null, replyTo: 'team@acme.example' });
});

test('a mailing is sent from the verified domain of its page, and signed for it', async () => {
  const dkim = { domain: 'example.com', selector: 'uptrail-k3v9x0q2m7ab', privateKey: 'the private key' };
  const own = await content([opened()], configured(), verified(on(1)));
  assert.equal(own?.sender, { name: 'Acme', from: { address: 'status@example.com', dkim }, replyTo: null });
  const unproven = await content([opened()], configured());
  assert.is(unproven?.sender.from, null);
});

test('a mailing contains the status of its update, even if the status of the incident has changed afterwards', async () => {
  const found = await content([opened()], moved('11:00', 'investigating', 'resolved'));
  assert.is(found?.notice.incident?.status, 'investigating');
});

test('a mailing about a resolved incident shows the present status of each component, even if a component is still down', async () => {
  const components = { api: 'partial_outage', web: 'major_outage' } as const;
  const worse = appended(update('u2', '11:00', { status: 'identified', components }));
  const mended = setManually('api', '11:30', 'operational', 'partial_outage');
  const over = appended(update('u3', '12:00', { status: 'resolved', components: {} }));
  const statuses = async (...facts: Fact[]) =>
    (await content([opened(), worse, ...facts]))?.notice.components.map(({ id, status }) => [id, status]);
  assert.equal(await statuses(mended, over), [
    ['web', 'major_outage'],
    ['api', 'operational'],
  ]);
  assert.equal(await statuses(mended, over, drafted('12:30', DRAFT, null), published('13:00', 'A **disk**.')), [
    ['web', 'major_outage'],
    ['api', 'operational'],
  ]);
});

test('a mailing contains the present text of its update and the present name of the incident', async () => {
  const corrected = edited('u1', '11:00', { body: 'It is half past ten.' }, { body: 'It is 10:00.' });
  const found = await content([opened()], corrected, changed('11:00', { name: 'Slow' }, { name: 'No answer' }));
  assert.equal([found?.notice.body, found?.notice.incident?.name], ['It is half past ten.', 'Slow']);
});

test('a mailing about an update without a text has no text', async () => {
  const start = await content([scheduled(), moved('20:00', 'scheduled', 'in_progress')]);
  assert.equal([start?.notice.event, start?.notice.body], ['maintenance.started', null]);
  const wordless = await content([opened(), appended(update('u2', '11:00', { body: '' }))]);
  assert.is(wordless?.notice.body, null);
});

test('a mailing contains no withheld text, not even for programs', async () => {
  const more = appended(update('u2', '11:00'));
  const found = await content([opened(), more], withheld('u2', '11:10'));
  assert.equal([found?.notice.body, found?.notice.incident?.status], [null, 'investigating']);
  assert.equal(found?.notice.incident?.object['texts'], ['', 'It is 10:00.']);
});

test('a mailing about a postmortem contains its text', async () => {
  const found = await content([opened(), drafted('11:30', DRAFT, null), published('12:00', 'A **disk**.')]);
  assert.equal([found?.notice.postmortem, found?.notice.body], ['A **disk**.', null]);
});

test('a mailing about a manual status change contains the previous and the new status', async () => {
  const found = await content([setManually('api', '12:00', 'major_outage', 'operational')]);
  assert.equal(found?.notice.component_update, {
    component: { id: 'api', name: 'API', status: 'major_outage' },
    old_status: 'operational',
    new_status: 'major_outage',
  });
  assert.equal([...(found?.notification.components ?? [])].sort(), ['api', 'group']);
});

test('a mailing has no content if its incident, update, component or page was deleted', async () => {
  const second = update('u2', '11:00');
  assert.is(await content([opened()], deleted('11:00')), null);
  assert.is(await content([opened(), appended(second)], removed(second, '11:30')), null);
  assert.is(await content([setManually('api', '12:00', 'major_outage', 'operational')], componentRemoved('api')), null);
  assert.is(await content([opened()], pageDeleted), null);
});

test('a reminder has no content if its maintenance was rescheduled or has begun', async () => {
  const reminder = [scheduled(), reminded('19:00', '1h')];
  assert.is((await content(reminder))?.notice.event, 'maintenance.reminder');
  assert.is(await content(reminder, moved('19:30', 'scheduled', 'in_progress')), null);
  assert.is(
    await content(reminder, changed('19:30', { scheduled_for: at('21:00') }, { scheduled_for: at('20:00') })),
    null,
  );
});

test('the content of a mailing is read once for requests within a second, and again after a failure', async () => {
  let now = 1_000;
  let reads = 0;
  const shared = cacheBriefly<number>(() => now);
  const read = (): Promise<number> => shared('one', async () => ++reads);
  assert.equal([await read(), await read()], [1, 1]);
  now += 1_000;
  assert.is(await read(), 2);
  now -= 5_000;
  assert.is(await read(), 3);
  const failing = shared('other', () => Promise.reject(new Error('The read model is late.')));
  await failing.catch(() => undefined);
  assert.is(await shared('other', async () => 7), 7);
});

test.run();
