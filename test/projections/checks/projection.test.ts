import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { checks } from '../../../projections/checks/projection.ts';
import {
  binding,
  cameUp,
  CHECK,
  checkCreated,
  checkDeleted,
  checkGrouped,
  checkRestored,
  checkUpdated,
  GROUP,
  newCheck,
  ORGANIZATION,
  parked,
  recovered,
  released,
  secretsChanged,
  wentDown,
} from '../../domain/check/examples.ts';
import { checkMuted } from '../../domain/alert/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of checks');

/** The times of the first three facts of a history. */
const [FIRST = '', SECOND = '', THIRD = ''] = ['00', '01', '02'].map((second) => `2026-11-20T15:00:${second}.000000`);

/**
 * Returns the expected document of the check. `revision` and `updated_at` belong to the fact that changed the check
 * most recently.
 */
const document = (fields: Partial<CheckDocument> = {}): CheckDocument => ({
  ...newCheck(),
  id: CHECK,
  organization_id: ORGANIZATION,
  status: 'pending',
  status_since: FIRST,
  error_message: null,
  secrets: [],
  group_id: null,
  position: null,
  muted_until: null,
  paused_at: null,
  parked_at: null,
  revision: [FIRST, SECOND, THIRD].indexOf(fields.updated_at ?? FIRST) + 1,
  created_at: FIRST,
  updated_at: FIRST,
  deleted_at: null,
  ...fields,
});

test('a new check is pending', () => projection(checks).given(checkCreated()).then('checks', document()));

test('a changed check has its new fields and the time of the change', () =>
  projection(checks)
    .given(
      checkCreated(),
      checkUpdated({ name: 'Store', parameters: { search_text: 'ok' } }, { name: 'Shop', parameters: {} }),
      checkUpdated({ active: false }, { active: true }),
    )
    .then(
      'checks',
      document({
        name: 'Store',
        parameters: { search_text: 'ok' },
        active: false,
        updated_at: THIRD,
        paused_at: THIRD,
      }),
    ));

test('the end of a check’s mute is stored', () =>
  projection(checks)
    .given(checkCreated(), parked(), checkMuted('2026-11-20T16:00:00.000000'))
    .then(
      'checks',
      document({
        muted_until: '2026-11-20T16:00:00.000000',
        parked_at: '2026-11-20T15:00:31.000000',
        updated_at: THIRD,
      }),
    ));

test('a status change does not count as a change of the check', async () => {
  const status_since = '2026-11-20T15:30:00.000000';
  const down = wentDown({ at: status_since, error_message: 'No answer.' });
  for (const [facts, fields] of [
    [[cameUp({ at: status_since })], { status: 'up' }],
    [[down], { status: 'down', error_message: 'No answer.' }],
    [[wentDown(), recovered({ at: status_since })], { status: 'up' }],
  ] as const)
    await projection(checks)
      .given(checkCreated(), ...facts)
      .then('checks', document({ ...fields, status_since }));
});

const row = (...facts: readonly Fact[]) =>
  projection(checks)
    .given(...facts)
    .document('check_rows', CHECK);

test('each check has an up-to-date row in the overview, and a deleted check has none', async () => {
  assert.equal(
    await row(checkCreated({ tags: ['eu', 'shop'] }), checkGrouped(), wentDown({ error_message: 'No answer.' })),
    {
      id: CHECK,
      organization_id: ORGANIZATION,
      name: 'Shop',
      type: 'web',
      group_id: GROUP,
      tags: ['eu', 'shop'],
      active: true,
      status: 'down',
      since: '2026-11-20T15:00:31.000000',
      error_message: 'No answer.',
      paused_at: null,
      target: 'https://shop.example/',
    },
  );
  const tcp = checkCreated({ type: 'tcp', url: null, host: 'shop.example', port: 25 });
  assert.is((await row(tcp))?.target, 'shop.example:25');
  assert.is((await row(checkCreated({ url: null })))?.target, '');
  assert.is(await row(checkCreated(), checkDeleted), null);
});

test('a long message in a row of the overview is truncated, but not within a character', async () => {
  const message = `${'x'.repeat(198)}😀y`;
  assert.is((await row(checkCreated(), wentDown({ error_message: message })))?.error_message, message);
  const longer = await row(checkCreated(), wentDown({ error_message: `${message}z` }));
  assert.is(longer?.error_message, `${'x'.repeat(198)}😀…`);
});

test('the start of a check’s pause is stored, whatever else changes', async () => {
  const off = checkUpdated({ active: false }, { active: true });
  const pausedAt = async (...facts: readonly Fact[]): Promise<unknown> => (await row(...facts))?.paused_at;
  assert.is(await pausedAt(checkCreated({ active: false })), FIRST);
  assert.is(await pausedAt(checkCreated(), off, checkUpdated({ name: 'Store' }, { name: 'Shop' }), off), SECOND);
  assert.is(await pausedAt(checkCreated(), off, checkUpdated({ active: true }, { active: false })), null);
});

test('a check is in the group that it was created in', () =>
  projection(checks)
    .given(checkCreated({}, { group_id: GROUP, position: 2 }))
    .then('checks', document({ group_id: GROUP, position: 2 })));

test('a check can be moved into a group and out of it', async () => {
  await projection(checks)
    .given(checkCreated(), checkGrouped())
    .then('checks', document({ group_id: GROUP, position: 1, updated_at: SECOND }));
  await projection(checks)
    .given(checkCreated(), checkGrouped(), checkGrouped({ group_id: null, position: null }))
    .then('checks', document({ updated_at: THIRD }));
});

test('a deleted check is in no group', () =>
  projection(checks)
    .given(checkCreated(), checkGrouped(), checkDeleted)
    .then('checks', document({ active: false, updated_at: SECOND, deleted_at: THIRD })));

test('a deleted check is marked, so that its results are hidden', () =>
  projection(checks)
    .given(checkCreated(), checkDeleted)
    .then('checks', document({ active: false, deleted_at: SECOND })));

test('a restored check has its former state, with its group and bindings', async () => {
  const bound = binding();
  await projection(checks)
    .given(
      checkCreated({}, { group_id: GROUP, position: 1 }, [bound]),
      checkDeleted,
      checkRestored({ group_id: GROUP, position: 1, secrets: [{ ...bound, claim: 2 }] }),
    )
    .then(
      'checks',
      document({
        group_id: GROUP,
        position: 1,
        secrets: [{ id: bound.id, secret_id: bound.secret_id, env_variable: bound.env_variable, created_at: FIRST }],
      }),
    );
});

test('a restored check is found by its tags again', async () => {
  const tagged = checkCreated({ tags: ['eu'] });
  await projection(checks).given(tagged, checkDeleted).thenNone('check_tags');
  await projection(checks)
    .given(tagged, checkDeleted, checkRestored())
    .then('check_tags', [{ id: `${CHECK}/eu`, organization_id: ORGANIZATION, tag: 'eu', check_id: CHECK }]);
});

test('a check is parked until it is changed or released', async () => {
  const { at } = parked().data;
  await projection(checks)
    .given(checkCreated(), parked())
    .then('checks', document({ parked_at: at }));
  await projection(checks)
    .given(checkCreated(), parked(), checkUpdated({ timeout: 5 }, { timeout: 10 }))
    .then('checks', document({ timeout: 5, updated_at: THIRD }));
  await projection(checks)
    .given(checkCreated(), parked(), secretsChanged([], [binding()]))
    .then('checks', document({ updated_at: THIRD }));
  await projection(checks).given(checkCreated(), parked(), released).then('checks', document());
});

test('each secret of a check has the time of its binding', async () => {
  const [one, other] = [binding(), binding({ id: 'binding00002', secret_id: 'secret000002', env_variable: 'USER' })];
  const shown = ({ id, secret_id, env_variable }: typeof one, created_at: string) => ({
    id,
    secret_id,
    env_variable,
    created_at,
  });
  await projection(checks)
    .given(checkCreated({}, undefined, [one]))
    .then('checks', document({ secrets: [shown(one, FIRST)] }));
  await projection(checks)
    .given(checkCreated({}, undefined, [one]), secretsChanged([other, one], [one]))
    .then('checks', document({ secrets: [shown(other, SECOND), shown(one, FIRST)], updated_at: SECOND }));
  await projection(checks)
    .given(checkCreated(), secretsChanged([one]), secretsChanged([], [one]))
    .then('checks', document({ updated_at: THIRD }));
});

/** Returns the expected documents by which the check is found by its tags. */
const found = (...tags: string[]) =>
  tags.map((tag) => ({ id: `${CHECK}/${tag}`, organization_id: ORGANIZATION, tag, check_id: CHECK }));

test('a check is found by its tags, and by no other tag', async () => {
  const given = checkCreated({ tags: ['eu', 'prod'] });
  await projection(checks)
    .given(given)
    .then('checks', document({ tags: ['eu', 'prod'] }));
  await projection(checks).given(given).then('check_tags', found('eu', 'prod'));
  const changed = projection(checks).given(given, checkUpdated({ tags: ['prod', 'us'] }, { tags: ['eu', 'prod'] }));
  await changed.then('check_tags', found('prod', 'us'));
  await changed.then('checks', document({ tags: ['prod', 'us'], updated_at: SECOND }));
  await projection(checks)
    .given(given, checkUpdated({ name: 'Store' }, { name: 'Shop' }))
    .then('check_tags', found('eu', 'prod'));
});

test('a deleted check is found by no tag', () =>
  projection(checks)
    .given(
      checkCreated({ tags: ['eu', 'prod'] }),
      checkUpdated({ tags: ['prod', 'us'] }, { tags: ['eu', 'prod'] }),
      checkDeleted,
    )
    .thenNone('check_tags'));

test('encrypted texts of a check are stored unchanged', async () => {
  const password = { key: `check-${CHECK}`, sealed: 'c2VhbGVk' };
  const kept = await projection(checks)
    .given(checkCreated({ parameters: { http_request: { password } } }))
    .document('checks', CHECK);
  assert.equal(kept?.parameters, { http_request: { password } });
});

test.run();

projectionRules(checks, [
  checkCreated(),
  checkGrouped(),
  cameUp(),
  checkUpdated({ name: 'Store', tags: ['eu', 'prod'] }, { name: 'Shop', tags: [] }),
  wentDown(),
  recovered(),
  parked(),
  released,
  secretsChanged([binding()]),
  checkMuted('2026-11-20T16:00:00.000000'),
  checkDeleted,
  checkRestored(),
]);
