import { systemClock, type Clock } from '../../../../network/clock.ts';
import { createDialer, targetOf, type Dialer } from '../../../../probes/ssl/dial.ts';
import type { ProtocolFacts, ScanFacts } from '../../../../probes/ssl/scan/facts.ts';
import { createScan, type Scan } from '../../../../probes/ssl/scan/scan.ts';
import { PROTOCOL_NAMES } from '../../../../probes/ssl/wire/protocols.ts';
import { suite } from '../../../../probes/ssl/wire/suites.ts';
import type { StartTls } from '../../../../domain/check/types/starttls.ts';
import { contextOf, type TestRunOptions } from '../../run-context.ts';

export interface Scanned {
  facts: ScanFacts;
  connections: number;
}

type Given = TestRunOptions & { starttls?: StartTls; took?: number; host?: string; clock?: Clock };

const prepared = async (port: number, given: Given): Promise<{ scan: Scan; dialer: Dialer }> => {
  const { host = 'tls.test', starttls, took, clock = systemClock } = given;
  const context = { ...contextOf({ hosts: { 'tls.test': ['127.0.0.1'] }, ...given }), clock };
  const target = await targetOf({ host, port, starttls }, context);
  const dialer = createDialer(target, context);
  return { scan: createScan(dialer, { clock, ...(took !== undefined && { took }) }), dialer };
};

/** Starts a scan of the server on a port, under the name `tls.test`. */
export const begun = async (port: number, given: Given = {}): Promise<Scan> => (await prepared(port, given)).scan;

/** Performs a complete scan. */
export const scanned = async (port: number, given: Given = {}): Promise<Scanned> => {
  const { scan, dialer } = await prepared(port, given);
  await scan.run();
  return { facts: scan.facts(), connections: dialer.dialed };
};

/** Returns the IANA names of the suites of a protocol. */
export const names = ({ suites }: ProtocolFacts): string[] => suites.map((id) => suite(id).name);

/** Returns the protocols that the server supports. */
export const spoken = ({ protocols }: ScanFacts): string[] =>
  PROTOCOL_NAMES.filter((name) => protocols[name].supported);
