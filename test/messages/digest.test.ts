import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { digestNotice, type DigestEntry } from '../../messages/digest.ts';

const test = suite('digests of several messages');

const URL = 'https://status.example.com/console/alerts';
const alert = (severity: DigestEntry['severity'], ended: number | null = null): DigestEntry => ({
  about: 'alert',
  rule: 'API is reachable',
  words: { headline: 'API is down', state: { label: 'High', tone: 'bad' } },
  severity,
  since: '2026-11-20T15:00:00.000000',
  ended,
});
const noticeOf = (entries: readonly DigestEntry[], total = entries.length) =>
  digestNotice({ organization: 'Acme', entries, total, url: URL });

test('a digest is as severe as its most severe ongoing alert', () => {
  const notice = noticeOf([alert('low'), alert('high'), alert('critical', 60), alert('medium')]);
  assert.equal(
    [notice.title, notice.severity, notice.over, notice.about, notice.url],
    ['3 alerts fired, 1 resolved', 'high', false, null, URL],
  );
  assert.match(notice.body, '[High] API is down (rule: API is reachable), since 2026-11-20 15:00:00 UTC');
});

test('a digest is marked as over if all of its alerts are resolved and listed', () => {
  const ended = [alert('low', 60), alert('high', 60)];
  assert.equal([noticeOf(ended).over, noticeOf(ended).severity], [true, 'high']);
  assert.equal([noticeOf(ended, 3).over, noticeOf([], 0).severity], [false, 'low']);
});

test('a digest that only contains heartbeats has no link', () => {
  const notice = noticeOf([{ ...alert('high'), about: 'heartbeat', rule: null }]);
  assert.equal([notice.title, notice.url], ['1 heartbeat down', null]);
});

test.run();
