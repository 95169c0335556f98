import type { PortscanMetadata } from '../../../domain/check/types/portscan.ts';
import type { Outcome } from '../../../probes/engine/check-type.ts';
import { runPortscan } from '../../../probes/portscan/run.ts';
import { contextOf, type TestRunOptions } from '../run-context.ts';

/** Runs one portscan check. The timeout is long, so that it does not affect the result. */
export const probe = (host: string, given: TestRunOptions = {}): Promise<Outcome> =>
  runPortscan(
    {
      type: 'portscan',
      url: null,
      host,
      port: null,
      timeout: 0.001,
      parameters: given.parameters ?? {},
      secrets: given.secrets ?? {},
    },
    contextOf(given),
  );

export const metadataOf = ({ check_metadata }: Outcome): PortscanMetadata =>
  check_metadata as unknown as PortscanMetadata;

/** Returns the open ports of the only address that was scanned. */
export const portsOf = (outcome: Outcome) => metadataOf(outcome).scan_results[0]?.open_ports ?? [];
