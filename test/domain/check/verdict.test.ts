import { suite } from 'uvu';
import { checkDecider } from '../../../domain/check/state.ts';
import { judgeCheck } from '../../../domain/check/verdict.ts';
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

judged('a pending check comes up with its first good result', () => {
  check
    .given(checkCreated())
    .when((state) => judgeCheck(state, good(), NOW))
    .then(cameUp({ slot: LATER_SLOT, at: LATER }));
});

judged('a pending check goes down with its first result when that is bad, and says why', () => {
  check
    .given(checkCreated())
    .when((state) => judgeCheck(state, bad(), NOW))
    .then(wentDown({ slot: LATER_SLOT, at: LATER, error_message: 'Connection refused by 127.0.0.1:443.' }));
});

judged('a check that was up goes down', () => {
  check
    .given(checkCreated(), cameUp())
    .when((state) => judgeCheck(state, bad(), NOW))
    .then(wentDown({ slot: LATER_SLOT, at: LATER, error_message: 'Connection refused by 127.0.0.1:443.' }));
});

judged('a check that was down recovers', () => {
  check
    .given(checkCreated(), wentDown())
    .when((state) => judgeCheck(state, good(), NOW))
    .then(recovered({ slot: LATER_SLOT, at: LATER }));
});

judged('more of the same is no event', () => {
  check
    .given(checkCreated(), cameUp())
    .when((state) => judgeCheck(state, good(), NOW))
    .thenNothing();
  check
    .given(checkCreated(), cameUp(), wentDown())
    .when((state) => judgeCheck(state, bad(), NOW))
    .thenNothing();
});

judged('a verdict that was recorded before what decided the status changes nothing', () => {
  check
    .given(checkCreated(), cameUp({ slot: LATER_SLOT, at: LATER }))
    .when((state) => judgeCheck(state, bad({ at: '2026-11-20T15:01:30.999000' }), NOW))
    .thenNothing();
});

judged('of two runs that overlap the one recorded last decides, whichever was due first', () => {
  check
    .given(checkCreated(), cameUp({ slot: LATER_SLOT, at: '2026-11-20T15:01:30.500000' }))
    .when((state) => judgeCheck(state, bad({ slot: SLOT }), NOW))
    .then(wentDown({ slot: SLOT, at: LATER, error_message: 'Connection refused by 127.0.0.1:443.' }));
});

judged('what was decided while the clock was two days ahead keeps no verdict from counting', () => {
  const ahead = { slot: '2026-11-22T15:01:30.000000', at: '2026-11-22T15:01:31.000000' };
  check
    .given(checkCreated(), cameUp(ahead))
    .when((state) => judgeCheck(state, bad(), NOW))
    .then(wentDown({ slot: LATER_SLOT, at: LATER, error_message: 'Connection refused by 127.0.0.1:443.' }));
});

judged('a check that was deleted, or never was, has no status', () => {
  check
    .given(checkCreated(), checkDeleted)
    .when((state) => judgeCheck(state, bad(), NOW))
    .thenNothing();
  check
    .given()
    .when((state) => judgeCheck(state, bad(), NOW))
    .thenNothing();
});

judged.run();
