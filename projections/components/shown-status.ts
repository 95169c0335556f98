import { worstStatus } from '../../domain/page/component-status.ts';
import { laterOf, type Instant } from '../../domain/time.ts';
import type { ComponentDocument } from './documents.ts';

/** Computes the shown status of a component: the worst of its own status and those of its holders. */
export const withShownStatus = (component: ComponentDocument, at: Instant): ComponentDocument => {
  const status = worstStatus([component.own_status, ...component.holds.map((hold) => hold.status)]);
  if (status === component.status) return component;
  return { ...component, status, updated_at: laterOf(component.updated_at, at) };
};
