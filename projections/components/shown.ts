import { worstStatus } from '../../domain/page/component-status.ts';
import { laterOf, type Instant } from '../../domain/time.ts';
import type { ComponentDocument } from './documents.ts';

/** The component as it is shown: the worse of what was set last and of what holds it. */
export const shown = (component: ComponentDocument, at: Instant): ComponentDocument => {
  const status = worstStatus([component.own_status, ...component.holds.map((hold) => hold.status)]);
  if (status === component.status) return component;
  return { ...component, status, updated_at: laterOf(component.updated_at, at) };
};
