import { PERMISSIONS } from '../../permissions.ts';
import type { ServiceState } from './schema.ts';

/** Whether a user may look at the service. */
export const mayOperate = (
  operator: Pick<Operator, 'organizationId'> | null,
  { organization_id, role }: { organization_id: string; role: string },
): boolean =>
  operator?.organizationId === organization_id && (PERMISSIONS['service.operate'] as readonly string[]).includes(role);

/** The service as whoever runs it sees it. */
export interface Operator {
  /** the operator's own organization: its admins may look */
  organizationId: string;
  /** how the service is at present; what can't be read is null */
  look: () => Promise<ServiceState>;
  /**
   * Lets items that a reactor failed on be tried again.
   *
   * @param item null: all of them
   * @returns how many there are; null: there is no such reactor
   */
  retry: (reactor: string, item: string | null) => Promise<number | null>;
}
