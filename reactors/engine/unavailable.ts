import { ReadModelLate, ReadModelUnavailable } from '../../projections/readers.ts';
import { ArtifactsUnavailable } from '../../stores/artifacts/port.ts';
import { CoordinationUnavailable } from '../../stores/coordination/port.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import { KeysUnavailable } from '../../stores/keys/port.ts';
import { ReadStoreUnavailable } from '../../stores/read-store/port.ts';

/** Whether something failed because a store can't be used at present. */
export const isUnavailable = (error: unknown): boolean =>
  [StoreUnavailable, ReadStoreUnavailable, CoordinationUnavailable, KeysUnavailable, ArtifactsUnavailable].some(
    (Unavailable) => error instanceof Unavailable,
  );

/** Whether something failed since a read model is late or being built: only what reads it has to wait. */
export const isLate = (error: unknown): boolean =>
  error instanceof ReadModelUnavailable || error instanceof ReadModelLate;
