import type { Schemas } from '../../api/openapi.d.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';

/** What the service supports for a check that names no region. */
export interface Capabilities {
  types: ReadonlySet<string>;
  /** the shortest interval that the plan allows, in seconds; null: any */
  shortest: number | null;
}

/** Capabilities that are assumed until the actual ones are loaded. */
export const ASSUMED_CAPABILITIES: Capabilities = {
  types: new Set(['web', 'api', 'tcp', 'ssl', 'dns', 'icmp']),
  shortest: null,
};

const FIRST_REGION = 'RU, Moscow';

/** Returns the region for checks that name no region (domain/check/regions.ts). */
const defaultRegion = (regions: readonly Schemas['Region'][]): Schemas['Region'] | undefined =>
  regions.find(({ id }) => id === FIRST_REGION) ?? regions[0];

export const loadCapabilities = async (signal: AbortSignal): Promise<Capabilities> => {
  const [{ regions }, usage] = await Promise.all([
    call('GET /v1/checks/get-regions', {}, { signal }),
    may('GET /v1/usage') ? call('GET /v1/usage', {}, { signal }) : null,
  ]);
  return {
    types: new Set(defaultRegion(regions)?.available_check_types ?? ASSUMED_CAPABILITIES.types),
    shortest: usage?.shortest_interval ?? null,
  };
};
