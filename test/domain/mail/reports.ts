/** Bounce reports as written by mail servers, with example names instead of the real ones. */

const crlf = (text: string): string => text.trimStart().replace(/\n/g, '\r\n');

/** The recipient of all bounce reports in this file. */
export const BOUNCE_ADDRESS = 'status+k3v9x0q2m7ab.0123456789abcdef@example.org';

interface Group {
  action: string;
  status: string;
  diagnostic?: string;
}

/** Returns a report by Postfix. */
export const postfixReport = ({ action, status, diagnostic }: Group): string =>
  crlf(`
Return-Path: <>
X-Original-To: ${BOUNCE_ADDRESS}
Delivered-To: ${BOUNCE_ADDRESS}
Received: by relay.example.org (Postfix)
	id 4F3C120A1B; Fri, 20 Nov 2026 15:04:05 +0000 (UTC)
Date: Fri, 20 Nov 2026 15:04:05 +0000 (UTC)
From: MAILER-DAEMON@relay.example.org (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${BOUNCE_ADDRESS}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="1B2A320A1C.1795187045/relay.example.org"
Content-Transfer-Encoding: 8bit
Message-Id: <20261120150405.4F3C120A1B@relay.example.org>

This is a MIME-encapsulated message.

--1B2A320A1C.1795187045/relay.example.org
Content-Description: Notification
Content-Type: text/plain; charset=utf-8

This is the mail system at host relay.example.org.

Action: failed
Status: 5.1.1

--1B2A320A1C.1795187045/relay.example.org
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.example.org
Original-Envelope-Id: k3v9x0q2m7ab
X-Postfix-Queue-ID: 1B2A320A1C
X-Postfix-Sender: rfc822; ${BOUNCE_ADDRESS}
Arrival-Date: Fri, 20 Nov 2026 15:04:04 +0000 (UTC)

Final-Recipient: rfc822; jane@example.com
Original-Recipient: rfc822;jane@example.com
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.example.com${diagnostic === undefined ? '' : `\nDiagnostic-Code: ${diagnostic}`}

--1B2A320A1C.1795187045/relay.example.org
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers
Content-Transfer-Encoding: 8bit

Return-Path: <${BOUNCE_ADDRESS}>
From: Acme <status@example.org>
To: jane@example.com
Subject: The shop is down
Message-ID: <k3v9x0q2m7ab@example.org>

--1B2A320A1C.1795187045/relay.example.org--
`);

/** Returns a report by Exim, whose status codes are unspecific. */
export const eximReport = (diagnostic: string): string =>
  crlf(`
Return-path: <>
Envelope-to: ${BOUNCE_ADDRESS}
Content-Type: multipart/report; report-type=delivery-status; boundary=1795187045-eximdsn-1234567890
MIME-Version: 1.0
From: Mail Delivery System <Mailer-Daemon@relay.example.org>
To: ${BOUNCE_ADDRESS}
References: <k3v9x0q2m7ab@example.org>
Subject: Mail delivery failed: returning message to sender
Auto-Submitted: auto-replied

--1795187045-eximdsn-1234567890
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

--1795187045-eximdsn-1234567890
Content-type: message/delivery-status

Reporting-MTA: dns; relay.example.org

Action: failed
Final-Recipient: rfc822;jane@example.com
Status: 5.0.0
Remote-MTA: dns; mx.example.com
Diagnostic-Code: ${diagnostic}

--1795187045-eximdsn-1234567890
Content-type: message/rfc822

Return-path: <${BOUNCE_ADDRESS}>
From: Acme <status@example.org>
Message-ID: <k3v9x0q2m7ab@example.org>

Hello
--1795187045-eximdsn-1234567890--
`);

/** Returns a report by a Microsoft server, within another multipart and encoded in base64. */
export const exchangeReport = (): string =>
  crlf(`
From: <postmaster@example.com>
To: <${BOUNCE_ADDRESS}>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"
Subject: Undeliverable: The shop is down

--outer
Content-Type: multipart/report; report-type="delivery-status"; boundary="=_inner=_"

--=_inner=_
Content-Type: multipart/alternative; boundary="text"

--text
Content-Type: text/plain; charset="us-ascii"

Your message wasn't delivered.
--text--

--=_inner=_
Content-Type: message/delivery-status
Content-Transfer-Encoding: base64

${Buffer.from(
  'Reporting-MTA: dns;mail.example.com\r\n\r\nFinal-recipient: RFC822;jane@example.com\r\nAction: FAILED (final)\r\n' +
    'Status: 5.1.10 (no such recipient)\r\n' +
    'Diagnostic-code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient jane@example.com not found\r\n',
).toString('base64')}

--=_inner=_--
--outer--
`);

/** Returns an automatic reply of a mail client. */
export const vacationAnswer = (): string =>
  crlf(`
From: Jane <jane@example.com>
To: ${BOUNCE_ADDRESS}
Subject: Out of office
Auto-Submitted: auto-replied
Content-Type: text/plain

Action: failed
Status: 5.1.1
`);
