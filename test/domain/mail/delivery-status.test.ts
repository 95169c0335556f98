import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recipientsIn, statusNotificationIn } from '../../../domain/mail/delivery-status.ts';
import { BOUNCE_ADDRESS, eximReport, exchangeReport, postfixReport, vacationAnswer } from './reports.ts';

const test = suite('a report of a failed e-mail');

/** Returns the kind of a failure and its codes. */
const line = (message: string): string => {
  const report = statusNotificationIn(message);
  return report ? `${report.bounce} ${report.codes}`.trim() : 'no report';
};

test('a bounce report shows that an address is invalid', () => {
  const diagnostic = 'smtp; 550 5.1.1 <jane@example.com>: User unknown';
  assert.is(line(postfixReport({ action: 'failed', status: '5.1.1', diagnostic })), 'hard 550 5.1.1');
  assert.is(line(postfixReport({ action: 'failed', status: '5.1.1' })), 'hard 5.1.1');
  assert.is(line(postfixReport({ action: 'failed', status: '5.0.0' })), 'hard');
  assert.is(
    line(postfixReport({ action: 'failed', status: '5.4.4', diagnostic: 'X-Postfix; Host not found' })),
    'hard 5.4.4',
  );
  assert.is(line(eximReport('smtp; 550 No such user')), 'hard 550');
  assert.is(line(eximReport('smtp; 550-5.1.1 No such user\n 550 5.1.1 here')), 'hard 550 5.1.1');
  assert.is(line(exchangeReport()), 'hard 550 5.1.10');
});

test('a bounce report shows that a message failed for another reason', () => {
  assert.is(line(postfixReport({ action: 'failed', status: '4.4.1' })), 'soft 4.4.1');
  assert.is(
    line(postfixReport({ action: 'failed', status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 Full' })),
    'soft 552 5.2.2',
  );
  assert.is(
    line(postfixReport({ action: 'failed', status: '5.7.1', diagnostic: 'smtp; 554 5.7.1 Spam' })),
    'soft 554 5.7.1',
  );
  assert.is(line(postfixReport({ action: 'failed', status: '5.0.0', diagnostic: 'smtp; 451 Later' })), 'soft 451');
  assert.is(line(eximReport('smtp; 550 Blocked, see https://example.org/blocklist')), 'soft 550');
  assert.is(line(eximReport('smtp; 552 Quota exceeded')), 'soft 552');
});

test('a bounce report shows that a message is delayed or delivered', () => {
  assert.is(line(postfixReport({ action: 'delayed', status: '4.4.1' })), 'soft 4.4.1');
  assert.is(line(postfixReport({ action: 'delayed', status: '5.1.1' })), 'soft 5.1.1');
  assert.is(line(postfixReport({ action: 'delivered', status: '2.0.0' })), 'none');
  assert.is(line(postfixReport({ action: 'relayed', status: '2.0.0' })), 'none');
});

test('a bounce report is parsed with LF or CRLF line breaks, and without trailing content', () => {
  const report = postfixReport({ action: 'failed', status: '5.1.1' });
  assert.is(line(report.replaceAll('\r\n', '\n')), 'hard 5.1.1');
  assert.is(line(report.slice(0, report.indexOf('Content-Description: Undelivered'))), 'hard 5.1.1');
});

test('a reply by a person or an autoresponder is no bounce report', () => {
  assert.is(line(vacationAnswer()), 'no report');
  assert.is(line(''), 'no report');
  assert.is(line('\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n'), 'no report');
});

test('a damaged bounce report concerns no address', () => {
  assert.is(line(postfixReport({ action: 'failed', status: 'unknown' })), 'soft');
  assert.is(line(postfixReport({ action: 'exploded', status: '5.1.1' })), 'none');
  assert.is(line('Content-Type: message/delivery-status\n\nnothing\n'), 'none');
  assert.is(line('Content-Type: multipart/report; boundary=x\n\nno parts\n'), 'no report');
  assert.is(line('Content-Type: multipart/report\n\n--x\n'), 'no report');
});

test('a bounce report names its recipient', () => {
  const report = postfixReport({ action: 'failed', status: '5.1.1' });
  assert.ok(recipientsIn(report).every((address) => address === BOUNCE_ADDRESS));
  assert.equal(recipientsIn(exchangeReport()), [BOUNCE_ADDRESS]);
  assert.equal(recipientsIn('To: "a, b" <a@example.org>, b@example.org (B)\n\nTo: c@example.org'), [
    'a@example.org',
    'b@example.org',
  ]);
});

test('a bounce report of any form is parsed fast', () => {
  const size = 262_144;
  const filled = (unit: string): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  const nested = `Content-Type: multipart/mixed; boundary=x\n\n${filled('--x\nContent-Type: multipart/mixed; boundary=x\n\n')}`;
  const status = 'Content-Type: message/delivery-status\n';
  for (const hostile of [
    nested,
    filled('To: a@b\n'),
    `To: ${filled('a')}`,
    `To: ${filled('@')}`,
    filled(' \n'),
    filled('\n '),
    filled(':\n'),
    `Content-Type: ${filled(';boundary')}`,
    `Content-Type: multipart/mixed; ${filled(' ')}x`,
    `Content-Type: multipart/mixed; boundary="${filled('x')}`,
    `${status}\n${filled('\n \t')}`,
    `${status}\n${filled('Action: failed\n\n')}`,
    `${status}\nAction: failed\nStatus: ${filled('5.')}`,
    `${status}\nAction: failed\nDiagnostic-Code: smtp;${filled(' ')}`,
    `${status}Content-Transfer-Encoding: quoted-printable\n\n${filled('= ')}`,
    `${status}Content-Transfer-Encoding: quoted-printable\n\n${filled('   ')}`,
    `${status}Content-Transfer-Encoding: base64\n\n${filled('!')}`,
  ]) {
    const begun = process.cpuUsage();
    recipientsIn(hostile);
    statusNotificationIn(hostile);
    // CPU time of this process, which does not depend on the load of the machine.
    const took = process.cpuUsage(begun).user / 1_000;
    if (took > 1_000) assert.unreachable(`${hostile.slice(0, 80)} took ${took.toFixed()} ms`);
  }
});

test.run();
