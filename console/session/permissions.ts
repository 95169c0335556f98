import type { Operation } from '../api/request.ts';
import { isAboutPast } from '../past/past-request.ts';
import { pastMoment } from '../past/past.ts';
import { roleMay } from './role-may.ts';
import { user } from './session.ts';

/**
 * Returns whether the signed-in user is allowed to call an operation. Screens do not render controls for operations
 * that the user is not allowed to call. While the screen shows a past state, only reading past states is allowed.
 */
export const may = (operation: Operation): boolean =>
  (pastMoment.value === null || isAboutPast(operation)) && roleMay(user.value?.role ?? '', operation);

/** Returns whether the signed-in user is allowed to change checks, alerts, heartbeats, pages and incidents. */
export const mayWrite = (): boolean => may('POST /v1/checks');
