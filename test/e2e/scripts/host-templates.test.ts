import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { certificate } from '../../../domain/check/templates/certificate.ts';
import { dnsRecord } from '../../../domain/check/templates/dns-record.ts';
import { probe as probeDns } from '../../probes/dns/probing.ts';
import { probe as probeSsl } from '../../probes/ssl/probing.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { dnsTarget } from '../targets/dns.ts';
import { kindsHere } from '../targets/kinds.ts';
import { sslTarget } from '../targets/ssl.ts';
import type { Target } from '../targets/target.ts';
import { eventually } from '../../waiting.ts';

/** Runs the templates without a script against a working target and a broken one. */
const test = suite('templates of checks of a host');

interface Kind {
  kind: 'ssl' | 'dns';
  name: string;
  create: (folder: string) => Promise<Target>;
  holds: (target: Target) => Promise<void>;
}

const parametersOf = ({ definition }: Target): Record<string, unknown> =>
  definition['parameters'] as Record<string, unknown>;

const judgesCertificate = async (target: Target): Promise<void> => {
  const { host, port } = target.definition;
  const { ca_certificate } = parametersOf(target);
  const parameters = { ...certificate.definition.parameters, ca_certificate };
  const probe = () => probeSsl(String(host), Number(port), { parameters });
  const well = await probe();
  assert.is(well.status, 'ok', well.error_message ?? '');
  await target.break();
  // nginx still uses the previous certificate for a moment.
  const broken = await eventually(async () => {
    const outcome = await probe();
    return outcome.status !== 'ok' && outcome;
  });
  assert.match(broken.error_message ?? '', /expired/);
};

const judgesRecord = async (target: Target): Promise<void> => {
  const host = String(target.definition['host']);
  const { dns_servers } = parametersOf(target);
  const parameters = { ...dnsRecord.definition.parameters, dns_servers };
  const well = await probeDns(host, { parameters });
  assert.is(well.status, 'ok', well.error_message ?? '');
  assert.is((await probeDns(`missing.${host}`, { parameters })).status, 'failed');
  await target.break();
  const changed = await probeDns(host, { parameters: { ...parameters, expected_answers: ['127.0.0.10'] } });
  assert.match(changed.error_message ?? '', /127\.0\.0\.10/);
};

const KINDS: Kind[] = [
  { kind: 'ssl', name: certificate.name, create: sslTarget, holds: judgesCertificate },
  { kind: 'dns', name: dnsRecord.name, create: dnsTarget, holds: judgesRecord },
];

for (const { name, create, holds } of kindsHere(test, KINDS)) {
  test(
    `the template ${name} accepts a working target, and reports what is broken`,
    inTemporaryFolder(async (folder) => {
      const target = await create(folder);
      try {
        await holds(target);
      } finally {
        await target.close();
      }
    }),
  );
}

test.run();
