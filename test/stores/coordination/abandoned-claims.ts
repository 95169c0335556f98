import * as assert from 'uvu/assert';
import type { EmbeddedCoordination } from '../../../stores/coordination/port.ts';

/** The additional contract of a coordination store that is used by one service only. */
export const abandonedClaimContract = async (coordination: EmbeddedCoordination): Promise<void> => {
  await coordination.claim('in flight', 'first', 0);
  await coordination.claim('answered', 'first', 0);
  await coordination.storeResponse('answered', { status: 201, headers: {}, body: '{}' });
  await coordination.abandonAll();
  assert.is(await coordination.claim('in flight', 'second', 1), null);
  assert.is((await coordination.claim('answered', 'second', 1))?.answer?.status, 201);
};
