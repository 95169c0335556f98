import type { Schemas } from '../../api/openapi.d.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';

/** The capabilities of the service for a check without a region. */
export interface Capabilities {
  types: ReadonlySet<string>;
  /** the shortest interval that the plan allows, in seconds; null: any */
  shortest: number | null;
}

/** Assumed until the capabilities are loaded. */
export const ASSUMED_CAPABILITIES: Capabilities = {
  types: new Set(['web', 'api', 'tcp', 'ssl', 'dns', 'icmp']),
  shortest: null,
};

const FIRST_REGION = 'RU, Moscow';

/** Returns the region of checks without regions (domain/check/regions.ts). */
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
