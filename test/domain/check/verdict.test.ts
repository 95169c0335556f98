import { suite } from 'uvu';
import { checkDecider } from '../../../domain/check/state.ts';
import { judgeCheck } from '../../../domain/check/verdict.ts';
import { specification } from '../specification.ts';
import { cameUp, checkCreated, checkDeleted, LATER_SLOT, recovered, verdict, wentDown } from './examples.ts';

const check = specification(checkDecider);
const good = (fields = {}) => verdict({ slot: LATER_SLOT, ...fields });
const bad = (fields = {}) =>
  verdict({ good: false, slot: LATER_SLOT, error_message: 'Connection refused by 127.0.0.1:443.', ...fields });

const judged = suite('the status of a check');

judged('a pending check comes up with its first good result', () => {
  check
    .given(checkCreated())
    .when((state) => judgeCheck(state, good()))
    .then(cameUp({ slot: LATER_SLOT }));
});

judged('a pending check goes down with its first result when that is bad, and says why', () => {
  check
    .given(checkCreated())
    .when((state) => judgeCheck(state, bad()))
    .then(wentDown({ slot: LATER_SLOT, error_message: 'Connection refused by 127.0.0.1:443.' }));
});

judged('a check that was up goes down', () => {
  check
    .given(checkCreated(), cameUp())
    .when((state) => judgeCheck(state, bad()))
    .then(wentDown({ slot: LATER_SLOT, error_message: 'Connection refused by 127.0.0.1:443.' }));
});

judged('a check that was down recovers', () => {
  check
    .given(checkCreated(), wentDown())
    .when((state) => judgeCheck(state, good()))
    .then(recovered({ slot: LATER_SLOT }));
});

judged('more of the same is no event', () => {
  check
    .given(checkCreated(), cameUp())
    .when((state) => judgeCheck(state, good()))
    .thenNothing();
  check
    .given(checkCreated(), cameUp(), wentDown())
    .when((state) => judgeCheck(state, bad()))
    .thenNothing();
});

judged('a verdict no newer than what decided the status changes nothing', () => {
  const decided = cameUp({ slot: LATER_SLOT });
  check
    .given(checkCreated(), decided)
    .when((state) => judgeCheck(state, bad({ slot: '2026-11-20T15:00:00.000000' })))
    .thenNothing();
  check
    .given(checkCreated(), decided)
    .when((state) => judgeCheck(state, bad()))
    .thenNothing();
});

judged('a check that was deleted, or never was, has no status', () => {
  check
    .given(checkCreated(), checkDeleted)
    .when((state) => judgeCheck(state, bad()))
    .thenNothing();
  check
    .given()
    .when((state) => judgeCheck(state, bad()))
    .thenNothing();
});

judged.run();
