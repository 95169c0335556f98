import { suite } from 'uvu';
import { checkDecider } from '../../../domain/check/state.ts';
import { changeStatus } from '../../../domain/check/status-change.ts';
import { specification } from '../specification.ts';
import { cameUp, checkCreated, checkDeleted, LATER_SLOT, recovered, SLOT, verdict, wentDown } from './examples.ts';

const check = specification(checkDecider);
const LATER = '2026-11-20T15:01:31.000000';
const NOW = '2026-11-20T15:01:32.000000';
const good = (fields = {}) => verdict({ slot: LATER_SLOT, at: LATER, ...fields });
const bad = (fields = {}) =>
  verdict({
    good: false,
    slot: LATER_SLOT,
    at: LATER,
    error_message: 'Connection refused by 127.0.0.1:443.',
    ...fields,
  });

const judged = suite('the status of a check');

judged('a pending check comes up with its first successful result', () => {
  check
    .given(checkCreated())
    .when((state) => changeStatus(state, good(), NOW))
    .then(cameUp({ slot: LATER_SLOT, at: LATER }));
});

judged('a pending check goes down with a failed first result and records the error', () => {
  check
    .given(checkCreated())
    .when((state) => changeStatus(state, bad(), NOW))
    .then(wentDown({ slot: LATER_SLOT, at: LATER, error_message: 'Connection refused by 127.0.0.1:443.' }));
});

judged('a check that is up goes down with a failed result', () => {
  check
    .given(checkCreated(), cameUp())
    .when((state) => changeStatus(state, bad(), NOW))
    .then(wentDown({ slot: LATER_SLOT, at: LATER, error_message: 'Connection refused by 127.0.0.1:443.' }));
});

judged('a check that is down recovers with a successful result', () => {
  check
    .given(checkCreated(), wentDown())
    .when((state) => changeStatus(state, good(), NOW))
    .then(recovered({ slot: LATER_SLOT, at: LATER }));
});

judged('a result that confirms the status of a check records no event', () => {
  check
    .given(checkCreated(), cameUp())
    .when((state) => changeStatus(state, good(), NOW))
    .thenNothing();
  check
    .given(checkCreated(), cameUp(), wentDown())
    .when((state) => changeStatus(state, bad(), NOW))
    .thenNothing();
});

judged(
  'a result does not change the status of a check if it was recorded before the result that decided the status',
  () => {
    check
      .given(checkCreated(), cameUp({ slot: LATER_SLOT, at: LATER }))
      .when((state) => changeStatus(state, bad({ at: '2026-11-20T15:01:30.999000' }), NOW))
      .thenNothing();
  },
);

judged(
  'of two overlapping runs of a check, the one recorded later decides the status, no matter which run was due first',
  () => {
    check
      .given(checkCreated(), cameUp({ slot: LATER_SLOT, at: '2026-11-20T15:01:30.500000' }))
      .when((state) => changeStatus(state, bad({ slot: SLOT }), NOW))
      .then(wentDown({ slot: SLOT, at: LATER, error_message: 'Connection refused by 127.0.0.1:443.' }));
  },
);

judged('a status decided while the clock was two days ahead does not block later results', () => {
  const ahead = { slot: '2026-11-22T15:01:30.000000', at: '2026-11-22T15:01:31.000000' };
  check
    .given(checkCreated(), cameUp(ahead))
    .when((state) => changeStatus(state, bad(), NOW))
    .then(wentDown({ slot: LATER_SLOT, at: LATER, error_message: 'Connection refused by 127.0.0.1:443.' }));
});

judged('a nonexistent or deleted check has no status', () => {
  check
    .given(checkCreated(), checkDeleted)
    .when((state) => changeStatus(state, bad(), NOW))
    .thenNothing();
  check
    .given()
    .when((state) => changeStatus(state, bad(), NOW))
    .thenNothing();
});

judged.run();
