import type { Operation } from '../api/request.ts';
import { roleMay } from './role-may.ts';
import { user } from './session.ts';

/**
 * Returns whether the signed-in user is allowed to call an operation. Screens do not render controls for operations
 * that the user is not allowed to call.
 */
export const may = (operation: Operation): boolean => roleMay(user.value?.role ?? '', operation);

/** Returns whether the signed-in user is allowed to change checks, alerts, heartbeats, pages and incidents. */
export const mayWrite = (): boolean => may('POST /v1/checks');
