import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RESERVED } from '../../domain/target/policy.ts';
import {
  anyAddressPolicy,
  createLivePolicy,
  REFUSE_EVERYTHING,
  createPolicy,
  type ReservedTargets,
} from '../../network/policy.ts';
import { NOTHING_RESERVED } from './nothing-reserved.ts';

const policies = suite('policies for connections');

const RESERVING: ReservedTargets = { ...NOTHING_RESERVED, reserved: [{ address: '169.254.0.9', port: 53 }] };

policies('a live target policy follows changes of the reserved targets', () => {
  let now = NOTHING_RESERVED;
  const changed: (() => void)[] = [];
  const policy = createLivePolicy(
    { policy: 'internal', deny: '10.0.0.0/8' },
    { now: () => now, onChange: (listener) => changed.push(listener) },
  );
  assert.is(policy.refusal('127.0.0.1', 3_000), null);
  assert.is(policy.refusal('10.0.0.1', 3_000), 'denied');
  now = { ...NOTHING_RESERVED, listeners: [{ address: '127.0.0.1', port: 3_000 }] };
  for (const notify of changed) notify();
  assert.is(policy.refusal('127.0.0.1', 3_000), RESERVED);
  assert.is(policy.refusal('127.0.0.1', 3_000, 'health'), null);
  assert.equal(policy.reservedPorts('127.0.0.1'), [3_000]);
});

policies("the policy for operators' servers refuses only reserved targets", () => {
  const { refusal } = anyAddressPolicy(createPolicy({ policy: 'public' }, RESERVING));
  assert.is(refusal('169.254.169.253', 53), null);
  assert.is(refusal('127.0.0.53', 53), null);
  assert.is(refusal('169.254.0.9', 53), RESERVED);
  assert.is(refusal('169.254.0.9', 853), null);
});

policies('the initial target policy refuses all targets', () => {
  assert.is.not(REFUSE_EVERYTHING.refusal('8.8.8.8', 443), null);
});

policies.run();
