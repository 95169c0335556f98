import { fitDnsMetadata } from '../../probes/dns/metadata.ts';
import { metadataOf as portscanMetadataOf } from '../../probes/portscan/metadata.ts';
import { metadataOf as sslMetadataOf } from '../../probes/ssl/metadata.ts';
import { outcomeOf } from '../../probes/script/outcome/outcome.ts';
import { worst as worstOfDns } from '../probes/dns/facts.ts';
import { worst as worstOfScript } from '../probes/script/outcome/records.ts';
import { worst as worstOfSsl } from '../probes/ssl/facts.ts';

/** The character that takes most room as JSON, and the character that takes most room as UTF-8. */
const ODD = '\0\u{1F512}';

/** The metadata of a port scan that finds a thousand risky ports, each with the longest stored service banner. */
const everythingOpen = portscanMetadataOf({
  target: 'x'.repeat(255),
  address: '127.0.0.1',
  answered: true,
  open: Array.from({ length: 1_000 }, (_, index) => ({
    port: index + 1,
    protocol: 'tcp',
    service: ODD.repeat(15),
    product: ODD.repeat(100),
    version: ODD.repeat(100),
    extrainfo: ODD.repeat(100),
    recognised: true,
  })),
  vulnerabilities: Array.from({ length: 1_000 }, (_, index) => ({
    port: index + 1,
    service: ODD.repeat(15),
    risk_level: 'critical',
    description: 'x'.repeat(300),
    detected_version: null,
  })),
  notes: [],
  took: 600_000,
});

const ofScript = (kind: 'multistep' | 'synthetic'): object =>
  outcomeOf(worstOfScript(kind), { timeout: 30_000 }).outcome.check_metadata;

/** The largest `check_metadata` that targets can cause, by type of check. */
export const LARGEST_METADATA: Readonly<Record<string, object>> = {
  ssl: sslMetadataOf(worstOfSsl),
  dns: fitDnsMetadata(worstOfDns),
  portscan: everythingOpen,
  multistep: ofScript('multistep'),
  synthetic: ofScript('synthetic'),
};
