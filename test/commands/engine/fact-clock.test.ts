import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFactClock } from '../../../commands/engine/fact-clock.ts';
import { instantOf } from '../../../domain/time.ts';

const test = suite('the time of facts');

const NOW = Date.parse('2026-11-20T15:00:00Z');

test('stands still while a clock that was set back a little catches up', () => {
  let time = NOW;
  const facts = createFactClock(() => time);
  assert.is(facts.now(), NOW);
  time -= 5_000;
  assert.is(facts.now(), NOW);
  time += 5_001;
  assert.is(facts.now(), NOW + 1);
});

test('is no earlier than what another process has recorded whose clock is a little ahead', () => {
  const facts = createFactClock(() => NOW);
  facts.heard(instantOf(NOW + 3_000));
  facts.heard(instantOf(NOW + 1_000));
  assert.is(facts.now(), NOW + 3_000);
});

test('goes back with a clock that was two days ahead, and does not follow one that is', () => {
  let time = NOW + 172_800_000;
  const facts = createFactClock(() => time);
  facts.now();
  time = NOW;
  assert.is(facts.now(), NOW);
  facts.heard(instantOf(NOW + 172_800_000));
  assert.is(facts.now(), NOW);
});

test.run();
