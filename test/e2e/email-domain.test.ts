import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { missingTool, startNameServers, type Zone } from '../servers/name-servers.ts';
import { shiftedClock, skippedWithoutFaketime } from './faketime.ts';
import { callApi, endPrograms, serve, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';
import { DAY_SECONDS } from '../../domain/time.ts';

interface EmailDomain {
  domain: string;
  status: string;
  records: { purpose: string; name: string; value: string; status: string; error_message: string | null }[];
}

const KEY = 'the-admin-key-of-the-test';
const NAME = 'mail.acme.';
const MAIL_FROM = 'Status <status@relay.acme>';

/** Returns a line of a zone file. Name servers require strings of at most 255 bytes. */
const lineOf = ({ name, value }: EmailDomain['records'][number]): string =>
  `${name}. TXT ${(value.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ')}`;

const zone = (records: readonly string[]): Zone => ({ name: NAME, records });

const verify = async (program: RunningProgram, path: string): Promise<EmailDomain> =>
  (await callApi(program, KEY, 'POST', `${path}/verify`)).body as EmailDomain;
const outcomes = ({ records }: EmailDomain) => records.map(({ purpose, status }) => `${purpose} ${status}`);

const missing = missingTool();
const test = suite('the e-mail domain of a page, tested with nsd and unbound');
test.after.each(endPrograms);

if (missing !== undefined) {
  console.log(`skipped: ${missing} is not installed`);
  test.skip('the e-mail domain of a page is verified by DNS records');
} else if (!skippedWithoutFaketime()) {
  test(
    'the e-mail domain of a page is verified by DNS records, which are looked up daily, and fails after three days without them',
    inTemporaryFolder(async (DATA_DIR) => {
      const servers = await startNameServers([zone(['a A 127.0.0.1'])]);
      const nsd = `127.0.0.1:${servers.authoritative}`;
      const unbound = `127.0.0.1:${servers.resolver}`;
      const environment = { DATA_DIR, ADMIN_API_KEY: KEY, MAIL_FROM, METRICS_TOKEN: 'metrics' };
      try {
        // Nothing listens at the address of the first DNS server.
        const first = await serve({ ...environment, DNS_SERVERS: `127.0.0.1:9, ${unbound}` });
        const page = (await callApi(first, KEY, 'POST', '/v1/pages', { name: 'Acme' })).body as { id: string };
        const path = `/v1/pages/${page.id}/email-domain`;
        const body = { domain: 'mail.acme', from_email: 'status@mail.acme' };
        const { records } = (await callApi(first, KEY, 'POST', `${path}/records`, body)).body as EmailDomain;
        assert.is(records[1]?.value, 'v=spf1 include:relay.acme ~all');

        // The name of the DKIM record is an alias, and other services have records at the same names.
        const lines = records.map((record) =>
          record.purpose === 'dkim' ? lineOf({ ...record, name: 'keys.mail.acme' }) : lineOf(record),
        );
        const whole = [
          ...lines,
          `${records[0]?.name ?? ''}. CNAME keys`,
          '@ TXT "another-verification=1"',
          '_uptrail TXT "uptrail-verification=of-another-page"',
        ];
        await servers.change(zone(whole));
        const verified = await verify(first, path);
        assert.equal(outcomes(verified), ['dkim verified', 'spf verified', 'dmarc verified', 'ownership verified']);
        assert.is(verified.status, 'verified');
        await first.end('SIGTERM');

        await servers.change(zone(whole.filter((line) => !line.startsWith('keys.'))));
        const statusAfter = async (days: number, status: string): Promise<RunningProgram> => {
          const program = await serve({ ...environment, DNS_SERVERS: nsd, ...shiftedClock(days * DAY_SECONDS + 120) });
          const day = new Date(Date.now() + days * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
          const isChecked = async (): Promise<boolean> => {
            const { body } = await callApi(program, KEY, 'GET', path);
            return (body as { last_checked_at: string }).last_checked_at.startsWith(day);
          };
          await eventually(isChecked);
          const { body: found } = await callApi(program, KEY, 'GET', path);
          assert.is((found as EmailDomain).status, status);
          return program;
        };
        await (await statusAfter(1, 'verified')).end('SIGTERM');
        const last = await statusAfter(4, 'failed');
        const metrics = await fetch(`${last.address}/metrics`, { headers: { authorization: 'Bearer metrics' } });
        assert.match(await metrics.text(), /^email_domains\{status="failed"\} 1$/m);
        const { stderr } = await last.end('SIGTERM');
        assert.match(stderr, 'E-mail domain mail.acme failed');
      } finally {
        await servers.close();
      }
    }),
  );
}

test.run();
