import { PERMISSIONS } from '../../permissions.ts';
import type { ServiceState } from './schema.ts';

/** Tests whether a user is allowed to see the state of the service. */
export const mayOperate = (
  operator: Pick<Operator, 'organizationId'> | null,
  { organization_id, role }: { organization_id: string; role: string },
): boolean =>
  operator?.organizationId === organization_id && (PERMISSIONS['service.operate'] as readonly string[]).includes(role);

/** The operator's view of the service. */
export interface Operator {
  /** the operator's own organization, whose admins have access */
  organizationId: string;
  /** Returns the current state of the service. Parts that cannot be read are null. */
  readState: () => Promise<ServiceState>;
  /**
   * Schedules failed items of a reactor for a retry.
   *
   * @param item id of the item, or null for all items
   * @returns the number of items, or null if the reactor is unknown
   */
  retry: (reactor: string, item: string | null) => Promise<number | null>;
}
