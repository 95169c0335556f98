import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RegionalSummary } from '../../../domain/alert/events.ts';
import { textsOf, type DescribedAlert } from '../../../domain/alert/texts.ts';
import { at } from './examples.ts';

const test = suite('texts of alerts');

const region = (name: string, holds: boolean, error_message: string | null = null): RegionalSummary => ({
  region: name,
  holds,
  status: holds ? 'down' : 'ok',
  response_time: null,
  error_message,
});

const linesOf = (rule: DescribedAlert['rule'], more: Partial<DescribedAlert> = {}): string[] => {
  const check = { name: 'API', type: 'web' };
  const { title, description } = textsOf({
    rule,
    check,
    since: at('15:04:05'),
    regional_summary: [region('ru-central1', true)],
    ...more,
  });
  return [title, description];
};

test('the text of an alert contains the check, the condition and the start', () => {
  assert.equal(linesOf({ condition: 'check_failed', condition_parameters: {} }), [
    'API is down',
    'The check API has failed since 2026-11-20 15:04:05 UTC.',
  ]);
  assert.equal(linesOf({ condition: 'check_timeout', condition_parameters: {} }), [
    'API times out',
    'The check API has timed out since 2026-11-20 15:04:05 UTC.',
  ]);
  assert.equal(linesOf({ condition: 'check_degraded', condition_parameters: { response_time: 500 } }), [
    'API is slow',
    'The check API has taken more than 500 ms since 2026-11-20 15:04:05 UTC.',
  ]);
  assert.equal(linesOf({ condition: 'consecutive_failures', condition_parameters: { count: 3 } }), [
    'API failed 3 times in a row',
    'The last 3 runs of the check API have failed, since 2026-11-20 15:04:05 UTC.',
  ]);
});

test('the text of an alert contains the uptime and its period', () => {
  const rule = (window_seconds: number): DescribedAlert['rule'] => ({
    condition: 'uptime_below_threshold',
    condition_parameters: { threshold: 99.5, window_seconds },
  });
  assert.equal(linesOf(rule(86_400), { uptime: 98.25 }), [
    'Uptime of API is below 99.5 %',
    'The uptime of the check API over the last 24 hours is 98.25 %, below 99.5 %, since 2026-11-20 15:04:05 UTC.',
  ]);
  assert.match(linesOf(rule(172_800))[1] ?? '', /over the last 2 days is below/);
  assert.match(linesOf(rule(3_600))[1] ?? '', /over the last 60 minutes is below/);
  assert.match(linesOf(rule(3_601))[1] ?? '', /over the last 3601 seconds is below/);
});

test('the text of an alert contains the affected regions if there are several, and the newest error', () => {
  const regional_summary = [
    region('ru-central1', true, 'The connection was refused.'),
    region('eu-west1', false),
    region('us-east1', true, 'No answer came.'),
  ];
  const [, description] = linesOf({ condition: 'check_failed', condition_parameters: {} }, { regional_summary });
  assert.is(
    description,
    'The check API has failed since 2026-11-20 15:04:05 UTC, in 2 of 3 regions (ru-central1, us-east1). Last error: The connection was refused.',
  );
});

test.run();
