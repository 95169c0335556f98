import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accountMails } from '../../../projections/account-mails/projection.ts';
import type { Fact } from '../history.ts';
import * as facts from '../../domain/organization/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const history = [facts.invited(), facts.resent, facts.joined(), facts.resetRequested, facts.passwordChanged];
projectionRules(accountMails, [...history, facts.userRemoved]);

const test = suite('the list of account links');

const listed = async (...events: readonly Fact[]) =>
  (
    await projection(accountMails)
      .given(...events)
      .documents('account_mails')
  ).map(({ id, number, changed_position }) => [id, number, changed_position]);

test('the newest invitation of a user is listed until it is accepted', async () => {
  assert.equal(await listed(facts.invited()), [[`invitation/${facts.ANN}`, 1, 10]]);
  assert.equal(await listed(facts.invited(), facts.resent), [[`invitation/${facts.ANN}`, 2, 20]]);
  assert.equal(await listed(facts.invited(), facts.resent, facts.joined()), []);
});

test('the newest password reset of a user is listed until the password is changed or the user is removed', async () => {
  const there = [facts.invited(), facts.joined(), facts.resetRequested];
  assert.equal(await listed(...there), [[`reset/${facts.ANN}`, 1, 30]]);
  for (const over of [facts.passwordChanged, facts.userRemoved]) assert.equal(await listed(...there, over), []);
});

test.run();
