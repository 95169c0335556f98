import { createDialer, targetOf } from '../../../../runners/ssl/dial.ts';
import type { ProtocolFacts, ScanFacts } from '../../../../runners/ssl/scan/facts.ts';
import { createScan } from '../../../../runners/ssl/scan/scan.ts';
import { PROTOCOL_NAMES } from '../../../../runners/ssl/wire/protocols.ts';
import { suite } from '../../../../runners/ssl/wire/suites.ts';
import type { StartTls } from '../../../../domain/check/types/starttls.ts';
import { contextOf, type Probing } from '../../probing.ts';

export interface Scanned {
  facts: ScanFacts;
  connections: number;
}

/** A whole scan of a server on a port, asked for by the name `tls.test`. */
export const scanned = async (
  port: number,
  given: Probing & { starttls?: StartTls; took?: number; host?: string } = {},
): Promise<Scanned> => {
  const { host = 'tls.test', starttls, took } = given;
  const context = contextOf({ hosts: { 'tls.test': ['127.0.0.1'] }, ...given });
  const target = await targetOf({ host, port, starttls }, context);
  const dialer = createDialer(target, context);
  const scan = createScan(dialer, { clock: context.clock, ...(took !== undefined && { took }) });
  await scan.run();
  return { facts: scan.facts(), connections: dialer.dialed };
};

/** IANA names of the suites of a protocol. */
export const names = ({ suites }: ProtocolFacts): string[] => suites.map((id) => suite(id).name);

/** The protocols that are spoken. */
export const spoken = ({ protocols }: ScanFacts): string[] =>
  PROTOCOL_NAMES.filter((name) => protocols[name].supported);
