import type { Operation } from '../api/request.ts';
import { roleMay } from './role-may.ts';
import { user } from './session.ts';

/** Returns whether the signed-in user may call an operation; controls for other operations are left out. */
export const may = (operation: Operation): boolean => roleMay(user.value?.role ?? '', operation);

/** Returns whether the signed-in user may change checks, alerts, heartbeats, pages and incidents. */
export const mayWrite = (): boolean => may('POST /v1/checks');
