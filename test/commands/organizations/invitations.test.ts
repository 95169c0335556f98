import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inviteWithinLimits } from '../../../commands/organizations/invitations.ts';
import { createOrganization } from '../../../commands/organizations/organizations.ts';
import { TooMany } from '../../../domain/errors.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { EmailTaken } from '../../../commands/reservations/user-emails.ts';
import { aContext, withRandomDelays, randomFrom, startProcess } from '../simulated-processes.ts';

const test = suite('invitations');

test('many concurrent invitations are all sent, and at most ten of them reveal that an address is taken', async () => {
  const { commands } = startProcess(withRandomDelays(createMemoryEventStore('main'), randomFrom(16)));
  await commands.bind(createOrganization)({ name: 'Acme' }, aContext());
  const invite = (name: string) =>
    commands.bind(inviteWithinLimits)({ email: `${name}@example.com`, role: 'viewer' }, aContext());
  await Promise.all(Array.from({ length: 30 }, (_, n) => invite(`colleague-${n}`)));
  const again = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => invite(`colleague-${n}`)));
  const refusals = again.map((one) => (one.status === 'rejected' ? (one.reason as object).constructor : null));
  assert.equal(refusals, [...Array<object>(10).fill(EmailTaken), TooMany, TooMany]);
});

test.run();
