import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFactClock } from '../../../commands/engine/fact-clock.ts';
import { instantOf } from '../../../domain/time.ts';

const test = suite('the time of facts');

const NOW = Date.parse('2026-11-20T15:00:00Z');

test('if the clock was set back slightly, the fact clock stands still until the clock has caught up', () => {
  let time = NOW;
  const facts = createFactClock(() => time);
  assert.is(facts.now(), NOW);
  time -= 5_000;
  assert.is(facts.now(), NOW);
  time += 5_001;
  assert.is(facts.now(), NOW + 1);
});

test('the fact clock is never behind the time of an event that another process has recorded with a clock slightly ahead', () => {
  const facts = createFactClock(() => NOW);
  facts.observe(instantOf(NOW + 3_000));
  facts.observe(instantOf(NOW + 1_000));
  assert.is(facts.now(), NOW + 3_000);
});

test('the fact clock neither follows a clock that is two days ahead, nor stays ahead after such a clock was corrected', () => {
  let time = NOW + 172_800_000;
  const facts = createFactClock(() => time);
  facts.now();
  time = NOW;
  assert.is(facts.now(), NOW);
  facts.observe(instantOf(NOW + 172_800_000));
  assert.is(facts.now(), NOW);
});

test.run();
